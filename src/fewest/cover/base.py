"""The selectors' common ground: validate, search, store."""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_scalar

from fewest.blocks.scan import Scan
from fewest.budget import Budget
from fewest.cover.answer import Answer, as_mask, needed_for
from fewest.cover.blocks.sample import AnySample, StreamedSample
from fewest.cover.cross_validated_tolerance import check_tolerance, cross_validated_tolerance
from fewest.cover.findings import (
    CONTRADICTION_RULES,
    report_contradictions,
    report_stop,
)
from fewest.cover.margins import columns_with_margin
from fewest.cover.sample import Sample
from fewest.estimators.input import AnyColumnsMixin, as_scan, remember_columns, validated_examples
from fewest.estimators.selector import KeepsFeatures
from fewest.exceptions import ParameterError
from fewest.table import Table
from fewest.table.identifiers import report_identifiers, warn_of_identifiers


class FewestFeatures(KeepsFeatures, AnyColumnsMixin, BaseEstimator):
    """A selector of the fewest features that tell the classes apart; a subclass says how it searches."""

    def __init__(
        self, *, tolerance=0.0, margin=None, missing="value", on_contradiction="warn", time_limit=None, verbose=False
    ):
        self.tolerance = tolerance
        self.margin = margin
        self.missing = missing
        self.on_contradiction = on_contradiction
        self.time_limit = time_limit
        self.verbose = verbose

    @abstractmethod
    def _search(self, sample: Sample, budget: Budget) -> Answer:
        """Find a smallest sufficient subset."""

    def _search_blocks(self, sample: StreamedSample, budget: Budget) -> Answer:  # noqa: ARG002 (for those that can)
        """Find the same in examples that come in blocks."""
        raise ParameterError.from_blocks(type(self).__name__)

    def fit(self, X, y=None):
        """Find the fewest features of ``X`` on which no two rows of different class agree.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features), or Scan
            Values are compared for equality only: names, numbers and Booleans alike. What `scan` returns may be
            larger than memory, for `MinFeatures`, `SimpleGreedy` and `MutualInformationGreedy`.
        y : array-like of shape (n_samples,)
            Classes. A scan has them.

        Returns
        -------
        self
        """
        self._check_parameters()
        if (scanned := as_scan(X, y)) is not None:
            return self._fit_blocks(scanned)
        table, y = validated_examples(self, X, y)
        self.classes_, classes = np.unique(y, return_inverse=True)
        report_identifiers(table, apart=columns_with_margin(table, self.margin))
        sample = self._sample(table, classes)
        with _shown_progress(self.verbose) as on_progress:
            budget = Budget(self.time_limit, on_progress)
            sample = self._tolerating(sample, budget)
            report_contradictions(sample, self.classes_, self.on_contradiction)
            answer = self._search(sample, budget)
        report_stop(answer)
        self._store(answer, sample)
        return self

    def _fit_blocks(self, scanned: Scan):
        """Do the same where the rows are in blocks."""
        if self.tolerance == "cv" or self.margin is not None or self.missing != "value":
            raise ParameterError.from_blocks("tolerance='cv', a margin or missing='cautious'")
        self.tolerance_ = float(self.tolerance)
        sample = replace(self._sample_of_blocks(scanned), tolerance=self.tolerance_)
        remember_columns(self, scanned)
        self.classes_ = np.array(scanned.store.labels)
        warn_of_identifiers(scanned.identifiers())
        with _shown_progress(self.verbose) as on_progress:
            answer = self._search_blocks(sample, Budget(self.time_limit, on_progress))
        report_stop(answer)
        sample.settle(answer.subset)
        report_contradictions(sample, self.classes_, self.on_contradiction, scanned.store.row_number)
        self._store(answer, sample)
        return self

    def _sample_of_blocks(self, scanned: Scan) -> StreamedSample:
        return StreamedSample(scanned.store)

    def _sample(self, table: Table, classes: np.ndarray) -> Sample:
        """Encode the examples."""
        return Sample.from_table(table, classes, self.missing, self.margin)

    def _tolerating(self, sample: Sample, budget: Budget) -> Sample:
        """Return the sample with the tolerance, which cross-validation may have to find."""
        if self.tolerance != "cv":
            self.tolerance_ = float(self.tolerance)
            return replace(sample, tolerance=self.tolerance_)
        validated = cross_validated_tolerance(sample, self._search, budget)
        self.tolerance_, self.tolerance_scores_ = validated.tolerance, list(validated.scores)
        return replace(sample, tolerance=self.tolerance_)

    def _check_parameters(self) -> None:
        if self.on_contradiction not in CONTRADICTION_RULES:
            raise ParameterError.from_choice("on_contradiction", self.on_contradiction, CONTRADICTION_RULES)
        check_tolerance(self.tolerance)
        if self.time_limit is not None:
            check_scalar(self.time_limit, "time_limit", Real, min_val=0)
            if self.time_limit != self.time_limit:
                raise ParameterError("time_limit is NaN. Give a number of seconds, or None for no limit.")

    def _store(self, answer: Answer, sample: AnySample) -> None:
        self.support_ = as_mask(answer.subset, sample.n_features)
        self.n_sufficiency_tests_ = answer.n_sufficiency_tests
        self.history_ = list(answer.history)
        self.lower_bound_ = answer.lower_bound
        self.is_optimal_ = answer.is_optimal
        self.stopped_by_ = answer.stopped_by
        self.n_contradictions_ = sample.n_contradictions
        self.contradiction_ = sample.contradiction
        self.n_uncovered_ = sample.n_uncovered(answer.subset) if sample.is_tolerant else sample.n_contradictions
        self.witnesses_ = needed_for(sample, answer.subset)


@contextmanager
def _shown_progress(verbose: bool) -> Iterator[Callable[[str], None] | None]:
    """Rewrite one line of standard error while the search goes on."""
    if not verbose:
        yield None
        return
    yield lambda status: print(f"\r{status:<110}", end="", file=sys.stderr, flush=True)  # noqa: T201 (asked for)
    print(file=sys.stderr)  # noqa: T201 (asked for)
