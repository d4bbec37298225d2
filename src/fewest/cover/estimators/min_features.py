"""MinFeatures: the fewest, or the cheapest, features, proven, as a scikit-learn selector."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Self

from sklearn.utils.validation import check_is_fitted

from fewest.budget import Budget
from fewest.cover.estimators.selector import FewestFeatures
from fewest.cover.options import CHANCE, MinFeaturesOptions
from fewest.cover.sample import Sample
from fewest.cover.select import Selection
from fewest.estimators.options import RAISE
from fewest.exceptions import ForgottenRowsError, NotProvenError

if TYPE_CHECKING:
    from fewest.cover.min_features import MinFeaturesSearch


class MinFeatures(FewestFeatures):
    """Find the fewest, or the cheapest, features that tell the classes apart, and prove it.

    The MIN-FEATURES problem of Almuallim and Dietterich (1994) as a minimum
    cover of conflicts that are generated only when needed: solve for the
    conflicts known, test the answer in linear time, learn the conflicts it
    misses, repeat. It finds subsets of the same size as `Focus1` and `Focus2`,
    on data far beyond them.

    Parameters
    ----------
    include : str, int, list of these or Boolean mask, default=()
        Features that must be selected, by name or position, or a mask with an
        entry for every feature.
    exclude : str, int, list of these or Boolean mask, default=()
        Features that must not be selected, given in the same ways; the answer
        is as if the columns were not there.
    costs : array-like of shape (n_features,) or mapping of name to cost, default=None
        What each feature costs; the cheapest sufficient subset is sought. A
        feature that a mapping does not name costs 1, and so does every one by
        default.
    feature_groups : list of lists of int or str, or None, default=None
        Features that enter together, or not at all, and cost once, as much as
        the dearest of them: the columns of one category, or a panel of
        measurements that is bought as a whole.
    at_most : list of (int, list of int or str), or None, default=None
        Of these features, at most this many may be selected; a group counts
        as one.
    any_of : list of lists of int or str, or None, default=None
        Of each of these lists of features, one at least must be selected.
    tolerance : float or "cv", default=0.0
        The fraction of the pairs of rows of different class that may stay
        unseparated: noise, contradictory rows included. ``"cv"`` takes the
        largest that predicts, in five-fold cross-validation, as well as the
        best, up to one standard error.
    criterion : {"pairs", "chance"}, default="pairs"
        Of what the tolerance is a fraction. ``"pairs"``: of all pairs of rows
        of different class. Any few columns that divide the rows evenly
        separate most of these, whatever the classes are. ``"chance"``: of the
        pairs that would stay unseparated if the classes were assigned at
        random among the rows, given how many rows agree on the selected
        features. Then a feature counts only by what it knows of the classes,
        alone or with others: 1 minus the tolerance is the share of their
        disagreement to be explained. Rows must be in memory, and neither a
        margin nor ``missing="cautious"`` is possible.
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
        Seconds. When they are over, the answer is the best sufficient subset
        so far, with a true lower bound. By default there is no limit.
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
    support_ : ndarray of bool, shape (n_features,)
        The mask of the selected features.
    cost_ : float
        The total cost of the selected features: their number, without ``costs``.
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
        ``cost``, ``lower_bound``, ``n_nodes`` and ``n_conflicts`` after every limit searched.
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
    Focus2 : FOCUS-2 as the paper has it, which lists all conflicts.
    WeightedGreedy : A small subset without a proof, where this takes too long.
    ReliefThenCover : The fewest of the features that ReliefF finds relevant.
    fewest.cover.sufficiency : Whether a given subset is sufficient.

    Notes
    -----
    The fitted selector has the training rows, as small integers, for `core`
    and `minimum_subsets`; `forget_rows` drops them, and a pickle has none.

    References
    ----------
    Almuallim, H. and Dietterich, T. G. (1994). Learning Boolean concepts in the presence of many irrelevant features.
    Artificial Intelligence 69, 279-305.

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

    Features that are bought together cost once:

    >>> MinFeatures(costs=[5, 1, 3], feature_groups=[[0, 2]]).fit(X, y).cost_
    5

    A fifth of the labels is wrong. Corrected for chance, the tolerance is met by the exclusive or and not by noise:

    >>> X = np.random.default_rng(0).integers(0, 2, (400, 30))
    >>> noise = np.random.default_rng(1).random(400) < 0.2
    >>> selector = MinFeatures(tolerance="cv", criterion="chance").fit(X, X[:, 7] ^ X[:, 20] ^ noise)
    >>> selector.get_support(indices=True), selector.is_optimal_
    (array([ 7, 20]), True)
    """

    _options = MinFeaturesOptions

    def __init__(
        self,
        *,
        include=MinFeaturesOptions.include,
        exclude=MinFeaturesOptions.exclude,
        costs=MinFeaturesOptions.costs,
        feature_groups=MinFeaturesOptions.feature_groups,
        at_most=MinFeaturesOptions.at_most,
        any_of=MinFeaturesOptions.any_of,
        tolerance=MinFeaturesOptions.tolerance,
        criterion=MinFeaturesOptions.criterion,
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
        self.feature_groups = feature_groups
        self.at_most = at_most
        self.any_of = any_of
        self.criterion = criterion
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
        self._fitted_time_limit = self.time_limit
        self._is_corrected = selection.sample.is_tolerant and selection.sample.criterion == CHANCE
        self._certificate: dict | None = None

    def __getstate__(self):
        """Return what is pickled: without the training rows, unless they are to be kept and are in memory."""
        state = dict(super().__getstate__())
        if (search := state.get("_search")) is not None:
            state["_certificate"] = None if self._is_corrected else self._made_certificate()
            if not self.keep_rows or not isinstance(search.sample, Sample):
                state["_search"] = None
        return state

    def forget_rows(self) -> Self:
        """Drop the training rows, which only `core` and `minimum_subsets` still need.

        Returns
        -------
        Self
            The selector, still fitted, with its certificate.
        """
        check_is_fitted(self)
        self._certificate = None if self._is_corrected else self._made_certificate()
        self._search = None
        return self

    def minimum_subsets(self, most: int | None = None, *, time_limit: float | None = None) -> Iterator[tuple[int, ...]]:
        """List sufficient subsets of the least cost, lazily.

        Parameters
        ----------
        most : int, optional
            Yield at most this many; all of them by default.
        time_limit : float, optional
            Seconds. A listing that is cut short ends with a `StoppedEarlyWarning`.

        Returns
        -------
        iterator of tuple of int
            The positions of the features of each subset, ascending.
        """
        search = self._proven("minimum_subsets()")
        return islice(search.minimum_subsets(Budget(time_limit), on_interrupt=self.on_interrupt), most)

    def minimal_subsets(self, most: int | None = None, *, time_limit: float | None = None) -> Iterator[tuple[int, ...]]:
        """List the sufficient subsets from which no feature can be left out, lazily; the smallest are among them.

        Parameters
        ----------
        most : int, optional
            Yield at most this many; all of them by default, and there may be very many.
        time_limit : float, optional
            Seconds. A listing that is cut short ends with a `StoppedEarlyWarning`.

        Returns
        -------
        iterator of tuple of int
            The positions of the features of each subset, ascending. What ``include`` asks for is in each.
        """
        search = self._proven("minimal_subsets()")
        return islice(search.minimal_subsets(Budget(time_limit), on_interrupt=self.on_interrupt), most)

    def substitutes(self) -> dict[int, tuple[int, ...]]:
        """Return which other features could stand in the place of each selected one, alone.

        Returns
        -------
        dict
            By the position of every selected feature, the positions of the features that do as well beside the others.
        """
        return self._proven("substitutes()").substitutes()

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
        """Return what a sceptic needs to check the lower bound: the pairs of rows that force it, and why they do.

        Returns
        -------
        dict
            Plain data about what was fitted, as `save_certificate` writes it.
        """
        check_is_fitted(self)
        certificate = self._made_certificate()
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

    def _made_certificate(self) -> dict:
        """Return the certificate of what was fitted, made when it is first asked for."""
        from fewest.cover.certificate import make_certificate

        if self._is_corrected:
            raise NotProvenError.from_chance()
        if self._certificate is None:
            assert self._search is not None, "rows are forgotten once the certificate is made"
            names = list(map(str, getattr(self, "feature_names_in_", [f"x{j}" for j in range(self.n_features_in_)])))
            excluded = [names[j] for j in self._fitted_exclude]
            self._certificate = make_certificate(
                self._search,
                names,
                missing=self._fitted_missing,
                exclude=excluded,
                budget=Budget(self._fitted_time_limit),
            )
        return self._certificate

    def _proven(self, question: str) -> MinFeaturesSearch:
        check_is_fitted(self)
        if not self.is_optimal_:
            raise NotProvenError.from_bounds(self.cost_, self.lower_bound_)
        if self._search is None:
            raise ForgottenRowsError.from_question(question)
        return self._search
