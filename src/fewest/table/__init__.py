"""Read files, frames and arrays into typed columns, and encode columns as codes.

What there is: `table`, `column` and `target`; the sources (`files`, `frames`) and formats of files (`formats`,
`delimited`, `arff`, `parquet`), each a `reader`; how columns get their kinds (`builder`, by text or Arrow type:
`text_columns`, `arrow_columns`, and `spellings` for text that means numbers or dates); and what users and methods ask
of a table (`requests`, `discretize`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fewest.table.column import Column, Kind
from fewest.table.frames import from_array, from_frame, from_sparse
from fewest.table.table import Table, discrete_codes
from fewest.table.target import split_by_task, split_regression_target, split_target

if TYPE_CHECKING:
    from fewest.table.files import NULL_SPELLINGS, read_table

__all__ = [
    "NULL_SPELLINGS",
    "Column",
    "Kind",
    "Table",
    "discrete_codes",
    "from_array",
    "from_frame",
    "from_sparse",
    "read_table",
    "split_by_task",
    "split_regression_target",
    "split_target",
]


def __getattr__(name: str) -> object:
    """Load the readers of files when they are asked for: an estimator that is given arrays needs none of them."""
    if name not in ("NULL_SPELLINGS", "read_table"):
        raise AttributeError(f"module 'fewest.table' has no attribute {name!r}")
    from fewest.table import files

    return getattr(files, name)
