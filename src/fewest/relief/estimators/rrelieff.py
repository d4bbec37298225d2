"""RReliefF, for numeric targets, as a scikit-learn selector."""

from __future__ import annotations

from typing import Any, Self

from fewest.relief.estimators.selector import RelevanceSelector
from fewest.relief.options import RReliefFOptions


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
    step : float or "auto", default=None
        Iterate (TuRF of Moore and White, 2007): drop this share of the least relevant features, look for neighbors
        again without them, and so on until ``n_features_to_select``, or ten, are left. Where thousands of features are
        irrelevant, rows are near each other by chance, and with every round less so. ``threshold="permutation"`` then
        repeats all rounds for every permuted target. By default there is one round with all features. ``"auto"``
        iterates, a tenth at a time, if the number of features is given or if one round finds nothing relevant; both
        tests then have half of ``alpha``.
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
    null_scores_ : ndarray of shape (n_features,) or None
        What chance alone would give each feature, on average over the permutations; None where there are none. It is
        high beside a rare class, most of all for features of few values, so features compare by
        ``scores_ - null_scores_``.
    support_ : ndarray of shape (n_features,)
        Which features are kept, as a Boolean mask.
    selection_order_ : ndarray of shape (n_features,)
        All features by their positions, the most relevant first.
    history_ : list of dict
        ``n_sampled`` and ``scores`` after 1, 2, 4, 8, ... rows, and at the end.
    n_sampled_ : int
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
        return self._fit(X, y, sample_weight, reset=not hasattr(self, "scores_"))
