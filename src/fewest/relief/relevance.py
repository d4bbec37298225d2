"""Relevance: sums over sampled rows become scores, standard errors, and the threshold that decides what is kept."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from statistics import NormalDist
from typing import Any

import numpy as np

from fewest.relief import bounds
from fewest.relief.options import AUTO, INTERVAL, PERMUTATION, RelevanceOptions


@dataclass(frozen=True)
class Relevance:
    """The relevance of every feature, and how certain it is.

    Attributes
    ----------
    scores : ndarray of shape (n_features,)
        The relevance, in [-1, 1].
    standard_errors : ndarray of shape (n_features,)
        How uncertain it is, judged by how the updates of the sampled rows differ; NaN for a single row.
    n_sampled : int
    n_effective : int
        The rows that this rests upon: those sampled, less those that were sampled again when all had been.
    by_chance : ndarray of shape (n_permutations, n_features)
        The relevance of every feature to permuted targets.
    """

    scores: np.ndarray
    standard_errors: np.ndarray
    n_sampled: int
    n_effective: int
    by_chance: np.ndarray | None = None

    def limited_to(self, n_rows: int) -> Relevance:
        """Return it with errors no smaller than so many rows allow, however often they were sampled."""
        n_effective = min(n_rows, self.n_sampled)
        if n_effective == self.n_sampled:
            return replace(self, n_effective=n_effective)
        wider = np.sqrt((self.n_sampled - 1) / (n_effective - 1)) if n_effective > 1 else np.nan
        return replace(self, n_effective=n_effective, standard_errors=self.standard_errors * wider)

    def threshold(self, options: RelevanceOptions) -> float | np.ndarray:
        """Return the number, or one number a feature, that the relevance of a kept feature reaches."""
        if options.n_features_to_select is not None:
            return float(self.scores[self.order[options.n_features_to_select - 1]])
        if options.threshold == AUTO:
            return bounds.threshold(options.alpha, max(1, self.n_effective))
        if options.threshold == INTERVAL:
            # The one-sided interval of a mean: normal by the central limit theorem, with the updates' own spread.
            errors = np.nan_to_num(self.standard_errors, nan=np.inf)
            return np.maximum(NormalDist().inv_cdf(1 - options.alpha) * errors, np.finfo(np.float32).eps)
        if options.threshold == PERMUTATION:
            return self._beyond_chance(options.alpha)
        return float(options.threshold)

    def _beyond_chance(self, alpha: float) -> np.ndarray:
        """Return what one more ranking by a permuted target would exceed with probability alpha, for every feature.

        The prediction interval of the t distribution: few permutations leave their mean and spread uncertain, too.
        """
        found = self.by_chance
        if found is None or len(found) < 2:  # nothing is known of chance
            return np.full(len(self.scores), np.inf)
        from scipy.special import stdtrit  # most thresholds need no SciPy

        wider = stdtrit(len(found) - 1, 1 - alpha) * np.sqrt(1 + 1 / len(found))
        return np.maximum(found.mean(axis=0) + wider * found.std(axis=0, ddof=1), np.finfo(np.float32).eps)

    def support(self, options: RelevanceOptions) -> np.ndarray:
        """Return the mask of the kept features: those that reach the threshold, or as many of the best as asked for."""
        support, least = np.zeros(len(self.scores), dtype=bool), options.n_features_to_select
        if least is None:
            support, least = self.scores >= self.threshold(options), options.min_features_to_select
        others = self.order[~support[self.order]]
        support[others[: max(0, least - int(support.sum()))]] = True
        return support

    @property
    def order(self) -> np.ndarray:
        """Return all features, the most relevant first."""
        return np.argsort(-self.scores, kind="stable")


class MeanSums:
    """The sums of Relief and ReliefF, whose relevance is the mean of the sampled rows' updates."""

    def __init__(self, n_features: int):
        self.n_sampled, self._weight = 0, 0.0
        self._sum, self._squares = np.zeros(n_features), np.zeros(n_features)

    def add(self, weights: np.ndarray, updates: np.ndarray) -> None:
        """Add rows of updates."""
        self.n_sampled += len(weights)
        self._weight += weights.sum()
        single = weights.astype(np.float32)
        self._sum += single @ updates
        self._squares += single @ np.square(updates)

    def scores(self) -> np.ndarray:
        """Return the means so far."""
        return self._sum / self._weight if self._weight else self._sum.copy()

    def relevance(self) -> Relevance:
        """Return the means so far, and their errors."""
        mean = self.scores()
        if self._weight == 0:
            return Relevance(mean, np.full(len(mean), np.nan), self.n_sampled, self.n_sampled)
        return Relevance(
            mean, _error(self._squares / self._weight - mean**2, self._weight), self.n_sampled, self.n_sampled
        )


class RegressionSums:
    """The sums of RReliefF, whose relevance is a ratio of three means; its error follows from theirs (delta method).

    For each sampled row, c is the mean difference of the target between it and
    its neighbors, b that of a feature, and a that of the product of both.
    """

    def __init__(self, n_features: int):
        self.n_sampled, self._weight = 0, 0.0
        self._c, self._cc = 0.0, 0.0
        self._a, self._b, self._aa, self._ab, self._bb, self._ac, self._bc = np.zeros((7, n_features))

    def add(self, weights: np.ndarray, c: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
        """Add the differences of sampled rows."""
        a, b = a.astype(np.float64), b.astype(np.float64)
        self.n_sampled += len(weights)
        self._weight += weights.sum()
        self._c, self._cc = self._c + weights @ c, self._cc + weights @ c**2
        self._a, self._b = self._a + weights @ a, self._b + weights @ b
        self._aa, self._ab, self._bb = (
            self._aa + weights @ a**2,
            self._ab + weights @ (a * b),
            self._bb + weights @ b**2,
        )
        self._ac, self._bc = self._ac + (weights * c) @ a, self._bc + (weights * c) @ b

    def scores(self) -> np.ndarray:
        """Return the relevance so far."""
        return self.relevance().scores

    def relevance(self) -> Relevance:
        """Return P(feature differs | target differs) less P(feature differs | target does not)."""
        n = self._weight
        if n == 0 or self._c <= 0:  # nothing is relevant to a target that never differs
            return Relevance(np.zeros(len(self._a)), np.full(len(self._a), np.nan), self.n_sampled, self.n_sampled)
        a, b, c = self._a / n, self._b / n, self._c / n
        rest = 1 - c
        inverse = 1 / rest if rest > 0 else 0.0
        scores = a / c - (b - a) * inverse
        by_a, by_b, by_c = 1 / c + inverse, -inverse, -(a / c**2) - (b - a) * inverse**2
        variance = (
            by_a**2 * (self._aa / n - a**2)
            + by_b**2 * (self._bb / n - b**2)
            + by_c**2 * (self._cc / n - c**2)
            + 2 * by_a * by_b * (self._ab / n - a * b)
            + 2 * by_a * by_c * (self._ac / n - a * c)
            + 2 * by_b * by_c * (self._bc / n - b * c)
        )
        return Relevance(np.clip(scores, -1, 1), _error(variance, n), self.n_sampled, self.n_sampled)


def _error(variance: np.ndarray, n: float) -> np.ndarray:
    """Return the standard error of a mean of n values with this variance."""
    if n <= 1:
        return np.full(len(variance), np.nan)
    return np.sqrt(np.maximum(variance, 0) / (n - 1))


Sums = MeanSums | RegressionSums


def history_step(sums: Sums) -> dict[str, Any]:
    """Return one record of a history: the relevance after so many sampled rows."""
    return {"n_draws": sums.n_sampled, "scores": sums.scores()}


@dataclass
class Evidence:
    """How many rows have been seen: those that are sampled again add no certainty about other data.

    It keeps the rows of every data set that was sampled from, and how often these were sampled.
    """

    known: dict[str, tuple[int, int]] = field(default_factory=dict)
    current: str | None = None
    since: int = 0

    def turn_to(self, data: str, n_rows: int, n_sampled: int) -> None:
        """Count rows for the data of that name from now on, when so many rows have been sampled in all."""
        self._settle(n_sampled)
        self.known.setdefault(data, (n_rows, 0))
        self.current = data

    def n_rows(self, n_sampled: int) -> int:
        """Return how many distinct rows can be among the sampled ones, when these are so many in all."""
        self._settle(n_sampled)
        return sum(min(pair) for pair in self.known.values())

    def _settle(self, n_sampled: int) -> None:
        """Count what was sampled from the current data."""
        if self.current is not None:
            n_rows, before = self.known[self.current]
            self.known[self.current] = n_rows, before + n_sampled - self.since
        self.since = n_sampled
