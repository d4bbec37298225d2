"""Rows that are equal in features and class, merged into one with their number: all that a description depends on.

In memory and in blocks the merged rows are the same, in the same order, and so is whatever is computed from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from fewest.cover.kernels.description import Rows
from fewest.kernels.partition import alike
from fewest.table import Column, Kind, Table


@dataclass(frozen=True, eq=False)
class DistinctRows:
    """The distinct rows of a table, in the order of the first of each.

    Attributes
    ----------
    features : Table
        What excluded columns hold means nothing.
    rows : Rows
        Classes are numbered in the order of their first rows, those of which there is none left out.
    """

    features: Table
    rows: Rows

    @classmethod
    def of(cls, features: Table, classes: Column, excluded: Sequence[int] = ()) -> DistinctRows:
        """Merge the rows of a table, as the columns that are not excluded see them."""
        gone = set(excluded)
        columns = (_codes(column) for j, column in enumerate(features.columns) if j not in gone)
        group, first = alike(chain([classes.values], columns), features.n_rows)
        distinct = features if len(first) == features.n_rows else features.take(first)
        return cls.numbered(distinct, classes.values[first], np.bincount(group, minlength=len(first)))

    @classmethod
    def numbered(cls, features: Table, classes: np.ndarray, copies: np.ndarray) -> DistinctRows:
        """Return distinct rows, given in order, with their classes numbered."""
        _, first, place = np.unique(classes, return_index=True, return_inverse=True)
        numbers = np.argsort(np.argsort(first))
        return cls(features, Rows(numbers[place].astype(np.int64), copies.astype(np.int64)))


def _codes(column: Column) -> np.ndarray:
    """Return a number for every value, missing ones included."""
    if column.kind is Kind.NUMERIC:
        return np.unique(column.values, return_inverse=True)[1]
    return column.values
