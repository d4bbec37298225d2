"""Entropy from counts: the size of a group times its entropy, in bits, is T(n) - sum of T(n_c) with T(n) = n log n.

Rounded to multiples of a power of two that leaves no sum of them beyond 52
bits, these terms add up without any error, so that the order in which groups
are added, and whether they are added here or elsewhere, changes nothing.
"""

from __future__ import annotations

from math import ceil, log2

import numpy as np


def quantum_for(n_rows: int) -> float:
    """Return what to round to so that the terms of any groups of so many rows add up exactly."""
    return 2.0 ** (ceil(log2(max(1.0, n_rows * log2(max(2, n_rows))))) - 52)


def times_log(numbers: np.ndarray, quantum: float | None = None) -> np.ndarray:
    """Return n log2 n of every number, with 0 log 0 = 0; rounded to multiples of ``quantum``, if it is given."""
    numbers = numbers.astype(np.float64, copy=False)
    exact = numbers * np.log2(numbers, out=np.zeros_like(numbers), where=numbers > 0)
    return exact if quantum is None else np.rint(exact / quantum) * quantum


def size_times_entropy(counts: np.ndarray, quantum: float | None = None) -> np.ndarray:
    """Return the size of every group times its entropy, from the counts of its classes along the last axis."""
    return times_log(counts.sum(axis=-1), quantum) - times_log(counts, quantum).sum(axis=-1)
