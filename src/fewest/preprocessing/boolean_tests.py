"""Columns of any kind as Boolean features, as a scikit-learn transformer."""

from __future__ import annotations

from typing import Self

import numpy as np
from sklearn.base import TransformerMixin
from sklearn.utils.validation import check_is_fitted

from fewest.estimators.input import DiscreteEstimator, checked_names, validated_examples, validated_features
from fewest.models.boolean_features import BooleanFeatures, names_of_tests
from fewest.models.encoder import Encoder
from fewest.table import Kind, Table
from fewest.table.discretize import interval_cuts


class BooleanTests(TransformerMixin, DiscreteEstimator):
    """Turn columns of any kind into Boolean features, which the Winnow learners ask for.

    A nominal column has a test ``colour = red`` for every value; Booleans, and
    zeros and ones, are their own test; a constant column has none.
    Numeric columns are cut into intervals, as by `IntervalDiscretizer`, and
    have a test for every interval. A missing value is one more value. A value
    that the training data did not have makes all tests of its column false.

    Attributes
    ----------
    features_ : BooleanFeatures
        The tests as plain arrays.
    classes_ : ndarray of shape (n_classes,)
        The labels of the classes.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features, where they are text.

    See Also
    --------
    IntervalDiscretizer : The intervals alone, as numbers.
    FringeFeatures : Tests, and conjunctions of them.

    References
    ----------
    Fayyad, U. M. and Irani, K. B. (1993). Multi-interval discretization of continuous-valued attributes for
    classification learning. IJCAI-93, 1022-1027.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.pipeline import make_pipeline
    >>> from fewest import Winnow2
    >>> from fewest.preprocessing import BooleanTests
    >>> X, y = load_iris(return_X_y=True)
    >>> winnow = make_pipeline(BooleanTests(), Winnow2()).fit(X, y == 0)
    >>> winnow[0].get_feature_names_out()[-4:].tolist()
    ['x2 = <= 2.45', 'x2 = > 2.45', 'x3 = <= 0.8', 'x3 = > 0.8']
    >>> winnow.score(X, y == 0)
    1.0
    """

    def fit(self, X, y) -> Self:
        """Find the values and the intervals to test for.

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
        cuts = interval_cuts(_to_cut(table), classes)
        self._encoder, codes = Encoder.fit(table, cuts)
        values = [np.unique(column).tolist() for column in codes.T]
        self.features_ = BooleanFeatures.from_values(values, [known.is_boolean for known in self._encoder.columns])
        return self

    def transform(self, X):
        """Return every test, 0 or 1, for every row.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
            Rows with the columns of the training data.

        Returns
        -------
        array or dataframe of shape (n_samples, n_features_out)
            As `set_output` asks.
        """
        check_is_fitted(self)
        table = validated_features(self, X)
        return self.features_.matrix(self._encoder.codes(table.columns, table.n_rows)).astype(np.uint8, order="C")

    def get_feature_names_out(self, input_features=None) -> np.ndarray:
        """Write every test as ``colour = red``.

        Parameters
        ----------
        input_features : array-like of str, default=None
            The names of the columns; by default those of the training data.

        Returns
        -------
        ndarray of str
            A name for every test.
        """
        check_is_fitted(self)
        encoder = self._encoder.renamed(checked_names(self, input_features))
        return np.array(names_of_tests(encoder, self.features_), dtype=object)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags


def _to_cut(table: Table) -> Table:
    """Return the numeric columns that need cuts: zeros and ones are Booleans already."""
    return table.drop(
        [column.name for column in table if column.kind is not Kind.NUMERIC or set(column.by_value().labels) <= {0, 1}]
    )
