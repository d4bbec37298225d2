"""The nearest rows of each class where all features are Boolean and each row counts once (see `layout`).

The distances of a sampled row are bit planes, 256 rows a vector (see `bit_sliced_distances`), and no distance is ever
written out. How far the k-th row is shows bit by bit, from the highest: if k rows have a zero there, the others are too
far; else those are nearer than the k-th, and the search goes on among the others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.kernels.compiled import compiled, compiled_in_place
from fewest.kernels.intrinsics import lowest_bit, popcount
from fewest.relief.kernels.bit_sliced_distances import near_of_words
from fewest.relief.kernels.layout import DISTANCE_BITS, GROUP, LANES, ROWS_A_VECTOR, VECTOR_WORDS
from fewest.relief.kernels.nearest_neighbors import choose_among_ties, pool_of


class SlicedDistances(NamedTuple):
    """The distances of all rows from one sampled row, and which rows of a pool can be its neighbors."""

    words: np.ndarray  # uint64 (vectors, VECTOR_WORDS): bit k of lane l of vector v is in words[v, k * LANES + l]
    n_bits: int  # the bits above are zeros
    sure: np.ndarray  # uint64 (vectors, LANES): a bit a row, set for those nearer than the k-th
    tied: np.ndarray  # uint64 (vectors, LANES): those that may be as near as the k-th


@compiled
def nearest_by_planes(planes, sampled, rows, rule, found):
    """Find neighbors by Boolean features; return for how many of the sampled rows there was room.

    Parameters
    ----------
    planes : uint64 array of shape (n_vectors, n_planes, LANES)
        Bit r of lane l of vector v is row 256 v + 64 l + r. Planes are padded to whole groups and rows to whole vectors
        with zeros; rows that are not there are in no range of rows, and so in no pool.
    sampled : Sampled
    rows : Rows
        Each of weight 1.
    rule : Rule
    found : Neighbors
        Filled.
    """
    n_vectors, n_planes = planes.shape[:2]
    flips, nowhere = np.empty(n_planes, np.uint64), np.zeros(DISTANCE_BITS, np.uint64)
    n_bits = 1
    while n_planes >> n_bits:
        n_bits += 1
    masks = np.empty((2, n_vectors, LANES), np.uint64)
    distances = SlicedDistances(np.empty((n_vectors, VECTOR_WORDS), np.uint64), n_bits, masks[0], masks[1])
    for s in range(len(sampled.rows)):
        if len(found.rows) - found.starts[s] < len(rows.class_of):
            return s
        _set_flips(planes, sampled.rows[s], flips)
        for v in range(n_vectors):
            # Both arrays are contiguous: a vector of planes is n_planes * LANES words of 8 bytes.
            columns, into = (
                planes.ctypes.data + 8 * LANES * n_planes * v,
                distances.words.ctypes.data + 8 * VECTOR_WORDS * v,
            )
            near_of_words(columns, 8 * LANES, (0, n_planes // GROUP), flips.ctypes.data, nowhere.ctypes.data, into)
        _find(distances, s, sampled, rows, rule, found)
    return len(sampled.rows)


@compiled_in_place
def _set_flips(planes, i, flips):
    """Write, for every feature, a word of ones if a row has it, else of zeros."""
    v, lane, bit = i // (ROWS_A_VECTOR), i // 64 % LANES, np.uint64(i % 64)
    for f in range(len(flips)):
        flips[f] = np.uint64(0) - (planes[v, f, lane] >> bit & np.uint64(1))


@compiled_in_place
def _find(distances, s, sampled, rows, rule, found):
    """Find the neighbors of one sampled row: none at all unless it has some of its own class and some of another."""
    i = sampled.rows[s]
    n_classes, own_class = len(rows.starts) - 1, np.int64(rows.class_of[i])
    at, seed = found.starts[s], sampled.seeds[s]
    n_hits = np.int64(0)
    for number in range(2 if rule.pools_misses else n_classes):
        ranges, is_hit = pool_of(rows.starts, own_class, number, rule.pools_misses)
        vectors = _enter(ranges, distances)
        _leave(rows, i, rule.skips_identical, distances.tied)
        before = at
        at, seed = _nearest(distances, vectors, rule, found, at, seed)
        n_hits += at - before if is_hit else 0
    n_misses = at - found.starts[s] - n_hits
    is_complete = n_hits > 0 and (n_misses > 0 or n_classes == 1)
    found.starts[s + 1] = at if is_complete else found.starts[s]


@compiled_in_place
def _enter(ranges, distances):
    """Begin with the rows of a pool: none is near for sure, all may be. Return the vectors that hold them."""
    start = ranges[0] if ranges[0] < ranges[1] else ranges[2]
    first, end = start // ROWS_A_VECTOR, -(-max(ranges[1], ranges[3]) // ROWS_A_VECTOR)
    for v in range(first, end):
        for lane in range(LANES):
            row = 64 * (LANES * v + lane)
            distances.sure[v, lane] = 0
            distances.tied[v, lane] = _between(ranges[0] - row, ranges[1] - row) | _between(
                ranges[2] - row, ranges[3] - row
            )
    return first, end


@compiled_in_place
def _between(start, stop):
    """Return a word of ones from bit ``start`` to bit ``stop``, both cut off to 0 and 64; shifts are below 64."""
    start, stop = max(start, 0), min(stop, 64)
    if start >= stop:
        return np.uint64(0)
    return (~np.uint64(0) << np.uint64(start)) & (~np.uint64(0) >> np.uint64(64 - stop))


@compiled_in_place
def _leave(rows, i, with_duplicates, tied):
    """Take a row, or all rows at distance 0 from it, out of the neighbors."""
    _clear(tied, i)
    t = rows.duplicate_of[i]
    if with_duplicates and t >= 0:
        for e in range(rows.duplicate_starts[t], rows.duplicate_starts[t + 1]):
            _clear(tied, rows.duplicates[e])


@compiled_in_place
def _clear(mask, row):
    mask[row // (ROWS_A_VECTOR), row // 64 % LANES] &= ~(np.uint64(1) << np.uint64(row % 64))


@compiled_in_place
def _nearest(distances, vectors, rule, found, at, seed):
    """Append the nearest rows of a pool, those tied with the last one at the end, with weights that sum to 1."""
    sure, tied = distances.sure, distances.tied
    n_rows = np.int64(0)
    for v in range(vectors[0], vectors[1]):
        for lane in range(LANES):
            n_rows += np.int64(popcount(tied[v, lane]))
    wanted = min(np.int64(rule.k), n_rows)
    if wanted == 0:
        return at, seed
    n_places = _part(distances, vectors, wanted)
    middle = _gather(sure, vectors, found.rows, at)
    stop = _gather(tied, vectors, found.rows, middle)
    weight, share = np.float32(1 / wanted), np.float32(n_places / (stop - middle) / wanted)
    if rule.is_random:
        share = weight
        stop, seed = choose_among_ties(found, middle, stop, np.float64(n_places), seed)
    for e in range(at, middle):
        found.weights[e] = weight
    for e in range(middle, stop):
        found.weights[e] = share
    return stop, seed


@compiled_in_place
def _part(distances, vectors, wanted):
    """Part those nearer than the last of so many rows from those as far; return how many of these are wanted."""
    words, sure, tied = distances.words, distances.sure, distances.tied
    for k in range(LANES * (distances.n_bits - 1), -1, -LANES):
        n_zeros = np.int64(0)
        for v in range(vectors[0], vectors[1]):
            for lane in range(LANES):
                n_zeros += np.int64(popcount(tied[v, lane] & ~words[v, k + lane]))
        # Which of the two it is cannot be foreseen: no branch, but a word of ones or zeros.
        is_zero = np.uint64(0) - np.uint64(n_zeros >= wanted)
        wanted -= n_zeros * np.int64(n_zeros < wanted)
        for v in range(vectors[0], vectors[1]):
            for lane in range(LANES):
                bits = words[v, k + lane]
                sure[v, lane] |= tied[v, lane] & ~bits & ~is_zero
                tied[v, lane] &= bits ^ is_zero
    return wanted


@compiled_in_place
def _gather(mask, vectors, found, at):
    """Append the rows of a mask, in their order."""
    for v in range(vectors[0], vectors[1]):
        for lane in range(LANES):
            left = mask[v, lane]
            while left:
                found[at] = 64 * (LANES * v + lane) + lowest_bit(left)
                left &= left - np.uint64(1)
                at += 1
    return at


@compiled
def fill_planes(words, planes):
    """Fill vectors of bit planes, (n_vectors, n_planes, LANES), from rows of bits, (n_words, n_rows).

    ``words[w, r]`` holds the features 64 w to 64 w + 63 of row r: 64 rows of it are a square of bits, which is
    transposed. Rows that make no whole square are padded with zeros, and planes beyond the features are left alone.
    """
    n_words, n_rows = words.shape
    n_planes = planes.shape[1]
    square = np.empty(64, np.uint64)
    for w in range(n_words):
        for first in range(0, n_rows, 64):
            for r in range(64):
                square[r] = words[w, first + r] if first + r < n_rows else np.uint64(0)
            _transpose(square)
            for f in range(64 * w, min(64 * w + 64, n_planes)):
                planes[first // ROWS_A_VECTOR, f, first // 64 % LANES] = square[f - 64 * w]


@compiled_in_place
def _transpose(square):
    """Exchange rows and columns of 64 words of 64 bits: quarters first, then quarters of these.

    Before each step ``low`` marks the lower half of every run of 2 * width bits; exchanging the upper half of one word
    with the lower half of the word ``width`` rows further on, by three XORs, transposes the squares of that size.
    """
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
