"""Rows as vectors whose inner products are distances: gaps are filled in, categories become indicators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fewest.relief.kernels import numpy_twins
from fewest.relief.missing import Expectations, MissingNominal, MissingNumeric
from fewest.relief.rounded_rows import LEAST_FEATURES, RoundedRows
from fewest.relief.rows import parts

# A nominal feature is one column for each of its categories in the matrix, if these are not more.
MOST_INDICATORS = 16
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
