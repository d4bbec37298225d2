"""A sample whose rows are in blocks, on disk or on other machines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from fewest.blocks.block import Blocks, blocks_of
from fewest.blocks.groups import DENSE_KEYS, Groups, Radix
from fewest.blocks.store import Store
from fewest.budget import Budget
from fewest.cover.blocks.splits import BlockPartition, Split
from fewest.cover.examples import Check, Examples, GroupRows, MissedPairs, RowPair, sampled_rows
from fewest.cover.kernels.differences import separated
from fewest.cover.kernels.split_counts import mixed_pairs_of
from fewest.cover.sample import Sample

# Groups whose first rows are compared with all rows at a time.
EXAMINED_GROUPS = 4096


@dataclass(frozen=True, eq=False)
class Projection(Sample):
    """The rows as some features see them: one for every combination of codes and class, the first of its kind.

    ``row_of`` are their numbers among all rows, ``copies`` how many rows each stands for.
    """

    row_of: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    copies: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    def witness(self, subset: Sequence[int]) -> RowPair | None:
        """Return two rows that prove ``subset`` insufficient, or None."""
        return self._numbered(super().witness(subset))

    def witnesses_without_each(self) -> list[RowPair | None]:
        """Return, for each feature, what `witness` returns for all others."""
        return [self._numbered(pair) for pair in super().witnesses_without_each()]

    def _numbered(self, pair: RowPair | None) -> RowPair | None:
        return None if pair is None else (int(self.row_of[pair[0]]), int(self.row_of[pair[1]]))

    @cached_property
    def counts(self) -> np.ndarray:
        """Count the rows of each class in each cell."""
        counts = np.zeros((len(self.cell_labels), int(self.classes.max(initial=0)) + 1), dtype=np.int64)
        counts[self.cell_of_row, self.classes] = self.copies
        return counts

    @property
    def n_contradictions(self) -> int:
        """Return the number of pairs of rows of different class that agree on all these features."""
        return int(mixed_pairs_of(self.counts).sum())

    @property
    def contradiction(self) -> RowPair | None:
        """Return one such pair of rows, or None."""
        return self._numbered(super().contradiction)


@dataclass(eq=False)
class BlockSample(Examples):
    """Examples in blocks.

    Parameters
    ----------
    store : Store
    excluded : tuple of int
        Features that are as if they were not there.
    tolerance : float
        The fraction of the pairs of rows of different class that may stay uncovered.
    """

    store: Store
    excluded: tuple[int, ...] = ()
    tolerance: float = 0.0
    _projection: tuple[tuple[int, ...], Projection] | None = None  # the last one asked for
    _settled: Projection | None = None  # as features see the rows that separate whatever can be separated
    numeric = None

    @property
    def n_features(self) -> int:
        """Return the number of features."""
        return self.store.n_features

    @property
    def n_rows(self) -> int:
        """Return the number of rows."""
        return self.store.n_rows

    @cached_property
    def largest_code(self) -> int:
        """Return the largest code of any feature."""
        if not self.excluded:
            return self.store.largest_code
        usable = [f for f in range(self.n_features) if f not in self.excluded]
        return self.store.engine.fold(largest_code_of, max, self.store.stacks, usable)

    @cached_property
    def n_pairs(self) -> int:
        """Count the pairs of rows of different class."""
        return int(mixed_pairs_of(self.store.class_counts))

    @property
    def is_pairwise(self) -> bool:
        """Return that rows fall into groups: neither margins nor values that separate nothing are for blocks."""
        return False

    # ------------------------------------------------------------------ contradictions

    @property
    def knows_contradictions(self) -> bool:
        """Return whether they are known before a search: a tolerance asks for them anyway."""
        return self._settled is not None or self.tolerance > 0

    def settle(self, subset: Sequence[int]) -> None:
        """Take note of a subset that separates whatever can be separated: what it leaves are contradictions."""
        self._settled = self.restricted(subset)

    @property
    def n_contradictions(self) -> int:
        """Return the number of pairs of rows of different class that no feature separates."""
        return self._all_separated.n_contradictions

    @property
    def contradiction(self) -> RowPair | None:
        """Return one such pair of rows, or None."""
        return self._all_separated.contradiction

    @property
    def _all_separated(self) -> Projection:
        if self._settled is None:
            self._settled = self._projected(self.completed(()))
        return self._settled

    # ------------------------------------------------------------------ what a subset leaves

    def witness(self, subset: Sequence[int]) -> RowPair | None:
        """Return two rows of different class that agree on ``subset``, though another feature separates them.

        Features are added until nothing is left that any could separate. Seen by these, rows of different class that
        still agree are contradictions, and the first rows of the groups are those that all features would show.
        """
        completed = self.completed(subset)
        self.settle(completed)
        return self.restricted(completed).witness(range(len(subset)))

    def coverage(self, budget: Budget | None = None) -> BlockPartition:  # noqa: ARG002 (no conflicts are listed here)
        """Return what the empty subset leaves uncovered."""
        return self.partition()

    def partition(self, check: Check | None = None) -> BlockPartition:
        """Return all rows in one group."""
        return BlockPartition(Split.of_all(self.store), self.excluded, check or (lambda: None))

    # ------------------------------------------------------------------ rows

    def some_rows(self, most: int) -> tuple[Sample, np.ndarray]:
        """Return a fixed random sample of at most so many rows, and their numbers."""
        numbers = np.arange(self.n_rows) if self.n_rows <= most else sampled_rows(self.n_rows, most)
        codes, classes = self.store.rows(numbers)
        return Sample(self._visible(codes), classes), numbers

    def _visible(self, codes: np.ndarray) -> np.ndarray:
        codes = np.asfortranarray(codes)
        codes[:, list(self.excluded)] = 0
        return codes

    def row_differences(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Return, for pairs of rows, the Boolean matrix (pairs x features) of which separate them."""
        codes = self._visible(self.store.rows(np.concatenate([i, j]))[0])
        return separated(codes[: len(i)], codes[len(i) :])

    def class_of(self, row: int) -> int:
        """Return the class of a row."""
        return int(self.store.rows(np.array([row]))[1][0])

    def restricted(self, subset: Sequence[int]) -> Projection:
        """Return the rows as the features of a subset see them."""
        if self._projection is None or self._projection[0] != tuple(subset):
            self._projection = tuple(subset), self._projected(subset)
        return self._projection[1]

    def _projected(self, subset: Sequence[int]) -> Projection:
        radix = self.store.radix(subset)
        found = self.store.groups(subset)
        order = np.argsort(found.firsts)
        codes, classes = radix.codes(found.keys[:, order])
        copies = found.counts[order]
        return Projection(np.asfortranarray(codes), classes, row_of=found.firsts[order], copies=copies)

    # ------------------------------------------------------------------ sufficiency

    def missed_pairs(self, subset: Sequence[int], most: int) -> MissedPairs:
        """Return pairs of rows that ``subset`` should separate and does not, as `Sample.missed_pairs` does."""
        radix = self.store.radix(subset)
        groups = _Firsts.from_groups(self.store.groups(subset), radix.n_classes)
        none = np.empty(0, dtype=np.int64)
        if not groups.n_deviating:
            return MissedPairs(np.stack([none, none]), np.empty((0, self.n_features), dtype=bool))
        step = max(1, -(-groups.n_deviating // most))
        fold = self.store.engine.each
        counts = [pair for part in fold(count_deviating, self.store.stacks, radix, groups.lookup) for pair in part]
        starts = np.array([start for start, _ in counts])
        before = np.concatenate([[0], np.cumsum([n for _, n in counts])[:-1]])
        parts = list(fold(take_deviating, self.store.stacks, radix, groups.lookup, (starts, before), step))
        j, group = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
        i = groups.first[group]
        found = MissedPairs.from_rows(i, j, self.row_differences(i, j))
        return found if len(found) else self._missed_beside_contradictions(radix, groups, most)

    def completed(self, subset: Sequence[int]) -> list[int]:
        """Return a subset with features added until it separates whatever can be separated."""
        chosen = list(subset)
        while len(missed := self.missed_pairs(chosen, EXAMINED_GROUPS)):
            left = missed.features
            while len(left):
                chosen.append(int(left.sum(axis=0).argmax()))
                left = left[~left[:, chosen[-1]]]
        return chosen

    def _missed_beside_contradictions(self, radix: Radix, groups: _Firsts, most: int) -> MissedPairs:
        """Return a pair from every group that holds more than one cell and more than one class."""
        pairs: list[tuple[np.ndarray, np.ndarray]] = []
        mixed = np.flatnonzero(groups.other_class >= 0)
        mixed = mixed[np.argsort(groups.first[mixed])]
        for start in range(0, len(mixed), EXAMINED_GROUPS):
            if sum(len(i) for i, _ in pairs) >= most:
                break
            chosen = mixed[start : start + EXAMINED_GROUPS]
            pairs.append(self._violating(radix, groups, chosen))
        i, j = (np.concatenate([pair[k] for pair in pairs])[:most] for k in (0, 1))
        features = self.row_differences(i, j) if len(i) else np.empty((0, self.n_features), dtype=bool)
        return MissedPairs(np.stack([i, j]), features)

    def _violating(self, radix: Radix, groups: _Firsts, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return a violating pair of each of some groups that has one."""
        first, other_class = groups.first[chosen], groups.other_class[chosen]
        codes = self._visible(self.store.rows(first)[0])
        lookup = groups.only(chosen)
        other_cell = self.store.engine.fold(
            first_unlike, np.minimum, self.store.stacks, radix, lookup, codes, self.excluded, self.n_rows
        )
        other_cell = np.where(other_cell == self.n_rows, -1, other_cell)
        is_beside = np.logical_not(self.row_differences(first, other_class).any(axis=1))
        rows = GroupRows(first, other_class, is_beside, other_cell)

        def class_of(numbers: np.ndarray) -> np.ndarray:
            return self.store.rows(numbers)[1]

        return rows.violating(class_of)


@dataclass(frozen=True)
class _Lookup:
    """Finds the group of a key, and the class of the group's first row."""

    keys: np.ndarray  # (n_keys, n_groups), sorted
    groups: np.ndarray  # the group of each key
    first_class: np.ndarray  # by group
    table: np.ndarray | None  # by key, if there are few; -1 for keys of no group

    def __call__(self, keys: np.ndarray) -> np.ndarray:
        """Return the groups of keys, -1 for those of none."""
        if self.table is not None:
            return self.table[keys[0]]
        if len(self.keys) == 1:
            place = np.minimum(np.searchsorted(self.keys[0], keys[0]), self.keys.shape[1] - 1)
            return np.where(self.keys[0, place] == keys[0], self.groups[place], -1)
        known = {tuple(key): group for group, key in zip(self.groups.tolist(), self.keys.T.tolist(), strict=True)}
        return np.array([known.get(tuple(key), -1) for key in keys.T.tolist()], dtype=np.int64)


@dataclass(frozen=True)
class _Firsts:
    """The groups that agree on a subset: the first row of each, and the first that differs from it in class."""

    keys: np.ndarray  # (n_keys, n_groups)
    first: np.ndarray
    first_class: np.ndarray
    other_class: np.ndarray  # -1 where there is none
    n_deviating: int  # rows that differ in class from the first of their group
    n_keys: float  # how large keys get

    @classmethod
    def from_groups(cls, found: Groups, n_classes: int) -> _Firsts:
        """Put the classes of a group together."""
        keys = found.keys.copy()
        classes = keys[-1] % n_classes
        keys[-1] //= n_classes
        starts = np.flatnonzero(np.append(True, (keys[:, 1:] != keys[:, :-1]).any(axis=0)))
        sizes = np.diff(np.append(starts, keys.shape[1]))
        first = np.minimum.reduceat(found.firsts, starts)
        is_first = found.firsts == np.repeat(first, sizes)
        beyond = np.iinfo(np.int64).max
        other = np.minimum.reduceat(np.where(is_first, beyond, found.firsts), starts)
        n_deviating = int(found.counts[~is_first].sum())
        largest = float(keys[0].max(initial=0)) + 1 if len(keys) == 1 else float("inf")
        return cls(
            keys[:, starts], first, classes[is_first], np.where(other == beyond, -1, other), n_deviating, largest
        )

    @cached_property
    def lookup(self) -> _Lookup:
        """Return what finds all groups."""
        return self.only(np.arange(len(self.first)))

    def only(self, chosen: np.ndarray) -> _Lookup:
        """Return what finds some groups, numbered in this order."""
        order = np.lexsort(self.keys[::-1, chosen])
        table = None
        if self.n_keys <= DENSE_KEYS:
            table = np.full(int(self.n_keys), -1, dtype=np.int64)
            table[self.keys[0, chosen]] = np.arange(len(chosen))
        return _Lookup(self.keys[:, chosen[order]], order, self.first_class[chosen], table)


# ---------------------------------------------------------------------- work over stacks


def largest_code_of(stack: Blocks, features: Sequence[int]) -> int:
    """Return the largest code of some features."""
    return max(
        (int(block.codes(f).max(initial=0)) for block in blocks_of(stack, features) for f in features), default=0
    )


def _deviating(block, radix: Radix, lookup: _Lookup) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows that differ in class from the first row of their group, and their groups."""
    group = lookup(radix.keys(block, with_class=False))
    rows = np.flatnonzero(lookup.first_class[group] != block.classes)
    return rows, group[rows]


def count_deviating(stack: Blocks, radix: Radix, lookup: _Lookup) -> list[tuple[int, int]]:
    """Count, block by block, the rows that differ in class from the first row of their group."""
    return [(block.start, len(_deviating(block, radix, lookup)[0])) for block in blocks_of(stack, radix.features)]


def take_deviating(
    stack: Blocks, radix: Radix, lookup: _Lookup, places: tuple[np.ndarray, np.ndarray], step: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return every ``step``-th of these rows, counted over all blocks.

    ``places`` holds the starts of the blocks, and how many such rows are before each.
    """
    starts, before = places
    rows, groups = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for block in blocks_of(stack, radix.features):
        n_before = int(before[np.flatnonzero(starts == block.start)[-1]])
        own, group = _deviating(block, radix, lookup)
        chosen = slice(-n_before % step, None, step)
        rows.append(own[chosen] + block.start)
        groups.append(group[chosen])
    return np.concatenate(rows), np.concatenate(groups)


def first_unlike(
    stack: Blocks, radix: Radix, lookup: _Lookup, codes: np.ndarray, excluded: Sequence[int], n_rows: int
) -> np.ndarray:
    """Return the first row of every group that differs from the group's first row, ``n_rows`` if there is none."""
    firsts = np.full(len(codes), n_rows, dtype=np.int64)
    for block in blocks_of(stack):
        group = lookup(radix.keys(block, with_class=False))
        rows = np.flatnonzero(group >= 0)
        differs = np.zeros(len(rows), dtype=bool)
        for f in range(codes.shape[1]):
            if f not in excluded:
                differs |= block.codes(f)[rows] != codes[group[rows], f]
        found = rows[differs][::-1]
        own = np.full(len(codes), n_rows, dtype=np.int64)
        own[group[found]] = found + block.start
        firsts = np.minimum(firsts, own)
    return firsts
