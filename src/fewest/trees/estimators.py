"""ID3 and FRINGE as scikit-learn estimators: two classifiers, and a transformer that keeps FRINGE's features."""

from __future__ import annotations

from typing import Self

import numpy as np
from sklearn.base import ClassifierMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from fewest.blocks.scan import Scan
from fewest.estimators.input import (
    DiscreteEstimator,
    as_scan,
    checked_names,
    checked_weights,
    refuse_other_columns,
    remember_columns,
    sorted_classes,
    validated_features,
    without_weights,
)
from fewest.estimators.options import options_of
from fewest.exceptions import ParameterError
from fewest.models.boolean_features import BooleanFeatures, names_of_tests
from fewest.models.encoder import Encoder
from fewest.screening.distinct_values import TREE_OF_IDENTIFIERS, warn_of_distinct_values
from fewest.trees.blocks import learn_id3_in_blocks
from fewest.trees.fringe import grow_fringe
from fewest.trees.id3 import grow_id3
from fewest.trees.model import TreeModel
from fewest.trees.options import FringeOptions
from fewest.trees.tree import DecisionTree


class TreeClassifier(ClassifierMixin, DiscreteEstimator):
    """The base of classifiers whose model is a tree; ``fit`` of a subclass grows it."""

    def _store(self, encoder: Encoder, tree: DecisionTree, features: BooleanFeatures | None = None) -> None:
        self.model_ = TreeModel(encoder, tree, self.classes_, features)
        self.tree_ = tree

    @property
    def feature_importances_(self) -> np.ndarray:
        """The share of every feature in what the tests of the tree gain, in information."""
        check_is_fitted(self)
        return self.model_.importances

    def _nodes(self, X) -> np.ndarray:
        """Return the node in which each row ends."""
        check_is_fitted(self)
        if (scanned := as_scan(X)) is not None:
            refuse_other_columns(self, scanned)
            return self.model_.renamed(scanned.feature_names).nodes(scanned)
        return self.model_.apply(self.model_.codes_by_position(validated_features(self, X)))

    def predict(self, X) -> np.ndarray:
        """Return the class of every row.

        A value that no training row had at a node ends the way there: the answer is the most frequent class of the
        node.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features), or Scan
            The features, as in `fit`.

        Returns
        -------
        ndarray of shape (n_samples,)
            A label of ``classes_`` for every row.
        """
        nodes = self._nodes(X)
        return self.classes_[self.tree_.prediction[nodes]]

    def predict_proba(self, X) -> np.ndarray:
        """Return the share of every class among the training rows of the node in which each row ends.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features), or Scan
            The features, as in `fit`.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            A share for each class, in the order of ``classes_``.
        """
        nodes = self._nodes(X)
        return self.tree_.shares[nodes]

    def export_text(self) -> str:
        """Draw the tree with lines, a node a line.

        Returns
        -------
        str
            The text.
        """
        check_is_fitted(self)
        return self.model_.export_text()

    def save(self, path) -> None:
        """Write the fitted model into one file, which `load_model` and ``fewest predict`` read.

        Parameters
        ----------
        path : str or Path
            The file; one of that name is replaced.
        """
        check_is_fitted(self)
        self.model_.save(path)


class ID3Classifier(TreeClassifier):
    """Grow a decision tree by information gain: a branch for every value, no pruning.

    ID3 as Almuallim and Dietterich (1994) use it in section 7. Values are
    compared for equality only. A node that holds several classes is split even
    if nothing is gained, so that parity is learned; features that are constant
    there are no candidates, and equal gains go to the first feature. A leaf
    that nothing splits further predicts its most frequent class; of equals,
    the one more frequent in the node above, and so on upwards.

    A missing value has a branch of its own. Data without any column will do:
    then the most frequent class is predicted.

    Attributes
    ----------
    tree_ : DecisionTree
        The tree as plain arrays, with ``depth``, ``n_leaves`` and ``features_used``.
    model_ : TreeModel
        The tree with what it takes to use it on raw data without scikit-learn.
    feature_importances_ : ndarray of shape (n_features,)
        The share of every feature in what the tests of the tree gain, in information; 0 for what is not tested.
    classes_ : ndarray of shape (n_classes,)
        The labels of the classes.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features, where they are text.

    See Also
    --------
    FringeClassifier : Trees that also test conjunctions.
    make_learner : ID3 after a selector, such as ``"WG+ID3"``.
    plot_tree : Draw the tree.

    Notes
    -----
    Nothing is pruned, so that a tree over irrelevant features fits them; select features first.

    References
    ----------
    Quinlan, J. R. (1986). Induction of decision trees. Machine Learning 1, 81-106.

    Almuallim, H. and Dietterich, T. G. (1994). Learning Boolean concepts in the presence of many irrelevant features.
    Artificial Intelligence 69, 279-305.

    Examples
    --------
    >>> from fewest import ID3Classifier
    >>> X = [["sunny", "yes"], ["sunny", "no"], ["rain", "yes"], ["rain", "no"], ["snow", "no"]]
    >>> classifier = ID3Classifier().fit(X, ["stay", "go", "stay", "stay", "go"])
    >>> print(classifier.export_text())
    x0?
    ├── rain: stay (2)
    ├── snow: go (1)
    └── sunny: x1?
        ├── no: go (1)
        └── yes: stay (1)
    >>> classifier.predict([["snow", "yes"], ["hail", "yes"]])
    array(['go', 'stay'], dtype='<U4')
    """

    def fit(self, X, y=None, sample_weight=None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features), or Scan
            Nominal, numeric and Boolean columns; numeric values are compared for equality. What `scan` returns may be
            larger than memory.
        y : array-like of shape (n_samples,)
            Classes. A scan has them.
        sample_weight : array-like of shape (n_samples,), optional
            How often to count each row; rows of weight 0 are left out.

        Returns
        -------
        self : object
            The estimator itself.
        """
        if (scanned := as_scan(X, y)) is not None:
            return self._fit_blocks(scanned, sample_weight)
        encoder, codes, classes = self._encoded(X, y)
        weights = checked_weights(sample_weight, len(codes))
        if weights is not None:
            counted = weights > 0
            codes, classes, weights = codes[counted], classes[counted], weights[counted]
        self._store(encoder, grow_id3(codes, classes, len(self.classes_), weights))
        return self

    def _fit_blocks(self, scanned: Scan, sample_weight) -> Self:
        """Do the same where the rows are in blocks."""
        if sample_weight is not None:
            raise ParameterError.from_blocks("sample_weight")
        remember_columns(self, scanned, min_features=0)
        store = scanned.store
        self.classes_, numbers = sorted_classes(store)
        warn_of_distinct_values(scanned.store.features, TREE_OF_IDENTIFIERS)
        model = learn_id3_in_blocks(store, range(store.n_features), self.classes_, numbers)
        self._store(model.encoder, model.tree)
        return self


class FringeClassifier(TreeClassifier):
    """Grow ID3 trees over tests that include the conjunctions found at the fringe of earlier trees.

    Pagallo and Haussler's FRINGE, as Almuallim and Dietterich (1994) use it in
    section 7. Features are Boolean: a test ``colour = red`` for every value of
    a column (one test where there are two values; a Boolean column, or one of
    zeros and ones, is its own). For every positive leaf at depth two or more
    the last two tests on its path are conjoined, each as the branch taken had
    it; these are added to the features, and the next tree is grown. The last tree is
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
    model_ : TreeModel
        The tree with what it takes to use it on raw data without scikit-learn.
    feature_importances_ : ndarray of shape (n_features,)
        The share of every feature in what the tests of the tree gain, in information; 0 for what is not tested.
        What a conjunction gains is shared equally by the columns that it looks at.
    n_iter_ : int
        Trees grown.
    classes_ : ndarray of shape (n_classes,)
        The labels of the classes.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features, where they are text.

    See Also
    --------
    FringeFeatures : The constructed features, for other learners.
    ID3Classifier : One tree, over the columns themselves.

    References
    ----------
    Pagallo, G. and Haussler, D. (1990). Boolean feature discovery in empirical learning. Machine Learning 5, 71-100.

    Almuallim, H. and Dietterich, T. G. (1994). Learning Boolean concepts in the presence of many irrelevant features.
    Artificial Intelligence 69, 279-305.

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

    def __init__(self, max_iter=FringeOptions.max_iter):
        self.max_iter = max_iter

    @without_weights(
        "its trees test conjunctions that come from leaves, whatever these weigh",
        "Use ID3Classifier, which takes it, or leave it out.",
    )
    def fit(self, X, y=None) -> Self:
        """Grow trees until nothing new appears at their fringe.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
            Nominal, numeric and Boolean columns; numeric values are compared for equality.
        y : array-like of shape (n_samples,)
            Classes.

        Returns
        -------
        self : object
            The estimator itself.
        """
        options = options_of(self, FringeOptions)
        encoder, codes, classes = self._encoded(X, y)
        fringe = grow_fringe(codes, classes, len(self.classes_), options)
        self._store(encoder, fringe.tree, fringe.features)
        self.n_iter_ = fringe.n_trees
        return self


class FringeFeatures(TransformerMixin, DiscreteEstimator):
    """Transform data into the Boolean features that FRINGE constructs, for any learner to use.

    Parameters
    ----------
    max_iter : int, default=10
        Trees to grow at the most.
    only_constructed : bool, default=False
        Leave out the tests of single values.

    Attributes
    ----------
    n_iter_ : int
        Trees grown.
    features_ : BooleanFeatures
        The features as plain arrays.
    classes_ : ndarray of shape (n_classes,)
        The labels of the classes.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features, where they are text.

    See Also
    --------
    FringeClassifier : The tree over these features.
    BooleanTests : The tests of single values alone.

    References
    ----------
    Pagallo, G. and Haussler, D. (1990). Boolean feature discovery in empirical learning. Machine Learning 5, 71-100.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.preprocessing import FringeFeatures
    >>> X = np.random.default_rng(0).integers(0, 2, (200, 6))
    >>> fringe = FringeFeatures(only_constructed=True).fit(X, X[:, 0] & X[:, 1])
    >>> fringe.get_feature_names_out()
    array(['x0 & x1'], dtype=object)
    >>> fringe.transform([[1, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]])
    array([[1],
           [0]], dtype=int8)
    """

    def __init__(self, max_iter=FringeOptions.max_iter, *, only_constructed=False):
        self.max_iter = max_iter
        self.only_constructed = only_constructed

    @without_weights(
        "its trees test conjunctions that come from leaves, whatever these weigh",
        "Use ID3Classifier, which takes it, or leave it out.",
    )
    def fit(self, X, y=None) -> Self:
        """Grow trees until nothing new appears at their fringe.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
            Nominal, numeric and Boolean columns; numeric values are compared for equality.
        y : array-like of shape (n_samples,)
            Classes.

        Returns
        -------
        self : object
            The estimator itself.
        """
        options = options_of(self, FringeOptions)
        self._encoder, codes, classes = self._encoded(X, y)
        fringe = grow_fringe(codes, classes, len(self.classes_), options)
        self.features_, self.n_iter_ = fringe.features, fringe.n_trees
        return self

    def transform(self, X):
        """Return every feature, 0 or 1, for every row: tests of values first.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
            The columns, as in `fit`.

        Returns
        -------
        array or dataframe of shape (n_samples, n_features_out)
            As `set_output` asks.
        """
        check_is_fitted(self)
        table = validated_features(self, X)
        return self.features_.matrix(self._encoder.codes(table.columns, table.n_rows))[:, self._first :]

    def get_feature_names_out(self, input_features=None) -> np.ndarray:
        """Write every feature as a conjunction of tests: ``~(x1 & x3) & x5``.

        Parameters
        ----------
        input_features : array-like of str, optional
            What the columns are called; those of training by default.

        Returns
        -------
        ndarray of str
            One name for every feature of the output.
        """
        check_is_fitted(self)
        encoder = self._encoder.renamed(checked_names(self, input_features))
        names = self.features_.names(names_of_tests(encoder, self.features_))
        return np.array(names[self._first :], dtype=object)

    @property
    def _first(self) -> int:
        """Return the first feature that is kept."""
        return self.features_.n_tests if self.only_constructed else 0

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags
