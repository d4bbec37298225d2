"""The additive description: classes whose log-odds are a sum of what single features contribute.

Cells multiply: ten features that each shift the odds a little make a thousand cells, and every one learns its classes
afresh. Where effects add up, it is shorter to name the features and to let their weights learn the classes together: a
logistic regression. Its length is that of the classes under the average over all weights, weighted by a normal prior
(the Bayesian evidence, by Laplace's method), beside the name of the subset, so that it compares with a description by
cells bit for bit. Weights that follow the classes by chance cost more than they save, as needless cells do.

What a feature contributes, and what two do where they matter together, `fewest.cover.sum_parts` says. A sum with joint
parts must also say which of its features these join, and how their numeric features are cut.

The search adds the part that a score test promises most of, and then drops, exchanges and adds until nothing improves;
what the test names is fitted before it counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Any

import numpy as np

from fewest.budget import INTERRUPT, TIME_LIMIT, Budget, OutOfBudgetError
from fewest.cover.described_subsets import NEAR
from fewest.cover.kernels.description import UNIT, Rows
from fewest.cover.logistic_evidence import SPREAD_OF_CONSTANT, Fit, fitted
from fewest.cover.sum_parts import JointPart, Terms

# Standard deviations of the weights, of which a description names one. Classes without noise have log-odds without
# bound: by a spread that is too small a needless part pays, since its weights add to those of the others.
SPREADS = (1.0, 4.0, 16.0)
# Bits, in units: one that says that the description is additive, and those for which spread its weights have.
KIND = UNIT + round(np.log2(len(SPREADS)) * UNIT)
# Weights that are worth the time.
MOST_WEIGHTS = 200
# Parts that are fitted of those that the score test names, and sizes that may pass without a shorter description.
N_FITTED, PATIENCE = 4, 2
# Rounding makes the length the same in whatever order the rows are summed up.
ROUNDING = UNIT >> 14

Subset = tuple[int, ...]
"""A sum, as ascending numbers of its parts: single features have their own numbers, joint parts higher ones."""


@dataclass(eq=False)
class AdditiveSearch:
    """A search for the shortest additive description.

    Parameters
    ----------
    terms : Terms
    rows : Rows
    names : ndarray
        Bits, in units, that say which features a subset has beside those included, by their number.
    costs : ndarray of shape (n_features,)
        Bits, in units, of every feature of the table.
    include : tuple of int
    budget : Budget
    """

    terms: Terms
    rows: Rows
    names: np.ndarray
    costs: np.ndarray
    include: Subset = ()
    budget: Budget = field(default_factory=Budget)

    def __post_init__(self) -> None:
        self.features = np.unique(self.terms.owners)
        self.joint: dict[int, JointPart] = {}
        self.members = np.eye(self.rows.n_classes)[self.rows.classes] * self.rows.copies[:, None]
        self.lengths: dict[Subset, int] = {}
        self.history: list[dict[str, Any]] = []
        self._fits: dict[tuple[Subset, float], Fit] = {}
        self._sums: dict[Subset, int] = {}
        self._alone: dict[int, int] = {}
        self.root: Subset = tuple(sorted(set(self.include) & set(self.features.tolist())))
        self.best, self.shortest = self.root, 1 << 62

    def run(self) -> str | None:
        """Look for the shortest description; return what stopped that, if anything did."""
        return self._stopped(self._grown)

    def join(self, parts: Sequence[JointPart]) -> str | None:
        """Let sums have joint parts as well, and go on from the best so far; return what stopped that."""
        numbers = range(len(self.costs) + len(self.joint), len(self.costs) + len(self.joint) + len(parts))
        self.joint.update(zip(numbers, parts, strict=True))
        self.terms = self.terms.joined(dict(zip(numbers, parts, strict=True)))
        best = self.best
        return self._stopped(lambda _: best) if parts else None

    def _stopped(self, start: Callable[[float], Subset]) -> str | None:
        """Improve a start for every spread; return what stopped that, if anything did."""
        try:
            for spread in SPREADS:
                self._climb(start(spread), spread)
        except OutOfBudgetError:
            return TIME_LIMIT
        except KeyboardInterrupt:
            return INTERRUPT
        finally:
            self._settle()
        return None

    # ------------------------------------------------------------------ parts

    def features_of(self, subset: Subset) -> tuple[int, ...]:
        """Return the features that the parts of a sum have."""
        parts = (self.joint[part].features if part in self.joint else (part,) for part in subset)
        return tuple(sorted({feature for part in parts for feature in part}))

    def _with_part(self, subset: Subset, part: int) -> Subset:
        """Return a sum with one part more, in place of those whose features it has: they count once."""
        inside = set(self.features_of((part,)))
        kept = (other for other in subset if not inside.issuperset(self.features_of((other,))))
        return tuple(sorted({*kept, part}))

    def _without_part(self, subset: Subset, part: int) -> Subset:
        """Return a sum without one of its parts; included features stay, by themselves."""
        rest = tuple(other for other in subset if other != part)
        return tuple(sorted({*rest, *self.root} - set(self.features_of(rest)).difference(rest)))

    def _n_free(self, subset: Subset) -> int:
        """Return the number of features beside those included."""
        return len(set(self.features_of(subset)).difference(self.root))

    # ------------------------------------------------------------------ lengths

    def fit(self, subset: Subset, spread: float, near: Subset | None = None) -> Fit:
        """Return the fit of a subset, found from that of a subset near it; recent ones are kept."""
        key = subset, spread
        if key not in self._fits:
            self.budget.check(self._status)
            if len(self._fits) > 200:
                self._fits.clear()
            start = None if near is None else self._weights_of(near, subset, spread)
            chosen = np.isin(self.terms.owners, subset)
            self._fits[key] = fitted(self.terms.columns[:, chosen], self.members, spread, start)
        return self._fits[key]

    def _weights_of(self, near: Subset, subset: Subset, spread: float) -> np.ndarray | None:
        """Return the weights of one subset for the terms of another: 0 where it has none."""
        if (near, spread) not in self._fits:
            return None
        weights = np.zeros((1 + len(self.terms.owners), self.members.shape[1] - 1))
        places = [np.flatnonzero(np.r_[True, np.isin(self.terms.owners, one)]) for one in (near, subset)]
        weights[places[0]] = self._fits[near, spread].weights
        return weights[places[1]]

    def length(self, subset: Subset, spread: float, near: Subset | None = None) -> int:
        """Return the bits, in units, of a whole description, and take note of it: one part adds to nothing."""
        self.fit(subset, spread, near)
        length = self._length(subset, spread, self._n_free(subset))
        if len(subset) < 2:
            return length
        self._sums[subset] = min(length, self._sums.get(subset, length))
        return length

    def _settle(self) -> None:
        """Take note of the best sums, those aside that a single part of theirs would do better without the others.

        One part is no sum: its cells are described elsewhere, with another prior. Where this one is the better, a part
        that matters with one that does not would pass for a sum.
        """
        budget, self.budget = self.budget, Budget()
        self.best, self.shortest, self.lengths = self.root, 1 << 62, {}
        for subset in sorted(self._sums, key=lambda one: (self._sums[one], len(one), one)):
            length, features = self._sums[subset], self.features_of(subset)
            if length > self.shortest + NEAR:
                break
            if features not in self.lengths and (self.root or self._is_sum(subset, length)):
                if length < self.shortest:
                    self.best, self.shortest = subset, length
                    record = {"subset": list(features), "length": length / UNIT, "n_subsets": len(self._sums)}
                    self.history.append(record)
                self.lengths[features] = length
        self.budget = budget

    def _is_sum(self, subset: Subset, length: int) -> bool:
        """Return whether a sum is shorter than every part of it would be alone; those known are asked first."""
        for part in sorted(subset, key=lambda one: self._alone.get(one, 1 << 62)):
            if part not in self._alone:
                self._alone[part] = min(self.length((part,), spread) for spread in SPREADS)
            if self._alone[part] <= length:
                return False
        return True

    def _length(self, subset: Subset, spread: float, n_free: int) -> int:
        bits = round(self.fit(subset, spread).bits * UNIT / ROUNDING) * ROUNDING
        named = int(self.names[n_free] + self.costs[list(self.features_of(subset))].sum())
        return bits + KIND + named + self._joins(subset)

    def _joins(self, subset: Subset) -> int:
        """Return the bits, in units, that say of every joint part that it is there, what it joins, and its cuts."""
        joined = [self.joint[part] for part in subset if part in self.joint]
        n_features = len(self.features_of(subset)) if joined else 0
        which = sum(np.log2(comb(n_features, len(part.features))) for part in joined)
        return sum(part.price for part in joined) + len(joined) * UNIT + round(which * UNIT)

    def _status(self) -> str:
        least = min(self._sums.values(), default=0)
        return f"{len(self._sums):,} sums: {least / UNIT:,.1f} bits"

    # ------------------------------------------------------------------ the search

    def _grown(self, spread: float) -> Subset:
        """Add the best feature again and again; return the best subset on the way."""
        subset, length = self.root, self.length(self.root, spread)
        best, idle = (length, subset), 0
        while idle <= PATIENCE:
            length, subset = self._best_extension(subset, spread)
            if length >= 1 << 61:
                break
            idle = 0 if length < best[0] else idle + 1
            best = min(best, (length, subset))
        return best[1]

    def _climb(self, subset: Subset, spread: float) -> None:
        """Drop, exchange or add a feature as long as the description becomes shorter."""
        length = self.length(subset, spread)
        while True:
            smaller = [self._without_part(subset, one) for one in subset if one not in self.root]
            best = min(
                [self._best_extension(subset, spread), *((self.length(one, spread, subset), one) for one in smaller)]
            )
            if best[0] >= length:
                best = min((self._best_extension(one, spread) for one in smaller), default=(length, subset))
            if best[0] >= length:
                return
            length, subset = best

    def _best_extension(self, subset: Subset, spread: float) -> tuple[int, Subset]:
        """Return the sum with the part that shortens it most, of those that the score test names."""
        n_free = self._n_free(subset)
        if n_free + 1 >= len(self.names):
            return 1 << 62, subset
        promised = self.promised_bits(subset, spread)
        inside = self.features_of(subset)
        promised[[*subset, *inside]] = -np.inf
        for number, part in self.joint.items():
            n_more = n_free + len(set(part.features).difference(inside))
            is_possible = n_more < len(self.names)
            promised[number] -= (self.names[n_more] - self.names[n_free + 1]) / UNIT if is_possible else np.inf
        named = np.argsort(-promised, kind="stable")[:N_FITTED].tolist()
        longer = [self._with_part(subset, one) for one in named if promised[one] > -np.inf]
        n_weights = self.members.shape[1] - 1
        longer = [one for one in longer if np.isin(self.terms.owners, one).sum() * n_weights <= MOST_WEIGHTS]
        return min(((self.length(one, spread, subset), one) for one in longer), default=(1 << 62, subset))

    def promised_bits(self, subset: Subset, spread: float) -> np.ndarray:
        """Return about how many bits of classes each part would save beside a subset, less its cost: a score test.

        The gradient in the weights of a term that is not there, squared, over its second derivative once the terms that
        are there adapt, is twice what Newton's first step gains; the derivative says how exactly the weight has to be
        known. Classes count as if each stood alone. What has no term promises minus infinity.
        """
        T, fit = self.terms.columns, self.fit(subset, spread)
        Z = np.column_stack([np.ones(len(T)), T[:, np.isin(self.terms.owners, subset)]])
        precision = np.diag([1 / SPREAD_OF_CONSTANT**2] + [1 / spread**2] * (Z.shape[1] - 1))
        gains = np.zeros(len(self.terms.owners))
        for number in range(self.members.shape[1]):
            p = fit.probabilities[:, number]
            variance = p * (1 - p) * self.rows.copies
            weighted = variance[:, None] * Z
            both = T.T @ weighted
            solved = np.linalg.solve(Z.T @ weighted + precision, both.T).T
            second = np.maximum(variance @ T**2 - (both * solved).sum(axis=1), 0.0) + 1 / spread**2
            gains += (T.T @ (self.members[:, number] - p * self.rows.copies)) ** 2 / second / 2 - np.log(
                second * spread**2
            ) / 2
        gains *= (1 - 1 / self.members.shape[1]) / np.log(2)
        promised = np.full(len(self.costs) + len(self.joint), -np.inf)
        promised[self.features] = -self.costs[self.features] / UNIT
        inside = self.features_of(subset)
        for number, part in self.joint.items():
            new = [feature for feature in part.features if feature not in inside]
            promised[number] = -(self.costs[new].sum() + self._joins((*subset, number)) - self._joins(subset)) / UNIT
        np.add.at(promised, self.terms.owners, gains)
        return promised

    # ------------------------------------------------------------------ the answer

    @property
    def least_length(self) -> int:
        """Return a length below which no additive description leads: that of saying which features it has."""
        cheapest = np.cumsum(np.sort(self.costs[np.setdiff1d(self.features, self.root)]))
        least = np.concatenate([[0], cheapest])[: len(self.names)]
        return KIND + int((self.names[: len(least)] + least).min())

    @property
    def n_sums(self) -> int:
        """Return how many sums were looked at."""
        return len(self._sums)

    @property
    def joined(self) -> tuple[JointPart, ...]:
        """Return the parts of the best sum that count by cells."""
        return tuple(self.joint[part] for part in self.best if part in self.joint)

    def scores(self) -> np.ndarray:
        """Return the bits that each feature saves beside the rest of the best subset; estimates for those not in it."""
        self.budget = Budget()  # one more pass, whatever stopped the search
        n_free = self._n_free(self.best)
        spread = min(SPREADS, key=lambda one: self.fit(self.best, one).bits)
        scores = self.promised_bits(self.best, spread)[: len(self.costs)]
        if n_free + 1 < len(self.names):
            scores -= (self.names[n_free + 1] - self.names[n_free]) / UNIT
        scores[~np.isfinite(scores)] = 0.0
        for feature in self.features_of(self.best):
            without = min(
                self._length(rest, one, self._n_free(rest)) for rest in self._rests(feature) for one in SPREADS
            )
            scores[feature] = (without - self.shortest) / UNIT
        return scores

    def _rests(self, feature: int) -> list[Subset]:
        """Return the best sum without a feature; what it had a joint part with is left out, or counts by itself."""
        rest = tuple(part for part in self.best if feature not in self.features_of((part,)))
        left = set(self.features_of(self.best)) - {feature} - set(self.features_of(rest))
        alone = tuple(sorted({*rest, *left.intersection(self.features.tolist())}))
        must = tuple(sorted({*rest, *left.intersection(self.root)}))
        return sorted({must, alone})
