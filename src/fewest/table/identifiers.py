"""Columns that identify rows: all or nearly all their values are different."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from fewest.exceptions import IdentifierWarning, quoted
from fewest.table.column import Column, Kind
from fewest.table.table import Table

# With fewer rows than this, distinct values are no sign of an identifier.
FEWEST_ROWS_OF_AN_IDENTIFIER = 20
SUBSET_OF_IDENTIFIERS = "the smallest subset may be such a column and mean nothing"
TREE_OF_IDENTIFIERS = "a tree may test such a column, memorise every training row, and predict nothing about others"


def report_identifiers(features: Table, danger: str = SUBSET_OF_IDENTIFIERS, apart: Collection[int] = ()) -> list[str]:
    """Warn of columns with mostly distinct values, and return their names; those ``apart`` may be distinct."""
    names = identifiers(replace(features, columns=tuple(c for j, c in enumerate(features) if j not in apart)))
    warn_of_identifiers(names, danger)
    return names


def warn_of_identifiers(names: Sequence[str], danger: str = SUBSET_OF_IDENTIFIERS) -> None:
    """Warn of columns with mostly distinct values."""
    if names:
        columns, separate = ("Column", "separates") if len(names) == 1 else ("Columns", "each separate")
        warnings.warn(
            f"{columns} {quoted(names)} with mostly distinct values {separate} nearly all rows, so {danger}. "
            "Drop identifiers; give measurements a margin, or cut them into intervals.",
            IdentifierWarning,
            stacklevel=4,
        )


def identifiers(features: Table) -> list[str]:
    """Return the names of the columns most of whose values occur once, such as a name, a key or a measurement."""
    return [column.name for column in features if _is_identifier(column)]


def _is_identifier(column: Column) -> bool:
    if column.kind is Kind.BOOLEAN:
        return False
    values = column.values[~column.is_missing]
    return len(values) >= FEWEST_ROWS_OF_AN_IDENTIFIER and len(np.unique(values)) > len(values) / 2
