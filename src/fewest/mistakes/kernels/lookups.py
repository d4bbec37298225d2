"""Sums of weights looked up, four features at a time and for sixteen examples at a time.

Four features, a *quad*, have sixteen states, and a processor looks many bytes
up at once in a table of sixteen. So the sum of the weights of a quad in each
of its states is a byte, in whole numbers of a unit. A few quads have much
larger weights than all others; the higher digits of their sums are in tables of
their own. What is looked up is wrong by half a unit a quad at the most: where
that could matter, all weights are added up after all.

A sum is ``least + unit * (lower digits + (LOW + 1) * higher digits)``. A lower digit is at most 63 = `LOW`, so that
four of them are less than 256 and can be added as bytes. A step adds to each sum of 16 bits, of which there is one for
a row and a lane, the lower digits of its 16 bytes, two a byte: at most 2 * 16 * 63. `STEPS_TOGETHER` such steps fit
into 16 bits before the sums are moved to the scores. Of the higher digits, at most 255, there are `HEAVY` a sum.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled, compiled_in_place
from fewest.mistakes.kernels.byte_vectors import look_up_vector, look_up_words, move_sums, prefetch
from fewest.mistakes.kernels.layout import LANE, STEP_FEATURES, STEP_WORDS, VECTOR, LookupRoom, LookupTables
from fewest.mistakes.kernels.packed_scores import ROUNDING, right_by_all, sum_all

# Examples that are looked up before any of them is judged.
ROWS = 4 * LANE
# Quads whose sums may have a higher digit; the largest lower digit, and the largest higher one.
HEAVY, LOW, HIGH = 16, 63, 255
# The steps that sums of 16 bits have room for.
STEPS_TOGETHER = 0xFFFF // (2 * LANE * LOW)


@compiled
def tables_of(loads):
    """Return the `LookupTables` of weights that fill whole steps."""
    n_quads = len(loads) // 4
    ranges = np.empty(n_quads)
    for q in range(n_quads):
        ranges[q] = abs(loads[4 * q]) + abs(loads[4 * q + 1]) + abs(loads[4 * q + 2]) + abs(loads[4 * q + 3])
    largest = np.zeros(HEAVY + 1)
    _keep_largest(ranges, largest)
    unit = max(largest[0] / LOW, largest[HEAVY] / (LOW + (LOW + 1.0) * HIGH))
    unit = unit if unit > 0 else 1.0
    low = np.zeros((len(loads) // STEP_FEATURES, 2 * LANE * VECTOR), dtype=np.uint8)
    high, places = np.zeros((HEAVY, VECTOR), dtype=np.uint8), np.zeros((HEAVY, 2), dtype=np.int64)
    n_heavy, n_used, least = _fill(loads, ranges, unit, (low, high, places), np.empty(16))
    doubt = n_used * unit / 2 + ROUNDING * ranges.sum()
    return LookupTables(low, places[:n_heavy], high[:n_heavy], unit, least, doubt)


@compiled_in_place
def _keep_largest(numbers, largest):
    """Write the largest of some numbers, in ascending order."""
    for number in numbers:
        if number > largest[0]:
            k = 1
            while k < len(largest) and largest[k] < number:
                largest[k - 1] = largest[k]
                k += 1
            largest[k - 1] = number


@compiled_in_place
def _fill(loads, ranges, unit, tables, levels):
    """Write all tables; return how many quads are heavy and have any weight, and the sum of negative weights."""
    low, high, places = tables
    n_heavy, n_used, least = 0, 0, 0.0
    for q in range(len(ranges)):
        if ranges[q] == 0:
            continue
        n_used += 1
        least += _levels_of(loads[4 * q : 4 * q + 4], 1.0 / unit, levels)
        step, vector, lane, half = _home(q)
        table = low[step, (2 * vector + half) * VECTOR + lane * LANE :]
        for state in range(16):
            table[state] = np.int32(levels[state]) & LOW
        if ranges[q] > unit * (LOW + 0.25):
            places[n_heavy, 0], places[n_heavy, 1] = step * LANE + vector, 4 * half
            for state in range(16):
                high[n_heavy, lane * LANE + state] = np.int32(levels[state]) // (LOW + 1)
            n_heavy += 1
    return n_heavy, n_used, least


@compiled_in_place
def _levels_of(quad, scale, levels):
    """Write the sums in all states of four features above the least, scaled, to be cut off; return the least."""
    lowest = min(quad[0], 0.0) + min(quad[1], 0.0) + min(quad[2], 0.0) + min(quad[3], 0.0)
    levels[0] = 0.5 - lowest * scale
    for i in range(4):
        for state in range(1 << i):
            levels[(1 << i) + state] = levels[state] + quad[i] * scale
    return lowest


@compiled_in_place
def _home(quad):
    """Return the step of a quad, its turned vector there, its lane, and its half of a byte."""
    byte = quad >> 1
    return byte // VECTOR, byte % LANE, byte % VECTOR // LANE, quad & 1


@compiled
def right_by_lookups(trials, start, stop, function):
    """Predict the examples of a block; return the number of the first mistake, or where the block ends.

    A score is then only on the right side of the threshold.
    """
    tables = tables_of(function.loads)
    turned = np.empty((len(tables.low), LANE * VECTOR), dtype=np.uint8)
    sums, found = np.zeros(2 * LANE, dtype=np.uint16), np.empty(ROWS)
    room = LookupRoom(turned, turned.reshape(-1, VECTOR), sums, found)
    return _right(trials, start, stop, function, tables, room)


@compiled_in_place
def _right(trials, start, stop, function, tables, room):
    """Predict `ROWS` examples at a time; where fewer are left, it is with some that were predicted before."""
    rows, labels, scores = trials
    loads, base, threshold = function
    found, t = room.found, start
    # A step may go beyond the end of a row, but not of the last one.
    last = len(rows) - ROWS - (STEP_WORDS * len(tables.low) - 1) // rows.shape[1]
    while last >= 0 and t < min(stop, last + ROWS):
        first = min(t, last)
        for k in range(ROWS):
            found[k] = base + tables.least
        _look_up(rows, first, tables, room)
        end = min(first + ROWS, stop)
        if end - t == ROWS and _all_right(found, threshold, tables.doubt, labels[t:end], scores[t:end]):
            t = end
        while t < end:
            is_clear = abs(found[t - first] - threshold) > tables.doubt
            scores[t] = found[t - first] if is_clear else base + sum_all(rows[t], loads)
            if (scores[t] > threshold) != labels[t]:
                return t
            t += 1
    return right_by_all(trials, t, stop, function)


@compiled_in_place
def _look_up(rows, first, tables, room):
    """Add what tables hold for `ROWS` examples to their scores."""
    low, places, high = tables.low, tables.places, tables.high
    turned, vectors, sums, found = room
    for start in range(0, ROWS, LANE):
        for line in range(0, LANE * rows.shape[1], 8):  # read in columns, they would not be foreseen
            prefetch(rows, first + start + 2 * LANE, line)
        for step in range(len(low)):
            look_up_words(rows, first + start, step, turned, low, sums)
            if (step + 1) % STEPS_TOGETHER == 0:
                move_sums(sums, tables.unit, found, start)
        move_sums(sums, tables.unit, found, start)
        for k in range(len(places)):
            look_up_vector(vectors, places[k, 0], places[k, 1], high, k, sums)
        move_sums(sums, (LOW + 1) * tables.unit, found, start)


@compiled_in_place
def _all_right(found, threshold, doubt, labels, scores):
    """Write scores; return whether all are beyond doubt and predict the label, which takes no branch."""
    n_odd = 0
    for k in range(ROWS):
        scores[k] = found[k]
        n_odd += (abs(found[k] - threshold) <= doubt) | ((found[k] > threshold) != labels[k])
    return n_odd == 0
