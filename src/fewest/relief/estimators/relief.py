"""Relief as Kira and Rendell define it, as a scikit-learn selector."""

from __future__ import annotations

from typing import Any, Self

from fewest.estimators.input import without_weights
from fewest.relief.estimators.selector import RelevanceSelector
from fewest.relief.options import ReliefOptions


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

    >>> selector.partial_fit(X, y).n_sampled_
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
        return self._fit(X, y, classes=classes, reset=not hasattr(self, "scores_"))
