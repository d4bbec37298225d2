"""``fewest rank``: how relevant every feature is."""

from __future__ import annotations

import time
from dataclasses import replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fewest.cli import ExitCode, engines
from fewest.cli import options as opt
from fewest.cli.output import (
    aligned,
    blocks,
    check_drawing,
    check_outputs,
    check_report,
    chosen,
    collected_notes,
    faint,
    print_result,
    progress,
    say,
    strong,
)
from fewest.cli.screening import Keep, KeepAll, Look
from fewest.exceptions import ParameterError
from fewest.report.sentences import relevance_sentence

if TYPE_CHECKING:
    from fewest.blocks.store import Store
    from fewest.relief.options import RelevanceOptions
    from fewest.relief.relief import Ranking
    from fewest.table import Column, Table

WIDEST_BAR, MOST_BARS = 30, 40


class Method(StrEnum):
    """The methods that give every feature a relevance."""

    RELIEF = "relief"
    RELIEFF = "relieff"
    RRELIEFF = "rrelieff"


def rank(
    data: opt.Data,
    target: opt.Target,
    *,
    method: Annotated[
        Method | None,
        typer.Option(
            "--method",
            "-m",
            help="How relevance is measured: relieff if not given, or rrelieff for a numeric target.",
            rich_help_panel=opt.FINDING,
        ),
    ] = None,
    n_features: Annotated[
        int | None,
        typer.Option(
            "--n-features-to-select",
            metavar="N",
            min=1,
            help="Keep the N most relevant features.",
            rich_help_panel=opt.FINDING,
        ),
    ] = None,
    threshold: Annotated[
        str | None,
        typer.Option(
            metavar="TAU",
            help="Keep features of this relevance or more; permutation (the default), interval (too much for unequal "
            "classes) and auto derive it from --alpha.",
            rich_help_panel=opt.FINDING,
        ),
    ] = None,
    alpha: Annotated[
        float | None,
        typer.Option(
            help="The probability of an error (0.05 if not given); --correction says of which.",
            rich_help_panel=opt.FINDING,
        ),
    ] = None,
    correction: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="Let --alpha bound the share of irrelevant features among those kept (fdr, the default), the "
            "probability that any is kept (bonferroni), or that each is (none).",
            rich_help_panel=opt.FINDING,
        ),
    ] = None,
    neighbors: Annotated[
        int | None,
        typer.Option(
            "--neighbors",
            metavar="K",
            min=1,
            help="relieff, rrelieff: nearest rows of each class (10).",
            rich_help_panel=opt.COMPARING,
        ),
    ] = None,
    neighborhood: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="relieff, rrelieff: the --neighbors nearest rows, or multisurf: all that are nearer than usual.",
            rich_help_panel=opt.COMPARING,
        ),
    ] = None,
    step: Annotated[
        str | None,
        typer.Option(
            metavar="SHARE",
            help="Iterate (TuRF): drop this share of the least relevant features, look for neighbors again, and so on; "
            "auto does so where nothing is relevant without.",
            rich_help_panel=opt.COMPARING,
        ),
    ] = None,
    max_samples: Annotated[
        str | None,
        typer.Option(
            "--max-samples",
            metavar="M",
            help="Sample M rows instead of taking all; 0.1 samples a tenth of them.",
            rich_help_panel=opt.COMPARING,
        ),
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(
            metavar="METRIC",
            help="manhattan or euclidean distances between rows (relief: euclidean, others: manhattan).",
            rich_help_panel=opt.COMPARING,
        ),
    ] = None,
    ties: Annotated[
        str | None,
        typer.Option(
            metavar="RULE",
            help="random or average among rows at the same distance (relief: random, others: average).",
            rich_help_panel=opt.COMPARING,
        ),
    ] = None,
    seed: opt.Seed = 0,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Draw the relevance of all features (.svg, .png, .pdf).", rich_help_panel=opt.OUTPUT
        ),
    ] = None,
    report: opt.Report = None,
    output_format: opt.OutputFormat = opt.Format.TABLE,
    time_limit: opt.TimeLimit = "30s",
    where: engines.Where,
    drop: opt.Drop = None,
    keep: Keep = None,
    keep_all: KeepAll = False,
    parsing: opt.Parsing,
    drop_unlabelled: opt.DropUnlabelled = False,
) -> None:
    """Measure how relevant every feature is to the target.

    Those relevant beyond chance are kept. relief compares a row with its nearest row of each class, relieff with
    several, rrelieff does so for a regression target. All see features that matter only together. A missing value
    differs as much as is to be expected.

    \b
    fewest rank fewest:votes --target party
    fewest rank fewest:votes --target party --n-features-to-select 5 --report votes.html
    fewest rank genes.csv -t tumour --drop patient --neighbors 20 --max-samples 500
    fewest rank prices.csv -t price --plot prices.svg
    """
    check_outputs(plot, report, reads=[data])
    check_report(report)
    check_drawing(plot)
    options_of = partial(
        relevance_options,
        threshold=threshold,
        n_features=n_features,
        alpha=alpha,
        neighbors=neighbors,
        neighborhood=neighborhood,
        step=_parse_step(step),
        max_samples=_parse_samples(max_samples),
        metric=metric,
        ties=ties,
        correction=correction,
    )
    from fewest.screening.finding import ONE_OF_EACH

    options = options_of(method or Method.RELIEFF)  # what contradicts itself is refused before anything is read
    reading = opt.Reading(data, target, drop, parsing, drop_unlabelled)
    seconds = opt.parse_seconds(time_limit)
    started = opt.start_clock("fewest.relief.relief")
    is_regression = method is Method.RRELIEFF
    is_chosen, method = method is None, method or Method.RELIEFF
    with collected_notes() as notes, where.scanned(reading, "--report" if report else None) as scanned:
        store, look = None, Look(keep, keep_all, of_groups=ONE_OF_EACH)
        if scanned is None:
            table, column = reading.load_by_task(None) if is_chosen else reading.load(is_regression=is_regression)
            if is_chosen and not column.labels:
                method = Method.RRELIEFF
                options = options_of(method)
            table, screening = look.at(table, column, notes)
        else:
            from fewest.blocks.lazy_table import lazy_table

            scanned, screening = look.at_first_rows(scanned, notes, is_regression=is_regression)
            store = scanned.regression_store if is_regression else scanned.numeric_store
            table, column = lazy_table(scanned, store)
        ranking = run_ranking(table, column, options, seconds, seed, store)
    described = describe(table, column, options, ranking)
    result = {"command": "rank", "data": data, "screening": screening.to_dict(), "method": method.value, **described}
    result["notes"] = notes
    result["seconds"] = round(time.monotonic() - started, 3)
    relevance = result["relevance"]
    print_result(
        output_format, result, relevance, lambda: say(f"{strong(relevance_sentence(result))}\n\n{chart(relevance)}")
    )
    if plot is not None:
        from fewest.relief.plots import write_relevance

        write_relevance(result["relevance"], plot)
    if report is not None:
        from fewest.report.render import command_line, origin, write_page
        from fewest.report.summarize import relevance_page

        write_page(relevance_page(result, table, column, origin=origin(command_line(), result["seconds"])), report)
    if result["stopped_by"] is not None:
        raise typer.Exit(ExitCode.STOPPED_EARLY)


def relevance_options(
    method: Method,
    threshold: str | None = None,
    n_features: int | None = None,
    alpha: float | None = None,
    neighbors: int | None = None,
    **others: Any,
) -> RelevanceOptions:
    """Return the options of a method: those given, and its defaults for the rest; raise when they contradict."""
    from fewest.relief.options import ReliefFOptions, ReliefOptions, RReliefFOptions

    if method is Method.RELIEF and neighbors is not None:
        raise ParameterError("relief has one neighbor of each class. Use --method relieff for --neighbors.")
    if method is Method.RELIEF and others.pop("neighborhood", None) is not None:
        raise ParameterError("relief has one neighbor of each class. Use --method relieff for --neighborhood.")
    correction = others.pop("correction", None)
    if n_features is not None and any(given is not None for given in (threshold, alpha, correction)):
        raise ParameterError(
            "--n-features-to-select keeps that many, whatever --threshold, --alpha and --correction say. Leave one out."
        )
    limit = None if threshold is None else _parse_threshold(threshold)
    if correction is not None and (isinstance(limit, float) or limit == "auto"):
        raise ParameterError(f"--threshold {threshold} tests nothing that --correction could correct. Leave one out.")
    if isinstance(limit, float) and alpha is not None:
        raise ParameterError("--alpha determines a threshold, and --threshold is one. Leave one of them out.")
    if method is Method.RRELIEFF and limit == "auto":
        raise ParameterError("--threshold auto is for classes only. Use --threshold permutation with rrelieff.")
    kinds = {Method.RELIEF: ReliefOptions, Method.RELIEFF: ReliefFOptions, Method.RRELIEFF: RReliefFOptions}
    given = {
        "threshold": limit,
        "min_features_to_select": 0,
        "n_features_to_select": n_features,
        "alpha": alpha,
        "n_neighbors": neighbors,
        **others,
    }
    given["n_jobs"] = opt.ALL_CORES
    chosen_options = {name: value for name, value in given.items() if value is not None}
    if correction is not None:
        chosen_options["correction"] = _parse_correction(correction)
    return kinds[method](**chosen_options)


def _parse_correction(text: str) -> str | None:
    if text not in ("fdr", "bonferroni", "none"):
        raise ParameterError.from_choice("--correction", text, ("fdr", "bonferroni", "none"))
    return None if text == "none" else text


def _parse_threshold(text: str) -> float | str:
    if text in ("permutation", "interval", "auto"):
        return text
    try:
        return float(text)
    except ValueError:
        raise ParameterError.from_choice("--threshold", text, ("permutation", "interval", "auto", "a number")) from None


def _parse_step(step: str | None) -> float | str | None:
    """Return the share of the features to drop, or what is no number as it is."""
    try:
        return None if step is None else float(step)
    except ValueError:
        return step


def _parse_samples(text: str | None) -> int | float | None:
    """Return a number of rows, or, where there is a point in it, a share of them."""
    if text is None:
        return None
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        raise ParameterError.from_choice("--max-samples", text, ("a number of rows", "a share such as 0.1")) from None


def run_ranking(
    features: Table,
    target: Column,
    options: RelevanceOptions,
    seconds: float | None,
    seed: int = 0,
    store: Store | None = None,
) -> Ranking:
    """Measure the relevance of every feature, by the rows of a table or of a store, showing progress."""
    from fewest.budget import Budget, OutOfBudgetError
    from fewest.relief.relief import rank_features

    if not features.columns:
        raise ParameterError(f"There is no feature: the data has no column but {target.name}.")
    if options.n_features_to_select is not None:
        options = replace(options, n_features_to_select=min(options.n_features_to_select, len(features.columns)))
    data, values = (features, target.values) if store is None else (store, None)
    with progress() as on_progress:
        try:
            return rank_features(data, values, options, seed=seed, budget=Budget(seconds, on_progress))
        except OutOfBudgetError:
            raise KeyboardInterrupt from None  # nothing is known yet


def describe(features: Table, target: Column, options: RelevanceOptions, ranking: Ranking) -> dict[str, Any]:
    """Turn a ranking into plain data."""
    from fewest.relief.relevance import relevance_records

    threshold = ranking.threshold if isinstance(ranking.threshold, float) else options.threshold
    return {
        "target": target.name,
        "n_rows": features.n_rows,
        "n_features": len(features.columns),
        "n_sampled": ranking.n_sampled,
        "threshold": threshold if options.n_features_to_select is None else None,
        "stopped_by": ranking.stopped_by,
        "features": [name for name, is_kept in zip(features.names, ranking.support, strict=True) if is_kept],
        "relevance": [
            {name: float(f"{value:.6g}") if isinstance(value, float) else value for name, value in record.items()}
            for record in relevance_records(
                features.names,
                ranking.scores,
                ranking.standard_errors,
                ranking.support,
                ranking.pvalues,
                ranking.null_scores,
            )
        ],
        "history": [{"n_sampled": step["n_sampled"], "scores": step["scores"].tolist()} for step in ranking.history],
    }


def p_value(value: float) -> str:
    """Write a p-value as people read it."""
    return "<.001" if value < 0.001 else f"{value:.3f}".removeprefix("0")


def chart(records: list[dict[str, Any]], most: int = MOST_BARS) -> str:
    """Draw relevance beyond chance as bars around zero: ``#`` for what is selected, ``=`` and ``-`` for the rest."""
    from fewest.relief.relevance import beyond_chance

    shown = records[:most]
    beyond = [beyond_chance(record) for record in shown]
    largest = max(map(abs, beyond), default=0) or 1.0
    sizes = [round(WIDEST_BAR * value / largest) for value in beyond]
    left = max([-size for size in sizes if size < 0], default=0)
    has_chance, is_tested = (any(record.get(name) is not None for record in shown) for name in ("by_chance", "p_value"))
    headings = ["relevance", "error", *(["chance"] if has_chance else []), *(["p"] if is_tested else [])]
    rows: list[tuple[object, ...]] = [("feature", *headings, "beyond chance" if has_chance else "")]
    for record, size in zip(shown, sizes, strict=True):
        mark = "#" if record["is_selected"] else "="
        bar = ("-" * max(0, -size)).rjust(left) + "|" + mark * max(0, size)
        figures = [f"{record['relevance']:9.3f}", f"{record['standard_error']:5.3f}"]
        if has_chance:
            figures.append(f"{record['by_chance']:6.3f}")
        if is_tested:
            figures.append(p_value(record["p_value"]))
        rows.append((record["feature"], *figures, blocks(bar)))
    heading, *lines = aligned(rows).split("\n")
    coloured = [chosen(line) if record["is_selected"] else line for line, record in zip(lines, shown, strict=True)]
    hidden = len(records) - len(shown)
    return "\n".join([faint(heading), *coloured]) + (f"\n  ... and {hidden:,} less relevant ones" if hidden else "")
