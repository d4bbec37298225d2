"""A block: some rows of a source, encoded, as small as they get, in memory or on disk."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from fewest.kernels.bit_columns import codes_at, pack_column, unpack_column, words_of_octets
from fewest.table.column import MISSING, Column, Kind
from fewest.table.pieces import TruthPart, TypedPart
from fewest.table.schema import TRUTHS, SeenColumn


@dataclass(frozen=True, eq=False)
class PackedColumn:
    """A column of a block.

    Parameters
    ----------
    seen : SeenColumn
        What the rows show of it; codes point into its values, and the one after the last is a missing value.
    planes : ndarray
        The bit planes of the codes, see `fewest.kernels.bit_columns`.
    """

    seen: SeenColumn
    planes: np.ndarray

    @classmethod
    def from_part(cls, part: TypedPart | TruthPart) -> PackedColumn:
        """Pack a typed column; values that do not occur are forgotten."""
        if isinstance(part, TruthPart):
            return cls.from_truths(part.truths)
        column = part.column.by_value()
        used, codes = _without_idle(column)
        labels = tuple(column.labels[code] for code in used)
        if part.family == "number" and part.column.kind is not Kind.NUMERIC:
            labels = tuple(int(label) for label in labels)  # zeros and ones, which may turn out to be numbers
        seen = SeenColumn(part.family, part.column.kind, labels, len(column) - column.n_missing)
        return cls(seen, pack_column(codes))

    @classmethod
    def from_truths(cls, truths: pa.BooleanArray) -> PackedColumn:
        """Take bits as they are."""
        words = words_of_octets(np.frombuffer(truths.buffers()[1], dtype=np.uint8), truths.offset, len(truths))
        n_true = int(np.bitwise_count(words).sum())
        labels = TRUTHS if 0 < n_true < len(truths) else TRUTHS[1:] if n_true else TRUTHS[:1]
        if len(labels) == 1:
            words = np.zeros_like(words)
        return cls(SeenColumn("truth", Kind.BOOLEAN, labels, len(truths)), words[None, :])

    def codes(self, n_rows: int) -> np.ndarray:
        """Return the codes of all rows."""
        return unpack_column(self.planes, n_rows)

    def recoded(self, lookup: np.ndarray, n_rows: int) -> np.ndarray:
        """Return the planes of other codes: ``lookup`` of these."""
        n_values = len(self.seen.values)
        if (lookup[:-1] == np.arange(n_values)).all() and (self.seen.n_present == n_rows or lookup[-1] == n_values):
            return self.planes
        return pack_column(lookup[self.codes(n_rows)])


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
    """Rows as one piece knows them, before all have agreed what the columns are."""

    n_rows: int
    columns: tuple[PackedColumn, ...]

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
    """Rows with the codes that all agreed upon.

    Parameters
    ----------
    start : int
        The number of its first row among all rows.
    n_rows : int
    classes : ndarray of shape (n_rows,)
    planes : tuple of ndarray
        The bit planes of each feature.
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
        """Return the codes (rows x features) of some rows, numbered from the start of the block."""
        codes = np.empty((len(rows), len(self.planes)), dtype=np.int64)
        for f, planes in enumerate(self.planes):
            codes[:, f] = codes_at(planes, rows)
        return codes

    def labelled(self, first: int) -> Block:
        """Return the rows that have a class; ``first`` is the number of the block's first row in the source."""
        kept = np.flatnonzero(self.classes >= 0)
        if len(kept) == self.n_rows:
            return replace(self, numbers=np.arange(first, first + self.n_rows))
        planes = tuple(pack_column(self.codes(f)[kept]) for f in range(len(self.planes)))
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
        return np.fromfile(file, np.uint64, shape[0] * shape[1]).reshape(shape)


def loaded(block: Block | SpilledBlock, features: Sequence[int] | None = None) -> Block:
    """Return a block in memory, wherever it is."""
    return block if isinstance(block, Block) else block.load(features)
