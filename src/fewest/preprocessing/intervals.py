"""Numeric columns cut into intervals, as a scikit-learn transformer."""

from __future__ import annotations

from typing import Self

import numpy as np
from sklearn.base import OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from fewest.estimators.input import DiscreteEstimator, validated_examples, validated_features
from fewest.table import Column, Kind
from fewest.table.discretize import interval_cuts, interval_names


class IntervalDiscretizer(OneToOneFeatureMixin, TransformerMixin, DiscreteEstimator):
    """Cut numeric columns into the intervals with the most information about the class.

    Fayyad and Irani (1993): cut a column where the entropy of the class is
    least, and go on inside both parts, as long as the cut shortens the
    description of the classes (minimum description length). A column without
    information about the class is not cut, and is constant afterwards.
    Columns that are not numeric stay as they are.

    Attributes
    ----------
    cuts_ : list of ndarray
        For every column its cuts, ascending; empty for columns that are not numeric.
    classes_ : ndarray of shape (n_classes,)
        The labels of the classes.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features, where they are text.

    See Also
    --------
    BooleanTests : A Boolean feature for every interval.

    References
    ----------
    Fayyad, U. M. and Irani, K. B. (1993). Multi-interval discretization of continuous-valued attributes for
    classification learning. IJCAI-93, 1022-1027.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from fewest.preprocessing import IntervalDiscretizer
    >>> X, y = load_iris(return_X_y=True)
    >>> discretizer = IntervalDiscretizer().fit(X, y)
    >>> discretizer.cuts_[2]
    array([2.45, 4.75])
    >>> discretizer.interval_names(2)
    ('<= 2.45', '> 2.45, <= 4.75', '> 4.75')
    """

    def fit(self, X, y) -> Self:
        """Find the cuts.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
            The training data.
        y : array-like of shape (n_samples,)
            Classes.

        Returns
        -------
        self
            The fitted transformer.
        """
        table, y = validated_examples(self, X, y)
        self.classes_, classes = np.unique(y, return_inverse=True)
        cuts = interval_cuts(table, classes)
        self.cuts_ = [cuts.get(name, np.empty(0)) for name in table.names]
        return self

    def transform(self, X):
        """Number the intervals of every column from 0; missing values stay missing.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
            Rows with the columns of the training data.

        Returns
        -------
        array or dataframe of shape (n_samples, n_features)
            Floats, or objects if columns that are not numeric are among them.
        """
        check_is_fitted(self)
        table = validated_features(self, X)
        columns = [_cut(column, cuts) for column, cuts in zip(table, self.cuts_, strict=True)]
        if all(column.kind is Kind.NUMERIC for column in table):
            return np.column_stack(columns)
        whole = np.empty((table.n_rows, len(columns)), dtype=object)
        for j, column in enumerate(columns):
            whole[:, j] = column
        return whole

    def interval_names(self, feature: int) -> tuple[str, ...]:
        """Return the intervals of a column as text, in the order of their numbers.

        Parameters
        ----------
        feature : int
            The position of the column.

        Returns
        -------
        tuple of str
            Such as ``"<= 2.45"``.
        """
        check_is_fitted(self)
        return interval_names(self.cuts_[feature])

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags


def _cut(column: Column, cuts: np.ndarray) -> np.ndarray:
    if column.kind is not Kind.NUMERIC:
        return np.array([*column.to_list(), None], dtype=object)[:-1]
    return np.where(column.is_missing, np.nan, np.searchsorted(cuts, column.values, side="left").astype(np.float64))
