"""What every feature would do to the groups: the scores of Simple-Greedy and Mutual-Information-Greedy.

Almuallim and Dietterich (1994), equations (2) and (3) and the appendix, for any
number of values and classes. Both need only the number of rows of each label
in each group and value, which one pass over the rows counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from fewest.kernels.compile_or_not import compilable
from fewest.kernels.partition import numbered

# Rows are counted for as many features at a time as make about this many entries, which stay in the cache.
BLOCK_ENTRIES = 1 << 17
# What a value of a row is taken to cost NumPy: the 10 ns of counting it, and those of the steps to come, since a search
# that has scored so many values goes on to score most of them again.
NANOSECONDS = 50.0
KERNELS = "fewest.cover.kernels.split_counts"

Measure = Callable[[np.ndarray], np.ndarray]


def scores_of_splits(
    codes: np.ndarray,
    labels: np.ndarray,
    groups: np.ndarray,
    rows: np.ndarray | None,
    measure: Measure,
    compiles: bool = False,
) -> np.ndarray:
    """Return, for every feature, the sum of a measure over the groups that it would split the groups into.

    Parameters
    ----------
    codes : ndarray of shape (n_rows, n_features)
        Non-negative; column-major is fastest.
    labels, groups : ndarray of shape (n_rows,)
        Numbered from 0; gaps waste counters.
    rows : ndarray, optional
        The rows of ``codes`` that labels and groups speak of; all, if not given.
    measure : callable
        Takes the rows of groups by label along the last axis: `mixed_pairs_of`, or their entropy.
    compiles : bool
        Whether compiled code is to count, with the same result.
    """
    counted = _blocks(codes, labels, groups, rows, compiles)
    scores = [measure(counts).sum(axis=1) for counts in counted]
    return np.concatenate(scores) if scores else np.zeros(0)


def pairs_of_splits(
    codes: np.ndarray, labels: np.ndarray, groups: np.ndarray, compiles: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Return, for every feature, the pairs of different labels within the groups that it would make, and all pairs."""
    mixed, alike = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for counts in _blocks(codes, labels, groups, None, compiles):
        sizes = counts.sum(axis=-1)
        mixed.append(mixed_pairs_of(counts).sum(axis=1))
        alike.append((sizes * (sizes - 1) // 2).sum(axis=1))
    return np.concatenate(mixed), np.concatenate(alike)


def mixed_pairs_of(counts: np.ndarray) -> np.ndarray:
    """Count, within every group, all pairs less the pairs of one label, from the counts of its labels."""
    return (counts.sum(axis=-1) ** 2 - (counts**2).sum(axis=-1)) // 2


def _blocks(
    codes: np.ndarray, labels: np.ndarray, groups: np.ndarray, rows: np.ndarray | None, compiles: bool
) -> Iterator[np.ndarray]:
    """Yield the rows by feature, group and value, and label, for some features at a time, in order."""
    n_values = int(codes.max(initial=0)) + 1
    n_labels = int(labels.max(initial=0)) + 1
    n_counters = (int(groups.max(initial=0)) + 1) * n_values * n_labels
    start = groups * (n_values * n_labels) + labels
    chosen = slice(None) if rows is None else rows
    if n_counters > 16 * len(start) + 1024:
        for feature in range(codes.shape[1]):
            yield _counts_of_one(codes[chosen, feature], labels, groups)
        return
    columns = np.ascontiguousarray(codes.T)  # no copy, if the codes are column-major
    if compiles:
        everyone = np.arange(len(start)) if rows is None else rows
    step = max(1, BLOCK_ENTRIES // max(len(start), n_counters))
    for first in range(0, len(columns), step):
        some = columns[first : first + step]
        if compiles:
            counts = count_by_value.compiled(some, everyone, start, n_labels, n_counters)
        else:
            keys = (some if rows is None else some.take(rows, axis=1)) * np.int64(n_labels)
            keys += start
            keys += np.arange(len(keys))[:, None] * n_counters
            counts = np.bincount(keys.ravel(), minlength=keys.shape[0] * n_counters)
        yield counts.reshape(len(some), -1, n_labels)


def _counts_of_one(column: np.ndarray, labels: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Count for one feature most of whose counters would stay empty: number the groups and values that occur."""
    n_labels = int(labels.max(initial=0)) + 1
    occurring = numbered(groups * (int(column.max(initial=0)) + 1) + column)
    n_occurring = int(occurring.max(initial=-1)) + 1
    return np.bincount(occurring * n_labels + labels, minlength=n_occurring * n_labels).reshape(1, -1, n_labels)


@compilable()
def count_by_value(columns, rows, start, n_labels, n_counters):
    """Count in one pass over memory, for every column, the rows at ``start[k] + n_labels * value of row rows[k]``.

    Parameters
    ----------
    columns : ndarray of shape (n_columns, n_rows)
    rows, start : ndarray of shape (n_chosen,)
    n_labels, n_counters : int

    Returns
    -------
    ndarray of shape (n_columns, n_counters)
    """
    counts = np.zeros((columns.shape[0], n_counters), dtype=np.int64)
    for c in range(columns.shape[0]):
        column, counter = columns[c], counts[c]
        for k in range(len(rows)):
            counter[start[k] + n_labels * column[rows[k]]] += 1
    return counts
