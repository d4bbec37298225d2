"""What every feature would do to the groups: the scores of Simple-Greedy and Mutual-Information-Greedy.

Almuallim and Dietterich (1994), equations (2) and (3) and the appendix, for any
number of values and classes. Both need only the number of rows of each label
in each group and value, which a few linear passes count.
"""

from __future__ import annotations

from collections.abc import Iterator

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
    scores = np.empty(codes.shape[1], dtype=np.int64)
    for features, counts in _blocks(codes, labels, groups):
        # Within every group and value: all pairs less the pairs of one label.
        scores[features] = (counts.sum(axis=2) ** 2 - (counts**2).sum(axis=2)).sum(axis=1) // 2
    return scores


def entropy_after(codes: np.ndarray, labels: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Return, for every feature, the sum over the groups it would make of their size times their entropy in bits."""
    scores = np.empty(codes.shape[1], dtype=np.float64)
    for features, counts in _blocks(codes, labels, groups):
        # n log n - sum of n_c log n_c, with 0 log 0 = 0: the size of a group times its entropy.
        scores[features] = (_times_log(counts.sum(axis=2)) - _times_log(counts).sum(axis=2)).sum(axis=1)
    return scores


def _times_log(counts: np.ndarray) -> np.ndarray:
    numbers = counts.astype(np.float64)
    return numbers * np.log2(numbers, out=np.zeros_like(numbers), where=counts > 0)


def _blocks(codes: np.ndarray, labels: np.ndarray, groups: np.ndarray) -> Iterator[tuple[slice, np.ndarray]]:
    """Yield (features, rows by feature, group and value, and label)."""
    n_values = int(codes.max(initial=0)) + 1
    n_labels = int(labels.max(initial=0)) + 1
    n_counters = (int(groups.max(initial=0)) + 1) * n_values * n_labels
    if n_counters > 16 * len(codes) + 1024:
        for feature in range(codes.shape[1]):
            yield slice(feature, feature + 1), _counts_of_one(codes[:, feature], labels, groups)
        return
    start = (groups * n_values * n_labels + labels)[:, None]
    step = max(1, BLOCK_ENTRIES // max(len(codes), n_counters))
    for first in range(0, codes.shape[1], step):
        block = codes[:, first : first + step]
        keys = start + block.astype(np.int64) * n_labels + np.arange(block.shape[1]) * n_counters
        counts = np.bincount(keys.ravel(), minlength=block.shape[1] * n_counters)
        yield slice(first, first + step), counts.reshape(block.shape[1], -1, n_labels)


def _counts_of_one(column: np.ndarray, labels: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Count for one feature most of whose counters would stay empty: number the groups and values that occur."""
    n_labels = int(labels.max(initial=0)) + 1
    occurring = np.unique(groups * (int(column.max(initial=0)) + 1) + column, return_inverse=True)[1]
    n_occurring = int(occurring.max(initial=-1)) + 1
    return np.bincount(occurring * n_labels + labels, minlength=n_occurring * n_labels).reshape(1, -1, n_labels)
