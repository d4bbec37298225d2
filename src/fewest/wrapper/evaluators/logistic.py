"""Logistic regression on many subsets: Newton's method for children of parents that were fitted just before.

Of two classes scikit-learn fits one vector of coefficients (`LogisticModel`), of several one a class, with one softmax
for all (`MultinomialModel`).
"""

from __future__ import annotations

from threading import Lock

import numpy as np

from fewest.wrapper.evaluators.batched import BatchModel
from fewest.wrapper.examples import Examples, weights_of
from fewest.wrapper.kernels.layout import Moves, Penalised, Rows
from fewest.wrapper.kernels.logistic_numpy import (
    class_errors_numpy,
    class_log_losses,
    linear_errors_numpy,
    log_losses,
    logistic_fits_numpy,
    multinomial_fits_numpy,
)
from fewest.wrapper.search.subsets import Keys
from fewest.wrapper.splits import TRAINING

# Coefficients, of all classes together, up to which a Hessian pays.
MOST_COEFFICIENTS = 200
# Coefficients kept of the fits of a size: 32 MB.
MOST_KEPT = 1 << 22


class LogisticModel:
    """The maximum of the (penalised) likelihood, which scikit-learn's solvers come near to within their ``tol``."""

    is_threaded = True
    kernels = "fewest.wrapper.kernels.logistic"

    def __init__(self, fold: dict[str, Examples], estimator) -> None:
        self.classes = np.unique(fold[TRAINING].y)
        self.form = form_of(estimator)
        self.totals = {part: float(weights_of(examples).sum()) for part, examples in fold.items()}
        self.rows = {part: self._rows(examples) for part, examples in fold.items()}
        self.unseen = {part: total - float(self.rows[part].weight.sum()) for part, total in self.totals.items()}
        training = self.rows[TRAINING]
        self.fitted_rows = training._replace(weight=training.weight * class_weights(estimator, fold[TRAINING].y))
        self.counts_alike = estimator.class_weight is None
        self.fits = KnownFits(len(training.columns))

    def _rows(self, examples: Examples) -> Rows:
        """Return examples for the kernels; a label that training has not seen is wrong whatever is predicted."""
        return Rows(
            np.ascontiguousarray(examples.X.T),
            (examples.y == self.classes[-1]).astype(np.float64),
            weights_of(examples) * np.isin(examples.y, self.classes),
        )

    def n_steps(self, n_children: int, size: int) -> int:
        """Return how many numbers NumPy goes through to fit children of this many features."""
        return n_children * (size + 1) * self.fitted_rows.columns.shape[1]

    def losses(self, moves: Moves, part: str, compiles: bool = False) -> np.ndarray:
        """Return error rates."""
        wrong = np.empty(moves.n_children)
        coefs = self._known(moves.children()) if moves.n_children == 1 else None  # the best of a size is asked again
        if coefs is None or np.isnan(coefs[0, 0]):
            is_counted = part == TRAINING and self.counts_alike
            coefs = self.coefficients(moves, wrong if is_counted else wrong[:0], compiles)
            if is_counted:
                return self._rates(wrong, part)
        count = linear_errors_numpy
        if compiles:
            from fewest.wrapper.kernels.logistic import linear_errors as count
        count(self.rows[part], coefs, moves, wrong)
        return self._rates(wrong, part)

    def coefficients(self, moves: Moves, wrong: np.ndarray, compiles: bool = False) -> np.ndarray:
        """Return intercepts and coefficients of every child; set the weight of training rows that it gets wrong.

        ``wrong`` is empty where nobody asks for it.
        """
        coefs = np.empty((moves.n_children, moves.size + 1))
        fit = logistic_fits_numpy
        if compiles:
            from fewest.wrapper.kernels.logistic import logistic_fits as fit
        fit(self.fitted_rows, self.form, moves, self._known(moves.parents), coefs, wrong)
        self.fits.add(moves, coefs)
        return coefs

    def _known(self, subsets: np.ndarray) -> np.ndarray:
        """Return the coefficients that were fitted before, NaN for the rest.

        Without a penalty classes that a plane separates have no maximum, and where a fit stops
        depends on where it starts: to have one answer it always starts from nothing.
        """
        if self.form.penalty == 0.0:
            return np.full((len(subsets), subsets.shape[1] + 1), np.nan)
        return self.fits.of(subsets)

    def _rates(self, wrong: np.ndarray, part: str) -> np.ndarray:
        return (wrong + self.unseen[part]) / self.totals[part]


class LogLossModel(LogisticModel):
    """Logistic regressions judged by the logarithmic loss: the mean of minus the logarithms of the probabilities."""

    def losses(self, moves: Moves, part: str, compiles: bool = False) -> np.ndarray:
        """Return logarithmic losses; NaN where a label is one that training has not seen."""
        if self.unseen[part] > 0:
            return np.full(moves.n_children, np.nan)
        coefs = self._known(moves.children()) if moves.n_children == 1 else None
        if coefs is None or np.isnan(coefs[0, 0]):
            coefs = self.coefficients(moves, np.empty(0), compiles)
        return log_losses(self.rows[part], coefs, moves) / self.totals[part]


class MultinomialModel:
    """The maximum of the penalised likelihood of several classes; NaN for subsets with many coefficients."""

    is_threaded = True
    kernels = "fewest.wrapper.kernels.multinomial"

    def __init__(self, fold: dict[str, Examples], estimator) -> None:
        self.classes = np.unique(fold[TRAINING].y)
        self.form = form_of(estimator)
        self.rows = {part: self._rows(examples) for part, examples in fold.items()}
        training = self.rows[TRAINING]
        self.fitted_rows = training._replace(weight=training.weight * class_weights(estimator, fold[TRAINING].y))
        self.fits = KnownFits(len(training.columns), len(self.classes))

    def _rows(self, examples: Examples) -> Rows:
        """Return examples for the kernels; a label that training has not seen is none that is ever predicted."""
        places = np.minimum(np.searchsorted(self.classes, examples.y), len(self.classes) - 1)
        codes = np.where(self.classes[places] == examples.y, places, -1)
        return Rows(np.ascontiguousarray(examples.X.T), codes, weights_of(examples))

    def n_steps(self, n_children: int, size: int) -> int:
        """Return how many numbers NumPy goes through to fit children of this many features; 0 where none is fitted."""
        width = (size + 1) * len(self.classes)
        if width > MOST_COEFFICIENTS:
            return 0
        return n_children * 5 * width * len(self.classes) * self.fitted_rows.columns.shape[1]

    def losses(self, moves: Moves, part: str, compiles: bool = False) -> np.ndarray:
        """Return error rates."""
        wrong = np.full(moves.n_children, np.nan)
        if len(self.classes) > 1 and (moves.size + 1) * len(self.classes) <= MOST_COEFFICIENTS:
            coefs = self.coefficients(moves, compiles)
            count = class_errors_numpy
            if compiles:
                from fewest.wrapper.kernels.multinomial import class_errors as count
            count(self.rows[part], coefs, moves, wrong)
        return wrong / self.rows[part].weight.sum()

    def coefficients(self, moves: Moves, compiles: bool = False) -> np.ndarray:
        """Return intercepts and coefficients of every child, a column for every class."""
        known = self.fits.of(moves.children()) if moves.n_children == 1 else None  # the best of a size is asked again
        if known is not None and not np.isnan(known).any():
            return known
        coefs = np.empty((moves.n_children, moves.size + 1, len(self.classes)))
        fit = multinomial_fits_numpy
        if compiles:
            from fewest.wrapper.kernels.multinomial import multinomial_fits as fit
        fit(self.fitted_rows, self.form, moves, self.fits.of(moves.parents), coefs)
        self.fits.add(moves, coefs)
        return coefs


class MultinomialLogLossModel(MultinomialModel):
    """Multinomial logistic regressions judged by the logarithmic loss."""

    def losses(self, moves: Moves, part: str, compiles: bool = False) -> np.ndarray:
        """Return logarithmic losses; NaN for many coefficients, or where a label is one that training has not seen."""
        if len(self.classes) < 2 or (moves.size + 1) * len(self.classes) > MOST_COEFFICIENTS:
            return np.full(moves.n_children, np.nan)
        coefs = self.coefficients(moves, compiles)
        return class_log_losses(self.rows[part], coefs, moves) / self.rows[part].weight.sum()


class KnownFits:
    """The coefficients of subsets of the size fitted last, and of one feature less.

    A search extends the best of them, and asks for the best of a size again. Threads may add at the same time. What is
    found does not depend on who was first, unless there is too much to keep.
    """

    def __init__(self, n_features: int, *shape: int) -> None:
        self._shape = shape  # of what belongs to one feature: a number, or one for every class
        self._keys = Keys(n_features, 0).units
        self._fits: dict[int, list[tuple[np.ndarray, Moves, np.ndarray]]] = {}
        self._lock = Lock()

    def add(self, moves: Moves, coefs: np.ndarray) -> None:
        """Keep the intercepts and coefficients of all children; drop other sizes and, of too many, the oldest."""
        size = moves.size
        parents = np.bitwise_xor.reduce(self._keys[moves.parents], axis=1)
        keys = parents[moves.parent_of_child()] ^ self._keys[moves.added]
        with self._lock:
            self._fits = {kept: self._fits.get(kept, []) for kept in (size - 1, size)}
            fits = self._fits[size]
            fits.append((keys, moves, coefs))
            while sum(each.size for _, _, each in fits) > MOST_KEPT:
                del fits[0]

    def of(self, subsets: np.ndarray) -> np.ndarray:
        """Return the intercept of every row of features, and their coefficients in the row's order; NaN if unknown."""
        found = np.full((len(subsets), subsets.shape[1] + 1, *self._shape), np.nan)
        keys = np.bitwise_xor.reduce(self._keys[subsets], axis=1)
        order = np.argsort(keys)
        for fitted, moves, coefs in self._fits.get(subsets.shape[1], ()):
            place = np.minimum(np.searchsorted(keys, fitted, sorter=order), len(order) - 1)
            hits = np.flatnonzero(keys[order[place]] == fitted)
            rows = order[place[hits]]
            parent = np.searchsorted(moves.starts, hits, side="right") - 1
            features = np.column_stack([moves.parents[parent], moves.added[hits]])
            found[rows, 0] = coefs[hits, 0]
            ascending = coefs[hits[:, None], 1 + np.argsort(features, axis=1)]
            found[rows[:, None], 1 + np.argsort(subsets[rows], axis=1)] = ascending
        return found


def penalty_of(estimator) -> float | None:
    """Return what half the squared coefficients are multiplied by; None for other penalties.

    Releases of scikit-learn differ in how they express that there is none.
    """
    if getattr(estimator, "l1_ratio", None) not in (None, 0, 0.0):
        return None
    penalty = getattr(estimator, "penalty", "l2")
    if penalty is None:
        return 0.0
    return 1.0 / estimator.C if penalty in ("l2", "deprecated") else None


def form_of(estimator) -> Penalised:
    """Return the form of the regression for the kernels."""
    penalty = penalty_of(estimator)
    assert penalty is not None  # `is_batchable` has seen to that
    return Penalised(penalty, int(estimator.fit_intercept))


def class_weights(estimator, y: np.ndarray) -> np.ndarray:
    """Return the weight that the estimator's ``class_weight`` gives to every row."""
    if estimator.class_weight is None:
        return np.ones(len(y))
    from sklearn.utils.class_weight import compute_sample_weight

    return compute_sample_weight(estimator.class_weight, y)


def logistic_model(fold: dict[str, Examples], estimator) -> BatchModel:
    """Return the model for as many classes as the training rows have."""
    n_classes = len(np.unique(fold[TRAINING].y))
    return LogisticModel(fold, estimator) if n_classes == 2 else MultinomialModel(fold, estimator)


def log_loss_model(fold: dict[str, Examples], estimator) -> BatchModel:
    """Return the model that is judged by the logarithmic loss."""
    n_classes = len(np.unique(fold[TRAINING].y))
    return LogLossModel(fold, estimator) if n_classes == 2 else MultinomialLogLossModel(fold, estimator)


def is_batchable(estimator, examples: Examples) -> bool:
    """Return whether one of the two models fits what the estimator does."""
    penalty, n_classes = penalty_of(estimator), len(np.unique(examples.y))
    return (
        estimator.solver in ("lbfgs", "newton-cg", "newton-cholesky", "sag", "saga")  # liblinear penalises intercepts
        and penalty is not None
        and not getattr(estimator, "warm_start", False)
        # Classes that a plane separates have no maximum without a penalty; only the model of two sees to that.
        and (n_classes == 2 or (n_classes > 2 and penalty > 0 and getattr(estimator, "multi_class", "") != "ovr"))
        and (estimator.class_weight is None or examples.weights is None)
    )
