"""``fewest select``: the fewest features that tell the classes apart."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fewest.budget import INTERRUPT, raise_interrupt
from fewest.cli import ExitCode, engines
from fewest.cli import options as opt
from fewest.cli.apart import Apart
from fewest.cli.feature_options import Costs, ExcludedFeatures, IncludedFeatures, min_features_options
from fewest.cli.intervals import Bins, ExactValues, Intervals
from fewest.cli.output import check_drawing, check_outputs, check_report, collected_notes, complain
from fewest.cli.screening import Keep, KeepAll, Look
from fewest.cli.select_description import own_options, refuse_others, select_description
from fewest.cli.select_groups import Together
from fewest.cli.select_output import describe, print_answer, write_certificate, write_selection_page, write_tree
from fewest.cli.select_search import (
    Outcome,
    by_chance,
    minimal_subsets,
    report_residue,
    search,
    under_noise,
    validated,
)
from fewest.cover.options import OPTIONS, Criterion, Method
from fewest.exceptions import NotProvenError, ParameterError

if TYPE_CHECKING:
    from fewest.table.discretize import Cuts


def select(
    data: opt.Data,
    target: opt.Target,
    *,
    method: Annotated[
        Method, typer.Option("--method", "-m", help="The search.", rich_help_panel=opt.FINDING)
    ] = Method.MIN_FEATURES,
    most: Annotated[
        int | None,
        typer.Option(
            "--all", metavar="N", min=1, help="List up to N subsets of the least cost.", rich_help_panel=opt.FINDING
        ),
    ] = None,
    minimal: Annotated[
        int | None,
        typer.Option(
            "--minimal",
            metavar="N",
            min=1,
            help="List up to N subsets from which nothing can be left out, and what can replace each feature.",
            rich_help_panel=opt.FINDING,
        ),
    ] = None,
    permutations: Annotated[
        int | None,
        typer.Option(
            "--permutations",
            metavar="N",
            min=1,
            help="Permute the classes N times, and tell how many features chance would need.",
            rich_help_panel=opt.FINDING,
        ),
    ] = None,
    core: Annotated[
        bool,
        typer.Option("--core", help="Name the features that all of these share.", rich_help_panel=opt.FINDING),
    ] = False,
    include: IncludedFeatures = None,
    exclude: ExcludedFeatures = None,
    costs: Costs = None,
    together: Together,
    tolerance: opt.Tolerance = "0",
    criterion: Annotated[
        Criterion,
        typer.Option(
            help="What --tolerance is a fraction of: all pairs of different class, or those that chance would leave.",
            rich_help_panel=opt.COMPARING,
        ),
    ] = Criterion.PAIRS,
    margin: opt.Margin = None,
    bins: Bins = False,
    exact_values: ExactValues = False,
    missing: opt.MissingRule = opt.Missing.VALUE,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show why each feature is needed.", rich_help_panel=opt.OUTPUT)
    ] = False,
    certificate: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write what proves the bound, for fewest verify.", rich_help_panel=opt.OUTPUT
        ),
    ] = None,
    tree: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the search tree of focus2 as text (.txt) or drawing (.svg, .png).",
            rich_help_panel=opt.OUTPUT,
        ),
    ] = None,
    validate: Annotated[
        bool,
        typer.Option(
            "--validation/--no-validation",
            help="Whether to measure what the selection is worth on rows it has not seen.",
            rich_help_panel=opt.FINDING,
        ),
    ] = True,
    report: opt.Report = None,
    output_format: opt.OutputFormat = opt.Format.TABLE,
    time_limit: opt.TimeLimit = "30s",
    where: engines.Where,
    apart: Apart,
    drop: opt.Drop = None,
    keep: Keep = None,
    keep_all: KeepAll = False,
    parsing: opt.Parsing,
    drop_unlabelled: opt.DropUnlabelled = False,
) -> None:
    """Find the fewest features that tell the classes apart.

    min-features, focus1 and focus2 are exact, and prove that no fewer features do; mig, sg and wg (mutual-information,
    simple, weighted greedy) are quick. --all, --minimal, --permutations, --core, --include, --exclude, --costs,
    --group, --at-most, --any-of, --criterion and --certificate are for min-features, --tree is for focus2.
    min-description is for noisy data: the features with which the classes take the fewest bits to describe, with how
    sure that is. It takes --include, --exclude and --costs (in bits), and cuts numbers itself.

    Numeric columns of many values are cut into intervals that tell something about the class, unless --margin or
    --exact-values says how to compare them: every measurement differs from every other, and would separate all rows.
    Of several smallest subsets, the answer is the one that predicts left-out rows best, and what to expect of new rows
    is measured by selecting again without each of five folds (--no-validation does without); --groups and --time keep
    rows apart there.

    Rows are counted from 0, the header not counted. Exit code 1 when some rows are alike but of different class.

    \b
    fewest select fewest:votes --target party --explain
    fewest select fewest:votes --target party --report votes.html
    fewest select zoo.csv --target type --drop animal --all 10 --core
    fewest select iris.csv --target species --certificate iris.json
    fewest select patients.csv --target ill --method min-description
    fewest select patients.csv --target ill --costs prices.csv --group 'blood_*' --at-most 1:mri,ct
    fewest select iris.csv --target species --margin '0.5 sd' --tolerance 0.01
    zcat big.csv.gz | fewest select - -t label --time-limit 1m --format json
    fewest select 'parts/*.parquet' -t label --engine stream --time-limit none
    """
    check_outputs(certificate, tree, report, reads=[data, costs])
    check_report(report)
    comparing = opt.Comparing.parse(missing, margin, tolerance)
    if comparing.tolerance == "cv" and apart.option:
        raise ParameterError(
            f"--tolerance cv judges by folds of any rows, and {apart.option} keeps rows apart. Give a tolerance, such "
            "as 0.01, or let fewest compare choose it (its method tolerant)."
        )
    asked = {"include": include, "exclude": exclude, "costs": costs}
    exact_only = {
        "all": most,
        "minimal": minimal,
        "permutations": permutations,
        "core": core,
        "certificate": certificate,
        "criterion": criterion is not Criterion.PAIRS,
        **together.given(),
    }
    if certificate is not None and criterion is Criterion.CHANCE:
        raise NotProvenError.from_chance()
    _refuse_misplaced(method, exact_only | ({} if method is Method.MIN_DESCRIPTION else asked), tree)
    reading = opt.Reading(data, target, drop, parsing, drop_unlabelled)
    seconds = opt.parse_seconds(time_limit)
    look = Look(keep, keep_all, [*_asked_for(include, comparing), *together.names()], opt.split_names(exclude or ()))
    if method is Method.MIN_DESCRIPTION:
        if apart.option:
            raise ParameterError(f"--method {method} leaves no rows out that {apart.option} could keep apart. Drop it.")
        refuse_others(
            {
                "tolerance": comparing.tolerance,
                "margin": margin,
                "bins": bins,
                "exact-values": exact_values,
                "missing cautious": comparing.missing != "value",
                "report": report,
                "explain": explain,
            }
        )
        select_description(reading, where, look, own_options(include, exclude, costs), seconds, output_format)
        return
    started = opt.start_clock("fewest.cover.select")
    intervals = Intervals.parse(bins, exact_values, comparing)
    obstacle = "--bins" if bins else "--report" if report else apart.option or _obstacle(method, comparing, criterion)
    with collected_notes() as notes, where.scanned(reading, obstacle) as scanned:
        from fewest.blocks.lazy_table import lazy_table

        if scanned is None:
            features, classes = reading.load()
            features, folds = apart.folds(features, classes)
            features, screening = look.at(features, classes, notes)
            features = look.without_many_categories(features, screening.many_categories)
            measured, cuts = features, intervals.cuts(features, classes.values)
            features = intervals.applied(features, cuts)
        else:
            scanned, screening = look.at_first_rows(scanned, notes)
            if intervals.which == "many":
                engines.refuse_many_values(scanned.store)
            features, classes = lazy_table(scanned)
            measured, cuts, folds = features, {}, None
        own: dict[str, Any] = {}
        if method is Method.MIN_FEATURES:
            own = min_features_options(features, include, exclude, costs, screening.left_out)
            own |= together.options(features) | {"criterion": criterion.value}
        elif method is Method.FOCUS2:
            own = {"keep_trace": tree is not None}
        options = OPTIONS[method](**comparing.options(), time_limit=seconds, **own)
        outcome = search(features, classes, options, scanned, most, core, cuts=cuts, folds=folds)
        n_alike = report_residue(outcome, measured) if cuts else outcome.selection.sample.n_contradictions
        took = time.monotonic() - started
        described = {**describe(outcome), **_intervals_used(outcome, cuts), "validation": None, "under_noise": None}
        is_validated = scanned is None and validate
        is_plain = is_validated and not any(asked.values()) and not any(together.given().values())
        try:
            raise_interrupt(outcome.answer.stopped_by)
            if minimal is not None:
                described |= minimal_subsets(outcome, minimal)
            if permutations is not None:
                described["chance"] = by_chance(measured, outcome, options, intervals, permutations)
            if is_validated:
                described["validation"] = validated(measured, outcome, options, intervals, folds)
            if is_plain:
                described["under_noise"] = under_noise(measured, outcome)
        except KeyboardInterrupt:  # the answer stands
            described["stopped_by"] = INTERRUPT
        if described["stopped_by"] == INTERRUPT and outcome.answer.is_optimal:
            complain("note", "Interrupted once the answer was proven: what else was asked about it is left out.")
    result = {"command": "select", "data": data, "screening": screening.to_dict(), "method": method.value, **described}
    result["notes"] = notes
    result["seconds"] = round(took, 3)
    print_answer(result, output_format, explain)
    if certificate is not None:
        write_certificate(outcome, missing, cuts, certificate)
    if tree is not None:
        write_tree(outcome, tree)
    if report is not None:
        write_selection_page(report, result, outcome, seconds)
    if described["stopped_by"] is not None:
        raise typer.Exit(ExitCode.STOPPED_EARLY)
    if n_alike and not outcome.selection.sample.is_tolerant:
        raise typer.Exit(ExitCode.NEGATIVE_FINDING)


def _refuse_misplaced(method: Method, exact_only: dict[str, Any], tree: Path | None) -> None:
    """Raise when an option is meant for another method."""
    for option, value in exact_only.items():
        if value and method is not Method.MIN_FEATURES:
            also = " and min-description" if option in ("include", "exclude", "costs") else ""
            only = " only" if not also else ""
            raise ParameterError(f"--{option} is for --method min-features{also}{only}, not for {method}.")
    if tree is not None and method is not Method.FOCUS2:
        raise ParameterError(f"--tree is for --method focus2 only: {method} searches no such tree.")
    if tree is not None and tree.suffix != ".txt":
        check_drawing(tree)


def _obstacle(method: Method, comparing: opt.Comparing, criterion: Criterion) -> str | None:
    """Return the options that need all rows in memory, if any do."""
    if not OPTIONS[method].takes_blocks:
        return f"--method {method}"
    if criterion is Criterion.CHANCE:
        return "--criterion chance"
    if comparing.tolerance == "cv" or comparing.margin is not None or comparing.missing != "value":
        return "a request with --tolerance cv, --margin or --missing cautious"
    return None


def _asked_for(include: Sequence[str] | None, comparing: opt.Comparing) -> list[str]:
    """Return the columns that options name, which are not to be left out whatever they look like."""
    margins = comparing.margin if isinstance(comparing.margin, dict) else {}
    return [*opt.split_names(include or ()), *map(str, margins)]


def _intervals_used(outcome: Outcome, cuts: Cuts) -> dict[str, Any]:
    """Return which of the selected features are compared by interval, and where they are cut."""
    names = (outcome.features.names[j] for j in outcome.answer.subset)
    used = {name: cuts[name].tolist() for name in names if name in cuts}
    return {"n_cut": len(cuts), "cuts": used}
