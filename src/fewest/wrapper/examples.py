"""The examples of a wrapper: features of any kind that a learner takes, targets, and what else has a value a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import narwhals.stable.v1 as nw
import numpy as np

from fewest.estimators.input import is_frame


@dataclass(frozen=True)
class Examples:
    """Features, target, and the parameters of fitting and scoring that have a value for every row."""

    X: Any
    y: np.ndarray
    fit_params: dict[str, Any] = field(default_factory=dict)
    score_params: dict[str, Any] = field(default_factory=dict)
    weights: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.y)

    def rows(self, which: np.ndarray) -> Examples:
        """Return some of the examples."""
        return Examples(
            rows_of(self.X, which),
            self.y[which],
            {name: _of_rows(value, which, len(self)) for name, value in self.fit_params.items()},
            {name: _of_rows(value, which, len(self)) for name, value in self.score_params.items()},
            None if self.weights is None else self.weights[which],
        )

    def columns(self, features: Sequence[int]) -> Any:
        """Return some of the features."""
        return columns_of(self.X, features)


def n_rows(X) -> int:
    """Count the rows of a frame, an array or a sparse matrix."""
    return X.shape[0]


def rows_of(X, which: np.ndarray):
    """Return rows of a frame, an array or a sparse matrix."""
    if isinstance(X, np.ndarray):
        return X[which]
    if is_frame(X):
        return nw.from_native(X)[np.asarray(which).tolist()].to_native()
    return X.tocsr()[which] if hasattr(X, "tocsr") else X[which]


def columns_of(X, features: Sequence[int]):
    """Return columns of a frame, an array or a sparse matrix."""
    positions = [int(feature) for feature in features]
    if is_frame(X):
        return nw.from_native(X)[:, positions].to_native()
    return (X.tocsc() if hasattr(X, "tocsc") else X)[:, positions]


def _of_rows(value, which: np.ndarray, count: int):
    """Return the rows of what has a value for every row, and the rest as it is."""
    if isinstance(value, str | bytes | dict) or not hasattr(value, "__len__") or len(value) != count:
        return value
    if isinstance(value, list | tuple):
        return [value[i] for i in which]
    return rows_of(value, which)


def weights_of(examples: Examples) -> np.ndarray:
    """Return the weight of every example."""
    return np.ones(len(examples)) if examples.weights is None else examples.weights


def constant_of(examples: Examples, is_classifier: bool):
    """Return what is predicted without features: the majority class, or the mean."""
    if not is_classifier:
        return np.average(examples.y, weights=examples.weights)
    classes, of_row = np.unique(examples.y, return_inverse=True)
    return classes[np.bincount(of_row, examples.weights).argmax()]
