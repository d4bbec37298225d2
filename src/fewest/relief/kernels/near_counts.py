"""The nearest rows where distances are counts: how far the k-th is, and which rows are as near.

Rows within a distance are counted, and told from the others, many at a time;
and the k-th distance of one row is close to that of another, from which the
search for it starts.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled_in_place
from fewest.kernels.intrinsics import LANES, at_most, lowest_bit


@compiled_in_place
def kth_count(distances, ranges, k, guess, farthest):
    """Return the k-th least distance of some ranges of rows, ``farthest`` if they have fewer rows as near.

    Steps away from the guess grow twofold; then what lies between the last two is halved.
    """
    step = 1
    if _n_within(distances, ranges, guess) >= k:
        low, high = guess - step, guess
        while low >= 0 and _n_within(distances, ranges, low) >= k:
            step *= 2
            low, high = low - step, low
    else:
        low, high = guess, guess + step
        while high < farthest and _n_within(distances, ranges, high) < k:
            step *= 2
            low, high = high, high + step
    low, high = max(low, -1), min(high, farthest)
    while high - low > 1:
        middle = (low + high) // 2
        if _n_within(distances, ranges, middle) >= k:
            high = middle
        else:
            low = middle
    return high


@compiled_in_place
def _n_within(distances, ranges, most):
    return _count(distances[ranges[0] : ranges[1]], most) + _count(distances[ranges[2] : ranges[3]], most)


@compiled_in_place
def _count(distances, most):
    total, limit = np.int32(0), np.int32(most)
    for j in range(len(distances)):
        total = np.int32(total + np.int32(distances[j] <= limit))  # as narrow as distances: more fit into a vector
    return np.int64(total)


@compiled_in_place
def gather_counts(distances, start, stop, most, found, at):
    """Append the rows of a range that are no farther than ``most``, in their order."""
    first = start
    while first + LANES <= stop:
        near = at_most(distances, first, np.int32(most))
        while near:
            found[at] = first + lowest_bit(near)
            near &= near - np.uint64(1)
            at += 1
        first += LANES
    for j in range(first, stop):
        found[at] = j
        at += np.int64(distances[j] <= most)
    return at
