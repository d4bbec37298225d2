"""FOCUS-1 and FOCUS-2 as scikit-learn selectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fewest.cover.estimators.selector import FewestFeatures
from fewest.cover.options import (
    Focus1Options,
    Focus2Options,
)
from fewest.cover.select import Selection
from fewest.estimators.options import RAISE

if TYPE_CHECKING:
    pass


class Focus1(FewestFeatures):
    """Try all subsets of features by increasing size until one is sufficient.

    A subset is *sufficient* when no two rows of different class agree on all
    of its features. FOCUS-1 of Almuallim and Dietterich (1994), section 5.3,
    for any number of values and classes. Subsets of one size are tried in
    lexicographic order. Its memory is that of the data; its time grows with
    the number of subsets, O(n_features ** n_selected).

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
        Seconds. When they are over, the answer is a sufficient subset from
        which no feature can be left out, not necessarily a smallest. By
        default there is no limit.
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
    n_sufficiency_tests_ : int
        Subsets tested, the empty one included.
    history_ : list of dict
        ``size`` and ``n_sufficiency_tests`` for every size of subset tried.
    lower_bound_ : int
        No sufficient subset has fewer features.
    is_optimal_ : bool
        Whether the selected subset is proven to be a smallest one.
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
    Focus2 : A subset of the same size with far fewer tests.
    MinFeatures : The same, and a proof, on data far beyond both.

    References
    ----------
    Almuallim, H. and Dietterich, T. G. (1994). Learning Boolean concepts in the presence of many irrelevant features.
    Artificial Intelligence 69, 279-305.

    Examples
    --------
    The class is the exclusive or of the third and the sixth of eight features:

    >>> import numpy as np
    >>> from fewest import Focus1
    >>> X = np.random.default_rng(0).integers(0, 2, (100, 8))
    >>> selector = Focus1().fit(X, X[:, 2] ^ X[:, 5])
    >>> selector.get_support(indices=True)
    array([2, 5])
    >>> selector.n_sufficiency_tests_  # 1 + 8 and the first 16 of the 28 pairs
    25
    """

    _options = Focus1Options


class Focus2(FewestFeatures):
    """Search only the subsets that the conflicts between rows allow.

    Two rows of different class are a *conflict*, covered by the features in
    which they differ; a subset is sufficient when it covers all conflicts.
    FOCUS-2 of Almuallim and Dietterich (1994), Figure 2: it takes the
    uncovered conflict with the fewest features left and branches on these
    alone, breadth first. It finds a subset of the same, smallest size as
    `Focus1` with far fewer sufficiency tests, but it lists every distinct
    conflict: memory grows with the square of the number of rows.

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
        Seconds. When they are over, the answer is a sufficient subset from
        which no feature can be left out, not necessarily a smallest. By
        default there is no limit.
    verbose : bool, default=False
        Show progress on standard error.
    on_interrupt : {"raise", "return"}, default="raise"
        What to do at Ctrl-C: raise an `InterruptedSearchError`, which is a
        `KeyboardInterrupt` and has the selector, fitted with the best so far,
        as ``found``; or return as if the time were over.
    keep_trace : bool, default=False
        Keep the search tree in ``trace_``.
    max_memory : float, default=4e9
        Refuse, before starting, data whose conflicts could need more bytes.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_features,)
        The mask of the selected features.
    n_sufficiency_tests_ : int
        Subsets tested, the empty one included.
    history_ : list of dict
        ``size`` and ``n_sufficiency_tests`` for every size of subset tried.
    lower_bound_ : int
        No sufficient subset has fewer features.
    is_optimal_ : bool
        Whether the selected subset is proven to be a smallest one.
    stopped_by_ : str or None
        ``"time limit"``, ``"memory limit"`` or ``"interrupt"`` when the search did not finish.
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
    trace_ : SearchTree or None
        With ``keep_trace``, what the search did: ``trace_.to_text()`` prints
        the tree of the paper's Figure 3; `fewest.plot.plot_search_tree` draws it.

    See Also
    --------
    Focus1 : All subsets by increasing size, in little memory.
    MinFeatures : The same, and a proof, without listing all conflicts.
    fewest.plot.plot_search_tree : The drawing of the search.

    References
    ----------
    Almuallim, H. and Dietterich, T. G. (1994). Learning Boolean concepts in the presence of many irrelevant features.
    Artificial Intelligence 69, 279-305.

    Examples
    --------
    The example of the paper's section 5.2, with the tests it counts:

    >>> import numpy as np
    >>> from fewest import Focus2
    >>> rows = ["010100", "110010", "101111", "011000", "101001", "100101"]
    >>> X = np.array([[int(bit) for bit in row] for row in rows])
    >>> selector = Focus2(keep_trace=True).fit(X, [1, 1, 1, 0, 0, 0])
    >>> selector.get_support(indices=True)
    array([0, 2, 3])
    >>> selector.n_sufficiency_tests_
    7
    >>> print(selector.trace_.to_text())
    M(∅, ∅)  split by the conflict of rows 0 and 3
    ├── M({x3}, ∅)  split by the conflict of rows 2 and 4
    │   ├── M({x3, x4}, ∅)  split by the conflict of rows 0 and 5
    │   │   └── M({x1, x3, x4}, ∅)  {x1, x3, x4} is sufficient
    │   └── M({x3, x5}, {x4})
    └── M({x4}, {x3})  split by the conflict of rows 2 and 5
        └── M({x4, x5}, {x3})
    """

    _options = Focus2Options

    def __init__(
        self,
        *,
        tolerance=Focus2Options.tolerance,
        margin=Focus2Options.margin,
        missing=Focus2Options.missing,
        on_contradiction=Focus2Options.on_contradiction,
        time_limit=Focus2Options.time_limit,
        verbose=False,
        on_interrupt=RAISE,
        keep_trace=Focus2Options.keep_trace,
        max_memory=Focus2Options.max_memory,
    ):
        super().__init__(
            tolerance=tolerance,
            margin=margin,
            missing=missing,
            on_contradiction=on_contradiction,
            time_limit=time_limit,
            verbose=verbose,
            on_interrupt=on_interrupt,
        )
        self.keep_trace = keep_trace
        self.max_memory = max_memory

    def _store(self, selection: Selection) -> None:
        super()._store(selection)
        self.trace_ = selection.answer.tree
