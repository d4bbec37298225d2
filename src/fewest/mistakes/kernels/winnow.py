"""Winnow over a block of examples, in compiled code: dense, sparse and packed.

Every kernel runs one Winnow over its block, learns from mistakes, and writes
the score that each example had before its label was used; unless it must be
exact, any on the same side of the threshold. ``state`` is a `WeightState`, updated in
place, and ``rule`` an `UpdateRule`. Who calls from Python passes them as plain
tuples, since numba takes some ten microseconds to recognise a named one; the
first line of `winnow_dense`, `winnow_sparse` and `winnow_packed` gives them their names.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled, compiled_in_place
from fewest.kernels.intrinsics import lowest_bit, nonzero_bytes
from fewest.mistakes.kernels.layout import (
    BALANCED,
    ELIMINATED,
    ELIMINATION,
    FAR,
    STEP_FEATURES,
    ZERO,
    LinearThreshold,
    PackedTrials,
    UpdateRule,
    WeightState,
)
from fewest.mistakes.kernels.lookups import right_by_lookups
from fewest.mistakes.kernels.packed_scores import (
    MOST_PLANES,
    deciding_features,
    planes_of,
    right_by_all,
    right_by_one,
    right_by_planes,
    spread,
    sums_of_signs,
)

# Looking at one feature in 16, one by one, touches less memory than going through all.
FEW = 16
# Rows of bytes that are packed at a time.
PACKED_ROWS = 1024
# Examples without a mistake after which it is worth preparing for more.
QUIET = 16


@compiled_in_place
def _update(state, i, label, rule):
    """Promote the weight of one active feature after a mistake, or demote or eliminate it."""
    exponents, weights, by_code, codes = state
    if exponents[i] == ELIMINATED:
        return
    if not label and rule.update == ELIMINATION:
        exponents[i], weights[i], codes[i] = ELIMINATED, 0.0, ZERO
        return
    exponents[i] += 1 if label else -1
    codes[i] = exponents[i] + 128 if -127 <= exponents[i] <= 126 else FAR
    if codes[i] != FAR:
        weights[i] = by_code[codes[i]]
    else:
        weight = rule.update_factor ** np.float64(exponents[i])
        weights[i] = weight - rule.update_factor ** -np.float64(exponents[i]) if rule.update == BALANCED else weight


@compiled
def winnow_dense(rows, labels, state, rule, scores):
    """Learn from rows of zeros and ones (uint8)."""
    _learn_dense(rows, labels, WeightState(*state), UpdateRule(*rule), scores)


@compiled
def _learn_dense(rows, labels, state, rule, scores):
    weights, constant = state.weights, rows.shape[1]
    words = np.empty((min(len(rows), PACKED_ROWS), (constant + 63) // 64), dtype=np.uint64)
    start = 0
    while start < len(rows):
        alive = np.flatnonzero(weights[:constant])
        if rule.update == ELIMINATION and len(alive) * FEW < constant:
            start += _learn_from_few(rows[start:], labels[start:], alive, state, rule, scores[start:])
            continue
        stop = min(start + PACKED_ROWS, len(rows))
        _pack(rows[start:stop], words)
        _learn_packed(words[: stop - start], labels[start:stop], state, rule, scores[start:stop])
        start = stop


@compiled
def _learn_from_few(rows, labels, alive, state, rule, scores):
    """Look only at the features that are not eliminated; return how many examples it took to learn from a mistake."""
    weights, constant = state.weights, rows.shape[1]
    for t in range(len(rows)):
        score = weights[constant]
        for i in alive:
            score += weights[i] * rows[t, i]
        scores[t] = score
        if (score > rule.threshold) != labels[t]:
            for i in alive:
                if rows[t, i]:
                    _update(state, i, labels[t], rule)
            _update(state, constant, labels[t], rule)
            return t + 1
    return len(rows)


@compiled_in_place
def _pack(rows, words):
    """Pack rows of bytes, each 0 or 1, into words of 64 features; bits beyond the last feature are 0."""
    n_features = rows.shape[1]
    whole = n_features // 64
    for t in range(rows.shape[0]):
        row = rows[t]
        for w in range(whole):
            words[t, w] = nonzero_bytes(row, 64 * w)
        if 64 * whole < n_features:
            words[t, whole] = _last_word(row, n_features, whole)


@compiled_in_place
def _last_word(row, n_features, whole):
    """Return as bits the bytes of a row beyond the last 64 that fill a word."""
    if whole:  # the last 64 bytes at once, without those that the word before has
        return nonzero_bytes(row, n_features - 64) >> np.uint64(64 - n_features % 64)
    word = np.uint64(0)
    for i in range(n_features):
        word |= np.uint64(row[i]) << np.uint64(i)
    return word


@compiled_in_place
def winnow_sparse(indptr, indices, labels, state, rule, scores):
    """Learn from lists of active features (compressed sparse rows)."""
    _learn_sparse(indptr, indices, labels, WeightState(*state), UpdateRule(*rule), scores)


@compiled_in_place
def _learn_sparse(indptr, indices, labels, state, rule, scores):
    constant, n_rows = len(state.weights) - 1, len(indptr) - 1
    t = np.int64(0)  # a literal would be a signature of its own
    while True:
        t = _right_by_codes((indptr, indices), t, labels, state, rule.threshold, scores)
        if t == n_rows:
            return
        for k in range(indptr[t], indptr[t + 1]):
            _update(state, np.int64(indices[k]), labels[t], rule)
        _update(state, constant, labels[t], rule)
        t += 1


@compiled_in_place
def _right_by_codes(lists, first, labels, state, threshold, scores):
    """Predict the examples from one on; return the number of the first mistake, or how many there are.

    Four sums, so that none waits for the one before. Indices are made unsigned, so that the code need not check
    whether they are below 0 and count from the end. One loop in all, as handing arrays over for every example would
    take a quarter of the time. A weight that has no code is NaN in the table, and makes the sum NaN.
    """
    indptr, indices = lists
    weights, by_code, codes = state.weights, state.by_code, state.codes
    for t in range(first, len(indptr) - 1):
        k, stop = np.uint64(indptr[t]), np.uint64(indptr[t + 1])
        one, two, three, four = 0.0, 0.0, 0.0, weights[-1]
        while k + np.uint64(4) <= stop:
            one += by_code[codes[np.uint64(indices[k])]]
            two += by_code[codes[np.uint64(indices[k + np.uint64(1)])]]
            three += by_code[codes[np.uint64(indices[k + np.uint64(2)])]]
            four += by_code[codes[np.uint64(indices[k + np.uint64(3)])]]
            k += np.uint64(4)
        while k < stop:
            one += by_code[codes[np.uint64(indices[k])]]
            k += np.uint64(1)
        score = (one + two) + (three + four)
        if np.isnan(score):
            score = weights[-1]
            for place in range(indptr[t], indptr[t + 1]):
                score += weights[indices[place]]
        scores[t] = score
        if (score > threshold) != labels[t]:
            return t
    return len(indptr) - 1


@compiled
def winnow_packed(rows, labels, state, rule, scores):
    """Learn from rows of bits, 64 features a word (uint64, rows x words)."""
    _learn_packed(rows, labels, WeightState(*state), UpdateRule(*rule), scores)


@compiled
def _learn_packed(rows, labels, state, rule, scores):
    """Learn from rows of bits by whichever way of adding up weights is worth preparing for.

    Where one mistake has just been made another is likely: it takes some
    examples without one to be worth preparing for many.
    """
    weights, n_words, n_rows = state.weights, rows.shape[1], len(rows)
    loads = np.empty(-(-64 * n_words // STEP_FEATURES) * STEP_FEATURES)
    trials, mask = PackedTrials(rows, labels, scores), np.empty(n_words, dtype=np.uint64)
    t = 0
    while t < n_rows:
        spread(weights, loads)
        function = LinearThreshold(loads, weights[-1], rule.threshold)
        soon = min(n_rows, t + QUIET)
        t = right_by_all(trials, t, soon, function)
        if t == soon < n_rows:
            if rule.is_exact or not np.isfinite(sums_of_signs(loads)[1]):
                t = _right_exactly(trials, t, state, function)
            elif deciding_features(function, mask):
                t = right_by_one(trials, t, n_rows, mask)
            else:
                t = right_by_lookups(trials, t, n_rows, function)
        if t < n_rows and (scores[t] > rule.threshold) != labels[t]:
            _correct(rows[t], labels[t], state, rule)
            t += 1


@compiled
def _right_exactly(trials, start, state, function):
    """Predict the examples from one on, with their very scores, up to a mistake."""
    n_rows, n_words = trials.rows.shape
    planes = planes_of(state, n_words)
    if len(planes.values) <= MOST_PLANES:
        return right_by_planes(trials, start, n_rows, planes, function)
    return right_by_all(trials, start, n_rows, function)


@compiled_in_place
def _correct(row, label, state, rule):
    """Update the weights of all features of a row of bits, lowest bit first, and of the constant one."""
    constant = len(state.weights) - 1
    for w in range(len(row)):
        left = row[w]
        while left:
            i = 64 * w + lowest_bit(left)
            if i < constant:
                _update(state, i, label, rule)
            left &= left - np.uint64(1)  # without its lowest bit
    _update(state, constant, label, rule)
