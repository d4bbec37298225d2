"""Winnow1, Winnow2 and balanced Winnow as scikit-learn classifiers."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from fewest.blocks.scan import Scan
from fewest.estimators.input import remember_columns, sorted_classes
from fewest.estimators.options import options_of
from fewest.mistakes import bounds
from fewest.mistakes.blocks import SampleInBlocks, tests_of_booleans
from fewest.mistakes.estimators.online import OnlineClassifier
from fewest.mistakes.examples import Examples
from fewest.mistakes.options import BINARIZE, BalancedWinnowOptions, Winnow1Options, Winnow2Options, WinnowOptions
from fewest.mistakes.saved_classifier import Course, WinnowClassifierModel, classifier_from, model_of
from fewest.mistakes.trials import Sample, Trials
from fewest.mistakes.winnow import Committee


class WinnowClassifier(OnlineClassifier):
    """The base of Winnow1, Winnow2 and BalancedWinnow; each has its options."""

    options_type: ClassVar[type[WinnowOptions]]

    def _options(self) -> WinnowOptions:
        return options_of(self, self.options_type)

    def _learner(self, options: WinnowOptions, n_features: int, n_classes: int, positive: int) -> Committee:
        return Committee(options.rule(n_features), n_features, n_classes, positive)

    def _bound(self, options: WinnowOptions) -> float | None:
        return bounds.of_winnow(options, self.n_features_in_)

    def _in_blocks(self, options: WinnowOptions, scanned: Scan) -> Sample:
        remember_columns(self, scanned)
        store = scanned.store
        tests = tests_of_booleans(store.features, type(self).__name__)
        classes, class_codes = sorted_classes(store)
        self._meet(options, classes, store.n_features)
        return SampleInBlocks(store, tests, class_codes)

    @property
    def weights_(self) -> np.ndarray:
        """The weights, a row for two classes or a row a class."""
        check_is_fitted(self)
        weights = [member.weights for member in self.learner_.members]
        return np.array(weights).reshape(-1, self.n_features_in_)

    @property
    def theta_(self) -> float:
        """The threshold in use."""
        check_is_fitted(self)
        return self.learner_.rule.theta

    @property
    def update_factor_(self) -> float:
        """The update factor in use."""
        check_is_fitted(self)
        return self.learner_.rule.update_factor

    @property
    def coef_(self) -> np.ndarray:
        """The weights, with the sign that they have for the second of two classes."""
        return self._sign * self.weights_

    @property
    def intercept_(self) -> np.ndarray:
        """What to add to ``X @ coef_.T`` for the decision function."""
        committee = self.learner_
        return self._sign * np.array([member.bias - committee.rule.threshold for member in committee.members])

    @property
    def _sign(self) -> int:
        """Return -1 where the weights describe the first of two classes."""
        committee = self.learner_
        return -1 if len(committee.members) == 1 and committee.positive == 0 else 1

    def decision_function(self, X) -> np.ndarray:
        """Return how far sums of weights are above the threshold; positive values predict the positive class.

        Parameters
        ----------
        X : array-like, sparse matrix, dataframe or PackedBits of shape (n_samples, n_features), or Scan
            The features, as in `fit`.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            One value a row for two classes, one for each class otherwise.
        """
        check_is_fitted(self)
        return self._in_batches(X, self._margins)

    def _margins(self, examples: Examples) -> np.ndarray:
        committee = self._trials.learner
        scores = committee.margins(examples)
        if len(scores) > 1:
            return scores.T
        if not len(scores):
            return np.zeros(len(examples))
        return scores[0] if committee.positive == 1 else -scores[0]

    # ------------------------------------------------------------------ files

    @property
    def model_(self) -> WinnowClassifierModel:
        """The model that was learned, to use on raw data without scikit-learn."""
        check_is_fitted(self)
        return model_of(self)

    def export_text(self) -> str:
        """List the weights of every class, the largest first, a line each.

        Returns
        -------
        str
            The text, a paragraph a class.
        """
        return self.model_.export_text()

    def save(self, path) -> None:
        """Write the learner into one file, which `load`, `load_model` and ``fewest predict`` read.

        Parameters
        ----------
        path : str or Path
            The file; one of that name is replaced.
        """
        self.model_.save(path)

    @classmethod
    def load(cls, path) -> Self:
        """Return the learner that `save` wrote, to go on with: it learns and counts as if it had never stopped.

        Parameters
        ----------
        path : str or Path
            The file that `save` wrote.

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
        self._trials = Trials(
            committee, course.n_trials, course.n_mistakes, [course.mistakes.astype(np.intp)], len(course.mistakes)
        )
        self.mistake_bound_ = course.mistake_bound
        if course.n_passes is not None:
            self.n_iter_ = course.n_passes


class Winnow1(WinnowClassifier):
    """Learn a disjunction of few features among many, with mistakes that grow with the logarithm of their number.

    Littlestone's WINNOW1. All weights are 1 at first. An example is predicted
    to be positive if the weights of its features sum up to more than theta. In
    a mistake on a positive example the weights of its features are multiplied
    by the update factor; on a negative one they become 0 for good, so that one wrong label
    can do lasting harm: see `Winnow2`. More than two classes are learned one
    against the rest.

    Parameters
    ----------
    update_factor : float, default=2
        What weights are multiplied and divided by, above 1; the paper's alpha.
    theta : float, optional
        The threshold; half the number of features by default.
    n_relevant : int, optional
        How many features the disjunction has at most, if that is known: then theorem 7 bounds the mistakes.
    positive_class : label, optional
        Which of two classes is the one to describe; the second by default. The
        complement of a conjunction is a disjunction of complements, so
        conjunctions are learned from `ComplementedLiterals` with the *negative* class here.
    binarize : float or None, default=0.0
        A number above it is true, as in scikit-learn's `BernoulliNB`; it changes nothing for Boolean data. None
        refuses numbers other than 0 and 1.
    max_iter : int, default=100
        Passes that `fit` makes at the most.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels of the classes.
    weights_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        The weights, a row for two classes or a row a class.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        The weights with the sign that they have for the second of two classes, as linear models of scikit-learn have
        them, so that `SelectFromModel` and `RFE` can select features by them.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        What to add to ``X @ coef_.T`` for the decision function: less the threshold.
    update_factor_ : float
        The update factor in use.
    theta_ : float
        The threshold in use.
    n_mistakes_ : int
        Mistakes over all trials so far; predictions are made before the label is seen.
    mistakes_ : ndarray of int
        The numbers of the trials that were mistakes, from 0 over all passes and calls; the latest 65,536.
    mistake_bound_ : float or None
        What `n_mistakes_` cannot exceed if the target is such a disjunction. None where no theorem applies: more
        than two classes, or parameters outside its conditions.
    n_trials_ : int
        Examples seen, over all passes and calls.
    n_iter_ : int
        Passes of `fit`.
    learner_ : Committee
        What learns: its ``members`` are the learners, one for two classes or one a class.
    model_ : WinnowClassifierModel
        What was learned, to use on raw data without scikit-learn.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features, where they are text.

    See Also
    --------
    Winnow2 : Linear threshold functions; wrong labels are forgiven.
    BalancedWinnow : Features may speak against the class, too.
    BooleanTests : Boolean features of columns of any kind.

    Notes
    -----
    The order of the examples matters. Mistakes alone change weights, so that a row cannot count for more than
    another: ``sample_weight`` is not taken.

    References
    ----------
    Littlestone, N. (1988). Learning quickly when irrelevant attributes abound: a new linear-threshold algorithm.
    Machine Learning 2, 285-318.

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

    options_type = Winnow1Options

    def __init__(
        self,
        update_factor=Winnow1Options.update_factor,
        theta=Winnow1Options.theta,
        *,
        n_relevant=Winnow1Options.n_relevant,
        positive_class=Winnow1Options.positive_class,
        binarize=BINARIZE,
        max_iter=Winnow1Options.max_iter,
    ):
        self.update_factor = update_factor
        self.theta = theta
        self.n_relevant = n_relevant
        self.positive_class = positive_class
        self.binarize = binarize
        self.max_iter = max_iter


class Winnow2(WinnowClassifier):
    """Learn a linear threshold function of few features among many; wrong labels are forgiven.

    Littlestone's WINNOW2: as `Winnow1`, but in a mistake on a negative example
    the weights of its features are divided by the update factor. It learns what can be
    separated by weights of 0 or more with a gap delta, such as "at least r of
    these k features".

    Parameters
    ----------
    update_factor : float, optional
        What weights are multiplied and divided by, above 1; the paper's alpha. By default ``1 + delta / 2`` with the
        delta of the separation, 1.5 without one.
    theta : float, optional
        The threshold; the number of features by default.
    separation : Separation, optional
        The class of the target, if that is known: then theorem 9 bounds the mistakes.
    positive_class : label, optional
        Which of two classes is the one to describe; the second by default.
    binarize : float or None, default=0.0
        A number above it is true, as in scikit-learn's `BernoulliNB`; it changes nothing for Boolean data. None
        refuses numbers other than 0 and 1.
    max_iter : int, default=100
        Passes that `fit` makes at the most.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels of the classes.
    weights_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        The weights, a row for two classes or a row a class.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        The weights with the sign that they have for the second of two classes, as linear models of scikit-learn have
        them, so that `SelectFromModel` and `RFE` can select features by them.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        What to add to ``X @ coef_.T`` for the decision function: less the threshold.
    update_factor_ : float
        The update factor in use.
    theta_ : float
        The threshold in use.
    n_mistakes_ : int
        Mistakes over all trials so far; predictions are made before the label is seen.
    mistakes_ : ndarray of int
        The numbers of the trials that were mistakes, from 0 over all passes and calls; the latest 65,536.
    mistake_bound_ : float or None
        What `n_mistakes_` cannot exceed if the target is in the class of ``separation``. None where no theorem
        applies: more than two classes, or parameters outside its conditions.
    n_trials_ : int
        Examples seen, over all passes and calls.
    n_iter_ : int
        Passes of `fit`.
    learner_ : Committee
        What learns: its ``members`` are the learners, one for two classes or one a class.
    model_ : WinnowClassifierModel
        What was learned, to use on raw data without scikit-learn.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features, where they are text.

    See Also
    --------
    Winnow1 : Disjunctions of few features, if labels are right.
    BalancedWinnow : Features may speak against the class, too.
    BooleanTests : Boolean features of columns of any kind.

    Notes
    -----
    The order of the examples matters. Mistakes alone change weights, so that a row cannot count for more than
    another: ``sample_weight`` is not taken.

    References
    ----------
    Littlestone, N. (1988). Learning quickly when irrelevant attributes abound: a new linear-threshold algorithm.
    Machine Learning 2, 285-318.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest import Winnow2
    >>> from fewest.mistakes import Separation
    >>> X = np.random.default_rng(0).random((3000, 500)) < 0.2
    >>> y = X[:, :5].sum(axis=1) >= 2
    >>> winnow = Winnow2(separation=Separation.r_of_k(2, 5)).fit(X, y)
    >>> winnow.score(X, y), winnow.update_factor_, winnow.n_mistakes_ <= winnow.mistake_bound_
    (1.0, 1.25, True)
    """

    options_type = Winnow2Options

    def __init__(
        self,
        update_factor=Winnow2Options.update_factor,
        theta=Winnow2Options.theta,
        *,
        separation=Winnow2Options.separation,
        positive_class=Winnow2Options.positive_class,
        binarize=BINARIZE,
        max_iter=Winnow2Options.max_iter,
    ):
        self.update_factor = update_factor
        self.theta = theta
        self.separation = separation
        self.positive_class = positive_class
        self.binarize = binarize
        self.max_iter = max_iter


class BalancedWinnow(WinnowClassifier):
    """Learn a linear threshold function whose weights may be negative: concepts with negated literals.

    Every feature has two weights, one for and one against, both 1 at first;
    in a mistake on a positive example those for its features are multiplied by
    the update factor and those against divided, on a negative one the other way round. A
    feature that is always true is added. The prediction is positive if the
    weights for the features minus those against sum up to more than theta.

    Parameters
    ----------
    update_factor : float, optional
        What weights are multiplied and divided by, above 1; the paper's alpha. By default what makes the bound
        smallest for ``n_relevant``, 1.5 without it.
    theta : float, default=0
        The threshold.
    n_relevant : int, optional
        How many literals, negated or not, a disjunction or conjunction has at most, if that is known: then its margin,
        ``1 / (4 k - 1)``, bounds the mistakes (`fewest.mistakes.bounds.balanced_winnow`), for theta = 0.
    positive_class : label, optional
        Which of two classes is the one to describe; the second by default.
    binarize : float or None, default=0.0
        A number above it is true, as in scikit-learn's `BernoulliNB`; it changes nothing for Boolean data. None
        refuses numbers other than 0 and 1.
    max_iter : int, default=100
        Passes that `fit` makes at the most.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels of the classes.
    weights_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        The weights for, minus those against, a row for two classes or a row a class.
    bias_ : ndarray of shape (1,) or (n_classes,)
        The same of the feature that is always true.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        The weights with the sign that they have for the second of two classes, as linear models of scikit-learn have
        them, so that `SelectFromModel` and `RFE` can select features by them.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        What to add to ``X @ coef_.T`` for the decision function: the bias less the threshold.
    update_factor_ : float
        The update factor in use.
    theta_ : float
        The threshold in use.
    n_mistakes_ : int
        Mistakes over all trials so far; predictions are made before the label is seen.
    mistakes_ : ndarray of int
        The numbers of the trials that were mistakes, from 0 over all passes and calls; the latest 65,536.
    mistake_bound_ : float or None
        What `n_mistakes_` cannot exceed if the target is such a disjunction or conjunction. None where no theorem
        applies: more than two classes, or parameters outside its conditions.
    n_trials_ : int
        Examples seen, over all passes and calls.
    n_iter_ : int
        Passes of `fit`.
    learner_ : Committee
        What learns: its ``members`` are the learners, one for two classes or one a class.
    model_ : WinnowClassifierModel
        What was learned, to use on raw data without scikit-learn.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features, where they are text.

    See Also
    --------
    Winnow1 : Disjunctions of few features, if labels are right.
    Winnow2 : Linear threshold functions; wrong labels are forgiven.
    BooleanTests : Boolean features of columns of any kind.

    Notes
    -----
    The order of the examples matters. Mistakes alone change weights, so that a row cannot count for more than
    another: ``sample_weight`` is not taken.

    References
    ----------
    Littlestone, N. (1988). Learning quickly when irrelevant attributes abound: a new linear-threshold algorithm.
    Machine Learning 2, 285-318.

    Littlestone, N. (1989). Mistake bounds and logarithmic linear-threshold learning algorithms. PhD thesis,
    University of California, Santa Cruz.

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

    options_type = BalancedWinnowOptions

    def __init__(
        self,
        update_factor=BalancedWinnowOptions.update_factor,
        theta=BalancedWinnowOptions.theta,
        *,
        n_relevant=BalancedWinnowOptions.n_relevant,
        positive_class=BalancedWinnowOptions.positive_class,
        binarize=BINARIZE,
        max_iter=BalancedWinnowOptions.max_iter,
    ):
        self.update_factor = update_factor
        self.theta = theta
        self.n_relevant = n_relevant
        self.positive_class = positive_class
        self.binarize = binarize
        self.max_iter = max_iter

    @property
    def bias_(self) -> np.ndarray:
        """The weight, for minus against, of the feature that is always true."""
        check_is_fitted(self)
        return np.array([member.bias for member in self.learner_.members])
