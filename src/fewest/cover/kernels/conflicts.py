"""Conflicts: for two rows of different label, the set of features in which they differ.

The score of Weighted-Greedy (Almuallim and Dietterich 1994, section 6.3) needs no list of them: a conflict gives each
feature that covers it 1 / (the number of other features that cover it). For a block of rows against the rows of lower
label that is two matrix products: one finds how many values two rows share, and so how many features cover their
conflict; the other sums the weights by feature.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from fewest.cover.kernels.differences import (
    NumericColumns,
    PackedRows,
    Pairs,
    block_of_differences,
    differences,
    pack_rows,
)
from fewest.kernels.bits import n_words, sizes, unpack

# Pairs are compared and packed in blocks of about this many bytes, and merged when enough have come together.
BLOCK_BYTES = 1 << 24
# Words that may be compared at once in looking for conflicts that include others.
AT_ONCE = 1 << 20
# Words compared at a time in looking for the tightest pairs.
BLOCK_WORDS = 1 << 20


@dataclass(frozen=True, eq=False)
class Conflicts:
    """Distinct conflicts in the order in which they are first generated.

    Attributes
    ----------
    words : ndarray of shape (n_words, n_conflicts), uint64
        The features that cover each conflict (see `fewest.kernels.bits`).
    rows : ndarray of shape (2, n_conflicts)
        The first pair of rows that generates each.
    multiplicity : ndarray of shape (n_conflicts,)
        How many pairs of rows of the sample generate each.
    n_features : int
    """

    words: np.ndarray
    rows: np.ndarray
    multiplicity: np.ndarray
    n_features: int

    def __len__(self) -> int:
        return self.words.shape[1]

    def to_array(self) -> np.ndarray:
        """Return the conflicts as a Boolean matrix: conflicts x features."""
        return unpack(self.words, self.n_features)

    def take(self, positions: np.ndarray) -> Conflicts:
        """Return some of the conflicts."""
        words = np.ascontiguousarray(self.words[:, positions])
        return Conflicts(words, self.rows[:, positions], self.multiplicity[positions], self.n_features)


def distinct_conflicts(
    rows: PackedRows, labels: np.ndarray, members: np.ndarray, on_block: Callable[[int, int], None] | None = None
) -> Conflicts:
    """List the distinct conflicts of a sample, without those that no feature covers.

    A row stands for as many examples of each class as ``members`` (n_rows x n_classes) holds.

    Rows of the higher label are the outer loop and rows of the lower label
    the inner one, both ascending: positives and negatives, as the paper
    numbers its conflicts. Pairs are never held beyond a block. ``on_block``
    is called with how many outer rows are done and how many conflicts are kept; it may
    raise to end the work.
    """
    merged = _none(rows.n_features)
    waiting: list[Conflicts] = []
    n_waiting = 0
    for outer, block in _blocks(rows, labels, members):
        waiting.append(block)
        n_waiting += len(block)
        # Merging when as many wait as are kept makes the sorting linear in the pairs, but for a logarithm.
        if n_waiting * 8 * max(1, len(merged.words)) > BLOCK_BYTES and n_waiting > len(merged):
            merged, waiting, n_waiting = _first_of_each([merged, *waiting]), [], 0
        if on_block is not None:
            on_block(outer, len(merged))
    return _first_of_each([merged, *waiting])


def minimal(sets: np.ndarray, check: Callable[[], None] | None = None) -> np.ndarray:
    """Return the positions of the distinct sets (words) that include no other: a subset that covers these covers all.

    ``check`` is called now and then; it may raise to end the work.
    """
    n_sets = sets.shape[1]
    if n_sets**2 * len(sets) <= AT_ONCE:
        includes = ((sets[:, :, None] & sets[:, None, :]) == sets[:, :, None]).all(axis=0)  # [s, t]: t includes s
        np.fill_diagonal(includes, val=False)
        return np.flatnonzero(~includes.any(axis=0))
    order = np.argsort(sizes(sets), kind="stable")
    words = sets[:, order]
    alive = np.ones(n_sets, dtype=bool)
    for s in range(n_sets):
        if check is not None and s % 256 == 0:
            check()
        if alive[s]:
            including = s + 1 + np.flatnonzero(alive[s + 1 :])
            for word in np.flatnonzero(words[:, s]):  # the first of these rules out nearly all
                small = words[word, s]
                including = including[(words[word, including] & small) == small]
                if not len(including):
                    break
            alive[including] = False
    return np.sort(order[alive])


def _blocks(rows: PackedRows, labels: np.ndarray, members: np.ndarray) -> Iterator[tuple[int, Conflicts]]:
    """Yield (outer row, its conflicts), each outer row against slices of the rows with a lower label."""
    n_features = rows.n_features
    step = max(1, BLOCK_BYTES // (8 * max(1, n_words(n_features))))
    sizes_of_rows = members.sum(axis=1)
    for i in range(len(labels)):
        lower = np.flatnonzero(labels < labels[i])
        for start in range(0, len(lower), step):
            inner = lower[start : start + step]
            words = differences(rows, i, inner)
            coverable = words.any(axis=0)
            words, inner = words[:, coverable], inner[coverable]
            multiplicity = sizes_of_rows[i] * sizes_of_rows[inner] - members[inner] @ members[i]
            yield i, Conflicts(words, np.stack([np.full_like(inner, i), inner]), multiplicity, n_features)


def _none(n_features: int) -> Conflicts:
    words = np.empty((n_words(n_features), 0), dtype=np.uint64)
    return Conflicts(words, np.empty((2, 0), dtype=np.intp), np.empty(0, dtype=np.int64), n_features)


def _first_of_each(parts: list[Conflicts]) -> Conflicts:
    """Join conflicts, keep the first of each kind, in order, and add up how often they occur."""
    words = np.concatenate([part.words for part in parts], axis=1)
    rows = np.concatenate([part.rows for part in parts], axis=1)
    multiplicity = np.concatenate([part.multiplicity for part in parts])
    first, copy_of = first_positions(words)
    total = np.zeros(len(first), dtype=np.int64)
    np.add.at(total, copy_of, multiplicity)  # exactly, which a weighted bincount is not
    order = np.argsort(first)
    positions = first[order]
    kept = np.ascontiguousarray(words[:, positions])
    return Conflicts(kept, rows[:, positions], total[order], parts[0].n_features)


def first_positions(words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the position of the first copy of every distinct set, and which of these each set is a copy of.

    Sets of several words are distinguished by a 64-bit mixture of their words,
    and the result is checked: a collision falls back to comparing whole sets.
    """
    if len(words) == 0:
        return np.arange(min(1, words.shape[1])), np.zeros(words.shape[1], dtype=np.intp)
    if len(words) == 1:
        return np.unique(words[0], return_index=True, return_inverse=True)[1:]
    mixture = (words * mixing_multipliers(len(words))[:, None]).sum(axis=0, dtype=np.uint64)
    mixture ^= mixture >> np.uint64(29)
    _, first, copy_of = np.unique(mixture, return_index=True, return_inverse=True)
    if (words == words[:, first[copy_of]]).all():
        return first, copy_of
    _, first, copy_of = np.unique(words, axis=1, return_index=True, return_inverse=True)
    return first, copy_of.ravel()


@cache
def mixing_multipliers(n: int) -> np.ndarray:
    """Return odd numbers with well-spread bits, always the same."""
    return np.random.default_rng(0).integers(0, 2**63, n, dtype=np.uint64) * np.uint64(2) + np.uint64(1)


def tightest_pairs(
    codes: np.ndarray, labels: np.ndarray, n_pairs: int, most_words: int, numeric: NumericColumns | None = None
) -> Pairs:
    """Return the tightest conflicts: pairs of rows of different label that differ in the fewest features.

    They constrain a cover the most, and a few hundred of them exclude almost all that all conflicts together exclude.

    Parameters
    ----------
    codes, labels : ndarray
    n_pairs : int
        How many pairs to keep. Pairs that differ in nothing are no conflicts.
    most_words : int
        Compare about so many words; beyond that, the pairs among a fixed random sample of rows stand for all.
    numeric : NumericColumns, optional
    """
    rows = _sampled_rows(codes, most_words)
    rows = rows[np.argsort(labels[rows], kind="stable")]  # so that lower labels are a slice
    packed = pack_rows(codes[rows], None if numeric is None else numeric.take(rows))
    starts = np.flatnonzero(np.diff(labels[rows], prepend=-1))
    kept = np.empty((3, 0), dtype=np.int64)  # size, outer, inner
    for start, end in pairwise([*starts.tolist(), len(rows)][1:]):
        step = max(1, BLOCK_WORDS // (start * len(packed.planes[0])))
        for first in range(start, end, step):
            block = slice(first, min(first + step, end))
            found = np.bitwise_count(block_of_differences(packed, block, slice(0, start))).sum(axis=0, dtype=np.int32)
            kept = _smallest(np.concatenate([kept, _tightest(found, first, n_pairs)], axis=1), n_pairs)
    return rows[kept[1]], rows[kept[2]]


def _tightest(found: np.ndarray, first: int, n_pairs: int) -> np.ndarray:
    """Return the size, outer and inner row of the smallest entries of a block, and of all that tie with the last."""
    sizes = found[found > 0]
    if len(sizes) > n_pairs:
        threshold = np.partition(sizes, n_pairs - 1)[n_pairs - 1]
        outer, inner = np.nonzero((found > 0) & (found <= threshold))
    else:
        outer, inner = np.nonzero(found)
    return np.stack([found[outer, inner], outer + first, inner])


def _smallest(kept: np.ndarray, n: int) -> np.ndarray:
    return kept[:, np.argsort(kept[0], kind="stable")[:n]]


def rows_to_compare(n_features: int, largest_code: int, most_words: int) -> int:
    """Return how many rows can be compared with each other in about so many words."""
    words_per_pair = max(1, n_features // 64) * max(1, largest_code.bit_length())
    return max(2, int((4 * most_words / words_per_pair) ** 0.5))


def _sampled_rows(codes: np.ndarray, most_words: int) -> np.ndarray:
    n_rows, n_features = codes.shape
    most_rows = rows_to_compare(n_features, int(codes.max(initial=0)), most_words)
    if n_rows <= most_rows:
        return np.arange(n_rows)
    return np.sort(np.random.default_rng(0).choice(n_rows, most_rows, replace=False))


# Pairs weighed at a time.
BLOCK_PAIRS = 1 << 22


class Agreement(NamedTuple):
    """Rows as columns whose products show where two rows agree.

    A feature of two values is one column of -1 and 1, any other a column of
    zeros and ones for every value. Summed over a feature's columns,
    ``scale`` times the product of two rows is ``most`` where they agree and
    ``most - 1`` where they differ.
    """

    columns: np.ndarray  # float (n_rows, n_columns)
    feature_of: np.ndarray  # (n_columns,)
    scale: np.ndarray  # (n_columns,): a half for the columns of -1 and 1
    most: np.ndarray  # (n_features,): a half, or one

    def take(self, rows: np.ndarray) -> Agreement:
        """Return some of the rows."""
        return self._replace(columns=self.columns[rows])


def agreement(codes: np.ndarray, dtype: type = np.float64) -> Agreement:
    """Lay out codes as columns of agreement."""
    values = [np.unique(column) for column in codes.T]
    is_single = [len(distinct) <= 2 for distinct in values]
    feature_of = np.repeat(np.arange(len(values)), [1 if s else len(v) for s, v in zip(is_single, values, strict=True)])
    columns: np.ndarray = np.empty((len(codes), len(feature_of)), dtype=dtype)
    place = 0
    for column, distinct, single in zip(codes.T, values, is_single, strict=True):
        if single:
            columns[:, place] = np.where(column == distinct[0], 1, -1) if len(distinct) else 1
            place += 1
        else:
            columns[:, place : place + len(distinct)] = column[:, None] == distinct
            place += len(distinct)
    most = np.where(is_single, 0.5, 1.0)
    return Agreement(columns, feature_of, most[feature_of].astype(dtype), most)


def weighted_scores(
    rows: Agreement, labels: np.ndarray, look: Callable[[], object] = lambda: None
) -> tuple[np.ndarray, float]:
    """Return, for every feature, the summed weights of the conflicts that it covers among some rows.

    It is infinite where a feature alone covers a conflict. The second result
    is the sum of all weights, by which rounding errors are judged. ``look`` is
    called between blocks, of which there are as many as the square of the rows.
    """
    scores, total = np.zeros(len(rows.most)), 0.0
    order = np.argsort(labels, kind="stable")
    rows, labels = rows.take(order), labels[order]
    for start in np.unique(np.searchsorted(labels, labels))[1:].tolist():
        end = int(np.searchsorted(labels, labels[start], side="right"))
        inner = rows.columns[:start]
        step = max(1, BLOCK_PAIRS // start)
        for first in range(start, end, step):
            look()
            outer = rows._replace(columns=rows.columns[first : min(first + step, end)])
            block_scores, block_total = _block(outer, inner)
            scores += block_scores
            total += block_total
    return scores, total


def _block(outer: Agreement, inner: np.ndarray) -> tuple[np.ndarray, float]:
    n_features = len(outer.most)
    others = (outer.columns * outer.scale) @ inner.T  # the numbers of features, less one, that cover each conflict
    np.subtract(outer.most.sum() - 1, others, out=others)
    has_sole = others.min() <= 0
    alone = np.empty(0, dtype=np.intp)
    if has_sole:
        i, j = np.nonzero(others == 0)
        alone = outer.feature_of[(outer.columns[i] != inner[j]).argmax(axis=1)]
        others[others <= 0] = np.inf  # nobody covers a contradiction, and a sole coverer needs no sum
    weights = np.reciprocal(others, out=others)
    shared = np.einsum("ic,ic->c", outer.columns, weights @ inner, dtype=np.float64) * outer.scale
    total = float(weights.sum(dtype=np.float64))
    # The weight of pairs that differ: of all, less that of those that share a value.
    scores = total * outer.most - np.bincount(outer.feature_of, shared, minlength=n_features)
    scores[alone] = np.inf
    return scores, total


def weighted_scores_of_pairs(separates: np.ndarray, multiplicity: np.ndarray | int = 1) -> np.ndarray:
    """Return the same for listed pairs, from the matrix (pairs x features) of which feature separates which pair."""
    others = np.count_nonzero(separates, axis=1) - 1.0
    alone = separates[others == 0].argmax(axis=1)
    others[others <= 0] = np.inf
    scores = (multiplicity / others) @ separates
    scores[alone] = np.inf
    return scores
