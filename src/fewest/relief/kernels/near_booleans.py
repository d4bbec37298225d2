"""Rows that may be among the nearest of drawn rows, where all features are truths (see `near_rows`)."""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled, compiled_in_place
from fewest.kernels.intrinsics import lowest_bit
from fewest.relief.kernels.bit_sliced_distances import DIGITS, GROUP, LANES, near_of_words
from fewest.relief.kernels.block_candidates import POOLED

# The share of the features after which most rows have been found to be too far.
FIRST = 0.75


@compiled
def near_truths(planes, rows, drawn, skips_equal, best, found, place):
    """Collect the rows of a block that are as near as the k nearest known so far.

    Parameters
    ----------
    planes : uint64 array of shape (n_tiles, n_planes, n_words)
        The columns, as many as make whole groups, cut into tiles of as many words as make whole vectors. A tile is
        to stay close to the processor while all drawn rows go by.
    rows : tuple of (int, int64 array)
        The number of the first row, and the classes.
    drawn : tuple of (uint64 array of shape (n_drawn, n_planes), int64 array, int64 array)
        The drawn rows, a word of ones for every feature that they have, their numbers, and their classes.
    skips_equal : bool
        Whether rows at distance 0 are no neighbours; a drawn row never is its own.
    best : int32 array of shape (n_drawn, n_pools, k)
        The least distances so far, ascending; pools are those of `near_rows`. Updated.
    found : int64 array of shape (most, 4)
        Filled with drawn row (by position), pool, distance and number.
    place : tuple of (int, int)
        The tile of words and the drawn row to begin with.

    Returns
    -------
    n_found : int
    tile, s : int
        Where to go on when there is room again; -1 when all is done.
    """
    n_tiles, n_planes, n_words = planes.shape
    n_groups = n_planes // GROUP
    n_first = max(1, int(np.ceil(FIRST * n_groups)))
    limit, digits = np.empty(DIGITS, np.uint64), np.empty((DIGITS + 1) * LANES, np.uint64)
    n_found, s = 0, place[1]
    for tile in range(place[0], n_tiles):
        while s < len(drawn[1]):
            if len(found) - n_found < 64 * n_words:
                return n_found, tile, s
            _set_limit(best[s], limit)
            flips, bound, into = drawn[0][s].ctypes.data, limit.ctypes.data, digits.ctypes.data
            for w in range(0, n_words, LANES):
                at = planes[tile].ctypes.data + 8 * w
                is_any = near_of_words(at, 8 * n_words, 0, n_first, flips, bound, into)
                if is_any and n_first < n_groups:
                    is_any = near_of_words(at, 8 * n_words, n_first, n_groups, flips, bound, into)
                if is_any:
                    n_found = _note(
                        digits, 64 * (tile * n_words + w), rows, drawn, s, skips_equal, best, found, n_found
                    )
                    _set_limit(best[s], limit)
            s += 1
        s = 0
    return n_found, -1, -1


@compiled_in_place
def _set_limit(best, limit):
    """Write the digits of how far rows may be."""
    farthest = np.int64(0)
    for pool in range(best.shape[0]):
        farthest = max(farthest, np.int64(best[pool, best.shape[1] - 1]))
    farthest = min(farthest, (1 << DIGITS) - 1)
    for k in range(DIGITS):
        limit[k] = np.uint64(0) - np.uint64(farthest >> k & 1)


@compiled_in_place
def _note(digits, first, rows, drawn, s, skips_equal, best, found, n_found):
    """Note the near rows of a vector, and how near they are."""
    start, classes = rows
    is_pooled = best.shape[1] == POOLED
    for lane in range(LANES):
        near = digits[DIGITS * LANES + lane]
        while near:
            bit = lowest_bit(near)
            near &= near - np.uint64(1)
            j = first + 64 * lane + bit
            if j >= len(classes) or start + j == drawn[1][s]:
                continue
            d = np.int64(0)
            for k in range(DIGITS):
                d |= np.int64(digits[k * LANES + lane] >> np.uint64(bit) & np.uint64(1)) << k
            pool = np.int64(classes[j] != drawn[2][s]) if is_pooled else classes[j]
            nearest = best[s, pool]
            if d > nearest[len(nearest) - 1] or (d == 0 and skips_equal):
                continue
            found[n_found, 0], found[n_found, 1], found[n_found, 2], found[n_found, 3] = s, pool, d, start + j
            n_found += 1
            place = len(nearest) - 1
            while place > 0 and nearest[place - 1] > d:
                nearest[place] = nearest[place - 1]
                place -= 1
            nearest[place] = min(np.int64(nearest[place]), d)
    return n_found
