"""Winnow1, Winnow2 and balanced Winnow as scikit-learn classifiers."""

from __future__ import annotations

from abc import abstractmethod
from math import inf, isfinite, sqrt
from typing import ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from fewest.blocks.scan import Scan
from fewest.estimators.input import remember_columns, sorted_classes
from fewest.exceptions import ParameterError
from fewest.mistakes import bounds as mistakes
from fewest.mistakes.blocks import Lesson, learn_blocks, tests_of_booleans
from fewest.mistakes.classifier_model import Course, WinnowClassifierModel, classifier_from, model_of
from fewest.mistakes.estimators.online import OnlineClassifier
from fewest.mistakes.examples import Examples
from fewest.mistakes.separation import Separation
from fewest.mistakes.winnow import Committee, Rule


class WinnowClassifier(OnlineClassifier):
    """What the three variants share; each says its rule."""

    algorithm: ClassVar[str]
    learner_: Committee

    def _start(self, n_features: int, n_classes: int, positive: int) -> Committee:
        return Committee(self._rule(n_features), n_features, n_classes, positive)

    def _fit_blocks(self, scanned: Scan):
        """Learn where the rows are in blocks, in their order."""
        remember_columns(self, scanned)
        store = scanned.store
        tests = tests_of_booleans(store.features, type(self).__name__)
        classes, numbers = sorted_classes(store)
        self._meet(classes, store.n_features)
        lesson, self.n_iter_ = learn_blocks(store, Lesson(self.learner_), tests, numbers, self.max_iter)
        self.learner_, self.n_trials_, self._mistakes = lesson.committee, lesson.n_trials, list(lesson.mistakes)
        return self

    @abstractmethod
    def _rule(self, n_features: int) -> Rule:
        """Say what a mistake does to the weights."""

    @property
    def weights_(self) -> np.ndarray:
        """The weights, a row for two classes or a row a class."""
        check_is_fitted(self)
        weights = [machine.weights for machine in self.learner_.machines]
        return np.array(weights).reshape(-1, self.n_features_in_)

    @property
    def theta_(self) -> float:
        """The threshold in use."""
        check_is_fitted(self)
        return self.learner_.rule.theta

    @property
    def alpha_(self) -> float:
        """The update factor in use."""
        check_is_fitted(self)
        return self.learner_.rule.alpha

    def decision_function(self, X):
        """Return how far sums of weights are above the threshold; positive values predict the positive class.

        Parameters
        ----------
        X : array-like, sparse matrix, dataframe or PackedBits of shape (n_samples, n_features), or Scan

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        check_is_fitted(self)
        return self._in_batches(X, self._margins)

    def _margins(self, examples: Examples) -> np.ndarray:
        machines = self.learner_.machines
        scores = np.array([machine.scores(examples) - self.learner_.rule.bar for machine in machines])
        if len(machines) > 1:
            return scores.T
        if not machines:
            return np.zeros(len(examples))
        return scores[0] if self.learner_.positive == 1 else -scores[0]

    # ------------------------------------------------------------------ files

    @property
    def model_(self) -> WinnowClassifierModel:
        """What was learned, to use on raw data without scikit-learn."""
        check_is_fitted(self)
        return model_of(self)

    def export_text(self) -> str:
        """List the weights of every class, the largest first, a line each."""
        return self.model_.export_text()

    def save(self, path) -> None:
        """Write the learner into one file, which `load`, `load_model` and ``fewest predict`` read."""
        self.model_.save(path)

    @classmethod
    def load(cls, path):
        """Return the learner that `save` wrote, to go on with: it learns and counts as if it had never been away.

        Parameters
        ----------
        path : str or Path

        Returns
        -------
        Winnow1, Winnow2 or BalancedWinnow
            Whichever it is called for.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> import numpy as np
        >>> from fewest import Winnow2
        >>> X = np.random.default_rng(0).random((1000, 50)) < 0.2
        >>> y = X[:, 3] | X[:, 33]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "half.model")
        ...     Winnow2().partial_fit(X[:500], y[:500], classes=[False, True]).save(path)
        ...     learner = Winnow2.load(path)
        >>> learner.n_trials_, learner.partial_fit(X[500:], y[500:]).n_trials_
        (500, 1000)
        """
        return classifier_from(cls, path)

    def _go_on(self, classes: np.ndarray, committee: Committee, course: Course) -> None:
        """Go on from where another learner was."""
        self._know(classes)
        self.learner_, self.n_trials_, self._mistakes = committee, course.n_trials, [course.mistakes.astype(np.intp)]
        self.mistake_bound_ = course.mistake_bound
        if course.n_passes is not None:
            self.n_iter_ = course.n_passes


class Winnow1(WinnowClassifier):
    """Learn a disjunction of few features among many, with mistakes that grow with the logarithm of their number.

    Littlestone's WINNOW1. All weights are 1 at first. An example is predicted
    to be positive if the weights of its features sum up to more than theta. In
    a mistake on a positive example the weights of its features are multiplied
    by alpha; on a negative one they become 0 for good, so that one wrong label
    can do lasting harm: see `Winnow2`. More than two classes are learned one
    against the rest.

    Parameters
    ----------
    alpha : float, default=2
        The update factor, above 1.
    theta : float, optional
        The threshold; half the number of features by default.
    n_relevant : int, optional
        How many features the disjunction has at most, if that is known: then theorem 7 bounds the mistakes.
    positive_class : label, optional
        Which of two classes is the one to describe; the second by default. The
        complement of a conjunction is a disjunction of complements, so
        conjunctions are learned from `ComplementedLiterals` with the *negative* class here.
    max_iter : int, default=100
        Passes that `fit` makes at the most.

    Attributes
    ----------
    n_mistakes_ : int
        Mistakes over all trials so far; predictions are made before the label is seen.
    mistakes_ : ndarray of int
        The numbers of the trials that were mistakes, from 0 over all passes and calls.
    mistake_bound_ : float or None
        What `n_mistakes_` cannot exceed if the target is such a disjunction. None where no theorem applies: more
        than two classes, or parameters outside its conditions.
    weights_ : ndarray of shape (1 or n_classes, n_features)
    alpha_, theta_ : float
        The parameters in use.
    n_trials_, n_iter_ : int
        Examples seen, and passes of `fit`.
    model_ : WinnowClassifierModel
        What was learned, to use on raw data without scikit-learn.
    classes_, n_features_in_, feature_names_in_
        As usual.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest import Winnow1
    >>> X = np.random.default_rng(0).random((2000, 1000)) < 0.02
    >>> y = X[:, 7] | X[:, 77] | X[:, 777]
    >>> winnow = Winnow1(n_relevant=3).fit(X, y)
    >>> winnow.n_mistakes_, round(winnow.mistake_bound_, 1)
    (26, 61.8)
    >>> sorted(np.argsort(-winnow.weights_[0])[:3].tolist())
    [7, 77, 777]
    """

    algorithm = "winnow1"

    def __init__(self, alpha=2.0, theta=None, *, n_relevant=None, positive_class=None, max_iter=100):
        self.alpha = alpha
        self.theta = theta
        self.n_relevant = n_relevant
        self.positive_class = positive_class
        self.max_iter = max_iter

    def _rule(self, n_features: int) -> Rule:
        return Rule(self.algorithm, self.alpha, n_features / 2 if self.theta is None else self.theta)

    def _bound(self) -> float | None:
        rule = self.learner_.rule
        if self.n_relevant is None or rule.theta * rule.alpha < 1:
            return None
        return mistakes.winnow1(self.n_features_in_, self.n_relevant, rule.alpha, rule.theta)


class Winnow2(WinnowClassifier):
    """Learn a linear threshold function of few features among many; wrong labels are forgiven.

    Littlestone's WINNOW2: as `Winnow1`, but in a mistake on a negative example
    the weights of its features are divided by alpha. It learns what can be
    separated by weights of 0 or more with a gap delta, such as "at least r of
    these k features".

    Parameters
    ----------
    alpha : float, optional
        The update factor, above 1; by default ``1 + delta / 2`` with the delta of the separation, 1.5 without one.
    theta : float, optional
        The threshold; the number of features by default.
    separation : Separation, optional
        The class of the target, if that is known: then theorem 9 bounds the mistakes.
    positive_class : label, optional
        Which of two classes is the one to describe; the second by default.
    max_iter : int, default=100
        Passes that `fit` makes at the most.

    Attributes
    ----------
    n_mistakes_, mistakes_, mistake_bound_, weights_, alpha_, theta_, n_trials_, n_iter_, model_, classes_, \
n_features_in_, feature_names_in_
        As for `Winnow1`.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest import Separation, Winnow2
    >>> X = np.random.default_rng(0).random((3000, 500)) < 0.2
    >>> y = X[:, :5].sum(axis=1) >= 2
    >>> winnow = Winnow2(separation=Separation.r_of_k(2, 5)).fit(X, y)
    >>> winnow.score(X, y), winnow.alpha_, winnow.n_mistakes_ <= winnow.mistake_bound_
    (1.0, 1.25, True)
    """

    algorithm = "winnow2"

    def __init__(self, alpha=None, theta=None, *, separation=None, positive_class=None, max_iter=100):
        self.alpha = alpha
        self.theta = theta
        self.separation = separation
        self.positive_class = positive_class
        self.max_iter = max_iter

    def _rule(self, n_features: int) -> Rule:
        if self.separation is not None and not isinstance(self.separation, Separation):
            raise ParameterError(
                f"separation={self.separation!r} is no Separation. Make one, such as Separation.r_of_k(2, 5)."
            )
        delta = 1.0 if self.separation is None else self.separation.delta
        alpha = 1 + delta / 2 if self.alpha is None else self.alpha
        return Rule(self.algorithm, alpha, float(n_features) if self.theta is None else self.theta)

    def _bound(self) -> float | None:
        rule = self.learner_.rule
        if self.separation is None or rule.alpha != 1 + self.separation.delta / 2 or rule.theta < 1:
            return None
        return mistakes.winnow2(self.n_features_in_, self.separation, rule.theta)


class BalancedWinnow(WinnowClassifier):
    """Learn a linear threshold function whose weights may be negative: concepts with negated literals.

    Every feature has two weights, one for and one against, both 1 at first;
    in a mistake on a positive example those for its features are multiplied by
    alpha and those against divided, on a negative one the other way round. A
    feature that is always true is added. The prediction is positive if the
    weights for the features minus those against sum up to more than theta.

    Parameters
    ----------
    alpha : float, optional
        The update factor, above 1; what makes the bound smallest for ``n_relevant``, 1.5 without it.
    theta : float, default=0
        The threshold.
    n_relevant : int, optional
        How many literals, negated or not, a disjunction or conjunction has at most, if that is known: then its margin,
        ``1 / (4 k - 1)``, bounds the mistakes (`fewest.mistakes.bounds.balanced_winnow`), for theta = 0.
    positive_class : label, optional
        Which of two classes is the one to describe; the second by default.
    max_iter : int, default=100
        Passes that `fit` makes at the most.

    Attributes
    ----------
    weights_ : ndarray of shape (1 or n_classes, n_features)
        The weights for, minus those against.
    bias_ : ndarray of shape (1 or n_classes,)
        The same of the feature that is always true.
    n_mistakes_, mistakes_, mistake_bound_, alpha_, theta_, n_trials_, n_iter_, model_, classes_, n_features_in_, \
feature_names_in_
        As for `Winnow1`.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest import BalancedWinnow
    >>> X = np.random.default_rng(0).random((2000, 300)) < 0.5
    >>> y = X[:, 5] | ~X[:, 8]
    >>> winnow = BalancedWinnow().fit(X, y)
    >>> winnow.score(X, y), int(winnow.weights_.argmax()), int(winnow.weights_.argmin())
    (1.0, 5, 8)
    """

    algorithm = "balanced"

    def __init__(self, alpha=None, theta=0.0, *, n_relevant=None, positive_class=None, max_iter=100):
        self.alpha = alpha
        self.theta = theta
        self.n_relevant = n_relevant
        self.positive_class = positive_class
        self.max_iter = max_iter

    @property
    def bias_(self) -> np.ndarray:
        """The weight, for minus against, of the feature that is always true."""
        check_is_fitted(self)
        return np.array([machine.bias for machine in self.learner_.machines])

    def _rule(self, n_features: int) -> Rule:  # noqa: ARG002 (the threshold does not depend on it)
        return Rule(self.algorithm, self._alpha() if self.alpha is None else self.alpha, self.theta)

    def _alpha(self) -> float:
        if self.n_relevant is None:
            return 1.5
        margin = self._margin()
        return sqrt((1 + margin) / (1 - margin))

    def _margin(self) -> float:
        if not 1 <= self.n_relevant < inf:
            raise ParameterError(f"n_relevant={self.n_relevant} is no number of literals. Let it be 1 or more.")
        return 1 / (4 * self.n_relevant - 1)

    def _bound(self) -> float | None:
        rule = self.learner_.rule
        if self.n_relevant is None or rule.theta != 0:
            return None
        bound = mistakes.balanced_winnow(self.n_features_in_ + 1, self._margin(), rule.alpha)
        return bound if isfinite(bound) else None
