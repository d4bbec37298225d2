"""Sums of differences between rows: by feature, weighted, of sampled rows and their neighbors; and Manhattan distances.

For sums by feature the features go by in panels, so that the panel of all rows stays close to the processor while
neighbors are looked up in it.

Manhattan distances are sums of absolute differences, which no matrix product computes. Rows are turned, a tile at a
time, so that a vector holds one feature of several rows. A tile stays close to the processor while all sampled rows go
by. Since |a - b| = 2 max(a, b) - a - b, maxima are added up, one instruction less a value, and what belongs to each row
alone is subtracted once a tile. Each pair of rows is summed in the same order wherever the two lie, so that their
distance depends on them alone; partial sums over a tile keep rounding small however many the features.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled, compiled_in_place, compiled_in_place_sum, compiled_within
from fewest.kernels.intrinsics import BYTES, WORD_VECTORS, WORDS, absolute_bytes, larger_words

# Features in a panel.
PANEL = 2048


@compiled
def differences_of_values(values, n_numeric, is_squared, sampled, found, sums):
    """Sum weighted differences between sampled rows and their neighbors.

    Parameters
    ----------
    values : float32 array of shape (n_rows, n_features)
        Numeric values first, then nominal codes.
    n_numeric : int
    is_squared : bool
        Whether differences of numeric values are squared.
    sampled : int64 array of shape (n_sampled,)
    found : Neighbors
    sums : float32 array of shape (n_sampled, n_features)
        Added to.
    """
    n_features = values.shape[1]
    for begin in range(0, n_features, PANEL):
        end = min(begin + PANEL, n_features)
        split = min(max(begin, n_numeric), end)
        for s in range(len(sampled)):
            first, stop = found.starts[s], found.starts[s + 1]
            several = first + (stop - first) // 4 * 4
            own, total = values[sampled[s], begin:split], sums[s, begin:split]
            for e in range(first, several, 4):
                a, b, c, d = found.rows[e], found.rows[e + 1], found.rows[e + 2], found.rows[e + 3]
                others = values[a, begin:split], values[b, begin:split], values[c, begin:split], values[d, begin:split]
                _add_four(own, others, found.weights[e : e + 4], is_squared, total)
            for e in range(several, stop):
                _add_one(own, values[found.rows[e], begin:split], found.weights[e], is_squared, total)
            for e in range(first, stop):
                other = values[found.rows[e], split:end]
                _add_unequal(values[sampled[s], split:end], other, found.weights[e], sums[s, split:end])


# The slices that these take have the same length: compiled code then takes eight features at a time.


@compiled_in_place
def _add_four(own, others, weights, is_squared, total):
    """Compare with four neighbors at a time, since reading and writing the sums is half of the work for one."""
    a, b, c, d = others
    p, q, r, s = weights[0], weights[1], weights[2], weights[3]
    for f in range(len(total)):
        first = p * _apart(own[f], a[f], is_squared) + q * _apart(own[f], b[f], is_squared)
        total[f] += first + (r * _apart(own[f], c[f], is_squared) + s * _apart(own[f], d[f], is_squared))


@compiled_in_place
def _add_one(own, other, weight, is_squared, total):
    for f in range(len(total)):
        total[f] += weight * _apart(own[f], other[f], is_squared)


@compiled_in_place
def _apart(a, b, is_squared):
    apart = abs(a - b)
    return apart * apart if is_squared else apart


@compiled_in_place
def _add_unequal(own, other, weight, total):
    for f in range(len(total)):
        total[f] += weight * np.float32(own[f] != other[f])


@compiled
def differences_of_bits(words, sampled, found, sums):
    """Sum the weights of the neighbors that differ, feature by feature, for rows of bits.

    Neighbors of equal weight, which follow each other, are counted before they are weighed: eight features at a time,
    in the eight bytes of a word.

    Parameters
    ----------
    words : uint64 array of shape (n_rows, n_planes, n_words)
        64 features a word, transposed: bit 8 b + t of word w is that of feature 64 w + 8 t + b. So the bits t of its
        eight bytes, shifted down by t, are eight adjacent features, one a byte.
    sampled : int64 array of shape (n_sampled,)
    found : Neighbors
    sums : float32 array of shape (n_sampled, 64 * n_words)
        Added to.
    """
    counts = np.zeros(8 * words.shape[2], np.uint64)
    bytes_ = counts.view(np.uint8)
    for s in range(len(sampled)):
        _add_bits(words, sampled[s], found, found.starts[s : s + 2], (counts, bytes_), sums[s])


@compiled_in_place
def _add_bits(words, own, found, ends, counted, total):
    """Add the differences of one sampled row. ``counted`` is the words of the counts, and the same as bytes.

    A byte counts 255 neighbors at most before it is weighed and cleared, so that none carries into the next.
    """
    n_planes, n_words = words.shape[1:]
    counts, n_counted = counted[0], 0
    for e in range(ends[0], ends[1]):
        if n_counted == 255 or (n_counted and found.weights[e] != found.weights[e - 1]):
            _weigh(counted, found.weights[e - 1], total)
            n_counted = 0
        other = found.rows[e]
        for w in range(n_words):
            different = np.uint64(0)
            for p in range(n_planes):
                different |= words[own, p, w] ^ words[other, p, w]
            for t in range(8):
                counts[8 * w + t] += (different >> np.uint64(t)) & np.uint64(0x0101010101010101)
        n_counted += 1
    if n_counted:
        _weigh(counted, found.weights[ends[1] - 1], total)


@compiled_in_place
def _weigh(counted, weight, total):
    counts, bytes_ = counted
    for f in range(len(bytes_)):
        total[f] += weight * np.float32(bytes_[f])
    counts[:] = 0


# Rows and features of a tile: 32 KB in single precision. Features are a multiple of the eight that are added at a time.
TILE_ROWS, TILE_FEATURES = 128, 64


@compiled
def add_absolute_differences(sampled, rows, sums):
    """Add the absolute differences of all features between sampled rows and all rows.

    Parameters
    ----------
    sampled : float32 array of shape (n_sampled, n_features)
    rows : float32 array of shape (n_rows, n_features)
    sums : float32 array of shape (n_sampled, n_rows)
        Added to.
    """
    n_rows, n_features = rows.shape
    tile, own = np.empty(TILE_FEATURES * TILE_ROWS, np.float32), np.zeros((len(sampled), TILE_FEATURES), np.float32)
    alone, part = np.empty(TILE_ROWS, np.float32), np.empty(TILE_ROWS, np.float32)
    own_sums, below = np.empty(len(sampled), np.float32), np.full(8, -np.inf, np.float32)  # below every value
    for first in range(0, n_features, TILE_FEATURES):
        n_used = min(TILE_FEATURES, n_features - first)
        n_padded = -(-n_used // 8) * 8  # features that are not there are 0 in all rows, and never differ
        tile[n_used * TILE_ROWS : n_padded * TILE_ROWS] = 0
        own[:, n_used:n_padded] = 0
        for s in range(len(sampled)):  # compiles many times faster than slices do
            for f in range(n_used):
                own[s, f] = sampled[s, first + f]
        _sum_by_eight(own, n_padded, own_sums)
        for first_row in range(0, n_rows, TILE_ROWS):
            n = min(TILE_ROWS, n_rows - first_row)
            for j in range(n):
                for f in range(n_used):
                    tile[f * TILE_ROWS + j] = rows[first_row + j, first + f]
            alone[:] = 0
            for f in range(0, n_padded, 8):
                _add_maxima(below, tile[f * TILE_ROWS : (f + 8) * TILE_ROWS], alone)
            for s in range(len(sampled)):
                part[:] = 0
                for f in range(0, n_padded, 8):
                    _add_maxima(own[s, f : f + 8], tile[f * TILE_ROWS : (f + 8) * TILE_ROWS], part)
                for j in range(n):
                    sums[s, first_row + j] += (part[j] - alone[j]) + (part[j] - own_sums[s])


@compiled_within
def _add_maxima(own, tile, part):
    """Add the larger of eight features of one row and those of the rows of a tile, one feature after the other."""
    p, q, r, s = own[0], own[1], own[2], own[3]
    t, u, v, w = own[4], own[5], own[6], own[7]
    for j in range(TILE_ROWS):
        first = (_max(tile[j], p) + _max(tile[TILE_ROWS + j], q)) + (
            _max(tile[2 * TILE_ROWS + j], r) + _max(tile[3 * TILE_ROWS + j], s)
        )
        part[j] += first + (
            (_max(tile[4 * TILE_ROWS + j], t) + _max(tile[5 * TILE_ROWS + j], u))
            + (_max(tile[6 * TILE_ROWS + j], v) + _max(tile[7 * TILE_ROWS + j], w))
        )


@compiled_in_place
def _sum_by_eight(own, n_features, own_sums):
    """Write the sum of every row in the order of `_add_maxima`, so that equal rows differ by exactly 0."""
    own_sums[:] = 0
    for s in range(len(own)):
        for f in range(0, n_features, 8):
            a, b, c, d = own[s, f], own[s, f + 1], own[s, f + 2], own[s, f + 3]
            e, g, h, i = own[s, f + 4], own[s, f + 5], own[s, f + 6], own[s, f + 7]
            own_sums[s] += ((a + b) + (c + d)) + ((e + g) + (h + i))


@compiled_within
def _max(a, b):
    return a if a > b else b


# Bytes of rows that stay close to the processor while all sampled rows go by.
TILE_BYTES = 1 << 14


@compiled
def add_byte_differences(sampled, rows, unit, sums):
    """Add the absolute differences of values that were rounded to bytes, between sampled rows and all rows.

    Parameters
    ----------
    sampled : uint8 array of shape (n_sampled, n_bytes)
        Contiguous, as ``rows`` are, with whole vectors of `BYTES` bytes a row.
    rows : uint8 array of shape (n_rows, n_bytes)
    unit : float32
        What a difference of 1 counts for.
    sums : float32 array of shape (n_sampled, n_rows)
        Added to.
    """
    n_rows, n_bytes = rows.shape
    own, others = sampled.reshape(-1), rows.reshape(-1)
    step = max(4, TILE_BYTES // n_bytes // 4 * 4)
    for first in range(0, n_rows, step):
        stop = min(first + step, n_rows)
        by_four = first + (stop - first) // 4 * 4
        for s in range(len(sampled)):
            for j in range(first, by_four, 4):
                a, b, c, d = absolute_bytes(own, s * n_bytes, others, j * n_bytes, n_bytes // BYTES)
                sums[s, j] += unit * np.float32(a)
                sums[s, j + 1] += unit * np.float32(b)
                sums[s, j + 2] += unit * np.float32(c)
                sums[s, j + 3] += unit * np.float32(d)
            for j in range(by_four, stop):
                sums[s, j] += unit * np.float32(_absolute_bytes_of_one(sampled[s], rows[j]))


@compiled_in_place
def _absolute_bytes_of_one(own, other):
    total = np.int64(0)
    for f in range(len(own)):
        total += abs(np.int64(own[f]) - np.int64(other[f]))
    return total


# Words of each row that are looked at together, so that four rows of them stay close to the processor.
BLOCK_WORDS = 2048


@compiled
def add_word_differences(sampled, rows, unit, sums):
    """Add the absolute differences of values that were rounded to 12 bits, between sampled rows and all rows.

    Since |a - b| = 2 max(a, b) - a - b, maxima are added up, and what belongs to each row alone is subtracted once.

    Parameters
    ----------
    sampled : uint16 array of shape (n_sampled, n_words)
        Contiguous, as ``rows`` are, with whole groups of ``WORD_VECTORS * WORDS`` words a row.
    rows : uint16 array of shape (n_rows, n_words)
    unit : float32
        What a difference of 1 counts for.
    sums : float32 array of shape (n_sampled, n_rows)
        Added to.
    """
    n_rows, n_words = rows.shape
    own, others = sampled.reshape(-1), rows.reshape(-1)
    larger = np.zeros((len(sampled), n_rows), np.int64)
    by_four = n_rows // 4 * 4
    for begin in range(0, n_words, BLOCK_WORDS):
        n_groups = min(BLOCK_WORDS, n_words - begin) // (WORD_VECTORS * WORDS)
        for j in range(0, by_four, 4):
            for s in range(len(sampled)):
                a, b, c, d = larger_words(own, s * n_words + begin, others, j * n_words + begin, n_words, n_groups)
                larger[s, j] += a
                larger[s, j + 1] += b
                larger[s, j + 2] += c
                larger[s, j + 3] += d
    alone = np.empty(n_rows, np.int64)
    for j in range(n_rows):
        alone[j] = _sum_of_words(rows[j])
    for s in range(len(sampled)):
        own_sum = _sum_of_words(sampled[s])
        for j in range(by_four, n_rows):
            larger[s, j] = _larger_of_one(sampled[s], rows[j])
        for j in range(n_rows):
            sums[s, j] += unit * np.float32(2 * larger[s, j] - alone[j] - own_sum)


@compiled_in_place
def _sum_of_words(row):
    total = np.int64(0)
    for f in range(len(row)):
        total += np.int64(row[f])
    return total


@compiled_in_place
def _larger_of_one(own, other):
    total = np.int64(0)
    for f in range(len(own)):
        total += max(np.int64(own[f]), np.int64(other[f]))
    return total


@compiled
def round_rows(numeric, steps, values, error):
    """Write numbers from -1/2 to 1/2, in steps of 1 / ``steps``, as integers from 0, and what that changed in each row.

    Parameters
    ----------
    numeric : float32 array of shape (n_rows, n_features)
    steps : float32
    values : uint8 or uint16 array of shape (n_rows, at least n_features)
        Written to.
    error : float64 array of shape (n_rows,)
        Written to.
    """
    n_features = numeric.shape[1]
    for i in range(len(numeric)):
        error[i] = _round_row(numeric[i], steps, values[i, :n_features])


@compiled_in_place_sum
def _round_row(numeric, steps, values):
    changed = np.float64(0)
    for f in range(len(values)):
        step = min(max(np.rint((numeric[f] + np.float32(0.5)) * steps), np.float32(0)), steps)
        values[f] = np.int32(step)
        changed += np.float64(abs(numeric[f] - (step / steps - np.float32(0.5))))
    return changed
