"""Truth tables over at most six features, a word each: bit ``i`` is the value where the features spell ``i``."""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled_in_place
from fewest.kernels.intrinsics import popcount

MOST_RELEVANT = 6

# Bit i of FEATURES[b] is bit b of i: feature b as a truth table.
FEATURES = np.array([sum(1 << i for i in range(64) if i >> b & 1) for b in range(6)], dtype=np.uint64)


@compiled_in_place
def negated(truth, b):
    """Return the table with feature ``b`` negated: its two halves change places."""
    shift = np.uint64(1 << b)
    return ((truth & FEATURES[b]) >> shift) | ((truth & ~FEATURES[b]) << shift)


@compiled_in_place
def all_cells(n_features):
    """Return the word of all instances that differ in the first six features."""
    return ~np.uint64(0) if n_features >= 6 else (np.uint64(1) << np.uint64(1 << n_features)) - np.uint64(1)


@compiled_in_place
def n_wrong(cells, truth, label, n_free):
    """Count the instances of a leaf that it gets wrong.

    Parameters
    ----------
    cells : uint64
        What the tests of the first six features on the leaf's path leave of all cells.
    truth : uint64
    label : bool
        The class that the leaf predicts.
    n_free : int
        How many of the other features the path does not test: each doubles the instances.
    """
    return np.int64(popcount(cells & (~truth if label else truth))) << np.int64(n_free)
