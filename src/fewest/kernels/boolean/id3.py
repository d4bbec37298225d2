"""ID3 without windowing or pruning, scored while it grows.

Information gain decides; a node that is not pure is split even when no test
gains anything, else exclusive-or would never be learned. Features constant at
a node are no candidates, and ties go to the feature that comes first. Samples
are free of noise, so every leaf is pure. A leaf is never applied to instances:
which it gets wrong follows from the tests on its path.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.kernels.boolean.slices import add_to_columns, count_ones, split
from fewest.kernels.boolean.truth import FEATURES, all_cells, n_wrong
from fewest.kernels.compiled import compiled
from fewest.kernels.popcount import popcount

# Entropies that are equal in exact arithmetic differ in floating point by less than this.
TOLERANCE = 1e-11
# Nodes with at most so many examples hold them as bits of a word.
WORD = 64


class TreeRoom(NamedTuple):
    """Arrays that every tree reuses."""

    times_log: np.ndarray  # float64 (n_examples + 1,): n log2 n
    candidates: np.ndarray  # int64 (n_features,): the chosen features in the learner's order
    columns: np.ndarray  # uint64 (n_features,)
    counts: np.ndarray  # int64 (2, 16)
    scratch: np.ndarray  # uint16 (n_examples + 1,)
    nodes: np.ndarray  # uint64 (depth, 4): nodes still to grow, as words of examples
    wide_nodes: np.ndarray  # int64 (depth, 5): nodes still to grow, as ranges of examples
    wide_cells: np.ndarray  # uint64 (depth,)


def tree_room(n_features: int, n_examples: int) -> TreeRoom:
    """Allocate them."""
    numbers = np.arange(n_examples + 1, dtype=np.float64)
    return TreeRoom(
        times_log=numbers * np.log2(np.maximum(numbers, 1.0)),
        candidates=np.zeros(n_features, dtype=np.int64),
        columns=np.zeros(n_features, dtype=np.uint64),
        counts=np.zeros((2, 16), dtype=np.int64),
        scratch=np.zeros(n_examples + 1, dtype=np.uint16),
        nodes=np.zeros((n_features + 2, 4), dtype=np.uint64),
        wide_nodes=np.zeros((n_features + 2, 5), dtype=np.int64),
        wide_cells=np.zeros(n_features + 2, dtype=np.uint64),
    )


@compiled
def id3(examples, chosen, room):
    """Grow a tree over the ``chosen`` features; return how many of all instances it misclassifies.

    The examples are left in another order.
    """
    candidates = candidates_of(examples.order, chosen, room.candidates)
    positives, negatives = examples.positives[: examples.n[1]], examples.negatives[: examples.n[0]]
    cells, n_free = all_cells(len(examples.order)), max(0, len(examples.order) - 6)
    if len(positives) + len(negatives) > WORD:
        root = room.wide_nodes[0]
        root[:5] = 0, len(positives), 0, len(negatives), n_free
        room.wide_cells[0] = cells
        return grow_wide(positives, negatives, candidates, examples.truth[0], room)
    plant(positives, negatives, room)
    room.nodes[0, 2], room.nodes[0, 3] = cells, np.uint64(n_free)
    return grow(candidates, examples.truth[0], room)


@compiled
def candidates_of(order, chosen, candidates):
    """List the chosen features in the learner's order."""
    n_candidates = 0
    for place in range(len(order)):
        candidates[n_candidates] = order[place]
        n_candidates += (chosen >> order[place]) & 1
    return candidates[:n_candidates]


@compiled
def plant(positives, negatives, room):
    """Write at most 64 examples into the columns, as the first node to grow."""
    n_positive, n_examples = np.uint64(len(positives)), np.uint64(len(positives) + len(negatives))
    room.columns[:] = 0
    add_to_columns(positives, 0, room.columns)
    add_to_columns(negatives, len(positives), room.columns)
    everyone = below(n_examples)
    room.nodes[0, 0] = below(n_positive)
    room.nodes[0, 1] = everyone ^ room.nodes[0, 0]


@compiled
def below(n_bits):
    """Return a word whose lowest ``n_bits`` are set."""
    return ~np.uint64(0) >> (np.uint64(64) - n_bits) if n_bits else np.uint64(0)


@compiled
def grow(candidates, truth, room):
    """Grow the tree of the first of ``room.nodes``, whose examples are bits; return what its leaves get wrong."""
    nodes, columns, times_log = room.nodes, room.columns, room.times_log
    total, n_nodes = 0, 1
    while n_nodes:
        n_nodes -= 1
        positive, negative, cells, n_free = nodes[n_nodes]
        if positive == 0 or negative == 0:
            total += n_wrong(cells, truth, positive != 0, n_free)
            continue
        n_positive, n_negative = np.int64(popcount(positive)), np.int64(popcount(negative))
        best, least = -1, np.inf
        margin = TOLERANCE * (n_positive + n_negative)
        for feature in candidates:
            p = np.int64(popcount(positive & columns[feature]))
            n = np.int64(popcount(negative & columns[feature]))
            if p + n == 0 or p + n == n_positive + n_negative:
                continue
            left = remainder(times_log, p, n) + remainder(times_log, n_positive - p, n_negative - n)
            if left < least - margin:
                best, least = feature, left
                if left == 0.0:
                    break
        column = columns[best]
        n_free -= np.uint64(best >= 6)
        for value in (1, 0):  # the last one is grown first
            ones = column if value else ~column
            nodes[n_nodes, 0], nodes[n_nodes, 1] = positive & ones, negative & ones
            nodes[n_nodes, 2], nodes[n_nodes, 3] = child_cells(cells, best, value), n_free
            n_nodes += 1
    return total


@compiled
def grow_wide(positives, negatives, candidates, truth, room):
    """Grow the tree of the first of ``room.wide_nodes``, whose examples are ranges, until 64 fit a word."""
    nodes, all_nodes_cells, counts = room.wide_nodes, room.wide_cells, room.counts
    total, n_nodes = 0, 1
    while n_nodes:
        n_nodes -= 1
        cells = all_nodes_cells[n_nodes]
        p_start, p_stop, n_start, n_stop, n_free = nodes[n_nodes, :5]
        n_positive, n_negative = p_stop - p_start, n_stop - n_start
        if n_positive == 0 or n_negative == 0:
            total += n_wrong(cells, truth, n_positive != 0, n_free)
            continue
        if n_positive + n_negative <= WORD:
            plant(positives[p_start:p_stop], negatives[n_start:n_stop], room)
            room.nodes[0, 2], room.nodes[0, 3] = cells, np.uint64(n_free)
            total += grow(candidates, truth, room)
            continue
        count_ones(positives[p_start:p_stop], counts[1])
        count_ones(negatives[n_start:n_stop], counts[0])
        best, least = -1, np.inf
        margin = TOLERANCE * (n_positive + n_negative)
        for feature in candidates:
            p, n = counts[1, feature], counts[0, feature]
            if p + n == 0 or p + n == n_positive + n_negative:
                continue
            left = remainder(room.times_log, p, n) + remainder(room.times_log, n_positive - p, n_negative - n)
            if left < least - margin:
                best, least = feature, left
        p_middle = p_start + split(positives[p_start:p_stop], best, room.scratch)
        n_middle = n_start + split(negatives[n_start:n_stop], best, room.scratch)
        n_free -= best >= 6
        nodes[n_nodes, :5] = p_middle, p_stop, n_middle, n_stop, n_free
        nodes[n_nodes + 1, :5] = p_start, p_middle, n_start, n_middle, n_free
        all_nodes_cells[n_nodes] = child_cells(cells, best, 1)
        all_nodes_cells[n_nodes + 1] = child_cells(cells, best, 0)
        n_nodes += 2
    return total


@compiled
def child_cells(cells, feature, value):
    """Return what a test leaves of the cells of the truth table; a feature past its reach leaves them all."""
    if feature >= 6:
        return cells
    return cells & (FEATURES[feature] if value else ~FEATURES[feature])


@compiled
def remainder(times_log, n_positive, n_negative):
    """Return the size of a group times its entropy in bits."""
    return times_log[n_positive + n_negative] - times_log[n_positive] - times_log[n_negative]
