"""Mutual-Information-Greedy, Simple-Greedy and Weighted-Greedy as scikit-learn selectors."""

from __future__ import annotations

import numpy as np

from fewest.budget import Budget
from fewest.cover.answer import Answer
from fewest.cover.base import FewestFeatures
from fewest.cover.blocks.greedy import streamed_greedy
from fewest.cover.blocks.sample import AnySample, StreamedSample
from fewest.cover.greedy import mutual_information_greedy, simple_greedy
from fewest.cover.sample import Sample
from fewest.cover.weighted_greedy import weighted_greedy


class GreedyFeatures(FewestFeatures):
    """A selector that adds one feature after the other until the classes are told apart.

    A missing value is a value of its own: unknown values that separate
    nothing would leave rows in no group.

    Parameters
    ----------
    tolerance : float or "cv", default=0
        The fraction of the pairs of rows of different class that may stay
        unseparated: noise, contradictory rows included. ``"cv"`` takes the
        largest that predicts, in five-fold cross-validation, as well as the
        best, up to one standard error.
    on_contradiction : {"warn", "raise"}, default="warn"
        What to do about rows that no feature separates though their classes
        differ. ``"warn"``: separate every pair that can be separated.
    time_limit : float, optional
        Seconds. When they are over, the features chosen so far are completed
        to a sufficient subset in a simpler way.
    verbose : bool, default=False
        Show progress on standard error.

    Attributes
    ----------
    support_ : ndarray of shape (n_features,)
    selection_order_ : ndarray
        The selected features in the order in which they were chosen.
    scores_ : ndarray
        The score of each at the step in which it was chosen.
    n_sufficiency_tests_ : int
        One for the empty set and one for every feature chosen.
    history_ : list of dict
        ``feature`` and ``score`` of every step.
    lower_bound_, is_optimal_, stopped_by_, witnesses_, n_contradictions_, contradiction_, tolerance_, n_uncovered_, \
    classes_, n_features_in_, feature_names_in_
        As for `Focus1`; greedy methods prove nothing, and the bound is 1 unless no feature is needed.
    """

    def __init__(self, *, tolerance=0.0, on_contradiction="warn", time_limit=None, verbose=False):
        super().__init__(tolerance=tolerance, on_contradiction=on_contradiction, time_limit=time_limit, verbose=verbose)

    def _store(self, answer: Answer, sample: AnySample) -> None:
        super()._store(answer, sample)
        self.selection_order_ = np.array([record["feature"] for record in answer.history], dtype=np.intp)
        self.scores_ = np.array([record["score"] for record in answer.history], dtype=np.float64)


class MutualInformationGreedy(GreedyFeatures):
    """Add the feature that leaves the least entropy of the class, until the subset is sufficient.

    Almuallim and Dietterich (1994), section 6.1. Parameters and attributes are
    those of all greedy selectors; ``scores_`` are entropies in bits.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest import MutualInformationGreedy
    >>> X = np.random.default_rng(0).integers(0, 2, (200, 8))
    >>> MutualInformationGreedy().fit(X, X[:, 2] & X[:, 5]).selection_order_
    array([2, 5])
    """

    def _search(self, sample: Sample, budget: Budget) -> Answer:
        return mutual_information_greedy(sample, budget)

    def _search_blocks(self, sample: StreamedSample, budget: Budget) -> Answer:
        return streamed_greedy("mig", sample, budget)


class SimpleGreedy(GreedyFeatures):
    """Add the feature that leaves the fewest conflicts uncovered, until none is left.

    Almuallim and Dietterich (1994), section 6.2. Parameters and attributes are
    those of all greedy selectors; ``scores_`` are the pairs of rows still uncovered.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest import SimpleGreedy
    >>> X = np.random.default_rng(0).integers(0, 2, (200, 8))
    >>> selector = SimpleGreedy().fit(X, X[:, 2] & X[:, 5])
    >>> selector.selection_order_, selector.scores_[-1]
    (array([2, 5]), np.float64(0.0))
    """

    def _search(self, sample: Sample, budget: Budget) -> Answer:
        return simple_greedy(sample, budget)

    def _search_blocks(self, sample: StreamedSample, budget: Budget) -> Answer:
        return streamed_greedy("sg", sample, budget)


class WeightedGreedy(GreedyFeatures):
    """Add the feature with the most credit for conflicts that few other features cover.

    Almuallim and Dietterich (1994), section 6.3: the heuristic that comes
    closest to the exact methods there. Every pair of rows of different class is
    weighed, in blocks: time grows with the square of the number of rows, memory
    does not. ``scores_`` are credits, infinite for a feature that alone covers
    a conflict.

    Parameters
    ----------
    margin : float, str or mapping, optional
        Numbers separate two rows only when they differ by at least so much:
        in their own unit (``0.5``), in standard deviations (``"0.5 sd"``) or
        in percent of their range (``"5%"``); one for all numeric columns, or
        one each by name. By default any difference counts.
    missing : {"value", "cautious"}, default="value"
        Whether a missing value is one more value, or separates nothing. With
        a margin or with ``"cautious"`` all distinct conflicts are listed.
    tolerance, on_contradiction, time_limit, verbose
        As for all greedy selectors.

    Attributes
    ----------
    support_, selection_order_, scores_, n_sufficiency_tests_, history_, lower_bound_, is_optimal_, stopped_by_, \
    witnesses_, n_contradictions_, contradiction_, tolerance_, n_uncovered_, classes_, n_features_in_, feature_names_in_
        As for all greedy selectors.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest import WeightedGreedy
    >>> X = np.random.default_rng(0).integers(0, 2, (200, 8))
    >>> WeightedGreedy().fit(X, X[:, 2] ^ X[:, 5]).get_support(indices=True)
    array([2, 5])
    """

    def __init__(
        self, *, tolerance=0.0, margin=None, missing="value", on_contradiction="warn", time_limit=None, verbose=False
    ):
        super().__init__(tolerance=tolerance, on_contradiction=on_contradiction, time_limit=time_limit, verbose=verbose)
        self.margin = margin
        self.missing = missing

    def _search(self, sample: Sample, budget: Budget) -> Answer:
        return weighted_greedy(sample, budget)
