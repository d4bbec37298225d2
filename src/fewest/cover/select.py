"""From a table to the fewest features: encode, warn, tolerate, search, in memory or in blocks.

Free of scikit-learn: the estimators store what `select_features` returns, the commands print it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.blocks.scan import Scan
from fewest.budget import TIME_LIMIT, Budget
from fewest.cover.choices import Choices
from fewest.cover.examples import Answer, Examples, RowPair
from fewest.cover.margins import columns_with_margin
from fewest.cover.options import CHANCE, CROSS_VALIDATED, CoverOptions, Focus2Options, Method, MinFeaturesOptions
from fewest.cover.sample import Sample
from fewest.exceptions import (
    ConflictingRowsError,
    ConflictingRowsWarning,
    ParameterError,
    StoppedEarlyWarning,
    contradiction_fact,
)
from fewest.screening.distinct_values import warn_of_distinct_values
from fewest.table import Column, Table
from fewest.table.requests import costs_by_position, included_and_excluded

if TYPE_CHECKING:
    from fewest.cover.cross_validated_tolerance import ValidatedTolerance
    from fewest.cover.min_features import MinFeaturesSearch

Progress = AbstractContextManager[Callable[[str], None] | None]
"""What shows the progress of a search while it is entered; it yields a function that takes a short text."""


@dataclass(frozen=True, eq=False)
class Selection:
    """The features that a search selected, and what is known about them.

    Attributes
    ----------
    answer : Answer
    sample : Examples
        The encoded examples.
    budget : Budget
        What is left of the time, for further questions.
    search : MinFeaturesSearch or None
        The search of MinFeatures, which can be asked for more.
    excluded : tuple of int
        The features that were as if they were not there.
    tolerance_scores : tuple of dict
        With ``tolerance="cv"``, how well the features selected with each tolerance predicted, and how many of the
        searches for them the time limit cut short.
    """

    answer: Answer
    sample: Examples
    budget: Budget
    search: MinFeaturesSearch | None = None
    excluded: tuple[int, ...] = ()
    tolerance_scores: tuple[dict[str, float], ...] = ()

    @property
    def subset(self) -> tuple[int, ...]:
        """Return the positions of the selected features, ascending."""
        return self.answer.subset

    @cached_property
    def n_uncovered(self) -> int:
        """Count the pairs of rows of different class that the selected features leave unseparated."""
        return self.sample.n_uncovered(self.subset) if self.sample.is_tolerant else self.sample.n_contradictions

    @cached_property
    def witnesses(self) -> dict[int, RowPair | None]:
        """Return, for each selected feature, two rows of different class that it alone separates."""
        return needed_for(self.sample, self.subset)


def select_features(
    features: Table | Scan,
    classes: Column | None,
    options: CoverOptions,
    progress: Progress | None = None,
) -> Selection:
    """Select the fewest features on which no two rows of different class agree, by the method of the options.

    Warns of columns that identify rows, of rows that nothing separates, and of a search that was stopped. The time
    limit starts when the examples are encoded.

    Parameters
    ----------
    features : Table or Scan
        A scan's rows are in blocks, for the methods that take them.
    classes : Column or None
        The class of every row of a table; a scan has its own.
    options : CoverOptions
    progress : context manager, optional
        Entered for the time of the search.

    Examples
    --------
    >>> from fewest.datasets import load_votes
    >>> from fewest.cover.options import MinFeaturesOptions
    >>> from fewest.table import split_target
    >>> features, classes = split_target(load_votes(), "party")
    >>> len(select_features(features, classes, MinFeaturesOptions(tolerance=0.01)).subset)
    3
    """
    if isinstance(features, Scan):
        if options.needs_memory is not None:
            raise ParameterError.from_blocks(options.needs_memory)
        from fewest.cover.blocks.sample import BlockSample

        header, row_number, labels = features.header(), features.store.row_number, features.store.labels
        included, excluded = _asked_for(header, options)
        warn_of_distinct_values(features.store.features)
        sample: Examples = BlockSample(features.store, excluded)
    else:
        assert classes is not None, "a table does not have its classes"
        header, row_number, labels = features, features.row_number, classes.labels
        included, excluded = _asked_for(header, options)
        warn_of_distinct_values(features, apart=columns_with_margin(features, options.margin))
        sample = Sample.from_table(features, classes.values, options.missing, options.margin).without(excluded)
        if isinstance(options, MinFeaturesOptions):
            sample = replace(sample, criterion=options.criterion)
    choices = None
    if isinstance(options, MinFeaturesOptions):
        choices = Choices.asked_for(header, options, excluded)
    search = _prepared(header, options, included, choices)
    with progress or nullcontext() as on_progress:
        budget = Budget(options.time_limit, on_progress)
        sample, validated = _tolerating(sample, options, _for_folds(header, options, included, search, choices), budget)
        is_known = sample.knows_contradictions
        if is_known:
            report_contradictions(sample, labels, options.on_contradiction, row_number)
        found = search(sample, budget)
    n_stopped = 0 if validated is None else validated.n_stopped
    if n_stopped:
        # What is proven holds for this tolerance, which more time might not have chosen: then fewer may do.
        found = replace(found, answer=replace(found.answer, stopped_by=TIME_LIMIT, lower_bound=0))
    report_stop(found.answer, n_stopped)
    if not is_known:
        sample.settle(found.answer.subset)
        report_contradictions(sample, labels, options.on_contradiction, row_number)
    return Selection(
        found.answer, sample, budget, found.search, excluded, () if validated is None else validated.scores
    )


@dataclass(frozen=True)
class _Found:
    answer: Answer
    search: MinFeaturesSearch | None = None


_Search = Callable[[Any, Budget], _Found]


def _prepared(header: Table, options: CoverOptions, included: Sequence[int], choices: Choices | None) -> _Search:
    """Return the search that the options ask for, names of features turned into positions."""
    if not isinstance(options, MinFeaturesOptions):
        return lambda sample, budget: _Found(search_by(options, sample, budget))
    costs = costs_by_position(header, options.costs)

    def run(sample: Examples, budget: Budget) -> _Found:
        from fewest.cover.min_features import MinFeaturesSearch

        search = MinFeaturesSearch(sample, costs, included, choices)
        return _Found(search.run(budget), search)

    return run


def _asked_for(header: Table, options: CoverOptions) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the positions of the features to include and to exclude."""
    if not isinstance(options, MinFeaturesOptions):
        return (), ()
    included, excluded = included_and_excluded(header, options.include, options.exclude)
    return tuple(included), tuple(excluded)


def search_by(options: CoverOptions, sample: Any, budget: Budget | None = None) -> Answer:
    """Search a sufficient subset of encoded examples by the method of the options; each loads only what it needs."""
    if options.method == Method.MIN_FEATURES:
        from fewest.cover.min_features import MinFeaturesSearch

        return MinFeaturesSearch(sample).run(budget)
    if options.method == Method.FOCUS1:
        from fewest.cover.focus1 import focus1

        return focus1(sample, budget)
    if isinstance(options, Focus2Options):
        from fewest.cover.focus2 import focus2

        return focus2(sample, budget, keep_tree=bool(options.keep_trace), max_memory=options.max_memory)
    if options.method == Method.WG:
        from fewest.cover.weighted_greedy import weighted_greedy

        return weighted_greedy(sample, budget)
    from fewest.cover.greedy import mutual_information_greedy, simple_greedy

    greedy = mutual_information_greedy if options.method == Method.MIG else simple_greedy
    return greedy(sample, budget)


def _for_folds(
    header: Table, options: CoverOptions, included: Sequence[int], search: _Search, choices: Choices | None
) -> Callable[[Any, Budget], Answer]:
    """Return the search that cross-validation judges tolerances by.

    For MinFeatures, that is a quick one without proofs, since a small tolerance of noisy rows may take for ever to
    prove; with a time limit, the search itself, which has its share of the time for every tolerance. Corrected for
    chance, no share would do for a proof of many features, and the quick search serves always.
    """
    if not isinstance(options, MinFeaturesOptions):
        return lambda sample, budget: search(sample, budget).answer
    costs = costs_by_position(header, options.costs)
    quick: list[Any] = []  # one for all folds and tolerances, made once the number of features is known

    def run(sample: Any, budget: Budget) -> Answer:
        from fewest.cover.quick_tolerant import QuickTolerantSearch

        is_timed = budget.seconds_left is not None and sample.criterion != CHANCE
        if not (choices is None or choices.is_plain) or sample.is_pairwise or is_timed:
            return search(sample, budget).answer
        quick[:] = quick or [QuickTolerantSearch(np.ones(sample.n_features) if costs is None else costs, included)]
        return quick[0](sample, budget)

    return run


def _tolerating(
    sample: Any, options: CoverOptions, search: Callable[[Any, Budget], Answer], budget: Budget
) -> tuple[Any, ValidatedTolerance | None]:
    """Return the sample with the tolerance, and, where cross-validation has to find that, how well each tried did."""
    if options.tolerance != CROSS_VALIDATED:
        return replace(sample, tolerance=float(options.tolerance)), None
    from fewest.cover.cross_validated_tolerance import cross_validated_tolerance

    validated = cross_validated_tolerance(sample, search, budget)
    return replace(sample, tolerance=validated.tolerance), validated


def needed_for(sample: Examples, subset: Sequence[int]) -> dict[int, RowPair | None]:
    """Return, for each feature of a sufficient subset, two rows of different class that it alone separates.

    None marks a feature that the subset could do without.
    """
    # Among the features of the subset, a pair that the others leave is one that this feature separates.
    return dict(zip(subset, sample.restricted(subset).witnesses_without_each(), strict=True))


def report_contradictions(
    sample: Examples,
    labels: Sequence | np.ndarray,
    rule: str = "warn",
    row_number: Callable[[int], int] = int,
) -> int:
    """Warn of, or refuse, rows that no feature separates though their classes differ; return the number of pairs.

    ``row_number`` returns the number under which the user knows a row.
    """
    if sample.is_tolerant or sample.contradiction is None:  # within the tolerance, contradictions are noise
        return 0
    i, j = (row_number(row) for row in sample.contradiction)
    shown = tuple(str(labels[sample.class_of(row)]) for row in sample.contradiction)
    fact = contradiction_fact(i, j, shown, sample.n_contradictions, hides_differences=sample.is_pairwise)
    if rule == "raise":
        raise ConflictingRowsError.from_fact(fact)
    limit = f", more than the {sample.n_tolerated:,} that the tolerance allows" if sample.tolerance else ""
    warnings.warn(
        f"{fact} No subset is sufficient for them{limit}; the answer "
        "separates every other pair. Correct or drop such rows if they are mistakes.",
        ConflictingRowsWarning,
        stacklevel=4,
    )
    return sample.n_contradictions


def report_stop(answer: Answer, n_stopped: int = 0) -> None:
    """Warn when a search ended before its proof, or so many of those by which its tolerance was chosen."""
    if answer.stopped_by is None:
        return
    if n_stopped:
        warnings.warn(
            f"The {answer.stopped_by} cut short {n_stopped} of the searches by which the tolerance was chosen. More "
            f"time may choose another one, and other features than these {len(answer.subset)}. "
            f"{StoppedEarlyWarning.BY_CLOCK}",
            StoppedEarlyWarning,
            stacklevel=4,
        )
        return
    known = (
        "It happens to be a smallest one."
        if answer.is_optimal
        else f"A sufficient subset has at least {answer.lower_bound} features; more time may show whether there is one."
    )
    warnings.warn(
        f"Stopped by the {answer.stopped_by} after {answer.n_sufficiency_tests:,} sufficiency tests. The answer of "
        f"{len(answer.subset)} features is sufficient and none of them can be left out. {known} "
        f"{StoppedEarlyWarning.BY_CLOCK}",
        StoppedEarlyWarning,
        stacklevel=4,
    )
