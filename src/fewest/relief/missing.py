"""What to expect where a value is missing: the mean difference over the values that the row's class has there.

Kononenko (1994) gives the rule for names: the difference between a known
value v and a missing one is 1 - P(v | class), and between two missing ones it
is 1 - sum over v of P(v | class) P(v | other class). For numbers the same
expectation is taken over the known numbers of the class. A class without any
known value borrows those of all classes; without any at all nothing differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import pairwise
from typing import NamedTuple

import numpy as np


class Known(NamedTuple):
    """The distinct numbers that are known in a class, ascending, and the weight of the rows that have each."""

    values: np.ndarray
    weights: np.ndarray

    @classmethod
    def from_rows(cls, values: np.ndarray, weights: np.ndarray) -> Known:
        """Add up the weights of equal numbers; NaN is unknown."""
        present = ~np.isnan(values)
        distinct, place = np.unique(values[present], return_inverse=True)
        return cls(distinct, np.bincount(place, weights[present], len(distinct)))

    def joined(self, other: Known) -> Known:
        """Return what is known in both together."""
        values, weights = (np.concatenate(pair) for pair in zip(self, other, strict=True))
        return Known.from_rows(values, weights)


class UnknownNumbers:
    """Expected differences of one column of numbers, by class.

    Parameters
    ----------
    known : sequence of Known
        What each class has.
    """

    def __init__(self, known: Sequence[Known]):
        if not all(len(of_class.values) for of_class in known):
            everyone = reduce(Known.joined, known)
            known = [of_class if len(of_class.values) else everyone for of_class in known]
        self._known = [_running(of_class) for of_class in known]
        self._of_two: dict[tuple[int, int, bool], float] = {}
        self.means = np.array([_ratio(moments[-1], loads[-1]) for _, loads, moments in self._known])
        self.variances = np.array([self._variance(c) for c in range(len(self._known))])

    @classmethod
    def from_rows(cls, values: np.ndarray, weights: np.ndarray, starts: np.ndarray) -> UnknownNumbers:
        """Look at the rows of each class; ``starts`` says where they begin."""
        ranges = [slice(start, stop) for start, stop in pairwise(starts)]
        return cls([Known.from_rows(values[rows], weights[rows]) for rows in ranges])

    def expected(self, numbers: np.ndarray, c: int, is_squared: bool) -> np.ndarray:
        """Return the expected difference between numbers and a missing one of class ``c``."""
        values, loads, moments = self._known[c]
        if loads[-1] == 0:
            return np.zeros(len(numbers))
        if is_squared:
            return (numbers - self.means[c]) ** 2 + self.variances[c]
        at = np.searchsorted(values, numbers)
        below = numbers * loads[at] - moments[at]
        above = (moments[-1] - moments[at]) - numbers * (loads[-1] - loads[at])
        return (below + above) / loads[-1]

    def expected_of_two(self, c: int, d: int, is_squared: bool) -> float:
        """Return the expected difference between missing numbers of the classes ``c`` and ``d``."""
        if (c, d, is_squared) not in self._of_two:
            values, loads, _ = self._known[d]
            total = (np.diff(loads) * self.expected(values, c, is_squared)).sum()
            self._of_two[c, d, is_squared] = float(_ratio(total, loads[-1]))
        return self._of_two[c, d, is_squared]

    def _variance(self, c: int) -> float:
        values, loads, _ = self._known[c]
        return float(_ratio((np.diff(loads) * (values - self.means[c]) ** 2).sum(), loads[-1]))


def _running(known: Known) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the values, and running sums of their weights and of weight times value."""
    values = known.values.astype(np.float64)
    return values, np.append(0.0, np.cumsum(known.weights)), np.append(0.0, np.cumsum(known.weights * values))


class UnknownNames:
    """Expected differences of one column of names, by class.

    A missing name of class c is treated as one more name, number
    ``n_names + c``, so that ``expected[u, c]`` is the expected difference
    between u, known or missing, and a missing name of class c.

    Parameters
    ----------
    counts : ndarray of shape (n_classes, n_names)
        The weight of the rows by class and name.
    """

    def __init__(self, counts: np.ndarray):
        self.n_names = counts.shape[1]
        totals = counts.sum(axis=1, keepdims=True)
        shares = np.where(
            totals > 0, counts / np.where(totals > 0, totals, 1), _ratio(counts.sum(axis=0), totals.sum())
        )
        self.expected = np.vstack([1 - shares.T, 1 - shares @ shares.T])
        if not self.n_names:
            self.expected[:] = 0

    @classmethod
    def from_rows(cls, codes: np.ndarray, weights: np.ndarray, class_of: np.ndarray, n_classes: int) -> UnknownNames:
        """Count the names of rows; NaN is unknown."""
        known = ~np.isnan(codes)
        counts = np.zeros((n_classes, int(codes[known].max(initial=-1)) + 1))
        np.add.at(counts, (class_of[known], codes[known].astype(np.intp)), weights[known])
        return cls(counts)

    def numbered(self, codes: np.ndarray, class_of: np.ndarray) -> np.ndarray:
        """Return the names' numbers, missing ones included."""
        return np.where(np.isnan(codes), self.n_names + class_of, codes).astype(np.intp)

    def against_all(self, own: np.ndarray) -> np.ndarray:
        """Return the differences between some names and every name: len(own) x (names and missing ones)."""
        differences = np.empty((len(own), len(self.expected)), dtype=np.float32)
        differences[:, : self.n_names] = own[:, None] != np.arange(self.n_names)
        differences[:, self.n_names :] = self.expected[own]
        missing = np.flatnonzero(own >= self.n_names)
        differences[missing, : self.n_names] = self.expected[: self.n_names, own[missing] - self.n_names].T
        return differences

    def between(self, own: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return the differences between names and other names, pair by pair."""
        differences = (own != others).astype(np.float64)
        for known, unknown in ((own, others), (others, own)):
            missing = unknown >= self.n_names
            differences[missing] = self.expected[known[missing], unknown[missing] - self.n_names]
        return differences


def _ratio(part, whole):
    return part / whole if whole else part * 0.0
