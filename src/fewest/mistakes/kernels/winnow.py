"""Winnow over a block of examples, in compiled code: dense, sparse and packed.

A machine is an integer exponent for every feature, so that a weight is the
same whatever the order of its promotions and demotions, the weights that
follow from the exponents, a table of these for the exponents in common use, and
a code into it for every feature. The last feature is constantly true; Winnow1 and Winnow2 have it
eliminated from the beginning. ``rule`` is (bar, alpha, kind, is_exact): a score above
the bar predicts 1, and the kind says what a mistake does.

Every kernel runs one machine over its block, learns from mistakes, and writes
the score that each example had before its label was used; unless it must be
exact, any on the same side of the bar.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled, compiled_in_place
from fewest.kernels.intrinsics import lowest_bit, nonzero_bytes
from fewest.mistakes.kernels.layout import BALANCED, ELIMINATED, ELIMINATION, FAR, ZERO
from fewest.mistakes.kernels.lookups import FEATURES, right_by_lookups
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

# Looking at one feature in so many, one by one, touches less memory than going through all.
FEW = 16
# Rows of octets that are packed at a time.
PACKED_ROWS = 1024
# So many examples without a mistake make it worth preparing for more.
QUIET = 16


@compiled_in_place
def _change(machine, i, truth, rule):
    """Promote, demote or eliminate one feature after a mistake."""
    exponents, weights, by_code, codes = machine
    if exponents[i] == ELIMINATED:
        return
    if not truth and rule[2] == ELIMINATION:
        exponents[i], weights[i], codes[i] = ELIMINATED, 0.0, ZERO
        return
    exponents[i] += 1 if truth else -1
    codes[i] = exponents[i] + 128 if -127 <= exponents[i] <= 126 else FAR
    if codes[i] != FAR:
        weights[i] = by_code[codes[i]]
    else:
        weight = rule[1] ** np.float64(exponents[i])
        weights[i] = weight - rule[1] ** -np.float64(exponents[i]) if rule[2] == BALANCED else weight


@compiled
def winnow_dense(rows, truths, machine, rule, scores):
    """Learn from rows of zeros and ones (uint8)."""
    weights, constant = machine[1], rows.shape[1]
    words = np.empty((min(len(rows), PACKED_ROWS), (constant + 63) // 64), dtype=np.uint64)
    start = 0
    while start < len(rows):
        alive = np.flatnonzero(weights[:constant])
        if rule[2] == ELIMINATION and len(alive) * FEW < constant:
            start = _learn_from_few(rows, truths, start, alive, machine, rule, scores)
            continue
        stop = min(start + PACKED_ROWS, len(rows))
        _pack(rows[start:stop], words)
        winnow_packed(words[: stop - start], truths[start:stop], machine, rule, scores[start:stop])
        start = stop


@compiled
def _learn_from_few(rows, truths, start, alive, machine, rule, scores):
    """Look only at the features that are not eliminated, up to a mistake, and learn from that."""
    weights, constant = machine[1], rows.shape[1]
    for t in range(start, len(rows)):
        score = weights[constant]
        for i in alive:
            score += weights[i] * rows[t, i]
        scores[t] = score
        if (score > rule[0]) != truths[t]:
            for i in alive:
                if rows[t, i]:
                    _change(machine, i, truths[t], rule)
            _change(machine, constant, truths[t], rule)
            return t + 1
    return len(rows)


@compiled_in_place
def _pack(rows, words):
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
    """Return the truths of the octets beyond the last 64 that fill a word."""
    if whole:  # the last 64 octets at once, without those that the word before has
        return nonzero_bytes(row, n_features - 64) >> np.uint64(64 - n_features % 64)
    word = np.uint64(0)
    for i in range(n_features):
        word |= np.uint64(row[i]) << np.uint64(i)
    return word


@compiled_in_place
def winnow_sparse(indptr, indices, truths, machine, rule, scores):
    """Learn from lists of active features (compressed sparse rows)."""
    constant, n_rows = len(machine[1]) - 1, len(indptr) - 1
    t = _right_by_codes(indptr, indices, truths, 0, machine, rule[0], scores)
    while t < n_rows:
        for k in range(indptr[t], indptr[t + 1]):
            _change(machine, indices[k], truths[t], rule)
        _change(machine, constant, truths[t], rule)
        t = _right_by_codes(indptr, indices, truths, t + 1, machine, rule[0], scores)


@compiled_in_place
def _right_by_codes(indptr, indices, truths, first, machine, bar, scores):
    """Predict the examples from one on; return the number of the first mistake, or how many there are.

    Four sums, so that none waits for the one before. Places have no sign, so that they need not be looked at for being
    below 0. One loop in all, as handing arrays over for every example would take a quarter of the time.
    """
    _, weights, by_code, codes = machine
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
        if np.isnan(score):  # some weight has no code
            score = weights[-1]
            for place in range(indptr[t], indptr[t + 1]):
                score += weights[indices[place]]
        scores[t] = score
        if (score > bar) != truths[t]:
            return t
    return len(indptr) - 1


@compiled
def winnow_packed(rows, truths, machine, rule, scores):
    """Learn from rows of bits, 64 features a word (uint64, rows x words).

    Where one mistake has just been made another is likely: it takes some
    examples without one to be worth preparing for many.
    """
    weights, n_words = machine[1], rows.shape[1]
    n_rows = len(rows)
    loads, mask = np.empty(-(-64 * n_words // FEATURES) * FEATURES), np.empty(n_words, dtype=np.uint64)
    t = 0
    while t < n_rows:
        spread(weights, loads)
        soon = min(n_rows, t + QUIET)
        t = right_by_all(rows, truths, (t, soon), loads, weights[-1], rule[0], scores)
        if t == soon < n_rows:
            if rule[3] or not np.isfinite(sums_of_signs(loads)[1]):
                t = _right_exactly(rows, truths, t, machine, loads, rule, scores)
            elif deciding_features(loads, weights[-1], rule[0], mask):
                t = right_by_one(rows, truths, (t, n_rows), mask, scores)
            else:
                t = right_by_lookups(rows, truths, (t, n_rows), loads, weights[-1], rule[0], scores)
        if t < n_rows and (scores[t] > rule[0]) != truths[t]:
            _correct(rows[t], truths[t], machine, rule)
            t += 1


@compiled
def _right_exactly(rows, truths, start, machine, loads, rule, scores):
    """Predict the examples from one on, with their very scores, up to a mistake."""
    base, block = machine[1][-1], (start, len(rows))
    planes = planes_of(machine, rows.shape[1])
    if len(planes[0]) <= MOST_PLANES:
        return right_by_planes(rows, truths, block, planes, base, rule[0], scores)
    return right_by_all(rows, truths, block, loads, base, rule[0], scores)


@compiled_in_place
def _correct(row, truth, machine, rule):
    constant = len(machine[1]) - 1
    for w in range(len(row)):
        left = row[w]
        while left:
            i = 64 * w + lowest_bit(left)
            if i < constant:
                _change(machine, i, truth, rule)
            left &= left - np.uint64(1)
    _change(machine, constant, truth, rule)
