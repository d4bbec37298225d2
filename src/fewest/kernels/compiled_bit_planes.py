"""The compiled twin of `fewest.kernels.bit_planes.count_ones`."""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled, compiled_in_place_sum
from fewest.kernels.intrinsics import popcount


@compiled
def count_common_ones(columns, masks, counts):
    """Count the bits that are set in both, for every column and every mask; both are rows of uint64 words."""
    for c in range(len(columns)):
        for m in range(len(masks)):
            counts[c, m] = _common(columns[c], masks[m])


@compiled_in_place_sum
def _common(column, mask):
    total = np.uint64(0)
    for w in range(len(column)):
        total += popcount(column[w] & mask[w])
    return np.int64(total)
