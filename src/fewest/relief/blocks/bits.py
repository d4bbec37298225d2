"""Blocks whose rows are bits: features of few values, none missing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewest.blocks.block import Block, Blocks, blocks_of
from fewest.blocks.store import Store
from fewest.kernels.bits import pack
from fewest.relief.bit_space import BitSpace
from fewest.relief.blocks.candidates import ROOM, Near, Sought, classes_of
from fewest.relief.kernels.layout import GROUP, LANES, MOST_PLANES, BitRows, Nearest, Place
from fewest.relief.options import RelevanceOptions
from fewest.relief.rows import EncodedRows, Survey

# Nearest distances that are kept where Boolean features are compared column by column.
MOST_BEST = 1 << 24
# Bytes of columns that stay close to the processor while all sampled rows go by.
TILE_BYTES = 24_000
FAR = np.iinfo(np.int32).max - 1


class BitBlocks:
    """Blocks in which 64 features are compared at a time."""

    def __init__(self, store: Store, is_nominal: np.ndarray):
        self._store, self._is_nominal = store, is_nominal

    def size_of_batches(self) -> int:
        """Return how many sampled rows a space in memory would look at together."""
        return BitSpace.size_of_batches(self._store.n_features)

    def near(self, numbers: np.ndarray, options: RelevanceOptions) -> np.ndarray:
        """Return the row numbers of the candidates."""
        store = self._store
        codes, targets = store.rows(numbers)
        n_planes = max(1, (max(store.n_values) - 1).bit_length())
        sought = Sought.from_rows(numbers, classes_of(targets), options, len(store.labels))
        question = Question(sought, as_words(codes, n_planes))
        find = find_near
        if n_planes == 1 and store.n_features <= MOST_PLANES and sought.n_bounds <= MOST_BEST:
            question, find = Question(sought, as_flips(codes)), find_near_boolean
        return store.engine.fold(find, Near.joined, store.stacks, question).found[:, 3]

    def space(self, values: np.ndarray, order: np.ndarray, starts: np.ndarray) -> BitSpace:  # noqa: ARG002 (no need)
        """Lay out some rows."""
        source = EncodedRows(values, self._is_nominal)
        return BitSpace(source, Survey(source), order)


@dataclass(frozen=True)
class Question:
    """Sampled rows as bits."""

    sought: Sought
    words: np.ndarray  # uint64 (n_planes, n_words, n_sampled), or the words of `as_flips`

    @property
    def nearest(self) -> Nearest:
        """Return which candidates are asked for, as the kernels take it."""
        return Nearest(self.sought.k, self.sought.skips_identical)

    def rows_from(self, start: int) -> BitRows:
        """Return the sampled rows from one on."""
        sought = self.sought
        words = np.ascontiguousarray(self.words[:, :, start:])
        return BitRows(words, sought.numbers[start:], sought.classes[start:])


def find_near(stack: Blocks, question: Question) -> Near:
    """Find the candidates in a stack of blocks."""
    from fewest.relief.kernels.block_candidates import candidates_by_bits

    sought = question.sought
    n_sampled = len(sought.numbers)
    bounds = np.full((n_sampled, sought.n_pools), FAR, dtype=np.int32)
    near = Near(np.empty((0, 4), dtype=np.int64), bounds)
    n_planes = len(question.words)
    for block in blocks_of(stack):
        rows = BitRows(rows_as_words(block, n_planes), _numbers(block), classes_of(block.classes))
        start = 0
        while start < n_sampled:
            room = np.empty((max(ROOM, 4 * block.n_rows), 4), dtype=np.int64)
            n_found, n_done = candidates_by_bits(
                rows, question.rows_from(start), question.nearest, bounds[start:], room
            )
            found = room[:n_found].copy()
            found[:, 0] += start
            near = near.joined(Near(found, bounds))
            start += n_done
    return near


def find_near_boolean(stack: Blocks, question: Question) -> Near:
    """Find the candidates in a stack of blocks where all features are Boolean."""
    from fewest.relief.kernels.block_candidates import candidates_by_planes

    sought = question.sought
    best = np.full((len(sought.numbers), sought.n_pools, sought.k), FAR, dtype=np.int32)
    near = Near(np.empty((0, 4), dtype=np.int64), best[:, :, -1])
    sampled = BitRows(question.words, sought.numbers, sought.classes)
    for block in blocks_of(stack):
        planes = tiles(block, question.words.shape[1])
        rows = BitRows(planes, _numbers(block), classes_of(block.classes))
        room = np.empty((max(ROOM, 64 * planes.shape[2]), 4), dtype=np.int64)
        place = Place(0, 0)
        while place.tile >= 0:
            n_found, place = candidates_by_planes(rows, sampled, question.nearest, best, room, place)
            near = near.joined(Near(room[:n_found].copy(), best[:, :, -1]))
    return near


def _numbers(block: Block) -> np.ndarray:
    return np.arange(block.start, block.start + block.n_rows)


def as_flips(codes: np.ndarray) -> np.ndarray:
    """Return a word for every Boolean feature of some rows, all ones or all zeros; zeros fill up whole groups."""
    flips = np.zeros((len(codes), -(-codes.shape[1] // GROUP) * GROUP), dtype=np.uint64)
    flips[:, : codes.shape[1]] = np.where(codes, ~np.uint64(0), np.uint64(0))
    return flips


def tiles(block: Block, n_planes: int) -> np.ndarray:
    """Return the columns of a block cut into tiles, (n_tiles, n_planes, n_words), with zeros where there is nothing."""
    n_words = max(1, TILE_BYTES // (8 * LANES * n_planes)) * LANES
    n_tiles = max(1, -(-block.n_rows // (64 * n_words)))
    planes = np.zeros((n_planes, n_tiles * n_words), dtype=np.uint64)
    for f, plane in enumerate(block.planes):
        planes[f, : plane.shape[1]] = plane[0]
    return np.ascontiguousarray(planes.reshape(n_planes, n_tiles, n_words).transpose(1, 0, 2))


def rows_as_words(block: Block, n_planes: int) -> np.ndarray:
    """Turn the columns of a block into rows of bits, (n_planes, n_words, n_rows)."""
    codes = np.empty((block.n_rows, len(block.planes)), dtype=np.uint8)
    for f in range(len(block.planes)):
        codes[:, f] = block.codes(f)
    return as_words(codes, n_planes)


def as_words(codes: np.ndarray, n_planes: int) -> np.ndarray:
    """Return rows of small codes as bits, (n_planes, n_words, n_rows)."""
    return np.stack([pack((codes >> plane & 1).astype(bool)) for plane in range(n_planes)])
