"""Write down why no cover is cheap enough: a tree, as the numbers of the conflicts it comes upon.

A node has chosen some features and banned others. It names a conflict that nothing chosen covers, and has a child for
each of the conflict's features that is neither banned nor too dear, the first feature first; a feature that was tried
is banned for its later siblings. Where at most one more feature can be paid for, the node names conflicts until they
have no such feature in common, and ends. The numbers, in the order of a depth-first walk, are all that a reader needs
to walk the same way (`fewest.cover.verify`).

One source runs plain and compiled; see `fewest.kernels.compile_or_not`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.cover.kernels.counted_sets import ones
from fewest.kernels.compile_or_not import compilable

OUT_OF_ROOM, WRITTEN, COVERED = 0, 1, 2
# Of the open conflicts, the tightest first, as many as are looked through for the best one to name.
MOST_LOOKED_AT = 512
ONE = np.uint64(1)


class Nodes(NamedTuple):
    """The nodes from the root to the current one, a row each; ``depth`` is the current row."""

    depth: np.ndarray  # int64, one entry
    open: np.ndarray  # int32 (depths, conflicts): the conflicts that nothing chosen covers
    n_open: np.ndarray  # int64 (depths,)
    banned: np.ndarray  # uint64 (depths, words of features)
    conflict: np.ndarray  # int64 (depths,): the conflict branched on, -1 before it is chosen
    choice: np.ndarray  # int64 (depths,): the feature of the child being walked
    left: np.ndarray  # int64 (depths,): what is left to spend
    room: np.ndarray  # int64 (depths, limits): how many more features each limit of numbers allows
    rest: np.ndarray  # uint64 (words of features,)


@compilable(how="compiled_in_place")
def write_tree(conflicts, nodes, prices, limited, written):
    """Go on writing until the tree is complete, a cover is met, or the room is used up.

    Parameters
    ----------
    conflicts : uint64 array of shape (n_conflicts, n_words)
    nodes : Nodes
    prices : int64 array of shape (n_features + 1,)
        What features cost; the last one is the least of them.
    limited : uint64 array of shape (n_limits, n_words)
        The features of each limit of numbers.
    written : uint32 array
        Where the conflicts are written.

    Returns
    -------
    status : int
        ``COVERED``: the features chosen cover everything, or do so with one more, so that there is nothing to prove.
    n_written : int
    """
    n_written, cheapest = 0, prices[-1]
    room = len(written) - 64 * conflicts.shape[1] - 1  # so that what a last node names has its place
    while n_written < room:
        depth = nodes.depth[0]
        if nodes.conflict[depth] < 0:
            if nodes.n_open[depth] == 0:
                return COVERED, n_written
            if nodes.left[depth] < 2 * cheapest:
                n_written, is_ended = end(conflicts, nodes, prices, written, n_written)
                if not is_ended:
                    return COVERED, n_written
                if depth == 0:
                    return WRITTEN, n_written
                give_back(nodes)
                continue
            for v in range(conflicts.shape[1]):
                nodes.rest[v] = ~nodes.banned[depth, v]
            nodes.conflict[depth] = smallest(conflicts, nodes, nodes.rest, MOST_LOOKED_AT)
            written[n_written] = nodes.conflict[depth]
            n_written += 1
        x = next_child(conflicts, nodes, prices)
        if x >= 0:
            descend(conflicts, nodes, prices, limited, x)
        elif depth == 0:
            return WRITTEN, n_written
        else:
            give_back(nodes)
    return OUT_OF_ROOM, n_written


@compilable(how="compiled_in_place")
def end(conflicts, nodes, prices, written, n_written):
    """Name conflicts until they have in common no feature that could be chosen; return whether there are such."""
    depth, rest = nodes.depth[0], nodes.rest
    for v in range(len(rest)):
        rest[v] = np.uint64(0)
    for x in range(len(prices) - 1):
        if prices[x] <= nodes.left[depth]:
            rest[x >> 6] |= ONE << np.uint64(x & 63)
    for v in range(len(rest)):
        rest[v] &= ~nodes.banned[depth, v]
    n_before, most = 1 << 60, MOST_LOOKED_AT
    while True:
        c = smallest(conflicts, nodes, rest, most)
        n_common = 0
        for v in range(len(rest)):
            n_common += np.int64(ones(rest[v] & conflicts[c, v]))
        if n_common == n_before:
            if most >= nodes.n_open[depth]:
                return n_written, False
            most = nodes.n_open[depth]  # the others may have what is needed
            continue
        for v in range(len(rest)):
            rest[v] &= conflicts[c, v]
        written[n_written] = c
        n_written += 1
        if n_common == 0:
            return n_written, True
        n_before = n_common


@compilable(how="compiled_in_place")
def smallest(conflicts, nodes, among, most):
    """Return, of the first open conflicts, the one with the fewest of some features."""
    depth = nodes.depth[0]
    best, fewest = -1, 1 << 60
    for k in range(min(most, nodes.n_open[depth])):
        c = nodes.open[depth, k]
        size = 0
        for v in range(len(among)):
            size += np.int64(ones(conflicts[c, v] & among[v]))
        if size < fewest:
            best, fewest = c, size
            if size == 0:
                break
    return best


@compilable(how="compiled_in_place")
def next_child(conflicts, nodes, prices):
    """Return the first feature of the node's conflict that is not banned and can be paid for, -1 if there is none."""
    depth = nodes.depth[0]
    c = nodes.conflict[depth]
    for v in range(conflicts.shape[1]):
        word = conflicts[c, v] & ~nodes.banned[depth, v]
        while word:
            lowest = word & (~word + ONE)
            word ^= lowest
            x = v * 64 + np.int64(ones(lowest - ONE))
            if prices[x] <= nodes.left[depth]:
                return x
    return -1


@compilable(how="compiled_in_place")
def descend(conflicts, nodes, prices, limited, x):
    """Choose a feature: fill the row below the current one."""
    depth = nodes.depth[0]
    nodes.choice[depth] = x
    word, bit = x >> 6, ONE << np.uint64(x & 63)
    n_open = 0
    for k in range(nodes.n_open[depth]):
        c = nodes.open[depth, k]
        if not conflicts[c, word] & bit:
            nodes.open[depth + 1, n_open] = c
            n_open += 1
    nodes.n_open[depth + 1] = n_open
    nodes.left[depth + 1] = nodes.left[depth] - prices[x]
    nodes.conflict[depth + 1] = -1
    for v in range(conflicts.shape[1]):
        nodes.banned[depth + 1, v] = nodes.banned[depth, v]
    for g in range(len(limited)):
        nodes.room[depth + 1, g] = nodes.room[depth, g]
        if limited[g, word] & bit:
            nodes.room[depth + 1, g] -= 1
            if nodes.room[depth + 1, g] == 0:
                for v in range(conflicts.shape[1]):
                    nodes.banned[depth + 1, v] |= limited[g, v]
    nodes.depth[0] = depth + 1


@compilable(how="compiled_in_place")
def give_back(nodes):
    """Go back to the node above, where the feature just tried is banned from now on."""
    depth = nodes.depth[0] - 1
    x = nodes.choice[depth]
    nodes.banned[depth, x >> 6] |= ONE << np.uint64(x & 63)
    nodes.depth[0] = depth
