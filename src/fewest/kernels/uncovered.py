"""How many conflicts each feature would leave uncovered: the score of Simple-Greedy.

Almuallim and Dietterich (1994), equation (3), for any number of values and
classes: within every group and value, all pairs less the pairs of one label.
"""

from __future__ import annotations

import numpy as np

# Counters are made for as many features at a time as fit in about this many entries.
BLOCK_ENTRIES = 1 << 22


def uncovered_after(codes: np.ndarray, labels: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Count, for every feature, the pairs of different label that would share a group if it split the groups.

    Parameters
    ----------
    codes : ndarray of shape (n_rows, n_features)
        Non-negative.
    labels, groups : ndarray of shape (n_rows,)
        Numbered from 0 without gaps.
    """
    n_values = int(codes.max(initial=0)) + 1
    n_labels = int(labels.max(initial=0)) + 1
    n_counters = (int(groups.max(initial=0)) + 1) * n_values * n_labels
    if n_counters > 16 * len(codes) + 1024:
        return np.array([_pairs_by_sorting(column, labels, groups) for column in codes.T], dtype=np.int64)
    start = (groups * n_values * n_labels + labels)[:, None]
    step = max(1, BLOCK_ENTRIES // max(len(codes), n_counters))
    scores = np.empty(codes.shape[1], dtype=np.int64)
    for first in range(0, codes.shape[1], step):
        block = codes[:, first : first + step]
        keys = start + block.astype(np.int64) * n_labels + np.arange(block.shape[1]) * n_counters
        counts = np.bincount(keys.ravel(), minlength=block.shape[1] * n_counters)
        counts = counts.reshape(block.shape[1], -1, n_labels)
        scores[first : first + step] = (counts.sum(axis=2) ** 2 - (counts**2).sum(axis=2)).sum(axis=1) // 2
    return scores


def _pairs_by_sorting(column: np.ndarray, labels: np.ndarray, groups: np.ndarray) -> int:
    """Count for one feature whose counters would mostly stay empty."""
    cells = groups * (int(column.max(initial=0)) + 1) + column
    together = np.unique(cells, return_counts=True)[1]
    alike = np.unique(cells * (int(labels.max(initial=0)) + 1) + labels, return_counts=True)[1]
    return int((together**2).sum() - (alike**2).sum()) // 2
