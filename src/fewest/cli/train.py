"""``fewest train``: learn to predict classes or a numeric target, and keep what was learned."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fewest.cli import ExitCode, engines, rank, wrap
from fewest.cli import options as opt
from fewest.cli.apart import Apart
from fewest.cli.intervals import Bins, ExactValues, Intervals
from fewest.cli.output import check_drawing, check_outputs, check_report, collected_notes
from fewest.cli.screening import Keep, KeepAll, Look
from fewest.cli.train_output import print_trained
from fewest.cli.train_plan import FUNCTIONS, TREES, WINNOWS, Plan, Scoring, Selector, TrainLearner, train_in_blocks
from fewest.cover.options import OPTIONS
from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    from fewest.table import Column, Table


CLASSIFICATION, REGRESSION = "classification", "regression"
DEFAULT_LIMIT = "30s"


def train(
    data: opt.Data,
    target: opt.Target,
    *,
    learner: Annotated[
        TrainLearner | None,
        typer.Option(
            "--learner",
            "-l",
            help="The learner; if not given, id3 for classes, or logistic where measurements show it to be better, and "
            "linear for a numeric target.",
            rich_help_panel=opt.LEARNING,
        ),
    ] = None,
    method: Annotated[
        Selector | None,
        typer.Option(
            "--select", "-s", help="Select features first, and learn on these alone.", rich_help_panel=opt.LEARNING
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="MODEL", help="Write the model, for fewest predict.", rich_help_panel=opt.OUTPUT
        ),
    ] = None,
    show: Annotated[
        bool, typer.Option("--show", help="Print the tree or the partitions, too.", rich_help_panel=opt.OUTPUT)
    ] = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw them (.svg, .png, .pdf).", rich_help_panel=opt.OUTPUT)
    ] = None,
    report: opt.Report = None,
    limit: Annotated[
        str | None,
        typer.Option(
            metavar="D",
            help="cfp: how near a value extends a partition: 0.5, '0.5 sd' or 2% (of the range).",
            rich_help_panel=opt.LEARNING,
        ),
    ] = None,
    delta: Annotated[
        float | None,
        typer.Option(
            metavar="PERCENT",
            help="cfp: by how much a prediction changes a feature's weight.",
            rich_help_panel=opt.LEARNING,
        ),
    ] = None,
    vote: Annotated[
        str | None,
        typer.Option(
            metavar="winner|shares",
            help="cfp: whether a feature votes for one class or for several.",
            rich_help_panel=opt.LEARNING,
        ),
    ] = None,
    drop: opt.Drop = None,
    keep: Keep = None,
    keep_all: KeepAll = False,
    bins: Bins = False,
    exact_values: ExactValues = False,
    scoring: Annotated[
        Scoring | None,
        typer.Option(help="What to measure; by default what fits the classes.", rich_help_panel=opt.LEARNING),
    ] = None,
    cv: Annotated[
        int,
        typer.Option(
            metavar="K", min=0, help="Folds of the cross-validation, 0 for none.", rich_help_panel=opt.LEARNING
        ),
    ] = 5,
    tolerance: opt.Tolerance = "0",
    task: opt.Task = None,
    time_limit: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Stop after 30, 90s or 5m with what was learned so far; none for no limit.",
            show_default="30s, but none for learning",
            rich_help_panel=opt.RUNNING,
        ),
    ] = None,
    where: engines.Where,
    apart: Apart,
    output_format: opt.OutputFormat = opt.Format.TABLE,
    parsing: opt.Parsing,
    drop_unlabelled: opt.DropUnlabelled = False,
) -> None:
    """Learn to predict the class or a number, and keep the model.

    A tree (id3, fringe), partitions (cfp) or weights (Winnow, logistic, balanced); for numbers, linear.
    Where no learner is named and columns are measurements, cross-validation chooses between id3 and logistic: the tree,
    unless the logistic regression predicts clearly better.

    Trees cut numeric columns of many values into intervals, which the model keeps, unless --exact-values compares them
    for equality; cfp measures their distance, reads the rows once and in their order, and lets the features vote.
    Winnow weighs a test for every value, and passes over the rows in their order until it makes no mistake. Data that
    would not fit in memory is read in blocks, and the model is the same.

    What to expect of new rows is measured by cross-validation of all that train does, selection included, and printed
    beside the same on the training rows. --groups keeps the rows of a patient or customer on one side there, --time
    predicts later rows from earlier ones; neither column is a feature.

    With --select, the features are selected first: --select wg --learner id3 is WG+ID3. The tolerance is that of the
    selection; a time limit holds for intervals, selection, learning and cross-validation, each, and without one only
    selection and cross-validation end after 30 s. A missing value is a value of its own to a tree, and left out by cfp.
    With --bins, Winnow takes intervals, too.

    A numeric target is predicted by a linear function (ridge regression), of all features or of those that rrelieff or
    a wrapper around least squares selects.

    \b
    fewest train fewest:votes --target party --select wg -o votes.model
    fewest train fewest:votes --target party --report votes.html
    fewest train zoo.csv -t type --drop animal --learner fringe --show
    fewest train iris.csv -t species --select wg --tolerance 0.01 --scoring balanced_accuracy
    fewest train iris.csv -t species --learner cfp --limit 5% --show
    fewest train houses.csv -t price --select rrelieff -o price.model
    fewest train 'parts/*.parquet' -t label --learner winnow2 -o label.model
    fewest predict votes.model fewest:votes
    """
    seconds = opt.parse_seconds(DEFAULT_LIMIT if time_limit is None else time_limit)
    learning = None if time_limit is None else seconds  # no model is cut short unasked
    comparing = opt.Comparing.parse("value", None, tolerance)
    given = {name: value for name, value in {"limit": limit, "delta": delta, "vote": vote}.items() if value is not None}
    if learner is None and (method is Selector.RRELIEFF or task == REGRESSION):
        learner = TrainLearner.LINEAR
    _refuse_selection(method, learner, comparing)
    _refuse_misplaced(learner or TrainLearner.ID3, bins, exact_values, given, plot)
    check_outputs(output, plot, report, reads=[data])
    check_report(report)
    check_drawing(plot)
    reading = opt.Reading(data, target, drop, parsing, drop_unlabelled)
    started = opt.start_clock("fewest.models.model")
    obstacle = _obstacle(
        learner, method, limit, {"--tolerance": comparing.tolerance, "--bins": bins, "--report": report}
    )
    obstacle = apart.option or obstacle
    look = Look(keep, keep_all)
    with collected_notes() as notes, where.scanned(reading, obstacle) as scanned:
        if scanned is None:
            features, classes = _load(reading, learner, task)
            is_open = learner is None and method is None and not (bins or exact_values or plot)
            learner = learner or (TrainLearner.ID3 if classes.labels else TrainLearner.LINEAR)
            _refuse_selection(method, learner, comparing)
            _refuse_misplaced(learner, bins, exact_values, given, plot)
            features, classes, splitting = apart.divided(features, classes, cv)
            features, screening = look.at(features, classes, notes)
        learner = learner or TrainLearner.ID3
        intervals = Intervals("all" if bins else "many" if learner in TREES and not exact_values else "none")
        plan = Plan(learner, method, comparing, intervals, given, scoring, learning=learning)
        if scanned is None:
            found = replace(plan, is_open=is_open and bool(classes.labels)).train(features, classes, splitting, seconds)
        else:
            scanned, screening = look.at_first_rows(scanned, notes)
            features, classes, found = train_in_blocks(plan, scanned, seconds)
    trained, selection, fit, validation, choice, _ = found
    result: dict[str, Any] = {
        "command": "train",
        "data": data,
        "screening": screening.to_dict(),
        "learner": choice.learner,
        "chosen_by": choice.scores,
        "select": method and method.value,
        "target": classes.name,
        "classes": list(classes.labels),
        "n_rows": features.n_rows,
        "n_features": len(features.columns),
        "selected": None if selection is None else [features.names[j] for j in selection.subset],
        "stopped_by": found.stopped_by,
        **fit,
        "cross_validation": None if isinstance(validation, str) else validation.described(),
        **trained.described(),
        "model": output and str(output),
        "notes": notes,
        "seconds": round(time.monotonic() - started, 3),
    }
    if output is not None:
        trained.model.save(output)
    if plot is not None:
        trained.draw(plot)
    if report is not None:
        from fewest.report.render import command_line, origin, write_page
        from fewest.report.summarize import training_page

        made = origin(command_line(), result["seconds"])
        write_page(training_page(result, features, classes, origin=made, shown=trained.shown()), report)
    print_trained(result, output_format, trained, show, validation, choice)
    if found.stopped_by is not None:
        raise typer.Exit(ExitCode.STOPPED_EARLY)


# ---------------------------------------------------------------------- what does not go together


def _load(reading: opt.Reading, learner: TrainLearner | None, task: str | None) -> tuple[Table, Column]:
    """Read the data; the target is what the learner predicts or, if none was named, what it looks like."""
    if learner is TrainLearner.LINEAR:
        if task == CLASSIFICATION:
            raise ParameterError("--learner linear predicts numbers, and --task says classification. Drop one of them.")
        return reading.load_by_task(REGRESSION)
    return reading.load_by_task(task if learner is None else CLASSIFICATION) if task or not learner else reading.load()


def _refuse_selection(method: Selector | None, learner: TrainLearner | None, comparing: opt.Comparing) -> None:
    """Raise when the selection does not fit the learner or the other options."""
    if comparing.tolerance and method is None:
        raise ParameterError("--tolerance is for the selection, and there is none. Name one with --select.")
    if learner is TrainLearner.LINEAR:
        if method not in (None, Selector.RRELIEFF, *wrap.Method):
            raise ParameterError(
                f"{method} separates classes, and linear predicts numbers. Use --select rrelieff or ordered-fs."
            )
        if comparing.tolerance:
            raise ParameterError("--tolerance is for classes, and linear predicts numbers. Leave it out.")
        return
    if method is Selector.RRELIEFF:
        raise ParameterError("rrelieff is for a regression target, and a tree predicts classes. Use --select relieff.")
    if method in tuple(rank.Method) and comparing.tolerance:
        raise ParameterError(f"--tolerance is not for {method}, which weighs differences. Leave it out.")
    if method not in tuple(wrap.Method):
        return
    if learner not in (None, TrainLearner.ID3, TrainLearner.FRINGE):
        raise ParameterError(f"{method} asks a tree with which features it errs least. Use --learner id3 or fringe.")
    if comparing.tolerance:
        raise ParameterError(f"--tolerance is not for {method}, which counts errors. Leave it out.")


def _refuse_misplaced(
    learner: TrainLearner, bins: bool, exact_values: bool, of_cfp: dict[str, Any], plot: Path | None
) -> None:
    """Raise when an option is meant for another learner."""
    if exact_values and (bins or learner not in TREES):
        other = "--bins cuts numeric columns" if bins else f"{learner} does not cut numeric columns"
        raise ParameterError(f"--exact-values is for trees, whose default are intervals, and {other}. Leave it out.")
    if learner is TrainLearner.CFP and bins:
        raise ParameterError("--bins is for learners of nominal values, and cfp measures numeric ones. Leave it out.")
    if learner is not TrainLearner.CFP and of_cfp:
        raise ParameterError(
            f"--limit, --delta and --vote are for --learner cfp, and this is {learner}. Leave them out."
        )
    if learner in (*WINNOWS, *FUNCTIONS) and plot is not None:
        raise ParameterError(f"--plot draws trees and partitions, and {learner} has weights. Use --show.")
    if learner in FUNCTIONS and bins:
        raise ParameterError(f"--bins is for learners of nominal values, and {learner} takes numbers. Leave it out.")


def _obstacle(
    learner: TrainLearner | None, method: Selector | None, limit: str | None, others: dict[str, object]
) -> str | None:
    """Return the option that needs all rows in memory, if any does."""
    if learner in (TrainLearner.FRINGE, *FUNCTIONS):
        return f"--learner {learner}"
    takes_blocks = {*rank.Method, *(name for name, options in OPTIONS.items() if options.takes_blocks)}
    if method is not None and method not in takes_blocks:
        return f"--select {method}"
    if limit is not None and limit.strip().endswith("sd"):
        return "--limit in standard deviations"
    return next((name for name, value in others.items() if value), None)
