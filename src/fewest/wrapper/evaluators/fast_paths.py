"""Fast paths, chosen by the type of the estimator: models whose fits of many subsets share their work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import narwhals.stable.v1 as nw
import numpy as np

from fewest.estimators.input import is_frame
from fewest.wrapper.bounds import linear_vc
from fewest.wrapper.evaluators.batched import BatchModel, FastPath
from fewest.wrapper.evaluators.generic import Learner
from fewest.wrapper.examples import Examples

# Types whose hypotheses are linear discriminants, by name: importing them all would take time.
_LINEAR = {
    "LogisticRegression", "LogisticRegressionCV", "LinearDiscriminantAnalysis", "RidgeClassifier", "RidgeClassifierCV",
    "LinearSVC", "SGDClassifier", "Perceptron", "PassiveAggressiveClassifier",
}  # fmt: skip


def fast_path(learner: Learner, examples: Examples) -> FastPath | None:
    """Return the path for this estimator, or None if clones of it must be fitted.

    A path is that of exactly one type: a subclass may do anything. Scores other
    than the error rate, or the squared error, need the estimator itself, but for
    the logarithmic loss of logistic regressions, where no row has a weight.
    """
    if set(examples.fit_params) - {"sample_weight"}:
        return None
    if learner.scorer is not None:
        has_weights = examples.weights is not None or examples.score_params
        return None if has_weights or not learner.is_log_loss else _of_numbers(learner.estimator, examples, True)
    return _own(learner.estimator, examples) or _of_numbers(learner.estimator, examples)


def _own(estimator, examples: Examples) -> FastPath | None:
    """Return the path of this library's learners, which take columns of any kind."""
    if type(estimator).__module__.partition(".")[0] != "fewest":
        return None
    from fewest.cfp.estimators import CFPClassifier
    from fewest.trees.estimators import ID3Classifier
    from fewest.wrapper.evaluators.own_learners import CFPModel, ID3Model, is_batchable_cfp

    if type(estimator) is ID3Classifier:
        return FastPath("id3", lambda fold: ID3Model(fold, estimator))
    if type(estimator) is CFPClassifier and is_batchable_cfp(estimator, examples):
        return FastPath("cfp", lambda fold: CFPModel(fold, estimator))
    return None


def _of_numbers(estimator, examples: Examples, by_log_loss: bool = False) -> FastPath | None:
    """Return the path of an estimator that takes numeric features, judged by errors or by the logarithmic loss."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
    from sklearn.naive_bayes import BernoulliNB, GaussianNB

    from fewest.wrapper.evaluators import discriminant, least_squares, logistic, naive_bayes

    paths: dict[type, tuple[str, Callable[..., BatchModel], Callable[..., bool]]] = {
        LogisticRegression: ("logistic", logistic.logistic_model, logistic.is_batchable),
        LinearRegression: ("least-squares", least_squares.LeastSquaresModel, least_squares.is_batchable),
        Ridge: ("ridge", least_squares.LeastSquaresModel, least_squares.is_batchable),
        GaussianNB: ("gaussian-nb", naive_bayes.GaussianModel, naive_bayes.is_batchable),
        BernoulliNB: ("bernoulli-nb", naive_bayes.BernoulliModel, naive_bayes.is_batchable),
        LinearDiscriminantAnalysis: ("lda", discriminant.DiscriminantModel, discriminant.is_batchable),
    }
    if by_log_loss:
        paths = {LogisticRegression: ("logistic, log loss", logistic.log_loss_model, logistic.is_batchable)}
    if type(estimator) not in paths:
        return None
    name, model, is_batchable = paths[type(estimator)]
    numbers = _numbers(examples.X)
    if numbers is None or not np.isfinite(numbers).all() or not is_batchable(estimator, replace(examples, X=numbers)):
        return None

    def model_of(fold: dict[str, Examples]) -> BatchModel:
        return model({part: replace(each, X=_numbers(each.X)) for part, each in fold.items()}, estimator)

    return FastPath(name, model_of)


def _numbers(X) -> np.ndarray | None:
    """Return numeric features as floats, None if they are anything else."""
    if hasattr(X, "tocsr"):
        return None
    if not isinstance(X, np.ndarray) and is_frame(X):
        frame = nw.from_native(X)
        if not all(dtype.is_numeric() for dtype in frame.schema.values()):
            return None
        X = frame.to_numpy()
    if X.dtype.kind not in "iufb":
        return None
    return np.asarray(X, dtype=np.float64)


def learner_by_name(name: str, seed: int) -> Any:
    """Return a new learner, by the name that ``fewest wrap`` has for it, with its default parameters."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.tree import DecisionTreeClassifier

    from fewest.trees.estimators import ID3Classifier

    return {
        "logistic": LogisticRegression(),
        "nb": GaussianNB(),
        "lda": LinearDiscriminantAnalysis(),
        "tree": DecisionTreeClassifier(random_state=seed),
        "knn": KNeighborsClassifier(),
        "id3": ID3Classifier(),
        "linear": LinearRegression(),
        "ridge": Ridge(),
    }[name]


def linear_vc_dimension(estimator) -> Callable[[int], int] | None:
    """Return the VC dimension by number of features, for linear classifiers."""
    return linear_vc if type(estimator).__name__ in _LINEAR else None
