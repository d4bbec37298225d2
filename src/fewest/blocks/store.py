"""Encoded examples in blocks, and the questions that every method asks of them.

Each question is a piece of work over a stack of blocks and a way to merge two
results. Counts add up, first rows are minima and rows come in their order, so
the answers depend neither on where the blocks end nor on who worked on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from math import prod
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np

from fewest.blocks.block import Block, SpilledBlock, loaded
from fewest.blocks.engine import Engine
from fewest.exceptions import TooLargeError
from fewest.table.column import Kind
from fewest.table.schema import AgreedColumn

# Distinct combinations of values and class that are counted, at 24 bytes each and twice that while they are merged.
MOST_GROUPS = 1 << 25
# Keys up to which a table is faster than a search.
DENSE_KEYS = 1 << 22
# Codes of several features make one key as long as it fits; after that, the next.
MOST_KEYS = 1 << 62

Blocks = Sequence[Block | SpilledBlock]


class Groups(NamedTuple):
    """The distinct combinations of some features' codes and the class, sorted."""

    keys: np.ndarray  # int64 (n_keys, n_groups); the class is the last digit of the last key
    counts: np.ndarray  # int64 (n_groups,)
    firsts: np.ndarray  # int64 (n_groups,): the first row of each


@dataclass(frozen=True)
class Radix:
    """How codes of features make keys: digits of a number, or of several where one would be too long."""

    features: tuple[int, ...]
    n_values: tuple[int, ...]
    n_classes: int

    @cached_property
    def parts(self) -> list[list[int]]:
        """Return which of the features make up each key; the class joins the last."""
        parts: list[list[int]] = [[]]
        size = 1
        for k, n in enumerate(self.n_values):
            if size * n * self.n_classes >= MOST_KEYS:
                parts.append([])
                size = 1
            parts[-1].append(k)
            size *= n
        return parts

    def keys(self, block: Block, *, with_class: bool = True) -> np.ndarray:
        """Return the keys of all rows, (n_keys, n_rows)."""
        keys = np.zeros((len(self.parts), block.n_rows), dtype=np.int64)
        for key, part in zip(keys, self.parts, strict=True):
            for k in part:
                key *= self.n_values[k]
                key += block.codes(self.features[k])
        if with_class:
            keys[-1] *= self.n_classes
            keys[-1] += block.classes
        return keys

    def codes(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Undo `keys`: return codes (rows x features) and classes."""
        keys = keys.copy()
        classes = keys[-1] % self.n_classes
        keys[-1] //= self.n_classes
        codes = np.empty((keys.shape[1], len(self.features)), dtype=np.int64)
        for key, part in zip(keys, self.parts, strict=True):
            for k in reversed(part):
                codes[:, k] = key % self.n_values[k]
                key //= self.n_values[k]
        return codes, classes

    @property
    def n_keys(self) -> float:
        """Return how many keys there can be."""
        return prod(self.n_values) * self.n_classes


@dataclass(eq=False)
class Store:
    """Examples in blocks.

    Parameters
    ----------
    engine : Engine
    stacks : list
        Handles of the stacks of blocks, in the order of the rows.
    n_rows : int
    features : tuple of AgreedColumn
    labels : tuple
        The labels of the classes.
    target_name : str
    is_quantity : bool
        Whether the target is one: then there are no classes, and blocks have its values instead.
    name : str
        What the same data has in common with itself.
    """

    engine: Engine
    stacks: list[Any]
    n_rows: int
    features: tuple[AgreedColumn, ...]
    labels: tuple
    target_name: str
    is_quantity: bool = False
    name: str = field(default_factory=lambda: uuid4().hex)

    @property
    def n_features(self) -> int:
        """Return the number of features."""
        return len(self.features)

    @cached_property
    def n_values(self) -> list[int]:
        """Return how many codes each feature can have."""
        return [column.n_codes for column in self.features]

    @cached_property
    def largest_code(self) -> int:
        """Return the largest code that occurs."""
        return self.engine.fold(largest_code, max, self.stacks)

    @cached_property
    def class_counts(self) -> np.ndarray:
        """Count the rows of each class."""
        found = self.groups(())
        counts = np.zeros(max(1, len(self.labels)), dtype=np.int64)
        counts[found.keys[0]] = found.counts
        return counts

    @cached_property
    def used(self) -> list[np.ndarray]:
        """Return, for every feature that has codes, which of them occur, that of a missing value last."""
        n_codes = [0 if column.is_range else len(column.keys) + 1 for column in self.features]
        return self.engine.fold(used_codes, either, self.stacks, n_codes)

    def radix(self, features: Sequence[int]) -> Radix:
        """Return how the codes of these features make keys."""
        return Radix(tuple(features), tuple(self.n_values[f] for f in features), max(1, len(self.labels)))

    def groups(self, features: Sequence[int]) -> Groups:
        """Count the rows by the codes of some features and the class."""
        return self.engine.fold(count_groups, merged_groups, self.stacks, self.radix(features))

    def rows(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the codes (rows x features) and the classes of some rows, in the order asked for."""
        order = np.argsort(numbers, kind="stable")
        found = self.engine.each(take_rows, self.stacks, numbers[order])
        nothing = np.empty((0, self.n_features), dtype=np.int64), np.empty(0, dtype=np.int64)
        parts = [nothing, *(part for part in found if len(part[1]))]
        codes = np.concatenate([part[0] for part in parts])
        classes = np.concatenate([part[1] for part in parts])
        back = np.empty(len(order), dtype=np.intp)
        back[order] = np.arange(len(order))
        return codes[back], classes[back]

    def values(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return numbers, truths and codes of names instead of codes of all, NaN where missing."""
        codes, classes = self.rows(numbers)
        values = codes.astype(np.float64)
        for f, table in enumerate(self.tables):
            if table is not None:
                values[:, f] = table[codes[:, f].astype(np.intp, copy=False)]
        return values, classes

    @cached_property
    def tables(self) -> list[np.ndarray | None]:
        """Return what each code of each feature stands for, a missing value last; None for a range."""
        return [
            None
            if column.is_range
            else np.array([*(column.labels if column.kind is Kind.NUMERIC else range(len(column.keys))), np.nan])
            for column in self.features
        ]

    def row_number(self, row: int) -> int:
        """Return the number that a row has in the source."""
        return self.row_numbers([row])[0]

    def row_numbers(self, rows: Sequence[int]) -> list[int]:
        """Return the numbers that some rows have in the source."""
        wanted = np.asarray(rows, dtype=np.int64)
        found = dict(pair for part in self.engine.each(number_rows, self.stacks, wanted) for pair in part)
        return [found[int(row)] for row in rows]


# ---------------------------------------------------------------------- work over stacks


def largest_code(stack: Blocks) -> int:
    """Return the largest code of any feature."""
    return max((loaded(block).largest_code() for block in stack), default=0)


def used_codes(stack: Blocks, n_codes: Sequence[int]) -> list[np.ndarray]:
    """Tell which codes of each feature occur."""
    used = [np.zeros(n, dtype=bool) for n in n_codes]
    for block in blocks_of(stack):
        for f, occurs in enumerate(used):
            if len(occurs):
                occurs |= np.bincount(block.codes(f), minlength=len(occurs)) > 0
    return used


def either(one: list[np.ndarray], other: list[np.ndarray]) -> list[np.ndarray]:
    """Tell which codes occur here or there."""
    return [a | b for a, b in zip(one, other, strict=True)]


def count_groups(stack: Blocks, radix: Radix) -> Groups:
    """Count the rows of a stack by the codes of some features and the class."""
    if radix.n_keys <= min(DENSE_KEYS, max(1024, sum(block.n_rows for block in stack))):
        return _counted_in_a_table(stack, radix)
    parts = []
    for held in stack:
        block = loaded(held, radix.features)
        rows = np.arange(block.start, block.start + block.n_rows)
        parts.append(_counted(radix.keys(block), None, rows))
        while len(parts) > 1 and len(parts[-1].counts) >= len(parts[-2].counts):  # so that each is sorted rarely
            parts[-2:] = [merged_groups(*parts[-2:])]
    none = np.empty(0, dtype=np.int64)
    return reduce(merged_groups, parts, Groups(np.empty((len(radix.parts), 0), np.int64), none, none))


def merged_groups(one: Groups, other: Groups) -> Groups:
    """Add the counts of two sets of groups."""
    keys, counts, firsts = (np.concatenate(pair, axis=-1) for pair in zip(one, other, strict=True))
    found = _counted(keys, counts, firsts)
    if len(found.counts) > MOST_GROUPS:
        raise TooLargeError.from_size(
            "The combinations of values and class", len(found.counts), MOST_GROUPS,
            "Drop columns of many values, or cut them into intervals; read_table (--engine memory) has no such limit.",
        )  # fmt: skip
    return found


def _counted_in_a_table(stack: Blocks, radix: Radix) -> Groups:
    counts = np.zeros(int(radix.n_keys), dtype=np.int64)
    firsts = np.full(len(counts), np.iinfo(np.int64).max)
    for held in stack:
        block = loaded(held, radix.features)
        keys = radix.keys(block)[0]
        counts += np.bincount(keys, minlength=len(counts))
        own = np.full(len(counts), np.iinfo(np.int64).max)
        own[keys[::-1]] = np.arange(block.start + block.n_rows - 1, block.start - 1, -1)  # the first row stays
        np.minimum(firsts, own, out=firsts)
    present = np.flatnonzero(counts)
    return Groups(present[None, :], counts[present], firsts[present])


def _counted(keys: np.ndarray, counts: np.ndarray | None, firsts: np.ndarray) -> Groups:
    """Sort keys, and add up what equal ones count."""
    order = np.lexsort(keys[::-1]) if len(keys) > 1 else np.argsort(keys[0], kind="stable")
    keys = keys[:, order]
    if not len(order):
        return Groups(keys, np.empty(0, np.int64), firsts)
    starts = np.flatnonzero(np.append(True, (keys[:, 1:] != keys[:, :-1]).any(axis=0)))
    sizes = np.diff(np.append(starts, len(order))) if counts is None else np.add.reduceat(counts[order], starts)
    return Groups(keys[:, starts], sizes, np.minimum.reduceat(firsts[order], starts))


def take_rows(stack: Blocks, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the codes and the classes of those of the (sorted) rows that are in the stack."""
    parts = []
    for held in stack:
        first, last = np.searchsorted(numbers, [held.start, held.start + held.n_rows])
        if first < last:
            block = loaded(held)
            own = numbers[first:last] - block.start
            parts.append((_narrow(block.rows(own)), block.targets(own)))
    none = np.empty(0, dtype=np.int64)
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True)) if parts else (none, none)  # type: ignore[return-value]


def _narrow(codes: np.ndarray) -> np.ndarray:
    """Return codes in a byte each, if they fit: they may have to travel."""
    return codes.astype(np.uint8) if codes.dtype.kind == "i" and codes.max(initial=0) < 256 else codes


def number_rows(stack: Blocks, wanted: np.ndarray) -> list[tuple[int, int]]:
    """Return (row, its number in the source) for the wanted rows of a stack."""
    found: list[tuple[int, int]] = []
    for held in stack:
        own = wanted[(wanted >= held.start) & (wanted < held.start + held.n_rows)]
        numbers = loaded(held, ()).numbers if len(own) else None
        found += [(int(row), int(row if numbers is None else numbers[row - held.start])) for row in own]
    return found


def blocks_of(stack: Blocks, features: Sequence[int] | None = None) -> Iterator[Block]:
    """Yield the blocks of a stack, one in memory at a time."""
    return (loaded(block, features) for block in stack)
