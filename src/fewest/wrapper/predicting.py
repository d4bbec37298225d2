"""A wrapper predicts with the estimator that it was refitted to the selected features."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from fewest.estimators.input import as_frame, is_frame
from fewest.exceptions import ParameterError
from fewest.wrapper.data import array_rules, columns_of, n_rows


def _has(method: str):
    """Offer a method where the wrapped estimator has it."""

    def check(self) -> bool:
        getattr(self.estimator_ if hasattr(self, "estimator_") else self.estimator, method)
        return True

    return available_if(check)


class PredictingMixin:
    """Hands the selected features to the refitted estimator."""

    refit: Any
    support_: np.ndarray
    n_features_: int
    estimator_: Any

    def _selected(self, X):
        check_is_fitted(self)
        if self.refit is False:
            raise ParameterError("With refit=False no estimator was kept to predict with. Use refit='all'.")
        X = self._checked_again(X)
        return columns_of(X, np.flatnonzero(self.support_).tolist()) if self.n_features_ else np.zeros((n_rows(X), 1))

    def _checked_again(self, X):
        X = as_frame(X)
        if is_frame(X):
            validate_data(self, X, reset=False, skip_check_array=True)
            return X
        return validate_data(self, X, reset=False, **array_rules(self))

    @_has("predict")
    def predict(self, X):
        """Predict with the estimator that was refitted to the selected features."""
        X = self._selected(X)
        return self.estimator_.predict(X)

    @_has("predict_proba")
    def predict_proba(self, X):
        """Return the refitted estimator's probabilities."""
        X = self._selected(X)
        return self.estimator_.predict_proba(X)

    @_has("decision_function")
    def decision_function(self, X):
        """Return the refitted estimator's decision function."""
        X = self._selected(X)
        return self.estimator_.decision_function(X)

    @_has("score")
    def score(self, X, y, **params):
        """Return the refitted estimator's score."""
        X = self._selected(X)
        return self.estimator_.score(X, y, **params)
