"""All distances between rows of bits, and nothing else: the least that Relief on Boolean data can take."""

from __future__ import annotations

import numpy as np
from numba import njit

from fewest.cover.kernels.covers import popcount


@njit(cache=True)
def count_all(words):
    """Count the differing bits of all pairs of rows (words x rows), a row at a time."""
    distances = np.empty(words.shape[1], np.int32)
    total = 0
    for i in range(words.shape[1]):
        distances[:] = 0
        for w in range(words.shape[0]):
            own, others = words[w, i], words[w]
            for j in range(len(distances)):
                distances[j] += np.int32(popcount(others[j] ^ own))
        total += distances[i]
    return total
