"""Fast paths, chosen by the type of the estimator: models whose fits of many subsets share their work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import narwhals.stable.v1 as nw
import numpy as np

from fewest.selection.input import is_frame
from fewest.selection.wrapper.batched import BatchModel
from fewest.selection.wrapper.data import Examples
from fewest.selection.wrapper.generic import Learner
from fewest.theory.wrappers import linear_vc

# Types whose hypotheses are linear discriminants, by name: importing them all would take time.
_LINEAR = {
    "LogisticRegression", "LogisticRegressionCV", "LinearDiscriminantAnalysis", "RidgeClassifier", "RidgeClassifierCV",
    "LinearSVC", "SGDClassifier", "Perceptron", "PassiveAggressiveClassifier",
}  # fmt: skip


@dataclass(frozen=True)
class FastPath:
    """A path by its name, and what makes the model of a fold."""

    name: str
    make: Callable[[dict[str, Examples]], BatchModel]


def fast_path(learner: Learner, scoring, examples: Examples) -> FastPath | None:
    """Return the path for this estimator, or None if clones of it must be fitted.

    A path stands for exactly one type: a subclass may do anything. Scores other
    than the error rate, or the squared error, need the estimator itself.
    """
    plain = (None, "accuracy") if learner.is_classifier else (None, "neg_mean_squared_error")
    if scoring not in plain or set(examples.fit_params) - {"sample_weight"}:
        return None
    numbers = _numbers(examples.X)
    if numbers is None:
        return None
    return _of_numbers(learner.estimator, replace(examples, X=numbers))


def _of_numbers(estimator, examples: Examples) -> FastPath | None:
    """Return the path of an estimator that takes numbers."""
    from sklearn.linear_model import LogisticRegression

    def on_numbers(model) -> Callable[[dict[str, Examples]], BatchModel]:
        return lambda fold: model({part: replace(each, X=_numbers(each.X)) for part, each in fold.items()}, estimator)

    if type(estimator) is LogisticRegression:
        from fewest.selection.wrapper.logistic import LogisticModel, is_batchable

        return FastPath("logistic", on_numbers(LogisticModel)) if is_batchable(estimator, examples) else None
    return None


def _numbers(X) -> np.ndarray | None:
    """Return the features as finite numbers, None if they are anything else."""
    if hasattr(X, "tocsr"):
        return None
    if is_frame(X):
        frame = nw.from_native(X)
        if not all(dtype.is_numeric() for dtype in frame.schema.values()):
            return None
        X = frame.to_numpy()
    if X.dtype.kind not in "iufb":
        return None
    numbers = np.asarray(X, dtype=np.float64)
    return numbers if np.isfinite(numbers).all() else None


def linear_vc_dimension(estimator) -> Callable[[int], int] | None:
    """Return the VC dimension by number of features, for linear classifiers."""
    return linear_vc if type(estimator).__name__ in _LINEAR else None
