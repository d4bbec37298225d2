"""Features as columns of codes for MinDescription, and numeric features cut in each other's company.

A numeric feature of many values may take part in several ways: cut at its median, its quartiles or its eighths,
whatever the classes are, or where the classes suggest it. A description must say which, and cuts that the classes
chose must be named: one of C(d - 1, m) ways to cut d distinct values m times, and m itself in m bits. So a cut that
follows the classes by chance costs more than it saves.

Alone, a feature that matters only together with another suggests no cut. It enters cut at quantiles, and once it is in
a subset its cuts are chosen again, given the cells of the other features: add one, drop one or move one, as long as the
whole description becomes shorter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from fewest.cover.described_subsets import DescribedSubsets
from fewest.cover.description import Coded, Columns
from fewest.cover.kernels.description import UNIT, Prices, Rows, best_cut
from fewest.exceptions import ParameterError
from fewest.kernels.compile_or_not import Work
from fewest.kernels.partition import numbered
from fewest.table import Column, Table
from fewest.table.column import smallest_code_type
from fewest.table.discretize import has_many_values, mdl_cuts, quantile_cuts

# Bits, in units, that say how a numeric feature is cut: at the median, at quartiles, at eighths, or where the classes
# suggest.
KIND = 2 * UNIT
N_QUARTERS, FINEST = 4, 8
MOST_CUTS = 31


@dataclass(eq=False)
class Codings:
    """The columns of all features, with the cuts of those that are cut.

    Attributes
    ----------
    coded : Coded
        What the search starts with.
    cuts : list of dict of int to ndarray
        For every column, also those that come later, where its numeric features are cut.
    units : dict of int to tuple of int
        The features that enter together, by the first of them, which stands for all.
    """

    features: Table
    rows: Rows
    costs: np.ndarray
    coded: Coded = field(init=False)
    cuts: list[dict[int, np.ndarray]] = field(default_factory=list)
    units: dict[int, tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        features: Table,
        rows: Rows,
        costs: np.ndarray | None = None,
        include: Sequence[int] = (),
        exclude: Sequence[int] = (),
        groups: Sequence[Sequence[int]] = (),
    ) -> Codings:
        """Encode a table; excluded and constant features get no column, and a missing value is one more value.

        A group of features is one column of the combinations of their values, so that its cells are those of all of
        them. Its numeric features are cut as each alone suggests, and not again in company.

        Parameters
        ----------
        features : Table
        rows : Rows
            The class of every row of the table, and how many rows it stands for.
        costs : ndarray of shape (n_features,), optional
            Bits that naming each feature takes beside the choice among all; 1 each by default. Those included are free.
        include, exclude : sequence of int
            A group with an included feature is included as a whole, but for the excluded ones of it.
        groups : sequence of sequences of int
            Features that enter together; no feature is in two.
        """
        units = units_of(len(features.columns), groups, exclude)
        included = {first for first, unit in units.items() if set(unit) & set(include)}
        costs = np.ones(len(features.columns)) if costs is None else costs.copy()
        costs[[feature for first in included for feature in units[first]]] = 0.0
        self = cls(features, rows, costs, units=units)
        columns: list[np.ndarray] = []
        owners: list[int] = []
        prices: list[int] = []
        for first, unit in units.items():
            for codes, cuts, price in self._ways(unit):
                if first in included or codes.max(initial=0) > 0:
                    columns.append(codes)
                    owners.append(first)
                    prices.append(price)
                    self.cuts.append(cuts)
        kind = smallest_code_type(max((int(codes.max(initial=0)) + 1 for codes in columns), default=1))
        matrix = np.array(columns, dtype=kind).reshape(len(columns), features.n_rows)
        self.coded = Coded(
            matrix,
            np.array(owners, dtype=np.int64),
            np.array(prices, dtype=np.int64),
            len(set(owners) - included),
            tuple(sorted(included)),
            is_fixed=not any(self.cuts),
        )
        return self

    def members(self, subset: Iterable[int]) -> tuple[int, ...]:
        """Return the features of some units."""
        return tuple(sorted(feature for first in subset for feature in self.units[first]))

    def _ways(self, unit: tuple[int, ...]) -> Iterator[tuple[np.ndarray, dict[int, np.ndarray], int]]:
        """Yield how features take part together: their codes, their cuts and the price, for every way of cutting."""
        ways = [self._ways_of_one(self.features.columns[feature]) for feature in unit]
        for k in range(max(map(len, ways))):
            codes, cuts, price = np.zeros(self.features.n_rows, dtype=np.int64), {}, 0
            for feature, own in zip(unit, ways, strict=True):
                cut, own_price = own[min(k, len(own) - 1)]
                more = self._codes(self.features.columns[feature], cut)
                codes = more if len(unit) == 1 else numbered(codes * (int(more.max(initial=0)) + 1) + more)
                price += own_price + round(self.costs[feature] * UNIT)
                if cut is not None:
                    cuts[feature] = cut
            yield codes, cuts, price

    def _ways_of_one(self, column: Column) -> list[tuple[np.ndarray | None, int]]:
        """Return how a column takes part: as it is, or by its cuts, each with its price."""
        if not has_many_values(column):
            return [(None, 0)]
        known = ~column.is_missing
        values, own = column.values[known], self.rows.at(known)
        fitted = mdl_cuts(values, own.classes, self.rows.n_classes, own.copies)
        quantiles = [(quantile_cuts(values, n, own.copies), KIND) for n in (2, N_QUARTERS)]
        if not len(fitted) or len(fitted) > MOST_CUTS:
            return list(quantiles)
        return [quantiles[0], (fitted, KIND + cut_price(len(np.unique(values)), len(fitted))), quantiles[1]]

    def _codes(self, column: Column, cuts: np.ndarray | None) -> np.ndarray:
        """Return the codes of a column, from 0 without gaps."""
        missing = column.is_missing
        codes = (column.by_value().values if cuts is None else np.searchsorted(cuts, column.values)).astype(np.int64)
        codes[missing] = int(codes[~missing].max(initial=-1)) + 1  # one more value, whatever the others are
        return numbered(codes)

    # ------------------------------------------------------------------ eighths

    def at_quantiles(self, first: int, n_intervals: int) -> tuple[np.ndarray, dict[int, np.ndarray]]:
        """Return the codes of a unit, cut at quantiles if it is a numeric feature, and its cuts."""
        unit = self.units[first]
        column = self.features.columns[first]
        if len(unit) > 1 or not has_many_values(column):
            codes, cuts, _ = next(self._ways(unit))
            return codes, cuts
        known = ~column.is_missing
        cuts_of_it = quantile_cuts(column.values[known], n_intervals, self.rows.copies[known])
        return self._codes(column, cuts_of_it), {first: cuts_of_it}

    def finest(self) -> Coded | None:
        """Return a column for every feature, numeric ones cut into eighths; None where there are none such.

        A pair that makes a ring or a checkerboard shows in eighths and in nothing coarser. They are for pairs only, so
        that they cost no time elsewhere: `keep` says which of them subsets may have.
        """
        own = {int(feature): column for column, feature in reversed(list(enumerate(self.coded.features.tolist())))}
        is_cut = {f: len(self.units[f]) == 1 and bool(self.cuts[own[f]]) for f in sorted(own)}
        if not any(is_cut.values()):
            return None
        columns = [
            self.at_quantiles(f, FINEST)[0] if cut else self.coded.columns[own[f]].astype(np.int64)
            for f, cut in is_cut.items()
        ]
        prices = [
            KIND + round(self.costs[f] * UNIT) if cut else int(self.coded.prices[own[f]]) for f, cut in is_cut.items()
        ]
        kind = smallest_code_type(max(int(codes.max(initial=0)) + 1 for codes in columns))
        return Coded(np.array(columns, dtype=kind), np.array(list(is_cut)), np.array(prices, dtype=np.int64), 0)

    def keep(self, finest: Coded, chosen: np.ndarray) -> Coded:
        """Return some of the finest columns, which subsets may have from now on."""
        features = finest.features[chosen]
        self.cuts.extend(self.at_quantiles(int(feature), FINEST)[1] for feature in features)
        return Coded(finest.columns[chosen], features, finest.prices[chosen], 0)

    # ------------------------------------------------------------------ in company

    def recode(self, known: DescribedSubsets, subset: Columns) -> Coded | None:
        """Return columns of the numeric features of a subset, cut again; None where no cut moves."""
        owners = {column: int(known.coded.features[column]) for column in subset}
        chosen = {own: column for column, own in owners.items() if self.cuts[column] and len(self.units[own]) == 1}
        codes = {column: known.coded.columns[column].astype(np.int64) for column in subset}
        found: dict[int, np.ndarray] = {}
        for feature, column in [*chosen.items(), *chosen.items()]:
            others = np.zeros(self.features.n_rows, dtype=np.int64)
            for other in subset:
                if other != column:
                    others = numbered(others * (int(codes[other].max()) + 1) + codes[other])
            before = found.get(feature, self.cuts[column][feature])
            cuts = self._refined(self.features.columns[feature], before, others, known.prices, known.work)
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
        self.cuts.extend({feature: cuts} for feature, cuts in found.items())
        columns = np.array([codes[chosen[feature]] for feature in found])
        return Coded(columns, np.array(list(found), dtype=np.int64), np.array(prices, dtype=np.int64), 0)

    def _n_distinct(self, feature: int) -> int:
        column = self.features.columns[feature]
        return len(np.unique(column.values[~column.is_missing]))

    def _refined(self, column: Column, cuts: np.ndarray, others: np.ndarray, prices: Prices, work: Work) -> np.ndarray:
        """Return better cuts of one feature beside the cells of others: add, drop or move one while that is shorter."""
        known = ~column.is_missing
        line = _Line(column.values[known], numbered(others[known]), self.rows.at(known), prices, work)
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


def units_of(n_features: int, groups: Sequence[Sequence[int]], exclude: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """Return the features that enter together, by the first of each; those that no group names enter alone."""
    gone = set(exclude)
    left = [tuple(sorted(set(group) - gone)) for group in groups]
    grouped = [feature for unit in left for feature in unit]
    if len(set(grouped)) < len(grouped):
        twice = next(feature for feature in grouped if grouped.count(feature) > 1)
        raise ParameterError(f"Feature {twice} is in two feature groups. Leave it in one of them.")
    alone = [(feature,) for feature in range(n_features) if feature not in {*grouped, *gone}]
    return {unit[0]: unit for unit in sorted([*filter(None, left), *alone])}


class _Line:
    """The rows along one numeric feature, in cells of other features."""

    def __init__(self, values: np.ndarray, cell: np.ndarray, rows: Rows, prices: Prices, work: Work):
        self.order = np.argsort(values, kind="stable")
        self.values = values[self.order]
        self.is_boundary = np.concatenate([[False], self.values[1:] > self.values[:-1]])
        self.cell, self.rows, self.prices, self.work = cell, rows, prices, work
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
        cells = self.cells(places)
        counts = self.rows.counted(cells, int(cells.max(initial=-1)) + 1)
        return self.prices.length(counts) + cut_price(self.n_distinct, len(places))

    def with_one_more(self, places: tuple[int, ...]) -> tuple[int, ...]:
        """Return the places with the one more that saves most; the same where none saves anything."""
        place, _ = best_cut(self.order, self.is_boundary, self.cells(places), self.rows, self.prices, self.work)
        return places if place < 0 else tuple(sorted({*places, place}))


def cut_price(n_distinct: int, n_cuts: int) -> int:
    """Return the bits, in units, that say where the classes had a feature cut."""
    among = np.arange(n_distinct - n_cuts, n_distinct, dtype=np.float64)
    ways = np.log2(among).sum() - np.log2(np.arange(1, n_cuts + 1, dtype=np.float64)).sum()
    return round((ways + n_cuts) * UNIT)
