"""``fewest select``: the fewest features that tell the classes apart."""

from __future__ import annotations

import csv
import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fewest.cli import ExitCode, engines
from fewest.cli import options as opt
from fewest.cli.output import check_drawing, check_outputs, check_report, collected_notes, complain, progress
from fewest.cli.screening import Keep, KeepAll, Look
from fewest.cli.select_description import own_options, refuse_others, select_description
from fewest.cli.select_output import describe, print_answer, write_selection_page
from fewest.cover.options import OPTIONS, Method
from fewest.exceptions import ConflictingRowsWarning, ParameterError
from fewest.reading import parsed_json, read_whole

if TYPE_CHECKING:
    import numpy as np

    from fewest.blocks.scan import Scan
    from fewest.budget import Budget
    from fewest.cover.examples import Answer
    from fewest.cover.options import CoverOptions
    from fewest.cover.select import Selection
    from fewest.table import Column, Table
    from fewest.table.discretize import Cuts

# Smallest subsets that are compared by what they predict, where the proof took no more nodes than this.
MOST_NODES = 100_000
# What is selected again five times; more takes longer than people wait for a remark.
MOST_CELLS = 20_000_000

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
    exact_values: opt.ExactValues = False,
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
    drop: opt.Drop = None,
    keep: Keep = None,
    keep_all: KeepAll = False,
    parsing: opt.Parsing,
    drop_unlabelled: opt.DropUnlabelled = False,
) -> None:
    """Find the fewest features that tell the classes apart.

    min-features, focus1 and focus2 are exact, and prove that no fewer features do; mig, sg and wg (mutual-information,
    simple, weighted greedy) are quick. --all, --minimal, --permutations, --core, --include, --exclude, --costs and
    --certificate are for min-features, --tree is for focus2. min-description is for noisy data: the features with which
    the classes take the fewest bits to describe, with how sure that is. It takes --include, --exclude and --costs (in
    bits), and cuts numbers itself.

    Numeric columns of many values are cut into intervals that tell something about the class, unless --margin or
    --exact-values says how to compare them: every measurement differs from every other, and would separate all rows.
    Of several smallest subsets, the answer is the one that predicts left-out rows best, and what to expect of new rows
    is measured by selecting again without each of five folds (--no-validation does without).

    Rows are counted from 0, the header not counted. Exit code 1 when some rows are alike but of different class.

    \b
    fewest select fewest:votes --target party --explain
    fewest select fewest:votes --target party --report votes.html
    fewest select zoo.csv --target type --drop animal --all 10 --core
    fewest select iris.csv --target species --certificate iris.json
    fewest select patients.csv --target ill --method min-description
    fewest select iris.csv --target species --margin '0.5 sd' --tolerance 0.01
    zcat big.csv.gz | fewest select - -t label --time-limit 1m --format json
    fewest select 'parts/*.parquet' -t label --engine stream --time-limit none
    """
    check_outputs(certificate, tree, report, reads=[data, costs])
    check_report(report)
    comparing = opt.Comparing.parse(missing, margin, tolerance)
    asked = {"include": include, "exclude": exclude, "costs": costs}
    exact_only = {
        "all": most,
        "minimal": minimal,
        "permutations": permutations,
        "core": core,
        "certificate": certificate,
    }
    _refuse_misplaced(method, exact_only | ({} if method is Method.MIN_DESCRIPTION else asked), tree)
    if certificate is not None and comparing.tolerance:
        raise ParameterError("--certificate goes without --tolerance: with one, no few pairs of rows force the bound.")
    reading = opt.Reading(data, target, drop, parsing, drop_unlabelled)
    seconds = opt.parse_seconds(time_limit)
    look = Look(keep, keep_all, _asked_for(include, comparing), opt.split_names(exclude or ()))
    if method is Method.MIN_DESCRIPTION:
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
    obstacle = "--bins" if bins else "--report" if report else _obstacle(method, comparing)
    with collected_notes() as notes, where.scanned(reading, obstacle) as scanned:
        from fewest.blocks.lazy_table import lazy_table

        if scanned is None:
            features, classes = reading.load()
            features, screening = look.at(features, classes, notes)
            features = without_names(features, screening.many_categories, look)
            measured, cuts = features, intervals.cuts(features, classes.values)
            features = intervals.applied(features, cuts)
        else:
            scanned, screening = look.at_first_rows(scanned, notes)
            if intervals.which == "many":
                engines.refuse_many_values(scanned.store)
            features, classes = lazy_table(scanned)
            measured, cuts = features, {}
        own: dict[str, Any] = {}
        if method is Method.MIN_FEATURES:
            own = min_features_options(features, include, exclude, costs, screening.left_out)
        elif method is Method.FOCUS2:
            own = {"keep_trace": tree is not None}
        options = OPTIONS[method](**comparing.options(), time_limit=seconds, **own)
        outcome = search(features, classes, options, scanned, most, core, cuts=cuts)
        n_alike = report_residue(outcome, measured) if cuts else outcome.selection.sample.n_contradictions
        took = time.monotonic() - started
        described = {**describe(outcome), **_intervals_used(outcome, cuts)}
        if minimal is not None:
            described |= _minimal_subsets(outcome, minimal)
        if permutations is not None:
            described["chance"] = _by_chance(measured, outcome, options, intervals, permutations)
        is_validated = scanned is None and validate
        described["validation"] = validated(measured, outcome, options, intervals) if is_validated else None
    result = {"command": "select", "data": data, "screening": screening.to_dict(), "method": method.value, **described}
    result["notes"] = notes
    result["seconds"] = round(took, 3)
    print_answer(result, output_format, explain)
    if certificate is not None:
        _write_certificate(outcome, missing, cuts, certificate)
    if tree is not None:
        _write_tree(outcome, tree)
    if report is not None:
        write_selection_page(report, result, outcome, seconds)
    if outcome.answer.stopped_by is not None:
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


def _obstacle(method: Method, comparing: opt.Comparing) -> str | None:
    """Return the options that need all rows in memory, if any do."""
    if not OPTIONS[method].takes_blocks:
        return f"--method {method}"
    if comparing.tolerance == "cv" or comparing.margin is not None or comparing.missing != "value":
        return "a request with --tolerance cv, --margin or --missing cautious"
    return None


def without_names(features: Table, names: Sequence[str], look: Look) -> Table:
    """Return the features without nominal columns of very many categories, which separate nearly all rows.

    As a measurement does that is compared for equality: it would be the answer, and predict nothing.
    """
    kept = set(features.names) if look.keep_all else look.kept(features)
    out = [name for name in names if name not in kept]
    if not out or len(out) == len(features.columns):
        return features
    complain(
        "note",
        f"Not selected: {', '.join(out)}, with so many categories that hardly two rows share one. "
        f"--keep {out[0]} lets it take part.",
    )
    return features.drop(out)


def _asked_for(include: Sequence[str] | None, comparing: opt.Comparing) -> list[str]:
    """Return the columns that options name, which are not to be left out whatever they look like."""
    margins = comparing.margin if isinstance(comparing.margin, dict) else {}
    return [*opt.split_names(include or ()), *map(str, margins)]


@dataclass(frozen=True)
class Intervals:
    """Which numeric columns are compared by interval: none, those of many values, or all."""

    which: str

    @classmethod
    def parse(cls, bins: bool, exact_values: bool, comparing: opt.Comparing) -> Intervals:
        """Return what the options ask for: by default those of many values, which equality would make identifiers."""
        if bins and exact_values:
            raise ParameterError("--bins cuts numeric columns, and --exact-values does not. Choose one.")
        if bins:
            return cls("all")
        return cls("none" if exact_values or comparing.margin is not None else "many")

    def cuts(self, features: Table, classes: np.ndarray) -> Cuts:
        """Return where numeric columns are cut, as some rows and their classes show."""
        if self.which == "none":
            return {}
        from fewest.table.discretize import interval_cuts, sensible_cuts

        return (interval_cuts if self.which == "all" else sensible_cuts)(features, classes)

    @staticmethod
    def applied(features: Table, cuts: Cuts) -> Table:
        """Return the features with intervals in place of numbers."""
        from fewest.table.discretize import cut_columns

        return cut_columns(features, cuts) if cuts else features


def _minimal_subsets(outcome: Outcome, most: int) -> dict[str, Any]:
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


def _by_chance(
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
        return replace(encoded, tolerance=sample.tolerance)

    asked = search.cover.problem
    with progress() as on_progress:
        budget = Budget(outcome.selection.budget.seconds_left, on_progress)
        found = cost_by_chance(
            sample_of,
            outcome.classes.values,
            outcome.answer.cost,
            n_permutations,
            costs=asked.costs,
            include=tuple(asked.include),
            budget=budget,
        )
    return {
        "n_permutations": len(found.lower),
        "lower_bounds": list(found.lower),
        "costs": list(found.upper),
        "pvalue": found.pvalue,
        "in_words": str(found),
    }


def _intervals_used(outcome: Outcome, cuts: Cuts) -> dict[str, Any]:
    """Return which of the selected features are compared by interval, and where they are cut."""
    names = (outcome.features.names[j] for j in outcome.answer.subset)
    used = {name: cuts[name].tolist() for name in names if name in cuts}
    return {"n_cut": len(cuts), "cuts": used}


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


def validated(measured: Table, outcome: Outcome, options: CoverOptions, intervals: Intervals) -> dict[str, Any] | None:
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
        found = validated_selection(measured, outcome.classes, options, cut, Budget(left, on_progress))
    return None if isinstance(found, str) else found.described()


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
) -> Outcome:
    """Select features, of a table or of rows in blocks; of several smallest subsets, the one that predicts best."""
    from fewest.budget import Budget
    from fewest.cover.select import select_features

    with warnings.catch_warnings():
        if cuts:  # rows that only the cutting makes alike are no contradiction: see `report_residue`
            warnings.simplefilter("ignore", ConflictingRowsWarning)
        selection = select_features(features if scanned is None else scanned, classes, options, progress())
    if selection.search is None or not selection.answer.is_optimal:
        return Outcome(features, classes, selection)
    with progress() as on_progress:
        budget = Budget(selection.budget.seconds_left, on_progress)
        selection, subsets, scores = _best_predicting(selection, budget, most)
        named = None if not core else selection.search.core(budget)  # type: ignore[union-attr]  # it is as before
    return Outcome(features, classes, selection, subsets, named, scores, most is not None)


def _best_predicting(
    selection: Selection, budget: Budget, most: int | None
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

    subsets, scores = best_predicting(found, sample, budget, most or 0)
    if scores is None:
        return selection, subsets[:most], None
    found.prefer(subsets[0])
    chosen = replace(selection, answer=replace(selection.answer, subset=subsets[0]))
    return chosen, subsets[:most], scores[:most]


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
        text = read_whole(path).decode("utf-8-sig")
    except FileNotFoundError:
        raise ParameterError(f"There is no file of costs {str(path)!r}.") from None
    except UnicodeDecodeError as error:
        raise ParameterError(f"The costs in {str(path)!r} are not UTF-8 ({error.reason}). Save them as such.") from None
    if path.suffix == ".json":
        try:
            costs = parsed_json(text)
        except ValueError as error:
            raise ParameterError(f"{str(path)!r} is no JSON: {error}.") from None
        if not isinstance(costs, dict):
            raise ParameterError(f'{str(path)!r} must hold an object such as {{"age": 1, "scan": 250}}.')
        return costs
    try:
        rows = [row for row in csv.reader(text.splitlines()) if row]
    except csv.Error as error:
        raise ParameterError(f"{str(path)!r} is no CSV: {error}.") from None
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
