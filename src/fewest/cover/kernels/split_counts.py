"""What every feature would do to the groups: the scores of Simple-Greedy and Mutual-Information-Greedy.

Almuallim and Dietterich (1994), equations (2) and (3) and the appendix, for any
number of values and classes. Both need only the number of rows of each label
in each group and value, which one pass over the rows counts.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from fewest.kernels.entropy import size_times_entropy
from fewest.kernels.partition import numbered

# Counters are made for as many features at a time as fit in about this many entries.
BLOCK_ENTRIES = 1 << 22
# More values than this are worth the second that loading compiled code takes.
COMPILED_FROM = 20_000_000


def uncovered_after(
    codes: np.ndarray, labels: np.ndarray, groups: np.ndarray, rows: np.ndarray | None = None
) -> np.ndarray:
    """Count, for every feature, the pairs of different label that would share a group if it split the groups.

    Parameters
    ----------
    codes : ndarray of shape (n_rows, n_features)
        Non-negative; column-major is fastest.
    labels, groups : ndarray of shape (n_rows,)
        Numbered from 0 without gaps.
    rows : ndarray, optional
        The rows of ``codes`` that labels and groups speak of; all, if not given.
    """
    scores = np.empty(codes.shape[1], dtype=np.int64)
    for features, counts in _blocks(codes, labels, groups, rows):
        scores[features] = mixed_pairs_of(counts).sum(axis=1)
    return scores


def mixed_pairs_of(counts: np.ndarray) -> np.ndarray:
    """Count, within every group, all pairs less the pairs of one label, from the counts of its labels."""
    return (counts.sum(axis=-1) ** 2 - (counts**2).sum(axis=-1)) // 2


def entropy_after(
    codes: np.ndarray, labels: np.ndarray, groups: np.ndarray, rows: np.ndarray | None, quantum: float
) -> np.ndarray:
    """Return, for every feature, the sum over the groups it would make of their size times their entropy in bits.

    Terms are rounded to multiples of ``quantum``, so that their sum does not depend on their order.
    """
    scores = np.empty(codes.shape[1], dtype=np.float64)
    for features, counts in _blocks(codes, labels, groups, rows):
        scores[features] = size_times_entropy(counts, quantum).sum(axis=1)
    return scores


def _blocks(
    codes: np.ndarray, labels: np.ndarray, groups: np.ndarray, rows: np.ndarray | None
) -> Iterator[tuple[slice, np.ndarray]]:
    """Yield (features, rows by feature, group and value, and label)."""
    n_values = int(codes.max(initial=0)) + 1
    n_labels = int(labels.max(initial=0)) + 1
    n_counters = (int(groups.max(initial=0)) + 1) * n_values * n_labels
    start = groups * (n_values * n_labels) + labels
    chosen = slice(None) if rows is None else rows
    if n_counters > 16 * len(start) + 1024:
        for feature in range(codes.shape[1]):
            yield slice(feature, feature + 1), _counts_of_one(codes[chosen, feature], labels, groups)
        return
    compiles = len(start) * codes.shape[1] >= COMPILED_FROM or is_loaded()
    if compiles:
        from fewest.cover.kernels.counting import count_by_value

        everyone = np.arange(len(start)) if rows is None else rows
        columns = np.ascontiguousarray(codes.T)  # no copy, if the codes are column-major
    step = max(1, BLOCK_ENTRIES // max(len(start), n_counters))
    for first in range(0, codes.shape[1], step):
        features = slice(first, min(first + step, codes.shape[1]))
        if compiles:
            counts = count_by_value(columns[features], everyone, start, n_labels, n_counters)
        else:
            block = codes[chosen, features]
            keys = start[:, None] + block.astype(np.int64) * n_labels + np.arange(block.shape[1]) * n_counters
            counts = np.bincount(keys.ravel(), minlength=block.shape[1] * n_counters)
        yield features, counts.reshape(features.stop - features.start, -1, n_labels)


def is_loaded() -> bool:
    """Return whether compiled code is there for the taking."""
    return "fewest.cover.kernels.counting" in sys.modules


def _counts_of_one(column: np.ndarray, labels: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Count for one feature most of whose counters would stay empty: number the groups and values that occur."""
    n_labels = int(labels.max(initial=0)) + 1
    occurring = numbered(groups * (int(column.max(initial=0)) + 1) + column)
    n_occurring = int(occurring.max(initial=-1)) + 1
    return np.bincount(occurring * n_labels + labels, minlength=n_occurring * n_labels).reshape(1, -1, n_labels)
