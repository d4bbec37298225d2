"""Mutual-Information-Greedy and Simple-Greedy (Almuallim and Dietterich 1994, sections 6.1 and 6.2, appendix).

Both keep the examples in groups that agree on the features chosen so far, add
the feature that leaves the least entropy (equation (2)) or the fewest
conflicts (equation (3)), and let go of groups of one class. Up to 64 examples
are bits of a word, and a group is two words; more are ranges of rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.kernels.boolean.id3 import TOLERANCE, WORD, candidates_of, plant, remainder
from fewest.kernels.boolean.slices import count_ones, split
from fewest.kernels.compiled import compiled
from fewest.kernels.popcount import popcount


class GroupRoom(NamedTuple):
    """Arrays that every sample reuses."""

    scores: np.ndarray  # float64 (n_features,)
    words: np.ndarray  # uint64 (2, groups, 2): positives and negatives of each group, before and after a split
    ranges: np.ndarray  # int64 (2, groups, 4): where they start and stop


def group_room(n_features: int, n_examples: int) -> GroupRoom:
    """Allocate them. A group holds two examples at least; twice as many are made before some are let go."""
    return GroupRoom(
        scores=np.zeros(n_features, dtype=np.float64),
        words=np.zeros((2, WORD + 2, 2), dtype=np.uint64),
        ranges=np.zeros((2, n_examples + 2, 4), dtype=np.int64),
    )


@compiled
def split_greedy(examples, by_entropy, tree, room):
    """Return the features that MIG (``by_entropy``) or SG selects, as bits. The examples are left in another order."""
    if examples.n[0] == 0 or examples.n[1] == 0:
        return 0
    candidates = candidates_of(examples.order, -1, tree.candidates)
    margin = TOLERANCE * (examples.n[0] + examples.n[1]) if by_entropy else 0.0
    if examples.n[0] + examples.n[1] <= WORD:
        plant(examples.positives[: examples.n[1]], examples.negatives[: examples.n[0]], tree)
        return choose_by_words(candidates, by_entropy, margin, tree, room)
    return choose_by_ranges(examples, candidates, by_entropy, margin, tree, room)


@compiled
def score(by_entropy, times_log, n_positive, n_negative):
    """Return what a group leaves to do."""
    if by_entropy:
        return remainder(times_log, n_positive, n_negative)
    return np.float64(n_positive * n_negative)


@compiled
def take_best(candidates, scores, margin):
    """Return the candidate of the least score, the first among equals, and leave it out of the candidates."""
    best = 0
    for k in range(1, len(candidates)):
        if scores[k] < scores[best] - margin:
            best = k
    feature = candidates[best]
    for k in range(best, len(candidates) - 1):
        candidates[k] = candidates[k + 1]
    return feature


@compiled
def choose_by_words(candidates, by_entropy, margin, tree, room):
    """Choose features until no group mixes classes, the groups being words of examples."""
    groups, others = room.words
    groups[0, 0], groups[0, 1] = tree.nodes[0, 0], tree.nodes[0, 1]
    n_groups, chosen = 1, 0
    while n_groups:
        for k in range(len(candidates)):
            column = tree.columns[candidates[k]]
            total = 0.0
            for g in range(n_groups):
                positive, negative = groups[g]
                p, n = np.int64(popcount(positive & column)), np.int64(popcount(negative & column))
                total += score(by_entropy, tree.times_log, p, n)
                p, n = np.int64(popcount(positive & ~column)), np.int64(popcount(negative & ~column))
                total += score(by_entropy, tree.times_log, p, n)
            room.scores[k] = total
        best = take_best(candidates, room.scores, margin)
        candidates = candidates[:-1]
        chosen |= 1 << best
        n_split = 0
        for g in range(n_groups):
            for column in (tree.columns[best], ~tree.columns[best]):
                positive, negative = groups[g, 0] & column, groups[g, 1] & column
                others[n_split, 0], others[n_split, 1] = positive, negative
                n_split += (positive != 0) & (negative != 0)
        groups, others, n_groups = others, groups, n_split
    return chosen


@compiled
def choose_by_ranges(examples, candidates, by_entropy, margin, tree, room):
    """Choose features until no group mixes classes, the groups being ranges of rows."""
    positives, negatives, counts, scores = examples.positives, examples.negatives, tree.counts, room.scores
    groups, others = room.ranges
    groups[0] = 0, examples.n[1], 0, examples.n[0]
    n_groups, chosen = 1, 0
    while n_groups:
        scores[:] = 0.0
        for g in range(n_groups):
            p_start, p_stop, n_start, n_stop = groups[g]
            count_ones(positives[p_start:p_stop], counts[1])
            count_ones(negatives[n_start:n_stop], counts[0])
            for k in range(len(candidates)):
                p, n = counts[1, candidates[k]], counts[0, candidates[k]]
                scores[k] += score(by_entropy, tree.times_log, p, n)
                scores[k] += score(by_entropy, tree.times_log, p_stop - p_start - p, n_stop - n_start - n)
        best = take_best(candidates, scores, margin)
        candidates = candidates[:-1]
        chosen |= 1 << best
        n_split = 0
        for g in range(n_groups):
            p_start, p_stop, n_start, n_stop = groups[g]
            p_middle = p_start + split(positives[p_start:p_stop], best, tree.scratch)
            n_middle = n_start + split(negatives[n_start:n_stop], best, tree.scratch)
            others[n_split] = p_start, p_middle, n_start, n_middle
            n_split += (p_start < p_middle) & (n_start < n_middle)
            others[n_split] = p_middle, p_stop, n_middle, n_stop
            n_split += (p_middle < p_stop) & (n_middle < n_stop)
        groups, others, n_groups = others, groups, n_split
    return chosen
