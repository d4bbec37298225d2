"""``fewest select``: the fewest features that tell the classes apart."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from fewest.cli import engines, pages
from fewest.cli import options as opt
from fewest.cli.answers import describe, print_answer
from fewest.cli.comparing import Comparing
from fewest.cli.exit_codes import ExitCode
from fewest.cli.files import check_outputs
from fewest.cli.messages import collected_notes
from fewest.cli.request import Request
from fewest.cover.options import Method

IncludedFeatures = Annotated[
    list[str] | None,
    typer.Option(
        "--include", metavar="A,B", help="Features that must be selected: names or globs.", rich_help_panel=opt.FINDING
    ),
]


def select(
    data: opt.Data,
    target: opt.Target,
    method: Annotated[
        Method, typer.Option("--method", "-m", help="The search.", rich_help_panel=opt.FINDING)
    ] = Method.MIN_FEATURES,
    most: Annotated[
        int | None,
        typer.Option(
            "--all", metavar="N", min=1, help="List up to N subsets of the least cost.", rich_help_panel=opt.FINDING
        ),
    ] = None,
    core: Annotated[
        bool,
        typer.Option("--core", help="Name the features that all of these share.", rich_help_panel=opt.FINDING),
    ] = False,
    include: IncludedFeatures = None,
    forbid: Annotated[
        list[str] | None,
        typer.Option(metavar="A,B", help="Features that must not be.", rich_help_panel=opt.FINDING),
    ] = None,
    costs: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="What features cost: a CSV of feature,cost or a JSON object. Others cost 1.",
            rich_help_panel=opt.FINDING,
        ),
    ] = None,
    tolerance: opt.Tolerance = "0",
    margin: opt.Margin = None,
    bins: opt.Bins = False,
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
    report: pages.Report = None,
    output_format: opt.OutputFormat = opt.Format.TABLE,
    time_limit: opt.TimeLimit = "30s",
    engine: engines.EngineChoice = engines.Engine.AUTO,
    scheduler: engines.Scheduler = None,
    workers: engines.Workers = None,
    drop: opt.Drop = None,
    kind: opt.Kinds = None,
    null: opt.Nulls = None,
    delimiter: opt.Delimiter = None,
    no_header: opt.NoHeader = False,
    encoding: opt.Encoding = "utf-8",
    drop_unlabelled: opt.DropUnlabelled = False,
) -> None:
    """Find the fewest features that tell the classes apart, and prove that no fewer do.

    min-features, focus1 and focus2 are exact; mig, sg and wg (mutual-information, simple, weighted greedy) are quick.
    --all, --core, --include, --forbid, --costs and --certificate are for min-features, --tree is for focus2.

    Rows are counted from 0, the header not counted. Exit code 1 when some rows are alike but of different class.

    \b
    fewest select fewest:votes --target party --explain
    fewest select fewest:votes --target party --report votes.html
    fewest select zoo.csv --target type --drop animal --all 10 --core
    fewest select iris.csv --target species --margin '0.5 sd' --tolerance 0.01
    zcat big.csv.gz | fewest select - -t label --time-limit 1m --format json
    fewest select 'parts/*.parquet' -t label --engine stream --time-limit none
    """
    check_outputs(certificate, tree, report, reads=[data, costs])
    comparing = Comparing.parse(missing, margin, tolerance)
    request = Request(method, comparing, most, core, include, forbid, costs, certificate, tree)
    request.check()
    pages.check_report(report)
    reading = opt.Reading(data, target, drop, kind, null, delimiter, no_header, encoding, drop_unlabelled)
    where = engines.Where(engine, scheduler, workers)
    seconds = opt.parse_seconds(time_limit)
    started = time.monotonic()
    obstacle = "--bins" if bins else "--report" if report else request.obstacle()
    with collected_notes() as notes, where.scanned(reading, obstacle) as scanned:
        if scanned is not None:
            outcome = request.fulfil_in_blocks(scanned, seconds)
        else:
            features, classes = reading.load()
            if bins:
                from fewest.table.discretize import cut_columns, interval_cuts

                features = cut_columns(features, interval_cuts(features, classes.values))
            outcome = request.fulfil(features, classes, seconds)
        described = describe(outcome)
    result = {"command": "select", "data": data, "method": method.value, **described, "notes": notes}
    result["seconds"] = round(time.monotonic() - started, 3)
    print_answer(result, output_format, explain)
    request.write(outcome)
    if report is not None:
        pages.write_selection_page(report, result, outcome, seconds)
    if outcome.answer.stopped_by is not None:
        raise typer.Exit(ExitCode.STOPPED_EARLY)
    if outcome.sample.n_contradictions and not outcome.sample.is_tolerant:
        raise typer.Exit(ExitCode.NEGATIVE_FINDING)
