"""Rows as vectors, for numeric, Boolean and nominal values side by side, some of them missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from fewest.blocks.threads import in_order, serial_products
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
from fewest.relief.missing import Expectations, MissingNominal, MissingNumeric, known_weights
from fewest.relief.rounded_rows import LEAST_FEATURES, RoundedRows
from fewest.relief.rows import (
    BATCH_DIFFERENCES,
    BATCH_DISTANCES,
    MOST_SAMPLED,
    RowSource,
    Survey,
    duplicates_of,
    parts,
)

# A nominal feature is one column for each of its categories in the matrix, if these are not more.
MOST_INDICATORS = 16
# Rounding in single precision, relative to the sizes that a distance is made from.
ROUNDING = 2e-6
# Differences that NumPy, which has its overhead for every call, computes at a time.
NUMPY_DIFFERENCES = 1 << 20
# Products of all rows by all rows that may be kept, and parts a side in which they are computed.
MOST_PRODUCTS, SIDE = 1 << 23, 8
EVERY = slice(None)


class Measuring(NamedTuple):
    """How rows are compared."""

    is_manhattan: bool  # absolute differences are summed, rather than squares
    is_small: bool  # NumPy does the work, rather than compiled code
    by_class: bool = False  # what is expected in place of a missing value depends on the row's class
    n_near: int = 0  # how many rows are sought, if no distance matters but those of the nearest; else 0

    def expecting(self, starts: np.ndarray) -> np.ndarray:
        """Return where each group of rows begins that have expectations of their own: the classes, or all rows."""
        return starts if self.by_class else starts[[0, -1]]


class Embedding:
    """Rows as vectors whose inner products are distances, squared ones or, for nominal features, sums.

    A squared distance is the two rows' squared norms less twice their inner product. A numeric value is itself, scaled
    to a range of 1 around 0; a nominal value is an indicator for each category, whose inner product counts agreement.
    Where a value is missing, the mean (of values or of indicators) over its class takes its place and the variance
    joins the norm: just the expected difference. Nominal features of many categories are left out, to be compared
    one by one.

    Absolute differences are no product. For Manhattan distances numeric values are therefore left out of the matrix and
    compared as they are, gaps as the mean. What the expected difference exceeds that from the mean by is a product
    again, of two columns for every feature with gaps (see `_gap_columns`); where classes have expectations of their
    own, which would take as many columns for each class, `expected_besides` adds it.

    Parameters
    ----------
    values : float32 array of shape (n_rows, n_features)
        Numeric values in [-1/2, 1/2], then nominal codes; NaN where missing.
    class_of : ndarray of shape (n_rows,)
    expectations : Expectations
    measuring : Measuring

    Attributes
    ----------
    matrix : float32 array of shape (n_rows, n_columns)
    scale : float32 array of shape (n_columns,)
        What an inner product counts for in the distance.
    numeric : float32 array of shape (n_rows, n_numeric or 0)
        What absolute differences are taken of.
    rounded : RoundedRows or None
        The same rounded to small integers, where these suffice to find the candidates.
    norms : ndarray of shape (n_rows,)
    sizes : ndarray of shape (n_rows,)
        The sum of two rows' sizes is no less than what their distance is made from, on which its rounding depends.
    spread : ndarray of shape (n_rows,)
        The distance of each row from a copy of itself, whose missing values may be others; 0 for a row without gaps.
    many : list of int
        The nominal features that were left out.
    """

    def __init__(self, values: np.ndarray, class_of: np.ndarray, expectations: Expectations, measuring: Measuring):
        self.norms, self.spread = np.zeros(len(values)), np.zeros(len(values))
        self._values, self._class_of, self._expectations, self._measuring = values, class_of, expectations, measuring
        n_numeric = expectations.n_numeric
        filled = self._filled(values[:, :n_numeric], expectations.numeric)
        sizes, power = np.zeros(len(values)), 1 if measuring.is_manhattan else 2
        for rows in parts(np.arange(len(values)), n_numeric):  # each row by itself: sums are rounded by their order
            sizes[rows] += (np.abs(filled[rows].astype(np.float64)) ** power).sum(axis=1)
        if measuring.is_manhattan:
            self.norms[:] = 0
        else:
            self.norms += sizes
        self.many: list[int] = []
        indicators = [
            part
            for f in range(n_numeric, values.shape[1])
            if (part := self._indicators(f, expectations.nominal.get(f))).size
        ]
        self.numeric = filled if measuring.is_manhattan else filled[:, :0]
        multiplied = filled[:, :0] if measuring.is_manhattan else filled
        sums, rests = self._gap_columns()
        columns = [multiplied, *indicators, sums, rests]
        self.matrix = np.ascontiguousarray(np.hstack(columns) if len(columns) > 3 or sums.size else multiplied)
        self.scale = np.full(self.matrix.shape[1], -1, dtype=np.float32)
        self.scale[: multiplied.shape[1]] = -2
        if sums.size:
            self.scale[-2 * sums.shape[1] :] = np.repeat([0.5, -0.5], sums.shape[1])
        self.rounded: RoundedRows | None = None
        if measuring.n_near and self.numeric.shape[1] >= LEAST_FEATURES:
            self.rounded = RoundedRows.coarsest(self.numeric, measuring.n_near)
        # A missing value adds at most the difference of 1 that a range has.
        self.sizes = self.norms + (sizes + len(expectations.numeric) if measuring.is_manhattan else 0)
        self.sizes += (sums.astype(np.float64) ** 2 + rests.astype(np.float64) ** 2).sum(axis=1) / 4

    def _filled(self, values: np.ndarray, missing: dict[int, MissingNumeric]) -> np.ndarray:
        """Return numeric values with the means of the class in the gaps."""
        filled = values.copy() if missing else values
        for f, expected in missing.items():
            gaps = np.flatnonzero(np.isnan(values[:, f]))
            classes = self._class_of[gaps]
            filled[gaps, f] = expected.means[classes]
            self.norms[gaps] += expected.variances[classes]
            self.spread[gaps] += 2 * expected.variances[classes]
        return filled

    def _indicators(self, f: int, missing: MissingNominal | None) -> np.ndarray:
        """Return an indicator for each category, in the gaps its share of the class; none if there are many."""
        codes = self._values[:, f]
        gaps = np.flatnonzero(np.isnan(codes))
        classes = self._class_of[gaps]
        if missing is not None:
            self.spread[gaps] += missing.expected[missing.n_categories + classes, classes]
        n_categories = self._expectations.n_categories[f]
        if n_categories > MOST_INDICATORS:
            self.many.append(f)
            return np.empty((len(codes), 0), dtype=np.float32)
        self.norms += 0.5 if n_categories else 0.0
        indicators = (codes[:, None] == np.arange(n_categories)).astype(np.float32)
        if missing is not None:
            indicators[gaps] = 1 - missing.expected[:n_categories, classes].T
        return indicators

    @property
    def _gaps_are_columns(self) -> bool:
        is_one_class = all(len(missing.means) == 1 for missing in self._expectations.numeric.values())
        return self._measuring.is_manhattan and is_one_class

    def _gap_columns(self) -> tuple[np.ndarray, np.ndarray]:
        """Return columns whose products are what Manhattan distances lack where values are missing.

        Let g be 1 where a value is missing and 0 elsewhere, and b by how much the expected difference of a known value
        from a missing one exceeds that from the mean; in a gap, half of the expected difference of two missing values.
        Then two rows lack b g' + g b' = ((b + g)(b' + g') - (b - g)(b' - g')) / 2, and these sums and differences are
        the columns. Where both values are known, the two products are equal and cancel out.
        """
        missing = self._expectations.numeric if self._gaps_are_columns else {}
        sums, rests = np.empty((2, len(self._values), len(missing)), dtype=np.float32)
        for column, (f, numeric) in enumerate(missing.items()):
            gap = np.isnan(self._values[:, f])
            lacking = np.full(len(gap), numeric.expected_of_two(0, 0, False) / 2)
            lacking[~gap] = numeric.lacking(self._values[~gap, f], 0)
            sums[:, column], rests[:, column] = lacking + gap, lacking - gap
        return sums, rests

    def identities(self) -> np.ndarray:
        """Return vectors that are equal where the rows are: the matrix, and the features that it leaves out."""
        if not self.many and not self.numeric.shape[1]:
            return self.matrix
        return np.hstack([self.numeric, self.matrix, np.nan_to_num(self._values[:, self.many], nan=-1)])

    def partial_distances(self, rows: slice | np.ndarray, others: Embedding, of: slice = EVERY) -> np.ndarray:
        """Return the distances of some rows to others, but for the norms and for `expected_besides`."""
        products = (self.matrix[rows] * self.scale) @ others.matrix[of].T
        if self.numeric.shape[1]:
            self._add_absolute_differences(rows, others, of, products)
        return products

    def _add_absolute_differences(self, rows: slice | np.ndarray, others: Embedding, of: slice, sums: np.ndarray):
        if self._measuring.is_small:
            numpy_twins.add_absolute_differences(self.numeric[rows], others.numeric[of], sums)
            return
        if self.rounded is not None and others.rounded is not None:
            self.rounded.add_distances(rows, others.rounded, of, sums)
            return
        from fewest.relief.kernels.differences import add_absolute_differences

        add_absolute_differences(self.numeric[rows], others.numeric[of], sums)

    def besides(self, rows: slice | np.ndarray, others: Embedding) -> np.ndarray:
        """Return what features that are compared one by one add to the distances; empty if there are none."""
        is_besides = self._measuring.is_manhattan and not self._gaps_are_columns
        missing = self._expectations.numeric if is_besides else {}
        if not self.many and not missing:
            return np.empty((0, 0), dtype=np.float32)
        own = self._values[rows], self._class_of[rows]
        sums = nominal_differences(own, (others._values, others._class_of), self.many, self._expectations.nominal)
        if not len(sums):
            sums = np.zeros((len(own[0]), len(others._values)), dtype=np.float32)
        for f, numeric in missing.items():
            expected_besides((own[0][:, f], own[1]), (others._values[:, f], others._class_of), numeric, sums)
        return sums


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


def expected_besides(
    own: tuple[np.ndarray, np.ndarray],
    others: tuple[np.ndarray, np.ndarray],
    missing: MissingNumeric,
    sums: np.ndarray,
) -> None:
    """Add what one numeric feature lacks where values are missing: the expected difference less that from a mean.

    Both sides are given as values and classes.
    """
    (a, classes), (b, other_classes) = own, others
    known, gaps, n_classes = np.flatnonzero(~np.isnan(a)), np.flatnonzero(np.isnan(b)), len(missing.means)
    if len(known) and len(gaps):
        lacking = np.stack([missing.lacking(a[known], c) for c in range(n_classes)], axis=1)
        sums[np.ix_(known, gaps)] += lacking[:, other_classes[gaps]].astype(np.float32)
    present = np.flatnonzero(~np.isnan(b))
    for c in np.unique(classes[np.isnan(a)]).tolist():
        lacking = np.empty(len(b), dtype=np.float32)
        lacking[present] = missing.lacking(b[present], c)
        of_two = [
            missing.expected_of_two(c, d, False) - abs(missing.means[c] - missing.means[d]) for d in range(n_classes)
        ]
        lacking[gaps] = np.array(of_two)[other_classes[gaps]]
        sums[np.flatnonzero(np.isnan(a) & (classes == c))] += lacking


def nominal_differences(
    sampled: tuple[np.ndarray, np.ndarray],
    rows: tuple[np.ndarray, np.ndarray],
    features: Sequence[int],
    missing: dict[int, MissingNominal],
) -> np.ndarray:
    """Sum the differences of nominal features between sampled rows and all rows, both given as values and classes."""
    if not len(features):
        return np.empty((0, 0), dtype=np.float32)
    sums = np.zeros((len(sampled[0]), len(rows[0])), dtype=np.float32)
    for f in features:
        own, others = sampled[0][:, f], rows[0][:, f]
        if f in missing:
            nominal = missing[f]
            sums += nominal.against_all(nominal.coded(own, sampled[1]))[:, nominal.coded(others, rows[1])]
        else:
            sums += own[:, None] != others
    return sums
