"""Distances and differences of rows whose values are numeric, Boolean and nominal, some of them missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations_with_replacement

import numpy as np

from fewest.blocks.threads import in_order, serial_products
from fewest.relief.embedding import Embedding, Measuring
from fewest.relief.kernels import numpy_twins
from fewest.relief.kernels.layout import (
    Measured,
    Neighbors,
    Permuted,
    PermutedSearch,
    Products,
    Rows,
    Rule,
    Sampled,
    Vectors,
)
from fewest.relief.missing import Expectations, MissingNumeric, known_weights
from fewest.relief.rows import (
    BATCH_DIFFERENCES,
    BATCH_DISTANCES,
    MOST_SAMPLED,
    RowSource,
    Survey,
    duplicates_of,
    parts,
)

# Rounding in single precision, relative to the sizes that a distance is made from.
ROUNDING = 2e-6
# Differences that NumPy, which has its overhead for every call, computes at a time.
NUMPY_DIFFERENCES = 1 << 20
# Products of all rows by all rows that may be kept, and parts a side in which they are computed.
MOST_PRODUCTS, SIDE = 1 << 23, 8


class MatrixSpace:
    """Rows of numeric, Boolean and nominal values: distances are a matrix product, or absolute sums (see `Embedding`).

    Parameters
    ----------
    values : float32 array of shape (n_rows, n_features)
        As `Scale.laid_out` returns them.
    columns : ndarray of shape (n_features,)
        Which feature each column of ``values`` is.
    starts : ndarray of shape (n_classes + 1,)
        Where each class begins.
    expectations : Expectations
        Those of every class, or of all rows, as ``measuring`` says.
    measuring : Measuring
    largest : float, optional
        The largest size (see `Embedding`) among rows that are not here.
    """

    def __init__(
        self,
        values: np.ndarray,
        columns: np.ndarray,
        starts: np.ndarray,
        expectations: Expectations,
        measuring: Measuring,
        largest: float = 0.0,
    ):
        self.n_rows, self.n_features = values.shape
        starts = measuring.expecting(starts)
        self._values, self._columns, self._starts, self._is_small = values, columns, starts, measuring.is_small
        self._n_numeric = expectations.n_numeric
        self._numeric, self._nominal = expectations.numeric, expectations.nominal
        self._telling = sorted(expectations.telling)
        self._class_of = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        self._embedding = Embedding(values, self._class_of, expectations, measuring)
        sizes = self._embedding.sizes
        self._norms = self._embedding.norms.astype(np.float32)
        self._slack = slack_of(sizes, sizes.max(initial=largest))
        rounded = self._embedding.rounded
        self._margin = np.zeros(self.n_rows, dtype=np.float32) if rounded is None else rounded.margin
        self.batch_size = self.size_of_batches(self.n_rows, self.n_features)
        self._products: np.ndarray | None = None

    @property
    def depends_on_classes(self) -> bool:
        """Return whether distances depend on the classes, by what is expected in place of missing values."""
        return bool(self._numeric or self._nominal) and len(self._starts) > 2

    @classmethod
    def from_source(
        cls,
        source: RowSource,
        survey: Survey,
        order: np.ndarray,
        weights: np.ndarray,
        starts: np.ndarray,
        measuring: Measuring,
    ) -> MatrixSpace:
        """Lay out all rows of a source."""
        columns = np.argsort(source.is_nominal, kind="stable")
        n_numeric = int((~source.is_nominal).sum())
        values = np.empty((source.n_rows, len(columns)), dtype=np.float32)
        scale, at = survey.scale, 0
        for rows in parts(order, len(columns)):
            values[at : at + len(rows)] = scale.laid_out(source.part(rows), source.is_nominal)
            at += len(rows)
        gaps = np.flatnonzero(survey.has_missing[columns]).tolist()
        expectations = Expectations.from_rows(values, n_numeric, gaps, weights, measuring.expecting(starts))
        if not measuring.by_class:
            expectations = expectations.with_telling(known_weights(values, gaps, weights, starts), weights, starts)
        return cls(values, columns, starts, expectations, measuring)

    @staticmethod
    def size_of_batches(n_rows: int, n_features: int) -> int:
        """Return how many sampled rows are looked at together."""
        return max(8, min(MOST_SAMPLED, BATCH_DISTANCES // max(1, n_rows), BATCH_DIFFERENCES // max(1, n_features)))

    @contextmanager
    def products(self, n_sampled: int, n_threads: int) -> Iterator[None]:
        """Return the context of the search: batches run on threads, and their matrix products do not start others."""
        with serial_products():
            is_worth_it = 4 * n_sampled >= 3 * self.n_rows and self.n_rows**2 <= MOST_PRODUCTS and not self._is_small
            self._products = self._all_products(n_threads) if is_worth_it else None
            try:
                yield
            finally:
                self._products = None

    def _all_products(self, n_threads: int) -> np.ndarray:
        """Compare all rows with all rows: two parts of them once, not twice, since the order does not matter."""
        embedding = self._embedding
        products = np.empty((self.n_rows, self.n_rows), dtype=np.float32)
        step = max(1, -(-self.n_rows // SIDE))
        sides = [slice(start, start + step) for start in range(0, self.n_rows, step)]

        def multiply(pair: tuple[slice, slice]) -> None:
            one, other = pair
            product = embedding.partial_distances(one, embedding, other)
            products[one, other] = product
            if one != other:
                products[other, one] = product.T

        for _ in in_order(multiply, list(combinations_with_replacement(sides, 2)), n_threads):
            pass
        return products

    def measured(self, own: np.ndarray) -> Measured:
        """Compare some rows with all rows."""
        embedding = self._embedding
        products, places = self._products, own
        if products is None:
            products, places = embedding.partial_distances(own, embedding), np.arange(len(own))
        found = Products(products, places, self._slack[own], self._margin[own])
        return Measured(found, embedding.besides(own, embedding))

    def nearest(self, measured: Measured, sampled: Sampled, rows: Rows, rule: Rule) -> tuple[Neighbors, int]:
        """Find neighbors by distances: select the smallest."""
        if self._is_small:
            distances = self.distances(measured, sampled.rows)
            return numpy_twins.nearest(distances, measured.products.slack, sampled, rows, rule), len(sampled.rows)
        from fewest.relief.kernels.nearest_neighbors import nearest_by_distance

        found = Neighbors.with_room_for(sampled, rows, rule)
        vectors = self._vectors(measured)
        return found, nearest_by_distance(measured.products, vectors, sampled, rows, rule, found)

    def permuted_nearest(
        self, measured: Measured, sampled: Sampled, rows: Rows, rule: Rule, permuted: Permuted
    ) -> tuple[Neighbors, int]:
        """Find neighbors by permuted labels."""
        if self._is_small:
            distances, slack = self.distances(measured, sampled.rows), measured.products.slack
            return numpy_twins.permuted_nearest(distances, slack, sampled, rows, rule, permuted), len(sampled.rows)
        from fewest.relief.kernels.permuted_neighbors import permuted_by_distance

        found = Neighbors.with_room_for_all(sampled, rows, rule, permuted)
        vectors = self._vectors(measured)
        return found, permuted_by_distance(
            measured.products, vectors, PermutedSearch(sampled, rows, rule, permuted), found
        )

    def _vectors(self, measured: Measured) -> Vectors:
        embedding = self._embedding
        return Vectors(embedding.matrix, embedding.scale, self._norms, measured.besides, embedding.numeric)

    def distances(self, measured: Measured, own: np.ndarray) -> np.ndarray:
        """Return whole distances, squared unless they are sums: products, what is besides, and norms."""
        products, norms = measured.products.values[measured.products.places], self._norms
        if len(measured.besides):
            products = products + measured.besides
        return np.maximum(products + (norms + norms[own, None]), 0)

    def differences(self, sampled: np.ndarray, found: Neighbors, is_squared: bool) -> np.ndarray:
        """Sum weighted differences to the neighbors, feature by feature, in the order of the source."""
        if self._numeric or self._nominal or self._is_small:
            sums = self._differences_in_numpy(sampled, found, is_squared)
        else:
            from fewest.relief.kernels.differences import differences_of_values

            sums = np.zeros((len(sampled), self._values.shape[1]), dtype=np.float32)
            differences_of_values(self._values, self._n_numeric, is_squared, sampled, found, sums)
        if self._n_numeric == sums.shape[1]:
            return sums
        ordered = np.empty_like(sums)
        ordered[:, self._columns] = sums
        return ordered

    def _differences_in_numpy(self, sampled: np.ndarray, found: Neighbors, is_squared: bool) -> np.ndarray:
        """Sum differences of a few sampled rows at a time, with expectations where values are missing."""
        sums = []
        step = max(1, NUMPY_DIFFERENCES * len(sampled) // max(1, int(found.starts[-1]) * self._values.shape[1]))
        for begin in range(0, len(sampled), step):
            part = sampled[begin : begin + step]
            starts = found.starts[begin : begin + len(part) + 1]
            entries = slice(starts[0], starts[-1])
            neighbors = Neighbors(starts - starts[0], found.rows[entries], found.weights[entries])
            own, others = np.repeat(part, np.diff(starts)), neighbors.rows
            sums.append(numpy_twins.summed(self._compared(own, others, is_squared), neighbors))
        return np.vstack(sums)

    def _compared(self, own: np.ndarray, others: np.ndarray, is_squared: bool) -> np.ndarray:
        a, b = self._values[own].astype(np.float64), self._values[others]
        differences = np.abs(a - b)
        differences[:, self._n_numeric :] = a[:, self._n_numeric :] != b[:, self._n_numeric :]
        if is_squared:
            differences **= 2
        for f, nominal in self._nominal.items():
            codes = nominal.coded(self._values[:, f], self._class_of)
            differences[:, f] = nominal.between(codes[own], codes[others])
        for f, numeric in self._numeric.items():
            self._expect(differences[:, f], numeric, (a[:, f], own), (b[:, f], others), is_squared)
        for f in self._telling:
            lacks, other_lacks = np.isnan(a[:, f]), np.isnan(b[:, f])
            differences[:, f] = np.where(lacks | other_lacks, lacks != other_lacks, differences[:, f])
        return differences

    def _expect(self, differences, missing: MissingNumeric, own, others, is_squared: bool) -> None:
        """Put expectations where one or both of two numeric values are missing."""
        lacks, other_lacks = np.isnan(own[0]), np.isnan(others[0])
        for known, rows, is_half in (
            (own[0], others[1], other_lacks & ~lacks),
            (others[0], own[1], lacks & ~other_lacks),
        ):
            half = np.flatnonzero(is_half)
            classes = self._class_of[rows[half]]
            for c in range(len(self._starts) - 1):
                chosen = half[classes == c]
                differences[chosen] = missing.expected(known[chosen].astype(np.float64), c, is_squared)
        neither = np.flatnonzero(lacks & other_lacks)
        classes, other_classes = (self._class_of[rows[neither]] for rows in (own[1], others[1]))
        for c in np.unique(classes).tolist():
            for d in np.unique(other_classes[classes == c]).tolist():
                chosen = neither[(classes == c) & (other_classes == d)]
                differences[chosen] = missing.expected_of_two(c, d, is_squared)

    def duplicates(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Find rows that are equal, and certain to be."""
        rows = self._embedding.identities() + np.float32(0)  # adding 0 turns -0 into 0
        return duplicates_of(rows, self._embedding.spread <= 0, weights)


def slack_of(sizes: np.ndarray, largest: float) -> np.ndarray:
    """Return by how much distances from rows of these sizes may differ and still be equal."""
    return (ROUNDING * (sizes + largest)).astype(np.float32)
