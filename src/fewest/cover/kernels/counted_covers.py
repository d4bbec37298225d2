"""Depth-first search for one cover, with a bound by counting, for the long proofs.

With r features left to choose, the open conflicts must not outnumber what the r features that cover the most of them
cover, each counted by itself. Where conflicts are tight, a feature covers a third of them, and the bound ends nearly
every branch two features before its end; but it needs some hundred open conflicts there, and so thousands at the root.

Four features before the end the first `MOST_COPIED` open conflicts are copied to the front, and the others left out; a
cover of the copied ones that misses others is looked for again among all. Who adds conflicts sorts them, so that the
first end the most nodes; where counting is given up, the tightest are copied instead. The last features are found
within one node (`completions`).

One source runs plain and compiled; see `fewest.kernels.compile_or_not`.
"""

from __future__ import annotations

import numpy as np

from fewest.cover.kernels.completions import (
    complete,
    complete_by_three,
    is_given_up,
)
from fewest.cover.kernels.counted_sets import (
    ALL,
    BRANCHED,
    EXHAUSTED,
    FOUND,
    ONE,
    OUT_OF_NODES,
    WITHIN,
    count,
    ones,
    size_of,
    tightest_open,
)
from fewest.kernels.compile_or_not import compilable

# Features left to choose from which on a part of the search has columns of its own.
COPIED_LEVELS = 4
# Words of conflicts that are counted at most, unless none of them are open.
COUNTED_WORDS = 128
# Conflicts that are copied at most, a multiple of 64.
MOST_COPIED = 256


@compilable(how="compiled_in_place")
def next_counted_cover(sets, levels, copied, below, costs, most_nodes):
    """Go on with a search until a cover is found, everything is tried, or nodes run out.

    Parameters
    ----------
    sets, levels : Sets, Levels
        All conflicts, and where the search stands.
    copied, below : Sets, Levels
        Room for the last levels.
    costs : int64 array of shape (n_features + 1,)
        The last one is the least.
    most_nodes : int

    Returns
    -------
    status : int
        ``FOUND``: the current choices of all levels above the current one, those in ``levels.found``, are a cover.
        Asked again, with more conflicts, the search looks at the same place.
    n_nodes : int
    """
    cheapest = costs[-1]
    n_nodes = 0
    while n_nodes < most_nodes:
        depth = levels.depth[0]
        if levels.at[depth] < 0:  # not looked at yet
            if levels.left[depth] < (COPIED_LEVELS + 1) * cheapest:
                status, n_below = search_below(sets, levels, copied, below, costs)
                n_nodes += n_below
            else:
                n_nodes += 1
                status = expand(sets, levels, depth, levels.open.shape[1], costs)
            if status == FOUND:
                return FOUND, n_nodes
            if status == EXHAUSTED:
                levels.n_choices[depth] = 0
            levels.at[depth] = 0
        if levels.at[depth] == levels.n_choices[depth]:
            if depth == 0:
                return EXHAUSTED, n_nodes
            levels.depth[0] = depth - 1
            ban(levels, depth - 1)
        else:
            descend(sets, levels, depth, levels.open.shape[1], costs)
    return OUT_OF_NODES, n_nodes


@compilable(how="compiled_in_place")
def search_below(sets, levels, copied, below, costs):
    """Search everything below the current node, over copies of its open conflicts."""
    n_nodes = -below.pairs[WITHIN]
    depth = levels.depth[0]
    most = MOST_COPIED
    while True:
        n_copied, is_all = copy_open(sets, levels, copied, most, is_given_up(below.pairs))
        n_words = (n_copied + 63) >> 6
        below.depth[0] = 0
        for w in range(n_words):
            below.open[0, w] = ALL
        if n_copied & 63:
            below.open[0, n_words - 1] = (ONE << np.uint64(n_copied & 63)) - ONE
        for x in range(levels.alive.shape[1]):
            below.alive[0, x] = levels.alive[depth, x]
        for v in range(levels.banned.shape[1]):
            below.banned[0, v] = levels.banned[depth, v]
        below.left[0] = levels.left[depth]
        below.at[0] = -1
        status = EXHAUSTED
        while True:
            d = below.depth[0]
            if below.at[d] < 0:
                n_nodes += 1
                status = expand(copied, below, d, n_words, costs)
                if status == FOUND:
                    break
                below.at[d] = 0
                if status == EXHAUSTED:
                    below.n_choices[d] = 0
            if below.at[d] == below.n_choices[d]:
                if d == 0:
                    status = EXHAUSTED
                    break
                below.depth[0] = d - 1
                ban(below, d - 1)
            else:
                descend(copied, below, d, n_words, costs)
        if status == EXHAUSTED:
            return EXHAUSTED, n_nodes + below.pairs[WITHIN]
        n_last = below.found[0]
        for k in range(n_last + 1):
            levels.found[k] = below.found[k]
        for d in range(below.depth[0]):
            levels.found[n_last + 1 + d] = below.choices[d, below.at[d]]
        levels.found[0] = n_last + below.depth[0]
        if is_all or covers_open(sets, levels):
            return FOUND, n_nodes + below.pairs[WITHIN]
        most = len(sets.rows)  # look again, among all


@compilable(how="compiled_in_place")
def covers_open(sets, levels):
    """Return whether the features found cover every open conflict of the current node."""
    depth = levels.depth[0]
    for w in range(levels.open.shape[1]):
        left = levels.open[depth, w]
        for k in range(levels.found[0]):
            left &= ~sets.columns[w, levels.found[1 + k]]
        if left:
            return False
    return True


@compilable(how="compiled_in_place")
def copy_open(sets, levels, copied, most, is_tightest):
    """Copy open conflicts of the current node, as rows and as columns; return how many, and whether all."""
    depth = levels.depth[0]
    n_feature_words = sets.rows.shape[1]
    if is_tightest:
        n_copied, is_all = copy_tightest(sets, levels, copied, most)
    else:
        n_copied, is_all = copy_first(sets, levels, copied, most)
    n_words = (n_copied + 63) >> 6
    for w in range(n_words):
        for x in range(copied.columns.shape[1]):
            copied.columns[w, x] = np.uint64(0)
    for c in range(n_copied):
        bit = ONE << np.uint64(c & 63)
        for v in range(n_feature_words):
            word = copied.rows[c, v] & ~levels.banned[depth, v]
            while word:
                lowest = word & (~word + ONE)
                word ^= lowest
                copied.columns[c >> 6, v * 64 + np.int64(ones(lowest - ONE))] |= bit
    return n_copied, is_all


@compilable(how="compiled_within")
def copy_first(sets, levels, copied, most):
    """Copy the rows of the first open conflicts."""
    depth, n_feature_words = levels.depth[0], sets.rows.shape[1]
    n_copied, is_all = 0, True
    for w in range(levels.open.shape[1]):
        word = levels.open[depth, w]
        if word and n_copied == most:
            is_all = False
            break
        while word and n_copied < most:
            lowest = word & (~word + ONE)
            word ^= lowest
            c = w * 64 + np.int64(ones(lowest - ONE))
            for v in range(n_feature_words):
                copied.rows[n_copied, v] = sets.rows[c, v]
            n_copied += 1
        is_all = is_all and not word
    return n_copied, is_all


@compilable(how="compiled_within")
def copy_tightest(sets, levels, copied, most):
    """Copy the rows of the open conflicts of the fewest features.

    They are sorted by counting: ``levels.starts`` holds how many have each size, then where the next of a size goes.
    """
    depth, starts, banned = levels.depth[0], levels.starts, levels.banned[levels.depth[0]]
    for size in range(len(starts)):
        starts[size] = 0
    for w in range(levels.open.shape[1]):
        word = levels.open[depth, w]
        while word:
            lowest = word & (~word + ONE)
            word ^= lowest
            starts[size_of(sets, banned, w * 64 + np.int64(ones(lowest - ONE)))] += 1
    n_open = 0
    for size in range(len(starts)):
        n_open, starts[size] = n_open + starts[size], n_open
    n_copied = min(n_open, most)
    for w in range(levels.open.shape[1]):
        word = levels.open[depth, w]
        while word:
            lowest = word & (~word + ONE)
            word ^= lowest
            c = w * 64 + np.int64(ones(lowest - ONE))
            size = size_of(sets, banned, c)
            place = starts[size]
            if place < n_copied:
                for v in range(sets.rows.shape[1]):
                    copied.rows[place, v] = sets.rows[c, v]
            starts[size] = place + 1
    return n_copied, n_copied == n_open


@compilable(how="compiled_within")
def ban(levels, depth):
    """Ban the current choice of a level for its later siblings and move on to the next."""
    x = levels.choices[depth, levels.at[depth]]
    levels.banned[depth, x >> 6] |= ONE << np.uint64(x & 63)
    levels.alive[depth, x] = 0
    levels.at[depth] += 1


@compilable(how="compiled_within")
def descend(sets, levels, depth, n_words, costs):
    """Make the current choice of a level: the level below has what that leaves open, and is to be looked at."""
    x = levels.choices[depth, levels.at[depth]]
    for w in range(n_words):
        levels.open[depth + 1, w] = levels.open[depth, w] & ~sets.columns[w, x]
    for y in range(levels.alive.shape[1]):
        levels.alive[depth + 1, y] = levels.alive[depth, y]
    for v in range(levels.banned.shape[1]):
        levels.banned[depth + 1, v] = levels.banned[depth, v]
    levels.left[depth + 1] = levels.left[depth] - costs[x]
    levels.at[depth + 1] = -1
    levels.depth[0] = depth + 1


@compilable(how="compiled_within")
def expand(sets, levels, depth, n_words, costs):
    """Look at a node: end it, complete it, or list what to branch on."""
    left = levels.left[depth]
    n_left = left // costs[-1]
    if n_left <= 2:
        return complete(sets, levels, depth, levels.open[depth], n_words, left, costs)
    # What some conflicts need, all need; but all must be covered.
    n_counted = min(n_words, COUNTED_WORDS)
    n_open = count(sets.columns, levels.open[depth], n_counted, levels.alive[depth], levels.counts)
    if n_open == 0 and n_counted < n_words:
        n_counted = n_words
        n_open = count(sets.columns, levels.open[depth], n_words, levels.alive[depth], levels.counts)
    levels.found[0] = 0
    if n_open == 0:
        return FOUND
    counts, best = levels.counts, levels.best
    n_features = len(counts)
    n_best = min(n_left, n_features)
    for k in range(n_best):
        best[k] = 0
    for x in range(n_features):
        if counts[x] > best[n_best - 1]:
            if costs[x] > left:
                counts[x] = 0
                continue
            k = n_best - 1
            while k > 0 and best[k - 1] < counts[x]:
                best[k] = best[k - 1]
                k -= 1
            best[k] = counts[x]
    reach = 0
    for k in range(n_best):
        reach += best[k]
    if reach < n_open:
        return EXHAUSTED
    # What a feature must cover, so that the best others could cover the rest.
    branch(sets, levels, depth, n_counted, n_open - (reach - best[n_best - 1]))
    if n_left == 3:
        return complete_by_three(sets, levels, depth, n_words, costs)
    return BRANCHED


@compilable(how="compiled_within")
def branch(sets, levels, depth, n_words, needed):
    """List the features of the tightest open conflict that cover as many as needed, the best first."""
    n_feature_words = sets.rows.shape[1]
    tightest = tightest_open(sets, levels.banned[depth], levels.open[depth], n_words, 1 << 60)
    choices, counts = levels.choices[depth], levels.counts
    n_choices = 0
    for v in range(n_feature_words):
        word = sets.rows[tightest, v] & ~levels.banned[depth, v]
        while word:
            lowest = word & (~word + ONE)
            word ^= lowest
            x = v * 64 + np.int64(ones(lowest - ONE))
            if counts[x] >= needed:
                k = n_choices  # insertion sort: stable, and quick to compile
                while k > 0 and counts[choices[k - 1]] < counts[x]:
                    choices[k] = choices[k - 1]
                    k -= 1
                choices[k] = x
                n_choices += 1
    levels.n_choices[depth] = n_choices
