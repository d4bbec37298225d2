"""Halving and the standard optimal algorithm as scikit-learn classifiers."""

from __future__ import annotations

import warnings
from typing import ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from fewest.estimators.options import options_of
from fewest.exceptions import ContradictedClassWarning, ParameterError
from fewest.mistakes import bounds
from fewest.mistakes.estimators.online import OnlineClassifier
from fewest.mistakes.examples import Dense, Examples
from fewest.mistakes.options import BINARIZE, VersionSpaceOptions
from fewest.mistakes.version_space import HalvingSpace, OptimalSpace


class _Space:
    """A version space that takes blocks of examples."""

    def __init__(self, space: HalvingSpace, positive: int) -> None:
        self.space, self.positive = space, positive
        self.n_reported = 0  # contradictions that the user was warned of

    def learn(self, examples: Examples, codes: np.ndarray) -> np.ndarray:
        pairs = zip(_rows(examples), (codes == self.positive).tolist(), strict=True)
        predicted = np.array([self.space.learn_one(row, label) for row, label in pairs], dtype=bool)
        return self._codes(predicted)

    def predict(self, examples: Examples) -> np.ndarray:
        return self._codes(self.space.predict(_rows(examples)))

    def _codes(self, predicted: np.ndarray) -> np.ndarray:
        return np.where(predicted, self.positive, 1 - self.positive)


def _rows(examples: Examples) -> np.ndarray:
    if isinstance(examples, Dense):
        return examples.rows
    rows = np.zeros((len(examples), examples.n_features), dtype=np.uint8)
    for t in range(len(examples)):
        rows[t, examples.active(t)] = 1
    return rows


class VersionSpaceClassifier(OnlineClassifier):
    """The base of Halving and StandardOptimal; each has its version space."""

    space_type: ClassVar[type[HalvingSpace]]

    def __init__(
        self,
        concepts=VersionSpaceOptions.concepts,
        *,
        positive_class=VersionSpaceOptions.positive_class,
        binarize=BINARIZE,
        max_iter=VersionSpaceOptions.max_iter,
    ):
        self.concepts = concepts
        self.positive_class = positive_class
        self.binarize = binarize
        self.max_iter = max_iter

    def _options(self) -> VersionSpaceOptions:
        return options_of(self, VersionSpaceOptions)

    def _learner(self, options: VersionSpaceOptions, n_features: int, n_classes: int, positive: int) -> _Space:
        if n_classes > 2:
            raise ParameterError(
                f"Only binary classification is supported. The type of the target is multiclass: {n_classes} classes. "
                "Learn one against the rest, with sklearn.multiclass.OneVsRestClassifier."
            )
        return _Space(self.space_type(options.concept_class(n_features)), positive)

    def _report(self) -> None:
        learner = self._trials.learner
        n_new = learner.space.n_contradictions - learner.n_reported
        learner.n_reported += n_new
        if n_new:
            warnings.warn(
                f"In {n_new:,} trials the labels agree with no concept of the class that agrees with those before, so "
                "nothing was learned from them. Check the labels, or choose a larger class.",
                ContradictedClassWarning,
                stacklevel=3,
            )

    @property
    def n_consistent_(self) -> int:
        """How many concepts agree with all examples so far."""
        check_is_fitted(self)
        return self.learner_.space.n_left

    @property
    def consistent_(self) -> list[str]:
        """The names of these concepts."""
        check_is_fitted(self)
        concepts = self.learner_.space.concepts
        return [concepts.names[c] for c in concepts.members(self.learner_.space.consistent)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class Halving(VersionSpaceClassifier):
    """Predict as the majority of all concepts of a finite class that agree with the examples so far.

    Every mistake at least halves their number, so there are at most ``log2 |C|`` (theorem 1).

    Parameters
    ----------
    concepts : ConceptClass or callable, default=ConceptClass.monotone_disjunctions
        The class, or a function that returns it for the number of features.
    positive_class : label, optional
        Which of two classes is 1 to the concepts; the second by default.
    binarize : float or None, default=0.0
        A number above it is true, as in scikit-learn's `BernoulliNB`; it changes nothing for Boolean data. None
        refuses numbers other than 0 and 1.
    max_iter : int, default=100
        Passes that `fit` makes at the most.

    Attributes
    ----------
    n_consistent_ : int
        How many concepts agree with all examples so far.
    consistent_ : list of str
        Their names.
    classes_ : ndarray of shape (2,)
        The labels of the classes.
    mistake_bound_ : float
        What `n_mistakes_` cannot exceed if the target is in the class, ``log2 |C|``.
    n_mistakes_ : int
        Mistakes over all trials so far; predictions are made before the label is seen.
    mistakes_ : ndarray of int
        The numbers of the trials that were mistakes, from 0 over all passes and calls; the latest 65,536.
    n_trials_ : int
        Examples seen, over all passes and calls.
    n_iter_ : int
        Passes of `fit`.
    learner_ : object
        What learns: its ``space`` holds the concepts that are left.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features, where they are text.

    See Also
    --------
    StandardOptimal : The learner with the fewest mistakes in the worst case.
    Winnow1 : Disjunctions of few among very many features, with a weight a feature.

    References
    ----------
    Littlestone, N. (1988). Learning quickly when irrelevant attributes abound: a new linear-threshold algorithm.
    Machine Learning 2, 285-318.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest import Halving
    >>> X = np.random.default_rng(0).random((200, 8)) < 0.3
    >>> halving = Halving().fit(X, X[:, 1] | X[:, 6])
    >>> halving.consistent_, halving.n_mistakes_ <= halving.mistake_bound_ == 8
    (['x1 | x6'], True)
    """

    space_type = HalvingSpace

    def _bound(self, options: VersionSpaceOptions) -> float:  # noqa: ARG002 (the class is in the learner)
        return bounds.halving(len(self._trials.learner.space.concepts))


class StandardOptimal(VersionSpaceClassifier):
    """Predict so that a mistake leaves the class with the smallest mistake trees: no learner promises fewer mistakes.

    The standard optimal algorithm: K of the concepts that would be left is
    computed for both answers, and the larger K is predicted. At most
    opt(C) = K(C) mistakes (theorem 3).

    Parameters
    ----------
    concepts : ConceptClass or callable, default=ConceptClass.monotone_disjunctions
        The class, or a function that returns it for the number of features.
    positive_class : label, optional
        Which of two classes is 1 to the concepts; the second by default.
    binarize : float or None, default=0.0
        A number above it is true, as in scikit-learn's `BernoulliNB`; it changes nothing for Boolean data. None
        refuses numbers other than 0 and 1.
    max_iter : int, default=100
        Passes that `fit` makes at the most.

    Attributes
    ----------
    n_consistent_ : int
        How many concepts agree with all examples so far.
    consistent_ : list of str
        Their names.
    classes_ : ndarray of shape (2,)
        The labels of the classes.
    mistake_bound_ : int
        What `n_mistakes_` cannot exceed if the target is in the class, opt(C).
    n_mistakes_ : int
        Mistakes over all trials so far; predictions are made before the label is seen.
    mistakes_ : ndarray of int
        The numbers of the trials that were mistakes, from 0 over all passes and calls; the latest 65,536.
    n_trials_ : int
        Examples seen, over all passes and calls.
    n_iter_ : int
        Passes of `fit`.
    learner_ : object
        What learns: its ``space`` holds the concepts that are left.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features, where they are text.

    See Also
    --------
    Halving : The majority of the concepts, which is faster to compute.
    Winnow1 : Disjunctions of few among very many features, with a weight a feature.

    References
    ----------
    Littlestone, N. (1988). Learning quickly when irrelevant attributes abound: a new linear-threshold algorithm.
    Machine Learning 2, 285-318.

    Examples
    --------
    >>> from functools import partial
    >>> import numpy as np
    >>> from fewest import StandardOptimal
    >>> from fewest.mistakes import ConceptClass
    >>> X = np.random.default_rng(0).random((200, 6)) < 0.3
    >>> pairs = partial(ConceptClass.monotone_disjunctions, at_most=2)
    >>> optimal = StandardOptimal(pairs).fit(X, X[:, 1] | X[:, 4])
    >>> optimal.consistent_, optimal.mistake_bound_
    (['x1 | x4'], 4)
    """

    space_type = OptimalSpace

    def _bound(self, options: VersionSpaceOptions) -> float:  # noqa: ARG002 (the class is in the learner)
        space = self._trials.learner.space
        return bounds.optimal(space.trees.height(space.concepts.everything))
