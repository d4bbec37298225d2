"""Sufficiency tests of many subsets in a row, compiled: the loop of FOCUS-1.

Groups of rows are found with a hash table that lives through all tests: an
entry holds a key, a value and the stamp of the test it belongs to, so that
nothing is ever cleared.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled

KEY, VALUE, STAMP = 0, 1, 2
ROW, GROUP = 0, 1

# An odd constant with well-spread bits (2**64 over the golden ratio) turns keys into table positions.
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
# A key is a group and a code: the code takes the lower 32 bits. Groups are fewer than rows, and both rows and codes
# fewer than 2**31, so that no two keys are equal and none overflows 63 bits.
_CODES = np.int64(1 << 32)


@compiled
def scan_subsets(columns, labels, subset, most_tests):
    """Test subsets in lexicographic order, beginning with ``subset``, until one is sufficient.

    Parameters
    ----------
    columns : integer array of shape (n_features, n_rows)
        Non-negative codes.
    labels : int64 array of shape (n_rows,)
    subset : int64 array
        Updated in place: the sufficient subset, or the next one to test.
    most_tests : int
        Return after so many tests.

    Returns
    -------
    n_tests : int
    is_found : bool
    is_done : bool
        All subsets of this size have been tested and none is sufficient.
    """
    n_features, n_rows = columns.shape
    size = len(subset)
    n_slots = 2
    while n_slots < 2 * n_rows:
        n_slots *= 2
    table = np.zeros((n_slots, 3), dtype=np.int64)
    # For each prefix of the subset: the rows in mixed groups, and those groups.
    mixed = np.zeros((size, 2, n_rows), dtype=np.int64)
    n_mixed = np.zeros(size, dtype=np.int64)
    mixed[0, ROW] = np.arange(n_rows)
    n_mixed[0] = n_rows
    stamp = 0
    stale = 1  # the length of the first prefix whose partition must be made again
    n_tests = 0
    while True:
        for depth in range(stale, size):
            stamp += 1
            prefix = mixed[depth - 1, :, : n_mixed[depth - 1]]
            n_mixed[depth] = _split(columns[subset[depth - 1]], labels, prefix, mixed[depth], table, stamp)
        stamp += 1
        n_tests += 1
        if _is_pure(columns[subset[-1]], labels, mixed[-1, :, : n_mixed[-1]], table, stamp):
            return n_tests, True, False
        depth = size - 1
        while depth >= 0 and subset[depth] == n_features - size + depth:
            depth -= 1
        if depth < 0:
            return n_tests, False, True
        subset[depth] += 1
        for later in range(depth + 1, size):
            subset[later] = subset[later - 1] + 1
        stale = depth + 1
        if n_tests >= most_tests:
            return n_tests, False, False


@compiled
def _is_pure(column, labels, prefix, table, stamp):
    """Return whether splitting the groups by one feature leaves no group with two labels."""
    for k in range(prefix.shape[1]):
        label = labels[prefix[ROW, k]]
        if _value(column, prefix[:, k], label, table, stamp) != label:
            return False
    return True


@compiled
def _split(column, labels, prefix, split, table, stamp):
    """Split the groups by one feature and keep, in ``split``, the rows whose group is still mixed; return how many."""
    n_rows = prefix.shape[1]
    n_groups = 0
    group = np.empty(n_rows, dtype=np.int64)
    label_of_group = np.empty(n_rows, dtype=np.int64)
    is_mixed = np.zeros(n_rows, dtype=np.bool_)
    for k in range(n_rows):
        label = labels[prefix[ROW, k]]
        group[k] = _value(column, prefix[:, k], n_groups, table, stamp)
        if group[k] == n_groups:
            label_of_group[n_groups] = label
            n_groups += 1
        elif label_of_group[group[k]] != label:
            is_mixed[group[k]] = True
    n_kept = 0
    for k in range(n_rows):
        if is_mixed[group[k]]:
            split[ROW, n_kept] = prefix[ROW, k]
            split[GROUP, n_kept] = group[k]
            n_kept += 1
    return n_kept


@compiled
def _value(column, member, default, table, stamp):
    """Return what the table holds for a row's group and code in this test; what it has not met it enters first."""
    key = member[GROUP] * _CODES + np.int64(column[member[ROW]])
    # The number of slots is a power of two and at least twice that of the rows: there is always a free slot, and an AND
    # takes the remainder. The upper half of the product is what all bits of the key have gone into.
    n_slots = len(table)
    at = np.int64((np.uint64(key) * _SPREAD) >> np.uint64(32)) & (n_slots - 1)
    while table[at, STAMP] == stamp and table[at, KEY] != key:
        at = (at + 1) & (n_slots - 1)
    if table[at, STAMP] != stamp:
        table[at, STAMP], table[at, KEY], table[at, VALUE] = stamp, key, default
    return table[at, VALUE]
