"""What a search for covers by counting knows, and what it asks of it: conflicts as rows and as columns, and levels.

Conflicts are held twice: as rows (bits are features), to find the tightest open one, and as columns (bits are
conflicts), so that one pass over words counts what every feature covers. Columns lie word-major, ``columns[w, x]``:
the counts of all features run over contiguous memory, and LLVM counts several at a time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.kernels.compile_or_not import compilable

OUT_OF_NODES, FOUND, EXHAUSTED, BRANCHED = 0, 1, 2, 3
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
