"""The entropy that every feature would leave in every node of a level: what ID3 compares.

The size of a group times its entropy is T(n) - sum of T(n_c) over the classes,
with T(n) = n log n. It adds up over the values of a feature, so counting rows
by feature, value, node and class, and once more without the class, is all.
Terms are added one by one, by class and then by value, however they were
counted, so that rounding is the same wherever the rows are.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fewest.kernels.entropy import times_log

# Features are counted as many at a time as have about this many entries, so that keys stay in the cache.
BLOCK_ENTRIES = 1 << 17
# Past this number of counters for each entry, the counters that are in use are numbered instead.
COUNTERS_PER_ENTRY = 16


def split_entropies(
    codes: np.ndarray,
    classes: np.ndarray,
    groups: np.ndarray,
    weights: np.ndarray | None,
    n_classes: int,
    look: Callable[[], None] | None = None,
) -> np.ndarray:
    """Return the entropy of the class, in bits, that each feature would leave in each group.

    Parameters
    ----------
    codes : ndarray of shape (n_features, n_rows)
        Non-negative.
    classes, groups : ndarray of shape (n_rows,)
        Numbered from 0; every group has rows.
    weights : ndarray of shape (n_rows,) or None
        Positive.
    n_classes : int
    look : callable, optional
        Called before every block of features; what it raises ends the work.

    Returns
    -------
    ndarray of shape (n_features, n_groups)
        Infinite where a feature is constant in a group: it would split nothing.
    """
    n_features, n_rows = codes.shape
    n_groups = int(groups.max()) + 1
    n_values = codes.max(axis=1).astype(np.int64) + 1
    table = times_log(np.arange(n_rows + 1.0)) if weights is None else None
    inner = groups * n_classes + classes
    sizes = np.bincount(groups, weights, n_groups)
    entropies = np.empty((n_features, n_groups))
    step = max(1, BLOCK_ENTRIES // n_rows)
    for first in range(0, n_features, step):
        if look is not None:
            look()
        block = slice(first, min(first + step, n_features))
        # A slot is a value of a feature of the block.
        starts = np.concatenate([[0], np.cumsum(n_values[block])])
        keys = (codes[block] + starts[:-1, None]) * (n_groups * n_classes) + inner
        n_counters = int(starts[-1]) * n_groups * n_classes
        count = _in_a_table if n_counters <= COUNTERS_PER_ENTRY * keys.size + 1024 else _as_they_occur
        left, n_used = count(keys, weights, table, starts, n_groups, n_classes)
        entropies[block] = np.where(n_used > 1, left / sizes, np.inf)
    return entropies


def _in_a_table(keys, weights, table, starts, n_groups, n_classes):
    """Count with a counter for every slot, group and class; return entropies times sizes and the number of values."""
    repeated = None if weights is None else np.broadcast_to(weights, keys.shape).ravel()
    counts = np.bincount(keys.ravel(), repeated, int(starts[-1]) * n_groups * n_classes)
    counts = counts.reshape(-1, n_groups, n_classes)
    together = counts.sum(axis=2)
    left = np.zeros(together.shape)
    for of_class in np.moveaxis(_terms(counts, table), 2, 0):
        left += of_class
    left = _terms(together, table) - left
    n_features = len(starts) - 1
    feature = np.repeat(np.arange(n_features), np.diff(starts))
    target = (feature[:, None] * n_groups + np.arange(n_groups)).ravel()
    n_used = np.add.reduceat((together > 0).astype(np.int64), starts[:-1])
    return np.bincount(target, left.ravel(), n_features * n_groups).reshape(n_features, n_groups), n_used


def _as_they_occur(keys, weights, table, starts, n_groups, n_classes):
    """Do the same with counters only for what occurs."""
    used, index, counts = np.unique(keys.ravel(), return_inverse=True, return_counts=True)
    if weights is not None:
        counts = np.bincount(index, np.broadcast_to(weights, keys.shape).ravel())
    return _left_by(used, counts, table, starts, n_groups, n_classes)


def entropies_of_counts(
    keys: np.ndarray, counts: np.ndarray, starts: np.ndarray, sizes: np.ndarray, n_classes: int
) -> np.ndarray:
    """Return what `split_entropies` does, from counts of rows.

    Parameters
    ----------
    keys : ndarray
        Ascending: (value * n_groups + group) * n_classes + class, values numbered through all features.
    counts : ndarray
        The rows of each.
    starts : ndarray of shape (n_features + 1,)
        The first value of every feature, and the one after the last.
    sizes : ndarray of shape (n_groups,)
        The rows of every group.
    n_classes : int
    """
    left, n_used = _left_by(keys, counts, None, starts, len(sizes), n_classes)
    return np.where(n_used > 1, left / sizes, np.inf)


def _left_by(used, counts, table, starts, n_groups, n_classes):
    """Add up the terms of what occurs."""
    cells, cell = np.unique(used // n_classes, return_inverse=True)
    together = np.bincount(cell, counts)
    left = _terms(together if table is None else together.astype(np.int64), table)
    left -= np.bincount(cell, _terms(counts, table))
    feature = np.searchsorted(starts, cells // n_groups, side="right") - 1
    target = feature * n_groups + cells % n_groups
    shape = (len(starts) - 1, n_groups)
    size = shape[0] * shape[1]
    return np.bincount(target, left, size).reshape(shape), np.bincount(target, minlength=size).reshape(shape)


def _terms(counts: np.ndarray, table: np.ndarray | None) -> np.ndarray:
    """Return n log n of every count: looked up if these are counts of rows."""
    return times_log(counts) if table is None else table[counts]
