"""Nested validation within a time limit, and how sure the accuracies are that come of it."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from math import sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from fewest.budget import INTERRUPT, TIME_LIMIT, Budget
from fewest.comparison.learners import FeatureMatrix, favourite, predicted
from fewest.comparison.selectors import Selector, Training
from fewest.table import Table

# Of the time that is left, a method may take so many times its share: most need less.
SHARES = 3.0
CONFIDENCE = 0.95


@dataclass
class Record:
    """The features that one method chose, fold by fold, and how well learners did with them."""

    selector: Selector
    masks: list[np.ndarray] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    accuracies: list[float] = field(default_factory=list)
    favourites: list[str] = field(default_factory=list)
    by_learner: list[dict[str, float]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.masks)

    def add(self, mask: np.ndarray, seconds: float, scores: dict[str, float], favourite: str) -> None:
        """Add a fold: what was chosen, how long that took, and how well learners did with it."""
        self.masks.append(mask)
        self.seconds.append(seconds)
        self.by_learner.append(scores)
        self.favourites.append(favourite)
        self.accuracies.append(scores[favourite])

    def cut(self, n_folds: int) -> None:
        """Forget later folds, which not all methods have seen."""
        for values in (self.masks, self.seconds, self.accuracies, self.favourites, self.by_learner):
            del values[n_folds:]


@dataclass
class Validation:
    """Methods and learners on the folds of a table: every method on a fold before any method on the next."""

    table: Table
    classes: np.ndarray
    selectors: list[Selector]
    learners: dict[str, Any]
    folds: list[tuple[np.ndarray, np.ndarray]]
    seed: int = 0
    clock: Callable[[], float] = time.monotonic

    def run(
        self, time_limit: float | None, on_progress: Callable[[str], None] | None
    ) -> tuple[list[Record], str | None]:
        """Return a record for every method, all with the same folds, and what stopped the comparison early.

        A fold is begun if there is time for it, by the folds before it.
        A method that has no time even on the first fold has an empty record.
        """
        self._matrix = FeatureMatrix(self.table)
        records = [Record(selector) for selector in self.selectors]
        started, stopped_by = self.clock(), None
        deadline = None if time_limit is None else started + time_limit
        try:
            for number in range(len(self.folds)):
                if self._is_too_late(started, deadline, number):
                    stopped_by = TIME_LIMIT
                    break
                if not self._fold(records, number, deadline, on_progress):
                    stopped_by = TIME_LIMIT
                    break
        except KeyboardInterrupt:
            stopped_by = INTERRUPT
        n_whole = max(1, min(len(record) for record in records))
        for record in records:
            record.cut(n_whole)
        return records, stopped_by

    def _is_too_late(self, started: float, deadline: float | None, n_done: int) -> bool:
        if deadline is None or not n_done:
            return False
        now = self.clock()
        return now + (now - started) / n_done > deadline

    def _fold(
        self,
        records: list[Record],
        number: int,
        deadline: float | None,
        on_progress: Callable[[str], None] | None,
    ) -> bool:
        """Run all methods on a fold; return whether there was time for all."""
        rows = self.folds[number][0]
        judged: dict[bytes, tuple[dict[str, float], str]] = {}
        training = Training(self.table.take(rows), self.classes[rows], self.seed + number)
        for k, record in enumerate(records):
            left = None if deadline is None else deadline - self.clock()
            if left is not None and left <= 0:
                return False
            status = f"fold {number + 1} of {len(self.folds)}: {record.selector.name}"
            if on_progress is not None:
                on_progress(status)
            share = None if left is None else min(left, SHARES * left / self._n_runs(records, number, k))
            budget = Budget(share, on_progress)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what is worth a note is noted once, for all the data
                mask, seconds = record.selector.timed(training, budget)
            if mask.tobytes() not in judged:  # methods often agree
                judged[mask.tobytes()] = self._judge(mask, number)
            record.add(mask, seconds, *judged[mask.tobytes()])
        return True

    def _n_runs(self, records: list[Record], number: int, k: int) -> int:
        """Count the runs that are still to come."""
        return (len(self.folds) - number) * len(records) - k

    def _judge(self, mask: np.ndarray, number: int) -> tuple[dict[str, float], str]:
        """Let learners learn from the chosen features of the training rows, and see how they predict the others.

        The favourite among them is chosen on the training rows alone.
        """
        from threadpoolctl import threadpool_limits

        rows, test = self.folds[number]
        X = self._matrix.of(mask, rows)
        with threadpool_limits(1):  # on small matrices, threads wait for each other more than they work
            scores = {name: self._accuracy(learner, X, rows, test) for name, learner in self.learners.items()}
            return scores, favourite(self.learners, X, self.classes, rows, self.seed + number)

    def _accuracy(self, learner: Any, X: np.ndarray, rows: np.ndarray, test: np.ndarray) -> float:
        return float((predicted(learner, X, self.classes, rows, test) == self.classes[test]).mean())


class Interval(NamedTuple):
    """A mean and the ends of its confidence interval."""

    mean: float
    low: float
    high: float


def corrected_error(values: np.ndarray, test_share: float) -> float | None:
    """Return the standard error of a mean over folds; ``test_share`` is n_test / n_train. None for a single fold.

    The folds share most of their training rows, so that the plain variance of
    their mean is too small. Nadeau and Bengio (2003), *Inference for the
    Generalization Error*, Machine Learning 52, multiply it by
    1 + n_folds * n_test / n_train.
    """
    if len(values) < 2:
        return None
    return sqrt((1 / len(values) + test_share) * float(np.var(values, ddof=1)))


def accuracy_interval(accuracies: np.ndarray, test_share: float, n_tested: int) -> Interval:
    """Return the mean accuracy over folds with its 95% interval.

    The corrected interval, but none narrower than so many different rows
    allow (Wilson, 1927): a method that is right in every fold may
    still be wrong about the next row.
    """
    mean, error = float(np.mean(accuracies)), corrected_error(accuracies, test_share)
    low, high = wilson(mean, n_tested)
    if error is not None:
        from scipy.stats import t

        margin = float(t.ppf(0.5 + CONFIDENCE / 2, len(accuracies) - 1)) * error
        low, high = min(low, mean - margin), max(high, mean + margin)
    return Interval(mean, max(0.0, low), min(1.0, high))


def wilson(share: float, n: int) -> tuple[float, float]:
    """Return the score interval of a share of n trials."""
    z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    margin = z / (1 + z**2 / n) * sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return centre - margin, centre + margin
