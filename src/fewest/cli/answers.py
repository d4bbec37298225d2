"""How ``fewest select`` tells its answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import typer

from fewest.cli.options import Format
from fewest.cli.output import aligned, print_json, print_jsonl
from fewest.cli.request import Outcome


def describe(outcome: Outcome) -> dict[str, Any]:
    """Turn an answer into plain data, with the reason for every feature."""
    from fewest.search.answer import needed_for

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
        "n_uncovered": outcome.n_uncovered,
        "n_contradictions": outcome.sample.n_contradictions,
        "contradiction": None if contradiction is None else [features.row_number(row) for row in contradiction],
        "explanation": [_reason(outcome, j, pair) for j, pair in needed_for(outcome.sample, answer.subset).items()],
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
    paragraphs = [_headline(result)]
    if result["features"]:
        paragraphs.append(_reasons(result) if explain else _listed(result["features"]))
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


def _headline(result: dict[str, Any]) -> str:
    chosen, target = len(result["features"]), result["target"]
    if len(result["classes"]) == 1:
        return f"No feature is needed: every row has {target} = {result['classes'][0]}."
    if result["n_features"] == 0:
        return f"There is no feature: the data has no column but {target}."
    if chosen == 0 and result["n_contradictions"] < result["n_pairs"]:
        return f"No feature is needed: the tolerance allows every pair of rows of different {target} to stay alike."
    if chosen == 0:
        return f"No feature separates any of the {result['n_contradictions']:,} pairs of rows of different {target}."
    has_costs = result["cost"] != chosen
    price = f", for {result['cost']:g} in all," if has_costs else ""
    what = f"{chosen} of {result['n_features']} features{price} separate{'s' * (chosen == 1)} the classes of {target}"
    if result["tolerance"]:
        left = f"{result['n_uncovered']:,} of {result['n_pairs']:,} pairs of rows"
        what += (
            f" but for {left} ({result['n_uncovered'] / result['n_pairs']:.2%} of {result['tolerance']:.2%} allowed)"
        )
    elif result["n_contradictions"]:
        what += f" in every pair of rows but {result['n_contradictions']:,}, which no features separate"
    return f"{what}; {_proof(result, has_costs)}."


def _proof(result: dict[str, Any], has_costs: bool) -> str:
    effort = f"{result['method']}, {_work(result)}, {result['seconds']:.1f} s"
    if result["is_minimal"]:
        return f"{'none cheaper do' if has_costs else 'no fewer do'} ({effort})"
    if result["stopped_by"] is None:
        return f"fewer might do, too ({effort}; a greedy method proves nothing)"
    low, high = result["lower_bound"], result["cost"]
    if has_costs:
        other = f"a cheaper subset, for {low:g} or more, might do, too"
    else:
        other = f"some other {low} to {high - 1} might do, too" if low < high - 1 else f"some other {low} might do, too"
    return f"{other} ({effort}; stopped by the {result['stopped_by']})"


def _work(result: dict[str, Any]) -> str:
    """Say what the search did, in the unit that its method counts."""
    last = result["history"][-1]
    if "n_conflicts" in last:
        conflicts = f"{last['n_conflicts']:,} conflicts, " if last["n_conflicts"] else ""
        return f"{conflicts}{last['n_nodes']:,} nodes"
    n_tests = result["n_sufficiency_tests"]
    return f"{n_tests:,} sufficiency test{'s' * (n_tests != 1)}"


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
