"""From what a scikit-learn user passes to ``fit`` to typed columns and class numbers."""

from __future__ import annotations

import narwhals.stable.v1 as nw
import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_consistent_length, column_or_1d, validate_data

from fewest.table import Table, from_array, from_frame, from_sparse


def validated_examples(estimator, X, y) -> tuple[Table, np.ndarray]:
    """Check features and classes; remember the feature names and their number on the estimator.

    Frames keep the types of their columns, whatever library they come from;
    everything else goes through scikit-learn's own validation.
    """
    if is_frame(X):
        table = from_frame(X)
        validate_data(estimator, X, y, skip_check_array=True)
        refuse_nothing(estimator, table)
        y = column_or_1d(check_array(y, ensure_2d=False, dtype=None), warn=True)
        check_consistent_length(X, y)
    else:
        if isinstance(X, list | tuple) and np.asarray(X).dtype.kind == "U":
            X = np.array(X, dtype=object)  # NumPy would turn the numbers among the texts into texts
        X, y = validate_data(estimator, X, y, dtype=None, accept_sparse="csc", ensure_all_finite="allow-nan")
        table = from_sparse(X) if hasattr(X, "tocsc") else from_array(X)
    check_classification_targets(y)
    return table, y


def is_frame(X: object) -> bool:
    """Return whether ``X`` is a dataframe of some library; a lazy one counts, and is refused with the remedy later."""
    return nw.dependencies.is_into_dataframe(X) or nw.dependencies.is_polars_lazyframe(X)


def refuse_nothing(estimator, table: Table) -> None:
    """Raise, in scikit-learn's words, when a frame has no rows or no columns."""
    if not table.columns:
        raise ValueError(
            f"Found array with 0 feature(s) (shape=({table.n_rows}, 0)) while a minimum of 1 is required by "
            f"{type(estimator).__name__}."
        )
    if table.n_rows == 0:
        raise ValueError(
            f"Found array with 0 sample(s) (shape=(0, {len(table.columns)})) while a minimum of 1 is required by "
            f"{type(estimator).__name__}."
        )
