"""What ``--report FILE.html`` writes: the answer of a command, and all there is to say about it, on one page."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fewest.cli import options as opt
from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    from fewest.cli.request import Outcome
    from fewest.comparison.compare import Comparison
    from fewest.table import Column, Table

Report = Annotated[
    Path | None,
    typer.Option(
        "--report",
        metavar="FILE.html",
        help="Write a page to look at and to pass on: one file, offline.",
        rich_help_panel=opt.OUTPUT,
    ),
]

# How many seconds it may take to find other subsets.
SECONDS_FOR_MORE = 10.0


def check_report(path: Path | None) -> None:
    """Refuse, before any work, what is not the name of a page."""
    if path is not None and path.suffix.lower() not in (".html", ".htm"):
        raise ParameterError(f"A report is a page, and {str(path)!r} is none. Let its name end in .html.")


def write_selection_page(path: Path, result: dict[str, Any], outcome: Outcome, seconds: float | None) -> None:
    """Write the page of a sufficient subset."""
    from fewest.report.origin import command_line, origin
    from fewest.report.proof import path_facts, proof_facts
    from fewest.report.render import write_page
    from fewest.report.summarize import selection_page

    features, classes, answer = outcome.features, outcome.classes, outcome.answer
    left = SECONDS_FOR_MORE if seconds is None else min(SECONDS_FOR_MORE, max(0.0, seconds - result["seconds"]))
    order = [step["feature"] for step in answer.history if "feature" in step]
    page = selection_page(
        {**result, **alternatives(outcome, left)},
        features,
        classes,
        origin=origin(command_line(), result["seconds"]),
        proof=None if outcome.search is None else proof_facts(outcome.search, features, classes),
        path=path_facts(outcome.sample, order, features.names) if order else None,
    )
    write_page(page, path)


def alternatives(outcome: Outcome, seconds: float) -> dict[str, Any]:
    """Find the core and other subsets of the least cost, as far as time allows."""
    from fewest.budget import Budget
    from fewest.report.proof import alternative_facts

    search, names = outcome.search, outcome.features.names
    if search is None or not outcome.answer.is_optimal or not outcome.answer.subset:
        return {}
    until = time.monotonic() + seconds
    return alternative_facts(
        names,
        lambda: search.core(Budget(seconds / 2)) if outcome.core is None else outcome.core,
        lambda: outcome.subsets or search.minimum_subsets(Budget(max(0.0, until - time.monotonic()))),
    )


def write_relevance_page(path: Path, result: dict[str, Any], features: Table, target: Column) -> None:
    """Write the page of features with their relevance."""
    from fewest.report.origin import command_line, origin
    from fewest.report.render import write_page
    from fewest.report.summarize import relevance_page

    write_page(relevance_page(result, features, target, origin=origin(command_line(), result["seconds"])), path)


def write_wrapper_page(path: Path, result: dict[str, Any], features: Table, target: Column) -> None:
    """Write the page of a wrapper: the errors of every size, and what was chosen."""
    from fewest.report.origin import command_line, origin
    from fewest.report.render import write_page
    from fewest.report.summarize import wrapper_page

    write_page(wrapper_page(result, features, target, origin=origin(command_line(), result["seconds"])), path)


def write_training_page(
    path: Path, result: dict[str, Any], features: Table, target: Column, shown: dict[str, str]
) -> None:
    """Write the page of a learned model."""
    from fewest.report.origin import command_line, origin
    from fewest.report.render import write_page
    from fewest.report.summarize import training_page

    made = origin(command_line(), result["seconds"])
    write_page(training_page(result, features, target, origin=made, shown=shown), path)


def write_comparison_page(path: Path, comparison: Comparison, further: Sequence[Any] = ()) -> None:
    """Write the page of a comparison, with further sections."""
    from fewest.report.origin import command_line
    from fewest.report.render import write_page

    write_page(comparison.page(command_line(), further), path)
