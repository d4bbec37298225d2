"""The search of ``fewest select``, and what can be asked of its answer: other subsets, chance, unseen rows."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from fewest.cli.output import progress
from fewest.exceptions import ConflictingRowsWarning, ParameterError

if TYPE_CHECKING:
    import numpy as np

    from fewest.blocks.scan import Scan
    from fewest.budget import Budget
    from fewest.cli.intervals import Intervals
    from fewest.comparison.folds import Fold
    from fewest.cover.examples import Answer
    from fewest.cover.options import CoverOptions
    from fewest.cover.select import Selection
    from fewest.table import Column, Table
    from fewest.table.discretize import Cuts

# Smallest subsets that are compared by what they predict, where the proof took no more nodes than this.
MOST_NODES = 100_000
# What is selected again five times; more takes longer than people wait for a remark.
MOST_CELLS = 20_000_000
# The share of unseparated pairs from which on classes overlap, and that of the features from which on keeping them is
# no selection.
NOISY, NEARLY_ALL = 0.001, 0.9


@dataclass(frozen=True)
class Outcome:
    """A selection, the columns it is about, the other subsets of the least cost, and how well each predicts."""

    features: Table
    classes: Column
    selection: Selection
    subsets: list[tuple[int, ...]] | None = None
    core: tuple[int, ...] | None = None
    scores: list[float] | None = None
    is_listed: bool = False  # whether the subsets were asked for

    @property
    def answer(self) -> Answer:
        """Return the answer of the search."""
        return self.selection.answer


def search(
    features: Table,
    classes: Column,
    options: CoverOptions,
    scanned: Scan | None = None,
    most: int | None = None,
    core: bool = False,
    *,
    cuts: Cuts | None = None,
    folds: Sequence[Fold] | None = None,
) -> Outcome:
    """Select features, of a table or of rows in blocks; of several smallest subsets, the one that predicts best.

    ``folds`` are which rows learn and which judge, where these are kept apart.
    An interrupt after the proof leaves out what was to follow it, and is noted in the answer.
    """
    from fewest.budget import INTERRUPT, Budget
    from fewest.cover.select import select_features

    with warnings.catch_warnings():
        if cuts:  # rows that only the cutting makes alike are no contradiction: see `report_residue`
            warnings.simplefilter("ignore", ConflictingRowsWarning)
        selection = select_features(features if scanned is None else scanned, classes, options, progress())
    if selection.search is None or not selection.answer.is_optimal:
        return Outcome(features, classes, selection)
    try:
        with progress() as on_progress:
            budget = Budget(selection.budget.seconds_left, on_progress)
            selection, subsets, scores = _best_predicting(selection, budget, most, folds)
            named = None if not core else selection.search.core(budget)  # type: ignore[union-attr]  # it is as before
    except KeyboardInterrupt:
        answer = replace(selection.answer, stopped_by=INTERRUPT)
        return Outcome(features, classes, replace(selection, answer=answer))
    return Outcome(features, classes, selection, subsets, named, scores, most is not None)


def _best_predicting(
    selection: Selection, budget: Budget, most: int | None, folds: Sequence[Fold] | None
) -> tuple[Selection, list[tuple[int, ...]] | None, list[float] | None]:
    """Return the selection with the subset that predicts best, the smallest subsets, and how well each predicts.

    Where the proof took long, listing subsets would, too: then the subset is the one that was found.
    """
    from fewest.cover.sample import Sample

    found, sample = selection.search, selection.sample
    assert found is not None, "a proof has its search"
    if not isinstance(sample, Sample) or sample.is_tolerant or found.n_nodes > MOST_NODES:
        return selection, None if most is None else list(islice(found.minimum_subsets(budget), most)), None
    from fewest.comparison.selection import best_predicting

    subsets, scores = best_predicting(found, sample, budget, most or 0, folds)
    if scores is None:
        return selection, subsets[:most], None
    found.prefer(subsets[0])
    chosen = replace(selection, answer=replace(selection.answer, subset=subsets[0]))
    return chosen, subsets[:most], scores[:most]


def report_residue(outcome: Outcome, measured: Table) -> int:
    """Warn of rows that only the cutting of numbers makes alike; return how many pairs are alike in every number, too.

    Those are contradictions of the data, and reported as such; the others are what intervals leave, as noise does.
    """
    from fewest.cover.sample import Sample
    from fewest.cover.select import report_contradictions
    from fewest.exceptions import IntervalResidueWarning

    sample, classes = outcome.selection.sample, outcome.classes
    if sample.is_tolerant or not sample.n_contradictions:
        return 0
    alike = Sample.from_table(measured, classes.values)
    if alike.n_contradictions:
        report_contradictions(alike, classes.labels, row_number=measured.row_number)
    n_more = sample.n_contradictions - alike.n_contradictions
    if n_more > 0:
        warnings.warn(IntervalResidueWarning.from_count(n_more, n_more / sample.n_pairs), stacklevel=2)
    return alike.n_contradictions


def minimal_subsets(outcome: Outcome, most: int) -> dict[str, Any]:
    """Return the minimal subsets, whether these are all, and what could replace each selected feature."""
    from fewest.budget import Budget

    names, search = outcome.features.names, outcome.selection.search
    if search is None or not outcome.answer.is_optimal:
        return {}
    with progress() as on_progress:
        budget = Budget(outcome.selection.budget.seconds_left, on_progress)
        with warnings.catch_warnings(record=True) as stopped:
            warnings.simplefilter("always")
            found = list(islice(search.minimal_subsets(budget), most + 1))
    return {
        "minimal_subsets": [[names[j] for j in subset] for subset in sorted(found[:most], key=lambda s: (len(s), s))],
        "minimal_is_complete": len(found) <= most and not stopped,
        "substitutes": {names[f]: [names[j] for j in others] for f, others in search.substitutes().items()},
    }


def by_chance(
    measured: Table, outcome: Outcome, options: CoverOptions, intervals: Intervals, n_permutations: int
) -> dict[str, Any]:
    """Return what random labels would need, numbers cut again for each of them."""
    from fewest.budget import Budget
    from fewest.cover.chance import cost_by_chance
    from fewest.cover.sample import Sample

    sample, search = outcome.selection.sample, outcome.selection.search
    if not isinstance(sample, Sample):
        raise ParameterError.from_blocks("--permutations")
    assert search is not None, "only min-features can be asked"

    def sample_of(classes: np.ndarray) -> Sample:
        cut = intervals.applied(measured, intervals.cuts(measured, classes))
        encoded = Sample.from_table(cut, classes, options.missing, options.margin).without(outcome.selection.excluded)
        return replace(encoded, tolerance=sample.tolerance, criterion=sample.criterion)

    asked, choices = search.cover.problem, search.choices
    with progress() as on_progress:
        budget = Budget(outcome.selection.budget.seconds_left, on_progress)
        found = cost_by_chance(
            sample_of,
            outcome.classes.values,
            outcome.answer.cost,
            n_permutations,
            costs=None if asked.costs is None else [asked.costs[choice] for choice in choices.place.tolist()],
            include=choices.features(asked.include),
            choices=choices,
            budget=budget,
        )
    return {
        "n_permutations": len(found.lower),
        "lower_bounds": list(found.lower),
        "costs": list(found.upper),
        "pvalue": found.pvalue,
        "in_words": str(found),
    }


def validated(
    measured: Table,
    outcome: Outcome,
    options: CoverOptions,
    intervals: Intervals,
    folds: Sequence[Fold] | None = None,
) -> dict[str, Any] | None:
    """Return what the selection is worth on rows it has not seen; None where that would take long, or cannot be."""
    from fewest.budget import Budget
    from fewest.comparison.selection import validated_selection

    is_slow = outcome.selection.search is not None and outcome.selection.search.n_nodes > MOST_NODES
    if is_slow or outcome.answer.stopped_by is not None or not outcome.answer.subset:
        return None
    if measured.n_rows * len(measured.columns) > MOST_CELLS:
        return None

    def cut(seen: Table, classes: np.ndarray, features: Table) -> Table:
        return intervals.applied(features, intervals.cuts(seen, classes))

    with progress() as on_progress:
        left = outcome.selection.budget.seconds_left
        found = validated_selection(measured, outcome.classes, options, cut, Budget(left, on_progress), folds)
    return None if isinstance(found, str) else found.described()


def under_noise(measured: Table, outcome: Outcome) -> dict[str, Any] | None:
    """Return the features that describe the classes best, where classes overlap; None where they do not.

    Noise makes every feature look needed, to separate pairs of rows that nothing about them explains: a subset that
    keeps nearly all features, or leaves pairs unseparated, says little about which features matter.
    """
    from fewest.budget import raise_interrupt
    from fewest.cli.select_description import quickly_described

    sample, n_kept, n_features = outcome.selection.sample, len(outcome.answer.subset), len(measured.columns)
    if sample.is_tolerant or outcome.answer.stopped_by is not None or n_features < 2:
        return None
    n_left = sample.n_contradictions
    if n_left <= NOISY * sample.n_pairs and n_kept <= NEARLY_ALL * n_features:
        return None
    found = quickly_described(measured, outcome.classes, outcome.selection.budget.seconds_left)
    raise_interrupt(None if found is None else found.description.stopped_by)
    if found is None or found.description.stopped_by is not None or len(found.description.subset) >= n_kept:
        return None
    return {"features": [measured.names[j] for j in found.description.subset], "n_unseparated": n_left}
