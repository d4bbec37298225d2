"""Rows as bits, for features with few values and none missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext

import numpy as np

from fewest.kernels.bits import n_words, pack, transposed
from fewest.relief.kernels.layout import Draw, Found, Rows, Rule
from fewest.relief.layout import BLOCK_DIFFERENCES, MOST_DRAWN, parts, room, twins_of
from fewest.relief.rows import Source, Survey


class BitSpace:
    """Features with few values and none missing: 64 are compared at a time."""

    _multiple = 1  # rows are laid out as many at a time, or a multiple of that

    def __init__(self, source: Source, survey: Survey, order: np.ndarray):
        self.n_rows, self._n_features = source.n_rows, len(source.is_name)
        self.block_size = self.size_of_blocks(self._n_features)
        n_planes = max(1, int(survey.high[source.is_name].max(initial=1)).bit_length())
        self._by_row = np.empty((self.n_rows, n_planes, n_words(self._n_features)), dtype=np.uint64)
        at = 0
        for codes in self._codes(source, survey, order):
            words = np.stack([pack(codes if n_planes == 1 else codes >> plane & 1) for plane in range(n_planes)])
            self._by_row[at : at + len(codes)] = transposed(np.ascontiguousarray(words.transpose(2, 0, 1)))
            self._put(at, words)
            at += len(codes)

    def _put(self, start: int, words: np.ndarray) -> None:
        """Lay out some rows for the search, given as words (planes, words, rows)."""
        if start == 0:
            self._words = np.empty((*words.shape[:2], self.n_rows), dtype=np.uint64)
        self._words[:, :, start : start + words.shape[2]] = words

    @staticmethod
    def size_of_blocks(n_features: int) -> int:
        """Return how many drawn rows make a block."""
        return max(1, min(MOST_DRAWN, BLOCK_DIFFERENCES // max(1, n_features)))

    def _codes(self, source: Source, survey: Survey, order: np.ndarray) -> Iterator[np.ndarray]:
        """Yield rows as codes; of the two values of a number, the higher is 1."""
        is_number = ~source.is_name
        for rows in parts(order, len(source.is_name), self._multiple):
            block = source.block(rows)
            if block.dtype == np.uint8 and is_number.all() and (survey.high <= 1).all():
                yield block
            else:
                yield np.where(is_number, block == survey.high, block).astype(np.uint8)

    def products(self, n_drawn: int, n_threads: int) -> AbstractContextManager[None]:  # noqa: ARG002 (no need)
        """Return what to compute in: bits are not multiplied."""
        return nullcontext()

    def nearest(self, draw: Draw, rows: Rows, rule: Rule) -> tuple[Found, int]:
        """Count differing bits."""
        from fewest.relief.kernels.nearest_neighbors import nearest_by_bits

        found = room(draw, rows, rule)
        return found, nearest_by_bits(self._words, draw, rows, rule, found)

    def differences(self, drawn: np.ndarray, found: Found, is_squared: bool) -> np.ndarray:  # noqa: ARG002 (0, 1)
        """Sum differing bits; their squares are the same."""
        from fewest.relief.kernels.weighted_differences import differences_of_bits

        sums = np.zeros((len(drawn), 64 * self._by_row.shape[2]), dtype=np.float32)
        differences_of_bits(self._by_row, drawn, found, sums)
        return sums[:, : self._n_features]

    def twins(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Find equal rows."""
        return twins_of(self._by_row.reshape(self.n_rows, -1), np.ones(self.n_rows, dtype=bool))
