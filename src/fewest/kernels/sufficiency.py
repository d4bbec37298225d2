"""The sufficiency test: do two rows of different label agree on all features of a subset?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fewest.kernels.partition import in_mixed_groups, mixed_pairs, refine

Pairs = tuple[np.ndarray, np.ndarray]


def agreeing_pairs(codes: np.ndarray, labels: np.ndarray, subset: Sequence[int]) -> Pairs:
    """Return pairs of rows that differ in label and agree on ``subset``: none if and only if it is sufficient.

    The rows are partitioned by one feature after the other, and rows whose
    group has become pure are let go (Figure 1): O(rows x features).
    Negative codes are values that separate nothing; rows with one are
    compared with every other row, O(such rows x rows x features).
    """
    partial = (codes[:, list(subset)] < 0).any(axis=1) if len(subset) else np.zeros(len(codes), dtype=bool)
    whole = np.flatnonzero(~partial)
    i, j = _agreeing_whole_pairs(codes, labels, subset, whole)
    if len(i) or not partial.any():
        return i, j
    return _first_agreeing_partial_pair(codes, labels, subset, np.flatnonzero(partial))


def _agreeing_whole_pairs(codes: np.ndarray, labels: np.ndarray, subset: Sequence[int], rows: np.ndarray) -> Pairs:
    groups = np.zeros(len(rows), dtype=np.int64)
    for feature in subset:
        kept = in_mixed_groups(groups, labels[rows])
        rows = rows[kept]
        groups = refine(groups[kept], codes[rows, feature])
    i, j = mixed_pairs(groups, labels[rows])
    return rows[i], rows[j]


def _first_agreeing_partial_pair(
    codes: np.ndarray, labels: np.ndarray, subset: Sequence[int], partial: np.ndarray
) -> Pairs:
    known = np.ascontiguousarray(codes[:, list(subset)])
    for i in partial:
        j = np.flatnonzero((labels != labels[i]) & ~separated(known[i], known).any(axis=1))
        if len(j):
            return np.full(len(j), i), j
    return partial[:0], partial[:0]


def separated(row: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return where ``row`` differs from each of ``rows`` in a value known on both sides."""
    return (row != rows) & (row >= 0) & (rows >= 0)
