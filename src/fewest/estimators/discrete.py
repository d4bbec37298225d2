"""The base of estimators over discrete columns, and the names of the columns that transformers return."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from fewest.estimators.input import AnyColumnsMixin, validated_examples
from fewest.models.encoder import Encoder
from fewest.screening.distinct_values import TREE_OF_IDENTIFIERS, warn_of_distinct_values


class AnyColumns(AnyColumnsMixin, BaseEstimator):
    """An estimator of discrete columns: nominal, Boolean, numeric by value, each with missing values."""

    def _encoded(self, X, y) -> tuple[Encoder, np.ndarray, np.ndarray]:
        """Return the encoder, the codes and the class numbers of training data; store ``classes_``."""
        table, y = validated_examples(self, X, y, min_features=0)
        self.classes_, classes = np.unique(y, return_inverse=True)
        warn_of_distinct_values(table, TREE_OF_IDENTIFIERS)
        return *Encoder.fit(table), classes


def checked_names(estimator, input_features) -> list[str]:
    """Return ``input_features`` if they fit the columns of training, and the names of these if there are none."""
    check_is_fitted(estimator)
    known = getattr(estimator, "feature_names_in_", None)
    if input_features is None:
        return [f"x{i}" for i in range(estimator.n_features_in_)] if known is None else list(known)
    if len(input_features) != estimator.n_features_in_:
        raise ValueError(f"input_features should have length equal to number of features: {estimator.n_features_in_}.")
    if known is not None and not np.array_equal(known, input_features):
        raise ValueError("input_features is not equal to feature_names_in_")
    return list(input_features)
