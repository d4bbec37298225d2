"""The last features of a cover, within one node: up to three that cover all that is open.

Nearly all nodes of a search are as near to its end as that, and most are ended by counting. Where counting ends too
few of them, features are combined without it.
"""

from __future__ import annotations

import numpy as np

from fewest.cover.kernels.counted_sets import (
    ALL,
    COUNTED,
    ENDED,
    EXHAUSTED,
    FOUND,
    ONE,
    SEEN,
    WITHIN,
    ones,
    tightest_open,
)
from fewest.kernels.compile_or_not import compilable

# With two features left to choose, counting is given up where, after so many nodes, it ends fewer than one in so many:
# a feature of a nominal table covers most of what is open, and any two may cover it all. Then of the open conflicts so
# many, of which the first are the tightest, are looked at for the one to branch on; and one node in so many is counted.
TRIED_NODES, LEAST_ENDED, LOOKED_AT, COUNTED_AGAIN = 256, 64, 32, 16
# Of a list of open conflicts so many are looked at first: the fewer the faster, but what they allow is tried on all.
MASKED = 128


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
