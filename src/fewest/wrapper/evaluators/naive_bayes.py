"""Naive Bayes on many subsets: a feature's parameters do not depend on the others, so each is learned once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np
from sklearn.base import clone

from fewest.wrapper.examples import Examples, weights_of
from fewest.wrapper.kernels.layout import Gaussians, LogOdds, Moves, Rows
from fewest.wrapper.kernels.naive_bayes import (
    bernoulli_errors,
    bernoulli_errors_numpy,
    gaussian_errors,
    gaussian_errors_numpy,
)
from fewest.wrapper.splits import TRAINING


class _NaiveBayesModel(ABC):
    """The estimator, fitted once to all features; a subset's scores are sums of its features' terms."""

    is_threaded = True
    kernels = "fewest.wrapper.kernels.naive_bayes"

    def __init__(self, fold: dict[str, Examples], estimator) -> None:
        train = fold[TRAINING]
        self.fitted = clone(estimator).fit(train.X, train.y, train.weights)
        self.rows = {part: self._rows(examples) for part, examples in fold.items()}

    def _rows(self, examples: Examples) -> Rows:
        known = self.fitted.classes_
        codes = np.searchsorted(known, examples.y).clip(max=len(known) - 1)
        codes[known[codes] != examples.y] = -1  # a class that training has not seen is wrong whatever is predicted
        columns = np.ascontiguousarray(self._values(examples.X).T, dtype=np.float64)
        return Rows(columns, codes, weights_of(examples))

    def _values(self, X: np.ndarray) -> np.ndarray:
        return X

    @abstractmethod
    def _count(self, rows: Rows, moves: Moves, wrong: np.ndarray, compiles: bool) -> None:
        """Set the weight of the rows that each child gets wrong."""

    def n_steps(self, n_children: int, size: int) -> int:
        """Return how many numbers NumPy goes through to predict with children of this many features.

        Several passes over the scores of a child take a few nanoseconds a row and class, and calls some microseconds;
        the terms of a parent are added up once for all its children.
        """
        n_scores = self.rows[TRAINING].columns.shape[1] * len(self.fitted.classes_)
        return n_children * (100 + n_scores * (20 + size) // 500)

    def losses(self, moves: Moves, part: str, compiles: bool = False) -> np.ndarray:
        """Return error rates."""
        wrong = np.empty(moves.n_children)
        self._count(self.rows[part], moves, wrong, compiles)
        return wrong / self.rows[part].weight.sum()


class GaussianModel(_NaiveBayesModel):
    """`GaussianNB`: means and variances of every class and feature."""

    def __init__(self, fold: dict[str, Examples], estimator) -> None:
        super().__init__(fold, estimator)
        # The fitted variances include what the largest of all variances adds, which may be more than they are.
        train, weights = fold[TRAINING], weights_of(fold[TRAINING])
        variance = np.empty_like(self.fitted.theta_)
        for c, label in enumerate(self.fitted.classes_):
            own = train.y == label
            squares = (train.X[own] - self.fitted.theta_[c]) ** 2
            variance[c] = np.average(squares, axis=0, weights=weights[own]) if weights[own].any() else np.nan
        spread = estimator.var_smoothing * np.var(train.X, axis=0)
        with np.errstate(divide="ignore"):
            self.densities = Gaussians(np.log(self.fitted.class_prior_), self.fitted.theta_, variance, spread)

    def _count(self, rows: Rows, moves: Moves, wrong: np.ndarray, compiles: bool) -> None:
        count: Callable[..., None] = gaussian_errors.compiled if compiles else gaussian_errors_numpy
        count(rows, self.densities, moves, wrong)


class BernoulliModel(_NaiveBayesModel):
    """`BernoulliNB`: log probabilities of every class and feature."""

    def __init__(self, fold: dict[str, Examples], estimator) -> None:
        super().__init__(fold, estimator)
        on = self.fitted.feature_log_prob_
        off = np.log1p(-np.exp(on))
        self.terms = LogOdds(self.fitted.class_log_prior_, off, on - off)

    def _values(self, X: np.ndarray) -> np.ndarray:
        return X if self.fitted.binarize is None else self.fitted.binarize < X

    def _count(self, rows: Rows, moves: Moves, wrong: np.ndarray, compiles: bool) -> None:
        count: Callable[..., None] = bernoulli_errors.compiled if compiles else bernoulli_errors_numpy
        count(rows, self.terms, moves, wrong)


def is_batchable(estimator, examples: Examples) -> bool:
    """Return whether a feature's parameters are the same in every subset."""
    has_own_smoothing = np.ndim(getattr(estimator, "alpha", 0.0)) > 0
    is_binary = getattr(estimator, "binarize", 0.0) is not None or bool(np.isin(examples.X, (0, 1)).all())
    return not has_own_smoothing and is_binary
