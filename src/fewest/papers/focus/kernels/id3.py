"""ID3 without windowing or pruning, scored while it grows.

Information gain decides; a node that is not pure is split even when no test
gains anything, else exclusive-or would never be learned. Features constant at
a node are no candidates, and ties go to the feature that comes first. Samples
are free of noise, so every leaf is pure. A leaf is never applied to instances:
which it gets wrong follows from the tests on its path.

Examples are transposed to columns, eight by eight bits, to count what splitting by each feature would do.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.kernels.compiled import compiled_in_place
from fewest.kernels.intrinsics import popcount
from fewest.papers.focus.kernels.draw import FEATURES, all_cells, n_wrong

# Entropies that are equal in exact arithmetic differ in floating point by less than this.
TOLERANCE = 1e-11
# Nodes with at most so many examples hold them as bits of a word.
WORD = 64
# The columns of a node whose examples are bits: its positives and negatives, the cells of the truth table that its path
# leaves, and how many of the features beyond the first six the path does not test.
POSITIVE, NEGATIVE, CELLS, N_FREE = range(4)
# The columns of a node whose examples are ranges of rows; its cells are words, kept apart. The last one is as above.
P_START, P_STOP, N_START, N_STOP, WIDE_N_FREE = range(5)


class TreeWorkspace(NamedTuple):
    """Arrays that every tree reuses."""

    times_log: np.ndarray  # float64 (n_examples + 1,): n log2 n
    remainders: np.ndarray  # float64 (65, 65): see `remainder`, for what fits a word
    candidates: np.ndarray  # int64 (n_features,): the chosen features in the learner's order
    columns: np.ndarray  # uint64 (n_features,)
    ones: np.ndarray  # int64 (16,): how many positives of a node have each feature
    negative_ones: np.ndarray  # int64 (16,): how many negatives
    scratch: np.ndarray  # uint16 (n_examples + 1,)
    nodes: np.ndarray  # uint64 (depth, 4): nodes still to grow, their examples as bits
    wide_nodes: np.ndarray  # int64 (depth, 5): nodes still to grow, their examples as ranges
    wide_cells: np.ndarray  # uint64 (depth,): the cells of the latter


def tree_workspace(n_features: int, n_examples: int) -> TreeWorkspace:
    """Allocate them."""
    numbers = np.arange(max(n_examples, 2 * WORD) + 1, dtype=np.float64)
    times_log = numbers * np.log2(np.maximum(numbers, 1.0))
    few = np.arange(WORD + 1)
    return TreeWorkspace(
        times_log=times_log,
        remainders=times_log[few[:, None] + few] - times_log[few][:, None] - times_log[few],
        candidates=np.zeros(n_features, dtype=np.int64),
        columns=np.zeros(n_features, dtype=np.uint64),
        ones=np.zeros(16, dtype=np.int64),
        negative_ones=np.zeros(16, dtype=np.int64),
        scratch=np.zeros(n_examples + 1, dtype=np.uint16),
        nodes=np.zeros((n_features + 2, 4), dtype=np.uint64),
        wide_nodes=np.zeros((n_features + 2, 5), dtype=np.int64),
        wide_cells=np.zeros(n_features + 2, dtype=np.uint64),
    )


@compiled_in_place
def id3(examples, chosen, space):
    """Grow a tree over the ``chosen`` features; return how many of all instances it misclassifies.

    The examples are left in another order.
    """
    n_features, n_negative, n_positive = len(examples.order), examples.n[0], examples.n[1]
    n_candidates = list_candidates(examples.order, chosen, space.candidates)
    cells, n_free = all_cells(n_features), max(0, n_features - 6)
    start = np.int64(0)  # a plain 0 would have its own version of every function compiled
    if n_positive + n_negative > WORD:
        store_wide(space, start, (start, n_positive, start, n_negative), cells, n_free)
        return grow_wide(examples, n_candidates, space)
    plant(examples, (start, n_positive, start, n_negative), space)
    store(space, start, space.nodes[0, POSITIVE], space.nodes[0, NEGATIVE], cells, n_free)
    return grow(n_candidates, examples.truth[0], space)


@compiled_in_place
def list_candidates(order, chosen, candidates):
    """List the chosen features in the learner's order; return their number."""
    n_candidates = 0
    for place in range(len(order)):
        candidates[n_candidates] = order[place]
        n_candidates += (chosen >> order[place]) & 1
    return n_candidates


@compiled_in_place
def plant(examples, ranges, space):
    """Write at most 64 examples into the columns, and their classes into the first node."""
    p_start, p_stop, n_start, n_stop = ranges
    n_positive = p_stop - p_start
    n_examples = n_positive + n_stop - n_start
    columns = space.columns
    for b in range(len(columns)):
        columns[b] = 0
    add_to_columns(examples.positives, p_start, p_stop, columns, np.int64(0))
    add_to_columns(examples.negatives, n_start, n_stop, columns, n_positive)
    space.nodes[0, POSITIVE] = below(n_positive)
    space.nodes[0, NEGATIVE] = below(n_examples) ^ below(n_positive)


@compiled_in_place
def below(n_bits):
    """Return a word whose lowest ``n_bits`` are set."""
    return ~np.uint64(0) >> np.uint64(64 - n_bits) if n_bits else np.uint64(0)


@compiled_in_place
def store(space, at, positive, negative, cells, n_free):
    """Keep a node for later."""
    nodes = space.nodes
    nodes[at, POSITIVE] = positive
    nodes[at, NEGATIVE] = negative
    nodes[at, CELLS] = cells
    nodes[at, N_FREE] = np.uint64(n_free)


@compiled_in_place
def store_wide(space, at, ranges, cells, n_free):
    """Keep a node of more than a word for later."""
    nodes = space.wide_nodes
    nodes[at, P_START], nodes[at, P_STOP], nodes[at, N_START], nodes[at, N_STOP] = ranges
    nodes[at, WIDE_N_FREE] = n_free
    space.wide_cells[at] = cells


@compiled_in_place
def grow(n_candidates, truth, space):
    """Grow the tree of the first of ``space.nodes``, whose examples are bits; return what its leaves get wrong."""
    nodes, columns, candidates, remainders = space.nodes, space.columns, space.candidates, space.remainders
    total, n_nodes = 0, 1
    while n_nodes:
        n_nodes -= 1
        positive, negative, cells = nodes[n_nodes, POSITIVE], nodes[n_nodes, NEGATIVE], nodes[n_nodes, CELLS]
        n_free = np.int64(nodes[n_nodes, N_FREE])
        if positive == 0 or negative == 0:
            total += n_wrong(cells, truth, positive != 0, n_free)
            continue
        n_positive, n_negative = np.int64(popcount(positive)), np.int64(popcount(negative))
        n_examples = n_positive + n_negative
        best, least = -1, np.inf
        margin = TOLERANCE * n_examples
        for k in range(n_candidates):
            column = columns[candidates[k]]
            p, n = np.int64(popcount(positive & column)), np.int64(popcount(negative & column))
            if p + n == 0 or p + n == n_examples:
                continue
            left = remainders[p, n] + remainders[n_positive - p, n_negative - n]
            if left < least - margin:
                best, least = candidates[k], left
                if left == 0.0:
                    break
        column = columns[best]
        n_free -= best >= 6
        store(space, n_nodes, positive & column, negative & column, child_cells(cells, best, True), n_free)
        store(space, n_nodes + 1, positive & ~column, negative & ~column, child_cells(cells, best, False), n_free)
        n_nodes += 2
    return total


@compiled_in_place
def grow_wide(examples, n_candidates, space):
    """Grow the tree of the first of ``space.wide_nodes``, whose examples are ranges, until they fit a word."""
    nodes, candidates, times_log = space.wide_nodes, space.candidates, space.times_log
    truth, total, n_nodes = examples.truth[0], 0, 1
    while n_nodes:
        n_nodes -= 1
        cells, n_free = space.wide_cells[n_nodes], nodes[n_nodes, WIDE_N_FREE]
        p_start, p_stop = nodes[n_nodes, P_START], nodes[n_nodes, P_STOP]
        n_start, n_stop = nodes[n_nodes, N_START], nodes[n_nodes, N_STOP]
        n_positive, n_negative = p_stop - p_start, n_stop - n_start
        n_examples = n_positive + n_negative
        if n_positive == 0 or n_negative == 0:
            total += n_wrong(cells, truth, n_positive != 0, n_free)
            continue
        if n_examples <= WORD:
            plant(examples, (p_start, p_stop, n_start, n_stop), space)
            store(space, np.int64(0), space.nodes[0, POSITIVE], space.nodes[0, NEGATIVE], cells, n_free)
            total += grow(n_candidates, truth, space)
            continue
        count_ones(examples.positives, p_start, p_stop, space.ones)
        count_ones(examples.negatives, n_start, n_stop, space.negative_ones)
        best, least = -1, np.inf
        margin = TOLERANCE * n_examples
        for k in range(n_candidates):
            p, n = space.ones[candidates[k]], space.negative_ones[candidates[k]]
            if p + n == 0 or p + n == n_examples:
                continue
            left = remainder(times_log, p, n) + remainder(times_log, n_positive - p, n_negative - n)
            if left < least - margin:
                best, least = candidates[k], left
        p_middle = split(examples.positives, p_start, p_stop, best, space.scratch)
        n_middle = split(examples.negatives, n_start, n_stop, best, space.scratch)
        n_free -= best >= 6
        store_wide(space, n_nodes, (p_middle, p_stop, n_middle, n_stop), child_cells(cells, best, True), n_free)
        store_wide(space, n_nodes + 1, (p_start, p_middle, n_start, n_middle), child_cells(cells, best, False), n_free)
        n_nodes += 2
    return total


@compiled_in_place
def child_cells(cells, feature, value):
    """Return what a test leaves of the cells of the truth table; a feature past its reach leaves them all."""
    if feature >= 6:
        return cells
    return cells & (FEATURES[feature] if value else ~FEATURES[feature])


@compiled_in_place
def remainder(times_log, n_positive, n_negative):
    """Return the size of a group times its entropy in bits."""
    return times_log[n_positive + n_negative] - times_log[n_positive] - times_log[n_negative]


# Byte b of _SPREAD[x] is bit b of x, so that adding such words counts eight features at once.
_SPREAD = np.array([sum((x >> b & 1) << (8 * b) for b in range(8)) for x in range(256)], dtype=np.uint64)
# No byte may overflow.
_MOST_ADDED = 255


@compiled_in_place
def transposed(block):
    """Transpose a matrix of eight by eight bits, a byte a row (Warren, Hacker's Delight, 7-3)."""
    moved = (block ^ (block >> np.uint64(7))) & np.uint64(0x00AA00AA00AA00AA)
    block ^= moved ^ (moved << np.uint64(7))
    moved = (block ^ (block >> np.uint64(14))) & np.uint64(0x0000CCCC0000CCCC)
    block ^= moved ^ (moved << np.uint64(14))
    moved = (block ^ (block >> np.uint64(28))) & np.uint64(0x00000000F0F0F0F0)
    return block ^ moved ^ (moved << np.uint64(28))


@compiled_in_place
def add_to_columns(rows, start, stop, columns, first_bit):
    """Write a range of rows into columns: bit ``first_bit`` + i of column b is bit b of the i-th. 64 fit at most.

    Up to seven rows past the range are read, and ignored.
    """
    byte = np.uint64(255)
    n_features = len(columns)
    for block in range(start, stop, 8):
        low = high = np.uint64(0)
        for i in range(8):
            row = np.uint64(rows[block + i])
            low |= (row & byte) << np.uint64(8 * i)
            high |= (row >> np.uint64(8)) << np.uint64(8 * i)
        within = ~np.uint64(0) >> np.uint64(64 - 8 * min(8, stop - block))
        shift = np.uint64(first_bit + block - start)
        low = transposed(low & within)
        for b in range(min(n_features, 8)):
            columns[b] |= ((low >> np.uint64(8 * b)) & byte) << shift
        if n_features > 8:
            high = transposed(high & within)
            for b in range(8, n_features):
                columns[b] |= ((high >> np.uint64(8 * b - 64)) & byte) << shift


@compiled_in_place
def count_ones(rows, start, stop, counts):
    """Count, for every feature, the rows of a range in which it is 1."""
    byte = np.uint64(255)
    for b in range(16):
        counts[b] = 0
    for block in range(start, stop, _MOST_ADDED):
        low = high = np.uint64(0)
        for i in range(block, min(block + _MOST_ADDED, stop)):
            row = np.int64(rows[i])
            low += _SPREAD[row & 255]
            high += _SPREAD[row >> 8]
        for b in range(8):
            counts[b] += np.int64((low >> np.uint64(8 * b)) & byte)
            counts[8 + b] += np.int64((high >> np.uint64(8 * b)) & byte)


@compiled_in_place
def split(rows, start, stop, feature, scratch):
    """Move the rows of a range with a 0 in front of those with a 1; return where the latter start."""
    middle, n_ones = start, 0
    for i in range(start, stop):
        row = rows[i]
        is_one = (np.int64(row) >> feature) & 1
        rows[middle] = row  # never ahead of i; what is not counted is overwritten
        scratch[n_ones] = row
        middle += 1 - is_one
        n_ones += is_one
    for i in range(n_ones):
        rows[middle + i] = scratch[i]
    return middle
