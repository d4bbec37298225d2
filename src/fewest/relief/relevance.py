"""Sums over drawn rows, from which relevance and its standard error follow at any time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Relevance:
    """What is known about every feature.

    Attributes
    ----------
    scores : ndarray of shape (n_features,)
        The relevance, in [-1, 1].
    standard_errors : ndarray of shape (n_features,)
        How uncertain it is, judged by how the updates of the drawn rows differ; NaN for a single row.
    n_drawn : int
    n_told : int
        The rows that this rests upon: those drawn, but for those that were drawn again when all had been.
    """

    scores: np.ndarray
    standard_errors: np.ndarray
    n_drawn: int
    n_told: int

    def told_by(self, n_rows: int) -> Relevance:
        """Return it as no more certain than so many rows can make it, however often they were drawn."""
        n_told = min(n_rows, self.n_drawn)
        if n_told == self.n_drawn:
            return replace(self, n_told=n_told)
        wider = np.sqrt((self.n_drawn - 1) / (n_told - 1)) if n_told > 1 else np.nan
        return replace(self, n_told=n_told, standard_errors=self.standard_errors * wider)


class MeanTally:
    """Relief and ReliefF: relevance is the mean of the drawn rows' updates."""

    def __init__(self, n_features: int):
        self.n_drawn, self._weight = 0, 0.0
        self._sum, self._squares = np.zeros(n_features), np.zeros(n_features)

    def add(self, weights: np.ndarray, updates: np.ndarray) -> None:
        """Add rows of updates."""
        self.n_drawn += len(weights)
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
            return Relevance(mean, np.full(len(mean), np.nan), self.n_drawn, self.n_drawn)
        return Relevance(mean, _error(self._squares / self._weight - mean**2, self._weight), self.n_drawn, self.n_drawn)


class RegressionTally:
    """RReliefF: relevance is made of three means, and its error follows from theirs (the delta method).

    For each drawn row, c is the mean difference of the target between it and
    its neighbours, b that of a feature, and a that of the product of both.
    """

    def __init__(self, n_features: int):
        self.n_drawn, self._weight = 0, 0.0
        self._c, self._cc = 0.0, 0.0
        self._a, self._b, self._aa, self._ab, self._bb, self._ac, self._bc = np.zeros((7, n_features))

    def add(self, weights: np.ndarray, c: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
        """Add the differences of drawn rows."""
        a, b = a.astype(np.float64), b.astype(np.float64)
        self.n_drawn += len(weights)
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
        if n == 0 or self._c <= 0:  # a target that never differs says nothing
            return Relevance(np.zeros(len(self._a)), np.full(len(self._a), np.nan), self.n_drawn, self.n_drawn)
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
        return Relevance(np.clip(scores, -1, 1), _error(variance, n), self.n_drawn, self.n_drawn)


def _error(variance: np.ndarray, n: float) -> np.ndarray:
    """Return the standard error of a mean of n numbers with this variance around it."""
    if n <= 1:
        return np.full(len(variance), np.nan)
    return np.sqrt(np.maximum(variance, 0) / (n - 1))


def record(tally: MeanTally | RegressionTally) -> dict[str, Any]:
    """Return one step of a history."""
    return {"n_samples": tally.n_drawn, "scores": tally.scores()}
