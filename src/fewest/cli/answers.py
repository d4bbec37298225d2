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
    features, classes, answer = outcome.features, outcome.classes, outcome.answer
    names = features.names
    contradiction = outcome.sample.contradiction
    described = {
        "target": classes.name,
        "n_rows": features.n_rows,
        "n_features": len(names),
        "classes": list(classes.labels),
        "features": [names[j] for j in answer.subset],
        "cost": answer.cost,
        "lower_bound": answer.lower_bound,
        "is_minimal": answer.is_optimal,
        "stopped_by": answer.stopped_by,
        "n_sufficiency_tests": answer.n_sufficiency_tests,
        "history": list(answer.history),
        "tolerance": outcome.sample.tolerance,
        "n_pairs": outcome.sample.n_pairs,
        "n_uncovered": outcome.selection.n_uncovered,
        "n_contradictions": outcome.sample.n_contradictions,
        "contradiction": None if contradiction is None else [features.row_number(row) for row in contradiction],
        "explanation": [_reason(outcome, j, pair) for j, pair in outcome.selection.witnesses.items()],
    }
    if outcome.subsets is not None:
        described["minimum_subsets"] = [[names[j] for j in subset] for subset in outcome.subsets]
    if outcome.core is not None:
        described["core"] = [names[j] for j in outcome.core]
    return described


def _reason(outcome: Outcome, feature: int, pair: tuple[int, int] | None) -> dict[str, Any]:
    """Name two rows that only this feature separates; None where it was merely asked for."""
    column = outcome.features.columns[feature]
    if pair is None:
        return {"feature": column.name, "rows": None, "classes": None, "values": None}
    return {
        "feature": column.name,
        "rows": [outcome.features.row_number(row) for row in pair],
        "classes": [outcome.classes.value_at(row) for row in pair],
        "values": [column.value_at(row) for row in pair],
    }


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
