"""Sums of the weights of an example's features, the example being bits, as long as predictions are right.

Three ways, from the one that needs nothing to those that are worth preparing
for when no mistake is near. *All*: every weight whose bit is set. *Planes*: the
features of equal weight, where there are few different weights, are counted
together. *Digits*: all but the largest weights are rounded to whole numbers of
a unit, and for every binary digit the features that have it are counted
together; where the sum is so close to the bar that rounding can matter, all
weights are added up after all.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled, compiled_in_place, compiled_in_place_sum
from fewest.kernels.popcount import lowest_bit, popcount
from fewest.kernels.rules import ELIMINATED

# With more different weights than this, digits are counted instead.
MOST_PLANES = 6
# Digits of a rounded weight, the last of which is its sign; and how many weights, the largest, are not rounded.
DIGITS, HEAVY = 6, 16
# What floating-point sums may be wrong by, as a part of the sum of all weights.
ROUNDING = 1e-12


@compiled_in_place
def spread(weights, loads):
    """Copy the weights of features to where each word has 64 of them: bits beyond the features have none."""
    for i in range(len(loads)):
        loads[i] = weights[i] if i < len(weights) - 1 else 0.0


@compiled_in_place_sum
def sum_all(row, loads):
    """Add up the weights of the bits that are set, on vectors, in whatever order is fastest."""
    score = 0.0
    for w in range(len(row)):
        score += _sum_word(row[w], loads[64 * w : 64 * w + 64])
    return score


@compiled_in_place_sum
def _sum_word(word, loads):
    score = 0.0
    for k in range(64):
        score += loads[k] if np.int64(word << np.uint64(63 - k)) < 0 else 0.0
    return score


@compiled_in_place
def right_by_all(rows, truths, block, loads, base, bar, scores):
    """Predict the examples of a block; return the number of the first mistake, or where the block ends."""
    for t in range(block[0], block[1]):
        scores[t] = base + sum_all(rows[t], loads)
        if (scores[t] > bar) != truths[t]:
            return t
    return block[1]


@compiled
def planes_of(machine, n_words):
    """Return the features of equal weight, other than 0, as bits: (values, starts, words, bits).

    Plane p has the weight ``values[p]`` and, in ``words[starts[p] : starts[p + 1]]`` of an example, the ``bits``.
    More than `MOST_PLANES` planes are not made at all.
    """
    exponents, weights, _ = machine
    constant, lowest, highest = len(weights) - 1, np.int64(1 << 30), np.int64(ELIMINATED)
    for i in range(constant):
        if exponents[i] != ELIMINATED:
            lowest, highest = min(lowest, exponents[i]), max(highest, exponents[i])
    n_planes = min(max(0, highest - lowest + 1), MOST_PLANES + 1)
    values, starts = np.zeros(n_planes), np.zeros(n_planes + 1, dtype=np.int64)
    whole = np.zeros((n_planes, n_words if n_planes <= MOST_PLANES else 0), dtype=np.uint64)
    if n_planes <= MOST_PLANES:
        for i in range(constant):
            if exponents[i] != ELIMINATED:
                p = exponents[i] - lowest
                values[p] = weights[i]
                whole[p, i >> 6] |= np.uint64(1) << np.uint64(i & 63)
    words, bits, size = np.empty(whole.size, dtype=np.int64), np.empty(whole.size, dtype=np.uint64), 0
    for p in range(n_planes):
        for w in range(whole.shape[1]):
            if whole[p, w]:
                words[size], bits[size] = w, whole[p, w]
                size += 1
        starts[p + 1] = size
    return values, starts, words, bits


@compiled_in_place
def right_by_planes(rows, truths, block, planes, base, bar, scores):
    """Do the same with few different weights."""
    values, starts, words, bits = planes
    for t in range(block[0], block[1]):
        row, score = rows[t], base
        for p in range(len(values)):
            shared = np.int64(0)
            for place in range(starts[p], starts[p + 1]):
                shared += popcount(bits[place] & row[words[place]])
            score += values[p] * shared
        scores[t] = score
        if (score > bar) != truths[t]:
            return t
    return block[1]


@compiled
def digits_of(loads):
    """Return the largest weights apart, and the binary digits of the others, rounded.

    The result is (places, heavy, planes, unit, above, below). The sum of the
    weights of some features exceeds that of their rounded weights by ``above``
    at most, and falls short of it by ``below`` at most.
    """
    limit = np.partition(np.abs(loads), len(loads) - HEAVY - 1)[len(loads) - HEAVY - 1]
    places = np.flatnonzero(np.abs(loads) > limit)
    unit = limit / (2.0 ** (DIGITS - 1) - 1) if limit > 0 else 1.0
    planes = np.zeros((DIGITS, len(loads) // 64), dtype=np.uint64)
    above = below = ROUNDING * np.abs(loads).sum()
    for i in range(len(loads)):
        if abs(loads[i]) > limit:
            continue
        level = np.int64(np.rint(loads[i] / unit))
        apart = loads[i] - level * unit
        above, below = above + max(apart, 0.0), below + max(-apart, 0.0)
        digits = np.uint64(level & ((1 << DIGITS) - 1))
        while digits:
            planes[lowest_bit(digits), i >> 6] |= np.uint64(1) << np.uint64(i & 63)
            digits &= digits - np.uint64(1)
    return places, loads[places], planes, unit, above, below


@compiled_in_place
def right_by_digits(rows, truths, block, digits, loads, base, bar, scores):
    """Do the same with many different weights; a score is then only on the right side of the bar."""
    places, heavy, planes, unit, above, below = digits
    has_signs = False
    for word in planes[DIGITS - 1]:
        has_signs |= word != 0
    for t in range(block[0], block[1]):
        row, units, score = rows[t], np.int64(0), base
        for e in range(len(places)):
            score += heavy[e] * (np.int64(row[places[e] >> 6] >> np.uint64(places[e] & 63)) & 1)
        for p in range(DIGITS - 1):
            units += _n_shared(row, planes[p]) << p
        if has_signs:
            units -= _n_shared(row, planes[DIGITS - 1]) << (DIGITS - 1)
        score += units * unit
        if score - below <= bar < score + above:
            score = base + sum_all(row, loads)
        scores[t] = score
        if (score > bar) != truths[t]:
            return t
    return block[1]


@compiled_in_place
def _n_shared(row, plane):
    n = np.uint64(0)
    for w in range(len(row)):
        n += popcount(row[w] & plane[w])
    return np.int64(n)
