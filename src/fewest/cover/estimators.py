"""MinFeatures: the provably smallest sufficient subset, as a scikit-learn selector."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
from sklearn.utils.validation import check_is_fitted

from fewest.blocks.scan import Scan
from fewest.budget import Budget
from fewest.cover.answer import Answer
from fewest.cover.base import FewestFeatures
from fewest.cover.blocks.sample import AnySample, StreamedSample
from fewest.cover.certificate import make_certificate, save_certificate
from fewest.cover.min_features import MinFeaturesSearch
from fewest.cover.sample import Sample
from fewest.exceptions import NotProvenError, ParameterError
from fewest.table import Table
from fewest.table.requests import costs_by_position, positions


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
    forbid : iterable of int or str
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
        *being missing* may be what tells two rows apart. ``"cautious"``: a
        missing value never separates anything, so that the answer holds
        whatever the values turn out to be.
    on_contradiction : {"warn", "raise"}, default="warn"
        What to do about rows that no feature separates though their classes
        differ. ``"warn"``: separate every pair that can be separated.
    time_limit : float, optional
        Seconds. When they are over, or at Ctrl-C, the answer is the best
        sufficient subset so far, with a true lower bound.
    verbose : bool, default=False
        Show progress on standard error.

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
    The fitted selector keeps the training rows, as small integers, to list
    further subsets.

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

    def __init__(
        self,
        *,
        include=(),
        forbid=(),
        costs=None,
        tolerance=0.0,
        margin=None,
        missing="value",
        on_contradiction="warn",
        time_limit=None,
        verbose=False,
    ):
        super().__init__(
            tolerance=tolerance,
            margin=margin,
            missing=missing,
            on_contradiction=on_contradiction,
            time_limit=time_limit,
            verbose=verbose,
        )
        self.include = include
        self.forbid = forbid
        self.costs = costs

    def _sample(self, table: Table, classes: np.ndarray) -> Sample:
        self._read_requests(table)
        return super()._sample(table, classes).without(self._forbidden)

    def _sample_of_blocks(self, scanned: Scan) -> StreamedSample:
        self._read_requests(scanned.header())
        return StreamedSample(scanned.store, tuple(self._forbidden))

    def _read_requests(self, table: Table) -> None:
        self._included = positions(table, self.include)
        self._forbidden = positions(table, self.forbid)
        if set(self._included) & set(self._forbidden):
            raise ParameterError("Some features are both in include and in forbid. Decide for one.")
        self._costs = costs_by_position(table, self.costs)

    def _search(self, sample: AnySample, budget: Budget) -> Answer:
        self._searched = MinFeaturesSearch(sample, self._costs, self._included)
        return self._searched.run(budget)

    def _search_blocks(self, sample: StreamedSample, budget: Budget) -> Answer:
        return self._search(sample, budget)

    def _store(self, answer: Answer, sample: AnySample) -> None:
        super()._store(answer, sample)
        self.cost_ = answer.cost
        self.gap_ = answer.gap
        self.n_conflicts_ = self._searched.n_conflicts
        self.n_nodes_ = self._searched.n_nodes

    def minimum_subsets(self, most: int | None = None, *, time_limit: float | None = None) -> Iterator[tuple[int, ...]]:
        """Yield sufficient subsets of the least cost, lazily: all of them, or at most ``most``."""
        return islice(self._proven().minimum_subsets(Budget(time_limit)), most)

    def core(self, *, time_limit: float | None = None) -> tuple[int, ...]:
        """Return the features that are in every sufficient subset of the least cost."""
        return self._proven().core(Budget(time_limit))

    def certificate(self) -> dict:
        """Return what a sceptic needs to check the lower bound: the pairs of rows that force it."""
        check_is_fitted(self)
        names = list(map(str, getattr(self, "feature_names_in_", [f"x{j}" for j in range(self.n_features_in_)])))
        forbidden = [names[j] for j in self._forbidden]
        return make_certificate(self._searched, names, missing=self.missing, forbid=forbidden)

    def save_certificate(self, path: str | Path) -> None:
        """Write the certificate as JSON, for ``fewest verify``."""
        save_certificate(self.certificate(), path)

    def _proven(self) -> MinFeaturesSearch:
        check_is_fitted(self)
        if not self.is_optimal_:
            raise NotProvenError.from_bounds(self.cost_, self.lower_bound_)
        return self._searched
