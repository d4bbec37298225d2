"""The warning of methods that compare values for equality: a column of mostly distinct values separates everything.

An identifier is such a column, and so is a measurement. Estimators do not leave out columns: they warn.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Sequence

import numpy as np

from fewest.blocks.schema import AgreedColumn
from fewest.exceptions import IdentifierWarning, quoted
from fewest.table import Column, Kind, Table

# With fewer rows than this, distinct values are no sign of anything.
FEWEST_ROWS = 20
SUBSET_OF_IDENTIFIERS = "the smallest subset may be such a column and mean nothing"
TREE_OF_IDENTIFIERS = "a tree may test such a column, memorise every training row, and predict nothing about others"


def warn_of_distinct_values(
    features: Table | Sequence[AgreedColumn], danger: str = SUBSET_OF_IDENTIFIERS, apart: Collection[int] = ()
) -> list[str]:
    """Warn of columns with mostly distinct values, and return their names; those ``apart`` may be distinct."""
    columns: Iterable[Column | AgreedColumn] = features
    names = distinct_columns([column for j, column in enumerate(columns) if j not in apart])
    if names:
        which, separate = ("Column", "separates") if len(names) == 1 else ("Columns", "each separate")
        warnings.warn(
            f"{which} {quoted(names)} with mostly distinct values {separate} nearly all rows, so {danger}. "
            "Drop identifiers; give measurements a margin, or cut them into intervals.",
            IdentifierWarning,
            stacklevel=3,
        )
    return names


def distinct_columns(columns: Sequence[Column | AgreedColumn]) -> list[str]:
    """Return the names of the columns most of whose values occur once, such as a name, a key or a measurement."""
    return [column.name for column in columns if _is_mostly_distinct(column)]


def _is_mostly_distinct(column: Column | AgreedColumn) -> bool:
    if column.kind is Kind.BOOLEAN:
        return False
    if column.kind is Kind.NOMINAL and isinstance(column, Column) and 2 * len(column.labels) <= FEWEST_ROWS:
        return False
    if isinstance(column, AgreedColumn):
        n_present, n_distinct = column.n_present, column.n_distinct
    else:
        values = column.values[~column.is_missing]
        if len(values) < FEWEST_ROWS:
            return False
        n_present, n_distinct = len(values), len(np.unique(values))
    return n_present >= FEWEST_ROWS and n_distinct > n_present / 2
