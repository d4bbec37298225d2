"""Rows of bits turned into columns of bits, a square of 64 by 64 at a time."""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled, compiled_in_place
from fewest.relief.kernels.bit_sliced_distances import LANES


@compiled
def columns_of_rows(words, planes):
    """Fill the vectors of `sliced_counts`, (n_vectors, n_planes, LANES), from words of features, (n_words, n_rows)."""
    n_words, n_rows = words.shape
    n_planes = planes.shape[1]
    square = np.empty(64, np.uint64)
    for w in range(n_words):
        for first in range(0, n_rows, 64):
            for r in range(64):
                square[r] = words[w, first + r] if first + r < n_rows else np.uint64(0)
            turn(square)
            for f in range(64 * w, min(64 * w + 64, n_planes)):
                planes[first // (64 * LANES), f, first // 64 % LANES] = square[f - 64 * w]


@compiled_in_place
def turn(square):
    """Exchange rows and columns of 64 words: quarters first, then quarters of these."""
    width, low = 32, np.uint64(0x00000000FFFFFFFF)
    while width:
        shift = np.uint64(width)
        for begin in range(0, 64, 2 * width):
            for r in range(begin, begin + width):
                moved = ((square[r] >> shift) ^ square[r + width]) & low
                square[r] ^= moved << shift
                square[r + width] ^= moved
        width //= 2
        low ^= low << np.uint64(width)
