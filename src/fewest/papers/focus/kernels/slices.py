"""From examples to columns and counts: what splitting by each feature would do."""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled_in_place

# Byte b of _SPREAD[x] is bit b of x, so that adding such words counts eight features at once.
_SPREAD = np.array([sum((x >> b & 1) << (8 * b) for b in range(8)) for x in range(256)], dtype=np.uint64)
# No byte may overflow.
_MOST_ADDED = 255


@compiled_in_place
def transposed(block):
    """Transpose a matrix of eight by eight bits, a byte a row (Warren, Hacker's Delight, 7-3)."""
    moved = (block ^ (block >> np.uint64(7))) & np.uint64(0x00AA00AA00AA00AA)
    block ^= moved ^ (moved << np.uint64(7))
    moved = (block ^ (block >> np.uint64(14))) & np.uint64(0x0000CCCC0000CCCC)
    block ^= moved ^ (moved << np.uint64(14))
    moved = (block ^ (block >> np.uint64(28))) & np.uint64(0x00000000F0F0F0F0)
    return block ^ moved ^ (moved << np.uint64(28))


@compiled_in_place
def add_to_columns(rows, start, stop, columns, first_bit):
    """Write a range of rows into columns: bit ``first_bit`` + i of column b is bit b of the i-th. 64 fit at most.

    Up to seven rows past the range are read, and ignored.
    """
    byte = np.uint64(255)
    n_features = len(columns)
    for block in range(start, stop, 8):
        low = high = np.uint64(0)
        for i in range(8):
            row = np.uint64(rows[block + i])
            low |= (row & byte) << np.uint64(8 * i)
            high |= (row >> np.uint64(8)) << np.uint64(8 * i)
        within = ~np.uint64(0) >> np.uint64(64 - 8 * min(8, stop - block))
        shift = np.uint64(first_bit + block - start)
        low = transposed(low & within)
        for b in range(min(n_features, 8)):
            columns[b] |= ((low >> np.uint64(8 * b)) & byte) << shift
        if n_features > 8:
            high = transposed(high & within)
            for b in range(8, n_features):
                columns[b] |= ((high >> np.uint64(8 * b - 64)) & byte) << shift


@compiled_in_place
def count_ones(rows, start, stop, counts):
    """Count, for every feature, the rows of a range in which it is 1."""
    byte = np.uint64(255)
    for b in range(16):
        counts[b] = 0
    for block in range(start, stop, _MOST_ADDED):
        low = high = np.uint64(0)
        for i in range(block, min(block + _MOST_ADDED, stop)):
            row = np.int64(rows[i])
            low += _SPREAD[row & 255]
            high += _SPREAD[row >> 8]
        for b in range(8):
            counts[b] += np.int64((low >> np.uint64(8 * b)) & byte)
            counts[8 + b] += np.int64((high >> np.uint64(8 * b)) & byte)


@compiled_in_place
def split(rows, start, stop, feature, scratch):
    """Move the rows of a range with a 0 in front of those with a 1; return where the latter start."""
    middle, n_ones = start, 0
    for i in range(start, stop):
        row = rows[i]
        is_one = (np.int64(row) >> feature) & 1
        rows[middle] = row  # never ahead of i; what is not counted is overwritten
        scratch[n_ones] = row
        middle += 1 - is_one
        n_ones += is_one
    for i in range(n_ones):
        rows[middle + i] = scratch[i]
    return middle
