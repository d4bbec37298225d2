"""``fewest select``: the fewest features that tell the classes apart."""

from __future__ import annotations

import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fewest.cli import options as opt
from fewest.cli.output import aligned, print_json, print_jsonl
from fewest.cli.talk import collected_notes, progress

if TYPE_CHECKING:
    from fewest.search.answer import Answer
    from fewest.search.sample import Sample
    from fewest.table import Column, Table

FOUND_CONTRADICTIONS = 1
STOPPED_EARLY = 3


class Method(StrEnum):
    """The searches."""

    FOCUS1 = "focus1"
    FOCUS2 = "focus2"


def select(
    data: opt.Data,
    target: opt.Target,
    method: Annotated[Method, typer.Option("--method", "-m", help="The search.")] = Method.FOCUS2,
    drop: opt.Drop = None,
    time_limit: Annotated[
        str | None, typer.Option(metavar="TIME", help="Stop after 30, 90s or 5m with the best answer so far.")
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show why each feature is needed.")] = False,
    tree: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the search tree of focus2 as text (.txt) or drawing (.svg, .png)."),
    ] = None,
    output_format: opt.OutputFormat = opt.Format.TABLE,
    missing: opt.MissingRule = opt.Missing.VALUE,
    kind: opt.Kinds = None,
    null: opt.Nulls = None,
    delimiter: opt.Delimiter = None,
    no_header: opt.NoHeader = False,
    encoding: opt.Encoding = "utf-8",
    drop_unlabelled: opt.DropUnlabelled = False,
) -> None:
    """Find the fewest features that tell the classes apart, and prove that no fewer do.

    Rows are counted from 0, the header not counted.

    \b
    fewest select fewest:votes --target party --explain
    fewest select zoo.csv --target type --drop animal --method focus1
    zcat big.csv.gz | fewest select - -t label --time-limit 1m --format json
    """
    reading = opt.Reading(data, target, drop, kind, null, delimiter, no_header, encoding, drop_unlabelled)
    seconds = opt.parse_seconds(time_limit)
    started = time.monotonic()
    with collected_notes() as notes:
        features, classes = reading.load()
        sample, answer = _search(features, classes, method, missing, seconds, keep_tree=tree is not None)
    result = _describe(features, classes, sample, answer)
    result = {"command": "select", "data": data, "method": method.value, **result, "notes": notes}
    result["seconds"] = round(time.monotonic() - started, 3)
    if tree is not None:
        _write_tree(tree, answer, features.names)
    _print(result, output_format, explain)
    if answer.stopped_by is not None:
        raise typer.Exit(STOPPED_EARLY)
    if sample.n_contradictions:
        raise typer.Exit(FOUND_CONTRADICTIONS)


def _search(
    features: Table, classes: Column, method: Method, missing: str, seconds: float | None, keep_tree: bool
) -> tuple[Sample, Answer]:
    from fewest.search.budget import Budget
    from fewest.search.findings import report_contradictions, report_identifiers, report_stop
    from fewest.search.focus1 import focus1
    from fewest.search.focus2 import focus2
    from fewest.search.sample import Sample

    report_identifiers(features)
    sample = Sample.from_table(features, classes, missing)
    report_contradictions(sample, classes.labels)
    with progress() as on_progress:
        budget = Budget(seconds, on_progress)
        answer = focus1(sample, budget) if method is Method.FOCUS1 else focus2(sample, budget, keep_tree=keep_tree)
    report_stop(answer)
    return sample, answer


def _describe(features: Table, classes: Column, sample: Sample, answer: Answer) -> dict[str, Any]:
    """Turn the answer into plain data, with the reason for every feature."""
    from fewest.search.answer import needed_for

    explanation = []
    for feature, pair in needed_for(sample, answer.subset).items():
        column = features.columns[feature]
        explanation.append(
            {
                "feature": column.name,
                "rows": list(pair) if pair else None,
                "classes": [classes.value_at(row) for row in pair] if pair else None,
                "values": [column.value_at(row) for row in pair] if pair else None,
            }
        )
    return {
        "target": classes.name,
        "n_rows": features.n_rows,
        "n_features": len(features.columns),
        "classes": list(classes.labels),
        "features": [features.columns[feature].name for feature in answer.subset],
        "is_minimal": answer.is_optimal,
        "lower_bound": answer.lower_bound,
        "stopped_by": answer.stopped_by,
        "n_sufficiency_tests": answer.n_sufficiency_tests,
        "history": answer.history(),
        "n_contradictions": sample.n_contradictions,
        "contradiction": list(sample.contradiction) if sample.contradiction else None,
        "explanation": explanation,
    }


def _print(result: dict[str, Any], output_format: opt.Format, explain: bool) -> None:
    if output_format is opt.Format.JSON:
        print_json(result)
    elif output_format is opt.Format.JSONL:
        print_jsonl(result["explanation"])
    else:
        typer.echo(_headline(result))
        if result["features"]:
            typer.echo("\n" + _listing(result, explain))


def _headline(result: dict[str, Any]) -> str:
    chosen, n_features, target = len(result["features"]), result["n_features"], result["target"]
    tests = f"{result['method']}, {result['n_sufficiency_tests']:,} sufficiency tests, {result['seconds']:.1f} s"
    if len(result["classes"]) == 1:
        return f"No feature is needed: every row has {target} = {result['classes'][0]}."
    separate = "separates" if chosen == 1 else "separate"
    what = f"{chosen} of {n_features} features {separate} the classes of {target}"
    if result["n_contradictions"]:
        what += f" in every pair of rows but {result['n_contradictions']:,}, which no features separate"
    if result["is_minimal"]:
        return f"{what}; no fewer do ({tests})."
    fewer = f"{result['lower_bound']} to {chosen - 1}" if result["lower_bound"] < chosen - 1 else chosen - 1
    return f"{what}; some other {fewer} might do, too ({tests}; stopped by the {result['stopped_by']})."


def _listing(result: dict[str, Any], explain: bool) -> str:
    if not explain:
        return "\n".join(f"  {name}" for name in result["features"])
    heading = ("feature", "only it separates", "", "values", "")
    rows = [
        (
            reason["feature"],
            *(f"row {row} ({label})" for row, label in zip(reason["rows"], reason["classes"], strict=True)),
            *reason["values"],
        )
        for reason in result["explanation"]
    ]
    return aligned([heading, *rows])


def _write_tree(path: Path, answer: Answer, names: tuple[str, ...]) -> None:
    from fewest.exceptions import ParameterError

    if answer.tree is None:
        raise ParameterError("--tree needs --method focus2 and more than one class: nothing else searches a tree.")
    if path.suffix == ".txt":
        path.write_text(answer.tree.to_text(names) + "\n", encoding="utf-8")
        return
    from fewest.report.search_tree import save_search_tree

    save_search_tree(answer.tree, path, names)
