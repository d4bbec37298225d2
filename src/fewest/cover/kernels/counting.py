"""Counting rows by what they hold, in one pass over memory."""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled


@compiled
def count_by_value(columns, rows, start, n_labels, n_counters):
    """Count, for every column, the rows at ``start[k] + n_labels * value of row rows[k]``.

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
