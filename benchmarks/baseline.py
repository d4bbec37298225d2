"""The simple search to beat: FOCUS-2, deepened step by step, over all distinct conflicts, compiled."""

from __future__ import annotations

import numpy as np
from numba import njit

from fewest.kernels.covers import popcount


@njit(cache=True)
def _extend(conflicts, chosen, banned, left):
    """Tell whether ``left`` more features, none of them banned, cover all conflicts; leave them in ``chosen``."""
    n_words = conflicts.shape[1]
    tightest, fewest = -1, 1 << 60
    for c in range(len(conflicts)):
        size, is_covered = 0, False
        for w in range(n_words):
            if conflicts[c, w] & chosen[w]:
                is_covered = True
                break
            size += popcount(conflicts[c, w] & ~banned[w])
        if not is_covered and size < fewest:
            tightest, fewest = c, size
    if tightest < 0:
        return True
    if left == 0:
        return False
    inner = banned.copy()
    for w in range(n_words):
        word = conflicts[tightest, w] & ~banned[w]
        while word:
            bit = word & (~word + np.uint64(1))
            chosen[w] |= bit
            if _extend(conflicts, chosen, inner, left - 1):
                return True
            chosen[w] ^= bit
            inner[w] |= bit
            word ^= bit
    return False


def simple_search(words: np.ndarray, n_features: int) -> int:
    """Return the size of a minimum cover of conflicts given word-major."""
    conflicts = np.ascontiguousarray(words.T)
    for size in range(n_features + 1):
        nothing = np.zeros(conflicts.shape[1], dtype=np.uint64)
        if _extend(conflicts, nothing, nothing.copy(), size):
            return size
    raise ValueError("a conflict is empty")
