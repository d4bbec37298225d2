"""The cover methods as scikit-learn selectors: validate, select, store."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from fewest.budget import Budget, printed_progress
from fewest.cover.options import (
    CoverOptions,
    Focus1Options,
    Focus2Options,
    MinFeaturesOptions,
    MutualInformationGreedyOptions,
    SimpleGreedyOptions,
    WeightedGreedyOptions,
)
from fewest.cover.sample import Sample
from fewest.cover.select import Selection, select_features
from fewest.estimators.input import AnyColumnsMixin, as_scan, remember_columns, validated_examples
from fewest.estimators.interrupts import RAISE, fitted_unless_interrupted
from fewest.estimators.options import options_of
from fewest.estimators.selector import KeepsFeatures
from fewest.exceptions import ForgottenRowsError, NotProvenError, ParameterError
from fewest.table import Column, Kind

if TYPE_CHECKING:
    from fewest.cover.min_features import MinFeaturesSearch


class FewestFeatures(KeepsFeatures, AnyColumnsMixin, BaseEstimator):
    """A selector of the fewest features that tell the classes apart; a subclass names its method's options."""

    _options: type[CoverOptions]

    def __init__(
        self,
        *,
        tolerance=CoverOptions.tolerance,
        margin=CoverOptions.margin,
        missing=CoverOptions.missing,
        on_contradiction=CoverOptions.on_contradiction,
        time_limit=CoverOptions.time_limit,
        verbose=False,
        on_interrupt=RAISE,
    ):
        self.tolerance = tolerance
        self.margin = margin
        self.missing = missing
        self.on_contradiction = on_contradiction
        self.time_limit = time_limit
        self.verbose = verbose
        self.on_interrupt = on_interrupt

    def fit(self, X, y=None):
        """Find the fewest features of ``X`` on which no two rows of different class agree.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features), or Scan
            Values are compared for equality only: nominal, numeric and Boolean ones alike. What `scan` returns may be
            larger than memory, for `MinFeatures`, `SimpleGreedy` and `MutualInformationGreedy`.
        y : array-like of shape (n_samples,)
            Classes. A scan has them.

        Returns
        -------
        self
        """
        options = options_of(self, self._options)
        progress = printed_progress(self.verbose)
        if (scanned := as_scan(X, y)) is not None:
            remember_columns(self, scanned)
            selection = select_features(scanned, None, options, progress)
            self.classes_ = np.array(scanned.store.labels)
        else:
            table, y = validated_examples(self, X, y)
            self.classes_, codes = np.unique(y, return_inverse=True)
            classes = Column("y", Kind.NOMINAL, codes, tuple(self.classes_))
            selection = select_features(table, classes, options, progress)
        self._store(selection)
        return fitted_unless_interrupted(self)

    def _store(self, selection: Selection) -> None:
        answer, sample = selection.answer, selection.sample
        self.support_ = np.isin(np.arange(sample.n_features), answer.subset)
        self.n_sufficiency_tests_ = answer.n_sufficiency_tests
        self.history_ = list(answer.history)
        self.lower_bound_ = answer.lower_bound
        self.is_optimal_ = answer.is_optimal
        self.stopped_by_ = answer.stopped_by
        self.tolerance_ = sample.tolerance
        if selection.tolerance_scores:
            self.tolerance_scores_ = list(selection.tolerance_scores)
        self.n_contradictions_ = sample.n_contradictions
        self.contradiction_ = sample.contradiction
        self.n_uncovered_ = selection.n_uncovered
        self.witnesses_ = selection.witnesses


class MinFeatures(FewestFeatures):
    """Find the fewest, or the cheapest, features that tell the classes apart, and prove it.

    The MIN-FEATURES problem of Almuallim and Dietterich (1994) as a minimum
    cover of conflicts that are generated only when needed: solve for the
    conflicts known, test the answer in linear time, learn the conflicts it
    misses, repeat. It finds subsets of the same size as `Focus1` and `Focus2`,
    on data far beyond them.

    Parameters
    ----------
    include : iterable of int or str
        Features, by position or name, that must be selected.
    exclude : iterable of int or str
        Features that must not be; as if the columns were not there.
    costs : array-like of shape (n_features,) or mapping of name to cost, optional
        What each feature costs; the cheapest sufficient subset is sought. A
        feature that a mapping does not name costs 1.
    tolerance : float or "cv", default=0
        The fraction of the pairs of rows of different class that may stay
        unseparated: noise, contradictory rows included. ``"cv"`` takes the
        largest that predicts, in five-fold cross-validation, as well as the
        best, up to one standard error.
        The smallest subset that leaves no more is still proven.
    margin : float, str or mapping, optional
        Numbers separate two rows only when they differ by at least so much:
        in their own unit (``0.5``), in standard deviations (``"0.5 sd"``) or
        in percent of their range (``"5%"``); one for all numeric columns, or
        one each by name. By default any difference counts.
    missing : {"value", "cautious"}, default="value"
        ``"value"``: a missing value is one more value of its feature, so that
        *being missing* may be what separates two rows. ``"cautious"``: a
        missing value never separates anything, so that the answer holds
        whatever the values turn out to be.
    on_contradiction : {"warn", "raise"}, default="warn"
        What to do about rows that no feature separates though their classes
        differ. ``"warn"``: separate every pair that can be separated.
    time_limit : float, optional
        Seconds. When they are over, the answer is the best
        sufficient subset so far, with a true lower bound.
    verbose : bool, default=False
        Show progress on standard error.
    on_interrupt : {"raise", "return"}, default="raise"
        What to do at Ctrl-C: raise an `InterruptedSearchError`, which is a
        `KeyboardInterrupt` and has the selector, fitted with the best so far,
        as ``found``; or return as if the time were over.
    keep_rows : bool, default=False
        Whether pickles and copies of the fitted selector have the training
        rows, so that they can be asked for `core` and `minimum_subsets`. Rows
        of a scan are never pickled.

    Attributes
    ----------
    support_ : ndarray of shape (n_features,)
        The mask of the selected features.
    cost_ : float
        Their total cost: their number, without ``costs``.
    lower_bound_ : float
        No sufficient subset costs less.
    is_optimal_ : bool
        Whether the selected subset is proven to cost the least.
    gap_ : float
        How much cheaper, relatively, a better subset could be: 0 when optimal.
    n_sufficiency_tests_ : int
        Subsets tested against all rows.
    n_conflicts_ : int
        Conflicts generated.
    n_nodes_ : int
        Nodes of the searches for covers.
    history_ : list of dict
        ``cost``, ``lower_bound``, ``n_nodes``, ``n_conflicts`` after every limit searched.
    stopped_by_, witnesses_, n_contradictions_, contradiction_, tolerance_, n_uncovered_, classes_, n_features_in_, \
    feature_names_in_
        As for `Focus1`.

    Notes
    -----
    The fitted selector has the training rows, as small integers, for `core`
    and `minimum_subsets`; `forget_rows` drops them, and a pickle has none.

    Examples
    --------
    A parity of three among a hundred features, which no score of single features sees:

    >>> import numpy as np
    >>> from fewest import MinFeatures
    >>> X = np.random.default_rng(0).integers(0, 2, (400, 100))
    >>> selector = MinFeatures().fit(X, X[:, [7, 50, 93]].sum(axis=1) % 2)
    >>> selector.get_support(indices=True)
    array([ 7, 50, 93])
    >>> selector.is_optimal_, selector.core()
    (True, (7, 50, 93))

    When one feature is dear, two cheap ones may do its work:

    >>> X = np.array([[0, 0, 0], [1, 0, 1], [1, 1, 0], [0, 1, 1]])
    >>> y = [0, 1, 2, 3]
    >>> sorted(MinFeatures().fit(X, y).minimum_subsets())
    [(0, 1), (0, 2), (1, 2)]
    >>> MinFeatures(costs=[5, 1, 1]).fit(X, y).get_support(indices=True)
    array([1, 2])
    """

    _options = MinFeaturesOptions

    def __init__(
        self,
        *,
        include=MinFeaturesOptions.include,
        exclude=MinFeaturesOptions.exclude,
        costs=MinFeaturesOptions.costs,
        tolerance=MinFeaturesOptions.tolerance,
        margin=MinFeaturesOptions.margin,
        missing=MinFeaturesOptions.missing,
        on_contradiction=MinFeaturesOptions.on_contradiction,
        time_limit=MinFeaturesOptions.time_limit,
        verbose=False,
        on_interrupt=RAISE,
        keep_rows=False,
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
        self.include = include
        self.exclude = exclude
        self.costs = costs
        self.keep_rows = keep_rows

    def _store(self, selection: Selection) -> None:
        super()._store(selection)
        assert selection.search is not None, "MinFeatures keeps its search"
        self.cost_ = selection.answer.cost
        self.gap_ = selection.answer.gap
        self.n_conflicts_ = selection.search.n_conflicts
        self.n_nodes_ = selection.search.n_nodes
        # What was fitted, whatever the parameters are set to later; the search has the rows, and may go.
        self._search: MinFeaturesSearch | None = selection.search
        self._fitted_missing, self._fitted_exclude = self.missing, selection.excluded
        self._certificate: dict | None = None

    def __getstate__(self):
        """Return what is pickled: without the training rows, unless they are to be kept and are in memory."""
        state = dict(super().__getstate__())
        if (search := state.get("_search")) is not None:
            state["_certificate"] = self._made_certificate()
            if not self.keep_rows or not isinstance(search.sample, Sample):
                state["_search"] = None
        return state

    def forget_rows(self) -> Self:
        """Drop the training rows, which only `core` and `minimum_subsets` still need.

        Returns
        -------
        self : MinFeatures
            The selector, still fitted, with its certificate.
        """
        check_is_fitted(self)
        self._certificate = self._made_certificate()
        self._search = None
        return self

    def minimum_subsets(self, most: int | None = None, *, time_limit: float | None = None) -> Iterator[tuple[int, ...]]:
        """Yield sufficient subsets of the least cost, lazily.

        Parameters
        ----------
        most : int, optional
            Yield at most so many; all of them by default.
        time_limit : float, optional
            Seconds. A listing that is cut short ends with a `StoppedEarlyWarning`.

        Yields
        ------
        tuple of int
            The positions of the features of a subset, ascending.
        """
        search = self._proven("minimum_subsets()")
        return islice(search.minimum_subsets(Budget(time_limit), on_interrupt=self.on_interrupt), most)

    def core(self, *, time_limit: float | None = None) -> tuple[int, ...]:
        """Return the features that are in every sufficient subset of the least cost.

        Parameters
        ----------
        time_limit : float, optional
            Seconds. When they are over before the core is known, `NotProvenError` is raised.

        Returns
        -------
        tuple of int
            The positions of these features, ascending.
        """
        return self._proven("core()").core(Budget(time_limit), on_interrupt=self.on_interrupt)

    def certificate(self) -> dict:
        """Return what a sceptic needs to check the lower bound: the pairs of rows that force it.

        Returns
        -------
        dict
            Plain data about what was fitted, as `save_certificate` writes it.
        """
        check_is_fitted(self)
        certificate = self._made_certificate()
        if certificate is None:
            raise ParameterError(
                "With a tolerance no few pairs of rows force the bound, so that there is no certificate. Fit without "
                "one."
            )
        return deepcopy(certificate)

    def save_certificate(self, path: str | Path) -> None:
        """Write the certificate as JSON, for ``fewest verify``.

        Parameters
        ----------
        path : str or path
            The file to write.
        """
        from fewest.cover.certificate import save_certificate

        save_certificate(self.certificate(), path)

    def _made_certificate(self) -> dict | None:
        """Return the certificate of what was fitted; None where there is none, since pairs may stay uncovered."""
        from fewest.cover.certificate import make_certificate

        if self._search is None or self._search.sample.is_tolerant:
            return self._certificate
        names = list(map(str, getattr(self, "feature_names_in_", [f"x{j}" for j in range(self.n_features_in_)])))
        excluded = [names[j] for j in self._fitted_exclude]
        return make_certificate(self._search, names, missing=self._fitted_missing, exclude=excluded)

    def _proven(self, question: str) -> MinFeaturesSearch:
        check_is_fitted(self)
        if not self.is_optimal_:
            raise NotProvenError.from_bounds(self.cost_, self.lower_bound_)
        if self._search is None:
            raise ForgottenRowsError.from_question(question)
        return self._search


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
        *being missing* may be what separates two rows. ``"cautious"``: a
        missing value never separates anything, so that the answer holds
        whatever the values turn out to be; this compares pairs of rows
        instead of partitioning them, and takes time and memory accordingly.
    on_contradiction : {"warn", "raise"}, default="warn"
        What to do about rows that no feature separates though their classes
        differ. ``"warn"``: separate every pair that can be separated.
    time_limit : float, optional
        Seconds. When they are over, the answer is a sufficient
        subset from which no feature can be left out, not necessarily a smallest.
    verbose : bool, default=False
        Show progress on standard error.
    on_interrupt : {"raise", "return"}, default="raise"
        What to do at Ctrl-C: raise an `InterruptedSearchError`, which is a
        `KeyboardInterrupt` and has the selector, fitted with the best so far,
        as ``found``; or return as if the time were over.

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
        The tolerance used; with ``"cv"``, ``tolerance_scores_`` shows why.
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
        *being missing* may be what separates two rows. ``"cautious"``: a
        missing value never separates anything, so that the answer holds
        whatever the values turn out to be.
    on_contradiction : {"warn", "raise"}, default="warn"
        What to do about rows that no feature separates though their classes
        differ. ``"warn"``: separate every pair that can be separated.
    time_limit : float, optional
        Seconds. When they are over, the answer is a sufficient
        subset from which no feature can be left out, not necessarily a smallest.
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
    support_, n_sufficiency_tests_, history_, lower_bound_, is_optimal_, stopped_by_, witnesses_, n_contradictions_, \
    contradiction_, tolerance_, n_uncovered_, classes_, n_features_in_, feature_names_in_
        As for `Focus1`.
    trace_ : SearchTree or None
        ``trace_.to_text()`` prints the tree of the paper's Figure 3;
        `fewest.plot.plot_search_tree` draws it.

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
    on_interrupt : {"raise", "return"}, default="raise"
        What to do at Ctrl-C: raise an `InterruptedSearchError`, which is a
        `KeyboardInterrupt` and has the selector, fitted with the best so far,
        as ``found``; or return as if the time were over.

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

    _options = MutualInformationGreedyOptions


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

    _options = SimpleGreedyOptions


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
    tolerance, on_contradiction, time_limit, verbose, on_interrupt
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
