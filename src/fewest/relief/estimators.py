"""Relief, ReliefF, RReliefF and ReliefThenCover as scikit-learn selectors."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar, Self

import narwhals.stable.v1 as nw
import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils import check_random_state
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import (
    check_array,
    check_consistent_length,
    column_or_1d,
    has_fit_parameter,
    validate_data,
)

from fewest.blocks.scan import Scan
from fewest.estimators.input import (
    AnyColumnsMixin,
    KeepsFeatures,
    as_frame,
    as_scan,
    checked_weights,
    is_frame,
    refuse_nothing,
    refuse_regression_target,
    remember_columns,
    without_weights,
)
from fewest.estimators.options import check_count, options_of
from fewest.exceptions import FewSelectedWarning, ParameterError
from fewest.relief.options import RelevanceOptions, ReliefFOptions, ReliefOptions, RReliefFOptions
from fewest.relief.relief import Ranking, RelevanceSearch, refine_ranking
from fewest.relief.rows import ArrayRows, RowSource, SparseRows
from fewest.table import Kind, Table, from_array, from_frame

# What relevance is measured by: these cannot change between calls of partial_fit.
MEASURING = ("n_neighbors", "neighborhood", "ties", "identical", "metric", "missing")


class RelevanceSelector(KeepsFeatures, AnyColumnsMixin, BaseEstimator):
    """A selector that gives every feature a relevance; the options of a subclass are its method."""

    _options: ClassVar[type[RelevanceOptions]]
    _search: RelevanceSearch
    classes_: np.ndarray
    _batch_classes: np.ndarray
    _announced: np.ndarray | None
    _none_is_an_answer = False

    def _fit(self, X, y, sample_weight=None, *, classes=None, is_first: bool = True) -> Self:
        """Sample rows of ``X``, and select features by all rows that have been sampled."""
        options = options_of(self, self._options)
        if not is_first:
            self._refuse_another_measure(options)
        if (scanned := as_scan(X, y)) is not None:
            features, y, weights = self._validated_scan(scanned, options, is_first=is_first), None, None
        else:
            features, y, weights = self._validated_rows(X, y, sample_weight, options, is_first=is_first)
        if not options.is_regression:
            self._join_classes(classes, is_first=is_first)
        if is_first:
            seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
            search = RelevanceSearch(options, seed)
        else:
            search = self._search
            search.options = options
        self._store(refine_ranking(search, features, y, weights))
        self._search, self._categorical = search, repr(self.categorical_features)
        self._warn_of_few(options)
        return self

    def _refuse_another_measure(self, options: RelevanceOptions) -> None:
        """Raise if relevance was measured otherwise so far: two ways to measure it have no mean."""
        before = self._search.options
        changed = [name for name in MEASURING if getattr(before, name) != getattr(options, name)]
        if self._categorical != repr(self.categorical_features):
            changed.append("categorical_features")
        if changed:
            raise ParameterError(
                f"{', '.join(changed)} changed since rows were first sampled, so that what was measured then and what "
                "would be measured now have no common mean. Set it back, or call fit to start over."
            )

    def _join_classes(self, classes, *, is_first: bool) -> None:
        """Keep every class ever seen or announced; raise for a row of a class that was not announced."""
        seen = self._batch_classes
        if classes is not None:
            classes = np.unique(column_or_1d(classes))
            if not is_first and self._announced is not None and not np.array_equal(classes, self._announced):
                raise ParameterError(
                    f"classes={classes.tolist()} differ from those of the first call, {self._announced.tolist()}. "
                    "Give the same, or call fit to start over."
                )
        announced = classes if is_first or classes is not None else self._announced
        if announced is not None and not np.isin(seen, announced).all():
            others = np.setdiff1d(seen, announced).tolist()
            raise ParameterError(f"y has classes that classes=... does not list: {others}. List every class.")
        known = seen if is_first else np.union1d(self.classes_, seen)
        self.classes_ = known if announced is None else np.union1d(known, announced)
        self._announced = announced

    def _warn_of_few(self, options: RelevanceOptions) -> None:
        n_relevant = int((self.scores_ >= self.threshold_).sum())
        if options.n_features_to_select is None and n_relevant < options.min_features_to_select:
            warnings.warn(FewSelectedWarning.from_counts(n_relevant, int(self.support_.sum())), stacklevel=4)

    def _validated_scan(self, scanned: Scan, options: RelevanceOptions, *, is_first: bool):
        """Return rows in blocks, with their target."""
        if self.categorical_features is not None:
            raise ParameterError("A scan has typed columns. Give it kinds={...} instead of categorical_features.")
        store = scanned.regression_store if options.is_regression else scanned.numeric_store
        if is_first:
            remember_columns(self, scanned)
        if not options.is_regression:
            self._batch_classes = np.array(store.labels)
        return store

    def _validated_rows(self, X, y, sample_weight, options: RelevanceOptions, *, is_first: bool):
        """Check features, target and weights; return rows in memory, their target, and weights, those of 0 left out.

        Numeric columns are compared by distance, Boolean and nominal ones for equality; ``categorical_features``
        lists columns whose numbers are codes of categories.
        """
        rows, y = self._typed_rows(X, y, is_first=is_first)
        if options.is_regression:
            y = _as_floats(y)
        else:
            refuse_regression_target(y)
        weights = checked_weights(sample_weight, len(y))
        if weights is not None:
            kept = np.flatnonzero(weights)
            rows = rows.take(kept) if isinstance(rows, Table) else rows[kept]
            y, weights = y[kept], weights[kept]
        if not options.is_regression:
            self._batch_classes, y = np.unique(y, return_inverse=True)
        return _row_source(rows), y, weights

    def _typed_rows(self, X, y, *, is_first: bool):
        """Return a table, an array or a sparse matrix, and the target."""
        X, categorical = as_frame(X), self.categorical_features
        if is_frame(X):
            table = _typed_frame(X, categorical)
            validate_data(self, X, y, reset=is_first, skip_check_array=True)
            refuse_nothing(self, table)
            y = column_or_1d(check_array(y, ensure_2d=False, dtype=None), warn=True)
            check_consistent_length(X, y)
            return table, y
        if isinstance(X, list | tuple) and np.asarray(X).dtype.kind == "U":
            X = np.array(X, dtype=object)  # NumPy would turn the numbers among the texts into texts
        X, y = validate_data(self, X, y, reset=is_first, dtype=None, accept_sparse="csr", ensure_all_finite="allow-nan")
        if categorical is None and (hasattr(X, "tocsr") or (X.dtype.kind in "biuf" and X.dtype.itemsize <= 8)):
            return X, y
        return from_array(X.toarray() if hasattr(X, "tocsr") else X, categorical=categorical), y

    def _store(self, ranking: Ranking) -> None:
        self.scores_ = ranking.scores
        self.standard_errors_ = ranking.standard_errors
        self.n_draws_ = ranking.n_sampled
        self.history_ = list(ranking.history)
        self.selection_order_ = ranking.order
        self.threshold_ = ranking.threshold
        self.pvalues_ = ranking.pvalues
        self.support_ = ranking.support


def _typed_frame(X, categorical) -> Table:
    if categorical is None:
        return from_frame(X)
    names = [str(name) for name in X.columns]
    listed = np.asarray(categorical)
    if listed.dtype == bool and len(listed) != len(names):
        raise ParameterError(f"The mask categorical_features=... has {len(listed)} entries for {len(names)} columns.")
    chosen = [names[j] for j in np.flatnonzero(listed)] if listed.dtype == bool else categorical
    return from_frame(X, kinds={c if isinstance(c, str) else names[c]: Kind.NOMINAL for c in chosen})


def _row_source(rows) -> Table | RowSource:
    if isinstance(rows, Table):
        return rows
    return SparseRows(rows) if hasattr(rows, "tocsr") else ArrayRows(rows)


def _as_floats(y) -> np.ndarray:
    try:
        return np.asarray(y, dtype=np.float64)
    except ValueError:
        raise ParameterError("The target is not numeric, so there is no regression. Use ReliefF for classes.") from None


class Relief(RelevanceSelector):
    """Keep the features in which rows differ more from their nearest miss than from their nearest hit.

    Relief of Kira and Rendell (1992), Figure 1. It samples ``max_samples`` rows
    at random. For each it picks, at random among the closest, a row of its
    own class (the near-hit) and one of another class (the near-miss). A feature's relevance
    is the mean of its squared difference to the near-miss less that to the
    near-hit. Features that interact, as in parity, are seen: what counts is
    where neighbors differ, not what one feature explains alone. Features that
    repeat each other are all kept; `ReliefThenCover` drops the copies.

    Nominal and Boolean values differ by 0 or 1; numeric values by their distance in units of
    the feature's range. With more than two classes a miss is a row of any other.

    Parameters
    ----------
    n_features_to_select : int, default=None
        Keep that many features of the highest relevance instead of using a threshold.
    min_features_to_select : int, default=1
        Where fewer features reach the threshold, keep that many of the most relevant, with a warning, so that what
        follows in a pipeline has something to learn from. 0 allows none to be kept.
    threshold : float, "permutation", "interval" or "auto", default="permutation"
        Keep the features whose relevance is at least that: tau of Kira and Rendell. ``"permutation"`` keeps
        what passes two tests: against what each feature scores by twenty permuted targets, which holds whatever the
        shares of the classes, and, by neighbors that are sought without the feature, against what its permuted values
        score, which holds beside relevant features. Of more rows than four billion comparisons allow, a sample serves
        the second, and with a ``step`` only the first is made. Rows in blocks and a second call of `partial_fit` use
        ``"interval"`` instead, with a warning if classes are unequal. ``"interval"`` is the one-sided interval of the
        mean update, each feature with its own standard error; it needs one pass, and where classes are unequal it keeps
        far too much. ``"auto"`` is tau = 1 / sqrt(alpha * m), for m sampled rows: a feature whose expected relevance is
        0 or less is kept with a probability of ``alpha`` at most, whatever the distribution (Chebyshev's inequality;
        the rows are sampled independently, which is ``replace=True``). To sample more rows than there are adds nothing
        to m: all rows have been seen then.
    alpha : float, default=0.05
        The probability of an error; ``correction`` says of which.
    correction : {"fdr", "bonferroni"} or None, default="fdr"
        What ``alpha`` bounds for ``"permutation"`` and ``"interval"``: the expected share of irrelevant features among
        the kept ones (Benjamini and Hochberg, 1995), the probability that any irrelevant feature is kept, or, for None,
        the probability with which each of them is. For ``"auto"`` it is always the last.
    max_samples : int or float, default=None
        The paper's m: how many rows to sample, or, as a float in (0, 1], which share of them. None samples every row
        once.
    replace : bool, default=True
        Whether a row can be sampled more than once, as in the paper's "pick at random".
    ties : {"random", "average"}, default="random"
        Among several closest rows choose one at random, as the paper does, or take the mean
        over all of them: the expected update, and much less noise from few rows.
    identical : {"skip", "count"}, default="skip"
        Whether other rows at distance 0 can be neighbors. To skip them, as hits and as misses,
        is the rule that reproduces the paper's Table 2; copies of the data then change nothing.
        A row never is its own near-hit.
    metric : {"euclidean", "manhattan"}, default="euclidean"
        The distance by which rows are near: the root of the sum of the features' squared differences, as the paper has
        it, or the sum of the differences. Boolean and nominal features have the same neighbors by both.
    missing : {"expected", "class"}, default="expected"
        A missing value differs from another by what is to be expected over the known values of all rows; but where
        being missing goes with the class, it differs by 1 from every known value, and not from a missing one.
        ``"class"`` is Kononenko's (1994): the expectation is that over the rows of the same class, so that distances
        depend on the target, and ``threshold="permutation"`` takes twenty times as long.
    step : float, default=None
        Iterate (TuRF of Moore and White, 2007): drop this share of the least relevant features, look for neighbors
        again without them, and so on until ``n_features_to_select``, or ten, are left. Where thousands of features are
        irrelevant, rows are near each other by chance, and with every round less so. ``threshold="permutation"`` then
        repeats all rounds for every permuted target. By default there is one round with all features.
    categorical_features : array-like of int, str or bool, default=None
        The columns whose numbers are codes of categories. Columns of a frame that hold text or categories are
        nominal anyway.
    random_state : int, RandomState or None, default=None
        What the sampled rows and the choices among ties depend on.
    n_jobs : int or None, default=None
        Threads, as joblib counts them: None for one unless ``joblib.parallel_config`` says otherwise, -1 for one a
        core. The answer does not depend on it.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The relevance of every feature, in [-1, 1].
    standard_errors_ : ndarray of shape (n_features,)
        How uncertain each relevance is; NaN after a single row.
    threshold_ : float or ndarray of shape (n_features,)
        The relevance that relevant features reach, or that of the last one kept, where their number was given.
    pvalues_ : ndarray of shape (n_features,) or None
        The probability with which an irrelevant feature scores as much, not corrected for the number of features; None
        where no test decides: for a threshold that is a number or ``"auto"``, and for a given number of features.
    support_ : ndarray of shape (n_features,)
        Which features are kept, as a Boolean mask.
    selection_order_ : ndarray of shape (n_features,)
        All features by their positions, the most relevant first.
    history_ : list of dict
        ``n_draws`` and ``scores`` after 1, 2, 4, 8, ... rows, and at the end.
    n_draws_ : int
        How many rows were sampled.
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted; after `partial_fit` those of all calls.
    n_features_in_ : int
        How many features the data has.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, where the data has string names.

    See Also
    --------
    ReliefF : Several neighbors of each class.
    RReliefF : The same for a regression.
    ReliefThenCover : The fewest of the features that are kept.

    References
    ----------
    Kira, K. and Rendell, L. A. (1992). A practical approach to feature selection. ML-92, 249-256.

    Examples
    --------
    Exclusive-or defeats scores of one feature at a time; Relief sees both:

    >>> import numpy as np
    >>> from fewest import Relief
    >>> X = np.random.default_rng(0).integers(0, 2, (200, 8))
    >>> y = X[:, 2] ^ X[:, 5]
    >>> selector = Relief(max_samples=100, threshold=0.1, random_state=0).fit(X, y)
    >>> selector.get_support(indices=True)
    array([2, 5])

    With another hundred rows it is more certain:

    >>> selector.partial_fit(X, y).n_draws_
    200
    """

    _options = ReliefOptions

    def __init__(
        self,
        *,
        n_features_to_select=ReliefOptions.n_features_to_select,
        min_features_to_select=ReliefOptions.min_features_to_select,
        threshold=ReliefOptions.threshold,
        alpha=ReliefOptions.alpha,
        correction=ReliefOptions.correction,
        max_samples=ReliefOptions.max_samples,
        replace=ReliefOptions.replace,
        ties=ReliefOptions.ties,
        identical=ReliefOptions.identical,
        metric=ReliefOptions.metric,
        missing=ReliefOptions.missing,
        step=ReliefOptions.step,
        categorical_features=None,
        random_state=None,
        n_jobs=ReliefOptions.n_jobs,
    ):
        self.n_features_to_select = n_features_to_select
        self.min_features_to_select = min_features_to_select
        self.threshold = threshold
        self.alpha = alpha
        self.correction = correction
        self.max_samples = max_samples
        self.replace = replace
        self.ties = ties
        self.identical = identical
        self.metric = metric
        self.missing = missing
        self.step = step
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    @without_weights("the paper's nearest hit and miss are single rows", "Use ReliefF, which takes it.")
    def fit(self, X: Any, y: Any = None) -> Self:
        """Sample rows and give every feature its relevance.

        Parameters
        ----------
        X : dataframe, array-like, sparse matrix or scan of shape (n_samples, n_features)
            Numeric, Boolean and nominal features; NaN or null where a value is missing.
        y : array-like of shape (n_samples,), default=None
            The class of every row; None for a scan, which has its target.

        Returns
        -------
        self : object
            The fitted selector.
        """
        return self._fit(X, y)

    @without_weights("the paper's nearest hit and miss are single rows", "Use ReliefF, which takes it.")
    def partial_fit(self, X: Any, y: Any = None, classes: Any = None) -> Self:
        """Sample ``max_samples`` more rows, of the same data or of new, and refine the relevance.

        Twice with the same data is the same as once with twice the ``max_samples``.

        Neighbors are sought in this ``X`` only. What decides which rows are sampled and which features are kept
        may change between calls, and the current values count; ``metric``, ``ties``, ``identical``,
        ``missing`` and ``categorical_features`` may not, since relevance by two measures has no mean. Random choices go
        on from the ``random_state`` of the first call.

        Parameters
        ----------
        X : dataframe, array-like, sparse matrix or scan of shape (n_samples, n_features)
            Numeric, Boolean and nominal features; NaN or null where a value is missing.
        y : array-like of shape (n_samples,), default=None
            The class of every row; None for a scan, which has its target.
        classes : array-like of shape (n_classes,), default=None
            All classes that may come, at the first call or at all of them. Without it ``classes_`` grows as they come.

        Returns
        -------
        self : object
            The fitted selector.
        """
        return self._fit(X, y, classes=classes, is_first=not hasattr(self, "scores_"))


class ReliefF(RelevanceSelector):
    """Keep the features in which rows differ more from several nearest misses than from as many nearest hits.

    ReliefF of Kononenko (1994): ``n_neighbors`` near-hits and as many
    near-misses of each other class, a miss of class c counting for
    P(c) / (1 - P(own class)), which asks a feature to separate every pair of
    classes. Differences are averaged over the neighbors. Nominal and Boolean values differ by 0 or 1, numeric values by
    their distance in units of the feature's range.

    Parameters
    ----------
    n_features_to_select : int, default=None
        Keep that many features of the highest relevance instead of using a threshold.
    min_features_to_select : int, default=1
        Where fewer features reach the threshold, keep that many of the most relevant, with a warning, so that what
        follows in a pipeline has something to learn from. 0 allows none to be kept.
    threshold : float, "permutation", "interval" or "auto", default="permutation"
        Keep the features whose relevance is at least that: tau of Kira and Rendell. ``"permutation"`` keeps
        what passes two tests: against what each feature scores by twenty permuted targets, which holds whatever the
        shares of the classes, and, by neighbors that are sought without the feature, against what its permuted values
        score, which holds beside relevant features. Of more rows than four billion comparisons allow, a sample serves
        the second, and with a ``step`` only the first is made. Rows in blocks and a second call of `partial_fit` use
        ``"interval"`` instead, with a warning if classes are unequal. ``"interval"`` is the one-sided interval of the
        mean update, each feature with its own standard error; it needs one pass, and where classes are unequal it keeps
        far too much. ``"auto"`` is tau = 1 / sqrt(alpha * m), for m sampled rows: a feature whose expected relevance is
        0 or less is kept with a probability of ``alpha`` at most, whatever the distribution (Chebyshev's inequality;
        the rows are sampled independently, which is ``replace=True``). To sample more rows than there are adds nothing
        to m: all rows have been seen then.
    alpha : float, default=0.05
        The probability of an error; ``correction`` says of which.
    correction : {"fdr", "bonferroni"} or None, default="fdr"
        What ``alpha`` bounds for ``"permutation"`` and ``"interval"``: the expected share of irrelevant features among
        the kept ones (Benjamini and Hochberg, 1995), the probability that any irrelevant feature is kept, or, for None,
        the probability with which each of them is. For ``"auto"`` it is always the last.
    n_neighbors : int, default=10
        The paper's k: near-hits, and near-misses of each class; fewer where a class has fewer rows.
    neighborhood : {"nearest", "multisurf"}, default="nearest"
        Whether the neighbors of a row are the ``n_neighbors`` nearest, or, as in MultiSURF (Urbanowicz et al., 2018),
        all rows nearer than the mean of its distances less half their standard deviation, so that there is no number
        to choose. It looks at all pairs of rows, in memory, and ``threshold="permutation"`` of classes takes twenty
        times as long.
    max_samples : int or float, default=None
        The paper's m: how many rows to sample, or, as a float in (0, 1], which share of them. None samples every row
        once.
    replace : bool, default=False
        Whether a row can be sampled more than once.
    ties : {"average", "random"}, default="average"
        Whether rows at the distance of the last neighbor share what is left, or are chosen at random.
    identical : {"count", "skip"}, default="count"
        Whether other rows at distance 0 can be neighbors. A row never is its own near-hit.
    metric : {"manhattan", "euclidean"}, default="manhattan"
        The distance by which rows are near: the sum of the features' differences, as the paper has it, or the root of
        the sum of their squares. Boolean and nominal features have the same neighbors by both.
    missing : {"expected", "class"}, default="expected"
        A missing value differs from another by what is to be expected over the known values of all rows; but where
        being missing goes with the class, it differs by 1 from every known value, and not from a missing one.
        ``"class"`` is Kononenko's (1994): the expectation is that over the rows of the same class, so that distances
        depend on the target, and ``threshold="permutation"`` takes twenty times as long.
    step : float, default=None
        Iterate (TuRF of Moore and White, 2007): drop this share of the least relevant features, look for neighbors
        again without them, and so on until ``n_features_to_select``, or ten, are left. Where thousands of features are
        irrelevant, rows are near each other by chance, and with every round less so. ``threshold="permutation"`` then
        repeats all rounds for every permuted target. By default there is one round with all features.
    categorical_features : array-like of int, str or bool, default=None
        The columns whose numbers are codes of categories. Columns of a frame that hold text or categories are
        nominal anyway.
    random_state : int, RandomState or None, default=None
        What the sampled rows and the choices among ties depend on.
    n_jobs : int or None, default=None
        Threads, as joblib counts them: None for one unless ``joblib.parallel_config`` says otherwise, -1 for one a
        core. The answer does not depend on it.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The relevance of every feature, in [-1, 1].
    standard_errors_ : ndarray of shape (n_features,)
        How uncertain each relevance is; NaN after a single row.
    threshold_ : float or ndarray of shape (n_features,)
        The relevance that relevant features reach, or that of the last one kept, where their number was given.
    pvalues_ : ndarray of shape (n_features,) or None
        The probability with which an irrelevant feature scores as much, not corrected for the number of features; None
        where no test decides: for a threshold that is a number or ``"auto"``, and for a given number of features.
    support_ : ndarray of shape (n_features,)
        Which features are kept, as a Boolean mask.
    selection_order_ : ndarray of shape (n_features,)
        All features by their positions, the most relevant first.
    history_ : list of dict
        ``n_draws`` and ``scores`` after 1, 2, 4, 8, ... rows, and at the end.
    n_draws_ : int
        How many rows were sampled.
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted; after `partial_fit` those of all calls.
    n_features_in_ : int
        How many features the data has.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, where the data has string names.

    See Also
    --------
    Relief : One neighbor of each kind, as first published.
    RReliefF : The same for a regression.
    ReliefThenCover : The fewest of the features that are kept.

    References
    ----------
    Kononenko, I. (1994). Estimating attributes: analysis and extensions of RELIEF. ECML-94, 171-182.

    Examples
    --------
    Three of a hundred features make up parity, and some values are missing:

    >>> import numpy as np
    >>> from fewest import ReliefF
    >>> from fewest.datasets import make_parity
    >>> X, y, relevant = make_parity(1000, relevant=3, irrelevant=97, random_state=0)
    >>> relevant
    (0, 1, 2)
    >>> X = np.where(np.random.default_rng(0).random(X.shape) < 0.02, np.nan, X)
    >>> selector = ReliefF(n_features_to_select=3).fit(X, y)
    >>> selector.get_support(indices=True)
    array([0, 1, 2])
    """

    _options: ClassVar[type[ReliefFOptions]] = ReliefFOptions

    def __init__(
        self,
        *,
        n_features_to_select=ReliefFOptions.n_features_to_select,
        min_features_to_select=ReliefFOptions.min_features_to_select,
        threshold=ReliefFOptions.threshold,
        alpha=ReliefFOptions.alpha,
        correction=ReliefFOptions.correction,
        n_neighbors=ReliefFOptions.n_neighbors,
        neighborhood=ReliefFOptions.neighborhood,
        max_samples=ReliefFOptions.max_samples,
        replace=ReliefFOptions.replace,
        ties=ReliefFOptions.ties,
        identical=ReliefFOptions.identical,
        metric=ReliefFOptions.metric,
        missing=ReliefFOptions.missing,
        step=ReliefFOptions.step,
        categorical_features=None,
        random_state=None,
        n_jobs=ReliefFOptions.n_jobs,
    ):
        self.n_features_to_select = n_features_to_select
        self.min_features_to_select = min_features_to_select
        self.threshold = threshold
        self.alpha = alpha
        self.correction = correction
        self.n_neighbors = n_neighbors
        self.neighborhood = neighborhood
        self.max_samples = max_samples
        self.replace = replace
        self.ties = ties
        self.identical = identical
        self.metric = metric
        self.missing = missing
        self.step = step
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Sample rows and give every feature its relevance.

        Parameters
        ----------
        X : dataframe, array-like, sparse matrix or scan of shape (n_samples, n_features)
            Numeric, Boolean and nominal features; NaN or null where a value is missing.
        y : array-like of shape (n_samples,), default=None
            The class of every row; None for a scan, which has its target.
        sample_weight : array-like of shape (n_samples,), default=None
            A row of weight w is w copies of itself, for neighbors and priors alike. Not with ``ties="random"``.

        Returns
        -------
        self : object
            The fitted selector.
        """
        return self._fit(X, y, sample_weight)

    def partial_fit(self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None) -> Self:
        """Sample ``max_samples`` more rows, of the same data or of new, and refine the relevance.

        Neighbors are sought in this ``X`` only. What decides which rows are sampled and which features are kept
        may change between calls, and the current values count; ``n_neighbors``, ``neighborhood``, ``metric``, ``ties``,
        ``identical``, ``missing`` and ``categorical_features`` may not, since relevance by two measures has no mean.
        Random choices go on from the ``random_state`` of the first call.

        Parameters
        ----------
        X : dataframe, array-like, sparse matrix or scan of shape (n_samples, n_features)
            Numeric, Boolean and nominal features; NaN or null where a value is missing.
        y : array-like of shape (n_samples,), default=None
            The class of every row; None for a scan, which has its target.
        classes : array-like of shape (n_classes,), default=None
            All classes that may come, at the first call or at all of them. Without it ``classes_`` grows as they come.
        sample_weight : array-like of shape (n_samples,), default=None
            A row of weight w is w copies of itself, for neighbors and priors alike. Not with ``ties="random"``.

        Returns
        -------
        self : object
            The fitted selector.
        """
        return self._fit(X, y, sample_weight, classes=classes, is_first=not hasattr(self, "scores_"))


class RReliefF(RelevanceSelector):
    """Keep the features that differ between neighbors just where a regression target does.

    RReliefF of Robnik-Šikonja and Kononenko (1997), for regression: relevance is
    P(feature differs | target differs) - P(feature differs | target does not),
    among nearest rows, where a difference counts by its size. All neighbors have the same influence.
    Nominal and Boolean values differ by 0 or 1, numeric values by their distance in units of the feature's range, and a
    missing value from another by what is to be expected, over the known values of the feature.

    Parameters
    ----------
    n_features_to_select : int, default=None
        Keep that many features of the highest relevance instead of using a threshold.
    min_features_to_select : int, default=1
        Where fewer features reach the threshold, keep that many of the most relevant, with a warning, so that what
        follows in a pipeline has something to learn from. 0 allows none to be kept.
    threshold : float, "permutation" or "interval", default="permutation"
        Keep the features whose relevance is at least that. ``"permutation"`` seeks neighbors without the feature, for
        each in turn, and tests it against what it scores by these with its values permuted twenty times; with a
        ``step``, against permuted targets. Rows in blocks and a second call of
        `partial_fit` use ``"interval"`` instead: the one-sided interval of the relevance, each feature with its own
        standard error, which is that of a ratio of means. It holds for many sampled rows, and for what sampling other
        rows of the same data would change.
    alpha : float, default=0.05
        The probability of an error; ``correction`` says of which.
    correction : {"fdr", "bonferroni"} or None, default="fdr"
        What ``alpha`` bounds: the expected share of irrelevant features among the kept ones (Benjamini and Hochberg,
        1995), the probability that any irrelevant feature is kept, or, for None, the probability with which each of
        them is.
    n_neighbors : int, default=10
        The paper's k: how many nearest rows each sampled row is compared with.
    neighborhood : {"nearest", "multisurf"}, default="nearest"
        Whether the neighbors of a row are the ``n_neighbors`` nearest, or, as in MultiSURF (Urbanowicz et al., 2018),
        all rows nearer than the mean of its distances less half their standard deviation, so that there is no number
        to choose. It looks at all pairs of rows, in memory, and ``threshold="permutation"`` of classes takes twenty
        times as long.
    max_samples : int or float, default=None
        The paper's m: how many rows to sample, or, as a float in (0, 1], which share of them. None samples every row
        once.
    replace : bool, default=False
        Whether a row can be sampled more than once.
    ties : {"average", "random"}, default="average"
        Whether rows at the distance of the last neighbor share what is left, or are chosen at random.
    identical : {"count", "skip"}, default="count"
        Whether other rows at distance 0 can be neighbors. A row never is its own near-hit.
    metric : {"manhattan", "euclidean"}, default="manhattan"
        The distance by which rows are near: the sum of the features' differences, as the paper has it, or the root of
        the sum of their squares. Boolean and nominal features have the same neighbors by both.
    missing : {"expected", "class"}, default="expected"
        How much a missing value differs from another: by what is to be expected over the known values. There are no
        classes here, so that both are the same.
    step : float, default=None
        Iterate (TuRF of Moore and White, 2007): drop this share of the least relevant features, look for neighbors
        again without them, and so on until ``n_features_to_select``, or ten, are left. Where thousands of features are
        irrelevant, rows are near each other by chance, and with every round less so. ``threshold="permutation"`` then
        repeats all rounds for every permuted target. By default there is one round with all features.
    categorical_features : array-like of int, str or bool, default=None
        The columns whose numbers are codes of categories. Columns of a frame that hold text or categories are
        nominal anyway.
    random_state : int, RandomState or None, default=None
        What the sampled rows and the choices among ties depend on.
    n_jobs : int or None, default=None
        Threads, as joblib counts them: None for one unless ``joblib.parallel_config`` says otherwise, -1 for one a
        core. The answer does not depend on it.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The relevance of every feature, in [-1, 1].
    standard_errors_ : ndarray of shape (n_features,)
        How uncertain each relevance is; NaN after a single row.
    threshold_ : float or ndarray of shape (n_features,)
        The relevance that relevant features reach, or that of the last one kept, where their number was given.
    pvalues_ : ndarray of shape (n_features,) or None
        The probability with which an irrelevant feature scores as much, not corrected for the number of features; None
        where no test decides: for a threshold that is a number or ``"auto"``, and for a given number of features.
    support_ : ndarray of shape (n_features,)
        Which features are kept, as a Boolean mask.
    selection_order_ : ndarray of shape (n_features,)
        All features by their positions, the most relevant first.
    history_ : list of dict
        ``n_draws`` and ``scores`` after 1, 2, 4, 8, ... rows, and at the end.
    n_draws_ : int
        How many rows were sampled.
    n_features_in_ : int
        How many features the data has.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, where the data has string names.

    See Also
    --------
    ReliefF : The same for classes.
    Relief : One neighbor of each kind, as first published.

    References
    ----------
    Robnik-Šikonja, M. and Kononenko, I. (1997). An adaptation of Relief for attribute estimation in regression.
    ICML-97, 296-304.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest import RReliefF
    >>> X = np.random.default_rng(0).random((300, 6))
    >>> RReliefF(n_features_to_select=2).fit(X, X[:, 1] * X[:, 4]).get_support(indices=True)
    array([1, 4])
    """

    _options = RReliefFOptions

    def __init__(
        self,
        *,
        n_features_to_select=RReliefFOptions.n_features_to_select,
        min_features_to_select=RReliefFOptions.min_features_to_select,
        threshold=RReliefFOptions.threshold,
        alpha=RReliefFOptions.alpha,
        correction=RReliefFOptions.correction,
        n_neighbors=RReliefFOptions.n_neighbors,
        neighborhood=RReliefFOptions.neighborhood,
        max_samples=RReliefFOptions.max_samples,
        replace=RReliefFOptions.replace,
        ties=RReliefFOptions.ties,
        identical=RReliefFOptions.identical,
        metric=RReliefFOptions.metric,
        missing=RReliefFOptions.missing,
        step=RReliefFOptions.step,
        categorical_features=None,
        random_state=None,
        n_jobs=RReliefFOptions.n_jobs,
    ):
        self.n_features_to_select = n_features_to_select
        self.min_features_to_select = min_features_to_select
        self.threshold = threshold
        self.alpha = alpha
        self.correction = correction
        self.n_neighbors = n_neighbors
        self.neighborhood = neighborhood
        self.max_samples = max_samples
        self.replace = replace
        self.ties = ties
        self.identical = identical
        self.metric = metric
        self.missing = missing
        self.step = step
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Sample rows and give every feature its relevance.

        Parameters
        ----------
        X : dataframe, array-like, sparse matrix or scan of shape (n_samples, n_features)
            Numeric, Boolean and nominal features; NaN or null where a value is missing.
        y : array-like of shape (n_samples,), default=None
            The numeric target of every row; None for a scan, which has its target.
        sample_weight : array-like of shape (n_samples,), default=None
            A row of weight w is w copies of itself, for neighbors and means alike. Not with ``ties="random"``.

        Returns
        -------
        self : object
            The fitted selector.
        """
        return self._fit(X, y, sample_weight)

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Sample ``max_samples`` more rows, of the same data or of new, and refine the relevance.

        Neighbors are sought in this ``X`` only. What decides which rows are sampled and which features are kept
        may change between calls, and the current values count; ``n_neighbors``, ``neighborhood``, ``metric``, ``ties``,
        ``identical``, ``missing`` and ``categorical_features`` may not, since relevance by two measures has no mean.
        Random choices go on from the ``random_state`` of the first call.

        Parameters
        ----------
        X : dataframe, array-like, sparse matrix or scan of shape (n_samples, n_features)
            Numeric, Boolean and nominal features; NaN or null where a value is missing.
        y : array-like of shape (n_samples,), default=None
            The numeric target of every row; None for a scan, which has its target.
        sample_weight : array-like of shape (n_samples,), default=None
            A row of weight w is w copies of itself, for neighbors and means alike. Not with ``ties="random"``.

        Returns
        -------
        self : object
            The fitted selector.
        """
        return self._fit(X, y, sample_weight, is_first=not hasattr(self, "scores_"))


class ReliefThenCover(KeepsFeatures, MetaEstimatorMixin, AnyColumnsMixin, BaseEstimator):
    """Keep the fewest of the features that are relevant: Relief first, then a search for a smallest subset.

    Relief keeps every relevant feature, copies included. Kira and Rendell
    (1992), section 6, propose "subsequent exhaustive search over the subsets
    of all the features selected by Relief": it drops those that the others
    make redundant, and is quick, since few are left to search.

    Parameters
    ----------
    ranker : selector, default=None
        What keeps the relevant features; None for `ReliefF` with its defaults.
    selector : selector, default=None
        What finds a small sufficient subset of them: None for `MinFeatures`, which is exact; a greedy one is quicker.
    min_features_to_select : int, default=1
        Where fewer features are left, because none is relevant or because there is one class, keep that many of the
        most relevant, with a warning. 0 allows none to be kept.

    Attributes
    ----------
    ranker_ : selector
        The fitted ranker.
    selector_ : selector or None
        The fitted selector, which saw the columns of ``relevant_`` only; None when the ranker keeps nothing.
    relevant_ : ndarray of shape (n_relevant,)
        The positions of the features that the ranker kept.
    support_ : ndarray of shape (n_features,)
        Which features are kept, as a Boolean mask.
    n_features_in_ : int
        How many features the data has.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, where the data has string names.

    See Also
    --------
    Relief : Keeps the relevant features, by one neighbor of each kind.
    ReliefF : Keeps the relevant features, by several neighbors of each class.
    MinFeatures : Finds the fewest of them.

    References
    ----------
    Kira, K. and Rendell, L. A. (1992). A practical approach to feature selection. ML-92, 249-256.

    Examples
    --------
    Two features are relevant, and each comes twice:

    >>> import numpy as np
    >>> from fewest import Relief, ReliefThenCover
    >>> X = np.random.default_rng(0).integers(0, 2, (300, 10))
    >>> X[:, 8:] = X[:, :2]
    >>> selector = ReliefThenCover(Relief(threshold=0.1, random_state=0)).fit(X, X[:, 0] ^ X[:, 1])
    >>> selector.relevant_, selector.get_support(indices=True)
    (array([0, 1, 8, 9]), array([0, 1]))
    """

    _none_is_an_answer = False

    def __init__(self, ranker=None, selector=None, *, min_features_to_select=1):
        self.ranker = ranker
        self.selector = selector
        self.min_features_to_select = min_features_to_select

    def fit(self, X: Any, y: Any, **params: Any) -> Self:
        """Find the relevant features, then the fewest of them that separate the classes.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
            Numeric, Boolean and nominal features.
        y : array-like of shape (n_samples,)
            The class of every row.
        **params : dict
            Such as ``sample_weight``. They go to both steps, and are refused where one of these takes none; with
            metadata routing enabled they go to the steps that request them.

        Returns
        -------
        self : object
            The fitted selector.
        """
        check_count("min_features_to_select", self.min_features_to_select, least=0)
        X = as_frame(X)
        validate_data(self, X, y, skip_check_array=True)
        for_ranker, for_selector = self._routed(params)
        self.ranker_ = clone(self._ranker()).fit(X, y, **for_ranker)
        self.relevant_ = self.ranker_.get_support(indices=True)
        self.support_ = np.zeros(len(self.ranker_.get_support()), dtype=bool)
        if self.min_features_to_select > len(self.support_):
            raise ParameterError.from_too_many(
                "min_features_to_select", self.min_features_to_select, len(self.support_)
            )
        self.selector_ = None
        if len(self.relevant_):
            self.selector_ = clone(self._selector())
            self.selector_.fit(_columns(X, self.relevant_), y, **for_selector)
            self.support_[self.relevant_[self.selector_.get_support()]] = True
        self._keep_enough()
        return self

    def _keep_enough(self) -> None:
        """Add the most relevant features where too few are left."""
        n_kept, least = int(self.support_.sum()), self.min_features_to_select
        if n_kept >= least:
            return
        order = [f for f in most_relevant_first(self.ranker_) if not self.support_[f]]
        self.support_[order[: least - n_kept]] = True
        warnings.warn(FewSelectedWarning.from_counts(n_kept, least), stacklevel=3)

    def _routed(self, params: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what goes to the ranker and what to the selector."""
        if get_config().get("enable_metadata_routing"):
            routed = process_routing(self, "fit", **params)
            return routed.ranker.fit, routed.selector.fit
        given = {name: value for name, value in params.items() if value is not None}
        for step in (self._ranker(), self._selector()):
            for name in given:
                if not has_fit_parameter(step, name):
                    raise ParameterError(
                        f"{type(step).__name__} takes no {name}, which would be ignored there. Leave it out, or enable "
                        "scikit-learn's metadata routing and let the step that takes it request it: "
                        f"ReliefF().set_fit_request({name}=True)."
                    )
        return given, given

    def _ranker(self) -> Any:
        return ReliefF(min_features_to_select=0) if self.ranker is None else self.ranker

    def _selector(self) -> Any:
        return _exact_cover() if self.selector is None else self.selector

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which step is given which metadata.

        Returns
        -------
        routing : MetadataRouter
            What `fit` passes on to the ``fit`` of both steps.
        """
        fit = MethodMapping().add(caller="fit", callee="fit")
        router = MetadataRouter(owner=type(self).__name__)
        return router.add(ranker=self._ranker(), selector=self._selector(), method_mapping=fit)


def most_relevant_first(ranker: Any) -> list[int]:
    """Return all features, the most relevant first: by its own order, by scores, or as they are."""
    if hasattr(ranker, "selection_order_") and len(ranker.selection_order_) == len(ranker.get_support()):
        return np.asarray(ranker.selection_order_).tolist()
    scores = getattr(ranker, "scores_", ranker.get_support())
    return np.argsort(-np.nan_to_num(np.asarray(scores, dtype=float)), kind="stable").tolist()


def _exact_cover():
    from fewest.cover.estimators import MinFeatures  # most who use Relief search no cover

    return MinFeatures()


def _columns(X, positions: np.ndarray):
    if is_frame(X):
        return nw.from_native(X)[:, positions.tolist()].to_native()
    if hasattr(X, "tocsc"):
        return X.tocsc()[:, positions]
    return (X if hasattr(X, "shape") and hasattr(X, "dtype") else np.asarray(X, dtype=object))[:, positions]
