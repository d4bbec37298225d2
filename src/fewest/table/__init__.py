"""Read files, frames and arrays into typed columns, and encode columns as codes.

What there is: `table`, `column` and `target`; the sources (`files`, `frames`) and formats of files (`formats`,
`delimited`, `arff`, `parquet`), each a `reader`; how columns get their kinds (`builder`, by text or Arrow type:
`text_columns`, `arrow_columns`, and `spellings` for text that means numbers or dates); and what users and methods ask
of a table (`requests`, `discretize`).

The readers of files are not imported here: an estimator that is given arrays needs none of them.
"""

from __future__ import annotations

from fewest.table.column import Column, Kind
from fewest.table.frames import from_array, from_frame, from_sparse
from fewest.table.table import Table, discrete_codes
from fewest.table.target import split_by_task, split_regression_target, split_target

__all__ = [
    "Column",
    "Kind",
    "Table",
    "discrete_codes",
    "from_array",
    "from_frame",
    "from_sparse",
    "split_by_task",
    "split_regression_target",
    "split_target",
]
