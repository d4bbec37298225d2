"""Partitions of the rows: which of them agree on a set of features.

A partition is an array of group numbers ``0 .. n_groups - 1``, one a row.
Refining it by one feature, and finding the groups in which classes mix, each
take a few linear passes: this is the sufficiency test of Almuallim and
Dietterich (1994), Figure 1, for any number of values and classes.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

# A table of all possible keys is the linear way to number groups; past this many keys a row, sorting costs less memory.
KEYS_PER_ROW = 8


def refine(groups: np.ndarray, column: np.ndarray) -> np.ndarray:
    """Split every group by the (non-negative) codes of one feature."""
    if len(groups) == 0:
        return groups
    return numbered(groups * (int(column.max()) + 1) + column)


def numbered(keys: np.ndarray) -> np.ndarray:
    """Number (non-negative) keys from 0 without gaps, in their order."""
    n_keys = int(keys.max(initial=-1)) + 1
    if n_keys > KEYS_PER_ROW * len(keys) + 1024:
        return np.unique(keys, return_inverse=True)[1]
    used = np.zeros(n_keys, dtype=bool)
    used[keys] = True
    return (np.cumsum(used) - 1)[keys]


def mixed_pairs(groups: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return rows (i, j) with different labels in one group: some pair from every mixed group.

    Each group remembers one of its rows; a row of another label than the
    remembered one is paired with it.
    """
    if len(groups) == 0:
        return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp)
    remembered = np.empty(int(groups.max()) + 1, dtype=np.intp)
    remembered[groups[::-1]] = np.arange(len(groups) - 1, -1, -1)  # the last write, so the first row, stays
    partner = remembered[groups]
    later = np.flatnonzero(labels[partner] != labels)
    return partner[later], later


def in_mixed_groups(groups: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return the rows whose group mixes labels; the others need no more attention (Figure 1, step 1)."""
    first, _ = mixed_pairs(groups, labels)
    mixed = np.zeros(int(groups.max(initial=-1)) + 1, dtype=bool)
    mixed[groups[first]] = True
    return np.flatnonzero(mixed[groups])


def cells(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Group the rows that agree on every feature, as `alike` does."""
    return alike(codes.T, len(codes))


def alike(columns: Iterable[np.ndarray], n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Group the rows that agree on every column; those after which all rows differ are not looked at.

    Returns
    -------
    group_of_row : ndarray
        Groups are numbered in the order of their first rows.
    first_row : ndarray
    """
    groups = np.zeros(n_rows, dtype=np.int64)
    n_groups = min(n_rows, 1)
    for column in columns:
        groups = refine(groups, column - min(int(column.min(initial=0)), 0))  # -1 is a pattern like any other here
        n_groups = int(groups.max(initial=-1)) + 1
        if n_groups == n_rows:
            break
    first_row = np.empty(n_groups, dtype=np.intp)
    first_row[groups[::-1]] = np.arange(n_rows - 1, -1, -1)
    order = np.argsort(first_row)
    rank = np.empty(n_groups, dtype=np.intp)
    rank[order] = np.arange(n_groups)
    return rank[groups], first_row[order]


def count_mixed_pairs(groups: np.ndarray, labels: np.ndarray) -> int:
    """Count the pairs of rows that share a group and differ in label, without listing them.

    This is the sum of products of Almuallim and Dietterich (1994), equation (3):
    all pairs of a group less the pairs of one class.
    """
    together = np.bincount(groups)
    n_labels = int(labels.max(initial=0)) + 1
    alike = np.unique(groups.astype(np.int64) * n_labels + labels, return_counts=True)[1]
    return (_sum_of_squares(together) - _sum_of_squares(alike)) // 2


def _sum_of_squares(counts: np.ndarray) -> int:
    """Add squares exactly: a billion rows have more pairs than an int64 sum should be trusted with."""
    return sum(int(count) ** 2 for count in counts[counts > 0].tolist())
