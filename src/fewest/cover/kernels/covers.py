"""Depth-first search for covers, compiled.

Conflicts are rows of words (see `fewest.kernels.bits`, transposed). A node of
the search has chosen some features and banned others. It takes the open
conflict with the fewest features that are not banned, and branches on these;
each one tried is banned for its later siblings, so that no set is met twice.

The last level needs no branching. When at most one more feature can be
afforded after choosing x, the candidates are what all conflicts left open by x
have in common: an AND over conflicts that is empty after a few of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.cover.kernels import ORDER_SAMPLE
from fewest.kernels.compiled import compiled
from fewest.kernels.intrinsics import popcount

OUT_OF_NODES, FOUND, EXHAUSTED = 0, 1, 2


class Stack(NamedTuple):
    """The nodes from the root to the current one, a row each; ``depth`` is the current row.

    Words hold features as those of conflicts do: bit x & 63 of word x >> 6 is feature x. ``banned`` starts with the
    bits set that stand for no feature or for one that may not be chosen, so that ``~banned`` is what may be.
    """

    depth: np.ndarray  # int64, one entry
    open: np.ndarray  # int32 (depths, conflicts): the conflicts that nothing chosen covers
    n_open: np.ndarray  # int64
    banned: np.ndarray  # uint64 (depths, words)
    choices: np.ndarray  # int32 (depths, features): the features to branch on
    n_choices: np.ndarray  # int64
    at: np.ndarray  # int64: the next choice
    left: np.ndarray  # int64: what is left to spend
    room: np.ndarray  # int64 (depths, limits): how many more features each limit allows
    limited: np.ndarray  # uint64 (limits, words): the features of each limit
    rest: np.ndarray  # uint64 (words,): the features that complete the choice at hand
    used: np.ndarray  # bool (conflicts,): the conflicts that the search has branched on or cut with


@compiled
def next_cover(conflicts, stack, costs, cheapest, most_nodes):
    """Go on with a search until a cover is found, everything is tried, or nodes run out.

    Parameters
    ----------
    conflicts : uint64 array of shape (n_conflicts, n_words)
    stack : Stack
    costs : int64 array of shape (n_features,)
    cheapest : int
        The least cost of any feature.
    most_nodes : int

    Returns
    -------
    status : int
        ``FOUND``: the features chosen down to the current depth, its current
        choice included, and any one of ``stack.rest``, or none if that is
        empty, are a cover. The choice is not advanced: the caller does that,
        or adds conflicts and asks again.
    n_nodes : int
    """
    n_nodes = 0
    while n_nodes < most_nodes:
        depth = stack.depth[0]
        if stack.at[depth] == stack.n_choices[depth]:
            if depth == 0:
                return EXHAUSTED, n_nodes
            stack.depth[0] = depth - 1
            advance(stack)
            continue
        n_nodes += 1
        left = stack.left[depth] - costs[stack.choices[depth, stack.at[depth]]]
        if left < 0:
            advance(stack)
        elif left < 2 * cheapest:
            if completes(conflicts, stack, left >= cheapest):
                return FOUND, n_nodes
            advance(stack)
        else:
            descend(conflicts, stack, left)
            if stack.n_open[depth + 1] == 0:
                stack.rest[:] = 0
                return FOUND, n_nodes
            if branch(conflicts, stack, depth + 1) == 0:
                advance(stack)
                continue
            if left >= 3 * cheapest:  # else each choice is settled in no time, in whatever order
                order(conflicts, stack, depth + 1)
            stack.depth[0] = depth + 1
    return OUT_OF_NODES, n_nodes


@compiled
def advance(stack):
    """Ban the current choice for its later siblings and move on to the next."""
    depth = stack.depth[0]
    x = stack.choices[depth, stack.at[depth]]
    stack.banned[depth, x >> 6] |= np.uint64(1) << np.uint64(x & 63)
    stack.at[depth] += 1


@compiled
def completes(conflicts, stack, may_add):
    """Return whether the current choice, with at most one more feature, covers all; leave the latter in ``rest``."""
    depth = stack.depth[0]
    x = stack.choices[depth, stack.at[depth]]
    open_conflicts = stack.open[depth, : stack.n_open[depth]]
    rest = stack.rest
    for w in range(len(rest)):
        rest[w] = ~stack.banned[depth, w] if may_add else np.uint64(0)
    for g in range(len(stack.limited)):
        if stack.room[depth, g] == 1 and stack.limited[g, x >> 6] >> np.uint64(x & 63) & np.uint64(1):
            for w in range(len(rest)):
                rest[w] &= ~stack.limited[g, w]
    if len(rest) == 1:
        n_left_open = common_of_one_word(conflicts[:, 0], open_conflicts, x, rest, stack.used)
    else:
        n_left_open = common(conflicts, open_conflicts, x, rest, stack.used)
    if n_left_open == 0:
        rest[:] = 0
        return True
    some = np.uint64(0)
    for w in range(len(rest)):
        some |= rest[w]
    return some != 0


@compiled
def common(conflicts, open_conflicts, x, rest, used):
    """Reduce ``rest`` to what it has in common with all open conflicts without ``x``, until it is empty.

    Return how many such conflicts were met.
    """
    word, bit = x >> 6, np.uint64(1) << np.uint64(x & 63)
    n_met = 0
    for c in open_conflicts:
        if conflicts[c, word] & bit:
            continue
        n_met += 1
        used[c] = True
        some = np.uint64(0)
        for w in range(len(rest)):
            rest[w] &= conflicts[c, w]
            some |= rest[w]
        if some == 0:
            break
    return n_met


@compiled
def common_of_one_word(conflicts, open_conflicts, x, rest, used):
    """Do the same for at most 64 features, where a branch on whether a conflict has ``x`` would cost the most."""
    # 0 - has_x, in unsigned arithmetic, is a word of ones where the conflict has x, which the AND then leaves alone,
    # and of zeros where it has not. x < 64, so that the shift is defined.
    one, shift = np.uint64(1), np.uint64(x)
    left, n_met = rest[0], 0
    for c in open_conflicts:
        has_x = conflicts[c] >> shift & one
        left &= conflicts[c] | (np.uint64(0) - has_x)
        used[c] |= has_x == 0
        n_met += has_x == 0
        if left == 0 and n_met:
            break
    rest[0] = left
    return n_met


@compiled
def descend(conflicts, stack, left):
    """Fill the row below the current one: the conflicts that the current choice leaves open."""
    depth = stack.depth[0]
    x = stack.choices[depth, stack.at[depth]]
    word, bit = x >> 6, np.uint64(1) << np.uint64(x & 63)
    n_open = 0
    for k in range(stack.n_open[depth]):
        c = stack.open[depth, k]
        stack.open[depth + 1, n_open] = c
        n_open += (conflicts[c, word] & bit) == 0  # no branch to mispredict
    stack.n_open[depth + 1] = n_open
    stack.left[depth + 1] = left
    for w in range(conflicts.shape[1]):
        stack.banned[depth + 1, w] = stack.banned[depth, w]
    for g in range(len(stack.limited)):
        has_x = stack.limited[g, word] & bit != 0
        stack.room[depth + 1, g] = stack.room[depth, g] - has_x
        if has_x and stack.room[depth + 1, g] == 0:
            for w in range(conflicts.shape[1]):
                stack.banned[depth + 1, w] |= stack.limited[g, w]


@compiled
def branch(conflicts, stack, depth):
    """List the features of the tightest open conflict as choices; return their number."""
    tightest, fewest = -1, 1 << 60
    for k in range(stack.n_open[depth]):
        c = stack.open[depth, k]
        size = 0
        for w in range(conflicts.shape[1]):
            size += popcount(conflicts[c, w] & ~stack.banned[depth, w])
        if size < fewest:
            tightest, fewest = c, size
    stack.used[tightest] = True
    n_choices = 0
    for w in range(conflicts.shape[1]):
        word = conflicts[tightest, w] & ~stack.banned[depth, w]
        while word:
            # The lowest bit that is set: a word and its two's complement have no other in common. Its position is the
            # number of bits below it.
            lowest = word & (~word + np.uint64(1))
            stack.choices[depth, n_choices] = w * 64 + popcount(lowest - np.uint64(1))
            n_choices += 1
            word ^= lowest
    stack.n_choices[depth] = n_choices
    stack.at[depth] = 0
    return n_choices


@compiled
def order(conflicts, stack, depth):
    """Sort the choices by how many open conflicts they cover: what is banned early should be worth most."""
    choices = stack.choices[depth]
    n_choices, n_open = stack.n_choices[depth], stack.n_open[depth]
    counts = np.zeros(n_choices, dtype=np.int64)
    for k in range(0, n_open, max(1, n_open // ORDER_SAMPLE)):
        c = stack.open[depth, k]
        for t in range(n_choices):
            x = choices[t]
            counts[t] += (conflicts[c, x >> 6] >> np.uint64(x & 63)) & np.uint64(1)
    for t in range(1, n_choices):  # insertion sort: stable, and quick to compile
        x, count = choices[t], counts[t]
        while t > 0 and counts[t - 1] < count:
            choices[t], counts[t] = choices[t - 1], counts[t - 1]
            t -= 1
        choices[t], counts[t] = x, count
