"""Group the rows of blocks by the features chosen so far, and count what every further feature would do to the groups.

One pass over the blocks counts the rows by group, class and value of every
feature; these counts are those of the next groups, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from fewest.blocks.block import Block, Blocks, blocks_of
from fewest.blocks.store import Store
from fewest.cover.examples import Check, Measure
from fewest.cover.kernels.split_counts import mixed_pairs_of
from fewest.kernels.bit_planes import KERNELS, NANOSECONDS_PER_WORD, count_ones, pack_bits
from fewest.kernels.bits import n_words
from fewest.kernels.compile_or_not import Work

# Counters that one pass may use.
MOST_COUNTERS = 1 << 24
# Groups times classes up to which Boolean columns are counted by popcounts.
MOST_MASKS = 256


class Level(NamedTuple):
    """What choosing a feature did: the group that each value of it leads to from each group."""

    feature: int
    table: np.ndarray  # (n_groups + 1, n_values); the last group takes the rows that were left out


class Counters(NamedTuple):
    """What is counted in one pass: rows by group, value and class for each of some features, one after the other."""

    features: Sequence[int]
    n_values: Sequence[int]
    n_groups: int
    n_classes: int

    @property
    def n_cells(self) -> int:
        """Count the groups times the classes."""
        return self.n_groups * self.n_classes

    @property
    def starts(self) -> np.ndarray:
        """Return where the counters of each feature start, and where the last end."""
        return np.concatenate([[0], np.cumsum(np.array(self.n_values, dtype=np.int64) * self.n_cells)])


@dataclass(frozen=True, eq=False)
class Split:
    """Groups of rows that agree on the chosen features; some are left out, and their rows not looked at again.

    Parameters
    ----------
    store : Store
    levels : tuple of Level
    groups : ndarray of shape (n_groups, n_classes)
        The rows by group and class.
    work : Work
        That of all passes of a search, which decides whether compiled code counts.
    """

    store: Store
    levels: tuple[Level, ...]
    groups: np.ndarray
    work: Work = field(default_factory=partial(Work, KERNELS))

    @classmethod
    def of_all(cls, store: Store) -> Split:
        """Return all rows in one group."""
        return cls(store, (), store.class_counts[None, :])

    def keeping(self, wanted: np.ndarray) -> Split:
        """Leave out the other groups."""
        groups = self.groups[wanted]
        if self.levels:
            *above, last = self.levels
            number = np.append(np.where(wanted, np.cumsum(wanted) - 1, len(groups)), len(groups))
            return replace(self, levels=(*above, Level(last.feature, number[last.table])), groups=groups)
        return replace(self, groups=groups if wanted.all() else groups[:0])

    def mixed(self) -> Split:
        """Leave out the groups of one class."""
        return self.keeping(np.count_nonzero(self.groups, axis=1) > 1)

    def chosen(self, feature: int, counts: np.ndarray) -> Split:
        """Split the groups by one more feature, given what `counted` found for it."""
        present = counts.sum(axis=2) > 0
        n_groups = int(present.sum())
        table = np.full((len(counts) + 1, counts.shape[1]), n_groups, dtype=np.int64)
        table[:-1][present] = np.arange(n_groups)
        return replace(self, levels=(*self.levels, Level(feature, table)), groups=counts[present])

    def counted(self, check: Check) -> list[np.ndarray]:
        """Count the rows by group, value and class for every feature, in as many passes as memory asks for."""
        store, n_groups, n_classes = self.store, len(self.groups), self.groups.shape[1]
        counts: list[np.ndarray] = []
        for features in _parts([n * n_groups * n_classes for n in store.n_values]):
            check()
            n_values = [store.n_values[f] for f in features]
            counters = Counters(features, n_values, n_groups, n_classes)
            compiles = self._compiles(n_values)
            found = store.engine.fold(count_splits, np.add, store.stacks, self.levels, counters, compiles)
            shaped = zip(np.split(found, counters.starts[1:-1]), n_values, strict=True)
            counts += [part.reshape(n_groups, n, n_classes) for part, n in shaped]
        return counts

    def _compiles(self, n_values: Sequence[int]) -> bool:
        """Add the words that a pass over some features combines; return whether compiled code should count them."""
        n_masks = self.groups.size
        n_columns = sum(n <= 2 for n in n_values) if n_masks <= MOST_MASKS else 0
        return self.work.compiles(n_words(self.store.n_rows) * n_columns * n_masks, NANOSECONDS_PER_WORD)


class BlockPartition:
    """Rows in groups that agree on a subset, where every subset looked at costs a pass over the blocks.

    See `fewest.cover.examples.Partition`. Groups in which no feature has two values are left out, which the counts of
    the same pass show; those of several classes among them count as ``settled``: their rows by class.

    Parameters
    ----------
    split : Split
    excluded : sequence of int
        Features that are as if they had one value.
    check : callable
        Called before every pass; raises to end the work.
    settled : ndarray of shape (n_settled, n_classes), optional
    """

    def __init__(self, split: Split, excluded: Sequence[int], check: Check, settled: np.ndarray | None = None):
        self.split = split.mixed()
        self.excluded = excluded
        self.check = check
        self.settled = split.groups[:0] if settled is None else settled

    @cached_property
    def _counted(self) -> tuple[Split, list[np.ndarray], np.ndarray]:
        """Return the groups that some feature splits, their rows by value and class for every feature, and the rest."""
        split = self.split
        if not len(split.groups):
            return split, [split.groups[:, None, :]] * split.store.n_features, self.settled
        counts = split.counted(self.check)
        for feature in self.excluded:
            counts[feature] = counts[feature].sum(axis=1, keepdims=True)
        splits = [(by_value.sum(axis=2) > 0).sum(axis=1) > 1 for by_value in counts]
        separable = np.logical_or.reduce(splits) if splits else np.zeros(len(split.groups), dtype=bool)
        settled = np.concatenate([self.settled, split.groups[~separable]])
        return split.keeping(separable), [by_value[separable] for by_value in counts], settled

    @property
    def n_rows(self) -> int:
        """Count the rows in groups of several classes."""
        return int(self.split.groups.sum())

    @property
    def is_settled(self) -> bool:
        """Return whether no feature could separate any pair that is left."""
        return not len(self.split.groups) or not len(self._counted[0].groups)

    @cached_property
    def n_uncovered(self) -> int:
        """Count the pairs inside the groups, and those that nothing separates."""
        return int(mixed_pairs_of(self.split.groups).sum()) + int(mixed_pairs_of(self.settled).sum())

    def extended(self, feature: int) -> BlockPartition:
        """Split the groups by one more feature."""
        split, counts, settled = self._counted
        if feature in self.excluded or not len(split.groups):
            return self
        return BlockPartition(split.chosen(feature, counts[feature]), self.excluded, self.check, settled)

    def uncovered_after(self) -> np.ndarray:
        """Count the pairs inside the groups that each feature would make."""
        return self.scores_after(mixed_pairs_of)

    def scores_after(self, measure: Measure) -> np.ndarray:
        """Score every feature by the groups that it would make, added up with those left out."""
        _, counts, settled = self._counted
        return np.array([measure(by_value).sum() for by_value in counts]) + measure(settled).sum()


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


# ---------------------------------------------------------------------- work over stacks


def count_splits(stack: Blocks, levels: Sequence[Level], counters: Counters, compiled: bool) -> np.ndarray:
    """Count the rows by group, value and class for each of some features; return the counts one after the other."""
    features, n_values, n_groups, n_classes = counters
    starts = counters.starts
    counts = np.zeros(int(starts[-1]), dtype=np.int64)
    for block in blocks_of(stack, [*{*features, *(level.feature for level in levels)}]):
        groups = groups_of(block, levels)
        cells = groups * n_classes + block.classes
        kept = np.flatnonzero(groups < n_groups) if len(levels) else None
        booleans = [k for k, f in enumerate(features) if len(block.planes[f]) == 1]
        if counters.n_cells > MOST_MASKS:
            booleans = []
        if booleans:
            _count_booleans(block, cells, booleans, counters, counts, compiled)
        for k in sorted(set(range(len(features))) - set(booleans)):
            codes = block.codes(features[k])
            of_rows, of_groups = (codes, cells) if kept is None else (codes[kept], cells[kept])
            keys = (of_groups // n_classes * n_values[k] + of_rows) * n_classes + of_groups % n_classes
            counts[starts[k] : starts[k + 1]] += np.bincount(keys, minlength=n_values[k] * counters.n_cells)
    return counts


def _count_booleans(
    block: Block, cells: np.ndarray, booleans: list[int], counters: Counters, counts: np.ndarray, compiled: bool
) -> None:
    """Count the features at some positions, which have one plane each, by popcounts."""
    sizes = np.bincount(cells, minlength=counters.n_cells)[: counters.n_cells]
    used = np.flatnonzero(sizes)
    if not len(used):
        return
    masks = np.stack([pack_bits(cells == cell) for cell in used])
    ones = count_ones(np.stack([block.planes[counters.features[k]][0] for k in booleans]), masks, compiled)
    group, label = used // counters.n_classes, used % counters.n_classes
    n_values = np.array([counters.n_values[k] for k in booleans])[:, None]
    zeros = counters.starts[booleans][:, None] + group * n_values * counters.n_classes + label
    counts[zeros] += sizes[used] - ones
    split = np.flatnonzero(n_values[:, 0] > 1)
    counts[zeros[split] + counters.n_classes] += ones[split]


def groups_of(block: Block, levels: Sequence[Level]) -> np.ndarray:
    """Return the group that every row has come to; the number after the last for those left out."""
    groups = np.zeros(block.n_rows, dtype=np.int64)
    for level in levels:
        groups = level.table[groups, block.codes(level.feature)]
    return groups
