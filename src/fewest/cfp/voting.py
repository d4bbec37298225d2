"""What classifiers share whose features vote: predictions, votes, rules and files."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from fewest.blocks.scanned import Scan
from fewest.cfp.feature import Partition
from fewest.cfp.model import PartitionModel
from fewest.estimators.input import as_scan, refuse_other_columns, validated_features
from fewest.exceptions import ParameterError, UnknownColumnError
from fewest.table.requests import positions


class VotingClassifier(ClassifierMixin, BaseEstimator):
    """A classifier whose model is a concept of feature partitions; a subclass says how it is learned."""

    abstain: object
    n_jobs: int | None = 1

    def _store(self, model: PartitionModel) -> None:
        self.model_ = model
        self.classes_ = model.classes_
        self.weights_ = model.concept.weights
        self.limits_ = model.concept.limits
        self.n_partitions_ = model.concept.n_partitions

    def _votes(self, X) -> tuple[list[np.ndarray], np.ndarray]:
        """Return the values of new data, and the votes."""
        check_is_fitted(self)
        table = validated_features(self, X)
        columns = self.model_.values(table.columns)
        return columns, self.model_.concept.votes(columns, table.n_rows, n_jobs=self.n_jobs)

    def _for_blocks(self, scanned: Scan) -> PartitionModel:
        """Return the model for a scan, once its columns are those of training."""
        check_is_fitted(self)
        refuse_other_columns(self, scanned)
        return self.model_.renamed(scanned.feature_names)

    def _any_votes(self, X) -> np.ndarray:
        """Return the votes about rows in memory or in blocks."""
        scanned = as_scan(X)
        return self._votes(X)[1] if scanned is None else self._for_blocks(scanned).votes(scanned)

    def predict(self, X, abstain=None):
        """Return the class of every row.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features), or Scan
        abstain : object, optional
            What to answer where nothing decides: no feature makes a
            prediction, or the votes are tied. By default what the estimator's own ``abstain`` says.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        abstain = self.abstain if abstain is None else abstain
        if (scanned := as_scan(X)) is not None:
            return self._for_blocks(scanned).predict(scanned, abstain)
        columns, votes = self._votes(X)
        decided = self.model_.concept.decide(columns, votes)
        return self.model_.labelled(decided, abstain)

    def predict_proba(self, X):
        """Return every class's share of the votes; of the training examples where no feature votes.

        These are shares, not calibrated probabilities.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features), or Scan

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        votes = self._any_votes(X)
        return self.model_.shares(votes)

    def decision_function(self, X):
        """Return the votes for each class, in the weights of the features: 0 where none votes for it.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features), or Scan

        Returns
        -------
        ndarray of shape (n_samples, n_classes), or (n_samples,) for two classes
            For two classes, the votes for the second less those for the first.
        """
        votes = self._any_votes(X)
        return votes[:, 1] - votes[:, 0] if votes.shape[1] == 2 else votes

    def partitions(self, feature: int | str) -> list[Partition]:
        """Return the partitions of one feature, by position or by name: lower, upper, label and n_examples.

        The ends of a feature of names are the numbers of its values, as ``model_.value_names`` lists them.
        """
        check_is_fitted(self)
        names = self.model_.encoder.names
        if isinstance(feature, str) and feature not in names:
            raise UnknownColumnError.from_name(feature, names)
        position = names.index(feature) if isinstance(feature, str) else feature
        if not 0 <= position < len(names):
            raise ParameterError(f"There is no feature {position}. Give a name, or a number below {len(names)}.")
        found = self.model_.concept.features[position].partitions()
        return [partition._replace(label=self.classes_[partition.label]) for partition in found]

    def export_text(self) -> str:
        """List every feature's weight and partitions, a line each: from, to, class, number of examples."""
        check_is_fitted(self)
        return self.model_.export_text()

    def export_rules(self) -> str:
        """Say for every class when it wins the vote, in the form of the document's Figure 1; for few features."""
        check_is_fitted(self)
        return self.model_.export_rules()

    def save(self, path) -> None:
        """Write the fitted model into one file, which `load_model` and ``fewest predict`` read."""
        check_is_fitted(self)
        self.model_.save(path)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        # Names are taken, too; but to say so (categorical) would make scikit-learn's checks round all numbers.
        tags.input_tags.string = True
        tags.input_tags.sparse = True
        return tags


def categorical_positions(table, categorical_features) -> set[int]:
    """Return the positions of the columns whose numbers are names."""
    return set() if categorical_features is None else set(positions(table, categorical_features))
