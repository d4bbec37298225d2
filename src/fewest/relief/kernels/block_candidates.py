"""Rows that may be among the nearest of drawn rows, found block by block.

A row that is farther than the k nearest of its block is none of the k nearest
of all. What is left is little, and among it the nearest are found as usual.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled
from fewest.relief.kernels.nearest_neighbors import count_differences

LOT = 32
# Two pools are the own class and all others.
POOLED = 2


@compiled
def near_rows(words, rows, drawn, k, skips_equal, bounds, found):
    """Collect the rows of a block that are as near as the k nearest known so far.

    Parameters
    ----------
    words : uint64 array of shape (n_planes, n_words, n_rows)
        The rows, as bits.
    rows : tuple of (int64 array, int64 array)
        Their numbers among all rows, and their classes.
    drawn : tuple of (uint64 array of shape (n_planes, n_words, n_drawn), int64 array, int64 array)
        The drawn rows, their numbers, and their classes.
    k : int
    skips_equal : bool
        Whether rows at distance 0 are no neighbours; a drawn row never is its own.
    bounds : int32 array of shape (n_drawn, n_pools)
        How far the k-th nearest is, as far as known. Two pools are the drawn row's class and all others, more are
        a class each. Updated.
    found : int64 array of shape (most, 4)
        Filled with drawn row (by position), pool, distance and number.

    Returns
    -------
    n_found, n_done : int
        How many rows were found, for how many drawn rows; the rest found no room.
    """
    n_rows, n_pools = words.shape[2], bounds.shape[1]
    distances = np.empty(-(-n_rows // LOT) * LOT, np.int32)
    distances[n_rows:] = np.iinfo(np.int32).max
    farthest = 64 * words.shape[1]
    counts = np.zeros((n_pools, farthest + 1), np.int64)
    n_found = 0
    for s in range(len(drawn[1])):
        if len(found) - n_found < n_rows:
            return n_found, s
        count_differences(words, drawn[0], s, distances[:n_rows])
        first, n_found = n_found, _collect(distances, rows, drawn, s, skips_equal, bounds, found, n_found)
        for e in range(first, n_found):
            counts[found[e, 1], found[e, 2]] += 1
        for pool in range(n_pools):
            total = 0
            for d in range(min(farthest, bounds[s, pool]) + 1):
                total += counts[pool, d]
                if total >= k:
                    bounds[s, pool] = d
                    break
        kept = first
        for e in range(first, n_found):
            counts[found[e, 1], found[e, 2]] = 0
            if found[e, 2] <= bounds[s, found[e, 1]]:
                found[kept] = found[e]
                kept += 1
        n_found = kept
    return n_found, len(drawn[1])


@compiled
def _collect(distances, rows, drawn, s, skips_equal, bounds, found, n_found):
    """Note the rows within the bounds; most lots of rows hold none, which their minimum tells."""
    numbers, classes = rows
    own, is_pooled = drawn[2][s], bounds.shape[1] == POOLED
    farthest = bounds[s].max()
    for begin in range(0, len(distances), LOT):
        lot = distances[begin : begin + LOT]
        least = lot[0]
        for j in range(LOT):
            least = min(least, lot[j])
        if least > farthest:
            continue
        for j in range(begin, min(begin + LOT, len(numbers))):
            d = distances[j]
            if d > farthest or (d == 0 and skips_equal) or numbers[j] == drawn[1][s]:
                continue
            pool = np.int64(classes[j] != own) if is_pooled else classes[j]
            if d <= bounds[s, pool]:
                found[n_found, 0], found[n_found, 1], found[n_found, 2], found[n_found, 3] = s, pool, d, numbers[j]
                n_found += 1
    return n_found
