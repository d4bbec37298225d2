"""Naive Bayes on many subsets: a feature's parameters do not depend on the others, so each is learned once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np
from sklearn.base import clone

from fewest.wrapper.data import Examples, weights_of
from fewest.wrapper.evaluators.compiling import is_much
from fewest.wrapper.evaluators.moves import Moves
from fewest.wrapper.kernels.plain_naive_bayes import plain_bernoulli_errors, plain_gaussian_errors
from fewest.wrapper.splits import TRAINING


class _NaiveBayesModel(ABC):
    """The estimator, fitted once to all features; a subset's scores are sums of its features' terms."""

    is_threaded = True

    def __init__(self, fold: dict[str, Examples], estimator) -> None:
        train = fold[TRAINING]
        self.fitted = clone(estimator).fit(train.X, train.y, train.weights)
        known = self.fitted.classes_
        self.parts = {}
        for part, examples in fold.items():
            codes = np.searchsorted(known, examples.y).clip(max=len(known) - 1)
            codes[known[codes] != examples.y] = -1  # a class that training has not seen is wrong whatever is predicted
            columns = np.ascontiguousarray(self._values(examples.X).T, dtype=np.float64)
            self.parts[part] = (columns, codes, weights_of(examples))

    def _values(self, X: np.ndarray) -> np.ndarray:
        return X

    @abstractmethod
    def _count(self, place: tuple, moves: Moves, wrong: np.ndarray) -> None:
        """Set the weight of the rows that each child gets wrong."""

    def _is_much(self, place: tuple, moves: Moves) -> bool:
        return is_much(len(moves), 10 * (moves.parents.shape[1] + 1), place[0].shape[1])

    def losses(self, moves: Moves, part: str) -> np.ndarray:
        """Return error rates."""
        wrong = np.empty(len(moves))
        self._count(self.parts[part], moves, wrong)
        return wrong / self.parts[part][2].sum()


class GaussianModel(_NaiveBayesModel):
    """`GaussianNB`: means and variances of every class and feature."""

    def __init__(self, fold: dict[str, Examples], estimator) -> None:
        super().__init__(fold, estimator)
        # The fitted variances include what the largest of all variances adds, which may be more than they are.
        train, weights = fold[TRAINING], weights_of(fold[TRAINING])
        self.variance = np.empty_like(self.fitted.theta_)
        for c, label in enumerate(self.fitted.classes_):
            own = train.y == label
            squares = (train.X[own] - self.fitted.theta_[c]) ** 2
            self.variance[c] = np.average(squares, axis=0, weights=weights[own]) if weights[own].any() else np.nan
        self.spread = estimator.var_smoothing * np.var(fold[TRAINING].X, axis=0)
        with np.errstate(divide="ignore"):
            self.prior = np.log(self.fitted.class_prior_)

    def _count(self, place: tuple, moves: Moves, wrong: np.ndarray) -> None:
        learned = (self.prior, self.fitted.theta_, self.variance, self.spread)
        count: Callable[..., None] = plain_gaussian_errors
        if self._is_much(place, moves):
            from fewest.wrapper.kernels.naive_bayes import gaussian_errors as count
        count(*place, *learned, moves.parents, moves.starts, moves.added, wrong)


class BernoulliModel(_NaiveBayesModel):
    """`BernoulliNB`: log probabilities of every class and feature."""

    def _values(self, X: np.ndarray) -> np.ndarray:
        return X if self.fitted.binarize is None else self.fitted.binarize < X

    def _count(self, place: tuple, moves: Moves, wrong: np.ndarray) -> None:
        on = self.fitted.feature_log_prob_
        off = np.log1p(-np.exp(on))
        terms = (self.fitted.class_log_prior_, off, on - off)
        count: Callable[..., None] = plain_bernoulli_errors
        if self._is_much(place, moves):
            from fewest.wrapper.kernels.naive_bayes import bernoulli_errors as count
        count(*place, *terms, moves.parents, moves.starts, moves.added, wrong)


def is_batchable(estimator, examples: Examples) -> bool:
    """Return whether a feature's parameters are the same in every subset."""
    has_own_smoothing = np.ndim(getattr(estimator, "alpha", 0.0)) > 0
    is_binary = getattr(estimator, "binarize", 0.0) is not None or bool(np.isin(examples.X, (0, 1)).all())
    return not has_own_smoothing and is_binary
