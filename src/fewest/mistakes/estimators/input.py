"""From what a scikit-learn user passes to Boolean examples: numbers by a threshold, and all else refused."""

from __future__ import annotations

from math import isfinite
from numbers import Real
from typing import Any

import numpy as np
from scipy.sparse import csr_array, csr_matrix
from sklearn.utils.validation import validate_data

from fewest.estimators.input import as_frame_with_columns
from fewest.exceptions import NotBooleanError, ParameterError
from fewest.mistakes.examples import Dense, Examples, PackedBits, Sparse
from fewest.table import Kind, Table

BOOLEAN_ARRAY = {"dtype": None, "accept_sparse": "csr"}
SPARSE_ROWS = csr_array, csr_matrix


def boolean_examples(estimator, X, *, reset: bool) -> Examples:
    """Check that data has the right features, and return it as Boolean; remember the features if ``reset``.

    A number above the estimator's ``binarize`` is true; where that is None, numbers but 0 and 1 are refused.
    """
    if isinstance(X, PackedBits):
        return _packed(estimator, X, reset=reset)
    if (quick := _quick(estimator, X, reset=reset)) is not None:
        return quick
    X = validate_data(estimator, as_frame_with_columns(estimator, X), reset=reset, **BOOLEAN_ARRAY)
    return as_examples(binarized(X, estimator.binarize), type(estimator).__name__)


def binarized(X, threshold: Any):
    """Return whether the numbers of a validated matrix are above a threshold; None, text and Booleans change nothing.

    Objects are compared unless there is text or a missing value among them.
    """
    if threshold is None or X.dtype.kind == "b":
        return X
    if isinstance(threshold, bool) or not isinstance(threshold, Real) or not isfinite(threshold):
        raise ParameterError(f"binarize={threshold!r} is no number to compare with. Let it be a number, or None.")
    if hasattr(X, "tocsr"):
        if threshold < 0:
            raise ParameterError(
                f"binarize={threshold} makes every zero of a sparse matrix true, so that it would not be sparse. Let "
                "it be 0 or more, or pass a dense array."
            )
        X = _without_duplicates(X.tocsr())
        above = csr_array((threshold < X.data, X.indices, X.indptr), shape=X.shape)
        above.has_canonical_format = True
        return above
    if X.dtype.kind == "O":
        return X if any(value is None or isinstance(value, str) for value in X.flat) else X.astype(float) > threshold
    return threshold < X if X.dtype.kind in "iuf" else X


def as_examples(X, learner: str) -> Examples:
    """Return a validated matrix as Boolean examples."""
    if hasattr(X, "tocsr"):
        return _sparse(X.tocsr(), learner)
    if X.dtype != bool:
        _refuse_others(X, learner)
    return Dense(np.ascontiguousarray(X).view(np.uint8) if X.dtype == bool else np.ascontiguousarray(X, dtype=np.uint8))


def as_dense(X, learner: str) -> np.ndarray:
    """Return a validated dense matrix as zeros and ones, a byte each."""
    examples = as_examples(X, learner)
    assert isinstance(examples, Dense)
    return examples.rows


def examples_of(table: Table, learner: str) -> Dense:
    """Return typed columns as Boolean examples."""
    rows = np.empty((table.n_rows, len(table.columns)), dtype=np.uint8)
    for j, column in enumerate(table):
        others = (column.values != 0) & (column.values != 1) | (column.kind is Kind.NOMINAL)
        if others.any():
            raise NotBooleanError.from_value(column.value_at(int(np.argmax(others))), learner)
        rows[:, j] = column.values
    return Dense(rows)


def _quick(estimator, X, *, reset: bool) -> Examples | None:
    """Return what is Boolean by its type without all the checks, which cost more than learning from many examples."""
    has_names = hasattr(estimator, "feature_names_in_")
    if has_names and not reset:
        return None
    examples = _plainly_boolean(X)
    if examples is None or not (reset or examples.n_features == estimator.n_features_in_):
        return None
    if has_names:
        del estimator.feature_names_in_
    estimator.n_features_in_ = examples.n_features
    return examples


def _plainly_boolean(X) -> Dense | Sparse | None:
    if type(X) is np.ndarray:
        if X.ndim != 2 or not X.size or not X.flags.c_contiguous:
            return None
        if X.dtype == bool:
            return Dense(X.view(np.uint8))
        return Dense(X) if X.dtype == np.uint8 and X.max() <= 1 else None
    is_right = isinstance(X, SPARSE_ROWS) and X.dtype == bool and X.ndim == 2 and min(X.shape) > 0
    return _sparse(X, "") if is_right else None


def _packed(estimator, X: PackedBits, *, reset: bool) -> PackedBits:
    name = type(estimator).__name__
    if not X.fits():
        raise ParameterError(
            f"The words of these PackedBits do not hold {X.n_features} features a row, so {name} cannot read them. "
            "Make them with PackedBits.from_dense."
        )
    if not len(X):
        raise ValueError(f"Found array with 0 sample(s) (shape={X.shape}) while a minimum of 1 is required by {name}.")
    if reset:
        estimator.n_features_in_ = X.n_features
    elif X.n_features != estimator.n_features_in_:
        raise ValueError(
            f"X has {X.n_features} features, but {name} is expecting {estimator.n_features_in_} features as input."
        )
    return X


def _sparse(X, learner: str) -> Sparse:
    X = _without_duplicates(X)
    if X.dtype != bool:
        _refuse_others(X.data, learner)
    if not X.data.all():
        X = X.copy()
        X.eliminate_zeros()
    return Sparse(X.indptr, X.indices, X.shape[1])


def _without_duplicates(X):
    """Return sparse rows in which no feature occurs twice; scipy would change those that were passed."""
    if X.has_canonical_format:
        return X
    X = X.copy()
    X.sum_duplicates()
    return X


def _refuse_others(values: np.ndarray, learner: str) -> None:
    """Raise when some value is neither 0 nor 1."""
    if values.dtype == np.uint8:
        others = values[values > 1][:1]
    else:
        is_boolean = (values == 0) | (values == 1)
        others = values[~np.broadcast_to(is_boolean, values.shape)][:1]
    if len(others):
        raise NotBooleanError.from_value(others[0].item() if hasattr(others[0], "item") else others[0], learner)
