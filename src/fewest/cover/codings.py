"""Features as columns of codes for MinDescription, and numeric features cut in each other's company.

A numeric feature of many values may take part in several ways: cut at its median, at its quartiles, both whatever the
classes are, or where the classes suggest it. A description must say which, and cuts that the classes chose must be
named: one of C(d - 1, m) ways to cut d distinct values m times, and m itself in m bits. So a cut that follows the
classes by chance costs more than it saves.

Alone, a feature that matters only together with another suggests no cut. It enters cut at quantiles, and once it is in
a subset its cuts are chosen again, given the cells of the other features: add one, drop one or move one, as long as the
whole description becomes shorter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from fewest.cover.kernels.description import UNIT, Prices, best_cut
from fewest.cover.min_description import Coded, Columns, DescriptionSearch
from fewest.kernels.compiling import Work
from fewest.kernels.partition import numbered
from fewest.table import Column, Table
from fewest.table.column import smallest_code_type
from fewest.table.discretize import has_many_values, mdl_cuts, quantile_cuts

# Bits, in units, that say how a numeric feature is cut: at the median, at quartiles, or where the classes suggest.
KIND = round(np.log2(3) * UNIT)
N_QUARTERS = 4
MOST_CUTS = 31


@dataclass(eq=False)
class Codings:
    """The columns of all features, with the cuts of those that are cut.

    Attributes
    ----------
    coded : Coded
        What the search starts with.
    cuts : list of ndarray or None
        For every column, also those that come later, where its feature is cut.
    """

    features: Table
    classes: np.ndarray
    costs: np.ndarray
    coded: Coded = field(init=False)
    cuts: list[np.ndarray | None] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        features: Table,
        classes: np.ndarray,
        costs: np.ndarray | None = None,
        include: Sequence[int] = (),
        exclude: Sequence[int] = (),
    ) -> Codings:
        """Encode a table; excluded and constant features get no column, and a missing value is one more value.

        Parameters
        ----------
        features : Table
        classes : ndarray of shape (n_rows,)
        costs : ndarray of shape (n_features,), optional
            Bits that naming each feature takes beside the choice among all; 1 each by default. Those included are free.
        include, exclude : sequence of int
        """
        costs = np.ones(len(features.columns)) if costs is None else costs.copy()
        costs[list(include)] = 0.0
        self = cls(features, classes, costs)
        columns: list[np.ndarray] = []
        owners: list[int] = []
        prices: list[int] = []
        for feature, column in enumerate(features):
            if feature in exclude:
                continue
            for cuts, price in self._ways(column):
                codes = self._codes(column, cuts)
                if feature in include or codes.max(initial=0) > 0:
                    columns.append(codes)
                    owners.append(feature)
                    prices.append(price + round(costs[feature] * UNIT))
                    self.cuts.append(cuts)
        kind = smallest_code_type(max((int(codes.max(initial=0)) + 1 for codes in columns), default=1))
        matrix = np.array(columns, dtype=kind).reshape(len(columns), features.n_rows)
        n_candidates = len(set(owners) - set(include))
        is_fixed = all(cuts is None for cuts in self.cuts)
        self.coded = Coded(
            matrix, np.array(owners, dtype=np.int64), np.array(prices, dtype=np.int64), n_candidates, tuple(include),
            is_fixed,
        )  # fmt: skip
        return self

    def _ways(self, column: Column) -> list[tuple[np.ndarray | None, int]]:
        """Return how a column takes part: as it is, or by its cuts, each with its price."""
        if not has_many_values(column):
            return [(None, 0)]
        known = ~column.is_missing
        values = column.values[known]
        fitted = mdl_cuts(values, self.classes[known], int(self.classes.max(initial=0)) + 1)
        quantiles = [(quantile_cuts(values, n), KIND) for n in (2, N_QUARTERS)]
        if not len(fitted) or len(fitted) > MOST_CUTS:
            return list(quantiles)
        return [quantiles[0], (fitted, KIND + cut_price(len(np.unique(values)), len(fitted))), quantiles[1]]

    def _codes(self, column: Column, cuts: np.ndarray | None) -> np.ndarray:
        """Return the codes of a column, from 0 without gaps."""
        missing = column.is_missing
        codes = (column.by_value().values if cuts is None else np.searchsorted(cuts, column.values)).astype(np.int64)
        codes[missing] = int(codes[~missing].max(initial=-1)) + 1  # one more value, whatever the others are
        return numbered(codes)

    # ------------------------------------------------------------------ in company

    def recode(self, search: DescriptionSearch, subset: Columns) -> Coded | None:
        """Return columns of the numeric features of a subset, cut anew; None where no cut moves."""
        chosen = {int(search.coded.features[column]): column for column in subset if self.cuts[column] is not None}
        codes = {column: search.coded.columns[column].astype(np.int64) for column in subset}
        found: dict[int, np.ndarray] = {}
        for feature, column in [*chosen.items(), *chosen.items()]:
            others = np.zeros(len(self.classes), dtype=np.int64)
            for other in subset:
                if other != column:
                    others = numbered(others * (int(codes[other].max()) + 1) + codes[other])
            before = found.get(feature, self.cuts[column])
            assert before is not None, "only features that are cut are cut anew"
            cuts = self._refined(self.features.columns[feature], before, others, search.prices, search.work)
            if len(cuts) and not np.array_equal(cuts, before):
                found[feature] = cuts
                codes[column] = self._codes(self.features.columns[feature], cuts)
        if not found:
            return None
        n_distinct = {feature: self._n_distinct(feature) for feature in found}
        prices = [
            KIND + cut_price(n_distinct[feature], len(cuts)) + round(self.costs[feature] * UNIT)
            for feature, cuts in found.items()
        ]
        self.cuts.extend(found.values())
        columns = np.array([codes[chosen[feature]] for feature in found])
        return Coded(columns, np.array(list(found), dtype=np.int64), np.array(prices, dtype=np.int64), 0)

    def _n_distinct(self, feature: int) -> int:
        column = self.features.columns[feature]
        return len(np.unique(column.values[~column.is_missing]))

    def _refined(self, column: Column, cuts: np.ndarray, others: np.ndarray, prices: Prices, work: Work) -> np.ndarray:
        """Return better cuts of one feature beside the cells of others: add, drop or move one while that is shorter."""
        known = ~column.is_missing
        line = _Line(column.values[known], numbered(others[known]), self.classes[known], prices, work)
        places, length = line.places(cuts), 0
        length = line.length(places)
        while True:
            tried = [line.with_one_more(places)]
            for place in places:
                fewer = tuple(other for other in places if other != place)
                if fewer:
                    tried.append(fewer)
                tried.append(line.with_one_more(fewer))
            better = min(
                ((line.length(one), len(one), one) for one in tried if 0 < len(one) <= MOST_CUTS), default=None
            )
            if better is None or better[0] >= length:
                return line.cuts(places)
            length, _, places = better


class _Line:
    """The rows along one numeric feature, in cells of other features."""

    def __init__(self, values: np.ndarray, cell: np.ndarray, classes: np.ndarray, prices: Prices, work: Work):
        self.order = np.argsort(values, kind="stable")
        self.values = values[self.order]
        self.is_boundary = np.concatenate([[False], self.values[1:] > self.values[:-1]])
        self.cell, self.classes, self.prices, self.work = cell, classes, prices, work
        self.n_distinct = 1 + int(self.is_boundary.sum())

    def places(self, cuts: np.ndarray) -> tuple[int, ...]:
        """Return before which rows, in order, cuts stand."""
        return tuple(sorted(set(np.searchsorted(self.values, cuts, side="right").tolist()) - {0, len(self.values)}))

    def cuts(self, places: tuple[int, ...]) -> np.ndarray:
        """Return the cuts that stand before these rows: midpoints."""
        below, above = self.values[np.array(places) - 1], self.values[list(places)]
        return np.minimum(below + (above / 2 - below / 2), np.nextafter(above, below))

    def cells(self, places: tuple[int, ...]) -> np.ndarray:
        """Return the cells of the others, divided at the places."""
        interval = np.empty(len(self.order), dtype=np.int64)
        interval[self.order] = np.searchsorted(np.array(places, dtype=np.int64), np.arange(len(self.order)), "right")
        return numbered(self.cell * (len(places) + 1) + interval)

    def length(self, places: tuple[int, ...]) -> int:
        """Return the length of the classes and of the cuts."""
        cells, n_classes = self.cells(places), int(self.classes.max(initial=0)) + 1
        n_cells = int(cells.max(initial=-1)) + 1
        counts = np.bincount(cells * n_classes + self.classes, minlength=n_cells * n_classes).reshape(-1, n_classes)
        return self.prices.length(counts) + cut_price(self.n_distinct, len(places))

    def with_one_more(self, places: tuple[int, ...]) -> tuple[int, ...]:
        """Return the places with the one more that saves most; the same where none saves anything."""
        place, _ = best_cut(self.order, self.is_boundary, self.cells(places), self.classes, self.prices, self.work)
        return places if place < 0 else tuple(sorted({*places, place}))


def cut_price(n_distinct: int, n_cuts: int) -> int:
    """Return the bits, in units, that say where the classes had a feature cut."""
    among = np.arange(n_distinct - n_cuts, n_distinct, dtype=np.float64)
    ways = np.log2(among).sum() - np.log2(np.arange(1, n_cuts + 1, dtype=np.float64)).sum()
    return round((ways + n_cuts) * UNIT)
