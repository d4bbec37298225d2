"""In which features rows differ, 64 at a time, and which pairs of rows a subset leaves unseparated.

Codes are bit planes: plane p holds bit p of every code. Two codes differ when
they differ in some plane: an OR of XORs, however many values a feature has.
Numeric values, where a margin is given, differ when the margin lies between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fewest.kernels.bits import pack
from fewest.kernels.partition import in_mixed_groups, mixed_pairs, numbered

# Rows are renumbered when so many groups are possible, for the first time, and then before their keys overflow:
# numbering takes several passes over the rows, adding a feature to their keys takes one.
FIRST_KEYS, MOST_KEYS = 1 << 12, 1 << 62
Pairs = tuple[np.ndarray, np.ndarray]
"""The first and the second rows of pairs."""


class NumericColumns(NamedTuple):
    """Numeric features, each of which separates two rows when their values differ by at least a margin."""

    positions: np.ndarray  # (n_columns,): which features they are
    values: np.ndarray  # float64 (n_rows, n_columns); NaN separates nothing
    margins: np.ndarray  # float64 (n_columns,)

    def take(self, rows: np.ndarray) -> NumericColumns:
        """Return the values of some rows."""
        return self._replace(values=self.values[rows])

    def of(self, features: list[int]) -> NumericColumns | None:
        """Return those among some features, by their positions in the list."""
        place = {int(feature): k for k, feature in enumerate(self.positions)}
        kept = [(new, place[feature]) for new, feature in enumerate(features) if feature in place]
        if not kept:
            return None
        positions, columns = (np.array(part, dtype=np.intp) for part in zip(*kept, strict=True))
        return NumericColumns(positions, self.values[:, columns], self.margins[columns])

    def separated(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Return (pairs x columns) where a margin lies between rows ``i`` and ``j``."""
        with beyond_floats():
            return np.abs(self.values[i] - self.values[j]) >= self.margins


def beyond_floats() -> np.errstate:
    """Let differences be infinite, which is more than any margin, or NaN between equal infinities, which is not."""
    return np.errstate(over="ignore", invalid="ignore")


class PackedRows(NamedTuple):
    """Bit planes of rows, where values are known, and numeric columns with a margin.

    Bit f % 64 of word f // 64 belongs to feature f; the bits past the last feature are 0 in every word, so that XORs
    and ANDs of words leave them 0, and popcounts need no mask.
    """

    planes: np.ndarray  # uint64 (n_planes, n_words, n_rows)
    known: np.ndarray | None  # uint64 (n_words, n_rows); None when all values are
    numeric: NumericColumns | None
    n_features: int


def pack_rows(codes: np.ndarray, numeric: NumericColumns | None = None) -> PackedRows:
    """Pack codes; negative ones are unknown."""
    n_planes = max(1, int(codes.max(initial=0)).bit_length())
    rows = np.ascontiguousarray(codes)
    planes = np.stack([pack((rows >> plane & 1).astype(bool)) for plane in range(n_planes)])
    return PackedRows(planes, pack(rows >= 0) if rows.min(initial=0) < 0 else None, numeric, codes.shape[1])


def differences(rows: PackedRows, i: int, others: slice | np.ndarray) -> np.ndarray:
    """Return the words (n_words x others) of the features in which row ``i`` differs from each of ``others``."""
    return block_of_differences(rows, slice(i, i + 1), others)[:, 0]


def block_of_differences(rows: PackedRows, some: slice, others: slice | np.ndarray) -> np.ndarray:
    """Return the words (n_words x some x others) of the features in which the rows of two sets differ."""
    words = rows.planes[0][:, some, None] ^ rows.planes[0][:, None, others]
    for plane in rows.planes[1:]:
        words |= plane[:, some, None] ^ plane[:, None, others]
    if rows.known is not None:
        words &= rows.known[:, some, None]
        words &= rows.known[:, None, others]
    if rows.numeric is not None:
        columns = zip(rows.numeric.positions, rows.numeric.values.T, rows.numeric.margins, strict=True)
        for position, column, margin in columns:
            with beyond_floats():
                apart = np.abs(column[some, None] - column[None, others]) >= margin
            words[position // 64] |= apart.astype(np.uint64) << np.uint64(position % 64)
    return words


def agreeing_pairs(codes: np.ndarray, labels: np.ndarray, subset: Sequence[int]) -> Pairs:
    """Return pairs of rows that differ in label and agree on ``subset``: none if and only if it is sufficient.

    The rows are partitioned by some features after others, and rows whose
    group has become pure are left out (Figure 1): O(rows x features). Codes
    must not be negative.
    """
    rows, groups = _still_mixed(_all_together(codes), codes, labels, subset)
    i, j = mixed_pairs(groups, labels[rows])
    return rows[i], rows[j]


def agreeing_pairs_without_each(codes: np.ndarray, labels: np.ndarray, subset: Sequence[int]) -> list[Pairs]:
    """Return, for each feature of ``subset``, what `agreeing_pairs` returns for the others.

    Who leaves out a feature of one half partitions by the whole other half, and that once for all of them:
    O(rows x features x log features) instead of O(rows x features x features).
    """
    found: list[Pairs] = []
    pending = [(_all_together(codes), list(subset))]
    while pending:  # the left half of everything first, so that they come in order
        mixed, left_out = pending.pop()
        middle = len(left_out) // 2
        if middle:
            first, second = left_out[:middle], left_out[middle:]
            pending.append((_still_mixed(mixed, codes, labels, first), second))
            pending.append((_still_mixed(mixed, codes, labels, second), first))
        elif left_out:
            rows, groups = mixed
            i, j = mixed_pairs(groups, labels[rows])
            found.append((rows[i], rows[j]))
    return found


def _all_together(codes: np.ndarray) -> Pairs:
    """Return all rows and the group of each: the same."""
    return np.arange(len(codes)), np.zeros(len(codes), dtype=np.int64)


def _still_mixed(mixed: Pairs, codes: np.ndarray, labels: np.ndarray, subset: Sequence[int]) -> Pairs:
    """Return rows and their groups, partitioned by more features; rows whose group has become pure are left out."""
    rows, keys = mixed
    n_keys, most_keys = int(keys.max(initial=0)) + 1, FIRST_KEYS
    for feature in subset:
        column = codes[rows, feature]
        n_codes = int(column.max(initial=0)) + 1
        if n_keys * n_codes > most_keys:
            groups = numbered(keys)
            kept = in_mixed_groups(groups, labels[rows])
            rows, column, keys = rows[kept], column[kept], groups[kept]
            n_keys, most_keys = int(keys.max(initial=0)) + 1, MOST_KEYS
        keys, n_keys = keys * n_codes + column, n_keys * n_codes
    return rows, numbered(keys)


def unseparated_pairs(rows: PackedRows, labels: np.ndarray, chosen: np.ndarray) -> Pairs:
    """Return pairs of different label that some feature separates, but none of the ``chosen`` (words).

    For rows with unknown values, which agree with everything: agreeing is then
    no equivalence, nothing can be partitioned, and all pairs are compared
    until one row shows some. O(rows x rows x words).
    """
    for i in range(1, len(labels)):
        words = differences(rows, i, slice(0, i))
        wanted = (labels[:i] != labels[i]) & words.any(axis=0)
        j = np.flatnonzero(wanted & ~(words & chosen[:, None]).any(axis=0))
        if len(j):
            return np.full(len(j), i), j
    return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp)


def separated(row: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return where ``row`` differs from each of ``rows`` in a value known on both sides."""
    return (row != rows) & (row >= 0) & (rows >= 0)
