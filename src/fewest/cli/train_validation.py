"""How well what ``fewest train`` learns predicts rows that it has not seen: cross-validation of the whole command."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from fewest.budget import OutOfBudgetError, work_clock
from fewest.exceptions import StoppedEarlyWarning
from fewest.table import Column, Table

if TYPE_CHECKING:
    from fewest.comparison.folds import Fold, Splitting
    from fewest.comparison.metrics import Metric, Task

# Fewer rows of a class than this cannot be shared out to folds.
FEWEST_ROWS = 3
# A difference of scores between training rows and others that is worth a warning.
MUCH = 0.1
# Standard errors above the baseline from which on a model predicts better than the most frequent class.
STANDARD_ERRORS = 2.0
# Metrics of the classes that are predicted, not of their probabilities.
OF_LABELS = ("accuracy", "balanced_accuracy")
OUT_OF_TIME = "the time limit ended before two folds were learned; raise --time-limit"


class Predictor(Protocol):
    """What predicts new rows: any model."""

    def predict(self, X: Any) -> np.ndarray:
        """Return the class or the value of every row."""


Learn = Callable[[Table, Column, "Splitting", float | None], Predictor]
"""Learn from rows and their classes, of which some are kept apart; raise `OutOfBudgetError` after some seconds."""


@dataclass(frozen=True)
class Validation:
    """Scores on rows that were left out of training, one a fold, beside those of guessing and of the training rows.

    Attributes
    ----------
    metric : Metric
        What was measured.
    scores, baselines : ndarray of shape (n_folds,)
        The score of the model, and of what knows nothing but the classes: always the most frequent one.
    training : float
        The score of the model of all rows on these rows.
    test_share : float
        The rows left out of training in a fold, for each row that is not.
    guess : str
        What the baseline always answers, in words.
    n_left_out : int
        How many folds there was no time for.
    """

    metric: Metric
    scores: np.ndarray
    baselines: np.ndarray
    training: float
    test_share: float
    guess: str
    n_left_out: int = 0

    @property
    def mean(self) -> float:
        """Return the mean score of the folds."""
        return float(np.nanmean(self.scores))

    @property
    def baseline(self) -> float:
        """Return the mean score of guessing."""
        return float(np.nanmean(self.baselines))

    @property
    def is_better_than_guessing(self) -> bool:
        """Return whether the folds show that the model knows more than the frequencies of the classes."""
        from fewest.comparison.uncertainty import corrected_error

        gains = self.scores - self.baselines
        error = corrected_error(gains, self.test_share)
        return bool(np.nanmean(gains) > STANDARD_ERRORS * (error or 0.0) + 1e-9)

    @property
    def differs_much(self) -> bool:
        """Return whether the model predicts the rows that it learned from much better than others."""
        return self.training - self.mean > MUCH

    def described(self) -> dict[str, Any]:
        """Return plain data; a score that is not defined is None."""
        numbers = {"mean": self.mean, "baseline": self.baseline, "training": self.training}
        return {
            "scoring": self.metric.name,
            "n_folds": len(self.scores),
            **{name: None if isnan(number) else number for name, number in numbers.items()},
            "scores": [None if isnan(score) else score for score in self.scores.tolist()],
            "is_better_than_guessing": self.is_better_than_guessing,
            "differs_much": self.differs_much,
        }

    def paragraph(self) -> str:
        """Return in text what to expect of the model."""
        unseen, seen, guess = (self._written(score) for score in (self.mean, self.training, self.baseline))
        sentences = [
            f"On rows left out of training (cross-validation, {len(self.scores)} folds) its {self.metric.label} is "
            f"{unseen}; on the training rows {seen}, and by always answering {self.guess} {guess}."
        ]
        if not self.is_better_than_guessing:
            sentences.append(f"So it predicts no better than {self.guess}.")
        if self.differs_much:
            sentences.append(
                "The two differ much: it has learned its rows by heart. Expect the first of new rows, and try fewer "
                "features (--select) or another learner (--learner)."
            )
        return " ".join(sentences)

    def _written(self, score: float) -> str:
        score *= self.metric.sign
        return f"{score:.1%}" if self.metric.is_percent else f"{score:.3f}"


def cross_validated(
    learn: Learn,
    trained: Predictor | None,
    rows: tuple[Table, Column],
    scoring: str | None,
    splitting: Splitting,
    seconds: float | None,
) -> Validation | str:
    """Learn again without each fold and predict it; return the scores, or the reason why there are none.

    Folds that are not learned within the time limit are left out. The whole training takes part, selection and
    intervals as well, or rows that are predicted would have decided about them. Without a model of all rows,
    ``trained``, nothing is known of the training rows.
    """
    from fewest.comparison.metrics import Task, metrics_for

    features, target = rows
    values = target.values.astype(np.intp) if target.labels else target.values
    task = Task.of(values, len(target.labels))
    folds = _folds(values, target, splitting, task)
    if isinstance(folds, str):
        return folds
    metric = metrics_for(task, scoring)[0]
    started, scores, baselines = work_clock(), [], []
    for kept, test in folds:
        left = None if seconds is None else seconds - (work_clock() - started)
        if left is not None and left <= 0:
            break
        with warnings.catch_warnings():  # what was said of all rows is not said again of most of them
            warnings.simplefilter("ignore")
            try:
                model = learn(features.take(kept), _taken(target, kept), splitting.take(kept), left)
            except OutOfBudgetError:
                break
            given = _given(model, features.take(test), metric, task)
        usual = _usual(values[kept], task)
        scores.append(metric.score(values[test], given, usual, task))
        baselines.append(metric.score(values[test], _guesses(usual, len(test), metric, task), usual, task))
    if len(scores) < 2:
        return OUT_OF_TIME
    if np.isnan(scores).all():
        return f"{metric.label} is not defined where the target does not vary"
    training = float("nan")
    if trained is not None:
        training = metric.score(values, _given(trained, features, metric, task), _usual(values, task), task)
        _warn_of_time(len(scores), len(folds))
    test_share = float(np.mean([len(test) / len(kept) for kept, test in folds]))
    guess = "the most frequent class" if target.labels else "the mean"
    n_left_out = len(folds) - len(scores)
    return Validation(metric, np.array(scores), np.array(baselines), training, test_share, guess, n_left_out)


def _warn_of_time(n_folds: int, n_asked: int) -> None:
    if n_folds < n_asked:
        warnings.warn(
            f"The time limit came after {n_folds} of {n_asked} folds, and the others are not in the performance. "
            f"{StoppedEarlyWarning.BY_CLOCK}",
            StoppedEarlyWarning,
            stacklevel=4,
        )


def _folds(values: np.ndarray, target: Column, splitting: Splitting, task: Task) -> list[Fold] | str:
    """Return which rows learn and which are predicted, fold by fold, or the reason why there can be no folds."""
    if splitting.groups is not None or splitting.is_ordered:
        return splitting.outer(values, task, 0)
    fold_of_row = _fold_of_row(values, target, splitting.n_splits)
    if isinstance(fold_of_row, str):
        return fold_of_row
    of_fold = (fold_of_row == fold for fold in range(int(fold_of_row.max()) + 1))
    return [(np.flatnonzero(~is_test), np.flatnonzero(is_test)) for is_test in of_fold]


def _fold_of_row(values: np.ndarray, target: Column, n_folds: int) -> np.ndarray | str:
    """Return the fold of every row, or the reason why there can be none."""
    if not target.labels:
        if len(values) < 2 * FEWEST_ROWS:
            return f"there are only {len(values)} rows, and cross-validation takes {2 * FEWEST_ROWS}"
        return stratified_folds(np.zeros(len(values), dtype=np.intp), min(n_folds, len(values) // FEWEST_ROWS))
    counts = np.bincount(values, minlength=len(target.labels))
    rarest = int(counts.argmin())
    if len(counts) < 2 or counts[rarest] < FEWEST_ROWS:
        few = f"class {target.labels[rarest]!r} has only {counts[rarest]} rows" if len(counts) > 1 else "one class"
        return f"{few}, and cross-validation takes {FEWEST_ROWS} of each"
    return stratified_folds(values, min(n_folds, int(counts[rarest])))


def stratified_folds(codes: np.ndarray, n_folds: int) -> np.ndarray:
    """Return the fold of every row: each has its share of every class, and rows are dealt out in a random order."""
    order = np.random.default_rng(0).permutation(len(codes))
    by_class = order[np.argsort(codes[order], kind="stable")]
    folds = np.empty(len(codes), dtype=np.intp)
    folds[by_class] = np.arange(len(codes)) % n_folds
    return folds


def _taken(column: Column, rows: np.ndarray) -> Column:
    return Column(column.name, column.kind, column.values[rows], column.labels)


def _given(model: Predictor, table: Table, metric: Metric, task: Task) -> np.ndarray:
    """Return what a model answers: numbers, the classes that are predicted, or their shares for metrics of ranking."""
    if task.is_regression:
        return model.predict(table)
    answers = model.answers(table)  # type: ignore[attr-defined]  # what predicts classes has them
    return np.eye(task.n_classes)[answers.settled] if metric.name in OF_LABELS else answers.shares


def _usual(values: np.ndarray, task: Task) -> np.ndarray:
    """Return what is known without features: the shares of the classes, or the mean."""
    if task.is_regression:
        return np.array([values.mean()])
    return np.bincount(values, minlength=task.n_classes) / len(values)


def _guesses(usual: np.ndarray, n_rows: int, metric: Metric, task: Task) -> np.ndarray:
    """Return the answers of what knows the frequencies of the classes, or the mean, alone."""
    if task.is_regression:
        return np.full(n_rows, usual[0])
    return np.tile(np.eye(task.n_classes)[usual.argmax()] if metric.name in OF_LABELS else usual, (n_rows, 1))
