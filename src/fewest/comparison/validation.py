"""Nested validation of methods within a time limit, and what was predicted for rows that no learner had seen."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.budget import INTERRUPT, TIME_LIMIT, Budget, OutOfBudgetError, work_clock
from fewest.comparison.curves import Curve
from fewest.comparison.folds import Fold
from fewest.comparison.learners import FeatureMatrix, answers, usual_answer
from fewest.comparison.metrics import ACCURACY, Metric, Task, labels_of
from fewest.comparison.selectors import ALL, Selector
from fewest.comparison.training import Problem, Training
from fewest.kernels.compile_or_not import repeated
from fewest.table import Table

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

# Of the time that is left, a method may take so many times its share: most need less.
SHARES = 3.0
# A method that takes this share of a fold's time, or so many times its own, leaves when there is no time for all folds.
SLOW, SLOW_TIMES = 0.25, 2.0

Judgement = dict[str, tuple[float, np.ndarray]]
"""For every learner its score on the test rows, and its answers."""


@dataclass
class Record:
    """The features that one method chose, fold by fold, and how well learners did with them."""

    selector: Selector
    masks: list[np.ndarray] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    judgements: list[Judgement] = field(default_factory=list)
    curves: list[Curve | None] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.masks)

    def add(self, mask: np.ndarray, seconds: float, judgement: Judgement, curve: Curve | None) -> None:
        """Add a fold: what was chosen, how long that took, and how well learners did with it."""
        self.masks.append(mask)
        self.seconds.append(seconds)
        self.judgements.append(judgement)
        self.curves.append(curve)

    def cut(self, n_folds: int) -> None:
        """Forget later folds, which not all methods have seen."""
        for values in (self.masks, self.seconds, self.judgements, self.curves):
            del values[n_folds:]

    def favorites(self, parts: list[Fold]) -> list[str]:
        """Return for every fold the learner that counts by the metric that decides."""
        names = list(self.judgements[0])
        return favorites([{name: judgement[name][0] for name in names} for judgement in self.judgements], parts)


def favorites(scores: list[dict[str, float]], parts: list[Fold]) -> list[str]:
    """Return for every fold the learner that counts: the best on other folds, whose test rows are others.

    So no learner is chosen by the rows that it is judged by. A single fold takes the first learner.
    """
    tests = [set(test.tolist()) for _, test in parts[: len(scores)]]
    names = list(scores[0])
    table = np.array([[fold[name] for name in names] for fold in scores])
    found = []
    for k, test in enumerate(tests):
        others = [j for j in range(len(tests)) if j != k and not tests[j] & test]
        means = np.nan_to_num(table[others], nan=-1e30).mean(axis=0) if others else np.zeros(len(names))
        found.append(names[int(means.argmax())])
    return found


@dataclass
class Validation:
    """Methods and learners on the folds of a table: every method on a fold before any method on the next."""

    table: Table
    target: np.ndarray
    selectors: list[Selector]
    learners: dict[str, Any]
    folds: list[Fold]
    seed: int = 0
    problem: Problem | None = None
    clock: Callable[[], float] = work_clock

    def __post_init__(self) -> None:
        """Encode the features once for all folds.

        ``too_slow`` are the methods that left, ``by_clock`` those that answered with what they had when time was over.
        """
        self.problem = self.problem or Problem.of(self.target)
        self.matrix = FeatureMatrix(self.table)
        self.too_slow: list[str] = []
        self.by_clock: list[str] = []
        self._seconds_gone = 0.0

    def run(
        self, time_limit: float | None, on_progress: Callable[[str], None] | None
    ) -> tuple[list[Record], str | None]:
        """Return a record for every method, all with the same folds, and what stopped the comparison early.

        A fold is begun if there is time for it, by the folds before it and with
        what the last run, on all rows, will need. When the first fold shows that there is no time for
        all, methods that take much of it leave first: their records are empty,
        as are those of methods that have no time even on the first fold.
        """
        records = [Record(selector) for selector in self.selectors]
        started, stopped_by = self.clock(), None
        deadline = None if time_limit is None else started + time_limit
        try:
            for number in range(len(self.folds)):
                if number and deadline is not None:
                    self._drop_slow(records, number, (self.clock() - started - self._seconds_gone) / number, deadline)
                    if self.clock() + self._fold_seconds(records, started, number) > deadline:
                        stopped_by = TIME_LIMIT
                        break
                if not self._fold([r for r in records if len(r) == number], number, deadline, on_progress):
                    stopped_by = TIME_LIMIT
                    break
        except KeyboardInterrupt:
            stopped_by = INTERRUPT
        taking_part = [record for record in records if record.selector.name not in self.too_slow]
        n_whole = max(1, min(len(record) for record in taking_part))
        for record in records:
            record.cut(n_whole if record in taking_part else 0)
        return records, stopped_by

    def _drop_slow(self, records: list[Record], number: int, per_fold: float, deadline: float) -> None:
        """Let methods that take much of a fold's time leave while there is no time for all folds with them."""
        n_left = len(self.folds) - number
        taking_part = [r for r in records if len(r) == number and r.selector.name != ALL]
        while len(taking_part) > 1 and self.clock() + n_left * per_fold > deadline:
            slowest = max(taking_part, key=lambda record: float(np.mean(record.seconds)))
            seconds = float(np.mean(slowest.seconds))
            if seconds < min(SLOW, SLOW_TIMES / len(taking_part)) * per_fold:
                return
            self._leave(slowest)
            taking_part.remove(slowest)
            per_fold -= seconds

    def _leave(self, record: Record, seconds: float = 0.0) -> None:
        """Let a method go; its time, and these seconds of a fold that it did not end, say nothing of folds to come."""
        self.too_slow.append(record.selector.name)
        self._seconds_gone += float(np.sum(record.seconds)) + seconds
        record.cut(0)

    def _fold_seconds(self, records: list[Record], started: float, number: int) -> float:
        """Return what a fold takes, and the last run of the slowest method."""
        taking_part = [record for record in records if len(record) == number]
        slowest = max((float(np.mean(record.seconds)) for record in taking_part), default=0.0)
        return (self.clock() - started - self._seconds_gone) / number + slowest

    def _fold(
        self,
        records: list[Record],
        number: int,
        deadline: float | None,
        on_progress: Callable[[str], None] | None,
    ) -> bool:
        """Run all methods on a fold; return whether there was time for all."""
        rows = self.folds[number][0]
        assert self.problem is not None
        judged: dict[bytes, Judgement] = {}
        whole = Training(self.table, self.target, self.seed, self.problem, encoded=self.matrix)
        training = whole.take(rows, self.seed + number)
        for k, record in enumerate(records):
            left = None if deadline is None else deadline - self.clock()
            if left is not None and left <= 0:
                return False
            status = f"fold {number + 1} of {len(self.folds)}: {record.selector.name}"
            if on_progress is not None:
                on_progress(status)
            share = None if left is None else min(left, SHARES * left / self._n_runs(records, number, k))
            budget = Budget(share, on_progress)
            began = self.clock()
            try:
                with warnings.catch_warnings(), repeated(len(self.folds)):
                    warnings.simplefilter("ignore")  # what is worth a note is noted once, for all the data
                    mask, seconds = record.selector.timed(training, budget)
            except OutOfBudgetError:
                self._leave(record, self.clock() - began)
                continue
            if budget.is_cut and record.selector.name not in self.by_clock:
                self.by_clock.append(record.selector.name)
            if mask.tobytes() not in judged:  # methods often agree
                judged[mask.tobytes()] = self._judge(mask, number)
            record.add(mask, seconds, judged[mask.tobytes()], record.selector.curve(training))
        return True

    @cached_property
    def _threads(self) -> ThreadpoolController:
        """Return what limits the threads of the libraries that are loaded; looking for these takes a while."""
        from threadpoolctl import ThreadpoolController

        return ThreadpoolController()

    def _n_runs(self, records: list[Record], number: int, k: int) -> int:
        """Count the runs that are still to come."""
        return (len(self.folds) - number) * len(records) - k

    def _judge(self, mask: np.ndarray, number: int) -> Judgement:
        """Let learners learn from the chosen features of the training rows, and see how they predict the others."""
        rows, test = self.folds[number]
        assert self.problem is not None
        task, metric = self.problem.task, self.problem.metric
        X, usual = self.matrix.of(mask, rows), usual_answer(self.target[rows], task)
        with self._threads.limit(limits=1):  # on small matrices, threads wait for each other more than they work
            found = {
                name: answers(learner, X, self.target, rows, test, task) for name, learner in self.learners.items()
            }
        return {name: (metric.score(self.target[test], given, usual, task), given) for name, given in found.items()}


# What a page can show: rows, and points of a curve.
MOST_ROWS, MOST_POINTS, MOST_CLASSES = 5000, 200, 20


def unseen_predictions(
    record: Record, favorites: list[str], parts: list[Fold], target: np.ndarray, task: Task, metric: Metric
) -> dict[str, Any]:
    """Return the predictions for every row that was left out, once, and the curves that they draw.

    ``rows`` are numbers of rows from 0 (a sample of them, if there are many), ``actual`` and ``predicted`` codes of
    classes or values, ``probabilities`` one list a class. For classes there is the ``confusion`` matrix (a row for
    every true class); for two, also the ``roc`` and ``precision_recall`` curves of the positive one.
    """
    rows, answers, labels = _once(record, favorites, parts, target, task, metric)
    actual = target[rows]
    kept = np.linspace(0, len(rows) - 1, min(len(rows), MOST_ROWS)).astype(np.intp)
    found: dict[str, Any] = {
        "rows": rows[kept].tolist(),
        "actual": actual[kept].tolist(),
        "predicted": labels[kept].tolist(),
    }
    if task.is_regression:
        return found
    if task.n_classes <= MOST_CLASSES:
        found["probabilities"] = np.round(answers[kept], 4).T.tolist()
    confusion = np.zeros((task.n_classes, task.n_classes), dtype=np.int64)
    np.add.at(confusion, (actual, labels), 1)
    found["confusion"] = confusion.tolist()
    if task.positive is not None:
        found |= ranking_curves(actual == task.positive, answers[:, task.positive])
    return found


def _once(
    record: Record, favorites: list[str], parts: list[Fold], target: np.ndarray, task: Task, metric: Metric
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the rows that were left out, each once, with the answers and labels of the learner that counted."""
    seen: set[int] = set()
    rows, answers, labels = [], [], []
    for (training, test), name, judgement in zip(parts, favorites, record.judgements, strict=False):
        new = np.array([row not in seen for row in test.tolist()])
        seen |= set(test.tolist())
        given = judgement[name][1][new]
        rows.append(test[new])
        answers.append(given)
        labels.append(_labels(given, usual_answer(target[training], task), task, metric))
    order = np.argsort(np.concatenate(rows), kind="stable")
    return tuple(np.concatenate(values)[order] for values in (rows, answers, labels))  # type: ignore[return-value]


def _labels(answers: np.ndarray, shares: np.ndarray, task: Task, metric: Metric) -> np.ndarray:
    if task.is_regression:
        return answers
    return answers.argmax(axis=1) if metric is ACCURACY else labels_of(answers, shares)


def ranking_curves(is_positive: np.ndarray, scores: np.ndarray) -> dict[str, Any]:
    """Return the ROC and precision-recall curves, thinned to what can be drawn."""
    order = np.argsort(-scores, kind="stable")
    last = np.r_[np.flatnonzero(np.diff(scores[order])), len(scores) - 1]  # where a threshold can lie
    hits, asked = np.cumsum(is_positive[order])[last], last + 1
    n_positive = max(1, int(is_positive.sum()))
    n_negative = max(1, len(is_positive) - n_positive)
    shown = np.unique(np.linspace(0, len(last) - 1, min(len(last), MOST_POINTS)).astype(np.intp))
    recall = (hits / n_positive)[shown]
    return {
        "roc": {
            "false_positive_rate": [0.0, *((asked - hits) / n_negative)[shown].tolist()],
            "true_positive_rate": [0.0, *recall.tolist()],
        },
        "precision_recall": {"recall": recall.tolist(), "precision": (hits / asked)[shown].tolist()},
    }
