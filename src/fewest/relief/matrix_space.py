"""Rows as vectors, for numbers, truths and names side by side, some of them missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations_with_replacement

import numpy as np

from fewest.blocks.threads import in_order, serial_products
from fewest.relief.embedding import Embedding, Expectations
from fewest.relief.kernels import numpy_twins as plain_nearest
from fewest.relief.kernels.layout import Draw, Found, Rows, Rule, Vectors
from fewest.relief.layout import BLOCK_DIFFERENCES, BLOCK_DISTANCES, MOST_DRAWN, parts, room, twins_of
from fewest.relief.missing import UnknownNames, UnknownNumbers
from fewest.relief.rows import Source, Survey

# Rounding in single precision, relative to the squared norms that a distance is made from.
ROUNDING = 2e-6
# Differences that NumPy, which has its overhead for every block, computes at a time.
BLOCK_PAIRS = 1 << 20
# Products of all rows by all rows that may be kept, and blocks a side in which they are computed.
MOST_PRODUCTS, SIDE = 1 << 23, 8


class MatrixSpace:
    """Numbers, truths and names side by side: distances are one matrix product (see `embedding`).

    Parameters
    ----------
    values : float32 array of shape (n_rows, n_features)
        As `Scale.laid_out` makes them.
    columns : ndarray of shape (n_features,)
        Which feature each column of ``values`` is.
    starts : ndarray of shape (n_classes + 1,)
        Where each class begins.
    expectations : Expectations
    is_small : bool
        Whether NumPy is to do the work.
    largest_norm : float, optional
        That of rows that are not here, if it is larger than those of these.
    """

    def __init__(
        self,
        values: np.ndarray,
        columns: np.ndarray,
        starts: np.ndarray,
        expectations: Expectations,
        *,
        is_small: bool,
        largest_norm: float = 0.0,
    ):
        self.n_rows, n_features = values.shape
        self._values, self._columns, self._starts, self._is_small = values, columns, starts, is_small
        self._n_numbers = expectations.n_numbers
        self._numbers, self._names = expectations.numbers, expectations.names
        self._class_of = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        self._embedding = Embedding(values, self._class_of, expectations)
        norms = self._embedding.norms
        self._norms = norms.astype(np.float32)
        self._slack = slack_of(norms, norms.max(initial=largest_norm))
        self.block_size = self.size_of_blocks(self.n_rows, n_features)
        self._products: np.ndarray | None = None

    @classmethod
    def from_source(
        cls, source: Source, survey: Survey, order: np.ndarray, weights: np.ndarray, starts: np.ndarray, is_small: bool
    ) -> MatrixSpace:
        """Lay out all rows of a source."""
        columns = np.argsort(source.is_name, kind="stable")
        n_numbers = int((~source.is_name).sum())
        values = np.empty((source.n_rows, len(columns)), dtype=np.float32)
        scale, at = survey.scale, 0
        for rows in parts(order, len(columns)):
            values[at : at + len(rows)] = scale.laid_out(source.block(rows), source.is_name)
            at += len(rows)
        gaps = np.flatnonzero(survey.has_missing[columns]).tolist()
        expectations = Expectations.from_rows(values, n_numbers, gaps, weights, starts)
        return cls(values, columns, starts, expectations, is_small=is_small)

    @staticmethod
    def size_of_blocks(n_rows: int, n_features: int) -> int:
        """Return how many drawn rows make a block."""
        return max(8, min(MOST_DRAWN, BLOCK_DISTANCES // max(1, n_rows), BLOCK_DIFFERENCES // max(1, n_features)))

    @contextmanager
    def products(self, n_drawn: int, n_threads: int) -> Iterator[None]:
        """Compute in this: blocks run on threads, their products do not."""
        with serial_products():
            is_worth_it = 4 * n_drawn >= 3 * self.n_rows and self.n_rows**2 <= MOST_PRODUCTS and not self._is_small
            self._products = self._all_products(n_threads) if is_worth_it else None
            try:
                yield
            finally:
                self._products = None

    def _all_products(self, n_threads: int) -> np.ndarray:
        """Multiply all rows by all rows: two blocks of them once, not twice, since the order does not matter."""
        matrix, scale = self._embedding.matrix, self._embedding.scale
        products = np.empty((self.n_rows, self.n_rows), dtype=np.float32)
        step = max(1, -(-self.n_rows // SIDE))
        blocks = [slice(start, start + step) for start in range(0, self.n_rows, step)]

        def multiply(pair: tuple[slice, slice]) -> None:
            one, other = pair
            product = (matrix[one] * scale) @ matrix[other].T
            products[one, other] = product
            if one != other:
                products[other, one] = product.T

        for _ in in_order(multiply, list(combinations_with_replacement(blocks, 2)), n_threads):
            pass
        return products

    def nearest(self, draw: Draw, rows: Rows, rule: Rule) -> tuple[Found, int]:
        """Multiply, then look for the smallest."""
        embedding, drawn = self._embedding, draw.rows
        products, places = self._products, drawn
        if products is None:
            products, places = (embedding.matrix[drawn] * embedding.scale) @ embedding.matrix.T, np.arange(len(drawn))
        besides = self._besides(drawn)
        norms, slack = self._norms, self._slack[drawn]
        if self._is_small:
            if len(besides):
                products += besides
            distances = np.maximum(products + (norms + norms[drawn, None]), 0)
            return plain_nearest.nearest(distances, slack, draw, rows, rule), len(drawn)
        from fewest.relief.kernels.nearest_neighbors import nearest_by_distance

        found = room(draw, rows, rule)
        vectors = Vectors(embedding.matrix, embedding.scale, norms, besides)
        return found, nearest_by_distance(products, places, vectors, slack, draw, rows, rule, found)

    def _besides(self, drawn: np.ndarray) -> np.ndarray:
        """Return what names with many values add to the squared distances; nothing if there are none."""
        values, class_of = self._values, self._class_of
        return differences_of_names(
            (values[drawn], class_of[drawn]), (values, class_of), self._embedding.many, self._names
        )

    def differences(self, drawn: np.ndarray, found: Found, is_squared: bool) -> np.ndarray:
        """Compare with the neighbours, feature by feature, in the order of the source."""
        if self._numbers or self._names or self._is_small:
            sums = self._plain_differences(drawn, found, is_squared)
        else:
            from fewest.relief.kernels.weighted_differences import differences_of_values

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
        rows = self._embedding.identities() + np.float32(0)  # adding 0 makes -0 equal to 0
        return twins_of(rows, self._embedding.spread <= 0)


def slack_of(norms: np.ndarray, largest: float) -> np.ndarray:
    """Return by how much squared distances from rows of these squared norms may differ and still be equal."""
    return (ROUNDING * (norms + largest)).astype(np.float32)


def differences_of_names(
    drawn: tuple[np.ndarray, np.ndarray],
    rows: tuple[np.ndarray, np.ndarray],
    features: Sequence[int],
    unknown: dict[int, UnknownNames],
) -> np.ndarray:
    """Sum the differences of some names between drawn rows and all rows, both given as values and classes."""
    if not len(features):
        return np.empty((0, 0), dtype=np.float32)
    sums = np.zeros((len(drawn[0]), len(rows[0])), dtype=np.float32)
    for f in features:
        own, others = drawn[0][:, f], rows[0][:, f]
        if f in unknown:
            names = unknown[f]
            sums += names.against_all(names.numbered(own, drawn[1]))[:, names.numbered(others, rows[1])]
        else:
            sums += own[:, None] != others
    return sums
