"""The sufficiency test: do two rows of different label agree on all features of a subset?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fewest.cover.kernels.packed_rows import PackedRows, differences
from fewest.kernels.partition import in_mixed_groups, mixed_pairs, refine

Pairs = tuple[np.ndarray, np.ndarray]


def agreeing_pairs(codes: np.ndarray, labels: np.ndarray, subset: Sequence[int]) -> Pairs:
    """Return pairs of rows that differ in label and agree on ``subset``: none if and only if it is sufficient.

    The rows are partitioned by one feature after the other, and rows whose
    group has become pure are left out (Figure 1): O(rows x features). Codes
    must not be negative.
    """
    rows = np.arange(len(codes))
    groups = np.zeros(len(rows), dtype=np.int64)
    for feature in subset:
        kept = in_mixed_groups(groups, labels[rows])
        rows = rows[kept]
        groups = refine(groups[kept], codes[rows, feature])
    i, j = mixed_pairs(groups, labels[rows])
    return rows[i], rows[j]


def unseparated_pairs(rows: PackedRows, labels: np.ndarray, chosen: np.ndarray) -> Pairs:
    """Return pairs of different label that some feature separates, but none of the ``chosen`` (words).

    For rows with unknown values, which agree with everything: agreeing is then
    no equivalence, nothing can be partitioned, and all pairs are compared
    until one row shows some. O(rows x rows x words).
    """
    for i in range(1, len(labels)):
        words = differences(rows, i, slice(0, i))
        wanted = (labels[:i] != labels[i]) & words.any(axis=0)
        j = np.flatnonzero(wanted & ~(words & chosen[:, None]).any(axis=0))
        if len(j):
            return np.full(len(j), i), j
    return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp)


def separated(row: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return where ``row`` differs from each of ``rows`` in a value known on both sides."""
    return (row != rows) & (row >= 0) & (rows >= 0)
