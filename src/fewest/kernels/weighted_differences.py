"""What the neighbours of drawn rows say about every feature: sums of differences, weighted.

The features go by in panels, so that the panel of all rows stays close to the
processor while neighbours are looked up in it.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled

PANEL = 256


@compiled
def differences_of_values(values, n_numbers, is_squared, drawn, found, sums):
    """Sum weighted differences between drawn rows and their neighbours.

    Parameters
    ----------
    values : float32 array of shape (n_rows, n_features)
        Numbers first, then codes of names.
    n_numbers : int
    is_squared : bool
        Whether differences of numbers are squared.
    drawn : int64 array of shape (n_drawn,)
    found : Found
    sums : float32 array of shape (n_drawn, n_features)
        Added to.
    """
    n_features = values.shape[1]
    for begin in range(0, n_features, PANEL):
        end = min(begin + PANEL, n_features)
        split = min(max(begin, n_numbers), end)
        for s in range(len(drawn)):
            own, total = values[drawn[s]], sums[s]
            for e in range(found.starts[s], found.starts[s + 1]):
                other, weight = values[found.rows[e]], found.weights[e]
                if is_squared:
                    for f in range(begin, split):
                        total[f] += weight * (own[f] - other[f]) * (own[f] - other[f])
                else:
                    for f in range(begin, split):
                        total[f] += weight * abs(own[f] - other[f])
                for f in range(split, end):
                    total[f] += weight * np.float32(own[f] != other[f])


@compiled
def differences_of_bits(words, drawn, found, sums):
    """Do the same for rows of bit planes (rows, planes, 32-bit words); ``sums`` has 32 features a word."""
    n_planes, n_words = words.shape[1:]
    for s in range(len(drawn)):
        i = drawn[s]
        for e in range(found.starts[s], found.starts[s + 1]):
            j, weight = found.rows[e], found.weights[e]
            for w in range(n_words):
                different = np.uint32(0)
                for p in range(n_planes):
                    different |= words[i, p, w] ^ words[j, p, w]
                total = sums[s, 32 * w : 32 * w + 32]
                for t in range(32):
                    total[t] += weight * np.float32((different >> np.uint32(t)) & np.uint32(1))
