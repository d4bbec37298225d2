"""Sums of weighted differences between sampled rows and their neighbors, feature by feature.

The features go by in panels, so that the panel of all rows stays close to the processor while neighbors are looked up
in it.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled, compiled_in_place

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
