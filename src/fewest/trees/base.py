"""The learners' common ground: validate, encode, grow, store; and answer from the model."""

from __future__ import annotations

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from fewest.estimators.discrete import AnyColumns
from fewest.estimators.input import (
    as_scan,
    refuse_other_columns,
    validated_features,
)
from fewest.models.boolean_features import BooleanFeatures
from fewest.models.encoder import Encoder
from fewest.trees.model import TreeModel
from fewest.trees.tree import DecisionTree


class TreeClassifier(ClassifierMixin, AnyColumns):
    """A classifier whose model is a tree; a subclass says how it is grown."""

    def _store(self, encoder: Encoder, tree: DecisionTree, features: BooleanFeatures | None = None) -> None:
        self.model_ = TreeModel(encoder, tree, self.classes_, features)
        self.tree_ = tree

    def _nodes(self, X) -> np.ndarray:
        """Return the node in which each row ends."""
        check_is_fitted(self)
        if (scanned := as_scan(X)) is not None:
            refuse_other_columns(self, scanned)
            return self.model_.renamed(scanned.feature_names).nodes(scanned)
        return self.model_.apply(self.model_.codes_by_position(validated_features(self, X)))

    def predict(self, X):
        """Return the class of every row.

        A value that no training row had at a node ends the way there: the answer is the most frequent class of the
        node.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features), or Scan

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        nodes = self._nodes(X)
        return self.classes_[self.tree_.prediction[nodes]]

    def predict_proba(self, X):
        """Return the share of every class among the training rows of the node in which each row ends.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features), or Scan

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        nodes = self._nodes(X)
        return self.tree_.shares[nodes]

    def export_text(self) -> str:
        """Draw the tree with lines, a node a line."""
        check_is_fitted(self)
        return self.model_.export_text()

    def save(self, path) -> None:
        """Write the fitted model into one file, which `load_model` and ``fewest predict`` read."""
        check_is_fitted(self)
        self.model_.save(path)
