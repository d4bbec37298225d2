"""Missing values: the difference to be expected, over the values that all rows, or those of the same class, have there.

Kononenko (1994) gives the rule for nominal features: the difference between a known value v and a missing one is
1 - P(v | class), and between two missing ones it is 1 - sum over v of P(v | class) P(v | other class). For numeric
features the same expectation is taken over the known values of the class. A class without any known value borrows those
of all classes; without any at all nothing differs. By default all rows are one class here, so that distances do not
depend on the target; but where being missing goes with the class, that is a difference of its own. Here is what to
expect; `embedding` fills it in where rows are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise
from typing import NamedTuple

import numpy as np

# That chance alone makes any column look as if its being missing went with the class has at most this probability.
TELLING_LEVEL = 0.001


class KnownValues(NamedTuple):
    """The distinct values of a numeric feature in a class, ascending, and the weight of the rows that have each."""

    values: np.ndarray
    weights: np.ndarray

    @classmethod
    def from_rows(cls, values: np.ndarray, weights: np.ndarray) -> KnownValues:
        """Add up the weights of equal values; NaN is missing."""
        present = ~np.isnan(values)
        distinct, position = np.unique(values[present], return_inverse=True)
        return cls(distinct, np.bincount(position, weights[present], len(distinct)))

    def joined(self, other: KnownValues) -> KnownValues:
        """Merge the values of two sets of rows."""
        values, weights = (np.concatenate(pair) for pair in zip(self, other, strict=True))
        return KnownValues.from_rows(values, weights)


class MissingNumeric:
    """Expected differences of one numeric column with missing values, by class.

    Parameters
    ----------
    known : sequence of KnownValues
        The values of each class.
    """

    def __init__(self, known: Sequence[KnownValues]):
        if not all(len(of_class.values) for of_class in known):
            everyone = reduce(KnownValues.joined, known)
            known = [of_class if len(of_class.values) else everyone for of_class in known]
        self._known = [_running(of_class) for of_class in known]
        self._of_two: dict[tuple[int, int, bool], float] = {}
        self.means = np.array([_ratio(moments[-1], weights[-1]) for _, weights, moments in self._known])
        self.variances = np.array([self._variance(c) for c in range(len(self._known))])

    @classmethod
    def from_rows(cls, values: np.ndarray, weights: np.ndarray, starts: np.ndarray) -> MissingNumeric:
        """Count the values of each class, whose rows begin at ``starts``."""
        ranges = [slice(start, stop) for start, stop in pairwise(starts)]
        return cls([KnownValues.from_rows(values[rows], weights[rows]) for rows in ranges])

    def expected(self, values: np.ndarray, c: int, is_squared: bool) -> np.ndarray:
        """Return the expected difference between values and a missing one of class ``c``."""
        known, weights, moments = self._known[c]
        if weights[-1] == 0:
            return np.zeros(len(values))
        if is_squared:
            return (values - self.means[c]) ** 2 + self.variances[c]
        at = np.searchsorted(known, values)
        below = values * weights[at] - moments[at]
        above = (moments[-1] - moments[at]) - values * (weights[-1] - weights[at])
        return (below + above) / weights[-1]

    def lacking(self, values: np.ndarray, c: int) -> np.ndarray:
        """Return by how much the expected difference from a missing value of class ``c`` exceeds that from its mean."""
        values = values.astype(np.float64)
        return self.expected(values, c, False) - np.abs(values - self.means[c])

    def expected_of_two(self, c: int, d: int, is_squared: bool) -> float:
        """Return the expected difference between missing values of the classes ``c`` and ``d``."""
        if (c, d, is_squared) not in self._of_two:
            values, weights, _ = self._known[d]
            total = (np.diff(weights) * self.expected(values, c, is_squared)).sum()
            self._of_two[c, d, is_squared] = float(_ratio(total, weights[-1]))
        return self._of_two[c, d, is_squared]

    def _variance(self, c: int) -> float:
        values, weights, _ = self._known[c]
        return float(_ratio((np.diff(weights) * (values - self.means[c]) ** 2).sum(), weights[-1]))


def _running(known: KnownValues) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the values, and running sums of their weights and of weight times value."""
    values = known.values.astype(np.float64)
    return values, np.append(0.0, np.cumsum(known.weights)), np.append(0.0, np.cumsum(known.weights * values))


class MissingNominal:
    """Expected differences of one nominal column with missing values, by class.

    A missing value of class c is treated as one more category, with the code ``n_categories + c``, so that
    ``expected[u, c]`` is the expected difference between u, known or missing, and a missing value of class c.

    Parameters
    ----------
    counts : ndarray of shape (n_classes, n_categories)
        The weight of the rows by class and category.
    """

    def __init__(self, counts: np.ndarray):
        self.n_categories = counts.shape[1]
        totals = counts.sum(axis=1, keepdims=True)
        shares = np.where(
            totals > 0, counts / np.where(totals > 0, totals, 1), _ratio(counts.sum(axis=0), totals.sum())
        )
        self.expected = np.vstack([1 - shares.T, 1 - shares @ shares.T])
        if not self.n_categories:
            self.expected[:] = 0

    @classmethod
    def from_rows(cls, codes: np.ndarray, weights: np.ndarray, class_of: np.ndarray, n_classes: int) -> MissingNominal:
        """Count the categories of rows by class; NaN is missing."""
        known = ~np.isnan(codes)
        counts = np.zeros((n_classes, int(codes[known].max(initial=-1)) + 1))
        np.add.at(counts, (class_of[known], codes[known].astype(np.intp)), weights[known])
        return cls(counts)

    def coded(self, codes: np.ndarray, class_of: np.ndarray) -> np.ndarray:
        """Return codes with those of missing values in place of NaN."""
        return np.where(np.isnan(codes), self.n_categories + class_of, codes).astype(np.intp)

    def against_all(self, own: np.ndarray) -> np.ndarray:
        """Return the differences between some codes and every code: len(own) x (categories, then missing ones)."""
        differences = np.empty((len(own), len(self.expected)), dtype=np.float32)
        differences[:, : self.n_categories] = own[:, None] != np.arange(self.n_categories)
        differences[:, self.n_categories :] = self.expected[own]
        missing = np.flatnonzero(own >= self.n_categories)
        differences[missing, : self.n_categories] = self.expected[
            : self.n_categories, own[missing] - self.n_categories
        ].T
        return differences

    def between(self, own: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return the differences between codes and other codes, pair by pair."""
        differences = (own != others).astype(np.float64)
        for one, other in ((own, others), (others, own)):
            missing = other >= self.n_categories
            differences[missing] = self.expected[one[missing], other[missing] - self.n_categories]
        return differences


def _ratio(part, whole):
    return part / whole if whole else part * 0.0


@dataclass(frozen=True)
class Expectations:
    """What takes the place of missing values in every column, learned from all rows.

    Parameters
    ----------
    n_numeric : int
        How many columns are numeric: these come first, then the nominal ones.
    n_categories : dict of int to int
        How many categories each nominal column has.
    numeric : dict of int to MissingNumeric
    nominal : dict of int to MissingNominal
        What to expect in the columns with missing values.
    telling : frozenset of int
        The columns whose being missing goes with the class. What is missing there differs by 1 from what is not.
    """

    n_numeric: int
    n_categories: dict[int, int]
    numeric: dict[int, MissingNumeric]
    nominal: dict[int, MissingNominal]
    telling: frozenset[int] = frozenset()

    @classmethod
    def from_rows(
        cls, values: np.ndarray, n_numeric: int, gaps: list[int], weights: np.ndarray, starts: np.ndarray
    ) -> Expectations:
        """Learn from all rows, sorted by class; ``gaps`` are the columns with missing values."""
        n_classes = len(starts) - 1
        class_of = np.repeat(np.arange(n_classes), np.diff(starts))
        return cls(
            n_numeric,
            {f: int(np.fmax.reduce(values[:, f], initial=-1)) + 1 for f in range(n_numeric, values.shape[1])},
            {f: MissingNumeric.from_rows(values[:, f], weights, starts) for f in gaps if f < n_numeric},
            {f: MissingNominal.from_rows(values[:, f], weights, class_of, n_classes) for f in gaps if f >= n_numeric},
        )

    def with_telling(self, known: dict[int, np.ndarray], weights: np.ndarray, starts: np.ndarray) -> Expectations:
        """Return the same with the columns whose being missing goes with the class; ``known`` as `known_weights`."""
        return self.with_telling_of(known, np.add.reduceat(weights, starts[:-1]))

    def with_telling_of(self, known: dict[int, np.ndarray], totals: np.ndarray) -> Expectations:
        """Return the same, given the weight of every class."""
        level = TELLING_LEVEL / max(1, len(known))
        return replace(self, telling=frozenset(f for f, of_class in known.items() if tells(of_class, totals, level)))


def known_weights(
    values: np.ndarray, gaps: list[int], weights: np.ndarray, starts: np.ndarray
) -> dict[int, np.ndarray]:
    """Return the weight of the rows of each class that have a value, for the columns with missing values."""
    return {f: np.add.reduceat(np.where(np.isnan(values[:, f]), 0.0, weights), starts[:-1]) for f in gaps}


def tells(known: np.ndarray, totals: np.ndarray, level: float) -> bool:
    """Return whether the share of missing values differs between the classes, by Pearson's test at that level."""
    n_known, n_rows = known.sum(), totals.sum()
    if len(totals) < 2 or not 0 < n_known < n_rows:
        return False
    from scipy.special import chdtrc

    expected = totals * n_known / n_rows
    statistic = ((known - expected) ** 2 * (1 / expected + 1 / (totals - expected))).sum()
    return bool(chdtrc(len(totals) - 1, statistic) < level)
