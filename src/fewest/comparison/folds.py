"""Which rows learn and which judge: mixed by class, whole groups on one side, or the past before the future."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewest.comparison.metrics import Task
from fewest.exceptions import ParameterError

Fold = tuple[np.ndarray, np.ndarray]
# How often the training rows are divided again to choose something within them.
N_INNER = 3


@dataclass(frozen=True, eq=False)
class Splitting:
    """How rows are divided.

    Attributes
    ----------
    n_splits, n_repeats : int
    groups : ndarray of shape (n_rows,), optional
        Codes of groups; the rows of one are never on both sides.
    is_ordered : bool
        Whether rows are in the order of time, and only earlier ones learn.
    cv : splitter of scikit-learn or iterable of folds, optional
        Takes the place of all that, outside; inside, groups and order are still respected.
    """

    n_splits: int = 5
    n_repeats: int = 2
    groups: np.ndarray | None = None
    is_ordered: bool = False
    cv: Any = None

    def take(self, rows: np.ndarray) -> Splitting:
        """Return the same for some of the rows."""
        return self if self.groups is None else replace(self, groups=self.groups[rows])

    def outer(self, target: np.ndarray, task: Task, seed: int) -> list[Fold]:
        """Return the folds of a comparison."""
        if self.cv is not None:
            return self._of_cv(target, task)
        return self._folds(target, task, self.n_splits, self.n_repeats, seed)

    def inner(self, target: np.ndarray, task: Task, seed: int) -> list[Fold]:
        """Return folds within training rows."""
        return self._folds(target, task, N_INNER, 1, seed)

    def described(self) -> str:
        """State what was kept apart."""
        if self.is_ordered:
            return "only earlier rows learn, and later ones judge"
        if self.groups is not None:
            return "the rows of a group are never on both sides"
        return "as given" if self.cv is not None else "rows at random"

    def _folds(self, target: np.ndarray, task: Task, n_splits: int, n_repeats: int, seed: int) -> list[Fold]:
        from sklearn import model_selection as splitters

        parts: list[Fold] = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of classes with fewer rows than there are folds
            if self.is_ordered:
                return _usable(splitters.TimeSeriesSplit(n_splits).split(target), target, task)
            n_splits = self._possible(target, task, n_splits)
            for repeat in range(n_repeats):
                options = {"n_splits": n_splits, "shuffle": True, "random_state": (seed + 1000 * repeat) % (1 << 32)}
                if self.groups is not None:
                    kind = splitters.GroupKFold if task.is_regression else splitters.StratifiedGroupKFold
                else:
                    kind = splitters.KFold if task.is_regression else splitters.StratifiedKFold
                parts += list(kind(**options).split(np.empty((len(target), 1)), target, self.groups))
        return _usable(parts, target, task)

    def _possible(self, target: np.ndarray, task: Task, n_splits: int) -> int:
        """Return as many parts as the rows, the most frequent class or the groups allow."""
        n_units = len(target) if task.is_regression else int(np.bincount(target).max())
        if self.groups is not None:
            n_units = len(np.unique(self.groups))
        elif n_units < 2:
            raise ParameterError(
                "No class has two rows, so none can be both learned and judged. Group the classes, or give more rows."
            )
        return max(2, min(n_splits, n_units))

    def _of_cv(self, target: np.ndarray, task: Task) -> list[Fold]:
        from sklearn.model_selection import check_cv

        if isinstance(self.cv, int):
            return replace(self, cv=None, n_splits=self.cv, n_repeats=1).outer(target, task, 0)
        splitter = check_cv(self.cv, target, classifier=not task.is_regression)
        X = np.empty((len(target), 1))
        parts = [(np.asarray(a), np.asarray(b)) for a, b in splitter.split(X, target, self.groups)]
        return _usable(parts, target, task)


def _usable(parts: Iterable[Fold], target: np.ndarray, task: Task) -> list[Fold]:
    """Leave out folds from whose training rows nothing can be learned."""
    kept = [
        (training, test)
        for training, test in parts
        if len(test) and (len(training) > 1 if task.is_regression else len(np.unique(target[training])) > 1)
    ]
    if not kept:
        raise ParameterError(
            "No division of the rows leaves two classes to learn from. Take fewer folds, other groups, or more rows."
        )
    return kept


def group_codes(values: Any, n_rows: int) -> np.ndarray:
    """Return the numbers of groups, one a row, or raise."""
    names = np.asarray(values) if hasattr(values, "shape") else np.array([*values], dtype=object)
    if names.shape != (n_rows,):
        raise ParameterError(f"There are {n_rows} rows but groups of shape {names.shape}. Name one group a row.")
    _, codes = np.unique(names.astype(str) if names.dtype == object else names, return_inverse=True)
    if codes.max(initial=0) < 1:
        raise ParameterError("All rows are of one group, so that no rows are left to judge. Leave out groups.")
    return codes
