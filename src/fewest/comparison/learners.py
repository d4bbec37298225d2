"""Learners that judge the chosen features, and the matrix of floats that they need."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

import numpy as np

from fewest.comparison.metrics import Task
from fewest.exceptions import ParameterError
from fewest.table import Column, Kind, Table

# Of these the linear one, the one of rules and the one of similar rows are wrong about different data.
USUAL = ("logistic", "tree", "neighbors")
USUAL_REGRESSORS = ("ridge", "tree", "neighbors")
LEARNERS, REGRESSORS = (*USUAL, "forest"), (*USUAL_REGRESSORS, "forest")
# Categories that get a column of their own; rarer ones share none.
MOST_CATEGORIES = 50
# Probabilities of a tree or of neighbors can be 0; a little of the usual ones is mixed in, so that none is impossible.
MIXED_IN = 0.02


def learners(wanted: Sequence[str] | Mapping[str, Any] | None, task: Task, n_rows: int, seed: int) -> dict[str, Any]:
    """Return learners by name, fit for so many rows; estimators of any library by the names given to them."""
    if wanted is None:
        wanted = USUAL_REGRESSORS if task.is_regression else USUAL
    if isinstance(wanted, Mapping):
        return dict(wanted)
    known = REGRESSORS if task.is_regression else LEARNERS
    for name in wanted:
        if name not in known:
            raise ParameterError.from_choice("learner", name, known)
    make = _new_regressor if task.is_regression else _new_classifier
    return {name: make(name, n_rows, seed) for name in wanted}


def least_leaf(n_rows: int) -> int:
    """Return the rows that a leaf must hold, so that its shares of classes mean something."""
    return int(np.clip(n_rows / 100, 2, 20))


def n_near(n_rows: int) -> int:
    """Return how many near rows answer together."""
    return int(np.clip(np.sqrt(n_rows) / 3, 3, 20))


def _new_classifier(name: str, n_rows: int, seed: int) -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.tree import DecisionTreeClassifier

    if name == "forest":  # importing ensembles takes as long as some comparisons
        from sklearn.ensemble import RandomForestClassifier

        return RandomForestClassifier(100, min_samples_leaf=max(1, least_leaf(n_rows) // 4), random_state=seed)
    return {
        "tree": DecisionTreeClassifier(min_samples_leaf=least_leaf(n_rows), random_state=seed),
        "neighbors": KNeighborsClassifier(n_near(n_rows)),
        "logistic": LogisticRegression(max_iter=200),
    }[name]


def _new_regressor(name: str, n_rows: int, seed: int) -> Any:
    from sklearn.linear_model import Ridge
    from sklearn.neighbors import KNeighborsRegressor
    from sklearn.tree import DecisionTreeRegressor

    if name == "forest":
        from sklearn.ensemble import RandomForestRegressor

        return RandomForestRegressor(100, min_samples_leaf=2, random_state=seed)
    return {
        "tree": DecisionTreeRegressor(min_samples_leaf=max(5, least_leaf(n_rows)), random_state=seed),
        "neighbors": KNeighborsRegressor(n_near(n_rows)),
        "ridge": Ridge(),
    }[name]


class FeatureMatrix:
    """The whole table as one matrix of floats, with the feature that each of its columns belongs to."""

    def __init__(self, table: Table):
        blocks = [_floats(column) for column in table]
        self.matrix = np.column_stack(blocks) if blocks else np.empty((table.n_rows, 0), dtype=np.float32)
        widths = np.array([block.shape[1] for block in blocks], dtype=np.intp)
        self.feature = np.repeat(np.arange(len(blocks)), widths)
        self.starts = np.r_[0, np.cumsum(widths)].astype(np.intp)

    def take(self, rows: np.ndarray) -> FeatureMatrix:
        """Return the same columns of some rows."""
        part = copy(self)
        part.matrix = self.matrix[rows]
        return part

    def columns_of(self, features: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return the columns of some features, in the order of these features."""
        return np.concatenate([np.arange(self.starts[j], self.starts[j + 1]) for j in features] or [np.empty(0, int)])

    def of(self, mask: np.ndarray, training: np.ndarray) -> np.ndarray:
        """Return the columns of some features, scaled by the training rows; a missing value is their mean."""
        return scaled(self.matrix[:, mask[self.feature]], training)

    def by_feature(self, values: np.ndarray, reduce: np.ufunc) -> np.ndarray:
        """Return one value a feature from one a column."""
        return reduce.reduceat(values, self.starts[:-1]) if len(self.starts) > 1 else np.empty(0)


def scaled(part: np.ndarray, training: np.ndarray) -> np.ndarray:
    """Return columns less their mean in the training rows, in units of their spread there; missing values are 0."""
    if not part.shape[1]:
        return part
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a column may be missing in all training rows
        mean, spread = np.nanmean(part[training], axis=0), np.nanstd(part[training], axis=0)
    mean = np.nan_to_num(mean)
    return np.nan_to_num((part - mean) / np.where(spread > 0, spread, 1))


def _floats(column: Column) -> np.ndarray:
    """Return a numeric value and, if needed, whether it is missing; or an indicator for each category."""
    missing = column.is_missing
    if column.kind is Kind.NUMERIC:
        known = [column.values.astype(np.float32)]
        return np.column_stack(known + ([missing.astype(np.float32)] if missing.any() else []))
    counts = np.bincount(column.values[~missing].astype(np.intp), minlength=max(1, len(column.labels)))
    frequent = np.argsort(-counts, kind="stable")[:MOST_CATEGORIES]
    if len(frequent) == 2 and not missing.any():
        frequent = frequent[1:]  # the other is its opposite
    return (column.values[:, None] == frequent).astype(np.float32)


def usual_answer(target: np.ndarray, task: Task) -> np.ndarray:
    """Return what is known without any feature: the shares of the classes, or the mean value."""
    if task.is_regression:
        return np.array([target.mean()])
    return np.bincount(target, minlength=task.n_classes) / len(target)


def answers(
    learner: Any, X: np.ndarray, target: np.ndarray, training: np.ndarray, test: np.ndarray, task: Task
) -> np.ndarray:
    """Learn from training rows and return the probabilities of the classes, or the values, of the others.

    Without features the usual answer is returned.
    """
    usual = usual_answer(target[training], task)
    if not X.shape[1]:
        return np.full(len(test), usual[0]) if task.is_regression else np.tile(usual, (len(test), 1))
    from sklearn.base import clone

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of convergence, which a comparison need not reach
        fitted = clone(learner).fit(X[training], target[training])
        if task.is_regression:
            return np.asarray(fitted.predict(X[test]), dtype=np.float64).reshape(len(test))
        if hasattr(fitted, "predict_proba"):
            found = np.zeros((len(test), task.n_classes))
            found[:, np.asarray(fitted.classes_, dtype=np.intp)] = fitted.predict_proba(X[test])
        else:
            found = np.eye(task.n_classes)[np.asarray(fitted.predict(X[test]), dtype=np.intp)]
    return (1 - MIXED_IN) * found + MIXED_IN * usual
