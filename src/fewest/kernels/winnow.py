"""Winnow over a block of examples, in compiled code: dense, sparse and packed.

A machine is an integer exponent for every feature, so that a weight is the
same whatever the order of its promotions and demotions, the weights that
follow from the exponents, and a table of these for the exponents in common
use. The last feature is constantly true; Winnow1 and Winnow2 have it
eliminated from the beginning. ``rule`` is (bar, alpha, kind): a score above
the bar predicts 1, and the kind says what a mistake does.

Every kernel runs one machine over its block, learns from mistakes, and writes
the score that each example had before its label was used.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled, compiled_sum
from fewest.kernels.popcount import popcount
from fewest.kernels.rules import BALANCED, ELIMINATED, ELIMINATION, FURTHEST

# With more different weights than this, sums of the weights of a packed example are looked up instead.
MOST_PLANES = 6
# Looking at one feature in so many, one by one, is faster than going through all.
FEW = 8


@compiled
def _change(machine, i, truth, rule):
    """Promote, demote or eliminate one feature after a mistake."""
    exponents, weights, powers = machine
    if exponents[i] == ELIMINATED:
        return
    if not truth and rule[2] == ELIMINATION:
        exponents[i], weights[i] = ELIMINATED, 0.0
        return
    exponents[i] += 1 if truth else -1
    place = exponents[i] + FURTHEST
    if 0 <= place < len(powers):
        weights[i] = powers[place]
    else:
        weight = rule[1] ** np.float64(exponents[i])
        weights[i] = weight - rule[1] ** -np.float64(exponents[i]) if rule[2] == BALANCED else weight


@compiled_sum
def _dense_score(row, weights):
    """Sum weights in whatever order is fastest; the bar leaves room for the rounding."""
    score = 0.0
    for i in range(len(row)):
        score += weights[i] * row[i]
    return score


@compiled
def winnow_dense(rows, truths, machine, rule, scores):
    """Learn from rows of zeros and ones (uint8); once most features are eliminated, only the others are looked at."""
    weights, constant = machine[1], rows.shape[1]
    alive = np.flatnonzero(weights[:constant])
    for t in range(rows.shape[0]):
        score = weights[constant]
        if rule[2] == ELIMINATION and len(alive) * FEW < constant:
            for i in alive:
                score += weights[i] * rows[t, i]
        else:
            score += _dense_score(rows[t], weights)
        scores[t] = score
        if (score > rule[0]) != truths[t]:
            for i in range(constant):
                if rows[t, i]:
                    _change(machine, i, truths[t], rule)
            _change(machine, constant, truths[t], rule)
            if rule[2] == ELIMINATION:
                alive = np.flatnonzero(weights[:constant])


@compiled
def winnow_sparse(indptr, indices, truths, machine, rule, scores):
    """Learn from lists of active features (compressed sparse rows)."""
    weights = machine[1]
    constant = len(weights) - 1
    for t in range(len(indptr) - 1):
        active = indices[indptr[t] : indptr[t + 1]]
        score = weights[constant]
        for i in active:
            score += weights[i]
        scores[t] = score
        if (score > rule[0]) != truths[t]:
            for i in active:
                _change(machine, i, truths[t], rule)
            _change(machine, constant, truths[t], rule)


@compiled
def _planes(machine, n_words):
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


@compiled
def _update_sums(sums, row, weights):
    """Bring up to date, where a row has bits, the sums of the weights of all patterns of four neighbours."""
    constant = len(weights) - 1
    for w in range(len(row)):
        left = row[w]
        for q in range(w * 16, w * 16 + 16):
            if left & np.uint64(15):
                for k in range(4):
                    weight = weights[4 * q + k] if 4 * q + k < constant else 0.0
                    for pattern in range(1 << k):
                        sums[q, (1 << k) + pattern] = sums[q, pattern] + weight
            left >>= np.uint64(4)


@compiled
def _sum_by_fours(sums, row):
    """Add up the weights of the bits that are set, four features at a time."""
    score, mask = 0.0, np.uint64(15)
    for w in range(len(row)):
        left, q = row[w], w * 16
        for _ in range(4):
            score += (sums[q, left & mask] + sums[q + 1, left >> np.uint64(4) & mask]) + (
                sums[q + 2, left >> np.uint64(8) & mask] + sums[q + 3, left >> np.uint64(12) & mask]
            )
            left >>= np.uint64(16)
            q += 4
    return score


@compiled
def winnow_packed(rows, truths, machine, rule, scores):
    """Learn from rows of bits, 64 features a word (uint64, rows x words).

    While there are few different weights, features of equal weight form a
    plane of bits, and a score is a sum over the planes of a weight times the
    number of bits that plane and example share: a few operations on words.
    Otherwise sums of weights are looked up, four features at a time.
    """
    weights, n_words = machine[1], rows.shape[1]
    constant, all_ones = len(weights) - 1, np.full(n_words, ~np.uint64(0))
    sums = np.zeros((n_words * 16, 16))
    values, starts, words, bits = _planes(machine, n_words)
    is_known = False
    for t in range(rows.shape[0]):
        row, score = rows[t], weights[constant]
        if len(values) > MOST_PLANES:
            if not is_known:
                _update_sums(sums, all_ones, weights)
                is_known = True
            score += _sum_by_fours(sums, row)
        else:
            for p in range(len(values)):
                shared = np.int64(0)
                for place in range(starts[p], starts[p + 1]):
                    shared += popcount(bits[place] & row[words[place]])
                score += values[p] * shared
        scores[t] = score
        if (score > rule[0]) != truths[t]:
            for i in range(constant):
                if row[i >> 6] >> np.uint64(i & 63) & np.uint64(1):
                    _change(machine, i, truths[t], rule)
            _change(machine, constant, truths[t], rule)
            values, starts, words, bits = _planes(machine, n_words)
            if is_known:
                _update_sums(sums, row, weights)
