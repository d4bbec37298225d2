"""``fewest select``: the fewest features that tell the classes apart."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fewest.cli import ExitCode, engines
from fewest.cli import options as opt
from fewest.cli.messages import collected_notes, progress
from fewest.cli.output import check_drawing, check_outputs, check_report
from fewest.cli.screening import Keep, KeepAll, Look
from fewest.cli.select_output import describe, print_answer, write_selection_page
from fewest.cover.options import OPTIONS, Method
from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    from fewest.blocks.scan import Scan
    from fewest.cover.examples import Answer
    from fewest.cover.options import CoverOptions
    from fewest.cover.select import Selection
    from fewest.table import Column, Table
    from fewest.table.discretize import Cuts

IncludedFeatures = Annotated[
    list[str] | None,
    typer.Option(
        "--include", metavar="A,B", help="Features that must be selected: names or globs.", rich_help_panel=opt.FINDING
    ),
]


ExcludedFeatures = Annotated[
    list[str] | None,
    typer.Option("--exclude", metavar="A,B", help="Features that must not be.", rich_help_panel=opt.FINDING),
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
    exclude: ExcludedFeatures = None,
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
    report: opt.Report = None,
    output_format: opt.OutputFormat = opt.Format.TABLE,
    time_limit: opt.TimeLimit = "30s",
    engine: engines.EngineChoice = engines.EngineName.AUTO,
    scheduler: engines.Scheduler = None,
    workers: engines.Workers = None,
    drop: opt.Drop = None,
    keep: Keep = None,
    keep_all: KeepAll = False,
    kind: opt.Kinds = None,
    null: opt.Nulls = None,
    delimiter: opt.Delimiter = None,
    no_header: opt.NoHeader = False,
    encoding: opt.Encoding = "utf-8",
    decimal: opt.Decimal = None,
    thousands: opt.Thousands = None,
    drop_unlabelled: opt.DropUnlabelled = False,
) -> None:
    """Find the fewest features that tell the classes apart, and prove that no fewer do.

    min-features, focus1 and focus2 are exact; mig, sg and wg (mutual-information, simple, weighted greedy) are quick.
    --all, --core, --include, --exclude, --costs and --certificate are for min-features, --tree is for focus2.

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
    check_report(report)
    comparing = opt.Comparing.parse(missing, margin, tolerance)
    exact_only = {"all": most, "core": core, "include": include, "exclude": exclude, "costs": costs}
    _refuse_misplaced(method, exact_only | {"certificate": certificate}, tree)
    if certificate is not None and comparing.tolerance:
        raise ParameterError("--certificate goes without --tolerance: with one, no few pairs of rows force the bound.")
    reading = opt.Reading(
        data,
        target,
        drop,
        kind,
        null,
        delimiter,
        no_header,
        encoding,
        drop_unlabelled,
        decimal=decimal,
        thousands=thousands,
    )
    where = engines.Where(engine, scheduler, workers)
    seconds = opt.parse_seconds(time_limit)
    started = opt.start_clock("fewest.cover.select")
    obstacle = "--bins" if bins else "--report" if report else _obstacle(method, comparing)
    with collected_notes() as notes, where.scanned(reading, obstacle) as scanned:
        from fewest.blocks.lazy_table import lazy_table
        from fewest.table.discretize import cut_columns

        look = Look(keep, keep_all, _asked_for(include, comparing), opt.split_names(exclude or ()))
        if scanned is None:
            features, classes = reading.load()
            features, screening = look.at(features, classes, notes)
            cuts = _interval_cuts(features, classes) if bins else {}
            features = cut_columns(features, cuts)
        else:
            scanned, screening = look.at_first_rows(scanned, notes)
            features, classes = lazy_table(scanned)
            cuts = {}
        own: dict[str, Any] = {}
        if method is Method.MIN_FEATURES:
            own = min_features_options(features, include, exclude, costs, screening.left_out)
        elif method is Method.FOCUS2:
            own = {"keep_trace": tree is not None}
        options = OPTIONS[method](**comparing.options(), time_limit=seconds, **own)
        outcome = search(features, classes, options, scanned, most, core)
        described = describe(outcome)
    result = {"command": "select", "data": data, "screening": screening.to_dict(), "method": method.value, **described}
    result["notes"] = notes
    result["seconds"] = round(time.monotonic() - started, 3)
    print_answer(result, output_format, explain)
    if certificate is not None:
        _write_certificate(outcome, missing, cuts, certificate)
    if tree is not None:
        _write_tree(outcome, tree)
    if report is not None:
        write_selection_page(report, result, outcome, seconds)
    if outcome.answer.stopped_by is not None:
        raise typer.Exit(ExitCode.STOPPED_EARLY)
    sample = outcome.selection.sample
    if sample.n_contradictions and not sample.is_tolerant:
        raise typer.Exit(ExitCode.NEGATIVE_FINDING)


def _refuse_misplaced(method: Method, exact_only: dict[str, Any], tree: Path | None) -> None:
    """Raise when an option is meant for another method."""
    for option, value in exact_only.items():
        if value and method is not Method.MIN_FEATURES:
            raise ParameterError(f"--{option} is for --method min-features only, not for {method}.")
    if tree is not None and method is not Method.FOCUS2:
        raise ParameterError(f"--tree is for --method focus2 only: {method} searches no such tree.")
    if tree is not None and tree.suffix != ".txt":
        check_drawing(tree)


def _obstacle(method: Method, comparing: opt.Comparing) -> str | None:
    """Return the options that need all rows in memory, if any do."""
    if not OPTIONS[method].takes_blocks:
        return f"--method {method}"
    if comparing.tolerance == "cv" or comparing.margin is not None or comparing.missing != "value":
        return "a request with --tolerance cv, --margin or --missing cautious"
    return None


def _asked_for(include: Sequence[str] | None, comparing: opt.Comparing) -> list[str]:
    """Return the columns that options name, which are not to be left out whatever they look like."""
    margins = comparing.margin if isinstance(comparing.margin, dict) else {}
    return [*opt.split_names(include or ()), *map(str, margins)]


def _interval_cuts(features: Table, classes: Column) -> Cuts:
    from fewest.table.discretize import interval_cuts

    return interval_cuts(features, classes.values)


@dataclass(frozen=True)
class Outcome:
    """A selection, the columns it is about, and the other subsets of the least cost that were asked for."""

    features: Table
    classes: Column
    selection: Selection
    subsets: list[tuple[int, ...]] | None = None
    core: tuple[int, ...] | None = None

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
) -> Outcome:
    """Select features, of a table or of rows in blocks, and list other subsets of the least cost if asked to."""
    from fewest.budget import Budget
    from fewest.cover.select import select_features

    selection = select_features(features if scanned is None else scanned, classes, options, progress())
    if selection.search is None or not selection.answer.is_optimal:
        return Outcome(features, classes, selection)
    with progress() as on_progress:
        budget = Budget(selection.budget.seconds_left, on_progress)
        subsets = None if most is None else list(islice(selection.search.minimum_subsets(budget), most))
        return Outcome(features, classes, selection, subsets, selection.search.core(budget) if core else None)


def _write_certificate(outcome: Outcome, missing: str, cuts: Cuts, path: Path) -> None:
    from fewest.cover.certificate import make_certificate, save_certificate

    names, found = list(outcome.features.names), outcome.selection
    assert found.search is not None, "only min-features has a certificate"
    excluded = [names[j] for j in found.excluded]
    target = outcome.classes.name
    of_columns = {name: of_column.tolist() for name, of_column in cuts.items()}
    facts = make_certificate(found.search, names, missing=missing, target=target, exclude=excluded, cuts=of_columns)
    save_certificate(facts, path)


def _write_tree(outcome: Outcome, path: Path) -> None:
    from fewest.cover.plots import write_search_tree

    if outcome.answer.tree is not None:
        write_search_tree(outcome.answer.tree, path, outcome.features.names)


def min_features_options(
    features: Table,
    include: Sequence[str] | None,
    exclude: Sequence[str] | None,
    costs: Path | None,
    left_out: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the options of min-features alone; names and globs stand for positions, those left out for none."""
    included, excluded = opt.matching(features, include), opt.matching(features, exclude)
    if set(included) & set(excluded):
        raise ParameterError("Some features match both --include and --exclude. Choose one.")
    priced = None if costs is None else read_costs(costs)
    if priced is not None:
        priced = {name: cost for name, cost in priced.items() if name not in left_out}
    return {"include": included, "exclude": excluded, "costs": priced}


def read_costs(path: Path) -> dict[str, float]:
    """Read what features cost from a JSON object or from a CSV of two columns, feature and cost."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ParameterError(f"There is no file of costs {str(path)!r}.") from None
    if path.suffix == ".json":
        try:
            costs = json.loads(text)
        except json.JSONDecodeError as error:
            raise ParameterError(f"{str(path)!r} is no JSON: {error}.") from None
        if not isinstance(costs, dict):
            raise ParameterError(f'{str(path)!r} must hold an object such as {{"age": 1, "scan": 250}}.')
        return costs
    rows = [row for row in csv.reader(text.splitlines()) if row]
    if rows and len(rows[0]) == 2 and not _is_number(rows[0][1]):
        rows = rows[1:]  # a header
    for number, row in enumerate(rows, start=1):
        if len(row) != 2 or not _is_number(row[1]):
            raise ParameterError(f"{str(path)!r}, entry {number}: {','.join(row)!r} is no feature,cost.")
    return {name.strip(): float(cost) for name, cost in rows}


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
