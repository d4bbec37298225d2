"""FOCUS on a table of all subsets: the first of the smallest sufficient ones.

A subset is sufficient exactly when no conflict lies inside its complement.
Marking every superset of a conflict takes one pass over the table a feature,
64 sets at a time, and leaves the complements of all sufficient subsets. Among
the largest, the one whose complement comes first lexicographically in the
learner's order is what FOCUS-1 returns (section 5.3).
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled_in_place
from fewest.kernels.intrinsics import lowest_bit, popcount
from fewest.papers.focus.kernels.essential import essential_features, is_sufficient, list_differences
from fewest.papers.focus.kernels.truth_tables import FEATURES, all_cells

# _OF_SIZE[k] holds the numbers below 64 with k bits.
_OF_SIZE = np.array([sum(1 << i for i in range(64) if i.bit_count() == k) for k in range(7)], dtype=np.uint64)


@compiled_in_place
def focus(examples, space):
    """Return the features that FOCUS selects, as bits."""
    chosen = essential_features(examples)
    if is_sufficient(examples, chosen):
        return chosen
    n_conflicts = list_differences(examples, chosen, space)
    n_left = len(space.features) - np.int64(popcount(np.uint64(chosen)))
    impossible, conflicts = space.impossible, space.differences
    for at in range(max(1, (1 << n_left) // 64)):
        impossible[at] = 0
    for c in range(n_conflicts):
        conflict = np.int64(conflicts[c])
        impossible[conflict >> 6] |= np.uint64(1) << np.uint64(conflict & 63)
    mark_supersets(impossible, n_left)
    return chosen | first_of_largest_complements(examples, space, n_left)


@compiled_in_place
def mark_supersets(sets, n_bits):
    """Mark every set that includes a marked one."""
    n_words = max(1, (1 << n_bits) // 64)
    for b in range(min(n_bits, 6)):
        for at in range(n_words):
            sets[at] |= (sets[at] & ~FEATURES[b]) << np.uint64(1 << b)
    for b in range(6, n_bits):
        step = 1 << (b - 6)
        for start in range(0, n_words, 2 * step):
            for at in range(start, start + step):
                sets[at + step] |= sets[at]


@compiled_in_place
def first_of_largest_complements(examples, space, n_left):
    """Return the features outside the largest set not marked, the first such features among equals."""
    impossible, features, rank = space.impossible, space.features, examples.rank
    everything, n_words = all_cells(n_left), max(1, (1 << n_left) // 64)
    largest = -1
    for at in range(n_words):
        possible = ~impossible[at] & everything
        size = 6
        while size >= 0 and possible & _OF_SIZE[size] == 0:
            size -= 1
        if size >= 0:
            largest = max(largest, np.int64(popcount(np.uint64(at))) + size)
    best, first = 0, -1
    for at in range(n_words):
        size = largest - np.int64(popcount(np.uint64(at)))
        if size < 0 or size > 6:
            continue
        possible = ~impossible[at] & everything & _OF_SIZE[size]
        while possible:
            left_out = 64 * at + lowest_bit(possible)
            possible &= possible - np.uint64(1)
            chosen = place = 0
            for k in range(n_left):
                if (left_out >> k) & 1 == 0:
                    chosen |= 1 << features[k]
                    place |= 1 << (63 - 1 - rank[features[k]])
            if place > first:  # holds the first feature in which the two differ
                best, first = chosen, place
    return best
