"""Rows as vectors, for numbers, truths and names side by side, some of them missing."""

from __future__ import annotations

from contextlib import AbstractContextManager

import numpy as np

from fewest.kernels import plain_nearest
from fewest.kernels.neighbours import Draw, Found, Rows, Rule
from fewest.scale.products import serial_products
from fewest.search.relevance.blocks import BLOCK_DIFFERENCES, BLOCK_DISTANCES, MOST_DRAWN, parts, room, twins_of
from fewest.search.relevance.embedding import Embedding
from fewest.search.relevance.source import Source, Survey
from fewest.search.relevance.unknown import UnknownNames, UnknownNumbers

# Rounding in single precision, relative to the squared norms that a distance is made from.
ROUNDING = 2e-6
# Differences that NumPy, which has its overhead for every block, computes at a time.
BLOCK_PAIRS = 1 << 20


class MatrixSpace:
    """Numbers, truths and names side by side: distances are one matrix product (see `embedding`)."""

    def __init__(
        self, source: Source, survey: Survey, order: np.ndarray, weights: np.ndarray, starts: np.ndarray, is_small: bool
    ):
        self.n_rows, n_features = source.n_rows, len(source.is_name)
        self._is_small = is_small
        self._columns = np.argsort(source.is_name, kind="stable")
        self._n_numbers = int((~source.is_name).sum())
        self._starts, self._class_of = starts, np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        self._values = self._laid_out(source, survey, order)
        gaps = np.flatnonzero(survey.has_missing[self._columns]).tolist()
        self._numbers = {f: UnknownNumbers(self._values[:, f], weights, starts) for f in gaps if f < self._n_numbers}
        self._names = {
            f: UnknownNames(self._values[:, f], weights, self._class_of, len(starts) - 1)
            for f in gaps
            if f >= self._n_numbers
        }
        self._embedding = Embedding(self._values, self._n_numbers, self._class_of, self._numbers, self._names)
        norms = self._embedding.norms
        self._norms = norms.astype(np.float32)
        self._slack = (ROUNDING * (norms + norms.max(initial=0))).astype(np.float32)
        most = min(MOST_DRAWN, BLOCK_DISTANCES // max(1, self.n_rows), BLOCK_DIFFERENCES // max(1, n_features))
        self.block_size = max(8, most)

    def _laid_out(self, source: Source, survey: Survey, order: np.ndarray) -> np.ndarray:
        """Return numbers scaled to [-1/2, 1/2], then codes of names, NaN where missing."""
        numbers = ~source.is_name
        middle = survey.middle[numbers]
        unit = survey.unit[numbers]
        values = np.empty((self.n_rows, len(numbers)), dtype=np.float32)
        at = 0
        for rows in parts(order, len(numbers)):
            block = source.block(rows)
            part = values[at : at + len(rows)]
            part[:, : self._n_numbers] = ((block if numbers.all() else block[:, numbers]) - middle) / unit
            part[:, self._n_numbers :] = block[:, source.is_name]
            at += len(rows)
        return values

    def products(self) -> AbstractContextManager[None]:
        """Return what to compute in: blocks run on threads, their products do not."""
        return serial_products()

    def _products(self, drawn: np.ndarray) -> np.ndarray:
        """Return the squared distances but for the norms."""
        matrix = self._embedding.matrix
        products = (matrix[drawn] * self._embedding.scale) @ matrix.T
        for f in self._embedding.many:
            column = self._values[:, f]
            if f in self._names:
                numbered = self._names[f].numbered(column, self._class_of)
                products += self._names[f].against_all(numbered[drawn])[:, numbered]
            else:
                products += column[drawn, None] != column
        return products

    def nearest(self, draw: Draw, rows: Rows, rule: Rule) -> tuple[Found, int]:
        """Multiply, then look for the smallest."""
        products = self._products(draw.rows)
        norms, slack = self._norms, self._slack[draw.rows]
        if self._is_small:
            distances = np.maximum(products + (norms + norms[draw.rows, None]), 0)
            return plain_nearest.nearest(distances, slack, draw, rows, rule), len(draw.rows)
        from fewest.kernels.nearest import nearest_by_distance

        found = room(draw, rows, rule)
        return found, nearest_by_distance(products, norms, slack, draw, rows, rule, found)

    def differences(self, drawn: np.ndarray, found: Found, is_squared: bool) -> np.ndarray:
        """Compare with the neighbours, feature by feature, in the order of the source."""
        if self._numbers or self._names or self._is_small:
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
        step = max(1, BLOCK_PAIRS * len(drawn) // max(1, int(found.starts[-1]) * self._values.shape[1]))
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
        for f, names in self._names.items():
            numbered = names.numbered(self._values[:, f], self._class_of)
            differences[:, f] = names.between(numbered[own], numbered[others])
        for f, numbers in self._numbers.items():
            self._expect(differences[:, f], numbers, (a[:, f], own), (b[:, f], others), is_squared)
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
        names = np.nan_to_num(self._values[:, self._embedding.many], nan=-1)
        rows = np.hstack([self._embedding.matrix, names]) + np.float32(0)  # adding 0 makes -0 equal to 0
        return twins_of(rows, self._embedding.spread <= 0)
