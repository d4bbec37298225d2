"""FOCUS-1 and FOCUS-2 as scikit-learn selectors."""

from __future__ import annotations

from numbers import Real

from sklearn.utils import check_scalar

from fewest.budget import Budget
from fewest.cover.answer import Answer
from fewest.cover.base import FewestFeatures
from fewest.cover.blocks.sample import AnySample
from fewest.cover.focus1 import focus1
from fewest.cover.focus2 import DEFAULT_MAX_MEMORY, focus2
from fewest.cover.sample import Sample


class Focus1(FewestFeatures):
    """Try all subsets of features by increasing size until one is sufficient.

    A subset is *sufficient* when no two rows of different class agree on all
    of its features. FOCUS-1 of Almuallim and Dietterich (1994), section 5.3,
    for any number of values and classes. Subsets of one size are tried in
    lexicographic order. Its memory is that of the data; its time grows with
    the number of subsets, O(n_features ** n_selected).

    Parameters
    ----------
    tolerance : float or "cv", default=0
        The fraction of the pairs of rows of different class that may stay
        unseparated: noise, contradictory rows included. ``"cv"`` takes the
        largest that predicts, in five-fold cross-validation, as well as the
        best, up to one standard error.
    margin : float, str or mapping, optional
        Numbers separate two rows only when they differ by at least so much:
        in their own unit (``0.5``), in standard deviations (``"0.5 sd"``) or
        in percent of their range (``"5%"``); one for all numeric columns, or
        one each by name. By default any difference counts.
    missing : {"value", "cautious"}, default="value"
        ``"value"``: a missing value is one more value of its feature, so that
        *being missing* may be what tells two rows apart. ``"cautious"``: a
        missing value never separates anything, so that the answer holds
        whatever the values turn out to be; this compares pairs of rows
        instead of partitioning them, and takes time and memory accordingly.
    on_contradiction : {"warn", "raise"}, default="warn"
        What to do about rows that no feature separates though their classes
        differ. ``"warn"``: separate every pair that can be separated.
    time_limit : float, optional
        Seconds. When they are over, or at Ctrl-C, the answer is a sufficient
        subset from which no feature can be left out, not necessarily a smallest.
    verbose : bool, default=False
        Show progress on standard error.

    Attributes
    ----------
    support_ : ndarray of shape (n_features,)
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
    witnesses_ : dict
        For each selected feature two rows of different class that, among the
        selected features, it alone separates: the reason why it is there.
    n_contradictions_ : int
        Pairs of rows of different class that no feature separates.
    contradiction_ : tuple of int, or None
        One such pair.
    tolerance_ : float
        The tolerance used; with ``"cv"``, ``tolerance_scores_`` tells why.
    n_uncovered_ : int
        Pairs of rows of different class that the selected features leave unseparated.
    classes_ : ndarray
    n_features_in_ : int
    feature_names_in_ : ndarray, where the data has string names

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

    def _search(self, sample: Sample, budget: Budget) -> Answer:
        return focus1(sample, budget)


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
    tolerance : float or "cv", default=0
        The fraction of the pairs of rows of different class that may stay
        unseparated: noise, contradictory rows included. ``"cv"`` takes the
        largest that predicts, in five-fold cross-validation, as well as the
        best, up to one standard error.
    margin : float, str or mapping, optional
        Numbers separate two rows only when they differ by at least so much:
        in their own unit (``0.5``), in standard deviations (``"0.5 sd"``) or
        in percent of their range (``"5%"``); one for all numeric columns, or
        one each by name. By default any difference counts.
    missing : {"value", "cautious"}, default="value"
        ``"value"``: a missing value is one more value of its feature, so that
        *being missing* may be what tells two rows apart. ``"cautious"``: a
        missing value never separates anything, so that the answer holds
        whatever the values turn out to be.
    on_contradiction : {"warn", "raise"}, default="warn"
        What to do about rows that no feature separates though their classes
        differ. ``"warn"``: separate every pair that can be separated.
    time_limit : float, optional
        Seconds. When they are over, or at Ctrl-C, the answer is a sufficient
        subset from which no feature can be left out, not necessarily a smallest.
    verbose : bool, default=False
        Show progress on standard error.
    keep_trace : bool, default=False
        Keep the search tree in ``trace_``.
    max_memory : float, default=4e9
        Refuse, before starting, data whose conflicts could need more bytes.

    Attributes
    ----------
    support_, n_sufficiency_tests_, history_, lower_bound_, is_optimal_, stopped_by_, witnesses_, n_contradictions_, \
    contradiction_, tolerance_, n_uncovered_, classes_, n_features_in_, feature_names_in_
        As for `Focus1`.
    trace_ : SearchTree or None
        ``trace_.to_text()`` prints the tree of the document's Figure 3;
        `fewest.plot_search_tree` draws it.

    Examples
    --------
    The example of the document's section 5.2, with the tests it counts:

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

    def __init__(
        self,
        *,
        tolerance=0.0,
        margin=None,
        missing="value",
        on_contradiction="warn",
        time_limit=None,
        verbose=False,
        keep_trace=False,
        max_memory=DEFAULT_MAX_MEMORY,
    ):
        super().__init__(
            tolerance=tolerance,
            margin=margin,
            missing=missing,
            on_contradiction=on_contradiction,
            time_limit=time_limit,
            verbose=verbose,
        )
        self.keep_trace = keep_trace
        self.max_memory = max_memory

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_scalar(self.max_memory, "max_memory", Real, min_val=0)

    def _search(self, sample: Sample, budget: Budget) -> Answer:
        return focus2(sample, budget, keep_tree=bool(self.keep_trace), max_memory=self.max_memory)

    def _store(self, answer: Answer, sample: AnySample) -> None:
        super()._store(answer, sample)
        self.trace_ = answer.tree
