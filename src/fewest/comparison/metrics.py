"""Scores of predictions: which fit the target, what they are, and what guessing gives.

Classifiers answer with probabilities and regressors with numbers. One answer serves every metric: accuracy takes the
most probable class; metrics for which every class counts the same take the class that is the most probable relative
to its share of the training rows, which is Bayes' rule for balanced accuracy and needs no weights in learning.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from fewest.exceptions import ParameterError
from fewest.table.target import CLASSIFICATION, REGRESSION

# The rarest class has at least this share of the rows of the most frequent one where classes count as balanced.
BALANCED = 0.5
# Metrics that are wanted for themselves may fall by this much for fewer features: two points.
TWO_POINTS = 0.02
# Nor may errors grow by more than this share: of 99%, two points would be three times the errors.
SHARE_OF_ERRORS = 0.25
# Metrics without a scale may lose this share of what the best gains over guessing; accuracy from 50% on: two points.
SHARE_OF_GAIN = 0.04


@dataclass(frozen=True)
class Task:
    """What is predicted: one of some classes, one of which may be the positive one, or a numeric value.

    Attributes
    ----------
    n_classes : int
        0 for regression.
    positive : int or None
        Of two classes, the one that ranking metrics look for: the rarer one, or the second of about equal ones.
    is_balanced : bool
        Whether no class is much rarer than another.
    """

    n_classes: int
    positive: int | None = None
    is_balanced: bool = True

    @classmethod
    def of(cls, target: np.ndarray, n_classes: int) -> Task:
        """Return the task of predicting codes of classes or, with ``n_classes`` 0, numeric values."""
        if not n_classes:
            return cls(0)
        counts = np.bincount(target.astype(np.intp), minlength=n_classes)
        is_balanced = bool(counts.min() >= BALANCED * counts.max())
        positive = (1 if is_balanced else int(counts.argmin())) if n_classes == 2 else None
        return cls(n_classes, positive, is_balanced)

    @property
    def is_regression(self) -> bool:
        """Return whether numeric values are predicted."""
        return not self.n_classes

    @property
    def name(self) -> str:
        """Return what scikit-learn calls it."""
        return REGRESSION if self.is_regression else CLASSIFICATION


Score = Callable[[np.ndarray, np.ndarray, np.ndarray, Task], float]


@dataclass(frozen=True)
class Metric:
    """A score by scikit-learn's name: larger is better, errors are negative.

    ``score`` takes true values, answers (probabilities of all classes, or numbers), the shares of the
    classes in the training rows (or their mean value) and the task.
    """

    name: str
    label: str
    score: Score
    is_percent: bool = False
    is_bounded: bool = True

    @property
    def sign(self) -> int:
        """Return -1 for an error, which people read without its minus sign."""
        return -1 if self.name.startswith("neg_") else 1

    def largest_loss(self, best: float, guess: float, counts: np.ndarray | None = None) -> float:
        """Return how much of the best score may be given up for fewer features.

        ``counts`` are the rows of every class that it was measured on. A score of 100% lacks something all the same, as
        far as so many rows can show: by the rule of succession, one wrong of two rows more.
        """
        if not self.is_bounded:
            return SHARE_OF_GAIN * max(0.0, best - guess)
        lacking = max(0.0, 1 - best)
        if counts is not None and self.name != "r2":
            lacking = max(lacking, 1 / (self.deciding_rows(counts) + 2))
        return min(TWO_POINTS, SHARE_OF_ERRORS * lacking)

    def deciding_rows(self, counts: np.ndarray) -> float:
        """Return how many rows a score of classes of these sizes rests on.

        Rows of rare classes weigh more in a balanced accuracy: it is as sure as that of so many balanced rows. What
        ranks rows of one class before the others is as sure as the rarer of them.
        """
        if self.name == "accuracy":
            return float(counts.sum())
        if self.name == "balanced_accuracy":
            return float(len(counts) ** 2 / (1 / np.maximum(counts, 1)).sum())
        return float(counts[counts > 0].min(initial=counts.sum()))

    def described(self) -> dict[str, Any]:
        """Return what a page needs to write its values."""
        return {
            "name": self.name,
            "label": self.label,
            "is_percent": self.is_percent,
            "is_bounded": self.is_bounded,
            "sign": self.sign,
        }


# ---------------------------------------------------------------------- classes


def accuracy(actual: np.ndarray, answers: np.ndarray, shares: np.ndarray, task: Task) -> float:  # noqa: ARG001
    """Return the share of right answers."""
    return float((answers.argmax(axis=1) == actual).mean())


def labels_of(answers: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return the class that is the most probable relative to its share of the training rows."""
    return (answers / np.maximum(shares, 1e-12)).argmax(axis=1)


def balanced_accuracy(actual: np.ndarray, answers: np.ndarray, shares: np.ndarray, task: Task) -> float:
    """Return the mean over the classes of the share of their rows that is answered right."""
    right = labels_of(answers, shares) == actual
    counts = np.bincount(actual, minlength=task.n_classes)
    return float((np.bincount(actual, right, task.n_classes)[counts > 0] / counts[counts > 0]).mean())


def roc_auc(actual: np.ndarray, answers: np.ndarray, shares: np.ndarray, task: Task) -> float:  # noqa: ARG001
    """Return the probability that a row of a class ranks above another: of the positive, or the mean over classes."""
    wanted = [task.positive] if task.positive is not None else range(task.n_classes)
    return _mean([_auc(actual == k, answers[:, k]) for k in wanted])


def _auc(is_positive: np.ndarray, scores: np.ndarray) -> float:
    """Return the share of pairs that are in the right order, ties counting half (Mann and Whitney, 1947)."""
    n_positive = int(is_positive.sum())
    n_negative = len(is_positive) - n_positive
    if not n_positive or not n_negative:
        return float("nan")
    ordered, wanted = np.sort(scores[~is_positive]), scores[is_positive]
    below = np.searchsorted(ordered, wanted, side="left").sum()
    not_above = np.searchsorted(ordered, wanted, side="right").sum()
    return float((below + not_above) / (2 * n_positive * n_negative))


def average_precision(actual: np.ndarray, answers: np.ndarray, shares: np.ndarray, task: Task) -> float:  # noqa: ARG001
    """Return the precision averaged over the recall, of the positive class or as the mean over all classes."""
    wanted = [task.positive] if task.positive is not None else range(task.n_classes)
    return _mean([_average_precision(actual == k, answers[:, k]) for k in wanted])


def _average_precision(is_positive: np.ndarray, scores: np.ndarray) -> float:
    if not is_positive.any():
        return float("nan")
    order = np.argsort(-scores, kind="stable")
    hits, last = np.cumsum(is_positive[order]), np.r_[np.flatnonzero(np.diff(scores[order])), len(scores) - 1]
    gained = np.diff(np.r_[0, hits[last]])
    return float((gained * hits[last] / (last + 1)).sum() / hits[-1])


def neg_log_loss(actual: np.ndarray, answers: np.ndarray, shares: np.ndarray, task: Task) -> float:  # noqa: ARG001
    """Return the mean logarithm of the probability of the true class."""
    answers = np.clip(answers, 1e-15, None)
    return float(np.log(answers[np.arange(len(actual)), actual] / answers.sum(axis=1)).mean())


# ---------------------------------------------------------------------- numeric values


def r2(actual: np.ndarray, answers: np.ndarray, shares: np.ndarray, task: Task) -> float:  # noqa: ARG001
    """Return the share of the variance that the answers explain."""
    variance = float(((actual - actual.mean()) ** 2).sum())
    return 1 - float(((actual - answers) ** 2).sum()) / variance if variance > 0 else float("nan")


def neg_rmse(actual: np.ndarray, answers: np.ndarray, shares: np.ndarray, task: Task) -> float:  # noqa: ARG001
    """Return the negative root of the mean squared error."""
    return -sqrt(float(((actual - answers) ** 2).mean()))


def neg_mae(actual: np.ndarray, answers: np.ndarray, shares: np.ndarray, task: Task) -> float:  # noqa: ARG001
    """Return the negative mean absolute error."""
    return -float(np.abs(actual - answers).mean())


# ---------------------------------------------------------------------- which

ACCURACY = Metric("accuracy", "accuracy", accuracy, is_percent=True)
BALANCED_ACCURACY = Metric("balanced_accuracy", "balanced accuracy", balanced_accuracy, is_percent=True)
ROC_AUC = Metric("roc_auc", "ROC AUC", roc_auc)
AVERAGE_PRECISION = Metric("average_precision", "average precision", average_precision)
LOG_LOSS = Metric("neg_log_loss", "log loss", neg_log_loss, is_bounded=False)
R2 = Metric("r2", "R2", r2)
RMSE = Metric("neg_root_mean_squared_error", "RMSE", neg_rmse, is_bounded=False)
MAE = Metric("neg_mean_absolute_error", "MAE", neg_mae, is_bounded=False)
FOR_CLASSES = (ACCURACY, BALANCED_ACCURACY, ROC_AUC, AVERAGE_PRECISION, LOG_LOSS)
FOR_NUMBERS = (R2, RMSE, MAE)


def metrics_for(task: Task, scoring: Any = None) -> tuple[Metric, ...]:
    """Return the metrics of a task, the one that decides first.

    Parameters
    ----------
    task : Task
    scoring : str or callable, optional
        What decides: a name or a scorer of scikit-learn. By default accuracy where classes are balanced, ROC AUC where
        one of two is rare, balanced accuracy where one of several is, and R2 for numeric values.
    """
    known = FOR_NUMBERS if task.is_regression else FOR_CLASSES
    if scoring is None:
        first = R2 if task.is_regression else _usual(task)
    else:
        first = next((metric for metric in known if metric.name == scoring), None) or _of_scorer(scoring, task)
    return (first, *(metric for metric in known if metric.name != first.name))


def others_that_count(metrics: Sequence[Metric], scoring: Any) -> tuple[Metric, ...]:
    """Return the metrics by which, too, no more is given up for fewer features; none if one was asked for.

    Labels and the order of rows are both wanted, and either is blind to some of what features say: few may order the
    rows as well as many and give far worse labels, and one of two values may have the best labels and hardly an order.
    """
    if scoring is not None or metrics[0] is R2:
        return ()
    return (BALANCED_ACCURACY,) if metrics[0] is ROC_AUC else (ROC_AUC,)


def _usual(task: Task) -> Metric:
    if task.is_balanced:
        return ACCURACY
    return ROC_AUC if task.n_classes == 2 else BALANCED_ACCURACY


def why(metric: Metric, scoring: Any, task: Task) -> str:
    """State in a sentence why this metric decides."""
    if scoring is not None:
        return f"Judged by {metric.label}, as asked for."
    if task.is_regression:
        return f"Judged by {metric.label}: the target is numeric."
    if task.is_balanced:
        return f"Judged by {metric.label}: no class is much rarer than another."
    return f"Judged by {metric.label}: a class is rare, and accuracy would reward ignoring it."


def _of_scorer(scoring: Any, task: Task) -> Metric:
    """Return any other scorer of scikit-learn as a metric."""
    from sklearn.metrics import get_scorer, get_scorer_names

    if isinstance(scoring, str) and scoring not in get_scorer_names():
        known = [metric.name for metric in (FOR_NUMBERS if task.is_regression else FOR_CLASSES)]
        raise ParameterError.from_choice("scoring", scoring, (*known, "or another name of scikit-learn's scorers"))
    scorer = get_scorer(scoring)

    def score(actual: np.ndarray, answers: np.ndarray, shares: np.ndarray, task: Task) -> float:
        given = _given_answers(answers, shares, task)
        wanted = (actual == task.positive).astype(int) if task.positive is not None else actual
        return float(scorer(given, np.zeros((len(actual), 1)), wanted))

    name = scoring if isinstance(scoring, str) else str(getattr(scoring, "__name__", None) or scoring)
    metric = Metric(name, name.removeprefix("neg_").replace("_", " "), score, is_bounded=not name.startswith("neg_"))
    _check_fits(metric, task)
    return metric


def _check_fits(metric: Metric, task: Task) -> None:
    """Raise if a scorer cannot score such answers, before hours of work show it."""
    if task.is_regression:
        actual, answers, shares = np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 2.5]), np.array([2.0])
    else:
        actual = np.arange(task.n_classes)
        answers, shares = np.eye(task.n_classes), np.full(task.n_classes, 1 / task.n_classes)
    try:
        metric.score(actual, answers, shares, task)
    except Exception as reason:
        what = f"{task.n_classes} classes" if task.n_classes else "numeric values"
        raise ParameterError(
            f"scoring={metric.name!r} does not score predictions of {what} ({reason}). Take another one."
        ) from reason


def _given_answers(answers: np.ndarray, shares: np.ndarray, task: Task) -> Any:
    """Return an estimator that repeats answers, for scorers that want one."""
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

    class Values(RegressorMixin, BaseEstimator):
        is_fitted_ = True

        def predict(self, X: Any) -> np.ndarray:  # noqa: ARG002 (as all estimators do)
            return answers

    class Labels(ClassifierMixin, BaseEstimator):
        classes_ = np.arange(task.n_classes)

        def predict(self, X: Any) -> np.ndarray:  # noqa: ARG002
            labels = labels_of(answers, shares)
            return labels if task.positive is None else (labels == task.positive).astype(int)

        def predict_proba(self, X: Any) -> np.ndarray:  # noqa: ARG002
            return answers if task.positive is None else answers[:, [1 - task.positive, task.positive]]

    return Values() if task.is_regression else Labels()


def baseline(metric: Metric, actual: np.ndarray, shares: np.ndarray, task: Task) -> float:
    """Return what guessing without any feature scores: the better of the usual probabilities and any constant class."""
    if task.is_regression:
        return metric.score(actual, np.full(len(actual), float(shares[0])), shares, task)
    counts = np.bincount(actual, minlength=task.n_classes)
    if metric is ACCURACY:
        return float(counts.max() / len(actual))
    if metric is BALANCED_ACCURACY:
        return float(1 / (counts > 0).sum())
    guesses = [shares]
    if metric not in (ROC_AUC, AVERAGE_PRECISION):  # no constant orders rows
        guesses += list(np.eye(task.n_classes))
    scores = [metric.score(actual, np.tile(guess, (len(actual), 1)), shares, task) for guess in guesses]
    return max((score for score in scores if score == score), default=float("nan"))


def _mean(values: list[float]) -> float:
    known = [value for value in values if value == value]
    return sum(known) / len(known) if known else float("nan")
