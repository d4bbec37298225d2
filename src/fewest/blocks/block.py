"""A block: some rows of a source, encoded as bit planes and numbers, in memory or on disk."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path

import numpy as np
import pyarrow as pa

from fewest.blocks.schema import BOOLEAN_LABELS, LABELS, BooleanPart, LabelPart, SeenColumn, TypedPart, extremes
from fewest.kernels.bit_planes import codes_at, pack_column, unpack_column, words_of_bytes
from fewest.table.column import MISSING, Column, Kind


@dataclass(frozen=True, eq=False)
class PackedColumn:
    """A column of a block.

    Parameters
    ----------
    seen : SeenColumn
        Its values in these rows; codes point into them, and the one after the last is a missing value.
    planes : ndarray
        The bit planes of the codes, see `fewest.kernels.bit_planes`.
    """

    seen: SeenColumn
    planes: np.ndarray

    @classmethod
    def from_part(cls, part: TypedPart | BooleanPart | LabelPart) -> PackedColumn:
        """Pack a typed column; values that do not occur get no code."""
        if isinstance(part, BooleanPart):
            return cls.from_booleans(part.values)
        if isinstance(part, LabelPart):
            labels, codes = part.labels_and_codes()
            seen = SeenColumn(LABELS, Kind.NOMINAL, labels, int((codes < len(labels)).sum()))
            return cls(seen, pack_column(codes))
        column = part.column.by_value()
        used, codes = _without_idle(column)
        labels = tuple(column.labels[code] for code in used)
        if part.family == "numeric" and part.column.kind is not Kind.NUMERIC:
            labels = tuple(int(label) for label in labels)  # zeros and ones, which may turn out to be numbers
        seen = SeenColumn(part.family, part.column.kind, labels, len(column) - column.n_missing)
        return cls(seen, pack_column(codes))

    @classmethod
    def from_booleans(cls, values: pa.BooleanArray) -> PackedColumn:
        """Copy the bits of a Boolean array without missing values."""
        words = words_of_bytes(np.frombuffer(values.buffers()[1], dtype=np.uint8), values.offset, len(values))
        n_true = int(np.bitwise_count(words).sum())
        labels = BOOLEAN_LABELS if 0 < n_true < len(values) else BOOLEAN_LABELS[1:] if n_true else BOOLEAN_LABELS[:1]
        if len(labels) == 1:
            words = np.zeros_like(words)
        return cls(SeenColumn("boolean", Kind.BOOLEAN, labels, len(values)), words[None, :])

    def codes(self, n_rows: int) -> np.ndarray:
        """Return the codes of all rows."""
        return unpack_column(self.planes, n_rows)

    def recoded(self, lookup: np.ndarray, n_rows: int) -> np.ndarray:
        """Return the planes of other codes: ``lookup`` of these."""
        n_values = len(self.seen.values)
        if (lookup[:-1] == np.arange(n_values)).all() and (self.seen.n_present == n_rows or lookup[-1] == n_values):
            return self.planes
        return pack_column(lookup[self.codes(n_rows)])

    def numbers(self, n_rows: int) -> np.ndarray:
        """Return the values of all rows, which are numbers; NaN where missing."""
        return np.array([*self.seen.values, np.nan], dtype=np.float64)[self.codes(n_rows)]

    def seen_in(self, is_chosen: np.ndarray) -> SeenColumn:
        """Return the values in some rows only."""
        counts = np.bincount(self.codes(len(is_chosen))[is_chosen], minlength=len(self.seen.values) + 1)[:-1]
        values = tuple(value for value, count in zip(self.seen.values, counts.tolist(), strict=True) if count)
        return replace(self.seen, values=values, n_present=int(counts.sum()))


@dataclass(frozen=True, eq=False)
class NumberColumn:
    """A column of a block whose values are kept as numbers.

    Parameters
    ----------
    seen : SeenColumn
        With ``keeps_numbers``.
    planes : float64 array of shape (n_rows,)
        NaN where a value is missing.
    """

    seen: SeenColumn
    planes: np.ndarray

    @classmethod
    def from_part(cls, part: TypedPart) -> NumberColumn:
        """Keep the numbers of a typed column, and the least, the largest and another value if there is one."""
        return cls(_seen_numbers(part.column.values), part.column.values)

    def codes(self, n_rows: int) -> np.ndarray:  # noqa: ARG002 (as `PackedColumn`)
        """Return the codes of all rows, if there are two values at most."""
        codes = np.searchsorted(self.seen.values, self.planes) if self.seen.values else np.zeros(len(self.planes), int)
        return np.where(np.isnan(self.planes), len(self.seen.values), codes)

    def recoded(self, lookup: np.ndarray, n_rows: int) -> np.ndarray:
        """Return the planes of codes: ``lookup`` of these."""
        return pack_column(lookup[self.codes(n_rows)])

    def numbers(self, n_rows: int) -> np.ndarray:  # noqa: ARG002 (as `PackedColumn`)
        """Return the values of all rows."""
        return self.planes

    def seen_in(self, is_chosen: np.ndarray) -> SeenColumn:
        """Return the least, the largest and another value of some rows only."""
        return _seen_numbers(self.planes[is_chosen])


def _seen_numbers(values: np.ndarray) -> SeenColumn:
    present = values[~np.isnan(values)]
    low, high = present.min(initial=np.inf), present.max(initial=-np.inf)
    others = present[(present != low) & (present != high)][:1]
    found = {low, high, *others} if len(present) else set()
    shown = [int(number) if number.is_integer() else float(number) for number in found]
    return SeenColumn("numeric", Kind.NUMERIC, extremes(shown), len(present), keeps_numbers=True)


RawColumn = PackedColumn | NumberColumn


def raw_column(part: TypedPart | BooleanPart | LabelPart, *, as_number: bool) -> RawColumn:
    """Return a typed column as codes of its values, or as numbers."""
    if isinstance(part, LabelPart):
        is_number = as_number and part.values.dtype.kind in "iuf"
        part = TypedPart(Column("", Kind.NUMERIC, part.values.astype(np.float64)), "numeric") if is_number else part
    if as_number and isinstance(part, TypedPart) and part.column.kind is Kind.NUMERIC:
        return NumberColumn.from_part(part)
    return PackedColumn.from_part(part)


def narrowest(numbers: np.ndarray) -> np.ndarray:
    """Return numbers in single precision if that changes none."""
    with np.errstate(over="ignore"):
        single = numbers.astype(np.float32)
    return single if np.array_equal(single, numbers, equal_nan=True) else numbers


def _without_idle(column: Column) -> tuple[list[int], np.ndarray]:
    """Return the codes that occur, and the column in terms of them, missing values last."""
    counts = np.bincount(column.values.astype(np.int64) + 1, minlength=len(column.labels) + 1)
    used = np.flatnonzero(counts[1:])
    if len(used) == len(column.labels) and not counts[0]:
        return used.tolist(), column.values
    final = np.full(len(column.labels) + 1, len(used), dtype=np.int64)  # the last is what -1 finds
    final[used] = np.arange(len(used))
    assert MISSING == -1
    return used.tolist(), final[column.values]


@dataclass(frozen=True, eq=False)
class RawBlock:
    """Rows typed by their own piece, before all pieces have agreed what the columns are."""

    n_rows: int
    columns: tuple[RawColumn, ...]

    @property
    def n_bytes(self) -> int:
        """Return the memory it takes, about."""
        return sum(column.planes.nbytes + 64 * len(column.seen.values) for column in self.columns)


def raw_blocks(stack: Iterable[RawBlock | Path]) -> Iterator[RawBlock]:
    """Yield the raw blocks of a stack, one in memory at a time."""
    for block in stack:
        yield pickle.loads(block.read_bytes()) if isinstance(block, Path) else block


@dataclass(frozen=True, eq=False)
class Block:
    """Rows with the codes that all pieces agreed upon.

    Parameters
    ----------
    start : int
        The number of its first row among all rows.
    n_rows : int
    classes : ndarray of shape (n_rows,)
        Numbers of classes, -1 for none; or the floats of a regression target, NaN for none.
    planes : tuple of ndarray
        The bit planes of each feature, two-dimensional; or, if it keeps numbers, these, NaN where missing.
    numbers : ndarray, optional
        The rows' numbers in the source, where some rows were left out.
    """

    start: int
    n_rows: int
    classes: np.ndarray
    planes: tuple[np.ndarray, ...]
    numbers: np.ndarray | None = None

    @property
    def n_bytes(self) -> int:
        """Return the memory it takes."""
        return self.classes.nbytes + sum(planes.nbytes for planes in self.planes)

    def codes(self, feature: int) -> np.ndarray:
        """Return the codes of one feature."""
        return unpack_column(self.planes[feature], self.n_rows)

    def rows(self, rows: np.ndarray) -> np.ndarray:
        """Return the codes (rows x features) of some rows, numbered from the start of the block; numbers if kept."""
        codes = np.empty((len(rows), len(self.planes)), dtype=np.int64)
        booleans = [f for f, planes in enumerate(self.planes) if planes.ndim == 2 and len(planes) == 1]
        if booleans:  # all together, since there may be thousands of them
            words, bits = rows // 64, (rows % 64).astype(np.uint64)
            found = np.array([self.planes[f][0].take(words) for f in booleans])
            codes[:, booleans] = (found >> bits & np.uint64(1)).T
        if any(planes.ndim == 1 for planes in self.planes):
            codes = codes.astype(np.float64)
        for f in sorted({*range(len(self.planes))} - {*booleans}):
            planes = self.planes[f]
            codes[:, f] = planes[rows] if planes.ndim == 1 else codes_at(planes, rows)
        return codes

    def targets(self, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
        """Return the classes, or the numeric targets, of rows."""
        found = self.classes[rows]
        return found if found.dtype.kind == "f" else found.astype(np.int64)

    def values(self, tables: Sequence[np.ndarray | None]) -> np.ndarray:
        """Return values (rows x features) instead of codes; ``tables`` give them by code, None for kept numbers."""
        values = np.empty((self.n_rows, len(self.planes)), dtype=np.float64)
        for f, (planes, table) in enumerate(zip(self.planes, tables, strict=True)):
            values[:, f] = planes if table is None else table[self.codes(f)]
        return values

    def labelled(self, first: int) -> Block:
        """Return the rows that have a class; ``first`` is the number of the block's first row in the source."""
        is_regression = self.classes.dtype.kind == "f"
        kept = np.flatnonzero(~np.isnan(self.classes) if is_regression else self.classes >= 0)
        if len(kept) == self.n_rows:
            return replace(self, numbers=np.arange(first, first + self.n_rows))
        planes = tuple(
            planes[kept] if planes.ndim == 1 else pack_column(self.codes(f)[kept])
            for f, planes in enumerate(self.planes)
        )
        return Block(self.start, len(kept), self.classes[kept], planes, first + kept)

    def largest_code(self) -> int:
        """Return the largest code of any feature."""
        return max((int(self.codes(f).max(initial=0)) for f in range(len(self.planes))), default=0)


class SpilledBlock:
    """A block on disk, of which the features that are asked for are read."""

    def __init__(self, block: Block, path: Path):
        self.start, self.n_rows, self.n_bytes = block.start, block.n_rows, 0
        self._path, self._shapes, self._numbers = path, [planes.shape for planes in block.planes], block.numbers
        self._class_type, self._offsets = block.classes.dtype, [block.classes.nbytes]
        self._types = [planes.dtype for planes in block.planes]
        with path.open("wb") as file:
            file.write(np.ascontiguousarray(block.classes).data)
            for planes in block.planes:
                file.write(np.ascontiguousarray(planes).data)
                self._offsets.append(self._offsets[-1] + planes.nbytes)

    def load(self, features: Sequence[int] | None = None) -> Block:
        """Read the classes and some features; the others have no planes."""
        wanted = range(len(self._shapes)) if features is None else set(features)
        none = np.empty((0, 0), dtype=np.uint64)
        with self._path.open("rb") as file:
            classes = np.fromfile(file, self._class_type, self.n_rows)
            planes = tuple(self._planes(file, f) if f in wanted else none for f in range(len(self._shapes)))
        return Block(self.start, self.n_rows, classes, planes, self._numbers)

    def _planes(self, file, feature: int) -> np.ndarray:
        shape = self._shapes[feature]
        file.seek(self._offsets[feature])
        return np.fromfile(file, self._types[feature], prod(shape)).reshape(shape)


def loaded(block: Block | SpilledBlock, features: Sequence[int] | None = None) -> Block:
    """Return a block in memory, wherever it is."""
    return block if isinstance(block, Block) else block.load(features)


Blocks = Sequence[Block | SpilledBlock]
"""The blocks of a *stack*: consecutive rows, some of them perhaps on disk."""


def blocks_of(stack: Blocks, features: Sequence[int] | None = None) -> Iterator[Block]:
    """Yield the blocks of a stack, one in memory at a time."""
    return (loaded(block, features) for block in stack)
