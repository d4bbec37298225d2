"""ID3 as a scikit-learn classifier."""

from __future__ import annotations

from fewest.blocks.scanned import Scan
from fewest.estimators.input import as_scan, checked_weights, remember_columns, sorted_classes
from fewest.exceptions import ParameterError
from fewest.table.identifiers import TREE_OF_IDENTIFIERS, warn_of_identifiers
from fewest.trees.base import TreeClassifier
from fewest.trees.blocks import learn_id3_in_blocks
from fewest.trees.id3 import grow_id3


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
    classes_ : ndarray of shape (n_classes,)
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features,)

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

    def fit(self, X, y=None, sample_weight=None):
        """Grow the tree.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features), or Scan
            Names, numbers and Booleans alike; numbers are compared by value. What `scan` returns may be larger than
            memory.
        y : array-like of shape (n_samples,)
            Classes. A scan has them.
        sample_weight : array-like of shape (n_samples,), optional
            How often to count each row; rows of weight 0 are left out.

        Returns
        -------
        self
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

    def _fit_blocks(self, scanned: Scan, sample_weight):
        """Do the same where the rows are in blocks."""
        if sample_weight is not None:
            raise ParameterError.from_blocks("sample_weight")
        remember_columns(self, scanned, min_features=0)
        store = scanned.store
        self.classes_, numbers = sorted_classes(store)
        warn_of_identifiers(scanned.identifiers(), TREE_OF_IDENTIFIERS)
        model = learn_id3_in_blocks(store, range(store.n_features), self.classes_, numbers)
        self._store(model.encoder, model.tree)
        return self
