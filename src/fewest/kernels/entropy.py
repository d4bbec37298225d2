"""Entropy from counts: the size of a group times its entropy, in bits, is T(n) - sum of T(n_c) with T(n) = n log n.

Rounded to multiples of a power of two that keeps every sum of them within 52 bits, these terms add up without error,
so that the order in which groups are added, and on which worker, changes nothing.
"""

from __future__ import annotations

from math import ceil, log2

import numpy as np


def quantum_for(n_rows: int) -> float:
    """Return the power of two to round to so that the terms of any groups of ``n_rows`` rows in all add up exactly."""
    return 2.0 ** (ceil(log2(max(1.0, n_rows * log2(max(2, n_rows))))) - 52)


def times_log(counts: np.ndarray, quantum: float | None = None) -> np.ndarray:
    """Return n log2 n of every count, with 0 log 0 = 0; rounded to multiples of ``quantum``, if it is given."""
    counts = counts.astype(np.float64, copy=False)
    exact = counts * np.log2(counts, out=np.zeros_like(counts), where=counts > 0)
    return exact if quantum is None else np.rint(exact / quantum) * quantum


def size_times_entropy(counts: np.ndarray, quantum: float | None = None) -> np.ndarray:
    """Return the size of every group times its entropy, from the counts of its classes along the last axis."""
    counts = counts.astype(np.float64, copy=False)  # whole numbers, however large their sums
    terms = times_log(counts, quantum)
    if counts.shape[-1] == 2:  # the same sums, of which NumPy takes one at a time
        return times_log(counts[..., 0] + counts[..., 1], quantum) - (terms[..., 0] + terms[..., 1])
    return times_log(counts.sum(axis=-1), quantum) - terms.sum(axis=-1)
