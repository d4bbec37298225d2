"""Entropy from counts: the size of a group times its entropy, in bits, is T(n) - sum of T(n_c) with T(n) = n log n."""

from __future__ import annotations

import numpy as np


def times_log(numbers: np.ndarray) -> np.ndarray:
    """Return n log2 n of every number, with 0 log 0 = 0."""
    numbers = numbers.astype(np.float64, copy=False)
    return numbers * np.log2(numbers, out=np.zeros_like(numbers), where=numbers > 0)


def size_times_entropy(counts: np.ndarray) -> np.ndarray:
    """Return the size of every group times its entropy, from the counts of its classes along the last axis."""
    return times_log(counts.sum(axis=-1)) - times_log(counts).sum(axis=-1)
