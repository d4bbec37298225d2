"""The nearest rows of each class where all features are truths and each row counts once (see `neighbours`).

The distances of a drawn row are digits, 256 rows a vector (see
`sliced_counts`). Which rows are within a distance is then a few operations a
vector, and no distance is ever written out.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled, compiled_in_place
from fewest.kernels.pools import draw_lots, pool_of
from fewest.kernels.popcount import lowest_bit, popcount
from fewest.kernels.sliced_counts import DIGITS, GROUP, LANES, near_of_digits, near_of_words

# Bytes of the digits of a vector of rows, and what stands where a row cannot be a neighbour.
BYTES, FAR = 8 * LANES * (DIGITS + 1), (1 << DIGITS) - 1


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
    digits, flips = np.empty((n_vectors, (DIGITS + 1) * LANES), np.uint64), np.empty(n_planes, np.uint64)
    nowhere, guesses = np.zeros(DIGITS, np.uint64), np.zeros(len(rows.starts), np.int64)
    for s in range(len(draw.rows)):
        if len(found.rows) - found.starts[s] < len(rows.class_of):
            return s
        _set_flips(planes, draw.rows[s], flips)
        into, from_planes = digits.ctypes.data, planes.ctypes.data
        for v in range(n_vectors):
            near_of_words(
                from_planes + 8 * LANES * n_planes * v,
                8 * LANES,
                0,
                n_planes // GROUP,
                flips.ctypes.data,
                nowhere.ctypes.data,
                into + BYTES * v,
            )
        _find(digits, s, draw, rows, rule, found, guesses)
    return len(draw.rows)


@compiled_in_place
def _set_flips(planes, i, flips):
    """Write a word of ones for every feature that a row has."""
    v, lane, bit = i // (64 * LANES), i // 64 % LANES, np.uint64(i % 64)
    for f in range(len(flips)):
        flips[f] = np.uint64(0) - (planes[v, f, lane] >> bit & np.uint64(1))


@compiled_in_place
def _find(digits, s, draw, rows, rule, found, guesses):
    """Find the neighbours of one drawn row: none at all unless it has some of its own class and some of another."""
    i = draw.rows[s]
    t = rows.twin_of[i]
    _put_far(digits, i)
    if rule.skips_twins and t >= 0:
        for e in range(rows.twin_starts[t], rows.twin_starts[t + 1]):
            _put_far(digits, rows.twins[e])
    n_classes, own = len(rows.starts) - 1, np.int64(rows.class_of[i])
    at, seed = found.starts[s], draw.seeds[s]
    n_hits = np.int64(0)
    for number in range(2 if rule.pools_misses else n_classes):
        ranges, is_hit = pool_of(rows.starts, own, number, rule.pools_misses)
        before = at
        at, seed, guesses[number] = _nearest(digits, ranges, rule, found, at, seed, guesses[number])
        n_hits += at - before if is_hit else 0
    n_misses = at - found.starts[s] - n_hits
    is_complete = n_hits > 0 and (n_misses > 0 or n_classes == 1)
    found.starts[s + 1] = at if is_complete else found.starts[s]


@compiled_in_place
def _put_far(digits, row):
    v, lane, bit = row // (64 * LANES), row // 64 % LANES, np.uint64(row % 64)
    for k in range(DIGITS):
        digits[v, LANES * k + lane] |= np.uint64(1) << bit


@compiled_in_place
def _nearest(digits, ranges, rule, found, at, seed, guess):
    """Append the nearest rows of a pool, those tied with the last one at the end, with weights that sum to 1.

    Return how far that one is, from which the search for that of the next drawn row starts.
    """
    wanted = min(np.int64(rule.k), _n_within(digits, ranges, FAR - 1))
    if wanted == 0:
        return at, seed, guess
    last = _kth(digits, ranges, wanted, guess)
    middle = _gather(digits, ranges, 0, last - 1, found.rows, at)
    stop = _gather(digits, ranges, last, last, found.rows, middle)
    n_places = np.float64(wanted - (middle - at))
    share = n_places / (stop - middle)
    if rule.draws_lots:
        for e in range(middle, stop):
            found.weights[e] = 1
        share = 1.0
        stop, seed = draw_lots(found, middle, stop, n_places, seed)
    for e in range(at, stop):
        found.weights[e] = (1.0 if e < middle else share) / wanted
    return stop, seed, last


@compiled_in_place
def _kth(digits, ranges, k, guess):
    """Return the least distance within which there are k rows."""
    step, low, high = 1, np.int64(-1), guess
    while _n_within(digits, ranges, high) < k:
        low, high = high, min(high + step, FAR - 1)
        step *= 2
    step = 1
    while high - low > 1:
        # From above while nothing is known below, else half-way.
        middle = max(high - step, 0) if low < 0 else (low + high) // 2
        step *= 2
        if _n_within(digits, ranges, middle) >= k:
            high = middle
        else:
            low = middle
    return high


@compiled_in_place
def _n_within(digits, ranges, most):
    return _count(digits, ranges[0], ranges[1], most) + _count(digits, ranges[2], ranges[3], most)


@compiled_in_place
def _count(digits, start, stop, most):
    """Count the rows of a range that are within a distance."""
    total, address = np.int64(0), digits.ctypes.data
    for v in _vectors(start, stop):
        near_of_digits(address + BYTES * v, 0, most)
        for lane in range(LANES):
            total += np.int64(popcount(digits[v, DIGITS * LANES + lane] & _between(v * LANES + lane, start, stop)))
    return total


@compiled_in_place
def _between(word, start, stop):
    """Return the bits of a word that belong to rows of a range."""
    first, end = max(start - 64 * word, 0), min(stop - 64 * word, 64)
    if first >= end:
        return np.uint64(0)
    return (~np.uint64(0) << np.uint64(first)) & (~np.uint64(0) >> np.uint64(64 - end))


@compiled_in_place
def _gather(digits, ranges, least, most, found, at):
    """Append the rows of a pool between two distances, in their order."""
    if most < least:
        return at
    address = digits.ctypes.data
    for r in range(0, 4, 2):
        start, stop = ranges[r], ranges[r + 1]
        for v in _vectors(start, stop):
            near_of_digits(address + BYTES * v, least, most)
            for lane in range(LANES):
                word = v * LANES + lane
                near = digits[v, DIGITS * LANES + lane] & _between(word, start, stop)
                while near:
                    found[at] = 64 * word + lowest_bit(near)
                    near &= near - np.uint64(1)
                    at += 1
    return at


@compiled_in_place
def _vectors(start, stop):
    """Return the vectors that have rows of a range."""
    return range(start // (64 * LANES), -(-stop // (64 * LANES)) if start < stop else 0)
