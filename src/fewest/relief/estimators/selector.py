"""What Relief, ReliefF and RReliefF share as scikit-learn selectors: validate, rank, store."""

from __future__ import annotations

import warnings
from typing import ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_array, check_consistent_length, column_or_1d, validate_data

from fewest.blocks.scan import Scan
from fewest.estimators.input import (
    AnyColumnsMixin,
    KeepsFeatures,
    as_frame,
    as_scan,
    checked_weights,
    is_frame,
    refuse_empty_table,
    refuse_regression_target,
    remember_columns,
)
from fewest.estimators.options import options_of
from fewest.exceptions import FewSelectedWarning, ParameterError
from fewest.relief.options import RelevanceOptions
from fewest.relief.relief import Ranking, RunningRelevance, refine_ranking
from fewest.relief.rows import ArrayRows, RowSource, SparseRows
from fewest.table import Kind, Table, from_array, from_frame

# What relevance is measured by: these cannot change between calls of partial_fit.
MEASURING = ("n_neighbors", "neighborhood", "ties", "identical", "metric", "missing")


class RelevanceSelector(KeepsFeatures, AnyColumnsMixin, BaseEstimator):
    """A selector that gives every feature a relevance; the options of a subclass are its method."""

    _options: ClassVar[type[RelevanceOptions]]
    _running: RunningRelevance
    classes_: np.ndarray
    _batch_classes: np.ndarray
    _announced: np.ndarray | None
    _none_is_an_answer = False

    def _fit(self, X, y, sample_weight=None, *, classes=None, reset: bool = True) -> Self:
        """Sample rows of ``X``, and select features by all rows that have been sampled."""
        options = options_of(self, self._options)
        if not reset:
            self._refuse_another_measure(options)
        if (scanned := as_scan(X, y)) is not None:
            features, y, weights = self._validated_scan(scanned, options, reset=reset), None, None
        else:
            features, y, weights = self._validated_rows(X, y, sample_weight, options, reset=reset)
        if not options.is_regression:
            self._join_classes(classes, reset=reset)
        if reset:
            seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
            running = RunningRelevance(options, seed)
        else:
            running = self._running
            running.options = options
        self._store(refine_ranking(running, features, y, weights))
        self._running, self._categorical = running, repr(self.categorical_features)
        self._warn_of_few(options)
        return self

    def _refuse_another_measure(self, options: RelevanceOptions) -> None:
        """Raise if relevance was measured otherwise so far: two ways to measure it have no mean."""
        before = self._running.options
        changed = [name for name in MEASURING if getattr(before, name) != getattr(options, name)]
        if self._categorical != repr(self.categorical_features):
            changed.append("categorical_features")
        if changed:
            raise ParameterError(
                f"{', '.join(changed)} changed since rows were first sampled, so that what was measured then and what "
                "would be measured now have no common mean. Set it back, or call fit to start over."
            )

    def _join_classes(self, classes, *, reset: bool) -> None:
        """Keep every class ever seen or announced; raise for a row of a class that was not announced."""
        seen = self._batch_classes
        if classes is not None:
            classes = np.unique(column_or_1d(classes))
            if not reset and self._announced is not None and not np.array_equal(classes, self._announced):
                raise ParameterError(
                    f"classes={classes.tolist()} differ from those of the first call, {self._announced.tolist()}. "
                    "Give the same, or call fit to start over."
                )
        announced = classes if reset or classes is not None else self._announced
        if announced is not None and not np.isin(seen, announced).all():
            others = np.setdiff1d(seen, announced).tolist()
            raise ParameterError(f"y has classes that classes=... does not list: {others}. List every class.")
        known = seen if reset else np.union1d(self.classes_, seen)
        self.classes_ = known if announced is None else np.union1d(known, announced)
        self._announced = announced

    def _warn_of_few(self, options: RelevanceOptions) -> None:
        n_relevant = int((self.scores_ >= self.threshold_).sum())
        if options.n_features_to_select is None and n_relevant < options.min_features_to_select:
            warnings.warn(FewSelectedWarning.from_counts(n_relevant, int(self.support_.sum())), stacklevel=4)

    def _validated_scan(self, scanned: Scan, options: RelevanceOptions, *, reset: bool):
        """Return rows in blocks with their target, and note their classes."""
        if self.categorical_features is not None:
            raise ParameterError("A scan has typed columns. Give it kinds={...} instead of categorical_features.")
        store = scanned.regression_store if options.is_regression else scanned.numeric_store
        if reset:
            remember_columns(self, scanned)
        if not options.is_regression:
            self._batch_classes = np.array(store.labels)
        return store

    def _validated_rows(self, X, y, sample_weight, options: RelevanceOptions, *, reset: bool):
        """Check features, target and weights; return rows in memory, their target, and weights, those of 0 left out.

        The classes are noted for `_join_classes`.

        Numeric columns are compared by distance, Boolean and nominal ones for equality; ``categorical_features``
        lists columns whose numbers are codes of categories.
        """
        rows, y = self._typed_rows(X, y, reset=reset)
        if options.is_regression:
            y = _as_floats(y)
        else:
            refuse_regression_target(y)
        weights = checked_weights(sample_weight, len(y))
        if weights is not None:
            kept = np.flatnonzero(weights)
            rows = rows.take(kept) if isinstance(rows, Table) else rows[kept]
            y, weights = y[kept], weights[kept]
        if not options.is_regression:
            self._batch_classes, y = np.unique(y, return_inverse=True)
        return _row_source(rows), y, weights

    def _typed_rows(self, X, y, *, reset: bool):
        """Return a table, an array or a sparse matrix, and the target."""
        X, categorical = as_frame(X), self.categorical_features
        if is_frame(X):
            table = _typed_frame(X, categorical)
            validate_data(self, X, y, reset=reset, skip_check_array=True)
            refuse_empty_table(self, table)
            y = column_or_1d(check_array(y, ensure_2d=False, dtype=None), warn=True)
            check_consistent_length(X, y)
            return table, y
        if isinstance(X, list | tuple) and np.asarray(X).dtype.kind == "U":
            X = np.array(X, dtype=object)  # NumPy would turn the numbers among the texts into texts
        X, y = validate_data(self, X, y, reset=reset, dtype=None, accept_sparse="csr", ensure_all_finite="allow-nan")
        if categorical is None and (hasattr(X, "tocsr") or (X.dtype.kind in "biuf" and X.dtype.itemsize <= 8)):
            return X, y
        return from_array(X.toarray() if hasattr(X, "tocsr") else X, categorical=categorical), y

    def _store(self, ranking: Ranking) -> None:
        self.scores_ = ranking.scores
        self.standard_errors_ = ranking.standard_errors
        self.n_sampled_ = ranking.n_sampled
        self.history_ = list(ranking.history)
        self.selection_order_ = ranking.order
        self.threshold_ = ranking.threshold
        self.pvalues_ = ranking.pvalues
        self.null_scores_ = ranking.null_scores
        self.support_ = ranking.support


def _typed_frame(X, categorical) -> Table:
    if categorical is None:
        return from_frame(X)
    names = [str(name) for name in X.columns]
    listed = np.asarray(categorical)
    if listed.dtype == bool and len(listed) != len(names):
        raise ParameterError(f"The mask categorical_features=... has {len(listed)} entries for {len(names)} columns.")
    chosen = [names[j] for j in np.flatnonzero(listed)] if listed.dtype == bool else categorical
    return from_frame(X, kinds={c if isinstance(c, str) else names[c]: Kind.NOMINAL for c in chosen})


def _row_source(rows) -> Table | RowSource:
    if isinstance(rows, Table):
        return rows
    return SparseRows(rows) if hasattr(rows, "tocsr") else ArrayRows(rows)


def _as_floats(y) -> np.ndarray:
    try:
        return np.asarray(y, dtype=np.float64)
    except ValueError:
        raise ParameterError("The target is not numeric, so there is no regression. Use ReliefF for classes.") from None
