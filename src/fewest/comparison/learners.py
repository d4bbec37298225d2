"""Learners that judge the chosen features, and the matrix of floats that they need."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fewest.exceptions import ParameterError
from fewest.table import Column, Kind, Table

USUAL = ("tree", "neighbours", "logistic")
LEARNERS = (*USUAL, "forest")
N_INNER = 3
# Categories that get a column of their own; rarer ones share none.
MOST_CATEGORIES = 50


def learners(wanted: Sequence[str] | Mapping[str, Any] | None, seed: int) -> dict[str, Any]:
    """Return learners by name; classifiers of any library by the names given to them."""
    if wanted is None:
        wanted = USUAL
    if isinstance(wanted, Mapping):
        return dict(wanted)
    for name in wanted:
        if name not in LEARNERS:
            raise ParameterError.from_choice("learner", name, LEARNERS)
    return {name: _new_learner(name, seed) for name in wanted}


def _new_learner(name: str, seed: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.tree import DecisionTreeClassifier

    return {
        "tree": DecisionTreeClassifier(random_state=seed),
        "neighbours": KNeighborsClassifier(5),
        "logistic": LogisticRegression(max_iter=300),
        "forest": RandomForestClassifier(100, random_state=seed),
    }[name]


class FeatureMatrix:
    """The whole table as one matrix of floats, with the feature that each of its columns belongs to."""

    def __init__(self, table: Table):
        blocks = [_floats(column) for column in table]
        self.matrix = np.column_stack(blocks) if blocks else np.empty((table.n_rows, 0), dtype=np.float32)
        ends = np.cumsum([block.shape[1] for block in blocks])
        self.feature = np.searchsorted(ends, np.arange(self.matrix.shape[1]), side="right")

    def of(self, mask: np.ndarray, training: np.ndarray) -> np.ndarray:
        """Return the columns of some features, scaled by the training rows; a missing value is their mean."""
        part = self.matrix[:, mask[self.feature]]
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
    counts = np.bincount(column.values[~missing].astype(np.intp), minlength=len(column.labels))
    frequent = np.argsort(-counts, kind="stable")[:MOST_CATEGORIES]
    if len(frequent) == 2 and not missing.any():
        frequent = frequent[1:]  # the other is its opposite
    return (column.values[:, None] == frequent).astype(np.float32)


def predicted(learner: Any, X: np.ndarray, classes: np.ndarray, training: np.ndarray, test: np.ndarray) -> np.ndarray:
    """Learn from training rows and predict the others; without features, the most frequent class."""
    if not X.shape[1] or len(np.unique(classes[training])) < 2:
        return np.full(len(test), np.bincount(classes[training]).argmax())
    from sklearn.base import clone

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of convergence, which a comparison need not reach
        return clone(learner).fit(X[training], classes[training]).predict(X[test])


def favourite(known: dict[str, Any], X: np.ndarray, classes: np.ndarray, training: np.ndarray, seed: int) -> str:
    """Return the name of the learner that predicts best within the training rows, in three folds."""
    if len(known) == 1:
        return next(iter(known))
    right = dict.fromkeys(known, 0)
    for inner, held_out in folds(classes[training], N_INNER, 1, seed):
        for name, learner in known.items():
            found = predicted(learner, X, classes, training[inner], training[held_out])
            right[name] += int((found == classes[training[held_out]]).sum())
    return max(right, key=lambda name: right[name])


def folds(classes: np.ndarray, n_splits: int, n_repeats: int, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return training and test rows, the classes of each part as mixed as those of all."""
    from sklearn.model_selection import RepeatedStratifiedKFold

    n_splits = max(2, min(n_splits, int(np.bincount(classes).max())))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of classes with fewer rows than there are folds
        made = RepeatedStratifiedKFold(n_splits=n_splits, n_repeats=n_repeats, random_state=seed)
        return list(made.split(np.empty((len(classes), 0)), classes))
