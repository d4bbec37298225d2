"""From what a scikit-learn user passes to ``fit`` to rows that can be compared by how far they lie apart."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import (
    check_array,
    check_consistent_length,
    column_or_1d,
    validate_data,
)

from fewest.estimators.input import as_frame, checked_weights, is_frame, refuse_nothing, refuse_quantities
from fewest.exceptions import ParameterError
from fewest.relief.rows import ArraySource, Source, SparseSource, TableSource
from fewest.table import Kind, Table, from_array, from_frame


def validated_rows(estimator, X, y, sample_weight, *, reset: bool, is_quantity: bool):
    """Check features, target and weights, and leave out the rows of weight 0.

    Numbers are quantities, truths and names are compared for equality;
    ``estimator.categorical_features`` says which numbers are names.

    Returns
    -------
    source : Source
    y : ndarray
    weights : ndarray or None
    """
    categorical = estimator.categorical_features
    X = as_frame(X)
    if is_frame(X):
        table = _typed_frame(X, categorical)
        validate_data(estimator, X, y, reset=reset, skip_check_array=True)
        refuse_nothing(estimator, table)
        y = column_or_1d(check_array(y, ensure_2d=False, dtype=None), warn=True)
        check_consistent_length(X, y)
        rows = table
    else:
        if isinstance(X, list | tuple) and np.asarray(X).dtype.kind == "U":
            X = np.array(X, dtype=object)  # NumPy would turn the numbers among the texts into texts
        X, y = validate_data(
            estimator, X, y, reset=reset, dtype=None, accept_sparse="csr", ensure_all_finite="allow-nan"
        )
        rows = X if _is_plain(X) and categorical is None else from_array(_dense(X), categorical=categorical)
    if is_quantity:
        y = _quantity(y)
    else:
        refuse_quantities(y)
    weights = checked_weights(sample_weight, len(y))
    if weights is None:
        return _source(rows), y, None
    kept = np.flatnonzero(weights)
    rows = rows.take(kept) if isinstance(rows, Table) else rows[kept]
    return _source(rows), y[kept], weights[kept]


def _typed_frame(X, categorical) -> Table:
    if categorical is None:
        return from_frame(X)
    names = [str(name) for name in X.columns]
    listed = np.asarray(categorical)
    if listed.dtype == bool and len(listed) != len(names):
        raise ParameterError(f"The mask categorical_features=... has {len(listed)} truths for {len(names)} columns.")
    chosen = [names[j] for j in np.flatnonzero(listed)] if listed.dtype == bool else categorical
    return from_frame(X, kinds={c if isinstance(c, str) else names[c]: Kind.NOMINAL for c in chosen})


def _is_plain(X) -> bool:
    return hasattr(X, "tocsr") or (X.dtype.kind in "biuf" and X.dtype.itemsize <= 8)


def _dense(X) -> np.ndarray:
    return X.toarray() if hasattr(X, "tocsr") else X


def _source(rows) -> Source:
    if isinstance(rows, Table):
        return TableSource(rows)
    return SparseSource(rows) if hasattr(rows, "tocsr") else ArraySource(rows)


def _quantity(y) -> np.ndarray:
    try:
        return np.asarray(y, dtype=np.float64)
    except ValueError:
        raise ParameterError("The target is no quantity, so nothing can be near it. Use ReliefF for classes.") from None
