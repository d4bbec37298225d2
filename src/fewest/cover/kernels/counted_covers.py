"""Depth-first search for one cover, with a bound by counting, for the long proofs.

With r features left to choose, the open conflicts must not outnumber what the r features that cover the most of them
cover, each counted by itself. Where conflicts are tight, a feature covers a third of them, and the bound ends nearly
every branch two features before its end; but it needs some hundred open conflicts there, and so thousands at the root.

So conflicts are held twice: as rows (bits are features), to find the tightest open one, and as columns (bits are
conflicts), so that one pass over words counts what every feature covers. Columns lie word-major, ``columns[w, x]``:
the counts of all features run over contiguous memory, and LLVM counts several at a time. Four features before the end
the first `MOST_COPIED` open conflicts are copied to the front, and the others left out; a cover of the copied ones
that misses others is looked for again among all. Who adds conflicts sorts them, so that the first end the most nodes;
where counting is given up, the tightest are copied instead.

One source runs plain and compiled; see `fewest.kernels.compile_or_not`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.kernels.compile_or_not import compilable

OUT_OF_NODES, FOUND, EXHAUSTED, BRANCHED = 0, 1, 2, 3
# Features left to choose from which on a part of the search has columns of its own.
COPIED_LEVELS = 4
# Words of conflicts that are counted at most, unless none of them are open.
COUNTED_WORDS = 128
# Conflicts that are copied at most, a multiple of 64.
MOST_COPIED = 256
# With two features left to choose, counting is given up where, after so many nodes, it ends fewer than one in so many:
# a feature of a nominal table covers most of what is open, and any two may cover it all. Then of the open conflicts so
# many, of which the first are the tightest, are looked at for the one to branch on; and one node in so many is counted.
TRIED_NODES, LEAST_ENDED, LOOKED_AT, COUNTED_AGAIN = 256, 64, 32, 16
# Of a list of open conflicts so many are looked at first: the fewer the faster, but what they allow is tried on all.
MASKED = 128
ONE, ALL = np.uint64(1), np.uint64(0xFFFFFFFFFFFFFFFF)


def _popcount():
    from fewest.kernels.intrinsics import popcount

    return popcount


@compilable(by=_popcount)
def ones(word):
    """Count the bits that are set in a word."""
    return int(word).bit_count()


class Levels(NamedTuple):
    """The nodes from the root of a search to the current one, a row each; ``depth`` is the current row."""

    depth: np.ndarray  # int64, one entry
    open: np.ndarray  # uint64 (depths, words of conflicts): what nothing chosen covers
    alive: np.ndarray  # int64 (depths, features): all bits set where a feature may be chosen, none where not
    banned: np.ndarray  # uint64 (depths, words of features): the same, as bits, and the other way round
    choices: np.ndarray  # int32 (depths, features): the features to branch on
    n_choices: np.ndarray  # int64 (depths,)
    at: np.ndarray  # int64 (depths,): the next choice
    left: np.ndarray  # int64 (depths,): what is left to spend
    counts: np.ndarray  # int64 (features,): how many open conflicts each feature covers, for the node at hand
    best: np.ndarray  # int64 (features,): the largest counts, descending
    able: np.ndarray  # uint64 (words of features,): those that could be one of the last two
    rest: np.ndarray  # uint64 (words of features,): those that complete a choice
    found: np.ndarray  # int32 (features + 1,): the features that complete a cover, after their number
    last: np.ndarray  # uint64 (words of conflicts,): what a choice that leaves two features or fewer leaves open
    listed: np.ndarray  # uint64 (conflicts,): open conflicts of at most 64 features
    masked: np.ndarray  # uint64 (conflicts,): some of them, with all features where one chosen covers them
    starts: np.ndarray  # int64 (features + 1,): for sorting conflicts by their sizes
    pairs: np.ndarray  # int64 (4,): nodes with two features left to choose, see below


# What ``pairs`` holds: how many such nodes there were, how many of them were counted, and how many ended by that; and
# how many nodes were looked at within their parent.
SEEN, COUNTED, ENDED, WITHIN = range(4)


class Sets(NamedTuple):
    """Conflicts, twice."""

    rows: np.ndarray  # uint64 (conflicts, words of features)
    columns: np.ndarray  # uint64 (words of conflicts, features)


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
def complete_by_three(sets, levels, depth, n_words, costs):
    """Look at the children of a node at once, where each has two features left to choose, at most.

    Nearly all nodes of a search are such children, and most are ended by counting: they need no level of their own.
    """
    choices, alive, last = levels.choices[depth], levels.alive[depth], levels.last
    n_listed = 0
    for k in range(levels.n_choices[depth]):
        x = choices[k]
        alive[x] = 0
        levels.banned[depth, x >> 6] |= ONE << np.uint64(x & 63)
        levels.pairs[WITHIN] += 1
        left = levels.left[depth] - costs[x]
        if len(levels.able) == 1 and left // costs[-1] == 2 and is_uncounted(levels.pairs):
            if n_listed == 0:
                n_listed = list_open(sets, levels.open[depth], n_words, levels.listed)
            status = complete_listed(levels, depth, x, n_listed, left, costs)
        else:
            for w in range(n_words):
                last[w] = levels.open[depth, w] & ~sets.columns[w, x]
            status = complete(sets, levels, depth, last, n_words, left, costs)
        if status == FOUND:
            levels.found[0] += 1
            levels.found[levels.found[0]] = x
            return FOUND
    return EXHAUSTED


@compilable(how="compiled_within")
def is_given_up(pairs):
    """Return whether counting has ended too few nodes with two features left to choose."""
    return pairs[COUNTED] >= TRIED_NODES and pairs[ENDED] * LEAST_ENDED < pairs[COUNTED]


@compilable(how="compiled_within")
def is_uncounted(pairs):
    """Return whether counting has been given up, and is not to be tried once more for this node."""
    if is_given_up(pairs) and (pairs[SEEN] + 1) % COUNTED_AGAIN > 0:
        pairs[SEEN] += 1
        return True
    return False


@compilable(how="compiled_within")
def complete(sets, levels, depth, open_words, n_words, left, costs):
    """Look for two more features at most, allowed at a level, that cover all that is open."""
    levels.found[0] = 0
    if left < 0:  # the last choice was too dear
        return EXHAUSTED
    n_left = left // costs[-1]
    pairs = levels.pairs
    if n_left == 2:
        if is_uncounted(pairs):
            return complete_uncounted(sets, levels, depth, open_words, n_words, left, costs)
        pairs[SEEN] += 1
        pairs[COUNTED] += 1
    alive, counts = levels.alive[depth], levels.counts
    for x in range(len(counts)):
        counts[x] = 0
    n_open = best = 0
    for w in range(0, n_words, 2):
        other = min(w + 1, n_words - 1)
        n_open += np.int64(ones(open_words[w])) + (other > w) * np.int64(ones(open_words[other]))
        best = count_two(sets.columns, open_words, w, other, alive, counts)
        if n_left * best < n_open:  # so many conflicts end it already
            pairs[ENDED] += n_left == 2
            return EXHAUSTED
    if n_open == 0:
        return FOUND
    for x in range(len(counts)):
        counts[x] &= alive[x]
    if n_left == 1:
        return complete_by_one(levels, n_open, left, costs)
    second = n_best = 0
    for x in range(len(counts)):
        if counts[x] == best:
            n_best += 1
        else:
            second = max(second, counts[x])
    if n_best == 1 and best + second < n_open:
        pairs[ENDED] += 1
        return EXHAUSTED
    return complete_by_two(sets, levels, open_words, n_words, left, n_open, best, costs)


@compilable(how="compiled_within")
def count_two(columns, open_words, w, other, alive, counts):
    """Count, in addition, what features cover of a word and the next, if there is another; return the largest count."""
    one, two = open_words[w], open_words[other] if other > w else np.uint64(0)
    best = 0
    for x in range(len(counts)):
        counts[x] += np.int64(ones(columns[w, x] & one)) + np.int64(ones(columns[other, x] & two))
        best = max(best, counts[x] & alive[x])
    return best


@compilable(how="compiled_within")
def count(columns, open_words, n_words, alive, counts):
    """Count the open conflicts, and those that every feature covers."""
    for x in range(len(counts)):
        counts[x] = 0
    n_open = 0
    for w in range(n_words):
        word = open_words[w]
        if word:
            n_open += np.int64(ones(word))
            for x in range(len(counts)):
                counts[x] += np.int64(ones(columns[w, x] & word))
    for x in range(len(counts)):
        counts[x] &= alive[x]
    return n_open


@compilable(how="compiled_within")
def complete_by_one(levels, n_open, left, costs):
    """Look for a feature that covers all that is open."""
    for x in range(len(levels.counts)):
        if levels.counts[x] == n_open and costs[x] <= left:
            levels.found[0], levels.found[1] = 1, x
            return FOUND
    return EXHAUSTED


@compilable(how="compiled_within")
def complete_by_two(sets, levels, open_words, n_words, left, n_open, best, costs):
    """Look for a feature, or two, that cover all that is open.

    Each of two covers at least what the best feature leaves; one is in the first open conflict, and the other in all
    that this one leaves, whose common features are none after a few of them.
    """
    counts, able, rest = levels.counts, levels.able, levels.rest
    needed = n_open - best
    n_feature_words = len(able)
    for v in range(n_feature_words):
        able[v] = np.uint64(0)
    for x in range(len(counts)):
        if counts[x] >= needed and counts[x] > 0 and costs[x] <= left:
            if counts[x] == n_open:
                levels.found[0], levels.found[1] = 1, x
                return FOUND
            able[x >> 6] |= ONE << np.uint64(x & 63)
    first = first_open(open_words, n_words)
    for v in range(n_feature_words):
        word = able[v] & sets.rows[first, v]
        while word:
            lowest = word & (~word + ONE)
            word ^= lowest
            x = v * 64 + np.int64(ones(lowest - ONE))
            if common(sets, open_words, n_words, x, able, rest):
                for y in range(len(counts)):
                    if rest[y >> 6] >> np.uint64(y & 63) & ONE and costs[x] + costs[y] <= left:
                        levels.found[0], levels.found[1], levels.found[2] = 2, x, y
                        return FOUND
            able[v] ^= lowest
    return EXHAUSTED


@compilable(how="compiled_within")
def complete_uncounted(sets, levels, depth, open_words, n_words, left, costs):
    """Look for none, a feature, or two, that cover all that is open, without knowing what each covers."""
    able, rest = levels.able, levels.rest
    tightest = tightest_open(sets, levels.banned[depth], open_words, n_words, LOOKED_AT)
    if tightest < 0:
        return FOUND
    for v in range(len(able)):
        able[v] = ~levels.banned[depth, v]
    for v in range(len(able)):
        word = able[v] & sets.rows[tightest, v]
        while word:
            lowest = word & (~word + ONE)
            word ^= lowest
            x = v * 64 + np.int64(ones(lowest - ONE))
            if costs[x] <= left and common(sets, open_words, n_words, x, able, rest):
                levels.found[1] = x
                if covers_all(sets.columns, open_words, n_words, x):
                    levels.found[0] = 1
                    return FOUND
                for y in range(len(costs) - 1):
                    if rest[y >> 6] >> np.uint64(y & 63) & ONE and costs[x] + costs[y] <= left:
                        levels.found[0], levels.found[2] = 2, y
                        return FOUND
            able[v] ^= lowest
    return EXHAUSTED


@compilable(how="compiled_within")
def list_open(sets, open_words, n_words, listed):
    """List the open conflicts, of at most 64 features, one word after the other; return their number."""
    n_listed = 0
    for w in range(n_words):
        word = open_words[w]
        while word:
            lowest = word & (~word + ONE)
            word ^= lowest
            listed[n_listed] = sets.rows[w * 64 + np.int64(ones(lowest - ONE)), 0]
            n_listed += 1
    return n_listed


@compilable(how="compiled_within")
def complete_listed(levels, depth, x, n_listed, left, costs):
    """Look for none, a feature, or two, that with x cover all that is listed, of at most 64 features.

    A conflict that x covers acts as one of all features, so that nothing branches on what x covers; and the loops over
    a few conflicts, which nearly always suffice, run several at a time.
    """
    listed, masked, n_masked = levels.listed, levels.masked, min(n_listed, MASKED)
    able = ~levels.banned[depth, 0]
    shift = np.uint64(x)
    tightest = np.int64(1) << 60
    for i in range(n_masked):
        masked[i] = listed[i] | ALL * (listed[i] >> shift & ONE)
        tightest = min(tightest, np.int64(ones(masked[i] & able)) * MASKED + i)
    choices = masked[tightest % MASKED] & able
    while choices:
        lowest = choices & (~choices + ONE)
        choices ^= lowest
        y = np.int64(ones(lowest - ONE))
        if costs[y] <= left:
            shift = np.uint64(y)
            rest = able
            for i in range(n_masked):
                rest &= masked[i] | ALL * (masked[i] >> shift & ONE)
            if rest and completes_listed(levels, x, y, rest, n_listed, left, costs):
                return FOUND
        able ^= lowest
    return EXHAUSTED


@compilable(how="compiled_within")
def completes_listed(levels, x, y, rest, n_listed, left, costs):
    """Return whether two features cover all that is listed, or with another one of some do; note which."""
    is_covered = True
    for i in range(n_listed):
        row = levels.listed[i]
        if not (row >> np.uint64(x) | row >> np.uint64(y)) & ONE:
            is_covered = False
            rest &= row
            if not rest:
                return False
    levels.found[1] = y
    if is_covered:
        levels.found[0] = 1
        return True
    for z in range(len(costs) - 1):
        if rest >> np.uint64(z) & ONE and costs[y] + costs[z] <= left:
            levels.found[0], levels.found[2] = 2, z
            return True
    return False


@compilable(how="compiled_within")
def covers_all(columns, open_words, n_words, x):
    """Return whether a feature alone covers all that is open."""
    left = np.uint64(0)
    for w in range(n_words):
        left |= open_words[w] & ~columns[w, x]
    return left == 0


@compilable(how="compiled_within")
def first_open(open_words, n_words):
    """Return the first open conflict."""
    for w in range(n_words):
        word = open_words[w]
        if word:
            return w * 64 + np.int64(ones((word & (~word + ONE)) - ONE))
    return -1


@compilable(how="compiled_within")
def common(sets, open_words, n_words, x, able, rest):
    """Leave in ``rest`` the able features that are in every open conflict without x; return whether there are any."""
    n_feature_words = len(able)
    for v in range(n_feature_words):
        rest[v] = able[v]
    for w in range(n_words):
        word = open_words[w] & ~sets.columns[w, x]
        while word:
            lowest = word & (~word + ONE)
            word ^= lowest
            c = w * 64 + np.int64(ones(lowest - ONE))
            some = np.uint64(0)
            for v in range(n_feature_words):
                rest[v] &= sets.rows[c, v]
                some |= rest[v]
            if not some:
                return False
    return True


@compilable(how="compiled_within")
def size_of(sets, banned, c):
    """Return how many features of a conflict are not banned."""
    size = np.int64(0)
    for v in range(sets.rows.shape[1]):
        size += np.int64(ones(sets.rows[c, v] & ~banned[v]))
    return size


@compilable(how="compiled_within")
def tightest_open(sets, banned, open_words, n_words, most):
    """Return, of the first so many open conflicts, the one with the fewest features not banned; -1 if none is open."""
    tightest, fewest = -1, 1 << 60
    n_looked_at = 0
    for w in range(n_words):
        word = open_words[w]
        while word:
            lowest = word & (~word + ONE)
            word ^= lowest
            c = w * 64 + np.int64(ones(lowest - ONE))
            size = size_of(sets, banned, c)
            if size < fewest:
                tightest, fewest = c, size
            n_looked_at += 1
            if n_looked_at == most:
                return tightest
    return tightest


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
