"""Simple-Greedy and Mutual-Information-Greedy over blocks: every feature chosen costs a pass over the encoded rows.

The rows fall into groups by the features chosen so far. One pass counts them
by group, class, and value of every feature; the counts score all features and
are those of the next groups, too. Groups with nothing left to separate are
let go. That is known from the same counts: no feature has two values there.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fewest.kernels.bit_columns import count_ones, pack_truths
from fewest.kernels.entropy import quantum_for, size_times_entropy
from fewest.kernels.split_counts import mixed_pairs_of
from fewest.scale.block import Block
from fewest.scale.store import Blocks, blocks_of
from fewest.search.answer import Answer
from fewest.search.greedy import ENTROPY_TOLERANCE, Greedy
from fewest.search.streamed.sample import StreamedSample
from fewest.solvers.budget import Budget

# Counters that one pass may use.
MOST_COUNTERS = 1 << 24
# Groups times classes up to which columns of truths are counted by popcounts.
MOST_MASKS = 256


def streamed_greedy(method: str, sample: StreamedSample, budget: Budget) -> Answer:
    """Run ``"mig"`` or ``"sg"`` as `fewest.search.greedy` does."""
    return (_MutualInformation if method == "mig" else _Simple)(sample, budget).run()


class Level(NamedTuple):
    """What choosing a feature did: the group that each value of it leads to from each group."""

    feature: int
    table: np.ndarray  # (n_groups + 1, n_values); the last group takes the rows that were let go


class _Splitting(Greedy):
    """Scores a feature by the groups that it would make; rows let go count the same for all."""

    def __init__(self, sample: StreamedSample, budget: Budget):
        super().__init__(sample, budget)
        self.store = sample.store
        self.levels: tuple[Level, ...] = ()
        self.groups = sample.store.class_counts[None, :]  # rows by group and class
        self.settled = 0.0
        self.counts: list[np.ndarray] = []  # of every feature: rows by group, value and class

    @abstractmethod
    def measure(self, counts: np.ndarray) -> np.ndarray:
        """Score groups, given their rows by class along the last axis; scores add up."""

    def is_done(self) -> bool:
        """Count, let go of groups that need no more attention, and tell whether any is left."""
        assert len(self.history) <= self.store.n_features, "a row falls into no group of its own features"
        mixed = (self.groups > 0).sum(axis=1) > 1
        self._keep(mixed)
        if not len(self.groups):
            return True
        self.counts = self._counted()
        splits = [(counts.sum(axis=2) > 0).sum(axis=1) > 1 for counts in self.counts]
        separable = np.logical_or.reduce(splits) if splits else np.zeros(len(self.groups), dtype=bool)
        self.counts = [counts[separable] for counts in self.counts]
        self._keep(separable)
        return not len(self.groups)

    def _keep(self, wanted: np.ndarray) -> None:
        self.settled += float(self.measure(self.groups[~wanted]).sum())
        self.groups = self.groups[wanted]
        if self.levels:
            *above, last = self.levels
            number = np.append(np.where(wanted, np.cumsum(wanted) - 1, len(self.groups)), len(self.groups))
            self.levels = (*above, Level(last.feature, number[last.table]))
        elif not wanted.all():
            self.groups = self.groups[:0]

    def _counted(self) -> list[np.ndarray]:
        """Count the rows by group, value and class for every feature, in as many passes as memory asks for."""
        store = self.store
        n_classes = self.groups.shape[1]
        counts: list[np.ndarray] = []
        for features in self._parts([n * len(self.groups) * n_classes for n in store.n_values]):
            self.budget.check(self.status)
            n_values = [store.n_values[f] for f in features]
            found = store.engine.fold(
                count_splits, np.add, store.stacks, self.levels, features, n_values, len(self.groups), n_classes
            )
            ends = np.cumsum([n * len(self.groups) * n_classes for n in n_values])[:-1]
            shaped = zip(np.split(found, ends), n_values, strict=True)
            counts += [part.reshape(len(self.groups), n, n_classes) for part, n in shaped]
        return counts

    @staticmethod
    def _parts(sizes: Sequence[int]) -> list[list[int]]:
        parts: list[list[int]] = []
        used = MOST_COUNTERS
        for f, size in enumerate(sizes):
            if used + size > MOST_COUNTERS:
                parts.append([])
                used = 0
            parts[-1].append(f)
            used += size
        return parts

    def scores(self) -> np.ndarray:
        return np.array([self.measure(counts).sum() for counts in self.counts]) + self.settled

    def choose(self, feature: int) -> None:
        """Split the groups."""
        counts = self.counts[feature]
        present = counts.sum(axis=2) > 0
        n_groups = int(present.sum())
        table = np.full((len(counts) + 1, counts.shape[1]), n_groups, dtype=np.int64)
        table[:-1][present] = np.arange(n_groups)
        self.levels = (*self.levels, Level(feature, table))
        self.groups = counts[present]

    def status(self) -> str:
        """Say how many rows are left."""
        return f"{len(self.history)} features chosen, {int(self.groups.sum()):,} rows still to be separated"


class _MutualInformation(_Splitting):
    rounding = ENTROPY_TOLERANCE

    def measure(self, counts: np.ndarray) -> np.ndarray:
        return size_times_entropy(counts, quantum_for(self.sample.n_rows))

    def scores(self) -> np.ndarray:
        return super().scores() / self.sample.n_rows


class _Simple(_Splitting):
    def measure(self, counts: np.ndarray) -> np.ndarray:
        return mixed_pairs_of(counts)


# ---------------------------------------------------------------------- work over stacks


def count_splits(
    stack: Blocks,
    levels: Sequence[Level],
    features: Sequence[int],
    n_values: Sequence[int],
    n_groups: int,
    n_classes: int,
) -> np.ndarray:
    """Count the rows by group, value and class for each of some features; return the counts one after the other."""
    starts = np.concatenate([[0], np.cumsum([n * n_groups * n_classes for n in n_values])])
    counts = np.zeros(int(starts[-1]), dtype=np.int64)
    for block in blocks_of(stack, [*{*features, *(level.feature for level in levels)}]):
        groups = groups_of(block, levels)
        cells = groups * n_classes + block.classes
        kept = np.flatnonzero(groups < n_groups) if len(levels) else None
        truths = [k for k, f in enumerate(features) if len(block.planes[f]) == 1]
        if n_groups * n_classes > MOST_MASKS:
            truths = []
        if truths:
            columns = [(features[k], n_values[k], int(starts[k])) for k in truths]
            _count_truths(block, cells, columns, n_groups, n_classes, counts)
        for k in sorted(set(range(len(features))) - set(truths)):
            codes = block.codes(features[k])
            of_rows, of_groups = (codes, cells) if kept is None else (codes[kept], cells[kept])
            keys = (of_groups // n_classes * n_values[k] + of_rows) * n_classes + of_groups % n_classes
            counts[starts[k] : starts[k + 1]] += np.bincount(keys, minlength=n_values[k] * n_groups * n_classes)
    return counts


def _count_truths(
    block: Block,
    cells: np.ndarray,
    columns: Sequence[tuple[int, int, int]],
    n_groups: int,
    n_classes: int,
    counts: np.ndarray,
) -> None:
    """Count columns of one plane, given as (feature, number of values, place among the counts), by popcounts."""
    sizes = np.bincount(cells, minlength=n_groups * n_classes)[: n_groups * n_classes]
    used = np.flatnonzero(sizes)
    if not len(used):
        return
    masks = np.stack([pack_truths(cells == cell) for cell in used])
    ones = count_ones(np.stack([block.planes[f][0] for f, _, _ in columns]), masks)
    group, label = used // n_classes, used % n_classes
    n_values, start = (np.array([column[k] for column in columns])[:, None] for k in (1, 2))
    zeros = start + group * n_values * n_classes + label
    counts[zeros] += sizes[used] - ones
    split = np.flatnonzero(n_values[:, 0] > 1)
    counts[zeros[split] + n_classes] += ones[split]


def groups_of(block: Block, levels: Sequence[Level]) -> np.ndarray:
    """Return the group that every row has come to; the number after the last for those let go."""
    groups = np.zeros(block.n_rows, dtype=np.int64)
    for level in levels:
        groups = level.table[groups, block.codes(level.feature)]
    return groups
