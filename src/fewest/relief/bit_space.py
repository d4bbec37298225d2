"""Rows as bits, for features with few values and none missing: 64 features, or 256 rows, are compared at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext

import numpy as np

from fewest.kernels.bits import n_words, pack, transposed
from fewest.relief.kernels.layout import (
    GROUP,
    LANES,
    MOST_PLANES,
    NOTHING,
    ROWS_A_VECTOR,
    Measured,
    Neighbors,
    Permuted,
    PermutedSearch,
    Rows,
    Rule,
    Sampled,
)
from fewest.relief.rows import BATCH_DIFFERENCES, MOST_SAMPLED, RowSource, Survey, duplicates_of, parts


class BitSpace:
    """Rows whose features are codes of a few bits: 64 features are compared at a time.

    A bit plane is one bit of the codes. ``_words[p, w, r]`` holds bit p of the features 64 w to 64 w + 63 of row r, for
    distances; ``_by_row[r, p, w]`` the same with the eight bytes of each word transposed, for sums of differences.
    The last word is padded with zeros, which never differ.
    """

    _multiple = 1  # rows are laid out as many at a time, or a multiple of that

    def __init__(self, source: RowSource, survey: Survey, order: np.ndarray):
        self.n_rows, self.n_features = source.n_rows, len(source.is_nominal)
        self.batch_size = self.size_of_batches(self.n_features)
        n_planes = max(1, int(survey.high[source.is_nominal].max(initial=1)).bit_length())
        self._by_row = np.empty((self.n_rows, n_planes, n_words(self.n_features)), dtype=np.uint64)
        at = 0
        for codes in self._codes(source, survey, order):
            words = np.stack([pack(codes if n_planes == 1 else codes >> plane & 1) for plane in range(n_planes)])
            self._by_row[at : at + len(codes)] = transposed(np.ascontiguousarray(words.transpose(2, 0, 1)))
            self._put(at, words)
            at += len(codes)

    def _put(self, start: int, words: np.ndarray) -> None:
        """Lay out some rows for the search, given as words (planes, words, rows)."""
        if start == 0:
            self._words = np.empty((*words.shape[:2], self.n_rows), dtype=np.uint64)
        self._words[:, :, start : start + words.shape[2]] = words

    @staticmethod
    def size_of_batches(n_features: int) -> int:
        """Return how many sampled rows are looked at together."""
        return max(1, min(MOST_SAMPLED, BATCH_DIFFERENCES // max(1, n_features)))

    def _codes(self, source: RowSource, survey: Survey, order: np.ndarray) -> Iterator[np.ndarray]:
        """Yield rows as codes; of the two values of a numeric feature, the higher is 1."""
        is_numeric = ~source.is_nominal
        for rows in parts(order, len(source.is_nominal), self._multiple):
            part = source.part(rows)
            if part.dtype == np.uint8 and is_numeric.all() and (survey.high <= 1).all():
                yield part
            else:
                yield np.where(is_numeric, part == survey.high, part).astype(np.uint8)

    def products(self, n_sampled: int, n_threads: int) -> AbstractContextManager[None]:  # noqa: ARG002 (no need)
        """Return the context of the search: bits are not multiplied."""
        return nullcontext()

    @property
    def depends_on_classes(self) -> bool:
        """Return whether distances do: not those of rows without missing values."""
        return False

    def measured(self, own: np.ndarray) -> Measured:  # noqa: ARG002 (no need)
        """Return nothing: bits are compared as fast as distances are read."""
        return NOTHING

    def permuted_nearest(
        self,
        measured: Measured,  # noqa: ARG002 (nothing)
        sampled: Sampled,
        rows: Rows,
        rule: Rule,
        permuted: Permuted,
    ) -> tuple[Neighbors, int]:
        """Find neighbors by permuted labels."""
        from fewest.relief.kernels.permuted_neighbors import permuted_by_bits

        found = Neighbors.with_room_for_all(sampled, rows, rule, permuted)
        return found, permuted_by_bits(self._by_row, PermutedSearch(sampled, rows, rule, permuted), found)

    def nearest(self, measured: Measured, sampled: Sampled, rows: Rows, rule: Rule) -> tuple[Neighbors, int]:  # noqa: ARG002 (nothing)
        """Find neighbors by the number of differing features."""
        from fewest.relief.kernels.nearest_neighbors import nearest_by_bits

        found = Neighbors.with_room_for(sampled, rows, rule)
        return found, nearest_by_bits(self._words, sampled, rows, rule, found)

    def differences(self, sampled: np.ndarray, found: Neighbors, is_squared: bool) -> np.ndarray:  # noqa: ARG002 (0, 1)
        """Sum the weights of differing bits; their squares are the same."""
        from fewest.relief.kernels.differences import differences_of_bits

        sums = np.zeros((len(sampled), 64 * self._by_row.shape[2]), dtype=np.float32)
        differences_of_bits(self._by_row, sampled, found, sums)
        return sums[:, : self.n_features]

    def duplicates(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Find equal rows."""
        return duplicates_of(self._by_row.reshape(self.n_rows, -1), np.ones(self.n_rows, dtype=bool), weights)


class BooleanSpace(BitSpace):
    """Boolean features, not too many of them, of rows that count once each: 256 rows are compared at a time.

    ``_planes[v, f, lane]`` holds feature f of the rows 256 v + 64 lane to 256 v + 64 lane + 63, one bit a row.
    """

    _multiple = ROWS_A_VECTOR

    def __init__(self, source: RowSource, survey: Survey, order: np.ndarray):
        n_planes = max(1, -(-len(source.is_nominal) // GROUP)) * GROUP
        self._planes = np.zeros((-(-source.n_rows // ROWS_A_VECTOR), n_planes, LANES), dtype=np.uint64)
        super().__init__(source, survey, order)

    @staticmethod
    def suits(source: RowSource, survey: Survey, weights: np.ndarray) -> bool:
        """Return whether rows of bits are such rows."""
        are_boolean = survey.high[source.is_nominal].max(initial=1) <= 1
        return bool(len(source.is_nominal) <= MOST_PLANES and are_boolean and (weights == 1).all())

    def _put(self, start: int, words: np.ndarray) -> None:
        from fewest.relief.kernels.boolean_neighbors import fill_planes

        fill_planes(words[0], self._planes[start // ROWS_A_VECTOR :])

    def nearest(self, measured: Measured, sampled: Sampled, rows: Rows, rule: Rule) -> tuple[Neighbors, int]:  # noqa: ARG002 (nothing)
        """Find neighbors by adding up the planes in which rows differ."""
        from fewest.relief.kernels.boolean_neighbors import nearest_by_planes

        found = Neighbors.with_room_for(sampled, rows, rule)
        return found, nearest_by_planes(self._planes, sampled, rows, rule, found)
