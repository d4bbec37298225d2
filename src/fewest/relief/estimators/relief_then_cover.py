"""Relief first, then a search for the fewest of the relevant features, as one scikit-learn selector."""

from __future__ import annotations

import warnings
from typing import Any, Self

import narwhals.stable.v1 as nw
import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import has_fit_parameter, validate_data

from fewest.estimators.input import AnyColumnsMixin, KeepsFeatures, as_frame, is_frame
from fewest.estimators.options import check_count
from fewest.exceptions import ConflictingRowsWarning, FewSelectedWarning, ParameterError
from fewest.relief.estimators.relieff import ReliefF
from fewest.table.discretize import cut_columns, sensible_cuts
from fewest.table.frames import table_from


class ReliefThenCover(KeepsFeatures, MetaEstimatorMixin, AnyColumnsMixin, BaseEstimator):
    """Keep the fewest of the features that are relevant: Relief first, then a search for a smallest subset.

    Relief keeps every relevant feature, copies included. Kira and Rendell
    (1992), section 6, propose "subsequent exhaustive search over the subsets
    of all the features selected by Relief": it drops those that the others
    make redundant, and is quick, since few are left to search.

    Parameters
    ----------
    ranker : selector, default=None
        What keeps the relevant features; None for `ReliefF` with its defaults.
    selector : selector, default=None
        What finds a small sufficient subset of them: None for `MinFeatures`, which is exact; a greedy one is quicker.
        For None, numeric columns of more than ten values are cut into intervals first: hardly any two rows have the
        same measurement, so that one would separate all. A selector of your own is given the columns as they are.
    min_features_to_select : int, default=1
        Where fewer features are left, because none is relevant or because there is one class, keep that many of the
        most relevant, with a warning. 0 allows none to be kept.

    Attributes
    ----------
    ranker_ : selector
        The fitted ranker.
    selector_ : selector or None
        The fitted selector, which saw the columns of ``relevant_`` only; None when the ranker keeps nothing.
    relevant_ : ndarray of shape (n_relevant,)
        The positions of the features that the ranker kept.
    support_ : ndarray of shape (n_features,)
        Which features are kept, as a Boolean mask.
    n_features_in_ : int
        How many features the data has.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, where the data has string names.

    See Also
    --------
    Relief : Keeps the relevant features, by one neighbor of each kind.
    ReliefF : Keeps the relevant features, by several neighbors of each class.
    MinFeatures : Finds the fewest of them.

    References
    ----------
    Kira, K. and Rendell, L. A. (1992). A practical approach to feature selection. ML-92, 249-256.

    Examples
    --------
    Two features are relevant, and each comes twice:

    >>> import numpy as np
    >>> from fewest import Relief, ReliefThenCover
    >>> X = np.random.default_rng(0).integers(0, 2, (300, 10))
    >>> X[:, 8:] = X[:, :2]
    >>> selector = ReliefThenCover(Relief(threshold=0.1, random_state=0)).fit(X, X[:, 0] ^ X[:, 1])
    >>> selector.relevant_, selector.get_support(indices=True)
    (array([0, 1, 8, 9]), array([0, 1]))
    """

    _none_is_an_answer = False

    def __init__(self, ranker=None, selector=None, *, min_features_to_select=1):
        self.ranker = ranker
        self.selector = selector
        self.min_features_to_select = min_features_to_select

    def fit(self, X: Any, y: Any, **params: Any) -> Self:
        """Find the relevant features, then the fewest of them that separate the classes.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
            Numeric, Boolean and nominal features.
        y : array-like of shape (n_samples,)
            The class of every row.
        **params : dict
            Such as ``sample_weight``. They go to both steps, and are refused where one of these takes none; with
            metadata routing enabled they go to the steps that request them.

        Returns
        -------
        self : object
            The fitted selector.
        """
        check_count("min_features_to_select", self.min_features_to_select, least=0)
        X = as_frame(X)
        validate_data(self, X, y, skip_check_array=True)
        for_ranker, for_selector = self._routed(params)
        self.ranker_ = clone(self._ranker()).fit(X, y, **for_ranker)
        self.relevant_ = self.ranker_.get_support(indices=True)
        self.support_ = np.zeros(len(self.ranker_.get_support()), dtype=bool)
        if self.min_features_to_select > len(self.support_):
            raise ParameterError.from_too_many(
                "min_features_to_select", self.min_features_to_select, len(self.support_)
            )
        self.selector_ = None
        if len(self.relevant_):
            self.selector_ = clone(self._selector())
            relevant = _columns(X, self.relevant_)
            seen = relevant if self.selector is not None else _cut(relevant, y)
            with warnings.catch_warnings():
                if seen is not relevant:  # rows that only the cutting makes alike are no contradiction
                    warnings.simplefilter("ignore", ConflictingRowsWarning)
                self.selector_.fit(seen, y, **for_selector)
            self.support_[self.relevant_[self.selector_.get_support()]] = True
        self._keep_enough()
        return self

    def _keep_enough(self) -> None:
        """Add the most relevant features where too few are left."""
        n_kept, least = int(self.support_.sum()), self.min_features_to_select
        if n_kept >= least:
            return
        order = [f for f in most_relevant_first(self.ranker_) if not self.support_[f]]
        self.support_[order[: least - n_kept]] = True
        warnings.warn(FewSelectedWarning.from_counts(n_kept, least), stacklevel=3)

    def _routed(self, params: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what goes to the ranker and what to the selector."""
        if get_config().get("enable_metadata_routing"):
            routed = process_routing(self, "fit", **params)
            return routed.ranker.fit, routed.selector.fit
        given = {name: value for name, value in params.items() if value is not None}
        for step in (self._ranker(), self._selector()):
            for name in given:
                if not has_fit_parameter(step, name):
                    raise ParameterError(
                        f"{type(step).__name__} takes no {name}, which would be ignored there. Leave it out, or enable "
                        "scikit-learn's metadata routing and let the step that takes it request it: "
                        f"ReliefF().set_fit_request({name}=True)."
                    )
        return given, given

    def _ranker(self) -> Any:
        return ReliefF(min_features_to_select=0) if self.ranker is None else self.ranker

    def _selector(self) -> Any:
        return _exact_cover() if self.selector is None else self.selector

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which step is given which metadata.

        Returns
        -------
        routing : MetadataRouter
            What `fit` passes on to the ``fit`` of both steps.
        """
        fit = MethodMapping().add(caller="fit", callee="fit")
        router = MetadataRouter(owner=type(self).__name__)
        return router.add(ranker=self._ranker(), selector=self._selector(), method_mapping=fit)


def most_relevant_first(ranker: Any) -> list[int]:
    """Return all features, the most relevant first: by its own order, by scores, or as they are."""
    if hasattr(ranker, "selection_order_") and len(ranker.selection_order_) == len(ranker.get_support()):
        return np.asarray(ranker.selection_order_).tolist()
    scores = getattr(ranker, "scores_", ranker.get_support())
    return np.argsort(-np.nan_to_num(np.asarray(scores, dtype=float)), kind="stable").tolist()


def _exact_cover():
    from fewest.cover.estimators import MinFeatures  # most who use Relief search no cover

    return MinFeatures()


def _cut(X, y):
    """Return columns with those of many numeric values cut into intervals; the same where there are none."""
    table = table_from(X)
    cuts = sensible_cuts(table, np.unique(np.asarray(y), return_inverse=True)[1])
    return cut_columns(table, cuts) if cuts else X


def _columns(X, positions: np.ndarray):
    if is_frame(X):
        return nw.from_native(X)[:, positions.tolist()].to_native()
    if hasattr(X, "tocsc"):
        return X.tocsc()[:, positions]
    return (X if hasattr(X, "shape") and hasattr(X, "dtype") else np.asarray(X, dtype=object))[:, positions]
