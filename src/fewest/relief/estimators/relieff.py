"""ReliefF, for several classes and noise, as a scikit-learn selector."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from fewest.relief.estimators.selector import RelevanceSelector
from fewest.relief.options import ReliefFOptions


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
        return self._fit(X, y, sample_weight, classes=classes, reset=not hasattr(self, "scores_"))
