"""Logistic regression of several classes on many subsets, as scikit-learn's solvers fit it: one softmax for all."""

from __future__ import annotations

import numpy as np

from fewest.wrapper.data import Examples, weights_of
from fewest.wrapper.evaluators.batched import BatchModel
from fewest.wrapper.evaluators.compiling import is_much
from fewest.wrapper.evaluators.known_fits import KnownFits
from fewest.wrapper.evaluators.logistic import LogisticModel, class_weights, penalty_of
from fewest.wrapper.evaluators.moves import Moves
from fewest.wrapper.kernels.plain_multinomial import plain_class_errors, plain_multinomial_fits
from fewest.wrapper.splits import TRAINING

# Coefficients, of all classes together, up to which a Hessian pays.
MOST_COEFFICIENTS = 200


class MultinomialModel:
    """The maximum of the penalised likelihood; of subsets with many coefficients it says nothing."""

    is_threaded = True

    def __init__(self, fold: dict[str, Examples], estimator) -> None:
        self.classes = np.unique(fold[TRAINING].y)
        self.penalty = penalty_of(estimator)
        self.intercept = int(estimator.fit_intercept)
        self.columns = {part: np.ascontiguousarray(examples.X.T) for part, examples in fold.items()}
        # A label that training has not seen is none that is ever predicted.
        self.labels = {part: codes_of(examples.y, self.classes) for part, examples in fold.items()}
        self.counts = {part: weights_of(examples) for part, examples in fold.items()}
        self.fit_weights = self.counts[TRAINING] * class_weights(estimator, fold[TRAINING].y)
        self.fits = KnownFits(len(self.columns[TRAINING]), len(self.classes))

    def coefficients(self, moves: Moves) -> np.ndarray:
        """Return intercepts and coefficients of every child, a column for every class."""
        known = self.fits.of(moves.children()) if len(moves) == 1 else None  # the best of a size is asked for again
        if known is not None and not np.isnan(known).any():
            return known
        coefs = np.empty((len(moves), moves.parents.shape[1] + 2, len(self.classes)))
        fit = plain_multinomial_fits
        if self._is_much(moves):
            from fewest.wrapper.kernels.multinomial import multinomial_fits as fit
        learned = (self.columns[TRAINING], self.labels[TRAINING], self.fit_weights, self.penalty, self.intercept)
        fit(*learned, moves.parents, moves.starts, moves.added, self.fits.of(moves.parents), coefs)
        self.fits.add(moves, coefs)
        return coefs

    def losses(self, moves: Moves, part: str) -> np.ndarray:
        """Return error rates."""
        wrong = np.full(len(moves), np.nan)
        if len(self.classes) > 1 and (moves.parents.shape[1] + 2) * len(self.classes) <= MOST_COEFFICIENTS:
            coefs = self.coefficients(moves)
            count = plain_class_errors
            if self._is_much(moves):
                from fewest.wrapper.kernels.multinomial import class_errors as count
            place = (moves.parents, moves.starts, moves.added)
            count(self.columns[part], self.labels[part], self.counts[part], coefs, *place, wrong)
        return wrong / self.counts[part].sum()

    def _is_much(self, moves: Moves) -> bool:
        size = (moves.parents.shape[1] + 2) * len(self.classes)
        return is_much(len(moves), 5 * size * len(self.classes), self.columns[TRAINING].shape[1])


def codes_of(y: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Return the number of every label among the classes, -1 for others."""
    places = np.minimum(np.searchsorted(classes, y), len(classes) - 1)
    return np.where(classes[places] == y, places, -1)


def logistic_model(fold: dict[str, Examples], estimator) -> BatchModel:
    """Return the model for as many classes as the training rows have; of two, scikit-learn fits one vector."""
    n_classes = len(np.unique(fold[TRAINING].y))
    return LogisticModel(fold, estimator) if n_classes == 2 else MultinomialModel(fold, estimator)
