"""What the selectors of the fewest features share: validate, select, store."""

from __future__ import annotations

from typing import Self

import numpy as np
from sklearn.base import BaseEstimator

from fewest.budget import printed_progress
from fewest.cover.options import CoverOptions
from fewest.cover.select import Selection, select_features
from fewest.estimators.input import (
    AnyColumnsMixin,
    KeepsFeatures,
    as_scan,
    remember_columns,
    validated_examples,
    without_weights,
)
from fewest.estimators.options import RAISE, fitted_unless_interrupted, options_of
from fewest.table import Column, Kind


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

    @without_weights("two rows of different class must differ whatever they weigh", "Leave it out.")
    def fit(self, X, y=None) -> Self:
        """Find the fewest features of ``X`` on which no two rows of different class agree.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features), or Scan
            Values are compared for equality only: nominal, numeric and Boolean ones alike. What `scan` returns may be
            larger than memory, for `MinFeatures`, `SimpleGreedy` and `MutualInformationGreedy`.
        y : array-like of shape (n_samples,), default=None
            Classes. A scan has them.

        Returns
        -------
        Self
            The fitted selector.
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
