"""Count rows by the codes of some features and the class, as sufficiency tests and greedy methods need them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial, reduce
from math import prod
from typing import NamedTuple

import numpy as np

from fewest.blocks.block import Block, Blocks, loaded
from fewest.exceptions import TooLargeError
from fewest.table.column import smallest_code_type

# Distinct combinations of values and class that are counted, at 24 bytes each and twice that while they are merged.
MOST_GROUPS = 1 << 25
# Keys up to which a table is faster than a search.
DENSE_KEYS = 1 << 22
# Codes of several features share a key up to this product of their numbers of values; the next starts another key.
MOST_KEYS = 1 << 62


class Groups(NamedTuple):
    """The distinct combinations of some features' codes and the class, sorted."""

    keys: np.ndarray  # int64 (n_keys, n_groups); the class is the least significant part of the last key
    counts: np.ndarray  # int64 (n_groups,)
    firsts: np.ndarray  # int64 (n_groups,): the first row of each


@dataclass(frozen=True)
class Radix:
    """Mixed-radix keys: the codes of features as the digits of one number, or of several where one would overflow.

    The product of the radices of a key, and of the number of classes, stays below `MOST_KEYS`, so that int64 holds it.
    """

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
        columns, classes = self.columns(keys)
        codes = np.empty((keys.shape[1], len(self.features)), dtype=np.int64)
        for k, column in enumerate(columns):
            codes[:, k] = column
        return codes, classes

    def columns(self, keys: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
        """Undo `keys`: return the codes of each feature, in the smallest type that holds them, and the classes."""
        keys = keys.copy()
        classes = keys[-1] % self.n_classes
        keys[-1] //= self.n_classes
        columns = [np.empty(0, dtype=np.int8)] * len(self.features)
        for key, part in zip(keys, self.parts, strict=True):
            for k in reversed(part):
                columns[k] = (key % self.n_values[k]).astype(smallest_code_type(self.n_values[k]))
                key //= self.n_values[k]
        return columns, classes

    @property
    def n_keys(self) -> float:
        """Return how many keys there can be."""
        return prod(self.n_values) * self.n_classes


def count_groups(stack: Blocks, radix: Radix, most: int | None = None) -> Groups:
    """Count the rows of a stack by the codes of some features and the class; see `refuse_many` for ``most``."""
    if radix.n_keys <= min(DENSE_KEYS, max(1024, sum(block.n_rows for block in stack))):
        return _counted_in_a_table(stack, radix)
    parts = []
    for held in stack:
        block = loaded(held, radix.features)
        rows = np.arange(block.start, block.start + block.n_rows)
        parts.append(_counted(radix.keys(block), None, rows))
        while len(parts) > 1 and len(parts[-1].counts) >= len(parts[-2].counts):  # so that each is sorted rarely
            parts[-2:] = [merged_groups(parts[-2], parts[-1], most)]
    none = np.empty(0, dtype=np.int64)
    merge = partial(merged_groups, most=most)
    return reduce(merge, parts, Groups(np.empty((len(radix.parts), 0), np.int64), none, none))


def merged_groups(one: Groups, other: Groups, most: int | None = None) -> Groups:
    """Add the counts of two sets of groups; see `refuse_many` for ``most``."""
    keys, counts, firsts = (np.concatenate(pair, axis=-1) for pair in zip(one, other, strict=True))
    found = _counted(keys, counts, firsts)
    refuse_many(found, most)
    return found


def refuse_many(found: Groups, most: int | None = None) -> None:
    """Raise where there are more groups than so many, or than can be counted."""
    most = MOST_GROUPS if most is None else min(most, MOST_GROUPS)
    if len(found.counts) > most:
        raise TooLargeError.from_size(
            "The combinations of values and class", len(found.counts), most,
            "Drop columns of many values, or cut them into intervals; read_table (--engine memory) has no such limit.",
        )  # fmt: skip


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
