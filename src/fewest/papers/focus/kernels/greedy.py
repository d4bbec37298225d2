"""The greedy selections of Almuallim and Dietterich (1994, section 6 and appendix), with exact scores.

Mutual-Information-Greedy and Simple-Greedy (6.1 and 6.2) keep the examples in
groups that agree on the features chosen so far, add the feature that leaves the
least entropy (equation (2)) or the fewest
conflicts (equation (3)), and drop groups of one class. Up to 64 examples
are bits of a word, and a group is two words; more are ranges of rows.

In Weighted-Greedy (6.3) a conflict that k features cover gives each of them a credit of 1 / (k - 1).
Credits are counted in units of 1 / 360360, the least common multiple of 1 to
15, so that equal scores are equal. Features of infinite credit are the
essential ones and come first, whatever their order; conflicts that they leave
have at least two features.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.kernels.compiled import compiled_in_place
from fewest.kernels.intrinsics import popcount
from fewest.papers.focus.kernels.focus import essential_features, is_sufficient, list_differences
from fewest.papers.focus.kernels.id3 import (
    N_START,
    N_STOP,
    NEGATIVE,
    P_START,
    P_STOP,
    POSITIVE,
    TOLERANCE,
    WORD,
    count_ones,
    list_candidates,
    plant,
    remainder,
    split,
)


class GroupWorkspace(NamedTuple):
    """Arrays that every sample reuses."""

    scores: np.ndarray  # float64 (n_features,)
    words: np.ndarray  # uint64 (2, groups, 2): POSITIVE and NEGATIVE examples of each group, before and after a split
    ranges: np.ndarray  # int64 (2, groups, 4): P_START, P_STOP, N_START and N_STOP of each


def group_workspace(n_features: int, n_examples: int) -> GroupWorkspace:
    """Allocate them. A group holds two examples at least; twice as many are made before some are dropped."""
    return GroupWorkspace(
        scores=np.zeros(n_features, dtype=np.float64),
        words=np.zeros((2, WORD + 2, 2), dtype=np.uint64),
        ranges=np.zeros((2, n_examples + 2, 4), dtype=np.int64),
    )


@compiled_in_place
def split_greedy(examples, by_entropy, tree, space):
    """Return the features that MIG (``by_entropy``) or SG selects, as bits. The examples are left in another order."""
    if examples.n[0] == 0 or examples.n[1] == 0:
        return 0
    start = np.int64(0)  # a plain 0 would have its own version of every function compiled
    n_candidates = list_candidates(examples.order, np.int64(-1), tree.candidates)
    if examples.n[0] + examples.n[1] > WORD:
        return choose_by_ranges(examples, n_candidates, by_entropy, tree, space)
    plant(examples, (start, examples.n[1], start, examples.n[0]), tree)
    return choose_by_words(n_candidates, by_entropy, tree, space)


@compiled_in_place
def score(by_entropy, times_log, n_positive, n_negative):
    """Return the entropy of a group times its size, or the number of its conflicts."""
    if by_entropy:
        return remainder(times_log, n_positive, n_negative)
    return np.float64(n_positive * n_negative)


@compiled_in_place
def take_best(candidates, n_candidates, scores, margin):
    """Return the candidate of the least score, the first among equals, and leave it out of the candidates."""
    best = 0
    for k in range(1, n_candidates):
        if scores[k] < scores[best] - margin:
            best = k
    feature = candidates[best]
    for k in range(best, n_candidates - 1):
        candidates[k] = candidates[k + 1]
    return feature


@compiled_in_place
def choose_by_words(n_candidates, by_entropy, tree, space):
    """Choose features until no group mixes classes, the groups being words of examples."""
    words, scores, candidates, columns, remainders = (
        space.words,
        space.scores,
        tree.candidates,
        tree.columns,
        tree.remainders,
    )
    old, new = 0, 1
    words[old, 0, POSITIVE], words[old, 0, NEGATIVE] = tree.nodes[0, POSITIVE], tree.nodes[0, NEGATIVE]
    margin = TOLERANCE * popcount(words[old, 0, POSITIVE] | words[old, 0, NEGATIVE]) if by_entropy else 0.0
    n_groups, chosen = 1, 0
    while n_groups:
        for k in range(n_candidates):
            scores[k] = 0.0
        for g in range(n_groups):
            positive, negative = words[old, g, POSITIVE], words[old, g, NEGATIVE]
            n_positive, n_negative = np.int64(popcount(positive)), np.int64(popcount(negative))
            for k in range(n_candidates):
                column = columns[candidates[k]]
                p, n = np.int64(popcount(positive & column)), np.int64(popcount(negative & column))
                if by_entropy:
                    scores[k] += remainders[p, n] + remainders[n_positive - p, n_negative - n]
                else:
                    scores[k] += p * n + (n_positive - p) * (n_negative - n)
        best = take_best(candidates, n_candidates, scores, margin)
        n_candidates -= 1
        chosen |= 1 << best
        column, n_split = columns[best], 0
        for g in range(n_groups):
            positive, negative = words[old, g, POSITIVE], words[old, g, NEGATIVE]
            words[new, n_split, POSITIVE], words[new, n_split, NEGATIVE] = positive & column, negative & column
            n_split += (positive & column != 0) & (negative & column != 0)
            words[new, n_split, POSITIVE], words[new, n_split, NEGATIVE] = positive & ~column, negative & ~column
            n_split += (positive & ~column != 0) & (negative & ~column != 0)
        old, new, n_groups = new, old, n_split
    return chosen


@compiled_in_place
def choose_by_ranges(examples, n_candidates, by_entropy, tree, space):
    """Choose features until no group mixes classes, the groups being ranges of rows."""
    positives, negatives = examples.positives, examples.negatives
    ranges, scores, candidates, times_log = space.ranges, space.scores, tree.candidates, tree.times_log
    start, old, new = np.int64(0), np.int64(0), np.int64(1)
    store_group(ranges, old, start, (start, examples.n[1], start, examples.n[0]))
    margin = TOLERANCE * (examples.n[0] + examples.n[1]) if by_entropy else 0.0
    n_groups, chosen = 1, 0
    while n_groups:
        for k in range(n_candidates):
            scores[k] = 0.0
        for g in range(n_groups):
            p_start, p_stop = ranges[old, g, P_START], ranges[old, g, P_STOP]
            n_start, n_stop = ranges[old, g, N_START], ranges[old, g, N_STOP]
            count_ones(positives, p_start, p_stop, tree.ones)
            count_ones(negatives, n_start, n_stop, tree.negative_ones)
            for k in range(n_candidates):
                p, n = tree.ones[candidates[k]], tree.negative_ones[candidates[k]]
                scores[k] += score(by_entropy, times_log, p, n)
                scores[k] += score(by_entropy, times_log, p_stop - p_start - p, n_stop - n_start - n)
        best = take_best(candidates, n_candidates, scores, margin)
        n_candidates -= 1
        chosen |= 1 << best
        n_split = np.int64(0)
        for g in range(n_groups):
            p_start, p_stop = ranges[old, g, P_START], ranges[old, g, P_STOP]
            n_start, n_stop = ranges[old, g, N_START], ranges[old, g, N_STOP]
            p_middle = split(positives, p_start, p_stop, best, tree.scratch)
            n_middle = split(negatives, n_start, n_stop, best, tree.scratch)
            n_split += store_group(ranges, new, n_split, (p_start, p_middle, n_start, n_middle))
            n_split += store_group(ranges, new, n_split, (p_middle, p_stop, n_middle, n_stop))
        old, new, n_groups = new, old, n_split
    return chosen


@compiled_in_place
def store_group(ranges, side, at, group):
    """Store a group; return whether it mixes classes."""
    p_start, p_stop, n_start, n_stop = group
    ranges[side, at, P_START], ranges[side, at, P_STOP] = p_start, p_stop
    ranges[side, at, N_START], ranges[side, at, N_STOP] = n_start, n_stop
    return (p_start < p_stop) & (n_start < n_stop)


_UNITS = np.array([0, 0] + [360360 // (k - 1) for k in range(2, 17)], dtype=np.int64)
# A listed conflict costs a step a feature; a table entry costs about as much as so many of these.
_STEPS_PER_ENTRY = 2


@compiled_in_place
def weighted_greedy(examples, space):
    """Return the features that Weighted-Greedy selects, as bits."""
    chosen = essential_features(examples)
    if is_sufficient(examples, chosen):
        return chosen
    n_conflicts = list_differences(examples, chosen, space)
    n_left = len(space.features) - np.int64(popcount(np.uint64(chosen)))
    if n_conflicts * n_left < _STEPS_PER_ENTRY << n_left:
        return choose_from_list(examples, chosen, space, n_conflicts, n_left)
    return choose_from_table(examples, chosen, space, n_conflicts, n_left)


@compiled_in_place
def best_feature(examples, space, n_left):
    """Return the position of the highest score, of the first feature in the learner's order among equals."""
    scores, features, rank = space.scores, space.features, examples.rank
    best, highest = 0, -1
    for k in range(n_left):
        score = 16 * scores[k] + 15 - rank[features[k]]
        best, highest = (k, score) if score > highest else (best, highest)
    return best


@compiled_in_place
def choose_from_list(examples, chosen, space, n_conflicts, n_left):
    """Choose features until every conflict listed is covered."""
    conflicts, scores = space.differences, space.scores
    while n_conflicts:
        for k in range(n_left):
            scores[k] = 0
        for c in range(n_conflicts):
            conflict = np.int64(conflicts[c])
            units = _UNITS[popcount(np.uint64(conflict))]
            for k in range(n_left):
                scores[k] += units & -((conflict >> k) & 1)
        best = best_feature(examples, space, n_left)
        chosen |= 1 << space.features[best]
        n_open = 0
        for c in range(n_conflicts):
            conflict = conflicts[c]
            conflicts[n_open] = conflict  # never ahead; what is not counted is overwritten
            n_open += 1 - ((np.int64(conflict) >> best) & 1)
        n_conflicts = n_open
    return chosen


@compiled_in_place
def choose_from_table(examples, chosen, space, n_conflicts, n_left):
    """Choose features until no conflict is left in a table of all possible ones, which halves at every choice."""
    credit, features, conflicts = space.credit, space.features, space.differences
    for conflict in range(1 << n_left):
        credit[conflict] = 0
    for c in range(n_conflicts):
        conflict = np.int64(conflicts[c])
        credit[conflict] += _UNITS[popcount(np.uint64(conflict))]
    is_open = True
    while is_open:
        score_by_folding(space, n_left)
        best = best_feature(examples, space, n_left)
        chosen |= 1 << features[best]
        is_open = keep_uncovered(credit, n_left, best)
        n_left -= 1
        for k in range(best, n_left):
            features[k] = features[k + 1]
    return chosen


@compiled_in_place
def score_by_folding(space, n_left):
    """Add up, for every bit, the credit of the conflicts that have it: one half after the other is folded away."""
    credit, folded, scores = space.credit, space.folded, space.scores
    size = (1 << n_left) >> 1
    score = 0
    for conflict in range(size):
        score += credit[conflict + size]
        folded[conflict] = credit[conflict] + credit[conflict + size]
    scores[n_left - 1] = score
    for b in range(n_left - 2, -1, -1):
        size >>= 1
        score = 0
        for conflict in range(size):
            score += folded[conflict + size]
            folded[conflict] += folded[conflict + size]
        scores[b] = score


@compiled_in_place
def keep_uncovered(credit, n_left, b):
    """Drop the conflicts that have bit ``b``, and the bit; return whether any are left."""
    step = 1 << b
    left = 0
    for start in range(0, (1 << n_left) >> 1, step):
        for k in range(step):
            credit[start + k] = credit[2 * start + k]
            left |= credit[start + k]
    return left != 0
