"""The learners' common ground: validate, encode, grow, store; and answer from the model."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from fewest.models.encoder import Encoder
from fewest.models.tree_model import TreeModel
from fewest.search.findings import TREE_OF_IDENTIFIERS, report_identifiers
from fewest.selection.input import (
    AnyColumnsMixin,
    as_scan,
    refuse_other_columns,
    validated_examples,
    validated_features,
)
from fewest.trees.boolean import BooleanFeatures
from fewest.trees.tree import DecisionTree


class AnyColumns(AnyColumnsMixin, BaseEstimator):
    """An estimator of discrete columns: names, Booleans, numbers by value, and missing values."""

    def _encoded(self, X, y) -> tuple[Encoder, np.ndarray, np.ndarray]:
        """Return the encoder, the codes and the class numbers of training data; store the classes."""
        table, y = validated_examples(self, X, y, min_features=0)
        self.classes_, classes = np.unique(y, return_inverse=True)
        report_identifiers(table, TREE_OF_IDENTIFIERS)
        return *Encoder.fit(table), classes


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


def checked_names(estimator, input_features) -> list[str]:
    """Return the names to call a transformer's columns by: those given if they fit, or those of training."""
    check_is_fitted(estimator)
    known = getattr(estimator, "feature_names_in_", None)
    if input_features is None:
        return [f"x{i}" for i in range(estimator.n_features_in_)] if known is None else list(known)
    if len(input_features) != estimator.n_features_in_:
        raise ValueError(f"input_features should have length equal to number of features: {estimator.n_features_in_}.")
    if known is not None and not np.array_equal(known, input_features):
        raise ValueError("input_features is not equal to feature_names_in_")
    return list(input_features)
