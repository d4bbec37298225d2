"""Relevance by chance: what every feature scores by permuted targets, summed beside what it scores by the target.

With unequal classes the nearest rows of the rarer one are farther away in every feature alike, so that irrelevant
features score above 0. Permuted targets have classes as unequal, and scores as far above. Distances do not depend on
the target, so that they serve all permutations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fewest.relief.kernels.layout import Measured, Neighbors, Permuted, Rows, Rule, Sampled
from fewest.relief.options import RelevanceOptions
from fewest.relief.rows import BATCH_DIFFERENCES
from fewest.relief.space import Candidates, Space

# Sets the seeds of permutations apart from those of sampled rows.
PERMUTING = 1 << 20


class Part(NamedTuple):
    """What some sampled rows add: the mean differences of `RegressionSums`; for classes, updates alone."""

    updates: np.ndarray  # (permutations, features)
    features: np.ndarray  # (features,)
    target: np.ndarray  # (permutations,)


@dataclass
class ChanceSums:
    """Sums over sampled rows of what features score by permuted targets."""

    weight: float
    updates: np.ndarray
    features: np.ndarray
    target: np.ndarray

    @classmethod
    def of_nothing(cls, n_permutations: int, n_features: int) -> ChanceSums:
        """Return sums over no row."""
        return cls(0.0, np.zeros((n_permutations, n_features)), np.zeros(n_features), np.zeros(n_permutations))

    def add(self, weights: np.ndarray, part: Part) -> None:
        """Add sampled rows of these weights."""
        self.weight += float(weights.sum())
        self.updates += part.updates
        self.features += part.features
        self.target += part.target

    def scores(self, is_regression: bool) -> np.ndarray:
        """Return the relevance of every feature to every permuted target."""
        if not self.weight:
            return self.updates.copy()
        a = self.updates / self.weight
        if not is_regression:
            return a
        b, c = self.features / self.weight, (self.target / self.weight)[:, None]
        rest = 1 - c
        similar = np.divide(b - a, rest, out=np.zeros_like(a), where=rest > 0)
        return np.clip(np.divide(a, c, out=np.zeros_like(a), where=c > 0) - similar, -1, 1)


def permutations(n_rows: int, n_permutations: int) -> Iterator[np.ndarray]:
    """Yield the orders in which the target is permuted: always the same, so that the same data has the same answer."""
    for number in range(n_permutations):
        yield np.random.default_rng([PERMUTING, number]).permutation(n_rows)


class PermutedClasses:
    """Neighbors by permuted classes, and how they differ."""

    def __init__(self, candidates: Candidates, factors: np.ndarray, options: RelevanceOptions):
        self._space, self._is_squared = candidates.space, options.is_squared
        rows, n_rows = candidates.rows, candidates.space.n_rows
        orders = permutations(n_rows, options.n_permutations)
        labels = np.stack([rows.class_of[order] for order in orders])
        sizes = np.diff(rows.starts)
        k = options.n_neighbors
        # So many rows have k of a class in nearly all permutations: that number's mean, and twice its deviation.
        most = (k + 2 * np.sqrt(k) + 2) * n_rows / (sizes.min() if not options.pools_misses or len(sizes) == 2 else k)
        self._permuted = Permuted(labels, factors, sizes, int(min(most, n_rows)))

    def part(self, measured: Measured, sampled: Sampled, weights: np.ndarray, rows: Rows, rule: Rule) -> Part:
        """Sum the updates of some sampled rows."""
        space, (n_permutations, _) = self._space, self._permuted.labels.shape
        single, at, total = weights.astype(np.float32), 0, np.float64(0)
        while at < len(sampled.rows):
            step = slice(at, at + self._at_a_time)
            some = Sampled(sampled.rows[step], sampled.seeds[step])
            found, n_done = space.permuted_nearest(measured.part(step), some, rows, rule, self._permuted)
            found = Neighbors(found.starts[: n_done * n_permutations + 1], found.rows, found.weights)
            updates = space.differences(np.repeat(some.rows[:n_done], n_permutations), found, self._is_squared)
            total = total + single[at : at + n_done] @ updates.reshape(n_done, -1)
            at += n_done
        sums = np.asarray(total, dtype=np.float64).reshape(n_permutations, -1)
        return Part(sums, np.zeros(sums.shape[1]), np.zeros(n_permutations))

    @property
    def _at_a_time(self) -> int:
        return max(1, BATCH_DIFFERENCES // (len(self._permuted.labels) * max(1, self._space.n_features)))


class PermutedTarget:
    """A regression target permuted: the neighbors stay, and what differs between them."""

    def __init__(self, candidates: Candidates, options: RelevanceOptions):
        self._space: Space = candidates.space
        self._is_squared = options.is_squared
        orders = permutations(candidates.space.n_rows, options.n_permutations)
        self._targets = np.stack([candidates.target[order] for order in orders])

    def part(self, sampled: Sampled, weights: np.ndarray, found: Neighbors, differences: np.ndarray) -> Part:
        """Sum the differences of some sampled rows, given their neighbors and how the features differ from these."""
        n_found = int(found.starts[-1])
        which = np.repeat(np.arange(len(sampled.rows)), np.diff(found.starts))
        own, others, shares = sampled.rows[which], found.rows[:n_found], found.weights[:n_found]
        updates, target = [], []
        for permuted in self._targets:
            apart = (shares * np.abs(permuted[own] - permuted[others])).astype(np.float32)
            joint = Neighbors(found.starts, others, apart)
            updates.append(weights @ self._space.differences(sampled.rows, joint, self._is_squared))
            target.append(float(weights[which] @ apart))
        return Part(np.array(updates), weights @ differences, np.array(target))
