"""The subsets whose descriptions have been measured: their lengths, the shortest so far, and those near it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from fewest.budget import Budget
from fewest.cover.description import INFINITE, Coded, Columns, Description, Near, with_column, without_column
from fewest.cover.kernels.description import KERNELS, UNIT, Cells, Prices, Rows, length_of, lengths_with
from fewest.kernels.compile_or_not import Work

# Subsets with one more column that are noted at a time.
MOST_NOTED = 32
# Subsets whose description is at most so many bits longer than the shortest have a probability worth naming.
NEAR, MOST_KEPT = 20 * UNIT, 2000
# Rows of recent partitions that are kept, at 16 bytes each.
MOST_ENTRIES = 1 << 25


@dataclass(eq=False)
class DescribedSubsets:
    """Lengths of subsets as they are asked for, and what is known from all of them.

    Parameters
    ----------
    coded : Coded
        Columns may be added: see `add_columns`.
    rows : Rows
    budget : Budget
        Checked before many lengths are computed.

    Attributes
    ----------
    root : tuple of int
        The columns of the features that every subset has.
    best, shortest : tuple of int, int
        The subset with the shortest description so far, and its length.
    near : dict of tuple to int
        The lengths of the subsets near it.
    """

    coded: Coded
    rows: Rows
    budget: Budget = field(default_factory=Budget)
    work: Work = field(default_factory=lambda: Work(KERNELS))

    def __post_init__(self) -> None:
        self.prices = Prices.of(self.rows.n_copies, self.rows.n_classes)
        self.near: dict[Columns, int] = {}
        self.history: list[dict[str, Any]] = []
        self.n_subsets = 0
        self._partitions: dict[Columns, Cells] = {}
        self._extended: dict[Columns, np.ndarray] = {}
        first = {int(f): c for c, f in reversed(list(enumerate(self.coded.features.tolist())))}
        self.root: Columns = tuple(sorted(first[f] for f in self.coded.include if f in first))
        self.best, self.shortest = self.root, INFINITE
        self.look_at(self.root, self.length(self.root))

    def cells(self, subset: Columns) -> Cells:
        """Return the cells of a subset; those of recent subsets are kept."""
        if not subset:
            return self._partitions.setdefault((), Cells.one(len(self.rows.classes)))
        if subset not in self._partitions:
            if len(self._partitions) * len(self.rows.classes) > MOST_ENTRIES or len(self._partitions) > 200:
                self._partitions.clear()
            self._partitions[subset] = self.cells(subset[:-1]).refined(self.coded.columns[subset[-1]].astype(np.int64))
        return self._partitions[subset]

    def length(self, subset: Columns) -> int:
        """Return the bits, in units, of a whole description: of the subset and of the classes."""
        self.n_subsets += 1
        return length_of(self.cells(subset), self.rows, self.prices)[0] + self.coded.price(subset)

    def extensions(self, subset: Columns) -> np.ndarray:
        """Return the length with every column added; those of features that are in the subset count as infinite."""
        if subset in self._extended:
            return self._extended[subset]
        self.budget.check(self.status)
        tried = np.flatnonzero(~np.isin(self.coded.features, self.coded.features[list(subset)]))
        lengths = np.full(len(self.coded.columns), INFINITE, dtype=np.int64)
        k = len(subset) - len(self.coded.include) + 1
        if k < len(self.coded.names) and len(tried):
            found = lengths_with(self.coded.columns, self.rows, self.cells(subset), self.prices, tried, self.work)[0]
            lengths[tried] = found + self.coded.prices[tried] + self.coded.names[k] + self.coded.spent(subset)
            self.n_subsets += len(tried)
            self.look_at_many(subset, lengths)
        if len(self._extended) > 400:
            self._extended.clear()
        self._extended[subset] = lengths
        return lengths

    def look_at_many(self, subset: Columns, lengths: np.ndarray) -> None:
        """Take note of the best of the subsets with one column more."""
        worth = np.flatnonzero(lengths < min(self.shortest + NEAR, 1 << 61))
        for column in worth[np.argsort(lengths[worth], kind="stable")][:MOST_NOTED].tolist():
            self.look_at(with_column(subset, column), int(lengths[column]))

    def look_at(self, subset: Columns, length: int) -> None:
        """Take note of a subset; among equals the smaller, and then the first in order, is the best."""
        if length < self.shortest + NEAR:
            self.near[subset] = length
            if len(self.near) > 2 * MOST_KEPT:
                self.near = {one: self.near[one] for one in self.nearest(MOST_KEPT)}
        if (length, len(subset), subset) < (self.shortest, len(self.best), self.best):
            if length < self.shortest:
                shown = sorted(set(self.coded.features[list(subset)].tolist()))
                self.history.append({"subset": shown, "length": length / UNIT, "n_subsets": self.n_subsets})
            self.best, self.shortest = subset, length

    def status(self) -> str:
        """Return how far the search is, for who watches it."""
        return f"{self.n_subsets:,} subsets: {self.shortest / UNIT:,.1f} bits with {len(self.best)} features"

    def known_length(self, subset: Columns) -> int:
        """Return the length of a subset, computed only where it is not near the shortest."""
        return self.near[subset] if subset in self.near else self.length(subset)

    def nearest(self, n: int) -> list[Columns]:
        """Return the subsets with the shortest descriptions."""
        return sorted(self.near, key=lambda one: (self.near[one], len(one), one))[:n]

    def add_columns(self, more: Coded) -> None:
        """Let subsets have more columns: other ways to cut the same features."""
        self.coded = replace(
            self.coded,
            columns=np.concatenate([self.coded.columns, more.columns.astype(self.coded.columns.dtype)]),
            features=np.concatenate([self.coded.features, more.features]),
            prices=np.concatenate([self.coded.prices, more.prices]),
        )
        self._extended.clear()

    def description(self, lower: int, stopped_by: str | None) -> Description:
        """Return the shortest, given a length below which there is none and what ended the search, if anything did."""
        n_features = int(max([*self.coded.features.tolist(), *self.coded.include, -1])) + 1
        alternatives = self._alternatives()
        inclusion = np.zeros(n_features)
        for near in alternatives:
            inclusion[list(near.subset)] += near.probability
        lower = min(lower, self.shortest)
        return Description(
            self._features_of(self.best),
            self.shortest / UNIT,
            lower / UNIT,
            lower == self.shortest,
            self._scores(n_features),
            alternatives,
            np.minimum(inclusion, 1.0),
            tuple(self.history),
            self.n_subsets,
            self.best,
            stopped_by,
        )

    def _features_of(self, subset: Columns) -> tuple[int, ...]:
        return tuple(sorted(self.coded.features[list(subset)].tolist()))

    def _alternatives(self) -> tuple[Near, ...]:
        """Return the subsets near the best by probability; of those with the same features the best cut counts."""
        shortest: dict[tuple[int, ...], int] = {}
        for subset, length in self.near.items():
            features = self._features_of(subset)
            if length < self.shortest + NEAR:
                shortest[features] = min(length, shortest.get(features, length))
        weights = {features: 2.0 ** ((self.shortest - length) / UNIT) for features, length in shortest.items()}
        total = sum(sorted(weights.values()))
        order = sorted(shortest, key=lambda one: (shortest[one], len(one), one))
        best = self._features_of(self.best)
        order = [best, *(one for one in order if one != best)]
        return tuple(Near(one, shortest[one] / UNIT, weights[one] / total) for one in order)

    def _scores(self, n_features: int) -> np.ndarray:
        """Return the bits that each feature saves beside the rest of the best subset."""
        scores = np.zeros(n_features)
        self.budget = Budget()  # one more pass, whatever stopped the search
        lengths = self.extensions(self.best)
        for column in np.flatnonzero(lengths < 1 << 61).tolist():
            feature, saved = self.coded.features[column], (self.shortest - int(lengths[column])) / UNIT
            is_first = scores[feature] == 0
            scores[feature] = saved if is_first else max(scores[feature], saved)
        for column in self.best:
            smaller = without_column(self.best, column)
            is_included = int(self.coded.features[column]) in self.coded.include
            without = self.length(smaller) if not is_included else self._length_without_included(smaller)
            scores[self.coded.features[column]] = (without - self.shortest) / UNIT
        return scores

    def _length_without_included(self, smaller: Columns) -> int:
        """Return the length without a feature that must be included, whose name costs nothing."""
        self.n_subsets += 1
        n_free = len(smaller) - len(self.coded.include) + 1
        classes = length_of(self.cells(smaller), self.rows, self.prices)[0]
        return classes + int(self.coded.names[n_free]) + self.coded.spent(smaller)
