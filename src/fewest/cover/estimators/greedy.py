"""The greedy methods as scikit-learn selectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fewest.cover.estimators.selector import FewestFeatures
from fewest.cover.options import (
    CoverOptions,
    MutualInformationGreedyOptions,
    SimpleGreedyOptions,
    WeightedGreedyOptions,
)
from fewest.cover.select import Selection
from fewest.estimators.options import RAISE

if TYPE_CHECKING:
    pass


class GreedyFeatures(FewestFeatures):
    """A selector that adds one feature after the other until the classes are told apart.

    A missing value is a value of its own: unknown values that separate nothing would leave rows in no group.
    """

    margin = CoverOptions.margin
    missing = CoverOptions.missing

    def __init__(
        self,
        *,
        tolerance=CoverOptions.tolerance,
        on_contradiction=CoverOptions.on_contradiction,
        time_limit=CoverOptions.time_limit,
        verbose=False,
        on_interrupt=RAISE,
    ):
        self.tolerance = tolerance
        self.on_contradiction = on_contradiction
        self.time_limit = time_limit
        self.verbose = verbose
        self.on_interrupt = on_interrupt

    def _store(self, selection: Selection) -> None:
        super()._store(selection)
        history = selection.answer.history
        self.selection_order_ = np.array([record["feature"] for record in history], dtype=np.intp)
        self.scores_ = np.array([record["score"] for record in history], dtype=np.float64)


class MutualInformationGreedy(GreedyFeatures):
    """Add the feature that leaves the least entropy of the class, until the subset is sufficient.

    Almuallim and Dietterich (1994), section 6.1. A missing value is a
    value of its own, and so is every number.

    Parameters
    ----------
    tolerance : float or "cv", default=0.0
        The fraction of the pairs of rows of different class that may stay
        unseparated: noise, contradictory rows included. ``"cv"`` takes the
        largest that predicts, in five-fold cross-validation, as well as the
        best, up to one standard error.
    on_contradiction : {"warn", "raise"}, default="warn"
        What to do about rows that no feature separates though their classes
        differ. ``"warn"``: separate every pair that can be separated.
    time_limit : float, default=None
        Seconds. When they are over, the features chosen so far are completed
        to a sufficient subset in a simpler way. By default there is no limit.
    verbose : bool, default=False
        Show progress on standard error.
    on_interrupt : {"raise", "return"}, default="raise"
        What to do at Ctrl-C: raise an `InterruptedSearchError`, which is a
        `KeyboardInterrupt` and has the selector, fitted with the best so far,
        as ``found``; or return as if the time were over.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_features,)
        The mask of the selected features.
    selection_order_ : ndarray of int, shape (n_selected,)
        The selected features in the order in which they were chosen.
    scores_ : ndarray of float, shape (n_selected,)
        The score of each at the step in which it was chosen: the entropy left, in bits.
    n_sufficiency_tests_ : int
        One for the empty set and one for every feature chosen.
    history_ : list of dict
        ``feature`` and ``score`` of every step.
    lower_bound_ : int
        No sufficient subset has fewer features. Greedy methods prove nothing:
        it is 1, or 0 where no feature is needed.
    is_optimal_ : bool
        Whether the selected subset is proven to be a smallest one: at most one feature.
    stopped_by_ : str or None
        ``"time limit"`` or ``"interrupt"`` when the search did not finish.
    witnesses_ : dict of int to (int, int) or None
        For each selected feature two rows of different class that, among the
        selected features, it alone separates: the reason why it is there.
    n_contradictions_ : int
        Pairs of rows of different class that no feature separates.
    contradiction_ : tuple of int, or None
        One such pair.
    tolerance_ : float
        The tolerance used.
    tolerance_scores_ : list of dict
        With ``tolerance="cv"`` only: for each tolerance tried, how well the features selected with it predicted
        (``balanced_accuracy``, ``standard_error``), how many they were, and how many of its searches the time limit
        cut short (``n_stopped``).
    n_uncovered_ : int
        Pairs of rows of different class that the selected features leave unseparated.
    classes_ : ndarray of shape (n_classes,)
        The distinct classes, in order.
    n_features_in_ : int
        The number of features seen during `fit`.
    feature_names_in_ : ndarray of str, shape (`n_features_in_`,)
        Their names, where the data has string names.

    See Also
    --------
    SimpleGreedy : By the conflicts left uncovered instead of entropy.
    WeightedGreedy : The closest to the exact methods.
    MinFeatures : The smallest subset, proven.

    References
    ----------
    Almuallim, H. and Dietterich, T. G. (1994). Learning Boolean concepts in the presence of many irrelevant features.
    Artificial Intelligence 69, 279-305.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest import MutualInformationGreedy
    >>> X = np.random.default_rng(0).integers(0, 2, (200, 8))
    >>> MutualInformationGreedy().fit(X, X[:, 2] & X[:, 5]).selection_order_
    array([2, 5])
    """

    _options = MutualInformationGreedyOptions


class SimpleGreedy(GreedyFeatures):
    """Add the feature that leaves the fewest conflicts uncovered, until none is left.

    Almuallim and Dietterich (1994), section 6.2. A missing value is a
    value of its own, and so is every number.

    Parameters
    ----------
    tolerance : float or "cv", default=0.0
        The fraction of the pairs of rows of different class that may stay
        unseparated: noise, contradictory rows included. ``"cv"`` takes the
        largest that predicts, in five-fold cross-validation, as well as the
        best, up to one standard error.
    on_contradiction : {"warn", "raise"}, default="warn"
        What to do about rows that no feature separates though their classes
        differ. ``"warn"``: separate every pair that can be separated.
    time_limit : float, default=None
        Seconds. When they are over, the features chosen so far are completed
        to a sufficient subset in a simpler way. By default there is no limit.
    verbose : bool, default=False
        Show progress on standard error.
    on_interrupt : {"raise", "return"}, default="raise"
        What to do at Ctrl-C: raise an `InterruptedSearchError`, which is a
        `KeyboardInterrupt` and has the selector, fitted with the best so far,
        as ``found``; or return as if the time were over.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_features,)
        The mask of the selected features.
    selection_order_ : ndarray of int, shape (n_selected,)
        The selected features in the order in which they were chosen.
    scores_ : ndarray of float, shape (n_selected,)
        The score of each at the step in which it was chosen: the pairs of rows still uncovered.
    n_sufficiency_tests_ : int
        One for the empty set and one for every feature chosen.
    history_ : list of dict
        ``feature`` and ``score`` of every step.
    lower_bound_ : int
        No sufficient subset has fewer features. Greedy methods prove nothing:
        it is 1, or 0 where no feature is needed.
    is_optimal_ : bool
        Whether the selected subset is proven to be a smallest one: at most one feature.
    stopped_by_ : str or None
        ``"time limit"`` or ``"interrupt"`` when the search did not finish.
    witnesses_ : dict of int to (int, int) or None
        For each selected feature two rows of different class that, among the
        selected features, it alone separates: the reason why it is there.
    n_contradictions_ : int
        Pairs of rows of different class that no feature separates.
    contradiction_ : tuple of int, or None
        One such pair.
    tolerance_ : float
        The tolerance used.
    tolerance_scores_ : list of dict
        With ``tolerance="cv"`` only: for each tolerance tried, how well the features selected with it predicted
        (``balanced_accuracy``, ``standard_error``), how many they were, and how many of its searches the time limit
        cut short (``n_stopped``).
    n_uncovered_ : int
        Pairs of rows of different class that the selected features leave unseparated.
    classes_ : ndarray of shape (n_classes,)
        The distinct classes, in order.
    n_features_in_ : int
        The number of features seen during `fit`.
    feature_names_in_ : ndarray of str, shape (`n_features_in_`,)
        Their names, where the data has string names.

    See Also
    --------
    MutualInformationGreedy : By entropy instead of the conflicts left uncovered.
    WeightedGreedy : The closest to the exact methods.
    MinFeatures : The smallest subset, proven.

    References
    ----------
    Almuallim, H. and Dietterich, T. G. (1994). Learning Boolean concepts in the presence of many irrelevant features.
    Artificial Intelligence 69, 279-305.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest import SimpleGreedy
    >>> X = np.random.default_rng(0).integers(0, 2, (200, 8))
    >>> selector = SimpleGreedy().fit(X, X[:, 2] & X[:, 5])
    >>> selector.selection_order_, selector.scores_[-1]
    (array([2, 5]), np.float64(0.0))
    """

    _options = SimpleGreedyOptions


class WeightedGreedy(GreedyFeatures):
    """Add the feature with the most credit for conflicts that few other features cover.

    Almuallim and Dietterich (1994), section 6.3: the heuristic that comes
    closest to the exact methods there. Every pair of rows of different class is
    weighed, in blocks: time grows with the square of the number of rows, memory
    does not.

    Parameters
    ----------
    tolerance : float or "cv", default=0.0
        The fraction of the pairs of rows of different class that may stay
        unseparated: noise, contradictory rows included. ``"cv"`` takes the
        largest that predicts, in five-fold cross-validation, as well as the
        best, up to one standard error.
    margin : float, str or mapping, default=None
        Numbers separate two rows only when they differ by at least this much:
        in their own unit (``0.5``), in standard deviations (``"0.5 sd"``) or
        in percent of their range (``"5%"``); one for all numeric columns, or
        one each by name. By default any difference counts.
    missing : {"value", "cautious"}, default="value"
        ``"value"``: a missing value is one more value of its feature, so that
        *being missing* may be what separates two rows. ``"cautious"``: a
        missing value never separates anything, so that the answer holds
        whatever the values turn out to be; this compares pairs of rows
        instead of partitioning them, and takes time and memory accordingly.
    on_contradiction : {"warn", "raise"}, default="warn"
        What to do about rows that no feature separates though their classes
        differ. ``"warn"``: separate every pair that can be separated.
    time_limit : float, default=None
        Seconds. When they are over, the features chosen so far are completed
        to a sufficient subset in a simpler way. By default there is no limit.
    verbose : bool, default=False
        Show progress on standard error.
    on_interrupt : {"raise", "return"}, default="raise"
        What to do at Ctrl-C: raise an `InterruptedSearchError`, which is a
        `KeyboardInterrupt` and has the selector, fitted with the best so far,
        as ``found``; or return as if the time were over.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_features,)
        The mask of the selected features.
    selection_order_ : ndarray of int, shape (n_selected,)
        The selected features in the order in which they were chosen.
    scores_ : ndarray of float, shape (n_selected,)
        The score of each at the step in which it was chosen: its credit, infinite
        for a feature that alone covers a conflict.
    n_sufficiency_tests_ : int
        One for the empty set and one for every feature chosen.
    history_ : list of dict
        ``feature`` and ``score`` of every step.
    lower_bound_ : int
        No sufficient subset has fewer features. Greedy methods prove nothing:
        it is 1, or 0 where no feature is needed.
    is_optimal_ : bool
        Whether the selected subset is proven to be a smallest one: at most one feature.
    stopped_by_ : str or None
        ``"time limit"`` or ``"interrupt"`` when the search did not finish.
    witnesses_ : dict of int to (int, int) or None
        For each selected feature two rows of different class that, among the
        selected features, it alone separates: the reason why it is there.
    n_contradictions_ : int
        Pairs of rows of different class that no feature separates.
    contradiction_ : tuple of int, or None
        One such pair.
    tolerance_ : float
        The tolerance used.
    tolerance_scores_ : list of dict
        With ``tolerance="cv"`` only: for each tolerance tried, how well the features selected with it predicted
        (``balanced_accuracy``, ``standard_error``), how many they were, and how many of its searches the time limit
        cut short (``n_stopped``).
    n_uncovered_ : int
        Pairs of rows of different class that the selected features leave unseparated.
    classes_ : ndarray of shape (n_classes,)
        The distinct classes, in order.
    n_features_in_ : int
        The number of features seen during `fit`.
    feature_names_in_ : ndarray of str, shape (`n_features_in_`,)
        Their names, where the data has string names.

    See Also
    --------
    SimpleGreedy : Counts conflicts instead of weighing them, and is quicker.
    MutualInformationGreedy : By entropy.
    MinFeatures : The smallest subset, proven.

    References
    ----------
    Almuallim, H. and Dietterich, T. G. (1994). Learning Boolean concepts in the presence of many irrelevant features.
    Artificial Intelligence 69, 279-305.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest import WeightedGreedy
    >>> X = np.random.default_rng(0).integers(0, 2, (200, 8))
    >>> WeightedGreedy().fit(X, X[:, 2] ^ X[:, 5]).get_support(indices=True)
    array([2, 5])
    """

    _options = WeightedGreedyOptions

    def __init__(
        self,
        *,
        tolerance=WeightedGreedyOptions.tolerance,
        margin=WeightedGreedyOptions.margin,
        missing=WeightedGreedyOptions.missing,
        on_contradiction=WeightedGreedyOptions.on_contradiction,
        time_limit=WeightedGreedyOptions.time_limit,
        verbose=False,
        on_interrupt=RAISE,
    ):
        super().__init__(
            tolerance=tolerance,
            on_contradiction=on_contradiction,
            time_limit=time_limit,
            verbose=verbose,
            on_interrupt=on_interrupt,
        )
        self.margin = margin
        self.missing = missing
