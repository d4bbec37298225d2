"""The common ground of selectors by relevance: validate, draw, add up, choose."""

from __future__ import annotations

from abc import abstractmethod
from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state, check_scalar

from fewest.blocks.scan import Scan
from fewest.blocks.threads import n_workers
from fewest.estimators.input import AnyColumnsMixin, as_scan, remember_columns
from fewest.estimators.selector import KeepsFeatures
from fewest.exceptions import ParameterError, TooLargeError
from fewest.relief.blocks.arrays import array_store, is_large
from fewest.relief.blocks.passes import relief_over_blocks
from fewest.relief.input import validated_rows
from fewest.relief.relevance import Relevance
from fewest.relief.relief import Drawing, Neighbourhood, RelevanceSearch
from fewest.relief.rows import Source
from fewest.relief.threshold import AUTO, INTERVAL, chosen, thresholds

TIES, IDENTICAL = ("random", "average"), ("skip", "count")


class RelevanceSelector(KeepsFeatures, AnyColumnsMixin, BaseEstimator):
    """A selector that gives every feature a relevance; a subclass says how."""

    _is_regression = False
    _none_is_an_answer = False

    @abstractmethod
    def _neighbourhood(self) -> Neighbourhood:
        """Say who is a neighbour."""

    def _fitted(self, X, y, sample_weight, *, is_first: bool):
        """Draw rows of ``X``, and choose features by all that have been drawn."""
        self._check_parameters(sample_weight)
        if (scanned := as_scan(X, y)) is not None:
            return self._fitted_to_blocks(scanned, is_first=is_first)
        source, y, weights = validated_rows(self, X, y, sample_weight, reset=is_first, is_quantity=self._is_regression)
        self._check_n_features()
        if is_first:
            self._start()
        if not self._is_regression:
            self.classes_, y = np.unique(y, return_inverse=True)
        self._store(self._relevance(source, y, weights))
        return self

    def _relevance(self, source: Source, y: np.ndarray, weights: np.ndarray | None) -> Relevance:
        """Search among rows in memory, without a copy of all if they are many."""
        if weights is None and is_large(source, self.n_samples):
            labels = () if self._is_regression else self.classes_
            try:
                return relief_over_blocks(self._search, array_store(source.array, y, labels, self.n_jobs))
            except TooLargeError:  # of rows that tie; nothing has been added up yet
                pass
        run = self._search.regress if self._is_regression else self._search.classify
        return run(source, y, weights)

    def _start(self) -> None:
        seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        drawing = Drawing(self.n_samples, bool(self.replace), seed)
        self._search = RelevanceSearch(drawing, self._neighbourhood(), self.n_jobs)

    def _fitted_to_blocks(self, scanned: Scan, *, is_first: bool):
        """Do the same where the rows are in blocks."""
        if self.categorical_features is not None:
            raise ParameterError(
                "A scan knows what its columns are. Give it kinds={...} instead of categorical_features."
            )
        store = scanned.regression_store if self._is_regression else scanned.numeric_store
        if is_first:
            remember_columns(self, scanned)
            self._start()
        self._check_n_features()
        if not self._is_regression:
            self.classes_ = np.array(store.labels)
        self._store(relief_over_blocks(self._search, store))
        return self

    def _check_parameters(self, sample_weight) -> None:
        if self.n_features is not None:
            check_scalar(self.n_features, "n_features", Integral, min_val=1)
        if self.n_samples is not None:
            check_scalar(self.n_samples, "n_samples", Integral, min_val=1)
        check_scalar(self.alpha, "alpha", Real, min_val=0, max_val=1, include_boundaries="neither")
        if isinstance(self.threshold, str):
            known = (INTERVAL,) if self._is_regression else (INTERVAL, AUTO)
            if self.threshold not in known:
                raise ParameterError.from_choice("threshold", self.threshold, (*known, "a number"))
        else:
            check_scalar(self.threshold, "threshold", Real)
            if self.threshold != self.threshold:
                raise ParameterError("threshold is NaN, which no relevance reaches. Give a number, or 'interval'.")
        n_workers(self.n_jobs)  # raises, where that means nothing
        rule = self._neighbourhood()
        check_scalar(rule.n_neighbors, "n_neighbors", Integral, min_val=1)
        if rule.ties not in TIES:
            raise ParameterError.from_choice("ties", rule.ties, TIES)
        if rule.identical not in IDENTICAL:
            raise ParameterError.from_choice("identical", rule.identical, IDENTICAL)
        if sample_weight is not None and rule.ties == "random":
            raise ParameterError("Rows of unequal weight cannot draw lots. Use ties='average' with sample_weight.")

    def _check_n_features(self) -> None:
        if self.n_features is not None and self.n_features > self.n_features_in_:
            raise ParameterError(
                f"n_features={self.n_features} are more than the data's {self.n_features_in_}. Ask for fewer."
            )

    def _store(self, relevance: Relevance) -> None:
        self.scores_ = relevance.scores
        self.standard_errors_ = relevance.standard_errors
        self.n_samples_ = relevance.n_drawn
        self.history_ = list(self._search.history)
        self.selection_order_ = np.argsort(-relevance.scores, kind="stable")
        if self.n_features is None:
            self.threshold_ = thresholds(self.threshold, self.alpha, relevance)
        else:
            self.threshold_ = float(relevance.scores[self.selection_order_[self.n_features - 1]])
        self.support_ = chosen(relevance, self.threshold_, self.n_features)
