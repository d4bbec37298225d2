"""``fewest report``: everything about a table on one HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fewest.budget import raise_interrupt, work_clock
from fewest.cli import ExitCode, rank
from fewest.cli import options as opt
from fewest.cli.apart import Apart
from fewest.cli.compare import Scoring, Validating, repeating_options
from fewest.cli.output import check_outputs, check_report, collected_notes, progress, say
from fewest.cli.screening import Keep, KeepAll, Look
from fewest.cli.select_output import alternatives, describe
from fewest.cli.select_search import search

if TYPE_CHECKING:
    from fewest.table import Column, Table

# How the time is divided: the proof, the relevance, the shortest description, and the rest for the comparison.
FOR_PROOF, FOR_RELEVANCE, FOR_DESCRIPTION = 0.15, 0.15, 0.1


def report(
    data: opt.Data,
    target: opt.Target,
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE.html", help="The page to write.", rich_help_panel=opt.OUTPUT)
    ],
    scoring: Scoring = None,
    time_limit: opt.TimeLimit = "2m",
    seed: opt.Seed = 0,
    task: opt.Task = None,
    apart: Apart,
    drop: opt.Drop = None,
    keep: Keep = None,
    keep_all: KeepAll = False,
    parsing: opt.Parsing,
    drop_unlabelled: opt.DropUnlabelled = False,
) -> None:
    """Write one page about a table: the features, and how sure.

    It says which method to trust and why: it compares them on unseen rows, gives every feature its relevance, finds the
    fewest features that tell the classes apart with the proof that no fewer do, and describes the data. Numeric columns
    of many values are cut into intervals for the methods that only compare values for equality. The page is one file;
    it loads nothing from elsewhere.

    \b
    fewest report fewest:votes --target party -o votes.html
    fewest report genes.csv -t tumour --drop patient -o genes.html --time-limit 10m
    """
    seconds = opt.parse_seconds(time_limit)
    check_report(output)
    check_outputs(output, reads=[data])
    reading = opt.Reading(data, target, drop, parsing, drop_unlabelled)
    validating = Validating(scoring, task, apart)
    look = Look(keep, keep_all)
    with collected_notes() as notes:
        features, target_column, splitting = validating.load(reading)
        features, screening = look.at(features, target_column, notes)
        from fewest.comparison.compare import compare_table
        from fewest.report.render import command_line, write_page

        started = work_clock()
        further: list[dict[str, Any] | None] = [
            _relevance(features, target_column, _part(seconds, FOR_RELEVANCE)),
        ]
        if target_column.labels:
            further += _described(features, target_column, _part(seconds, FOR_DESCRIPTION))
            further += _fewest(features, target_column, _part(seconds, FOR_PROOF))
        # Half is for the validation, whatever came before.
        left = None if seconds is None else max(seconds / 2, seconds - (work_clock() - started))
        with progress() as on_progress:
            comparison = compare_table(
                features,
                target_column,
                splitting=splitting,
                scoring=scoring,
                time_limit=left,
                seed=seed,
                on_progress=on_progress,
            )
    comparison.result.update(data=data, notes=notes, screening=screening.to_dict())
    comparison.result["options"] = repeating_options(reading, look, validating)
    write_page(comparison.page(command_line(), further), output)
    say(f"{output}: {comparison.result['recommendation']['sentence']}")
    if comparison.result["stopped_by"] is not None:
        raise typer.Exit(ExitCode.STOPPED_EARLY)


def _part(seconds: float | None, share: float) -> float | None:
    return None if seconds is None else share * seconds


def _relevance(features: Table, classes: Column, seconds: float | None) -> dict[str, Any]:
    from fewest.report.sections import relevance_section

    options = rank.relevance_options(rank.Method.RELIEFF if classes.labels else rank.Method.RRELIEFF)
    ranking = rank.run_ranking(features, classes, options, seconds)
    raise_interrupt(ranking.stopped_by)
    described = rank.describe(features, classes, options, ranking)
    return relevance_section(described, is_regression=not classes.labels)


def _described(features: Table, classes: Column, seconds: float | None) -> list[dict[str, Any]]:
    """Find the features with which the classes take the fewest bits to describe, where that takes seconds."""
    from fewest.cli.select_description import described, description_sentence, quickly_described
    from fewest.report.sections import description_section

    found = quickly_described(features, classes, seconds)  # what a search that was stopped found is shown all the same
    if found is None:
        return []
    raise_interrupt(found.description.stopped_by)
    result = described(found, features)
    return [description_section(result, description_sentence(result, has_bound=False))]


def _fewest(features: Table, classes: Column, seconds: float | None) -> list[dict[str, Any] | None]:
    """Find the fewest features that tell all rows apart, and why."""
    from fewest.comparison.categories import without_rare_categories
    from fewest.comparison.metrics import Task
    from fewest.cover.options import MinFeaturesOptions
    from fewest.report.proof import proof_facts
    from fewest.report.summarize import selection_sections
    from fewest.table.discretize import cut_columns, sensible_cuts

    pooled = without_rare_categories(features, classes.values, Task.of(classes.values, len(classes.labels)))
    with collected_notes() as notes:  # what is to be said of this search belongs to its section
        options = MinFeaturesOptions(time_limit=seconds)
        cuts = sensible_cuts(pooled, classes.values)
        outcome = search(cut_columns(pooled, cuts), classes, options, cuts=cuts)
    raise_interrupt(outcome.answer.stopped_by)
    result = {**describe(outcome), **alternatives(outcome)}
    proof = outcome.selection.search
    facts = None if proof is None else proof_facts(proof, outcome.features, classes)
    return selection_sections(result, facts, "The fewest that tell every two rows apart", notes)
