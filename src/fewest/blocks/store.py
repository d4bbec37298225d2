"""Encoded examples in blocks, and the questions that every method asks of them.

Each question is a function of a stack (some consecutive blocks) and a way to merge two results. Counts add up, first
rows are minima and rows come in their order, so the answers depend neither on where the blocks end nor on which worker
computed them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any
from uuid import uuid4

import numpy as np

from fewest.blocks.block import Block, Blocks, blocks_of, loaded
from fewest.blocks.engine import Engine
from fewest.blocks.groups import Groups, Radix, count_groups, merged_groups
from fewest.blocks.schema import AgreedColumn
from fewest.table.column import MISSING, Column, Kind, smallest_code_type
from fewest.table.table import Table


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
    is_regression : bool
        Whether the target is numeric: then there are no classes, and blocks have its values instead.
    name : str
        Identifies the data: what is cached for a store belongs to its name.
    """

    engine: Engine
    stacks: list[Any]
    n_rows: int
    features: tuple[AgreedColumn, ...]
    labels: tuple
    target_name: str
    is_regression: bool = False
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
        n_codes = [0 if column.keeps_numbers else len(column.keys) + 1 for column in self.features]
        return self.engine.fold(used_codes, either, self.stacks, n_codes)

    def radix(self, features: Sequence[int]) -> Radix:
        """Return how the codes of these features are combined into keys."""
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
        """Return values of some rows as floats: numbers as such, other features by code; NaN where missing."""
        codes, classes = self.rows(numbers)
        values = codes.astype(np.float64)
        for f, table in enumerate(self.tables):
            if table is not None:
                values[:, f] = table[codes[:, f].astype(np.intp, copy=False)]
        return values, classes

    @cached_property
    def tables(self) -> list[np.ndarray | None]:
        """Return the float that each code of each feature stands for, a missing value last; None for kept numbers."""
        return [
            None
            if column.keeps_numbers
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
    """Return which codes of each feature occur in a stack."""
    used = [np.zeros(n, dtype=bool) for n in n_codes]
    for block in blocks_of(stack):
        for f, occurs in enumerate(used):
            if len(occurs):
                occurs |= np.bincount(block.codes(f), minlength=len(occurs)) > 0
    return used


def either(one: list[np.ndarray], other: list[np.ndarray]) -> list[np.ndarray]:
    """Return which codes occur in one of two parts."""
    return [a | b for a, b in zip(one, other, strict=True)]


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
    """Return codes in a byte each, if they fit: they may be sent over the network."""
    return codes.astype(np.uint8) if codes.dtype.kind == "i" and codes.max(initial=0) < 256 else codes


def number_rows(stack: Blocks, wanted: np.ndarray) -> list[tuple[int, int]]:
    """Return (row, its number in the source) for the wanted rows of a stack."""
    found: list[tuple[int, int]] = []
    for held in stack:
        own = wanted[(wanted >= held.start) & (wanted < held.start + held.n_rows)]
        numbers = loaded(held, ()).numbers if len(own) else None
        found += [(int(row), int(row if numbers is None else numbers[row - held.start])) for row in own]
    return found


# ---------------------------------------------------------------------- blocks as tables


def tables_of(
    stack: Blocks, features: Sequence[AgreedColumn], chosen: Sequence[int]
) -> Iterator[tuple[Table, np.ndarray]]:
    """Yield the chosen features and the classes of a stack's blocks, one in memory at a time."""
    for block in blocks_of(stack, chosen):
        columns = tuple(column_of(block, f, features[f]) for f in chosen)
        yield Table(columns, block.n_rows), block.classes.astype(np.int64)


def all_tables(store: Store, chosen: Sequence[int]) -> Iterator[tuple[Table, np.ndarray]]:
    """Yield the chosen features and the classes of all rows, in their order, a few blocks in memory at a time."""
    return chain.from_iterable(store.engine.each(_tables, store.stacks, store.features, chosen))


def _tables(stack: Blocks, features: Sequence[AgreedColumn], chosen: Sequence[int]) -> list[tuple[Table, np.ndarray]]:
    return list(tables_of(stack, features, chosen))


def column_of(block: Block, feature: int, agreed: AgreedColumn) -> Column:
    """Return one feature as a reading of all rows would have typed it."""
    if agreed.keeps_numbers:
        return Column(agreed.name, Kind.NUMERIC, block.planes[feature].astype(np.float64))
    return column_of_codes(block.codes(feature), agreed)


def column_of_codes(codes: np.ndarray, agreed: AgreedColumn) -> Column:
    """Return a column of some rows, given their codes, of which that of a missing value comes last."""
    if agreed.kind is Kind.NUMERIC:
        return Column(agreed.name, Kind.NUMERIC, np.array([*agreed.keys, np.nan], dtype=np.float64)[codes])
    final = np.arange(len(agreed.keys) + 1, dtype=smallest_code_type(len(agreed.labels)))
    final[-1] = MISSING
    return Column(agreed.name, agreed.kind, final[codes], agreed.labels)
