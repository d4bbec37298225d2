"""The compiled twin of `fewest.kernels.bit_columns.count_ones`."""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled, compiled_in_place_sum
from fewest.kernels.popcount import popcount


@compiled
def count_masked(columns, masks, counts):
    """Count the ones that columns and masks, both of rows of words, have in common."""
    for c in range(len(columns)):
        for m in range(len(masks)):
            counts[c, m] = _common(columns[c], masks[m])


@compiled_in_place_sum
def _common(column, mask):
    total = np.uint64(0)
    for w in range(len(column)):
        total += popcount(column[w] & mask[w])
    return np.int64(total)
