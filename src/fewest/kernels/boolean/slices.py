"""From examples to columns and counts: what splitting by each feature would do."""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled

# Byte b of _SPREAD[x] is bit b of x, so that adding such words counts eight features at once.
_SPREAD = np.array([sum((x >> b & 1) << (8 * b) for b in range(8)) for x in range(256)], dtype=np.uint64)
# No byte may overflow.
_MOST_ADDED = 255


@compiled
def transposed(block):
    """Transpose a matrix of eight by eight bits, a byte a row (Warren, Hacker's Delight, 7-3)."""
    moved = (block ^ (block >> np.uint64(7))) & np.uint64(0x00AA00AA00AA00AA)
    block ^= moved ^ (moved << np.uint64(7))
    moved = (block ^ (block >> np.uint64(14))) & np.uint64(0x0000CCCC0000CCCC)
    block ^= moved ^ (moved << np.uint64(14))
    moved = (block ^ (block >> np.uint64(28))) & np.uint64(0x00000000F0F0F0F0)
    return block ^ moved ^ (moved << np.uint64(28))


@compiled
def add_to_columns(rows, first_bit, columns):
    """Write rows into columns: bit ``first_bit`` + i of column b is bit b of row i. At most 64 bits are used."""
    byte = np.uint64(255)
    n_features = len(columns)
    for start in range(0, len(rows), 8):
        low = high = np.uint64(0)
        for i in range(start, min(start + 8, len(rows))):
            shift = np.uint64(8 * (i - start))
            row = np.uint64(rows[i])
            low |= (row & byte) << shift
            high |= (row >> np.uint64(8)) << shift
        shift = np.uint64(first_bit + start)
        low = transposed(low)
        for b in range(min(n_features, 8)):
            columns[b] |= (low & byte) << shift
            low >>= np.uint64(8)
        if n_features > 8:
            high = transposed(high)
            for b in range(8, n_features):
                columns[b] |= (high & byte) << shift
                high >>= np.uint64(8)


@compiled
def count_ones(rows, counts):
    """Count, for every feature, the rows in which it is 1."""
    counts[:] = 0
    byte = np.uint64(255)
    for start in range(0, len(rows), _MOST_ADDED):
        low = high = np.uint64(0)
        for i in range(start, min(start + _MOST_ADDED, len(rows))):
            row = np.int64(rows[i])
            low += _SPREAD[row & 255]
            high += _SPREAD[row >> 8]
        for b in range(8):
            counts[b] += np.int64((low >> np.uint64(8 * b)) & byte)
            counts[8 + b] += np.int64((high >> np.uint64(8 * b)) & byte)


@compiled
def split(rows, feature, scratch):
    """Move the rows with a 0 in front of those with a 1, in place; return how many they are."""
    n_zeros = n_ones = 0
    for i in range(len(rows)):
        row = rows[i]
        is_one = (np.int64(row) >> feature) & 1
        rows[n_zeros] = row  # never ahead of i; what is not counted is overwritten
        scratch[n_ones] = row
        n_zeros += 1 - is_one
        n_ones += is_one
    for i in range(n_ones):
        rows[n_zeros + i] = scratch[i]
    return n_zeros
