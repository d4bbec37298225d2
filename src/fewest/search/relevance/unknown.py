"""What to expect where a value is missing: the mean difference over the values that the row's class has there.

Kononenko (1994) gives the rule for names: the difference between a known
value v and a missing one is 1 - P(v | class), and between two missing ones it
is 1 - sum over v of P(v | class) P(v | other class). For numbers the same
expectation is taken over the known numbers of the class. A class without any
known value borrows those of all classes; without any at all nothing differs.
"""

from __future__ import annotations

import numpy as np


class UnknownNumbers:
    """Expected differences of one column of numbers, by class.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        NaN where missing.
    weights : ndarray of shape (n_rows,)
    starts : ndarray of shape (n_classes + 1,)
        Where each class begins.
    """

    def __init__(self, values: np.ndarray, weights: np.ndarray, starts: np.ndarray):
        everyone = slice(0, len(values))
        self._known = []
        self._of_two: dict[tuple[int, int, bool], float] = {}
        for c in range(len(starts) - 1):
            known = _sorted_known(values, weights, slice(starts[c], starts[c + 1]))
            self._known.append(known if known[1][-1] > 0 else _sorted_known(values, weights, everyone))
        self.means = np.array([_ratio(moments[-1], loads[-1]) for _, loads, moments in self._known])
        self.variances = np.array([self._variance(c) for c in range(len(self._known))])

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


def _sorted_known(values, weights, rows) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the known values in order, and running sums of their weights and of weight times value."""
    values, weights = values[rows], weights[rows]
    known = np.flatnonzero(~np.isnan(values))
    order = known[np.argsort(values[known], kind="stable")]
    values, weights = values[order].astype(np.float64), weights[order]
    return values, np.append(0.0, np.cumsum(weights)), np.append(0.0, np.cumsum(weights * values))


class UnknownNames:
    """Expected differences of one column of names, by class.

    A missing name of class c is treated as one more name, number
    ``n_names + c``, so that ``expected[u, c]`` is the expected difference
    between u, known or missing, and a missing name of class c.
    """

    def __init__(self, codes: np.ndarray, weights: np.ndarray, class_of: np.ndarray, n_classes: int):
        known = ~np.isnan(codes)
        self.n_names = int(codes[known].max(initial=-1)) + 1
        counts = np.zeros((n_classes, self.n_names))
        np.add.at(counts, (class_of[known], codes[known].astype(np.intp)), weights[known])
        totals = counts.sum(axis=1, keepdims=True)
        shares = np.where(
            totals > 0, counts / np.where(totals > 0, totals, 1), _ratio(counts.sum(axis=0), totals.sum())
        )
        self.expected = np.vstack([1 - shares.T, 1 - shares @ shares.T])
        if not known.any():
            self.expected[:] = 0

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
