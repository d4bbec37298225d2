"""Candidate neighbors of sampled rows, found block by block.

A row that is farther than the k nearest of its block is none of the k nearest of all. What is left is little, and among
it the nearest are found as usual.

All three searches write what they find into ``found``, an int64 array of shape (most, 4): sampled row (by its
position), pool, distance (an int32, see `layout.FAR`) and the number of the row. Two pools are the sampled row's own
class and all others; more are one class each.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.kernels.compiled import compiled, compiled_in_place
from fewest.kernels.intrinsics import bits_of_float, float_of_bits, lowest_bit
from fewest.relief.kernels.bit_sliced_distances import near_of_words
from fewest.relief.kernels.layout import (
    DISTANCE_BITS,
    GROUP,
    LANES,
    VECTOR_WORDS,
    BitRows,
    MeasuredRows,
    Nearest,
    Place,
)
from fewest.relief.kernels.nearest_neighbors import count_differences
from fewest.relief.kernels.smallest_distances import kth_smallest

# Distances whose minimum is taken together: most such runs hold no candidate.
RUN = 32
# Two pools are the own class and all others.
POOLED = 2
# The share of the features after which most rows are known to be too far.
FIRST = 0.75


class Search(NamedTuple):
    """What is sought in which block, and where it is written."""

    rows: BitRows | MeasuredRows
    sampled: BitRows | MeasuredRows
    nearest: Nearest
    found: np.ndarray  # int64 (most, 4)


@compiled
def candidates_by_bits(rows, sampled, nearest, bounds, found):
    """Collect the rows of a block that are as near as the k nearest known so far, by the number of differing features.

    Parameters
    ----------
    rows, sampled : BitRows
        Words of shape (n_planes, n_words, n_rows): bit b of word w of plane p is bit p of the code of feature 64 w + b,
        and features that make no whole word are padded with zeros.
    nearest : Nearest
    bounds : int32 array of shape (n_sampled, n_pools)
        The distance of the k-th nearest, as far as known. Updated.
    found : int64 array of shape (most, 4)
        Filled.

    Returns
    -------
    n_found, n_done : int
        How many rows were found, for how many sampled rows; the rest found no room.
    """
    words, n_rows, n_pools = rows.words, rows.words.shape[2], bounds.shape[1]
    distances = np.empty(-(-n_rows // RUN) * RUN, np.int32)  # whole runs; the padding is farther than any row
    distances[n_rows:] = np.iinfo(np.int32).max
    farthest = 64 * words.shape[1]
    counts = np.zeros((n_pools, farthest + 1), np.int64)
    search, n_found = Search(rows, sampled, nearest, found), 0
    for s in range(len(sampled.numbers)):
        if len(found) - n_found < n_rows:
            return n_found, s
        count_differences(words, sampled.words, s, distances[:n_rows])
        first, n_found = n_found, _collect_counts(distances, search, s, bounds[s], n_found)
        for e in range(first, n_found):
            counts[found[e, 1], found[e, 2]] += 1
        for pool in range(n_pools):
            total = 0
            for d in range(min(farthest, bounds[s, pool]) + 1):
                total += counts[pool, d]
                if total >= nearest.k:
                    bounds[s, pool] = d
                    break
        kept = first
        for e in range(first, n_found):
            counts[found[e, 1], found[e, 2]] = 0
            if found[e, 2] <= bounds[s, found[e, 1]]:
                found[kept] = found[e]
                kept += 1
        n_found = kept
    return n_found, len(sampled.numbers)


@compiled
def _collect_counts(distances, search, s, bounds, n_found):
    """Write the rows within the bounds of one sampled row."""
    rows, sampled = search.rows, search.sampled
    own, is_pooled = sampled.classes[s], len(bounds) == POOLED
    farthest = bounds.max()
    for begin in range(0, len(distances), RUN):
        run = distances[begin : begin + RUN]
        least = run[0]
        for j in range(RUN):
            least = min(least, run[j])
        if least > farthest:
            continue
        for j in range(begin, min(begin + RUN, len(rows.numbers))):
            d = distances[j]
            if d > farthest or (d == 0 and search.nearest.skips_identical) or rows.numbers[j] == sampled.numbers[s]:
                continue
            pool = np.int64(rows.classes[j] != own) if is_pooled else rows.classes[j]
            if d <= bounds[pool]:
                _write(search.found, n_found, s, pool, d, rows.numbers[j])
                n_found += 1
    return n_found


@compiled_in_place
def _write(found, at, s, pool, distance, number):
    found[at, 0], found[at, 1], found[at, 2], found[at, 3] = s, pool, distance, number


@compiled
def candidates_by_planes(rows, sampled, nearest, best, found, place):
    """Collect the rows of a block that are as near as the k nearest known so far, where all features are Boolean.

    Parameters
    ----------
    rows : BitRows
        Words of shape (n_tiles, n_planes, n_words): the bit planes of the features, 64 rows a word, cut into tiles that
        stay close to the processor while all sampled rows go by. Planes are padded to whole groups and words to whole
        vectors, with zeros; the bits of rows that are not there are ignored.
    sampled : BitRows
        Words of shape (n_sampled, n_planes): all ones where the row has the feature, all zeros where it has not, so
        that XOR with a plane marks the rows that differ. Zeros in the padding, so that it never differs.
    nearest : Nearest
    best : int32 array of shape (n_sampled, n_pools, k)
        The least distances so far, ascending. Updated.
    found : int64 array of shape (most, 4)
        Filled.
    place : Place
        The tile and the sampled row to begin with.

    Returns
    -------
    n_found : int
    place : Place
        Where to go on when there is room again.
    """
    planes = rows.words
    n_tiles, n_planes, n_words = planes.shape
    n_groups = n_planes // GROUP
    n_first = max(1, int(np.ceil(FIRST * n_groups)))
    limit, distances = np.empty(DISTANCE_BITS, np.uint64), np.empty(VECTOR_WORDS, np.uint64)
    search, n_found, s = Search(rows, sampled, nearest, found), 0, place.sampled
    for tile in range(place.tile, n_tiles):
        while s < len(sampled.numbers):
            if len(found) - n_found < 64 * n_words:
                return n_found, Place(tile, s)
            _set_limit(best[s], limit)
            flips, bound, into = sampled.words[s].ctypes.data, limit.ctypes.data, distances.ctypes.data
            for w in range(0, n_words, LANES):
                at = planes[tile].ctypes.data + 8 * w
                is_any = near_of_words(at, 8 * n_words, (0, n_first), flips, bound, into)
                if is_any and n_first < n_groups:
                    is_any = near_of_words(at, 8 * n_words, (n_first, n_groups), flips, bound, into)
                if is_any:
                    first = 64 * (tile * n_words + w)
                    n_found = _collect_sliced(distances, first, search, s, best[s], n_found)
                    _set_limit(best[s], limit)
            s += 1
        s = 0
    return n_found, Place(-1, -1)


@compiled_in_place
def _set_limit(best, limit):
    """Write the bits of the largest distance of any pool, the lowest first, each as a word of ones or of zeros."""
    farthest = np.int64(0)
    for pool in range(best.shape[0]):
        farthest = max(farthest, np.int64(best[pool, best.shape[1] - 1]))
    farthest = min(farthest, (1 << DISTANCE_BITS) - 1)
    for k in range(DISTANCE_BITS):
        limit[k] = np.uint64(0) - np.uint64(farthest >> k & 1)


@compiled_in_place
def _collect_sliced(distances, first, search, s, best, n_found):
    """Write the near rows of a vector, whose first row is ``first``, and keep the best distances sorted."""
    rows, sampled, is_pooled = search.rows, search.sampled, best.shape[0] == POOLED
    for lane in range(LANES):
        near = distances[DISTANCE_BITS * LANES + lane]
        while near:
            bit = lowest_bit(near)
            near &= near - np.uint64(1)
            j = first + 64 * lane + bit
            if j >= len(rows.classes) or rows.numbers[j] == sampled.numbers[s]:
                continue
            d = np.int64(0)
            for k in range(DISTANCE_BITS):
                d |= np.int64(distances[k * LANES + lane] >> np.uint64(bit) & np.uint64(1)) << k
            pool = np.int64(rows.classes[j] != sampled.classes[s]) if is_pooled else rows.classes[j]
            least = best[pool]
            if d > least[len(least) - 1] or (d == 0 and search.nearest.skips_identical):
                continue
            _write(search.found, n_found, s, pool, d, rows.numbers[j])
            n_found += 1
            place = len(least) - 1
            while place > 0 and least[place - 1] > d:
                least[place] = least[place - 1]
                place -= 1
            least[place] = min(np.int64(least[place]), d)
    return n_found


@compiled
def candidates_by_distance(products, rows, sampled, nearest, bounds, found):
    """Collect the rows of a block that are as near as the k nearest known so far, but for rounding.

    Parameters
    ----------
    products : float32 array of shape (n_sampled, n_rows)
        The squared distances but for the squared norms. Overwritten.
    rows, sampled : MeasuredRows
    nearest : Nearest
    bounds : Bounds
        Updated.
    found : int64 array of shape (most, 4)
        Filled; distances are the bits of floats.

    Returns
    -------
    n_found, n_done : int
        How many rows were found, for how many sampled rows; the rest found no room.
    """
    n_rows, n_pools = products.shape[1], bounds.distances.shape[1]
    scratch, limits = np.empty(n_rows, np.int32), np.empty(n_pools, np.int32)
    search, n_found = Search(rows, sampled, nearest, found), 0
    for s in range(len(products)):
        if len(found) - n_found < n_rows:
            return n_found, s
        own, kth = sampled.norms[s], bounds.distances[s]
        for j in range(n_rows):
            products[s, j] = max(np.float32(0), products[s, j] + (rows.norms[j] + own))
        _extend(kth, bounds.slack[s], limits)
        first = n_found
        n_found = _collect_floats(products[s].view(np.int32), search, s, limits, n_found)
        for pool in range(n_pools):
            n = 0
            for e in range(first, n_found):
                if found[e, 1] == pool:
                    scratch[n] = found[e, 2]
                    n += 1
            if n >= nearest.k:
                kth[pool] = min(kth[pool], kth_smallest(scratch, n, nearest.k))
        _extend(kth, bounds.slack[s], limits)
        kept = first
        for e in range(first, n_found):
            if found[e, 2] <= limits[found[e, 1]]:
                found[kept] = found[e]
                kept += 1
        n_found = kept
    return n_found, len(products)


@compiled_in_place
def _extend(bounds, slack, limits):
    """Write how far candidates may be: farther than the bounds by what rounding may do."""
    for pool in range(len(bounds)):
        limits[pool] = bits_of_float(float_of_bits(bounds[pool]) + slack)


@compiled_in_place
def _collect_floats(distances, search, s, limits, n_found):
    """Write the rows within the limits of one sampled row."""
    rows, sampled = search.rows, search.sampled
    own, is_pooled = sampled.classes[s], len(limits) == POOLED
    farthest = limits[0]
    for pool in range(1, len(limits)):
        farthest = max(farthest, limits[pool])
    for begin in range(0, len(distances), RUN):
        end = min(begin + RUN, len(distances))
        least = distances[begin]
        for j in range(begin, end):
            least = min(least, distances[j])
        if least > farthest:
            continue
        for j in range(begin, end):
            d = distances[j]
            if d > farthest or rows.numbers[j] == sampled.numbers[s]:
                continue
            pool = np.int64(rows.classes[j] != own) if is_pooled else rows.classes[j]
            if d > limits[pool] or (search.nearest.skips_identical and _is_identical(rows, j, sampled, s)):
                continue
            _write(search.found, n_found, s, pool, d, rows.numbers[j])
            n_found += 1
    return n_found


@compiled_in_place
def _is_identical(rows, j, sampled, s):
    """Return whether two rows are equal, and certain to be."""
    is_equal = rows.is_certain[j] and sampled.is_certain[s]
    column = 0
    while is_equal and column < rows.identities.shape[1]:
        is_equal = rows.identities[j, column] == sampled.identities[s, column]
        column += 1
    return is_equal
