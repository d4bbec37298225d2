"""ID3 and CFP on many subsets, without the way through frames and validation that a fit takes.

ID3 grows every tree from codes that are computed once. CFP's features learn
each by itself, so that they learn once, and a subset only votes.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from dataclasses import replace

import numpy as np
from sklearn.base import clone

from fewest.estimators.input import is_frame
from fewest.exceptions import FewestWarning
from fewest.models.encoder import Encoder
from fewest.table import Table, from_array, from_frame, from_sparse
from fewest.trees.id3 import grow_id3
from fewest.wrapper.examples import Examples, weights_of
from fewest.wrapper.kernels.layout import Moves
from fewest.wrapper.splits import TRAINING


class _SubsetModel(ABC):
    """A learner that predicts from any subset of the features; a subclass has the predictions."""

    is_threaded = False
    kernels = ""

    def __init__(self, fold: dict[str, Examples]) -> None:
        self.labels = {part: (examples.y, weights_of(examples)) for part, examples in fold.items()}

    @abstractmethod
    def _predicted(self, features: np.ndarray, part: str) -> np.ndarray:
        """Predict the rows of a part from a subset of the features."""

    def n_steps(self, n_children: int, size: int) -> int:  # noqa: ARG002 (other models need them)
        """Return that the learners themselves decide what to compile."""
        return 0

    def losses(self, moves: Moves, part: str, compiles: bool = False) -> np.ndarray:  # noqa: ARG002 (the learners decide)
        """Return error rates."""
        losses = np.empty(moves.n_children)
        y, weights = self.labels[part]
        for parent, added, positions in moves.each():
            for position, feature in enumerate(added, start=positions.start):
                features = np.sort(np.append(parent, feature))  # equal gains go to the first feature
                losses[position] = np.average(self._predicted(features, part) != y, weights=weights)
        return losses


class ID3Model(_SubsetModel):
    """`ID3Classifier`."""

    def __init__(self, fold: dict[str, Examples], estimator) -> None:  # noqa: ARG002 (it has no parameters)
        super().__init__(fold)
        train = fold[TRAINING]
        self.classes, classes = np.unique(train.y, return_inverse=True)
        encoder, codes = Encoder.fit(_table(train.X))
        tables = {part: _table(examples.X) for part, examples in fold.items()}
        self.codes = {part: encoder.codes(table.columns, table.n_rows) for part, table in tables.items()}
        counted = weights_of(train) > 0
        weights = None if train.weights is None else train.weights[counted]
        self.training = (codes[counted], classes[counted], weights)

    def _predicted(self, features: np.ndarray, part: str) -> np.ndarray:
        codes, classes, weights = self.training
        tree = grow_id3(codes[:, features], classes, len(self.classes), weights)
        return self.classes[tree.prediction[tree.apply(self.codes[part][:, features])]]


class CFPModel(_SubsetModel):
    """`CFPClassifier`."""

    def __init__(self, fold: dict[str, Examples], estimator) -> None:
        super().__init__(fold)
        self.abstain = estimator.abstain
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FewestWarning)
            self.model = clone(estimator).fit(fold[TRAINING].X, fold[TRAINING].y).model_
        self.guesses = {}
        for part, examples in fold.items():
            columns = self.model.values(_table(examples.X).columns)
            self.guesses[part] = np.array(list(self.model.concept.predictions(columns)))

    def _predicted(self, features: np.ndarray, part: str) -> np.ndarray:
        whole, guesses = self.model.concept, self.guesses[part][features]
        voting = replace(whole, features=tuple(whole.features[j] for j in features), limits=whole.limits[features])
        votes = voting.count(guesses, guesses.shape[1])
        return self.model.labelled(voting.decide_by(lambda rows: guesses[:, rows], votes), self.abstain)


def _table(X) -> Table:
    if is_frame(X):
        return from_frame(X)
    return from_sparse(X.tocsc()) if hasattr(X, "tocsr") else from_array(X)


def is_batchable_cfp(estimator, examples: Examples) -> bool:
    """Return whether the parameters mean the same for every subset."""
    return (
        isinstance(estimator.limit, str | float | int)
        and estimator.categorical_features is None
        and estimator.vote == "winner"
        and (examples.weights is None)
    )
