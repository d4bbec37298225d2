"""Read files, frames and arrays into typed columns, and encode columns as codes."""

from fewest.table.column import Column, Kind
from fewest.table.encode import discrete_codes
from fewest.table.files import NULL_SPELLINGS, read_table
from fewest.table.frames import from_array, from_frame, from_sparse
from fewest.table.table import Table
from fewest.table.target import split_regression_target, split_target

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
    "split_regression_target",
    "split_target",
]
