"""Weighted-Greedy: credit a feature the more, the fewer others cover a conflict.

Almuallim and Dietterich (1994), section 6.3: the closest of the greedy
methods to the exact ones. All conflicts not yet covered are weighed at every
step, in blocks; those covered are left out with their groups.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

import numpy as np

from fewest.budget import Budget
from fewest.cover.coverage import RowPartition
from fewest.cover.examples import Answer
from fewest.cover.greedy import Greedy, SplittingGreedy
from fewest.cover.kernels.conflicts import Agreement, agreement, weighted_scores, weighted_scores_of_pairs
from fewest.cover.kernels.differences import separated
from fewest.cover.sample import Sample

# Pairs of groups with fewer rows than this are listed; in larger ones matrix products do the work.
SMALL_GROUP = 48
# Values compared at a time for listed pairs.
BLOCK_VALUES = 1 << 23
# Steps with more multiplications than this are made in single precision first, which takes half the time ...
SINGLE_PRECISION_FROM = 2e9
# ... and leaves scores that are closer than this, relatively to all weights, to double precision.
TOO_CLOSE = 1e-5


def weighted_greedy(sample: Sample, budget: Budget | None = None) -> Answer:
    """Add the feature with the most credit for conflicts that few other features cover.

    A feature that alone covers a conflict has infinite credit and is taken at
    once. The score of a step is the credit.
    """
    search = _WeighingConflicts if sample.is_pairwise else _WeighingGroups
    return search(sample, budget or Budget()).run()


class _Weighing(Greedy):
    """Takes sole coverers at once: a feature that alone covers a conflict does so whatever else is chosen."""

    wants_most = True
    rounding = 1e-12
    forced: np.ndarray | None = None  # the sole coverers that are not chosen yet, once they are known

    def scores(self) -> np.ndarray:
        if self.forced is None or not len(self.forced):
            scores = self.weighed()
            self.forced = np.flatnonzero(np.isinf(scores))
        else:
            scores = np.zeros(self.sample.n_features)
            scores[self.forced] = np.inf
        self.forced = self.forced[1:]  # the first is the one that is going to be chosen
        return scores

    @abstractmethod
    def weighed(self) -> np.ndarray:
        """Sum the weights of the uncovered conflicts of every feature."""


class _WeighingConflicts(_Weighing):
    """Weighs the distinct conflicts, each as often as it occurs, where rows fall into no groups."""

    def __init__(self, sample: Sample, budget: Budget):
        super().__init__(sample, budget)
        self.left = sample.conflict_coverage(budget)

    def is_done(self) -> bool:
        return self.left.n_uncovered <= self.sample.max_uncovered

    def choose(self, feature: int) -> None:
        self.left = self.left.extended(feature)

    def weighed(self) -> np.ndarray:
        return weighted_scores_of_pairs(self.left.covers, self.left.multiplicity)

    def status(self) -> str:
        return f"{len(self.history)} features chosen, {len(self.left.left):,} conflicts still to be covered"


class _WeighingGroups(_Weighing, SplittingGreedy):
    """Weighs the pairs of rows inside each group that agrees on the chosen features."""

    left: RowPartition

    def __init__(self, sample: Sample, budget: Budget):
        super().__init__(sample, budget)
        self.left = sample.partition()
        self.codes = sample.codes
        self.by_row = np.ascontiguousarray(sample.codes)
        self._layouts: dict[type, Agreement] = {}

    def weighed(self) -> np.ndarray:
        groups = self.left.groups
        in_large = np.bincount(groups, minlength=1)[groups] >= SMALL_GROUP
        scores = self._of_listed_pairs(~in_large)
        if not in_large.any():
            return scores
        large = _split(np.flatnonzero(in_large), groups[in_large])
        n_columns = self._layout(np.float32).columns.shape[1]
        if sum(len(group) ** 2 for group in large) * n_columns < SINGLE_PRECISION_FROM:
            return scores + self._of_large(large, np.float64)[0]
        rough, total = self._of_large(large, np.float32)
        rough += scores
        if np.isinf(rough).any() or np.count_nonzero(rough > rough.max() - TOO_CLOSE * total) == 1:
            return rough
        return scores + self._of_large(large, np.float64)[0]

    def _layout(self, dtype: type) -> Agreement:
        if dtype not in self._layouts:
            self._layouts[dtype] = agreement(self.codes, dtype)
        return self._layouts[dtype]

    def _of_large(self, groups: list[np.ndarray], dtype: type) -> tuple[np.ndarray, float]:
        """Return the scores of all features, and the sum of all weights."""
        scores, total = np.zeros(self.sample.n_features), 0.0
        for members in groups:
            rows = self._layout(dtype).take(self.left.rows[members])
            found, weight = weighted_scores(rows, self.left.classes[members], self._look)
            scores += found
            total += weight
        return scores, total

    def _look(self) -> None:
        """Look at the clock, within a step that may take minutes."""
        self.budget.check(self.status)

    def _of_listed_pairs(self, chosen: np.ndarray) -> np.ndarray:
        rows, groups, classes = (array[chosen] for array in (self.left.rows, self.left.groups, self.left.classes))
        scores = np.zeros(self.sample.n_features)
        step = max(1, BLOCK_VALUES // max(1, self.sample.n_features))
        for i, j in _pairs_in_groups(groups, classes):
            for first in range(0, len(i), step):
                self._look()
                a, b = rows[i[first : first + step]], rows[j[first : first + step]]
                scores += weighted_scores_of_pairs(separated(self.by_row[a], self.by_row[b]))
        return scores


def _split(rows: np.ndarray, groups: np.ndarray) -> list[np.ndarray]:
    """Return the rows of each group."""
    order = np.argsort(groups, kind="stable")
    return np.split(rows[order], np.flatnonzero(np.diff(groups[order])) + 1)


def _pairs_in_groups(groups: np.ndarray, classes: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield all pairs of different class that share a group: adjacent rows, then those one apart, and so on."""
    order = np.argsort(groups, kind="stable")
    groups, classes = groups[order], classes[order]
    for distance in range(1, len(order)):
        together = groups[distance:] == groups[:-distance]
        if not together.any():
            return
        found = np.flatnonzero(together & (classes[distance:] != classes[:-distance]))
        yield order[found], order[found + distance]
