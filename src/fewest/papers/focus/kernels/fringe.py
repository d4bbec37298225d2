"""FRINGE (Pagallo and Haussler 1990): grow a tree, make features of what stands before its positive leaves, grow again.

Every positive leaf at depth two or more gives one feature: the last two tests
of its path, joined by *and*, as the path answered them. A feature that on the
sample equals an earlier one, or the opposite of one, is not new. It ends when
nothing new appears or ten trees have been grown; the last tree counts.

Features are columns of bits, one an example. Only for the last tree it
matters what they are on other instances: it is scored 64 instances at a time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.kernels.compiled import compiled_in_place
from fewest.kernels.intrinsics import popcount
from fewest.papers.focus.kernels.draw import FEATURES, all_cells
from fewest.papers.focus.kernels.id3 import TOLERANCE, WORD, remainder

MOST_TREES = 10
# The columns of a new feature's parts: two features, each with the value that it must have.
FIRST, FIRST_VALUE, SECOND, SECOND_VALUE = range(4)
# What a leaf has instead of a feature to test.
NEGATIVE_LEAF, POSITIVE_LEAF = -1, -2


class FringeWorkspace(NamedTuple):
    """Arrays that every sample reuses. A node's children follow it, the one for 0 first."""

    columns: np.ndarray  # uint64 (features, words)
    parts: np.ndarray  # int64 (features, 4): FIRST, FIRST_VALUE, SECOND and SECOND_VALUE of each new feature
    everyone: np.ndarray  # uint64 (words,): all examples
    classes: np.ndarray  # uint64 (words,): the positive ones
    feature: np.ndarray  # int64 (nodes,): what a node tests, or NEGATIVE_LEAF or POSITIVE_LEAF
    parent: np.ndarray  # int64 (nodes,)
    side: np.ndarray  # int64 (nodes,): on which side of its parent a node is
    pending: np.ndarray  # int64 (depth, 2): parent and side of nodes still to grow
    members: np.ndarray  # uint64 (depth, words): their examples
    live: np.ndarray  # int64 (words,): the words in which the node at hand has examples
    split: np.ndarray  # uint64 (2, words): its negatives and positives there
    values: np.ndarray  # uint64 (features,): each feature on 64 instances
    regions: np.ndarray  # uint64 (nodes,): which of these instances reach each node


def fringe_workspace(n_features: int, n_examples: int) -> FringeWorkspace:
    """Allocate them. A tree has no more leaves than examples, and each gives one feature at most."""
    n_words = max(1, -(-n_examples // 64))
    most_features = n_features + (MOST_TREES - 1) * n_examples
    most_nodes = 2 * n_examples + 1
    return FringeWorkspace(
        columns=np.empty((most_features, n_words), dtype=np.uint64),
        parts=np.empty((most_features, 4), dtype=np.int64),
        everyone=np.empty(n_words, dtype=np.uint64),
        classes=np.empty(n_words, dtype=np.uint64),
        feature=np.empty(most_nodes, dtype=np.int64),
        parent=np.empty(most_nodes, dtype=np.int64),
        side=np.empty(most_nodes, dtype=np.int64),
        pending=np.empty((n_examples + 2, 2), dtype=np.int64),
        members=np.empty((n_examples + 2, n_words), dtype=np.uint64),
        live=np.empty(n_words, dtype=np.int64),
        split=np.empty((2, n_words), dtype=np.uint64),
        values=np.empty(most_features, dtype=np.uint64),
        regions=np.empty(most_nodes, dtype=np.uint64),
    )


@compiled_in_place
def fringe(examples, tree, space):
    """Run FRINGE; return how many of all instances its last tree misclassifies."""
    set_columns(examples, space)
    n_features = len(examples.order)
    n_nodes = grow_tree(n_features, tree, space)
    for _ in range(MOST_TREES - 1):
        n_before = n_features
        n_features = add_features(n_features, n_nodes, space)
        if n_features == n_before:
            break
        n_nodes = grow_tree(n_features, tree, space)
    return score_tree(examples, n_nodes, space)


@compiled_in_place
def set_columns(examples, space):
    """Write the examples into columns, the features in the learner's order."""
    for place in range(len(examples.order)):
        for word in range(len(space.classes)):
            space.columns[place, word] = 0
    space.everyone[:] = 0
    space.classes[:] = 0
    at = 0
    for is_positive in (1, 0):
        rows = examples.positives if is_positive else examples.negatives
        for row in rows[: examples.n[is_positive]]:
            word, bit = at >> 6, np.uint64(at & 63)
            for place in range(len(examples.order)):
                space.columns[place, word] |= np.uint64((np.int64(row) >> examples.order[place]) & 1) << bit
            space.everyone[word] |= np.uint64(1) << bit
            space.classes[word] |= np.uint64(is_positive) << bit
            at += 1


@compiled_in_place
def grow_tree(n_features, tree, space):
    """Grow an ID3 tree over the first ``n_features``; return the number of its nodes."""
    members, n_nodes, n_pending = space.members, np.int64(0), np.int64(1)
    for word in range(len(space.everyone)):
        members[0, word] = space.everyone[word]
    space.pending[0, 0], space.pending[0, 1] = -1, 0
    while n_pending:
        n_pending -= 1
        space.parent[n_nodes], space.side[n_nodes] = space.pending[n_pending, 0], space.pending[n_pending, 1]
        test = best_test(n_pending, n_features, tree, space)
        space.feature[n_nodes] = test
        if test >= 0:
            for word in range(len(space.classes)):
                column, here = space.columns[test, word], members[n_pending, word]
                members[n_pending + 1, word] = here & ~column
                members[n_pending, word] = here & column
            space.pending[n_pending, 0], space.pending[n_pending, 1] = n_nodes, 1
            space.pending[n_pending + 1, 0], space.pending[n_pending + 1, 1] = n_nodes, 0
            n_pending += 2
        n_nodes += 1
    return n_nodes


@compiled_in_place
def best_test(pending, n_features, tree, space):
    """Return the feature that a node should test, or ``NEGATIVE_LEAF`` or ``POSITIVE_LEAF``."""
    columns, classes, live, parted = space.columns, space.classes, space.live, space.split
    n_live = n_positive = n_negative = np.int64(0)
    for word in range(len(classes)):
        members = space.members[pending, word]
        if members:
            live[n_live] = word
            parted[0, n_live], parted[1, n_live] = members & ~classes[word], members & classes[word]
            n_negative += np.int64(popcount(members & ~classes[word]))
            n_positive += np.int64(popcount(members & classes[word]))
            n_live += 1
    if n_positive == 0:
        return NEGATIVE_LEAF
    if n_negative == 0:
        return POSITIVE_LEAF
    best, least = -1, np.inf
    margin = TOLERANCE * (n_positive + n_negative)
    is_small = n_positive + n_negative <= WORD
    times_log, remainders = tree.times_log, tree.remainders
    for feature in range(n_features):
        p = n = np.int64(0)
        for k in range(n_live):
            column = columns[feature, live[k]]
            p += np.int64(popcount(parted[1, k] & column))
            n += np.int64(popcount(parted[0, k] & column))
        if p + n == 0 or p + n == n_positive + n_negative:
            continue
        if is_small:
            left = remainders[p, n] + remainders[n_positive - p, n_negative - n]
        else:
            left = remainder(times_log, p, n) + remainder(times_log, n_positive - p, n_negative - n)
        if left < least - margin:
            best, least = feature, left
            if left == 0.0:
                break
    return best


@compiled_in_place
def add_features(n_features, n_nodes, space):
    """Join the last two tests before every positive leaf, from left to right; return the number of features then."""
    columns, parts = space.columns, space.parts
    for leaf in range(n_nodes):
        if space.feature[leaf] != POSITIVE_LEAF or space.parent[leaf] < 0 or space.parent[space.parent[leaf]] < 0:
            continue
        last = space.parent[leaf]
        former = space.parent[last]
        parts[n_features, FIRST], parts[n_features, FIRST_VALUE] = space.feature[former], space.side[last]
        parts[n_features, SECOND], parts[n_features, SECOND_VALUE] = space.feature[last], space.side[leaf]
        for word in range(len(space.classes)):
            first, second = columns[space.feature[former], word], columns[space.feature[last], word]
            columns[n_features, word] = joined(parts, n_features, first, second)
        n_features += is_new(n_features, space)
    return n_features


@compiled_in_place
def joined(parts, feature, first, second):
    """Return the values of a new feature from those of its parts."""
    return (first if parts[feature, FIRST_VALUE] else ~first) & (second if parts[feature, SECOND_VALUE] else ~second)


@compiled_in_place
def is_new(candidate, space):
    """Return whether a column differs, on the examples, from every earlier one and from its opposite."""
    columns, everyone = space.columns, space.everyone
    for feature in range(candidate):
        equals, opposes = True, True
        for word in range(columns.shape[1]):
            difference = columns[feature, word] ^ columns[candidate, word]
            equals &= difference & everyone[word] == 0
            opposes &= ~difference & everyone[word] == 0
            if not (equals or opposes):
                break
        if equals or opposes:
            return False
    return True


@compiled_in_place
def score_tree(examples, n_nodes, space):
    """Count the instances that the tree misclassifies."""
    n_base = len(examples.order)
    n_used = n_base
    for node in range(n_nodes):
        n_used = max(n_used, space.feature[node] + 1)
    truth, everything, values, regions = examples.truth[0], all_cells(n_base), space.values, space.regions
    parts, total = space.parts, 0
    for at in range(len(examples.seen)):
        for place in range(n_base):
            b = examples.order[place]
            values[place] = FEATURES[b] if b < 6 else np.uint64(0) - np.uint64((at >> (b - 6)) & 1)
        for feature in range(n_base, n_used):
            values[feature] = joined(parts, feature, values[parts[feature, FIRST]], values[parts[feature, SECOND]])
        regions[0] = everything
        for node in range(n_nodes):
            if node:
                parent = space.parent[node]
                value = values[space.feature[parent]]
                regions[node] = regions[parent] & (value if space.side[node] else ~value)
            if space.feature[node] < 0:
                wrong = truth if space.feature[node] == NEGATIVE_LEAF else ~truth
                total += np.int64(popcount(regions[node] & wrong))
    return total
