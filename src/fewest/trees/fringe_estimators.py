"""FRINGE as a scikit-learn classifier and as a transformer."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from sklearn.base import TransformerMixin
from sklearn.utils import check_scalar
from sklearn.utils.validation import check_is_fitted

from fewest.estimators.discrete import AnyColumns, checked_names
from fewest.estimators.input import validated_features
from fewest.models.boolean_features import names_of_tests
from fewest.trees.base import TreeClassifier
from fewest.trees.fringe import grow_fringe


class FringeClassifier(TreeClassifier):
    """Grow ID3 trees over tests that come to include conjunctions found at the fringe of earlier trees.

    Pagallo and Haussler's FRINGE, as Almuallim and Dietterich (1994) use it in
    section 7. Features are Boolean: a test ``colour = red`` for every value of
    a column (one test where there are two values; a column of truths or of
    zeros and ones is its own). For every positive leaf at depth two or more
    the last two tests on its path are conjoined, each as the branch taken had
    it; these become features, and the next tree is grown. The last tree is
    the answer. With two classes the second is the positive one; with more,
    the leaves of all classes count.

    A conjunction that is the same as a feature at hand on all training rows,
    or its opposite, is none. A value that training data did not have makes
    all tests of its column false.

    Parameters
    ----------
    max_iter : int, default=10
        Trees to grow at the most.

    Attributes
    ----------
    tree_ : DecisionTree
        The last tree; it tests the features of `FringeFeatures`.
    n_iter_ : int
        Trees grown.
    model_, classes_, n_features_in_, feature_names_in_
        As for `ID3Classifier`.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest import FringeClassifier
    >>> X = np.random.default_rng(0).integers(0, 2, (200, 6))
    >>> y = (X[:, 0] & X[:, 1]) | (X[:, 2] & X[:, 3])
    >>> classifier = FringeClassifier().fit(X, y)
    >>> print(classifier.export_text())
    x0 & x1?
    ├── no: x2 & x3?
    │   ├── no: 0 (106)
    │   └── yes: 1 (34)
    └── yes: 1 (60)
    """

    def __init__(self, max_iter=10):
        self.max_iter = max_iter

    def fit(self, X, y=None):
        """Grow trees until nothing new appears at their fringe.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
            Names, numbers and Booleans alike; numbers are compared by value.
        y : array-like of shape (n_samples,)
            Classes.

        Returns
        -------
        self
        """
        check_scalar(self.max_iter, "max_iter", Integral, min_val=1)
        encoder, codes, classes = self._encoded(X, y)
        fringe = grow_fringe(codes, classes, len(self.classes_), self.max_iter)
        self._store(encoder, fringe.tree, fringe.features)
        self.n_iter_ = fringe.n_trees
        return self


class FringeFeatures(TransformerMixin, AnyColumns):
    """Give data the Boolean features that FRINGE constructs, for any learner to use.

    Parameters
    ----------
    max_iter : int, default=10
        Trees to grow at the most, as for `FringeClassifier`.
    only_constructed : bool, default=False
        Leave out the tests of single values.

    Attributes
    ----------
    n_iter_ : int
        Trees grown.
    features_ : BooleanFeatures
        The features as plain arrays.
    classes_, n_features_in_, feature_names_in_
        As for `ID3Classifier`.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest import FringeFeatures
    >>> X = np.random.default_rng(0).integers(0, 2, (200, 6))
    >>> fringe = FringeFeatures(only_constructed=True).fit(X, X[:, 0] & X[:, 1])
    >>> fringe.get_feature_names_out()
    array(['x0 & x1'], dtype=object)
    >>> fringe.transform([[1, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]])
    array([[1],
           [0]], dtype=int8)
    """

    def __init__(self, max_iter=10, *, only_constructed=False):
        self.max_iter = max_iter
        self.only_constructed = only_constructed

    def fit(self, X, y=None):
        """Grow trees until nothing new appears at their fringe.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
            Names, numbers and Booleans alike; numbers are compared by value.
        y : array-like of shape (n_samples,)
            Classes.

        Returns
        -------
        self
        """
        check_scalar(self.max_iter, "max_iter", Integral, min_val=1)
        self._encoder, codes, classes = self._encoded(X, y)
        fringe = grow_fringe(codes, classes, len(self.classes_), self.max_iter)
        self.features_, self.n_iter_ = fringe.features, fringe.n_trees
        return self

    def transform(self, X):
        """Return the truth, 0 or 1, of every feature for every row: tests of values first.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        array or dataframe of shape (n_samples, n_features_out)
            As `set_output` asks.
        """
        check_is_fitted(self)
        table = validated_features(self, X)
        return self.features_.matrix(self._encoder.codes(table.columns, table.n_rows))[:, self._first :]

    def get_feature_names_out(self, input_features=None):
        """Write every feature as a conjunction of tests: ``~(x1 & x3) & x5``.

        Parameters
        ----------
        input_features : array-like of str, optional
            What the columns are called; those of training by default.

        Returns
        -------
        ndarray of str
        """
        check_is_fitted(self)
        encoder = self._encoder.renamed(checked_names(self, input_features))
        names = self.features_.names(names_of_tests(encoder, self.features_))
        return np.array(names[self._first :], dtype=object)

    @property
    def _first(self) -> int:
        """The first feature that is given out."""
        return self.features_.n_tests if self.only_constructed else 0

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags
