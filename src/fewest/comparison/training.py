"""The part of the data that a selector may see, encoded once for all selectors."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from fewest.comparison.folds import Splitting
from fewest.comparison.learners import FeatureMatrix, scaled, usual_answer
from fewest.comparison.metrics import Metric, Task, baseline, metrics_for, others_that_count
from fewest.cover.sample import Sample
from fewest.table import Kind, Table
from fewest.table.discretize import in_intervals

# Intervals of about equally many rows, for the information that a numeric column has.
N_BINS = 8

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Problem:
    """What does not depend on the fold: the task, what decides and what else counts, how rows are divided again."""

    task: Task
    metric: Metric
    splitting: Splitting = field(default_factory=Splitting)
    others: tuple[Metric, ...] = ()

    @classmethod
    def of(cls, target: np.ndarray) -> Problem:
        """Return the usual problem of predicting classes from 0 on."""
        task = Task.of(target, int(target.max(initial=0)) + 1)
        metrics = metrics_for(task)
        return cls(task, metrics[0], others=others_that_count(metrics, None))


@dataclass(frozen=True, eq=False)
class Training:
    """Training rows and their target, with what several selectors need of them.

    Attributes
    ----------
    table : Table
    target : ndarray of shape (n_rows,)
        Codes of classes, or numeric values.
    seed : int
    problem : Problem
    rows : ndarray of int
        Where these rows are among those that they were taken from.
    """

    table: Table
    target: np.ndarray
    seed: int = 0
    problem: Problem | None = None
    rows: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    encoded: FeatureMatrix | None = None
    _kept: dict[Any, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def _problem(self) -> Problem:
        return self.problem or Problem.of(self.target)

    @property
    def task(self) -> Task:
        """Return what is predicted."""
        return self._problem.task

    @property
    def metric(self) -> Metric:
        """Return what decides."""
        return self._problem.metric

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """Return what decides and what else counts."""
        return (self._problem.metric, *self._problem.others)

    @cached_property
    def guess(self) -> float:
        """Return what guessing scores on these rows."""
        return baseline(self.metric, self.target, usual_answer(self.target, self.task), self.task)

    @property
    def class_counts(self) -> np.ndarray:
        """Return the rows of every class; of a numeric target all of them."""
        return np.array([len(self.target)]) if self.task.is_regression else np.bincount(self.target)

    @cached_property
    def matrix(self) -> FeatureMatrix:
        """Return the features as columns of floats."""
        return self.encoded or FeatureMatrix(self.table)

    @cached_property
    def standardized(self) -> np.ndarray:
        """Return these columns scaled, without missing values."""
        return scaled(self.matrix.matrix, np.arange(self.table.n_rows))

    @cached_property
    def inner(self) -> list[tuple[Training, np.ndarray]]:
        """Return the inner folds: what may learn, and the rows that judge."""
        parts = self._problem.splitting.inner(self.target, self.task, self.seed)
        return [(self.take(rows, self.seed + 1 + k), test) for k, (rows, test) in enumerate(parts)]

    def take(self, rows: np.ndarray, seed: int) -> Training:
        """Return the part that knows some rows only."""
        problem = replace(self._problem, splitting=self._problem.splitting.take(rows))
        return Training(self.table.take(rows), self.target[rows], seed, problem, rows, self.matrix.take(rows))

    def shared(self, key: Any, compute: Callable[[], T]) -> T:
        """Return what another selector may have computed before."""
        if key not in self._kept:
            self._kept[key] = compute()
        return self._kept[key]

    @cached_property
    def sample(self) -> Sample:
        """Return the rows as discrete values, numeric columns cut into intervals that these very rows suggest."""
        return Sample.from_table(in_intervals(self.table, self.target), self.target)

    @cached_property
    def seconds_for_sample(self) -> float:
        """Return the seconds that encoding the sample took; every method that uses it is charged with them."""
        started = time.perf_counter()
        _ = self.sample
        return time.perf_counter() - started

    @cached_property
    def bins(self) -> np.ndarray:
        """Return a small code for every value: categories as they are, numeric values in bins of about equal size."""
        found = np.empty((self.table.n_rows, len(self.table.columns)), dtype=np.int64)
        numeric = [j for j, column in enumerate(self.table) if column.kind is Kind.NUMERIC]
        for j, column in enumerate(self.table):
            if column.kind is not Kind.NUMERIC:
                found[:, j] = np.where(column.is_missing, len(column.labels), column.values)
        if numeric:
            found[:, numeric] = _binned(self.floats[:, numeric])
        return found

    @cached_property
    def floats(self) -> np.ndarray:
        """Return the rows as floats, categories as their codes, for selectors of other libraries."""
        columns = [np.where(column.is_missing, np.nan, column.values) for column in self.table]
        return np.column_stack(columns) if columns else np.empty((self.table.n_rows, 0))


def _binned(values: np.ndarray) -> np.ndarray:
    """Return the bin of every value of its column, about equally many rows in each; NaN has one of its own.

    A bin ends at one of the column's quantiles; the last ends below the largest value, so that there are two at least.
    """
    missing = np.isnan(values)
    known = len(values) - missing.sum(axis=0)
    wanted = np.floor(np.maximum(known - 1, 0) * (np.arange(1, N_BINS) / N_BINS)[:, None]).astype(np.intp)
    ends = np.take_along_axis(np.sort(values, axis=0), wanted, axis=0)  # NaN comes last
    largest = np.where(missing, -np.inf, values).max(axis=0)
    below = np.where(values < largest, values, -np.inf).max(axis=0)
    ends = np.where(ends >= largest, below, ends)
    bins = np.zeros(values.shape, dtype=np.int64)
    for end in ends:
        bins += values > end
    bins[missing] = N_BINS
    return bins
