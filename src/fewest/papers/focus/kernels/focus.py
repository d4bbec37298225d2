"""FOCUS on a table of all subsets: the first of the smallest sufficient ones.

A subset is sufficient exactly when no conflict lies inside its complement.
Marking every superset of a conflict takes one pass over the table a feature,
64 sets at a time, and leaves the complements of all sufficient subsets. Among
the largest, the one whose complement comes first lexicographically in the
learner's order is what FOCUS-1 returns (section 5.3).

First come the features that every sufficient subset holds.
Two examples of different class that differ in one feature make it essential;
Weighted-Greedy gives it infinite credit and FOCUS cannot do without it, so both
begin with all of these. Such a feature is relevant, so it is one of the lowest
bits, and the pairs that show it are found 64 instances at a time. Often
nothing is left to do; else only examples that agree on the essential features
have to be compared, and over the other features alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.kernels.compiled import compiled_in_place
from fewest.kernels.intrinsics import lowest_bit, popcount
from fewest.papers.focus.kernels.draw import FEATURES, all_cells, negated

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


class ConflictWorkspace(NamedTuple):
    """Arrays that every sample reuses."""

    grouped: np.ndarray  # uint16 (n_examples + 1,): the negatives by group, without essential features
    starts: np.ndarray  # int64 (65,): where each group starts
    differences: np.ndarray  # uint16: a conflict each, as bits
    features: np.ndarray  # int64 (n_features,): the features that the bits of a conflict stand for
    scores: np.ndarray  # int64 (n_features,)
    credit: np.ndarray  # int64 (2**n_features,): credit by conflict
    folded: np.ndarray  # int64 (2**n_features,)
    impossible: np.ndarray  # uint64: sets of features, a bit each


def conflict_workspace(n_features: int, n_examples: int) -> ConflictWorkspace:
    """Allocate them."""
    return ConflictWorkspace(
        grouped=np.zeros(n_examples + 1, dtype=np.uint16),
        starts=np.zeros(66, dtype=np.int64),
        differences=np.empty(n_examples**2 // 4 + 1, dtype=np.uint16),
        features=np.zeros(n_features, dtype=np.int64),
        scores=np.zeros(n_features, dtype=np.int64),
        credit=np.zeros(2**n_features, dtype=np.int64),
        folded=np.zeros(2**n_features, dtype=np.int64),
        impossible=np.zeros(max(1, 2**n_features // 64), dtype=np.uint64),
    )


@compiled_in_place
def essential_features(examples):
    """Return the features that alone separate some pair of different class, as bits."""
    truth, seen = examples.truth[0], examples.seen
    found = 0
    for b in range(min(6, len(examples.order))):
        shift = np.uint64(1 << b)
        differing = (truth ^ (truth >> shift)) & ~FEATURES[b]
        pairs = np.uint64(0)
        for word in seen:
            pairs |= word & (word >> shift)
        found |= np.int64(pairs & differing != 0) << b
    return found


@compiled_in_place
def is_sufficient(examples, chosen):
    """Return whether examples that agree on ``chosen``, a subset of the first six features, never differ in class."""
    met = np.uint64(0)
    for word in examples.seen:
        met |= word
    positive, negative = met & examples.truth[0], met & ~examples.truth[0]
    for b in range(min(6, len(examples.order))):
        ignored = np.uint64((chosen >> b) & 1) - np.uint64(1)  # all bits or none: no branch to mispredict
        positive |= negated(positive, b) & ignored
        negative |= negated(negative, b) & ignored
    return positive & negative == 0


@compiled_in_place
def list_differences(examples, chosen, space):
    """List the conflicts that ``chosen``, a subset of the first six features, leaves; return their number.

    They are bits of the other features; ``space.features`` names which.
    """
    n_left = 0
    for feature in range(len(examples.order)):
        space.features[n_left] = feature
        n_left += 1 - ((chosen >> feature) & 1)
    group_negatives(examples, chosen, space)
    positives, grouped, differences = examples.positives, space.grouped, space.differences
    n_conflicts = 0
    for i in range(examples.n[1]):
        group = np.int64(positives[i]) & chosen
        start, stop = space.starts[group], space.starts[group + 1]
        rest = np.uint16(without(np.int64(positives[i]), chosen))
        for k in range(stop - start):
            differences[n_conflicts + k] = grouped[start + k] ^ rest
        n_conflicts += stop - start
    return n_conflicts


@compiled_in_place
def group_negatives(examples, chosen, space):
    """Sort the negatives by their values of the ``chosen`` features, then drop these features."""
    starts, negatives, grouped = space.starts, examples.negatives, space.grouped
    n_groups = chosen + 1  # the highest possible
    for group in range(n_groups + 2):
        starts[group] = 0
    for i in range(examples.n[0]):
        starts[(np.int64(negatives[i]) & chosen) + 2] += 1
    for group in range(2, n_groups + 2):
        starts[group] += starts[group - 1]
    for i in range(examples.n[0]):
        group = (np.int64(negatives[i]) & chosen) + 1
        grouped[starts[group]] = without(np.int64(negatives[i]), chosen)
        starts[group] += 1


@compiled_in_place
def without(row, dropped):
    """Return a row without some of its first six bits."""
    for b in range(5, -1, -1):
        if (dropped >> b) & 1:
            low = (1 << b) - 1
            row = (row & low) | ((row >> 1) & ~low)
    return row
