"""Sums of the weights of an example's features, the example being bits, as long as predictions are right.

Three ways, from the one that needs nothing to those that are worth preparing
for when no mistake is near. *All*: every weight whose bit is set. *Planes*: the
features of equal weight, where there are few different weights, are counted
together. *One*: where each of some features is enough, and all others together
are not, as at the end of learning a disjunction, it is asked whether there is one of these.
`fewest.mistakes.kernels.lookups` has a fourth.

A word holds 64 features, feature i being bit ``i % 64`` of word ``i // 64``. Bits beyond the last feature may be
anything: their loads are 0, and no plane or mask has them.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled, compiled_in_place, compiled_in_place_sum
from fewest.kernels.intrinsics import popcount
from fewest.mistakes.kernels.layout import ELIMINATED, Planes

# With more different weights than this, they are not counted.
MOST_PLANES = 6
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
    """Add up the weights of the bits of a word; bit k is the sign once it is shifted to the left by 63 - k."""
    score = 0.0
    for k in range(64):
        score += loads[k] if np.int64(word << np.uint64(63 - k)) < 0 else 0.0
    return score


@compiled_in_place
def right_by_all(trials, start, stop, function):
    """Predict the examples of a block; return the number of the first mistake, or where the block ends."""
    rows, labels, scores = trials
    loads, base, threshold = function
    for t in range(start, stop):
        scores[t] = base + sum_all(rows[t], loads)
        if (scores[t] > threshold) != labels[t]:
            return t
    return stop


@compiled
def planes_of(state, n_words):
    """Return the `Planes` of the weights; more than `MOST_PLANES` of them have no bits."""
    exponents, weights = state.exponents, state.weights
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
    return Planes(values, starts, words, bits)


@compiled_in_place
def right_by_planes(trials, start, stop, planes, function):
    """Predict as `right_by_all` does, where there are few different weights."""
    rows, labels, scores = trials
    values, starts, words, bits = planes
    for t in range(start, stop):
        row, score = rows[t], function.base
        for p in range(len(values)):
            shared = np.int64(0)
            for place in range(starts[p], starts[p + 1]):
                shared += popcount(bits[place] & row[words[place]])
            score += values[p] * shared
        scores[t] = score
        if (score > function.threshold) != labels[t]:
            return t
    return stop


@compiled_in_place_sum
def sums_of_signs(loads):
    """Return the sums of all negative and of all positive weights."""
    negative, size = 0.0, 0.0
    for i in range(len(loads)):
        negative += min(loads[i], 0.0)
        size += abs(loads[i])
    return negative, size + negative


@compiled_in_place
def deciding_features(function, mask):
    """Return whether an example is positive if and only if it has one of some features; then, write these as bits."""
    loads, base, threshold = function
    negative, positive = sums_of_signs(loads)
    doubt = ROUNDING * (positive - negative)
    lowest, highest = base + negative, base
    if not _has_larger(loads, threshold + doubt - lowest) and base + positive > threshold - doubt:
        return False
    for i in range(64 * len(mask)):
        is_enough = lowest + max(loads[i], 0.0) > threshold + doubt
        bit = np.uint64(is_enough) << np.uint64(i & 63)
        mask[i >> 6] = bit if i & 63 == 0 else mask[i >> 6] | bit
        highest += 0.0 if is_enough else max(loads[i], 0.0)
    return highest <= threshold - doubt


@compiled_in_place
def _has_larger(loads, limit):
    n_larger = 0
    for i in range(len(loads)):
        n_larger += loads[i] > limit
    return n_larger > 0


@compiled_in_place
def right_by_one(trials, start, stop, mask):
    """Predict as `right_by_all` does, where one of some features makes an example positive, and nothing else does.

    A score is then only on the right side of any threshold.
    """
    rows, labels, scores = trials
    for t in range(start, stop):
        found = np.uint64(0)
        for w in range(len(mask)):
            found |= rows[t, w] & mask[w]
        scores[t] = np.inf if found else -np.inf
        if (found != 0) != labels[t]:
            return t
    return stop
