"""Rows laid out for finding neighbours and comparing with them: as bits where possible, else as a matrix.

Both layouts answer the same two questions, a block of drawn rows at a time:
which rows are nearest, and how do the features of these differ. Memory grows
with the data and a block, never with the square of the rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from fewest.kernels import plain_nearest
from fewest.kernels.bits import pack
from fewest.kernels.neighbours import Draw, Found, Rows, Rule
from fewest.search.relevance.source import BLOCK_CELLS, Source, Survey
from fewest.search.relevance.unknown import UnknownNames, UnknownNumbers

# Comparing fewer pairs of rows than this takes NumPy less time than loading compiled code.
FEW_PAIRS = 1 << 18
# Distances, and differences, that a block of drawn rows may have.
BLOCK_DISTANCES, BLOCK_DIFFERENCES, MOST_DRAWN = 1 << 22, 1 << 22, 512
# A name is one column for each of its values in the matrix product, if these are not more.
MOST_INDICATORS = 16
# Rounding in single precision, relative to the squared norms that a distance is made from.
ROUNDING = 2e-6


class Space(Protocol):
    """Rows among which neighbours are sought."""

    n_rows: int
    block_size: int

    def nearest(self, draw: Draw, rows: Rows, rule: Rule) -> tuple[Found, int]:
        """Return neighbours of the first so many of the drawn rows."""

    def differences(self, drawn: np.ndarray, found: Found, is_squared: bool) -> np.ndarray:
        """Return the weighted differences to the neighbours found, drawn x features."""

    def twins(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return `Rows`' account of the rows at distance 0 from each other."""


def make_space(source: Source, order: np.ndarray, weights: np.ndarray, starts: np.ndarray, n_drawn: int) -> Space:
    """Lay rows out, sorted by class, as suits them and the number of rows to be drawn."""
    survey = Survey(source)
    is_small = n_drawn * source.n_rows <= FEW_PAIRS
    if survey.is_discrete and not is_small:
        return BitSpace(source, survey, order)
    return MatrixSpace(source, survey, order, weights, starts, is_small)


class BitSpace:
    """Features with few values and none missing: 64 are compared at a time."""

    def __init__(self, source: Source, survey: Survey, order: np.ndarray):
        self.n_rows, self._n_features = source.n_rows, len(source.is_name)
        self.block_size = max(1, min(MOST_DRAWN, BLOCK_DIFFERENCES // max(1, self._n_features)))
        n_planes = max(1, int(survey.high[source.is_name].max(initial=1)).bit_length())
        blocks = [
            np.stack([pack((codes >> plane & 1).astype(bool)) for plane in range(n_planes)])
            for codes in self._codes(source, survey, order)
        ]
        self._words = np.concatenate(blocks, axis=2)
        self._by_row = np.ascontiguousarray(self._words.transpose(2, 0, 1)).view(np.uint32)

    @staticmethod
    def _codes(source: Source, survey: Survey, order: np.ndarray) -> Iterator[np.ndarray]:
        is_number = ~source.is_name
        differs = survey.high > survey.low
        for rows in _parts(order, len(source.is_name)):
            block = source.block(rows)
            if block.dtype == np.uint8 and is_number.all():
                yield (block == survey.high) & differs
                continue
            codes = np.where(is_number, (block == survey.high) & differs, block)
            yield codes.astype(np.uint8)

    def nearest(self, draw: Draw, rows: Rows, rule: Rule) -> tuple[Found, int]:
        """Count differing bits."""
        from fewest.kernels.nearest import nearest_by_bits

        found = _room(draw, rows, rule)
        return found, nearest_by_bits(self._words, draw, rows, rule, found)

    def differences(self, drawn: np.ndarray, found: Found, is_squared: bool) -> np.ndarray:  # noqa: ARG002 (0, 1)
        """Sum differing bits; their squares are the same."""
        from fewest.kernels.weighted_differences import differences_of_bits

        sums = np.zeros((len(drawn), 32 * self._by_row.shape[2]), dtype=np.float32)
        differences_of_bits(self._by_row, drawn, found, sums)
        return sums[:, : self._n_features]

    def twins(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Find equal rows."""
        return _twins(self._by_row.reshape(self.n_rows, -1), np.ones(self.n_rows, dtype=bool))


class MatrixSpace:
    """Numbers, truths and names side by side: distances are one matrix product.

    A squared distance is the two rows' squared norms less twice their inner
    product. A number is itself, scaled to a range of 1 around 0; a name is an
    indicator for each value, whose inner product counts agreement. Where a
    value is missing, the mean (of numbers or indicators) over its class takes
    its place and the variance joins the norm: just the expected difference.
    """

    def __init__(
        self, source: Source, survey: Survey, order: np.ndarray, weights: np.ndarray, starts: np.ndarray, is_small: bool
    ):
        self.n_rows, n_features = source.n_rows, len(source.is_name)
        self._is_small = is_small
        self._columns = np.argsort(source.is_name, kind="stable")
        self._n_numbers = int((~source.is_name).sum())
        self._has_missing = survey.has_missing[self._columns]
        self._starts, self._class_of = starts, np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        self._values = self._laid_out(source, survey, order)
        self._unknown = self._unknowns(weights)
        self._norms = np.zeros(self.n_rows)
        self._matrix, self._scale = self._embedded(survey.high[self._columns])
        self._slack = np.float32(ROUNDING) * (self._norms + self._norms.max(initial=0))
        most = min(MOST_DRAWN, BLOCK_DISTANCES // max(1, self.n_rows), BLOCK_DIFFERENCES // max(1, n_features))
        self.block_size = max(8, most)

    def _laid_out(self, source: Source, survey: Survey, order: np.ndarray) -> np.ndarray:
        """Return numbers scaled to [-1/2, 1/2], then codes of names, NaN where missing."""
        numbers = ~source.is_name
        middle = survey.middle[numbers]
        unit = survey.unit[numbers]
        values = np.empty((self.n_rows, len(numbers)), dtype=np.float32)
        at = 0
        for rows in _parts(order, len(numbers)):
            block = source.block(rows)
            part = values[at : at + len(rows)]
            part[:, : self._n_numbers] = ((block if numbers.all() else block[:, numbers]) - middle) / unit
            part[:, self._n_numbers :] = block[:, source.is_name]
            at += len(rows)
        return values

    def _unknowns(self, weights: np.ndarray) -> dict[int, UnknownNumbers | UnknownNames]:
        """Return what to expect of each column with missing values."""
        unknown: dict[int, UnknownNumbers | UnknownNames] = {}
        for f in np.flatnonzero(self._has_missing).tolist():
            column = self._values[:, f]
            if f < self._n_numbers:
                unknown[f] = UnknownNumbers(column, weights, self._starts)
            else:
                unknown[f] = UnknownNames(column, weights, self._class_of, len(self._starts) - 1)
        return unknown

    def _embedded(self, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the matrix whose inner products make distances, and what each of its columns counts for."""
        self._spread = np.zeros(self.n_rows)  # the distance of each row from its own copy, whose gaps may hold else
        numbers = self._values[:, : self._n_numbers]
        n_names = self._values.shape[1] - self._n_numbers
        if self._unknown or n_names:
            numbers = numbers.copy()
        for f in [f for f in self._unknown if f < self._n_numbers]:
            gaps, numbers_of = np.flatnonzero(np.isnan(numbers[:, f])), self._unknown[f]
            c = self._class_of[gaps]
            numbers[gaps, f] = numbers_of.means[c]
            self._norms[gaps] += numbers_of.variances[c]
            self._spread[gaps] += 2 * numbers_of.variances[c]
        self._norms += np.einsum("ij,ij->i", numbers, numbers, dtype=np.float64)
        indicators, self._many = [], []
        for f in range(self._n_numbers, self._values.shape[1]):
            if high[f] >= MOST_INDICATORS:
                self._many.append(f)
                continue
            indicators.append(self._indicators(f, max(1, int(max(high[f], 0)) + 1)))
            self._norms += 0.5
        for f in [f for f in self._unknown if f >= self._n_numbers]:
            gaps = np.flatnonzero(np.isnan(self._values[:, f]))
            c = self._class_of[gaps]
            self._spread[gaps] += self._unknown[f].expected[self._unknown[f].n_names + c, c]
        matrix = np.hstack([numbers, *indicators]) if indicators else numbers
        scale = np.full(matrix.shape[1], -2, dtype=np.float32)
        scale[self._n_numbers :] = -1
        return np.ascontiguousarray(matrix), scale

    def _indicators(self, f: int, n_names: int) -> np.ndarray:
        column = self._values[:, f]
        indicators = (column[:, None] == np.arange(n_names)).astype(np.float32)
        if f in self._unknown:
            gaps = np.flatnonzero(np.isnan(column))
            expected = self._unknown[f].expected[:n_names]
            # Nothing known at all: an indicator that agrees with everything.
            shares = 1 - expected if self._unknown[f].n_names else np.ones((n_names, expected.shape[1] or 1))
            indicators[gaps] = shares.T[self._class_of[gaps]] if self._unknown[f].n_names else 1
        return indicators

    def _products(self, drawn: np.ndarray) -> np.ndarray:
        """Return the squared distances but for the norms."""
        products = (self._matrix[drawn] * self._scale) @ self._matrix.T
        for f in self._many:
            column = self._values[:, f]
            if f in self._unknown:
                numbered = self._unknown[f].numbered(column, self._class_of)
                products += self._unknown[f].against_all(numbered[drawn])[:, numbered]
            else:
                products += column[drawn, None] != column
        return products

    def nearest(self, draw: Draw, rows: Rows, rule: Rule) -> tuple[Found, int]:
        """Multiply, then look for the smallest."""
        products = self._products(draw.rows)
        norms, slack = self._norms.astype(np.float32), self._slack[draw.rows].astype(np.float32)
        if self._is_small:
            distances = products + (norms + norms[draw.rows, None])
            return plain_nearest.nearest(distances, slack, draw, rows, rule), len(draw.rows)
        from fewest.kernels.nearest import nearest_by_distance

        found = _room(draw, rows, rule)
        return found, nearest_by_distance(products, norms, slack, draw, rows, rule, found)

    def differences(self, drawn: np.ndarray, found: Found, is_squared: bool) -> np.ndarray:
        """Compare with the neighbours, feature by feature, in the order of the source."""
        if self._unknown or self._is_small:
            sums = self._plain_differences(drawn, found, is_squared)
        else:
            from fewest.kernels.weighted_differences import differences_of_values

            sums = np.zeros((len(drawn), self._values.shape[1]), dtype=np.float32)
            differences_of_values(self._values, self._n_numbers, is_squared, drawn, found, sums)
        if self._n_numbers == sums.shape[1]:
            return sums
        ordered = np.empty_like(sums)
        ordered[:, self._columns] = sums
        return ordered

    def _plain_differences(self, drawn: np.ndarray, found: Found, is_squared: bool) -> np.ndarray:
        """Do it in NumPy, a few drawn rows at a time, with expectations where values are missing."""
        sums = []
        step = max(1, BLOCK_CELLS * len(drawn) // max(1, int(found.starts[-1]) * self._values.shape[1]))
        for begin in range(0, len(drawn), step):
            part = drawn[begin : begin + step]
            starts = found.starts[begin : begin + len(part) + 1]
            entries = slice(starts[0], starts[-1])
            neighbours = Found(starts - starts[0], found.rows[entries], found.weights[entries])
            own, others = np.repeat(part, np.diff(starts)), neighbours.rows
            sums.append(plain_nearest.summed(self._compared(own, others, is_squared), neighbours))
        return np.vstack(sums)

    def _compared(self, own: np.ndarray, others: np.ndarray, is_squared: bool) -> np.ndarray:
        a, b = self._values[own].astype(np.float64), self._values[others]
        differences = np.abs(a - b)
        differences[:, self._n_numbers :] = a[:, self._n_numbers :] != b[:, self._n_numbers :]
        if is_squared:
            differences **= 2
        for f, unknown in self._unknown.items():
            if isinstance(unknown, UnknownNames):
                numbered = unknown.numbered(self._values[:, f], self._class_of)
                differences[:, f] = unknown.between(numbered[own], numbered[others])
            else:
                self._expect(differences[:, f], unknown, (a[:, f], own), (b[:, f], others), is_squared)
        return differences

    def _expect(self, differences, unknown: UnknownNumbers, own, others, is_squared: bool) -> None:
        """Put expectations where one or both of two numbers are missing."""
        for (known, _), (gap, rows) in ((own, others), (others, own)):
            is_half = np.isnan(gap) & ~np.isnan(known)
            for c in range(len(self._starts) - 1):
                chosen = np.flatnonzero(is_half & (self._class_of[rows] == c))
                differences[chosen] = unknown.expected(known[chosen].astype(np.float64), c, is_squared)
        neither = np.flatnonzero(np.isnan(own[0]) & np.isnan(others[0]))
        pairs = np.stack([self._class_of[own[1][neither]], self._class_of[others[1][neither]]])
        for c, d in set(map(tuple, pairs.T.tolist())):
            chosen = neither[(pairs[0] == c) & (pairs[1] == d)]
            differences[chosen] = unknown.expected_of_two(c, d, is_squared)

    def twins(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Find rows that are equal and certain."""
        names = self._values[:, self._n_numbers :]
        rows = np.hstack([self._matrix, np.nan_to_num(names[:, [f - self._n_numbers for f in self._many]], nan=-1)])
        return _twins(rows + np.float32(0), self._spread <= 0)  # adding 0 makes -0 equal to 0


def _room(draw: Draw, rows: Rows, rule: Rule) -> Found:
    n_classes = 2 if rule.pools_misses else len(rows.starts) - 1
    neighbours = int(min(rule.k, len(rows.weights))) * n_classes
    return Found.with_room(len(draw.rows), len(rows.weights), min(4 * neighbours * len(draw.rows), 1 << 22))


def _parts(order: np.ndarray, n_features: int) -> Iterator[np.ndarray]:
    step = max(1, BLOCK_CELLS // max(1, n_features))
    for start in range(0, len(order), step):
        yield order[start : start + step]


def _twins(rows: np.ndarray, is_certain: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Group equal rows; those that are alone, or not certain, get the number -1."""
    as_bytes = np.ascontiguousarray(rows).view(np.dtype((np.void, rows.shape[1] * rows.itemsize)))[:, 0]
    _, group, counts = np.unique(as_bytes, return_inverse=True, return_counts=True)
    certain = np.bincount(group, weights=is_certain)
    shared = certain >= 2
    number = np.where(shared, np.cumsum(shared) - 1, -1)
    twin_of = np.where(is_certain, number[group], -1).astype(np.int32)
    members = np.flatnonzero(twin_of >= 0)
    members = members[np.argsort(twin_of[members], kind="stable")]
    starts = np.append(0, np.cumsum(certain[shared])).astype(np.int64)
    return twin_of, members.astype(np.int32), starts
