"""``fewest select``: the fewest features that tell the classes apart."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from fewest.cli import engines, pages
from fewest.cli import options as opt
from fewest.cli import relevance as rel
from fewest.cli import wrapping as wrap
from fewest.cli.answers import describe, print_answer
from fewest.cli.comparing import Comparing
from fewest.cli.outputs import check_outputs
from fewest.cli.request import Request
from fewest.cli.talk import collected_notes
from fewest.cover.methods import RELEVANCE, WRAPPERS, Method
from fewest.exceptions import ParameterError

FOUND_CONTRADICTIONS = 1
STOPPED_EARLY = 3


def select(
    data: opt.Data,
    target: opt.Target,
    method: Annotated[Method, typer.Option("--method", "-m", help="The search.")] = Method.MIN_FEATURES,
    drop: opt.Drop = None,
    time_limit: opt.TimeLimit = "30s",
    explain: Annotated[bool, typer.Option("--explain", help="Show why each feature is needed.")] = False,
    most: Annotated[
        int | None, typer.Option("--all", metavar="N", min=1, help="List up to N subsets of the least cost.")
    ] = None,
    core: Annotated[bool, typer.Option("--core", help="Name the features that all of these share.")] = False,
    include: Annotated[
        list[str] | None, typer.Option(metavar="A,B", help="Features that must be selected: names or globs.")
    ] = None,
    forbid: Annotated[list[str] | None, typer.Option(metavar="A,B", help="Features that must not be.")] = None,
    costs: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="What features cost: a CSV of feature,cost or a JSON object. Others cost 1."),
    ] = None,
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write what proves the bound, for fewest verify.")
    ] = None,
    tree: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the search tree of focus2 as text (.txt) or drawing (.svg, .png)."),
    ] = None,
    threshold: rel.Threshold = None,
    n_features: rel.NumberOfFeatures = None,
    alpha: rel.Alpha = None,
    samples: rel.Samples = None,
    neighbours: rel.Neighbours = None,
    ties: rel.Ties = None,
    seed: rel.Seed = None,
    estimator: wrap.Estimator = None,
    beam: wrap.Beam = None,
    holdout: wrap.Holdout = None,
    search: wrap.Search = None,
    max_features: wrap.MaxFeatures = None,
    patience: wrap.Patience = None,
    label_noise: wrap.LabelNoise = None,
    checkpoint: wrap.Checkpoint = None,
    plot: rel.Plot = None,
    report: pages.Report = None,
    engine: engines.EngineChoice = engines.Engine.AUTO,
    scheduler: engines.Scheduler = None,
    workers: engines.Workers = None,
    output_format: opt.OutputFormat = opt.Format.TABLE,
    tolerance: opt.Tolerance = "0",
    margin: opt.Margin = None,
    bins: opt.Bins = False,
    missing: opt.MissingRule = opt.Missing.VALUE,
    kind: opt.Kinds = None,
    null: opt.Nulls = None,
    delimiter: opt.Delimiter = None,
    no_header: opt.NoHeader = False,
    encoding: opt.Encoding = "utf-8",
    drop_unlabelled: opt.DropUnlabelled = False,
) -> None:
    """Find the fewest features that tell the classes apart, and prove that no fewer do.

    min-features, focus1 and focus2 are exact; mig, sg and wg (mutual-information, simple, weighted greedy) are quick.
    relief, relieff (several neighbours) and rrelieff (for a quantity) show how relevant every feature is, instead.
    standard-wrap, ordered-fs and ordered-fs2 ask a learner (--estimator) with which features it errs least.

    Rows are counted from 0, the header not counted.

    \b
    fewest select fewest:votes --target party --explain
    fewest select fewest:votes --target party --report votes.html
    fewest select zoo.csv --target type --drop animal --all 10 --core
    fewest select iris.csv --target species --margin '0.5 sd' --tolerance 0.01
    fewest select fewest:votes --target party --method relieff --n-features 5
    fewest select halves.csv --target class --method ordered-fs --estimator logistic --beam 50 --holdout 0.3
    zcat big.csv.gz | fewest select - -t label --time-limit 1m --format json
    fewest select 'parts/*.parquet' -t label --engine stream --time-limit none
    """
    check_outputs(certificate, tree, plot, report, checkpoint, reads=[data, costs])
    comparing = Comparing.parse(missing, margin, tolerance)
    own_include = None if method in WRAPPERS else include
    request = Request(method, comparing, most, core, own_include, forbid, costs, certificate, tree)
    request.check()
    wrapper = wrap.WrapperRequest(estimator, beam, holdout, search, max_features, patience, label_noise, checkpoint)
    pages.check_report(report)
    reading = opt.Reading(data, target, drop, kind, null, delimiter, no_header, encoding, drop_unlabelled)
    where = engines.Where(engine, scheduler, workers)
    relevance = rel.RelevanceRequest(threshold, n_features, alpha, samples, neighbours, ties, seed, plot)
    if explain and (method in WRAPPERS or method in RELEVANCE):
        raise ParameterError(
            f"--explain is for searches of sufficient subsets, not for {method}, which weighs features."
        )
    if method in WRAPPERS:
        rel.RelevanceRequest(threshold, n_features, alpha, samples, neighbours, ties).refuse_for(method)
        refused = {"--bins": bins, "--tolerance": comparing.tolerance, "--margin": comparing.margin}
        for name, value in refused.items():
            if value:
                raise ParameterError(f"{name} is not for {method}, which asks a learner. Leave it out.")
        wrapper.check(method, plot)
        return wrap.select_by_wrapper(
            method, wrapper, reading, where, include, seed, plot, time_limit, output_format, report
        )
    wrapper.refuse_for(method)
    if method in RELEVANCE:
        relevance.check(method, comparing)
        if bins:
            raise ParameterError(f"--bins is not for {method}, which takes numbers as they are.")
        return rel.select_by_relevance(method, relevance, reading, where, time_limit, output_format, report)
    relevance.refuse_for(method)
    seconds = opt.parse_seconds(time_limit)
    started = time.monotonic()
    obstacle = "--bins" if bins else "--report" if report else request.obstacle()
    with collected_notes() as notes, where.scanned(reading, obstacle) as scanned:
        if scanned is not None:
            outcome = request.fulfil_in_blocks(scanned, seconds)
        else:
            features, classes = reading.load()
            if bins:
                from fewest.table.intervals import cut_columns, interval_cuts

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
        raise typer.Exit(STOPPED_EARLY)
    if outcome.sample.n_contradictions and not outcome.sample.is_tolerant:
        raise typer.Exit(FOUND_CONTRADICTIONS)
    return None
