"""How ``fewest select`` tells its answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import typer

from fewest.cli.options import Format
from fewest.cli.output import aligned, chosen, print_json, print_jsonl, strong
from fewest.cli.request import Outcome
from fewest.report.sentences import selection_sentence


def describe(outcome: Outcome) -> dict[str, Any]:
    """Turn an answer into plain data, with the reason for every feature."""
    from fewest.report.summarize import describe_selection

    names = outcome.features.names
    described = describe_selection(outcome.selection, outcome.features, outcome.classes)
    if outcome.subsets is not None:
        described["minimum_subsets"] = [[names[j] for j in subset] for subset in outcome.subsets]
    if outcome.core is not None:
        described["core"] = [names[j] for j in outcome.core]
    return described


def print_answer(result: dict[str, Any], output_format: Format, explain: bool) -> None:
    """Print a described answer."""
    if output_format is Format.JSON:
        print_json(result)
    elif output_format is Format.JSONL:
        print_jsonl(result["explanation"])
    else:
        typer.echo("\n\n".join(_paragraphs(result, explain)))


def _paragraphs(result: dict[str, Any], explain: bool) -> list[str]:
    paragraphs = [strong(selection_sentence(result))]
    if result["features"]:
        paragraphs.append(_reasons(result) if explain else chosen(_listed(result["features"])))
    if "core" in result:
        core = ", ".join(result["core"]) or "none"
        paragraphs.append(f"In every subset of the least cost: {core}.")
    if "minimum_subsets" in result:
        subsets = result["minimum_subsets"]
        paragraphs.append(
            f"{len(subsets)} subset{'s' * (len(subsets) != 1)} of the least cost:\n\n"
            + _listed(", ".join(subset) or "(no feature)" for subset in subsets)
        )
    return paragraphs


def _listed(lines: Iterable[str]) -> str:
    return "\n".join(f"  {line}" for line in lines)


def _reasons(result: dict[str, Any]) -> str:
    heading = ("feature", "only it separates", "", "values", "")
    rows = []
    for reason in result["explanation"]:
        if reason["rows"] is None:
            rows.append((reason["feature"], "(it was asked for)", "", "", ""))
            continue
        pair = (f"row {row} ({label})" for row, label in zip(reason["rows"], reason["classes"], strict=True))
        rows.append((reason["feature"], *pair, *reason["values"]))
    return aligned([heading, *rows])
