"""The rows that compete for being neighbours of a drawn row, and lots between those that tie."""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled_in_place
from fewest.kernels.compiled_split_mix import next_fraction


@compiled_in_place
def pool_of(starts, own, number, pools_misses):
    """Return two ranges of rows that make up a pool, and whether it is the drawn row's class.

    A pool is a class; or, where misses are pooled, first the own class, then what lies around it.
    """
    none = np.int64(0)
    if not pools_misses:
        return (starts[number], starts[number + 1], none, none), number == own
    if number == 0:
        return (starts[own], starts[own + 1], none, none), True
    return (none, starts[own], starts[own + 1], starts[len(starts) - 1]), False


@compiled_in_place
def draw_lots(found, first, stop, n_places, seed):
    """Keep as many of the tied rows, chosen at random, as there are places."""
    at = first
    for e in range(first, stop):
        seed, lot = next_fraction(seed)
        if lot * (stop - e) < n_places:
            n_places -= 1
            found.rows[at], found.weights[at] = found.rows[e], found.weights[e]
            at += 1
    return at, seed
