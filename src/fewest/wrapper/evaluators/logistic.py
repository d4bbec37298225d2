"""Logistic regression on many subsets: batched Newton steps for two classes."""

from __future__ import annotations

import numpy as np

from fewest.wrapper.data import Examples, weights_of
from fewest.wrapper.evaluators.compiling import is_much
from fewest.wrapper.evaluators.known_fits import KnownFits
from fewest.wrapper.evaluators.moves import Moves
from fewest.wrapper.kernels.plain_logistic import plain_linear_errors, plain_logistic_fits
from fewest.wrapper.splits import TRAINING


class LogisticModel:
    """The maximum of the (penalised) likelihood, which scikit-learn's solvers come near to within their ``tol``."""

    is_threaded = True

    def __init__(self, fold: dict[str, Examples], estimator) -> None:
        self.classes = np.unique(fold[TRAINING].y)
        self.penalty = penalty_of(estimator)
        self.intercept = int(estimator.fit_intercept)
        self.columns = {part: np.ascontiguousarray(examples.X.T) for part, examples in fold.items()}
        self.targets = {part: (examples.y == self.classes[-1]).astype(np.float64) for part, examples in fold.items()}
        self.totals = {part: float(weights_of(examples).sum()) for part, examples in fold.items()}
        # A label that training has not seen is wrong whatever is predicted.
        self.counts = {
            part: weights_of(examples) * np.isin(examples.y, self.classes) for part, examples in fold.items()
        }
        self.unseen = {part: total - float(self.counts[part].sum()) for part, total in self.totals.items()}
        self.fit_weights = self.counts[TRAINING] * class_weights(estimator, fold[TRAINING].y)
        self.counts_alike = estimator.class_weight is None
        self.fits = KnownFits(len(self.columns[TRAINING]))

    def coefficients(self, moves: Moves, wrong: np.ndarray) -> np.ndarray:
        """Return intercepts and coefficients of every child; set the weight of training rows that it gets wrong.

        ``wrong`` is empty where nobody asks for it.
        """
        coefs = np.empty((len(moves), moves.parents.shape[1] + 2))
        fit = plain_logistic_fits
        if self._is_much(moves):
            from fewest.wrapper.kernels.logistic import logistic_fits as fit
        learned = (self.columns[TRAINING], self.targets[TRAINING], self.fit_weights)
        place = (moves.parents, moves.starts, moves.added, self._known(moves.parents))
        fit(*learned, self.penalty, self.intercept, *place, coefs, wrong)
        self.fits.add(moves, coefs)
        return coefs

    def _known(self, subsets: np.ndarray) -> np.ndarray:
        """Return what was fitted before, NaN for the rest.

        Without a penalty classes that a plane separates have no maximum, and where a fit stops
        depends on where it starts: to have one answer it always starts from nothing.
        """
        if self.penalty == 0.0:
            return np.full((len(subsets), subsets.shape[1] + 1), np.nan)
        return self.fits.of(subsets)

    def _is_much(self, moves: Moves) -> bool:
        return is_much(len(moves), 5 * moves.parents.shape[1] + 10, self.columns[TRAINING].shape[1])

    def losses(self, moves: Moves, part: str) -> np.ndarray:
        """Return error rates."""
        wrong = np.empty(len(moves))
        coefs = self._known(moves.children()) if len(moves) == 1 else None  # the best of a size is asked for again
        if coefs is None or np.isnan(coefs[0, 0]):
            is_counted = part == TRAINING and self.counts_alike
            coefs = self.coefficients(moves, wrong if is_counted else wrong[:0])
            if is_counted:
                return self._rates(wrong, part)
        count = plain_linear_errors
        if self._is_much(moves):
            from fewest.wrapper.kernels.logistic import linear_errors as count
        place = (self.columns[part], self.targets[part], self.counts[part])
        count(*place, coefs, moves.parents, moves.starts, moves.added, wrong)
        return self._rates(wrong, part)

    def _rates(self, wrong: np.ndarray, part: str) -> np.ndarray:
        return (wrong + self.unseen[part]) / self.totals[part]


def penalty_of(estimator) -> float | None:
    """Return what half the squared coefficients are multiplied by; None for other penalties.

    Releases of scikit-learn differ in how to say that there is none.
    """
    if getattr(estimator, "l1_ratio", None) not in (None, 0, 0.0):
        return None
    penalty = getattr(estimator, "penalty", "l2")
    if penalty is None:
        return 0.0
    return 1.0 / estimator.C if penalty in ("l2", "deprecated") else None


def class_weights(estimator, y: np.ndarray) -> np.ndarray:
    """Return what the estimator's ``class_weight`` makes of every row."""
    if estimator.class_weight is None:
        return np.ones(len(y))
    from sklearn.utils.class_weight import compute_sample_weight

    return compute_sample_weight(estimator.class_weight, y)


def is_batchable(estimator, examples: Examples) -> bool:
    """Return whether the estimator is one that `LogisticModel` stands for or, with several classes, another."""
    penalty, n_classes = penalty_of(estimator), len(np.unique(examples.y))
    return (
        estimator.solver in ("lbfgs", "newton-cg", "newton-cholesky", "sag", "saga")  # liblinear penalises intercepts
        and penalty is not None
        and not getattr(estimator, "warm_start", False)
        # Classes that a plane separates have no maximum without a penalty; only the model of two sees to that.
        and (n_classes == 2 or (n_classes > 2 and penalty > 0 and getattr(estimator, "multi_class", "") != "ovr"))
        and (estimator.class_weight is None or examples.weights is None)
    )
