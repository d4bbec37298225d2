"""Relief, ReliefF and RReliefF as scikit-learn selectors."""

from __future__ import annotations

from fewest.relief.base import RelevanceSelector
from fewest.relief.relief import Neighbourhood


class Relief(RelevanceSelector):
    """Keep the features in which rows differ more from their nearest miss than from their nearest hit.

    Relief of Kira and Rendell (1992), Figure 1. It draws ``n_samples`` rows
    at random. For each it picks, at random among the closest, a row of its
    own class (the near-hit) and one of another class (the near-miss), by
    Euclidean distance over the features' differences. A feature's relevance
    is the mean of its squared difference to the near-miss less that to the
    near-hit. Features that interact, as in parity, are seen: what counts is
    where neighbours differ, not what one feature tells alone. Features that
    repeat each other are all kept; `ReliefThenCover` drops the copies.

    Names, and truths, differ by 0 or 1; numbers by their distance in units of
    the feature's range. With more than two classes a miss is a row of any other.

    Parameters
    ----------
    n_features : int, optional
        Keep that many features of the highest relevance instead of using a threshold.
    threshold : float, "interval" or "auto", default="interval"
        Keep the features whose relevance is at least that: the document's tau.
        ``"auto"`` is tau = 1 / sqrt(alpha * m), for m rows drawn. The
        guarantee: a feature whose expected relevance is 0 or less, as an
        irrelevant one's is, is kept with a probability of ``alpha`` at most,
        whatever the distribution (Chebyshev's inequality; the rows are drawn
        independently, which is ``replace=True``). ``"interval"`` is tighter:
        the one-sided interval of the mean update, each feature with its own
        standard error. It holds for large m, and for what drawing other rows
        from the same data would change; other data would change more, since
        rows that are neighbours of each other repeat what they say. To draw more rows than there are adds
        nothing to m in either: who has heard all rows has heard them.
    alpha : float, default=0.05
        The probability with which an irrelevant feature may be kept. Divide it by the
        number of features to bound the probability that any is.
    n_samples : int, optional
        The document's m: how many rows to draw. All, each once, by default.
    replace : bool, default=True
        Whether a row can be drawn more than once, as "pick at random" says.
    ties : {"random", "average"}, default="random"
        Among several closest rows draw one, as the document does, or take the mean
        over all of them: the expected update, and much less noise from few rows.
    identical : {"skip", "count"}, default="skip"
        Whether other rows at distance 0 can be neighbours. To skip them, as hits and as misses,
        is the rule that reproduces the document's Table 2, and makes copies of the data change nothing.
        A row never is its own near-hit.
    categorical_features : array-like of int, str or bool, optional
        The columns whose numbers are names. Columns of a frame that hold text or categories are names anyway.
    random_state : int, RandomState or None

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The relevance of every feature, in [-1, 1].
    standard_errors_ : ndarray of shape (n_features,)
    threshold_ : float or ndarray
        What relevance had to reach.
    support_ : ndarray of shape (n_features,)
    selection_order_ : ndarray of shape (n_features,)
        All features, the most relevant first.
    history_ : list of dict
        ``n_samples`` and ``scores`` after 1, 2, 4, 8, ... rows, and at the end.
    n_samples_ : int
        Rows drawn.
    classes_ : ndarray
    n_features_in_ : int
    feature_names_in_ : ndarray, where the data has string names

    Examples
    --------
    Exclusive-or defeats scores of one feature at a time; Relief sees both:

    >>> import numpy as np
    >>> from fewest import Relief
    >>> X = np.random.default_rng(0).integers(0, 2, (200, 8))
    >>> y = X[:, 2] ^ X[:, 5]
    >>> selector = Relief(n_samples=100, threshold=0.1, random_state=0).fit(X, y)
    >>> selector.get_support(indices=True)
    array([2, 5])

    Another hundred rows make it more certain:

    >>> selector.partial_fit(X, y).n_samples_
    200
    """

    def __init__(
        self,
        *,
        n_features=None,
        threshold="interval",
        alpha=0.05,
        n_samples=None,
        replace=True,
        ties="random",
        identical="skip",
        categorical_features=None,
        random_state=None,
        n_jobs=-1,
    ):
        self.n_features = n_features
        self.threshold = threshold
        self.alpha = alpha
        self.n_samples = n_samples
        self.replace = replace
        self.ties = ties
        self.identical = identical
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _neighbourhood(self) -> Neighbourhood:
        return Neighbourhood(1, self.ties, self.identical, pools_misses=True, is_squared=True)

    def fit(self, X, y=None):
        """Draw rows and give every feature its relevance.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Classes.

        Returns
        -------
        self
        """
        return self._fitted(X, y, None, is_first=True)

    def partial_fit(self, X, y=None):
        """Draw ``n_samples`` more rows, from the same data or from new, and refine the relevance.

        Neighbours are sought in ``X``. Twice with the same data is the same
        as once with twice the ``n_samples``.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)

        Returns
        -------
        self
        """
        return self._fitted(X, y, None, is_first=not _is_fitted(self))


class ReliefF(RelevanceSelector):
    """Keep the features in which rows differ more from several nearest misses than from as many nearest hits.

    ReliefF of Kononenko (1994): ``n_neighbors`` near-hits and as many
    near-misses of each other class, a miss of class c counting for
    P(c) / (1 - P(own class)), which asks a feature to separate every pair of
    classes. Differences are not squared; they are averaged over the neighbours. Distances
    are Euclidean, as Relief's (Kononenko adds differences up instead; for truths and names it is the same).

    A missing value differs from another by what is to be expected, given the
    classes of the two rows: 1 - P(v | class) from a known name v. For numbers
    the expectation runs over the known numbers of the class.

    Parameters
    ----------
    n_features, threshold, alpha, n_samples, categorical_features, random_state
        As for `Relief`.
    n_neighbors : int, default=10
        Near-hits, and near-misses of each class; fewer where a class has fewer rows.
    replace : bool, default=False
        Whether a row can be drawn more than once.
    ties : {"average", "random"}, default="average"
        Whether rows at the distance of the last neighbour share what is left, or draw lots.
    identical : {"count", "skip"}, default="count"
        Whether other rows at distance 0 can be neighbours.

    Attributes
    ----------
    scores_, standard_errors_, threshold_, support_, selection_order_, history_, n_samples_, classes_, \
    n_features_in_, feature_names_in_
        As for `Relief`.

    Examples
    --------
    Three of a hundred features make up parity, and some values are missing:

    >>> import numpy as np
    >>> from fewest import ReliefF
    >>> from fewest.datasets import parity
    >>> X, y, relevant = parity(1000, relevant=3, irrelevant=97, random_state=0)
    >>> relevant
    (0, 1, 2)
    >>> X = np.where(np.random.default_rng(0).random(X.shape) < 0.02, np.nan, X)
    >>> selector = ReliefF(n_features=3).fit(X, y)
    >>> selector.get_support(indices=True)
    array([0, 1, 2])
    """

    def __init__(
        self,
        *,
        n_features=None,
        threshold="interval",
        alpha=0.05,
        n_neighbors=10,
        n_samples=None,
        replace=False,
        ties="average",
        identical="count",
        categorical_features=None,
        random_state=None,
        n_jobs=-1,
    ):
        self.n_features = n_features
        self.threshold = threshold
        self.alpha = alpha
        self.n_neighbors = n_neighbors
        self.n_samples = n_samples
        self.replace = replace
        self.ties = ties
        self.identical = identical
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _neighbourhood(self) -> Neighbourhood:
        return Neighbourhood(self.n_neighbors, self.ties, self.identical)

    def fit(self, X, y=None, sample_weight=None):
        """Draw rows and give every feature its relevance.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            A row of weight w is w copies of itself, for neighbours and priors alike.

        Returns
        -------
        self
        """
        return self._fitted(X, y, sample_weight, is_first=True)

    def partial_fit(self, X, y=None, sample_weight=None):
        """Draw ``n_samples`` more rows, from the same data or from new, and refine the relevance.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        self
        """
        return self._fitted(X, y, sample_weight, is_first=not _is_fitted(self))


class RReliefF(ReliefF):
    """Keep the features that differ between neighbours just where a quantity does.

    RReliefF of Robnik-Šikonja and Kononenko (1997), for regression: relevance is
    P(feature differs | target differs) - P(feature differs | target does not),
    among nearest rows, where a difference counts by its size. All neighbours have the same influence.

    Parameters
    ----------
    n_features, alpha, n_neighbors, n_samples, replace, ties, identical, categorical_features, random_state
        As for `ReliefF`.
    threshold : float or "interval", default="interval"
        As for `Relief`; the standard error is that of a ratio of means.

    Attributes
    ----------
    scores_, standard_errors_, threshold_, support_, selection_order_, history_, n_samples_, n_features_in_, \
    feature_names_in_
        As for `Relief`.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest import RReliefF
    >>> X = np.random.default_rng(0).random((300, 6))
    >>> RReliefF(n_features=2).fit(X, X[:, 1] * X[:, 4]).get_support(indices=True)
    array([1, 4])
    """

    _is_regression = True


def _is_fitted(selector: RelevanceSelector) -> bool:
    return hasattr(selector, "scores_")
