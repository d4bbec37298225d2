"""Blocks whose rows are bits: features of few values, none missing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewest.kernels.bits import pack
from fewest.scale.block import Block
from fewest.scale.store import Blocks, Store, blocks_of
from fewest.search.relevance.bit_space import BitSpace
from fewest.search.relevance.relief import Neighbourhood
from fewest.search.relevance.source import Survey, ValuesSource
from fewest.search.streamed.near import ROOM, Near, Sought, classes_of


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
        return store.engine.fold(find_near, Near.joined, store.stacks, question).found[:, 3]

    def space(self, values: np.ndarray, order: np.ndarray, starts: np.ndarray) -> BitSpace:  # noqa: ARG002 (no need)
        """Lay out some rows."""
        source = ValuesSource(values, self._is_name)
        return BitSpace(source, Survey(source), order)


@dataclass(frozen=True)
class Question:
    """Drawn rows as bits."""

    sought: Sought
    words: np.ndarray  # uint64 (n_planes, n_words, n_drawn)


def find_near(stack: Blocks, question: Question) -> Near:
    """Find the rows of a stack that may be near the drawn rows."""
    from fewest.kernels.near_rows import near_rows

    sought = question.sought
    n_drawn = len(sought.numbers)
    bounds = np.full((n_drawn, sought.n_pools), np.iinfo(np.int32).max - 1, dtype=np.int32)
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


def rows_as_words(block: Block, n_planes: int) -> np.ndarray:
    """Turn the columns of a block into rows of bits, (n_planes, n_words, n_rows)."""
    codes = np.empty((block.n_rows, len(block.planes)), dtype=np.uint8)
    for f in range(len(block.planes)):
        codes[:, f] = block.codes(f)
    return as_words(codes, n_planes)


def as_words(codes: np.ndarray, n_planes: int) -> np.ndarray:
    """Return rows of small codes as bits, (n_planes, n_words, n_rows)."""
    return np.stack([pack((codes >> plane & 1).astype(bool)) for plane in range(n_planes)])
