"""Blocks whose rows are bits: features of few values, none missing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewest.blocks.block import Block, Blocks, blocks_of
from fewest.blocks.store import Store
from fewest.kernels.bits import pack
from fewest.relief.bit_space import BitSpace
from fewest.relief.blocks.candidates import ROOM, Near, Sought, classes_of
from fewest.relief.relief import Neighbourhood
from fewest.relief.rows import Survey, ValuesSource

# Truths that are compared column by column, and nearest distances that are then remembered.
MOST_FEATURES, MOST_BOUNDS = 248, 1 << 24
# How many columns and words are taken together there (see `fewest.relief.kernels.bit_sliced_distances`).
GROUP, LANES = 8, 4
# Bytes of columns that stay close to the processor while all drawn rows go by.
TILE_BYTES = 24_000
FAR = np.iinfo(np.int32).max - 1


class BitBlocks:
    """Compares 64 features at a time."""

    def __init__(self, store: Store, is_name: np.ndarray):
        self._store, self._is_name = store, is_name

    def size_of_parts(self) -> int:
        """Return how many drawn rows a space in memory would look at together."""
        return BitSpace.size_of_blocks(self._store.n_features)

    def near(self, numbers: np.ndarray, neighbourhood: Neighbourhood) -> np.ndarray:
        """Return the numbers of the rows that may be near."""
        store = self._store
        codes, targets = store.rows(numbers)
        n_planes = max(1, (max(store.n_values) - 1).bit_length())
        sought = Sought.from_rows(numbers, classes_of(targets), neighbourhood, len(store.labels))
        question = Question(sought, as_words(codes, n_planes))
        find = find_near
        if n_planes == 1 and store.n_features <= MOST_FEATURES and sought.n_bounds <= MOST_BOUNDS:
            question, find = Question(sought, as_flips(codes)), find_near_truths
        return store.engine.fold(find, Near.joined, store.stacks, question).found[:, 3]

    def space(self, values: np.ndarray, order: np.ndarray, starts: np.ndarray) -> BitSpace:  # noqa: ARG002 (no need)
        """Lay out some rows."""
        source = ValuesSource(values, self._is_name)
        return BitSpace(source, Survey(source), order)


@dataclass(frozen=True)
class Question:
    """Drawn rows as bits."""

    sought: Sought
    words: np.ndarray  # uint64 (n_planes, n_words, n_drawn), or the words of `as_flips`


def find_near(stack: Blocks, question: Question) -> Near:
    """Find the rows of a stack that may be near the drawn rows."""
    from fewest.relief.kernels.block_candidates import near_rows

    sought = question.sought
    n_drawn = len(sought.numbers)
    bounds = np.full((n_drawn, sought.n_pools), FAR, dtype=np.int32)
    near = Near(np.empty((0, 4), dtype=np.int64), bounds)
    n_planes = len(question.words)
    for block in blocks_of(stack):
        words = rows_as_words(block, n_planes)
        rows = np.arange(block.start, block.start + block.n_rows), classes_of(block.classes)
        start = 0
        while start < n_drawn:
            drawn = (
                np.ascontiguousarray(question.words[:, :, start:]),
                sought.numbers[start:],
                sought.classes[start:],
            )
            room = np.empty((max(ROOM, 4 * block.n_rows), 4), dtype=np.int64)
            n_found, n_done = near_rows(words, rows, drawn, sought.k, sought.skips_equal, bounds[start:], room)
            found = room[:n_found].copy()
            found[:, 0] += start
            near = near.joined(Near(found, bounds))
            start += n_done
    return near


def find_near_truths(stack: Blocks, question: Question) -> Near:
    """Do the same where all features are truths."""
    from fewest.relief.kernels.near_booleans import near_truths

    sought = question.sought
    best = np.full((len(sought.numbers), sought.n_pools, sought.k), FAR, dtype=np.int32)
    near = Near(np.empty((0, 4), dtype=np.int64), best[:, :, -1])
    drawn = question.words, sought.numbers, sought.classes
    for block in blocks_of(stack):
        planes = tiles(block, question.words.shape[1])
        rows = block.start, classes_of(block.classes)
        room = np.empty((max(ROOM, 64 * planes.shape[2]), 4), dtype=np.int64)
        tile, s = 0, 0
        while tile >= 0:
            n_found, tile, s = near_truths(planes, rows, drawn, sought.skips_equal, best, room, (tile, s))
            near = near.joined(Near(room[:n_found].copy(), best[:, :, -1]))
    return near


def as_flips(codes: np.ndarray) -> np.ndarray:
    """Return a word for every truth of some rows, all ones or all zeros; as many as make whole groups."""
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
