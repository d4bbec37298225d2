"""Sums of differences between rows: by feature, weighted, of sampled rows and their neighbors; and Manhattan distances.

For sums by feature the features go by in panels, so that the panel of all rows stays close to the processor while
neighbors are looked up in it.

Manhattan distances are sums of absolute differences, which no matrix product computes. Rows are turned, a tile at a
time, so that a vector holds one feature of several rows. A tile stays close to the processor while all sampled rows go
by. Each pair of rows is summed in the same order wherever the two lie, so that their distance depends on them alone;
partial sums over a tile keep rounding small however many the features.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled, compiled_in_place, compiled_within

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
    tile, part = np.empty((TILE_FEATURES, TILE_ROWS), np.float32), np.empty(TILE_ROWS, np.float32)
    own = np.empty(TILE_FEATURES, np.float32)
    for first_row in range(0, n_rows, TILE_ROWS):
        n = min(TILE_ROWS, n_rows - first_row)
        for first in range(0, n_features, TILE_FEATURES):
            n_used = min(TILE_FEATURES, n_features - first)
            n_padded = -(-n_used // 8) * 8  # features that are not there are 0 in all rows, and never differ
            tile[n_used:n_padded] = 0
            own[n_used:n_padded] = 0
            for j in range(n):
                for f in range(n_used):
                    tile[f, j] = rows[first_row + j, first + f]
            for s in range(len(sampled)):
                own[:n_used] = sampled[s, first : first + n_used]
                part[:] = 0
                for f in range(0, n_padded, 8):
                    _add_eight(own[f : f + 8], tile[f : f + 8], part)
                for j in range(n):
                    sums[s, first_row + j] += part[j]


@compiled_within
def _add_eight(own, features, part):
    """Add the differences of eight features of the rows of a tile."""
    p, q, r, s = own[0], own[1], own[2], own[3]
    t, u, v, w = own[4], own[5], own[6], own[7]
    a, b, c, d = features[0], features[1], features[2], features[3]
    e, f, g, h = features[4], features[5], features[6], features[7]
    for j in range(TILE_ROWS):
        first = (abs(a[j] - p) + abs(b[j] - q)) + (abs(c[j] - r) + abs(d[j] - s))
        part[j] += first + ((abs(e[j] - t) + abs(f[j] - u)) + (abs(g[j] - v) + abs(h[j] - w)))
