"""What a description of classes is made of: features as priced columns of codes, and the shortest one that was found.

A description has two parts, as every minimum description length has: the subset is named, and then the classes of the
rows are listed, cell by cell, each cell learning its classes as it goes on (`fewest.cover.kernels.description`). Two to
the minus length is the probability of subset and classes together, so that the shortest description is the subset of
most evidence, and differences of lengths are logarithms of Bayes factors.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fewest.cover.kernels.description import UNIT
from fewest.cover.options import CELLS

Columns = tuple[int, ...]
"""A subset, as ascending positions of columns; a feature may have several columns, of which a subset has one."""

INFINITE = 1 << 62
"""The length, in units, of what cannot be described."""


@dataclass(frozen=True, eq=False)
class Coded:
    """Features as columns of codes, each with what it costs to name.

    Attributes
    ----------
    columns : ndarray of shape (n_columns, n_rows)
        Codes from 0. Every column has two values or more.
    features : ndarray of shape (n_columns,)
        The feature that each column stands for: a numeric feature has a column for every way that it is cut.
    prices : ndarray of shape (n_columns,)
        Bits, in units, for the feature (its cost) and for its cuts.
    n_candidates : int
        The number of features that subsets are chosen from, beside those included.
    include : tuple of int
        Features that are in every subset.
    is_fixed : bool
        Whether these are all columns there can be: no feature can be cut otherwise.
    """

    columns: np.ndarray
    features: np.ndarray
    prices: np.ndarray
    n_candidates: int
    include: tuple[int, ...] = ()
    is_fixed: bool = True

    @cached_property
    def names(self) -> np.ndarray:
        """Return the bits, in units, that say which features a subset has beside those included, by their number."""
        n = self.n_candidates
        factorial = np.concatenate([[0.0], np.cumsum(np.log2(np.arange(1, n + 1)))])
        ways = factorial[n] - factorial - factorial[::-1]
        return np.rint(ways * UNIT).astype(np.int64)

    def price(self, subset: Columns) -> int:
        """Return the bits, in units, that naming a subset takes."""
        return int(self.names[len(subset) - len(self.include)]) + self.spent(subset)

    def spent(self, subset: Columns) -> int:
        """Return what the features of a subset and their cuts cost, beside the choice among all features."""
        return int(self.prices[list(subset)].sum())

    @cached_property
    def covers_all(self) -> bool:
        """Return whether the columns are all that subsets can be made of, each feature with one."""
        return self.is_fixed and len(np.unique(self.features)) == len(self.features)

    @cached_property
    def _cheapest(self) -> np.ndarray:
        """Return the least that k features cost beside the included ones, by k."""
        free = [f for f in np.unique(self.features).tolist() if f not in self.include]
        least = np.sort([int(self.prices[self.features == f].min()) for f in free])
        return np.concatenate([[0], np.cumsum(least, dtype=np.int64)])[: len(self.names)]

    def least_price(self, n_chosen: int, spent: int, n_more: int = 1) -> int:
        """Return the least price of a subset of more features than ``n_chosen``, which cost ``spent``, by so many."""
        first = n_chosen + n_more
        last = min(len(self._cheapest), len(self.names))
        if first >= last:
            return INFINITE
        return spent + int((self.names[first:last] + self._cheapest[n_more : n_more + last - first]).min())


@dataclass(frozen=True)
class Near:
    """A subset near the shortest description: its features, its length in bits, its probability among all seen, how."""

    subset: tuple[int, ...]
    length: float
    probability: float
    model: str = CELLS


@dataclass(frozen=True, eq=False)
class Description:
    """The subset with the shortest description that was found, and what is known about it.

    Attributes
    ----------
    subset : tuple of int
        The features, ascending.
    length, lower_bound : float
        The bits of its description, and of no other fewer than this.
    is_optimal : bool
    scores : ndarray of shape (n_features,)
        The bits that each feature saves, given the rest of the subset: the logarithm, to base 2, of a Bayes factor.
    alternatives : tuple of Near
        The subset and those near it, by probability.
    inclusion : ndarray of shape (n_features,)
        The probability that a feature is in the subset, over the same.
    history : tuple of dict
        One record for every improvement.
    n_subsets : int
        The subsets whose length was computed.
    columns : tuple of int
        The columns that stand for the features; none where the description is additive.
    stopped_by : str or None
    model : str
        Whether the classes are described by cells or by a sum. The bound is for descriptions by cells where these are
        the shortest, and for all where they are not.
    joint : tuple of tuples of int
        The features that a sum takes together, two by two.
    """

    subset: tuple[int, ...]
    length: float
    lower_bound: float
    is_optimal: bool
    scores: np.ndarray
    alternatives: tuple[Near, ...]
    inclusion: np.ndarray
    history: tuple[dict[str, Any], ...]
    n_subsets: int
    columns: Columns
    stopped_by: str | None = None
    model: str = CELLS
    joint: tuple[tuple[int, ...], ...] = ()

    @property
    def gap(self) -> float:
        """Return how much shorter, relatively, a better description could be."""
        return 0.0 if self.is_optimal else (self.length - self.lower_bound) / self.length


def with_column(subset: Columns, column: int) -> Columns:
    """Return a subset with one column more."""
    return tuple(sorted((*subset, column)))


def without_column(subset: Columns, column: int) -> Columns:
    """Return a subset without one of its columns."""
    return tuple(other for other in subset if other != column)
