"""Weighted-Greedy (Almuallim and Dietterich 1994, section 6.3) with exact scores.

A conflict that k features cover gives each of them a credit of 1 / (k - 1).
Credits are counted in units of 1 / 360360, the least common multiple of 1 to
15, so that equal scores are equal. Features of infinite credit are the
essential ones and come first, whatever their order; conflicts that they leave
have at least two features.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled_in_place
from fewest.kernels.intrinsics import popcount
from fewest.papers.focus.kernels.essential import essential_features, is_sufficient, list_differences

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
