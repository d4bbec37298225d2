"""The additive description: classes whose log-odds are a sum of what single features contribute.

Cells multiply: ten features that each shift the odds a little make a thousand cells, and every one learns its classes
afresh. Where effects add up, it is shorter to name the features and to let their weights learn the classes together: a
logistic regression. Its length is that of the classes under the average over all weights, weighted by a normal prior
(the Bayesian evidence, by Laplace's method), beside the name of the subset, so that it compares with a description by
cells bit for bit. Weights that follow the classes by chance cost more than they save, as needless cells do.

A numeric feature enters by the normal scores of its ranks, so that nothing but the order of its values counts; a
Boolean or nominal one by an indicator of every value but the most frequent; being missing is one more indicator.

The search adds the feature that a score test promises most of, and then drops, exchanges and adds until nothing
improves; what the test names is fitted before it counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from fewest.budget import INTERRUPT, TIME_LIMIT, Budget, OutOfBudgetError
from fewest.cover.kernels.description import UNIT
from fewest.table import Column, Kind, Table

# Standard deviations of the weights, of which a description names one, and of the constant: that of the log-odds of a
# probability with Jeffreys' prior.
SPREADS, SPREAD_OF_CONSTANT = (1.0, 4.0), float(np.pi)
# Bits, in units: one that says that the description is additive, and one for which spread its weights have.
KIND = 2 * UNIT
# Values of a nominal feature that takes part; terms times rows, and weights, that are worth the time.
MOST_VALUES, MOST_ENTRIES, MOST_WEIGHTS = 16, 5e7, 200
# Features that are fitted of those that the score test names, and sizes that may pass without a shorter description.
N_FITTED, PATIENCE = 4, 2
# Rounding makes the length the same in whatever order the rows are summed up.
ROUNDING = UNIT >> 14

Subset = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Terms:
    """What features contribute: columns of mean 0 and standard deviation 1.

    Attributes
    ----------
    columns : ndarray of shape (n_rows, n_terms)
    owners : ndarray of shape (n_terms,)
        The feature that each belongs to, or that stands for the group; ascending.
    """

    columns: np.ndarray
    owners: np.ndarray

    @classmethod
    def of(cls, features: Table, units: Mapping[int, Sequence[int]]) -> Terms:
        """Return the terms of features, by those that stand for them; nominal ones of many values have none."""
        parts: list[np.ndarray] = [np.empty((features.n_rows, 0))]
        owners: list[int] = []
        for first, unit in units.items():
            found = [part for feature in unit if (part := terms_of(features.columns[feature])) is not None]
            if len(found) == len(unit):
                parts += found
                owners += [first] * sum(part.shape[1] for part in found)
        return cls(np.column_stack(parts), np.array(owners, dtype=np.int64))


def terms_of(column: Column) -> np.ndarray | None:
    """Return the terms of one column, of shape (n_rows, n_terms); None where it has too many categories."""
    missing = column.is_missing
    if column.kind is Kind.NUMERIC:
        found = [np.where(missing, 0.0, _normal_scores(column.values, ~missing))]
    else:
        values, counts = np.unique(column.values[~missing], return_counts=True)
        if len(values) > MOST_VALUES:
            return None
        rare = np.delete(values, counts.argmax()) if len(values) else values
        found = [np.where(missing, 0.0, column.values == value) for value in rare]
    if 0 < column.n_missing < len(column):
        found.append(missing.astype(np.float64))
    matrix = np.column_stack([np.empty((len(column), 0)), *found]).astype(np.float64)
    matrix -= matrix.mean(axis=0)
    spread = matrix.std(axis=0)
    return matrix[:, spread > 0] / spread[spread > 0]


def _normal_scores(values: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Return the normal quantiles of mean ranks, with mean 0; where values are not known anything."""
    from scipy.special import ndtri

    scores = np.zeros(len(values))
    _, place, counts = np.unique(values[known], return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - counts / 2
    scores[known] = ndtri(ranks / max(1, known.sum()))[place]
    scores[known] -= scores[known].mean() if known.any() else 0.0
    return scores


class Fit(NamedTuple):
    """The weights of most probability, and the bits of the classes under the average over all weights."""

    weights: np.ndarray  # (1 + n_terms, n_classes - 1): differences from the last class
    probabilities: np.ndarray  # (n_rows, n_classes)
    bits: float


def fitted(terms: np.ndarray, members: np.ndarray, spread: float, start: np.ndarray | None = None) -> Fit:
    """Fit a logistic regression with a normal prior, and return the evidence for it by Laplace's method.

    The weights of all classes are independent with variance ``spread ** 2 / 2``, so that those of the difference of two
    classes have the spread; the constant has its own. Newton's method; steps that do not improve are halved.

    Parameters
    ----------
    terms : ndarray of shape (n_rows, n_terms)
    members : ndarray of shape (n_rows, n_classes)
        1 where a row has a class.
    spread : float
    start : ndarray of shape (1 + n_terms, n_classes - 1), optional
        Weights to start from.
    """
    n_rows, n_classes = members.shape
    Z = np.column_stack([np.ones(n_rows), terms])
    spreads = np.concatenate([[SPREAD_OF_CONSTANT], np.full(terms.shape[1], spread)])
    between = np.eye(n_classes - 1) - 1 / n_classes
    precision = np.kron(np.diag(2 / spreads**2), between)
    weights = np.zeros((Z.shape[1], n_classes - 1)) if start is None else start

    def losses(weights: np.ndarray) -> tuple[float, np.ndarray]:
        log_odds = np.column_stack([Z @ weights, np.zeros(n_rows)])
        log_odds -= log_odds.max(axis=1, keepdims=True)
        odds = np.exp(log_odds)
        total = odds.sum(axis=1, keepdims=True)
        flat = weights.ravel()
        loss = (np.log(total[:, 0]) - (log_odds * members).sum(axis=1)).sum() + flat @ precision @ flat / 2
        return float(loss), odds / total

    loss, probabilities = losses(weights)
    for _ in range(50):
        gradient = (Z.T @ (probabilities - members)[:, :-1]).ravel() + precision @ weights.ravel()
        hessian = _hessian(Z, probabilities[:, :-1]) + precision
        step = np.linalg.solve(hessian, gradient)
        expected = float(gradient @ step) / 2
        if expected < 1e-9:
            break
        size = 1.0
        while True:
            moved = weights - size * step.reshape(weights.shape)
            after, probabilities_after = losses(moved)
            if after <= loss or size < 1e-6:
                break
            size /= 2
        weights, loss, probabilities = moved, after, probabilities_after
    hessian = _hessian(Z, probabilities[:, :-1]) + precision
    determinants = np.linalg.slogdet(hessian)[1] - np.linalg.slogdet(precision)[1]
    return Fit(weights, probabilities, float((loss + determinants / 2) / np.log(2)))


def _hessian(Z: np.ndarray, probabilities: np.ndarray) -> np.ndarray:
    """Return the second derivatives of the logarithmic loss, by terms and, within, by classes but the last.

    A row adds the product of its terms, two by two, times p (1 - p) within a class and - p q between two.
    """
    n_rows, n_terms = Z.shape
    n_free = probabilities.shape[1]
    each = (Z[:, :, None] * probabilities[:, None, :]).reshape(n_rows, n_terms * n_free)
    hessian = -(each.T @ each).reshape(n_terms, n_free, n_terms, n_free)
    within = (Z.T @ each).reshape(n_terms, n_terms, n_free)
    for number in range(n_free):
        hessian[:, number, :, number] += within[:, :, number]
    return hessian.reshape(n_terms * n_free, n_terms * n_free)


@dataclass(eq=False)
class AdditiveSearch:
    """A search for the shortest additive description.

    Parameters
    ----------
    terms : Terms
    classes : ndarray of shape (n_rows,)
        Class numbers from 0.
    names : ndarray
        Bits, in units, that say which features a subset has beside those included, by their number.
    costs : ndarray of shape (n_features,)
        Bits, in units, of every feature of the table.
    include : tuple of int
    budget : Budget
    """

    terms: Terms
    classes: np.ndarray
    names: np.ndarray
    costs: np.ndarray
    include: Subset = ()
    budget: Budget = field(default_factory=Budget)

    def __post_init__(self) -> None:
        self.features = np.unique(self.terms.owners)
        n_classes = int(self.classes.max(initial=0)) + 1
        self.members = np.eye(n_classes)[self.classes]
        self.lengths: dict[Subset, int] = {}
        self.history: list[dict[str, Any]] = []
        self._fits: dict[tuple[Subset, float], Fit] = {}
        self.root: Subset = tuple(sorted(set(self.include) & set(self.features.tolist())))
        self.best, self.shortest = self.root, 1 << 62

    def run(self) -> str | None:
        """Look for the shortest description; return what stopped that, if anything did."""
        try:
            for spread in SPREADS:
                self._climb(self._grown(spread), spread)
        except OutOfBudgetError:
            return TIME_LIMIT
        except KeyboardInterrupt:
            return INTERRUPT
        return None

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
        """Return the bits, in units, of a whole description, and take note of it: one feature adds to nothing."""
        self.fit(subset, spread, near)
        length = self._length(subset, spread, len(subset) - len(self.root))
        if len(subset) < 2:
            return length
        self.lengths[subset] = min(length, self.lengths.get(subset, length))
        if (length, len(subset), subset) < (self.shortest, len(self.best), self.best):
            if length < self.shortest:
                record = {"subset": list(subset), "length": length / UNIT, "n_subsets": len(self.lengths)}
                self.history.append(record)
            self.best, self.shortest = subset, length
        return length

    def _length(self, subset: Subset, spread: float, n_free: int) -> int:
        bits = round(self.fit(subset, spread).bits * UNIT / ROUNDING) * ROUNDING
        return bits + KIND + int(self.names[n_free] + self.costs[list(subset)].sum())

    def _status(self) -> str:
        return f"{len(self.lengths):,} sums: {self.shortest / UNIT:,.1f} bits with {len(self.best)} features"

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
            smaller = [tuple(other for other in subset if other != one) for one in subset if one not in self.root]
            best = min(
                [self._best_extension(subset, spread), *((self.length(one, spread, subset), one) for one in smaller)]
            )
            if best[0] >= length:
                best = min((self._best_extension(one, spread) for one in smaller), default=(length, subset))
            if best[0] >= length:
                return
            length, subset = best

    def _best_extension(self, subset: Subset, spread: float) -> tuple[int, Subset]:
        """Return the subset with the feature that shortens it most, of those that the score test names."""
        if len(subset) - len(self.root) + 1 >= len(self.names):
            return 1 << 62, subset
        promised = self.promised_bits(subset, spread)
        promised[list(subset)] = -np.inf
        named = np.argsort(-promised, kind="stable")[:N_FITTED].tolist()
        longer = [tuple(sorted((*subset, one))) for one in named if promised[one] > -np.inf]
        n_weights = self.members.shape[1] - 1
        longer = [one for one in longer if np.isin(self.terms.owners, one).sum() * n_weights <= MOST_WEIGHTS]
        return min(((self.length(one, spread, subset), one) for one in longer), default=(1 << 62, subset))

    def promised_bits(self, subset: Subset, spread: float) -> np.ndarray:
        """Return about how many bits of classes each feature would save beside a subset, less its cost: a score test.

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
            weighted = (p * (1 - p))[:, None] * Z
            both = T.T @ weighted
            solved = np.linalg.solve(Z.T @ weighted + precision, both.T).T
            second = np.maximum((p * (1 - p)) @ T**2 - (both * solved).sum(axis=1), 0.0) + 1 / spread**2
            gains += (T.T @ (self.members[:, number] - p)) ** 2 / second / 2 - np.log(second * spread**2) / 2
        gains *= (1 - 1 / self.members.shape[1]) / np.log(2)
        promised = np.full(len(self.costs), -np.inf)
        promised[self.features] = -self.costs[self.features] / UNIT
        np.add.at(promised, self.terms.owners, gains)
        return promised

    # ------------------------------------------------------------------ the answer

    @property
    def least_length(self) -> int:
        """Return a length below which no additive description leads: that of saying which features it has."""
        cheapest = np.cumsum(np.sort(self.costs[np.setdiff1d(self.features, self.root)]))
        least = np.concatenate([[0], cheapest])[: len(self.names)]
        return KIND + int((self.names[: len(least)] + least).min())

    def scores(self) -> np.ndarray:
        """Return the bits that each feature saves beside the rest of the best subset; estimates for those not in it."""
        self.budget = Budget()  # one more pass, whatever stopped the search
        n_free = len(self.best) - len(self.root)
        spread = min(SPREADS, key=lambda one: self.fit(self.best, one).bits)
        scores = self.promised_bits(self.best, spread)
        if n_free + 1 < len(self.names):
            scores -= (self.names[n_free + 1] - self.names[n_free]) / UNIT
        scores[~np.isfinite(scores)] = 0.0
        for feature in self.best:
            rest = tuple(other for other in self.best if other != feature)
            without = min(self._length(rest, one, n_free - (feature not in self.root)) for one in SPREADS)
            scores[feature] = (without - self.shortest) / UNIT
        return scores
