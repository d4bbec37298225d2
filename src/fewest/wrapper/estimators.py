"""STANDARD-WRAP, ORDERED-FS and ORDERED-FS2 of Ng (1998), as scikit-learn selectors that predict."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from inspect import cleandoc
from typing import Any, ClassVar, Self

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, MetaEstimatorMixin, is_classifier
from sklearn.metrics import get_scorer
from sklearn.model_selection import GroupShuffleSplit, check_cv
from sklearn.utils import Bunch, check_random_state, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    check_array,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from fewest.budget import printed_progress
from fewest.estimators.input import (
    KeepsFeatures,
    VersionedState,
    as_frame,
    as_frame_with_columns,
    checked_weights,
    is_frame,
)
from fewest.estimators.options import RAISE, fitted_unless_interrupted, options_of
from fewest.exceptions import ParameterError
from fewest.wrapper.evaluators.generic import Learner
from fewest.wrapper.examples import Examples, columns_of, n_rows
from fewest.wrapper.options import (
    ALL,
    BoundOptions,
    OrderedFS2Options,
    OrderedFSOptions,
    StandardWrapOptions,
    WrapperOptions,
)
from fewest.wrapper.result import SearchBound, WrapperResult
from fewest.wrapper.wrap import wrap


def _has(method: str):
    """Offer a method where the wrapped estimator has it."""

    def check(self) -> bool:
        getattr(self.estimator_ if hasattr(self, "estimator_") else self.estimator, method)
        return True

    return available_if(check)


# What the docstrings of the three wrappers have in common; `Wrapper` puts it where they say so.
_PARAMETERS = """\
beam_width : int, default=50
    How many subsets of each size are extended.
search : {"auto", "forward", "backward", "floating", "floating-backward", "exhaustive"}, default="auto"
    ``"forward"`` is the beam search of Ng's Figure 1. ``"auto"`` tries all subsets where that takes no
    more fits than the beam search would.
scoring : str, callable or None, default=None
    A score to maximise instead of the error rate, or for regressors the mean squared error, to minimise. Errors
    then are minus the score; ``"accuracy"`` and ``"neg_mean_squared_error"`` are these two errors themselves.
    A score that is NaN raises an `UndefinedScoreError`.
max_features : int or None, default=None
    The largest number of features, those that are included among them; a group counts as one.
min_features_to_select : int, default=1
    The least number of features. Where the estimator errs less with fewer, a warning says so; 0 allows none.
include : str, int, list of these, Boolean mask or None, default=None
    Features of every subset, by name or position.
exclude : str, int, list of these, Boolean mask or None, default=None
    Features of no subset, by name or position.
feature_groups : list of lists of int or str, or None, default=None
    Features that enter together; the others enter alone.
patience : int or None, default=None
    Stop after this many sizes without a better one.
ties : {"random", "first"}, default="random"
    Errors are counts, so ties are the rule. Choose at random among them, so that the order of the features does
    not matter, or take the subset that comes up first.
refit : {"all", "training", True, False}, default="all"
    What to train ``estimator_`` on, with the selected features: all rows, which True means as well, or, as in the
    paper, those not held out. With False there is no ``estimator_``.
fast : bool, default=True
    Whether to use a fast path where there is one.
stratify : bool, default=False
    Whether to hold out the same share of every class.
shuffle : bool, default=True
    Whether to hold out rows at random; if not, the last ones, of rows in the order of time.
checkpoint : str, path or None, default=None
    A file to which the search appends what it has evaluated. If it is killed, the same call goes on from there,
    and ends with the same answer. `OrderedFS` with ``cv`` has one more file for every fold.
time_limit : float or None, default=None
    Stop after this many seconds with the best of the sizes completed.
n_jobs : int or None, default=None
    The number of workers. None is one, unless ``joblib.parallel_config`` says otherwise, which also chooses
    threads, processes or Dask; -1 is one a core. The fast paths of logistic regression and naive Bayes run on
    threads, the other fast paths on one.
verbose : bool or callable, default=False
    Whether to show progress; a function is called with a line of text about ten times a second.
on_interrupt : {"raise", "return"}, default="raise"
    What to do at Ctrl-C, once some size is done: raise an `InterruptedSearchError`, which is a `KeyboardInterrupt`
    and has the selector, with the best so far, as ``found``; or return as if the time were over.
random_state : int, RandomState or None, default=None
    Decides how the rows are split, and among ties. An int gives the same answer every time."""

_ESTIMATOR = """\
estimator : classifier or regressor
    Anything of scikit-learn's kind. Fits of some types share their work and are many times faster:
    logistic regression, least squares, ridge, naive Bayes, linear discriminants, and this library's `ID3Classifier`
    and `CFPClassifier`. Without features it is the majority class, or the mean."""

_ATTRIBUTES = """\
support_ : ndarray of bool of shape (n_features,)
    Which features are selected.
n_features_selected_ : int
    How many features are selected.
estimator_ : estimator
    Fitted to the selected features. ``predict``, ``predict_proba``, ``decision_function`` and ``score`` are its.
history_ : list of dict
    For every size the best subset: ``n_features``, ``features``, ``training_error``, ``holdout_error``, the number
    of subsets tried (``n_subsets``) and whether these were all (``is_exhaustive``); of `OrderedFS2` also
    ``second_holdout_error``.
training_error_ : float
    The error of the estimator with the selected features on the rows that it is trained on.
holdout_error_ : float
    The error of the estimator with the selected features on the (first) rows held out.
n_subsets_evaluated_ : int
    How many subsets the search has tried.
bound_ : SearchBound or None
    What ``bound()`` returns; None where the theorems do not apply.
search_ : str
    The search that was run, where ``search`` leaves it open.
evaluation_ : str
    How subsets were evaluated: the name of the fast path, or ``"generic"``.
stopped_by_ : {"time limit", "interrupt"} or None
    What ended the search early, if anything did.
folds_ : list of Fold
    The rows for ``training``, and those held out (``holdout``, ``second``).
classes_ : ndarray of shape (n_classes,)
    The classes, of a classifier that was refitted.
n_features_in_ : int
    The number of features seen in ``fit``.
feature_names_in_ : ndarray of str of shape (n_features,)
    The names of the features, where the data has string names."""


class Wrapper(KeepsFeatures, MetaEstimatorMixin, VersionedState, BaseEstimator):
    """A selector that chooses features by the errors of an estimator; the options of a subclass are its algorithm."""

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        shared = {"parameters": _PARAMETERS, "attributes": _ATTRIBUTES, "the estimator": _ESTIMATOR}
        text = cleandoc(cls.__doc__ or "") + "\n"
        for marker, part in shared.items():
            text = text.replace(f"<{marker}>", part)
        cls.__doc__ = text

    _options: ClassVar[type[WrapperOptions]]
    estimator: Any
    cv: Any
    scoring: Any
    refit: Any
    verbose: Any
    random_state: Any

    def fit(self, X, y, **params) -> Self:
        """Choose features by how well the estimator does with them.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
            What the estimator takes.
        y : array-like of shape (n_samples,)
            The classes, or the regression target.
        **params : dict
            ``groups`` keeps rows of one group on one side of every split. ``sample_weight`` goes to the estimator,
            and weighs its errors. Everything else goes to the estimator's ``fit``. With
            metadata routing enabled the estimator, the splitter and the scorer get what they request.

        Returns
        -------
        Self
            The fitted selector.
        """
        options = options_of(self, self._options, random_state=check_random_state(self.random_state))
        learner = Learner.of(self.estimator, self.scoring)
        X, y = self._validated(X, y)
        fit_params, score_params, groups = self._routed(X, params)
        weights = checked_weights(fit_params.get("sample_weight"), n_rows(X))
        examples = Examples(X, y, fit_params, score_params, weights)
        names = getattr(self, "feature_names_in_", ())
        if callable(self.verbose):
            self._store(wrap(learner, examples, options, groups, names))
        else:
            with printed_progress(self.verbose) as on_progress:
                self._store(wrap(learner, examples, replace(options, verbose=on_progress), groups, names))
        fitted_unless_interrupted(self)
        self._refit(learner, examples)
        return self

    # ------------------------------------------------------------------ the parts of fit

    def _validated(self, X, y):
        """Check what can be checked without knowing the estimator; keep frames as they are."""
        X = as_frame_with_columns(self, X)
        if is_frame(X):
            validate_data(self, X, y, skip_check_array=True)
            y = column_or_1d(check_array(y, ensure_2d=False, dtype=None), warn=True)
            check_consistent_length(X, y)
        else:
            X, y = validate_data(self, X, y, ensure_min_samples=2, **self._array_rules())
        if is_classifier(self.estimator):
            check_classification_targets(y)
        return X, np.asarray(y)

    def _array_rules(self) -> dict[str, Any]:
        """Return how to check an array: missing values are refused unless the wrapped estimator takes them."""
        takes_nan = get_tags(self).input_tags.allow_nan
        return {"dtype": None, "accept_sparse": "csr", "ensure_all_finite": "allow-nan" if takes_nan else True}

    def _routed(self, X, params: dict) -> tuple[dict, dict, object]:
        """Return what goes to the estimator's fit, to the scorer, and the groups for the splitter."""
        params = {name: value for name, value in params.items() if value is not None}
        if get_config()["enable_metadata_routing"]:
            routed: Bunch = process_routing(self, "fit", **params)
            groups = routed.splitter.split.get("groups")
            return dict(routed.estimator.fit), dict(routed.get("scorer", Bunch(score={})).score), groups
        groups = params.pop("groups", None)
        if groups is not None and len(groups) != n_rows(X):
            raise ParameterError(f"There are {len(groups)} groups for {n_rows(X)} rows. Give one for every row.")
        return params, {}, groups

    def _store(self, result: WrapperResult) -> None:
        self._result = result
        self.__dict__.pop("estimator_", None)  # of an earlier fit, in case this one ends here
        self.support_ = result.support
        self.n_features_selected_ = len(result.features)
        self.history_ = list(result.history)
        self.n_subsets_evaluated_ = result.n_subsets_evaluated
        self.search_, self.evaluation_ = result.search, result.evaluation
        self.stopped_by_ = result.stopped_by
        self.folds_ = result.folds
        self.training_error_, self.holdout_error_ = result.training_error, result.holdout_error
        self.bound_ = None if result.why_no_bound else result.bound()

    def _refit(self, learner: Learner, examples: Examples) -> None:
        if self.refit is False:
            self.__dict__.pop("estimator_", None)
            return
        kept = examples if self.refit in (ALL, True) else examples.rows(self.folds_[-1].training)
        self.estimator_ = learner.fitted(kept, np.flatnonzero(self.support_).tolist())
        if hasattr(self.estimator_, "classes_"):
            self.classes_ = self.estimator_.classes_

    # ------------------------------------------------------------------ what a fitted wrapper offers

    def bound(
        self,
        delta=BoundOptions.delta,
        eta=BoundOptions.eta,
        shortfall=BoundOptions.shortfall,
        vc_dimension=None,
    ) -> SearchBound:
        """Bound the error on new data of the hypothesis that was chosen.

        Ng (1998): the hypothesis is the one trained on the training part,
        which ``refit="training"`` keeps. ``print`` shows it in words.

        Parameters
        ----------
        delta : float, default=0.05
            The probability with which it may fail: the bound holds with probability 1 - delta.
        eta : float, default=0
            The probability with which a label is wrong; the bound is for right ones.
        shortfall : float, default=0
            By how much the search may have missed the least error, eps_+; 0 where every subset was tried.
        vc_dimension : callable, optional
            From a number of features to the VC dimension of the estimator's hypotheses; known for linear classifiers.

        Returns
        -------
        SearchBound
            The bound, and the numbers of the search that it depends on.

        See Also
        --------
        fewest.wrapper.bounds : The theorems, as calculators.
        """
        check_is_fitted(self)
        return self._result.bound(BoundOptions(delta=delta, eta=eta, shortfall=shortfall), vc_dimension)

    def _selected(self, X):
        """Check new data, and return the selected features that the refitted estimator takes."""
        check_is_fitted(self)
        if self.refit is False:
            raise ParameterError("With refit=False no estimator was kept to predict with. Use refit='all'.")
        X = as_frame(X)
        if is_frame(X):
            validate_data(self, X, reset=False, skip_check_array=True)
        else:
            X = validate_data(self, X, reset=False, **self._array_rules())
        return (
            columns_of(X, np.flatnonzero(self.support_).tolist())
            if self.n_features_selected_
            else np.zeros((n_rows(X), 1))
        )

    @_has("predict")
    def predict(self, X):
        """Predict with the estimator that was refitted to the selected features.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
            Rows with all the features that ``fit`` has seen.

        Returns
        -------
        ndarray of shape (n_samples,)
            Classes, or values of the regression target.
        """
        X = self._selected(X)
        return self.estimator_.predict(X)

    @_has("predict_proba")
    def predict_proba(self, X):
        """Return the refitted estimator's probabilities.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
            Rows with all the features that ``fit`` has seen.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            The probability of each of ``classes_``.
        """
        X = self._selected(X)
        return self.estimator_.predict_proba(X)

    @_has("decision_function")
    def decision_function(self, X):
        """Return the refitted estimator's decision function.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
            Rows with all the features that ``fit`` has seen.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            As the estimator has it.
        """
        X = self._selected(X)
        return self.estimator_.decision_function(X)

    @_has("score")
    def score(self, X, y, **params):
        """Return the refitted estimator's score.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
            Rows with all the features that ``fit`` has seen.
        y : array-like of shape (n_samples,)
            The true classes, or values of the regression target.
        **params : dict
            What else the estimator's ``score`` takes.

        Returns
        -------
        float
            Accuracy for classifiers, R squared for regressors, unless the estimator has another.
        """
        X = self._selected(X)
        return self.estimator_.score(X, y, **params)

    def get_metadata_routing(self):
        """Return who gets which of the parameters of ``fit``.

        Returns
        -------
        MetadataRouter
            For the estimator, the splitter and the scorer.
        """
        router = MetadataRouter(owner=type(self).__name__)
        router.add(estimator=self.estimator, method_mapping=MethodMapping().add(caller="fit", callee="fit"))
        splitter = GroupShuffleSplit() if self.cv is None else check_cv(self.cv)
        router.add(splitter=splitter, method_mapping=MethodMapping().add(caller="fit", callee="split"))
        if self.scoring is not None:
            scorer = get_scorer(self.scoring) if isinstance(self.scoring, str) else self.scoring
            if hasattr(scorer, "get_metadata_routing"):
                router.add(scorer=scorer, method_mapping=MethodMapping().add(caller="fit", callee="score"))
        return router

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.estimator_type = inner.estimator_type
        tags.classifier_tags = deepcopy(inner.classifier_tags)
        tags.regressor_tags = deepcopy(inner.regressor_tags)
        for each in (tags.classifier_tags, tags.regressor_tags):
            if each is not None:
                each.poor_score = True  # of few rows some are held out, and few features may be kept
        tags.target_tags.required = True
        tags.input_tags = deepcopy(inner.input_tags)
        tags.input_tags.pairwise = False
        return tags


class _OneHoldout(Wrapper):
    """A wrapper with one hold-out set, of a fraction gamma of the rows."""

    def __init__(
        self,
        estimator,
        *,
        validation_fraction=StandardWrapOptions.validation_fraction,
        cv=StandardWrapOptions.cv,
        beam_width=StandardWrapOptions.beam_width,
        search=StandardWrapOptions.search,
        scoring=StandardWrapOptions.scoring,
        max_features=StandardWrapOptions.max_features,
        min_features_to_select=StandardWrapOptions.min_features_to_select,
        include=StandardWrapOptions.include,
        exclude=StandardWrapOptions.exclude,
        feature_groups=StandardWrapOptions.feature_groups,
        patience=StandardWrapOptions.patience,
        ties=StandardWrapOptions.ties,
        refit=StandardWrapOptions.refit,
        fast=StandardWrapOptions.fast,
        stratify=StandardWrapOptions.stratify,
        shuffle=StandardWrapOptions.shuffle,
        checkpoint=StandardWrapOptions.checkpoint,
        time_limit=StandardWrapOptions.time_limit,
        n_jobs=StandardWrapOptions.n_jobs,
        verbose=StandardWrapOptions.verbose,
        on_interrupt=RAISE,
        random_state=StandardWrapOptions.random_state,
    ):
        self.estimator = estimator
        self.validation_fraction = validation_fraction
        self.beam_width = beam_width
        self.search = search
        self.cv = cv
        self.scoring = scoring
        self.max_features = max_features
        self.min_features_to_select = min_features_to_select
        self.include = include
        self.exclude = exclude
        self.feature_groups = feature_groups
        self.patience = patience
        self.ties = ties
        self.refit = refit
        self.fast = fast
        self.stratify = stratify
        self.shuffle = shuffle
        self.checkpoint = checkpoint
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.on_interrupt = on_interrupt
        self.random_state = random_state


class StandardWrap(_OneHoldout):
    """Keep the features with which an estimator errs least on hold-out data.

    STANDARD-WRAP of Ng (1998), the usual wrapper: of all subsets that the
    search comes to, the one of least hold-out error. The more features, the more
    subsets are compared on the same hold-out rows, and the more likely one does
    well there by luck; `bound` computes how much. `OrderedFS` compares only one subset a size.

    Parameters
    ----------
    <the estimator>
    validation_fraction : float, default=0.3
        The share of the rows that are held out (the paper's gamma), at random.
    cv : int, splitter, iterable or None, default=None
        Cross-validate instead of holding out; errors are means over the folds.
    <parameters>

    Attributes
    ----------
    <attributes>

    See Also
    --------
    OrderedFS : Compares only one subset a size on hold-out data.
    OrderedFS2 : Chooses subsets on one hold-out set and their size on another.

    Notes
    -----
    With probability 1 - delta the error of the chosen hypothesis exceeds that of the best subset of r features by a
    term that grows with the square root of the number of features [1]_ (theorem 14).

    References
    ----------
    .. [1] Andrew Y. Ng. On Feature Selection: Learning with Exponentially many Irrelevant Features as Training
       Examples. Master's thesis, Massachusetts Institute of Technology, 1998.

    Examples
    --------
    One of ten features matters, and a quarter of the labels are wrong:

    >>> from sklearn.linear_model import LogisticRegression
    >>> from fewest import StandardWrap
    >>> from fewest.datasets import make_linear_threshold
    >>> X, y, relevant = make_linear_threshold(200, irrelevant=9, noise=0.25, random_state=0)
    >>> wrap = StandardWrap(LogisticRegression(), random_state=0).fit(X, y)
    >>> wrap.n_subsets_evaluated_
    1024
    """

    _options = StandardWrapOptions


class OrderedFS(_OneHoldout):
    """Keep the features of least training error, and as many as hold-out data recommends.

    ORDERED-FS of Ng (1998): for every size, the subset of least *training*
    error; of these, one a size, the one of least hold-out error. Hold-out data
    then decides how many features, not which, and the error grows only with
    the logarithm of the number of irrelevant features.

    Parameters
    ----------
    <the estimator>
    validation_fraction : float, default=0.3
        The share of the rows that are held out (the paper's gamma), at random.
    cv : int, splitter, iterable or None, default=None
        Cross-validate instead of holding out. Every fold chooses features by
        its own training rows and is judged by its hold-out rows; the mean over
        the folds decides how many features, a search by the training rows of
        all folds which. With ``scoring="neg_log_loss"``, a floating search and
        some patience this finds the few features of a logistic rule among
        many, which one hold-out set is often too small for.
    <parameters>

    Attributes
    ----------
    <attributes>

    See Also
    --------
    StandardWrap : Compares all subsets on hold-out data.
    OrderedFS2 : Chooses subsets on a hold-out set as well.

    Notes
    -----
    With probability 1 - delta the error of the chosen hypothesis exceeds that of the best subset of r features by a
    term that grows with the square root of r times the logarithm of the number of features [1]_ (theorem 17).

    References
    ----------
    .. [1] Andrew Y. Ng. On Feature Selection: Learning with Exponentially many Irrelevant Features as Training
       Examples. Master's thesis, Massachusetts Institute of Technology, 1998.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from fewest import OrderedFS
    >>> from fewest.datasets import make_linear_threshold
    >>> X, y, relevant = make_linear_threshold(200, irrelevant=9, noise=0.25, random_state=0)
    >>> selector = OrderedFS(LogisticRegression(), random_state=0).fit(X, y)
    >>> selector.get_support(indices=True)
    array([0])
    >>> print(selector.bound_)
    11 hypotheses were compared on 60 hold-out rows, so the chosen one's error of 0.283 may be too low by 0.225: with \
probability 95% it is at most 0.509 on new data.
    """

    _options = OrderedFSOptions


class OrderedFS2(Wrapper):
    """Keep the features of least error on one hold-out set, and as many as another recommends.

    ORDERED-FS2 of Ng (1998), section 5.3: for every size, the subset of least
    error on a first hold-out set; of these, one a size, the one of least error on
    a second. For learners that do not minimise training error, or that can learn anything from some
    feature, as a tree can from a patient's number.

    Parameters
    ----------
    <the estimator>
    split_fractions : tuple of three floats, default=(0.5, 0.25, 0.25)
        The shares of the rows to train on and of the two hold-out sets (the paper's gamma1, gamma2 and gamma3); they
        add up to 1.
    cv : int, splitter, iterable or None, default=None
        Cross-validate, on the rows that are not in the second hold-out set, instead of the first one.
    <parameters>

    Attributes
    ----------
    <attributes>

    See Also
    --------
    StandardWrap : Compares all subsets on hold-out data.
    OrderedFS : Chooses subsets by training error.

    Notes
    -----
    With probability 1 - delta the error of the chosen hypothesis exceeds that of the learner on the best subset of r
    features by a term that grows with the square root of r times the logarithm of the number of features [1]_
    (theorem 7).

    References
    ----------
    .. [1] Andrew Y. Ng. On Feature Selection: Learning with Exponentially many Irrelevant Features as Training
       Examples. Master's thesis, Massachusetts Institute of Technology, 1998.

    Examples
    --------
    A tree learns everything from a number that is different in every row, and nothing that helps with others:

    >>> import numpy as np
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from fewest import OrderedFS, OrderedFS2
    >>> from fewest.datasets import make_parity
    >>> X, y, relevant = make_parity(300, relevant=2, irrelevant=2, random_state=0)
    >>> X = np.column_stack([X, np.random.default_rng(0).permutation(300)])
    >>> tree = DecisionTreeClassifier(random_state=0)
    >>> OrderedFS(tree, random_state=0).fit(X, y).history_[1]["features"]
    (4,)
    >>> OrderedFS2(tree, random_state=0).fit(X, y).get_support(indices=True)
    array([0, 1])
    """

    _options = OrderedFS2Options

    def __init__(
        self,
        estimator,
        *,
        split_fractions=OrderedFS2Options.split_fractions,
        cv=OrderedFS2Options.cv,
        beam_width=OrderedFS2Options.beam_width,
        search=OrderedFS2Options.search,
        scoring=OrderedFS2Options.scoring,
        max_features=OrderedFS2Options.max_features,
        min_features_to_select=OrderedFS2Options.min_features_to_select,
        include=OrderedFS2Options.include,
        exclude=OrderedFS2Options.exclude,
        feature_groups=OrderedFS2Options.feature_groups,
        patience=OrderedFS2Options.patience,
        ties=OrderedFS2Options.ties,
        refit=OrderedFS2Options.refit,
        fast=OrderedFS2Options.fast,
        stratify=OrderedFS2Options.stratify,
        shuffle=OrderedFS2Options.shuffle,
        checkpoint=OrderedFS2Options.checkpoint,
        time_limit=OrderedFS2Options.time_limit,
        n_jobs=OrderedFS2Options.n_jobs,
        verbose=OrderedFS2Options.verbose,
        on_interrupt=RAISE,
        random_state=OrderedFS2Options.random_state,
    ):
        self.estimator = estimator
        self.split_fractions = split_fractions
        self.beam_width = beam_width
        self.search = search
        self.cv = cv
        self.scoring = scoring
        self.max_features = max_features
        self.min_features_to_select = min_features_to_select
        self.include = include
        self.exclude = exclude
        self.feature_groups = feature_groups
        self.patience = patience
        self.ties = ties
        self.refit = refit
        self.fast = fast
        self.stratify = stratify
        self.shuffle = shuffle
        self.checkpoint = checkpoint
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.on_interrupt = on_interrupt
        self.random_state = random_state
