"""The tightest conflicts: pairs of rows of different label that differ in the fewest features.

They constrain a cover the most, and a few hundred of them exclude almost all
that all conflicts together exclude.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.bits import sizes
from fewest.kernels.packed_rows import differences, pack_rows

Pairs = tuple[np.ndarray, np.ndarray]


def tightest_pairs(codes: np.ndarray, labels: np.ndarray, n_pairs: int, most_words: int) -> Pairs:
    """Return the tightest pairs of rows among as many rows as the work allows.

    Parameters
    ----------
    codes, labels : ndarray
    n_pairs : int
        How many pairs to keep. Pairs that differ in nothing are no conflicts.
    most_words : int
        Compare about so many words; beyond that, the pairs among a fixed random sample of rows stand for all.
    """
    rows = _sampled_rows(codes, most_words)
    rows = rows[np.argsort(labels[rows], kind="stable")]  # so that lower labels are a slice
    packed, sorted_labels = pack_rows(codes[rows]), labels[rows]
    first_of_label = np.searchsorted(sorted_labels, sorted_labels)
    kept = np.empty((3, 0), dtype=np.int64)  # size, outer, inner
    threshold = np.iinfo(np.int64).max
    for i in range(int(np.searchsorted(first_of_label, 1)), len(rows)):
        found = sizes(differences(packed, i, slice(0, int(first_of_label[i]))))
        inner = np.flatnonzero((found > 0) & (found < threshold))
        if len(inner):
            new = np.stack([found[inner], np.full(len(inner), i), inner])
            kept = np.concatenate([kept, new], axis=1)
        if kept.shape[1] > 8 * n_pairs:
            kept = _smallest(kept, n_pairs)
            threshold = int(kept[0, -1])
    kept = _smallest(kept, n_pairs)
    return rows[kept[1]], rows[kept[2]]


def _smallest(kept: np.ndarray, n: int) -> np.ndarray:
    return kept[:, np.argsort(kept[0], kind="stable")[:n]]


def _sampled_rows(codes: np.ndarray, most_words: int) -> np.ndarray:
    n_rows, n_features = codes.shape
    words_per_pair = max(1, n_features // 64) * max(1, int(codes.max(initial=0)).bit_length())
    most_rows = max(2, int((4 * most_words / words_per_pair) ** 0.5))
    if n_rows <= most_rows:
        return np.arange(n_rows)
    return np.sort(np.random.default_rng(0).choice(n_rows, most_rows, replace=False))
