"""The nearest rows of each class where all features are truths and each row counts once (see `neighbours`).

The distances of a drawn row are digits, 256 rows a vector (see
`sliced_counts`), and no distance is ever written out. How far the k-th row is
shows digit by digit, from the highest: if k rows have a zero there, the others
are too far; else those are nearer than the k-th, and the search goes on among the others.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled, compiled_in_place
from fewest.kernels.intrinsics import lowest_bit, popcount
from fewest.relief.kernels.bit_sliced_distances import DIGITS, GROUP, LANES, near_of_words
from fewest.relief.kernels.pools import draw_lots, pool_of

# Words that `sliced_counts` writes for a vector of rows: the digits, and one more.
WIDTH = (DIGITS + 1) * LANES


@compiled
def nearest_by_truths(planes, draw, rows, rule, found):
    """Find neighbours; return for how many of the drawn rows there was room.

    Parameters
    ----------
    planes : uint64 array of shape (n_vectors, n_planes, LANES)
        The columns, as many as make whole groups.
    draw : Draw
    rows : Rows
        Each of weight 1.
    rule : Rule
    found : Found
        Filled.
    """
    n_vectors, n_planes = planes.shape[:2]
    flips, nowhere = np.empty(n_planes, np.uint64), np.zeros(DIGITS, np.uint64)
    n_digits = 1
    while n_planes >> n_digits:
        n_digits += 1
    digits, masks = np.empty((n_vectors, WIDTH), np.uint64), np.empty((2, n_vectors, LANES), np.uint64)
    for s in range(len(draw.rows)):
        if len(found.rows) - found.starts[s] < len(rows.class_of):
            return s
        _set_flips(planes, draw.rows[s], flips)
        for v in range(n_vectors):
            columns, into = planes.ctypes.data + 8 * LANES * n_planes * v, digits.ctypes.data + 8 * WIDTH * v
            near_of_words(columns, 8 * LANES, 0, n_planes // GROUP, flips.ctypes.data, nowhere.ctypes.data, into)
        _find(digits, n_digits, masks, s, draw, rows, rule, found)
    return len(draw.rows)


@compiled_in_place
def _set_flips(planes, i, flips):
    """Write a word of ones for every feature that a row has."""
    v, lane, bit = i // (64 * LANES), i // 64 % LANES, np.uint64(i % 64)
    for f in range(len(flips)):
        flips[f] = np.uint64(0) - (planes[v, f, lane] >> bit & np.uint64(1))


@compiled_in_place
def _find(digits, n_digits, masks, s, draw, rows, rule, found):
    """Find the neighbours of one drawn row: none at all unless it has some of its own class and some of another."""
    i = draw.rows[s]
    n_classes, own = len(rows.starts) - 1, np.int64(rows.class_of[i])
    at, seed = found.starts[s], draw.seeds[s]
    n_hits = np.int64(0)
    for number in range(2 if rule.pools_misses else n_classes):
        ranges, is_hit = pool_of(rows.starts, own, number, rule.pools_misses)
        vectors = _enter(ranges, masks)
        _leave(rows, i, rule.skips_twins, masks[1])
        before = at
        at, seed = _nearest(digits, n_digits, masks, vectors, rule, found, at, seed)
        n_hits += at - before if is_hit else 0
    n_misses = at - found.starts[s] - n_hits
    is_complete = n_hits > 0 and (n_misses > 0 or n_classes == 1)
    found.starts[s + 1] = at if is_complete else found.starts[s]


@compiled_in_place
def _enter(ranges, masks):
    """Begin with the rows of a pool: none is near for sure, all may be. Return the vectors that have them."""
    start = ranges[0] if ranges[0] < ranges[1] else ranges[2]
    first, end = start // (64 * LANES), -(-max(ranges[1], ranges[3]) // (64 * LANES))
    for v in range(first, end):
        for lane in range(LANES):
            row = 64 * (LANES * v + lane)
            masks[0, v, lane] = 0
            masks[1, v, lane] = _between(ranges[0] - row, ranges[1] - row) | _between(ranges[2] - row, ranges[3] - row)
    return first, end


@compiled_in_place
def _between(start, stop):
    """Return a word whose bits from one to another are ones."""
    start, stop = max(start, 0), min(stop, 64)
    if start >= stop:
        return np.uint64(0)
    return (~np.uint64(0) << np.uint64(start)) & (~np.uint64(0) >> np.uint64(64 - stop))


@compiled_in_place
def _leave(rows, i, with_twins, tied):
    """Take a row, or all rows at distance 0 from it, out of the neighbours."""
    _clear(tied, i)
    t = rows.twin_of[i]
    if with_twins and t >= 0:
        for e in range(rows.twin_starts[t], rows.twin_starts[t + 1]):
            _clear(tied, rows.twins[e])


@compiled_in_place
def _clear(mask, row):
    mask[row // (64 * LANES), row // 64 % LANES] &= ~(np.uint64(1) << np.uint64(row % 64))


@compiled_in_place
def _nearest(digits, n_digits, masks, vectors, rule, found, at, seed):
    """Append the nearest rows of a pool, those tied with the last one at the end, with weights that sum to 1."""
    sure, tied = masks[0], masks[1]
    n_rows = np.int64(0)
    for v in range(vectors[0], vectors[1]):
        for lane in range(LANES):
            n_rows += np.int64(popcount(tied[v, lane]))
    wanted = min(np.int64(rule.k), n_rows)
    if wanted == 0:
        return at, seed
    n_places = _part(digits, n_digits, sure, tied, vectors, wanted)
    middle = _gather(sure, vectors, found.rows, at)
    stop = _gather(tied, vectors, found.rows, middle)
    weight, share = np.float32(1 / wanted), np.float32(n_places / (stop - middle) / wanted)
    if rule.draws_lots:
        share = weight
        stop, seed = draw_lots(found, middle, stop, np.float64(n_places), seed)
    for e in range(at, middle):
        found.weights[e] = weight
    for e in range(middle, stop):
        found.weights[e] = share
    return stop, seed


@compiled_in_place
def _part(digits, n_digits, sure, tied, vectors, wanted):
    """Part those nearer than the last of so many rows from those as far; return how many of these are wanted."""
    for k in range(LANES * (n_digits - 1), -1, -LANES):
        n_zeros = np.int64(0)
        for v in range(vectors[0], vectors[1]):
            for lane in range(LANES):
                n_zeros += np.int64(popcount(tied[v, lane] & ~digits[v, k + lane]))
        # Which of the two it is cannot be foreseen: no branch, but a word of ones or zeros.
        is_zero = np.uint64(0) - np.uint64(n_zeros >= wanted)
        wanted -= n_zeros * np.int64(n_zeros < wanted)
        for v in range(vectors[0], vectors[1]):
            for lane in range(LANES):
                digit = digits[v, k + lane]
                sure[v, lane] |= tied[v, lane] & ~digit & ~is_zero
                tied[v, lane] &= digit ^ is_zero
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
