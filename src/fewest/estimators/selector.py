"""The base of all selectors: keep the columns that ``support_`` marks."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from fewest.estimators.input import as_frame


class KeepsFeatures(SelectorMixin):
    """Keep the columns of ``support_``, a Boolean for every feature, which ``fit`` of the subclass sets."""

    support_: np.ndarray
    _none_is_an_answer = True  # one class needs no feature; a threshold that none reaches may be a mistake

    def _get_support_mask(self):
        check_is_fitted(self)
        return self.support_

    def transform(self, X):
        """Keep the selected columns of ``X``.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
            Rows with the columns of the training data.

        Returns
        -------
        array or dataframe of shape (n_samples, n_selected)
            As `set_output` asks.
        """
        X = as_frame(X)
        if not self._none_is_an_answer or self._get_support_mask().any():
            return super().transform(X)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="No features were selected")
            return super().transform(X)
