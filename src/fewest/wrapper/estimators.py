"""STANDARD-WRAP, ORDERED-FS and ORDERED-FS2 of Ng (1998), as scikit-learn selectors."""

from __future__ import annotations

from numbers import Real

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils import check_scalar

from fewest.exceptions import ParameterError
from fewest.wrapper.base import Wrapper
from fewest.wrapper.evaluators.generic import Roles
from fewest.wrapper.splits import (
    HOLDOUT,
    SECOND,
    TRAINING,
    Fold,
    cross_validation_folds,
    holdout_fold,
    with_second_holdout,
)


class _OneHoldout(Wrapper):
    """A wrapper with one hold-out set, of a fraction gamma of the rows."""

    def __init__(
        self,
        estimator,
        *,
        holdout=0.3,
        beam=50,
        search="auto",
        cv=None,
        scoring=None,
        max_features=None,
        include=None,
        feature_groups=None,
        patience=None,
        ties="random",
        refit="all",
        fast=True,
        stratify=False,
        checkpoint=None,
        time_limit=None,
        n_jobs=None,
        verbose=False,
        random_state=None,
    ):
        self.holdout = holdout
        super().__init__(
            estimator,
            beam=beam,
            search=search,
            cv=cv,
            scoring=scoring,
            max_features=max_features,
            include=include,
            feature_groups=feature_groups,
            patience=patience,
            ties=ties,
            refit=refit,
            fast=fast,
            stratify=stratify,
            checkpoint=checkpoint,
            time_limit=time_limit,
            n_jobs=n_jobs,
            verbose=verbose,
            random_state=random_state,
        )

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_scalar(self.holdout, "holdout", Real, min_val=0, max_val=1, include_boundaries="neither")

    def _folds(self, X, y: np.ndarray, groups, rng) -> list[Fold]:
        if self.cv is not None:
            return cross_validation_folds(self.cv, X, y, groups, is_classifier=is_classifier(self.estimator))
        return [holdout_fold((1 - self.holdout, self.holdout), y, groups, rng, stratify=self.stratify)]


class StandardWrap(_OneHoldout):
    """Keep the features with which an estimator errs least on hold-out data.

    STANDARD-WRAP of Ng (1998), the usual wrapper: of all subsets that the
    search comes to, the one of least hold-out error. The more features, the more
    subsets are compared on the same hold-out rows, and the more likely one does
    well there by luck; `bound` says how much. `OrderedFS` compares only one subset a size.

    Parameters
    ----------
    estimator : classifier or regressor
        Anything of scikit-learn's kind. Fits of some types share their work and are many times faster:
        logistic regression, least squares, ridge, naive Bayes, linear discriminants, and this library's `ID3Classifier`
        and `CFPClassifier`. Without features it is the majority class, or the mean.
    holdout : float, default=0.3
        The share of the rows that are held out (gamma), at random.
    beam : int, default=50
        How many subsets of each size are extended.
    search : {"auto", "forward", "backward", "floating", "floating-backward", "exhaustive"}, default="auto"
        ``"forward"`` is the beam search of the document's Figure 1. ``"auto"`` tries all subsets where that takes no
        more fits than the beam search would.
    cv : int, splitter or iterable, optional
        Cross-validate instead of holding out; errors are means over the folds.
    scoring : str or callable, optional
        A score to maximise instead of the error rate, or for regressors the mean squared error, to minimise. Errors
        then are minus the score; ``"accuracy"`` and ``"neg_mean_squared_error"`` are these two errors themselves.
    max_features : int, optional
        The largest number of features, those that are included among them; a group counts as one.
    include : list of int or str, optional
        Features that are always there, by number or name.
    feature_groups : list of lists of int or str, optional
        Features that enter together; the others enter alone.
    patience : int, optional
        Stop after so many sizes without a better one.
    ties : {"random", "first"}, default="random"
        Errors are counts, so ties are the rule. Draw lots, so that the order of the features does not matter, or
        take what comes first.
    refit : {"all", "training", False}, default="all"
        What to train ``estimator_`` on, with the selected features: all rows or, as in the document, those not held
        out.
    fast : bool, default=True
        Whether to use a fast path where there is one.
    stratify : bool, default=False
        Whether to hold out the same share of every class.
    checkpoint : str or path, optional
        A file in which the search writes down its way. If it is killed, the same call goes on from there,
        and ends with the same answer.
    time_limit : float, optional
        Stop after so many seconds with the best of the sizes completed.
    n_jobs : int, optional
        Workers for fitting, as joblib counts them; ``joblib.parallel_config`` chooses threads, processes or Dask.
        The fast paths of logistic regression and naive Bayes run on threads, the others on one.
    verbose : bool or callable, default=False
        Whether to show progress; a function is called with a line of text about ten times a second.
    random_state : int, RandomState or None

    Attributes
    ----------
    support_ : ndarray of shape (n_features,)
    n_features_ : int
        How many were selected.
    estimator_ : estimator
        Fitted to the selected features. ``predict``, ``predict_proba``, ``decision_function`` and ``score`` are its.
    history_ : list of dict
        For every size the best subset: ``n_features``, ``features``, ``training_error``, ``holdout_error``, the number
        of subsets tried (``n_subsets``) and whether these were all (``is_exhaustive``).
    training_error_, holdout_error_ : float
        Of the chosen subset.
    n_subsets_evaluated_ : int
    bound_ : SearchBound or None
        What ``bound()`` returns; None where the theorems do not apply.
    search_, evaluation_ : str
        The search and the path that were used.
    stopped_by_ : str or None
    folds_ : list of Fold
        Rows for training and for testing.
    classes_ : ndarray, for classifiers
    n_features_in_ : int
    feature_names_in_ : ndarray, where the data has string names

    Examples
    --------
    One of ten features matters, and a quarter of the labels are wrong:

    >>> from sklearn.linear_model import LogisticRegression
    >>> from fewest import StandardWrap, linear_threshold
    >>> X, y, relevant = linear_threshold(200, irrelevant=9, noise=0.25, random_state=0)
    >>> wrap = StandardWrap(LogisticRegression(), random_state=0).fit(X, y)
    >>> wrap.n_subsets_evaluated_
    1024
    """

    _algorithm = "standard-wrap"
    _roles = Roles(guide=HOLDOUT, judge=HOLDOUT)


class OrderedFS(_OneHoldout):
    """Keep as many features as hold-out data says, and which ones the training data says.

    ORDERED-FS of Ng (1998): for every size, the subset of least *training*
    error; of these, one a size, the one of least hold-out error. Hold-out data
    then decides how many features, not which, and the error grows only with
    the logarithm of the number of irrelevant features.

    Parameters
    ----------
    estimator, holdout, beam, search, cv, scoring, max_features, include, feature_groups, patience, ties, refit, fast, \
    stratify, checkpoint, time_limit, n_jobs, verbose, random_state
        As for `StandardWrap`.

    Attributes
    ----------
    support_, n_features_, estimator_, history_, training_error_, holdout_error_, n_subsets_evaluated_, bound_, \
    search_, evaluation_, stopped_by_, folds_, classes_, n_features_in_, feature_names_in_
        As for `StandardWrap`.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from fewest import OrderedFS, linear_threshold
    >>> X, y, relevant = linear_threshold(200, irrelevant=9, noise=0.25, random_state=0)
    >>> selector = OrderedFS(LogisticRegression(), random_state=0).fit(X, y)
    >>> selector.get_support(indices=True)
    array([0])
    >>> print(selector.bound_)
    11 hypotheses were compared on 60 hold-out rows, so the chosen one's error of 0.283 may be too low by 0.225: with \
probability 95% it is at most 0.509 on new data.
    """

    _algorithm = "ordered-fs"
    _roles = Roles(guide=TRAINING, judge=HOLDOUT)


class OrderedFS2(Wrapper):
    """Keep as many features as one hold-out set says, and which ones another says.

    ORDERED-FS2 of Ng (1998), section 5.3: for every size, the subset of least
    error on a first hold-out set; of these, one a size, the one of least error on
    a second. For learners that do not minimise training error, or that can learn anything from some
    feature, as a tree can from a patient's number.

    Parameters
    ----------
    estimator : classifier or regressor
    fractions : tuple of three floats, default=(0.5, 0.25, 0.25)
        The shares of the rows to train on (gamma1) and of the two hold-out sets (gamma2, gamma3); they add up to 1.
    cv : int, splitter or iterable, optional
        Cross-validate, on the rows that are not in the second hold-out set, instead of the first one.
    beam, search, scoring, max_features, include, feature_groups, patience, ties, refit, fast, stratify, \
    checkpoint, time_limit, n_jobs, verbose, random_state
        As for `StandardWrap`.

    Attributes
    ----------
    history_ : list of dict
        As for `StandardWrap`, with ``second_holdout_error``.
    support_, n_features_, estimator_, training_error_, holdout_error_, n_subsets_evaluated_, bound_, search_, \
    evaluation_, stopped_by_, folds_, classes_, n_features_in_, feature_names_in_
        As for `StandardWrap`.

    Examples
    --------
    A tree learns everything from a number that is different in every row, and nothing that helps with others:

    >>> import numpy as np
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from fewest import OrderedFS, OrderedFS2, parity
    >>> X, y, relevant = parity(300, relevant=2, irrelevant=2, random_state=0)
    >>> X = np.column_stack([X, np.random.default_rng(0).permutation(300)])
    >>> tree = DecisionTreeClassifier(random_state=0)
    >>> OrderedFS(tree, random_state=0).fit(X, y).history_[1]["features"]
    (4,)
    >>> OrderedFS2(tree, random_state=0).fit(X, y).get_support(indices=True)
    array([0, 1])
    """

    _algorithm = "ordered-fs2"
    _roles = Roles(guide=HOLDOUT, judge=SECOND)

    def __init__(
        self,
        estimator,
        *,
        fractions=(0.5, 0.25, 0.25),
        beam=50,
        search="auto",
        cv=None,
        scoring=None,
        max_features=None,
        include=None,
        feature_groups=None,
        patience=None,
        ties="random",
        refit="all",
        fast=True,
        stratify=False,
        checkpoint=None,
        time_limit=None,
        n_jobs=None,
        verbose=False,
        random_state=None,
    ):
        self.fractions = fractions
        super().__init__(
            estimator,
            beam=beam,
            search=search,
            cv=cv,
            scoring=scoring,
            max_features=max_features,
            include=include,
            feature_groups=feature_groups,
            patience=patience,
            ties=ties,
            refit=refit,
            fast=fast,
            stratify=stratify,
            checkpoint=checkpoint,
            time_limit=time_limit,
            n_jobs=n_jobs,
            verbose=verbose,
            random_state=random_state,
        )

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if len(self.fractions) != 3 or min(self.fractions) <= 0 or abs(sum(self.fractions) - 1) > 1e-9:
            raise ParameterError(
                f"fractions={self.fractions!r} are no three positive shares that add up to 1. "
                "Give (0.5, 0.25, 0.25), say: training, first and second hold-out set."
            )

    def _folds(self, X, y: np.ndarray, groups, rng) -> list[Fold]:  # noqa: ARG002 (other wrappers need X)
        if self.cv is not None:
            return with_second_holdout(
                self.cv, self.fractions, y, groups, rng, is_classifier=is_classifier(self.estimator)
            )
        return [holdout_fold(self.fractions, y, groups, rng, stratify=self.stratify)]
