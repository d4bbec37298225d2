"""Weighted-Greedy (Almuallim and Dietterich 1994, section 6.3) with exact scores.

A conflict that k features cover gives each of them a credit of 1 / (k - 1).
Credits are counted in units of 1 / 360360, the least common multiple of 1 to
15, so that equal scores are equal. Features of infinite credit are the
essential ones and come first, whatever their order; conflicts that they leave
have at least two features.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.boolean.essential import essential_features, is_sufficient, list_differences
from fewest.kernels.compiled import compiled
from fewest.kernels.popcount import popcount

_UNITS = np.array([0, 0] + [360360 // (k - 1) for k in range(2, 17)], dtype=np.int64)
# Table entries dealt with in the time that one feature of one listed conflict takes.
_ENTRIES_PER_FEATURE = 2


@compiled
def weighted_greedy(examples, room):
    """Return the features that Weighted-Greedy selects, as bits."""
    chosen = essential_features(examples)
    if is_sufficient(examples, chosen):
        return chosen
    n_conflicts = list_differences(examples, chosen, room)
    n_left = len(room.features) - np.int64(popcount(np.uint64(chosen)))
    if n_conflicts * n_left * _ENTRIES_PER_FEATURE < 1 << n_left:
        return choose_from_list(examples, chosen, room, n_conflicts, n_left)
    return choose_from_table(examples, chosen, room, n_conflicts, n_left)


@compiled
def best_feature(scores, features, rank):
    """Return the position of the highest score, of the first feature in the learner's order among equals."""
    best = 0
    for k in range(1, len(scores)):
        if scores[k] > scores[best] or (scores[k] == scores[best] and rank[features[k]] < rank[features[best]]):
            best = k
    return best


@compiled
def choose_from_list(examples, chosen, room, n_conflicts, n_left):
    """Choose features until every conflict listed is covered."""
    scores, features = room.scores[:n_left], room.features[:n_left]
    while n_conflicts:
        conflicts = room.differences[:n_conflicts]
        scores[:] = 0
        for conflict in conflicts:
            bits = np.int64(conflict)
            units = _UNITS[np.int64(popcount(np.uint64(bits)))]
            for k in range(n_left):
                scores[k] += units * ((bits >> k) & 1)
        best = best_feature(scores, features, examples.rank)
        chosen |= 1 << features[best]
        n_conflicts = 0
        for conflict in conflicts:
            conflicts[n_conflicts] = conflict  # never ahead; what is not counted is overwritten
            n_conflicts += 1 - ((np.int64(conflict) >> best) & 1)
    return chosen


@compiled
def choose_from_table(examples, chosen, room, n_conflicts, n_left):
    """Choose features until no conflict is left in a table of all possible ones, which halves at every choice."""
    credit, features = room.credit, room.features
    credit[: 1 << n_left] = 0
    for conflict in room.differences[:n_conflicts]:
        credit[conflict] += 1
    for conflict in range(1 << n_left):
        credit[conflict] *= _UNITS[np.int64(popcount(np.uint64(conflict)))]
    while True:
        scores = room.scores[:n_left]
        score_by_folding(credit[: 1 << n_left], room.folded, scores)
        best = best_feature(scores, features, examples.rank)
        if scores[best] == 0:
            return chosen
        chosen |= 1 << features[best]
        keep_uncovered(credit[: 1 << n_left], best)
        n_left -= 1
        for k in range(best, n_left):
            features[k] = features[k + 1]


@compiled
def score_by_folding(credit, folded, scores):
    """Add up, for every bit, the credit of the conflicts that have it: one half after the other is folded away."""
    size = len(credit)
    for b in range(len(scores) - 1, -1, -1):
        size >>= 1
        score = 0
        for conflict in range(size):
            score += credit[conflict + size]
            folded[conflict] = credit[conflict] + credit[conflict + size]
        scores[b] = score
        credit = folded


@compiled
def keep_uncovered(credit, b):
    """Drop the conflicts that have bit ``b``, and the bit."""
    step = 1 << b
    for start in range(0, len(credit) // 2, step):
        for k in range(step):
            credit[start + k] = credit[2 * start + k]
