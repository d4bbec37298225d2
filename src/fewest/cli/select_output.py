"""What ``fewest select`` prints and writes: plain data, text for people, the page, the certificate, the tree."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fewest.cli.options import Format
from fewest.cli.output import aligned, chosen, print_result, say, strong
from fewest.report.sentences import nothing_sentence, selection_remarks, selection_sentence

if TYPE_CHECKING:
    from fewest.cli.select_search import Outcome
    from fewest.table.discretize import Cuts

# How many seconds a page may take to find other subsets.
SECONDS_FOR_MORE = 10.0


def describe(outcome: Outcome) -> dict[str, Any]:
    """Turn an outcome into plain data, with the reason for every feature."""
    from fewest.report.summarize import describe_selection

    names = outcome.features.names
    described = describe_selection(outcome.selection, outcome.features, outcome.classes)
    if outcome.is_listed and outcome.subsets is not None:
        described["minimum_subsets"] = [[names[j] for j in subset] for subset in outcome.subsets]
        described["subset_scores"] = outcome.scores
        described["subset_scoring"] = "balanced accuracy"
    if outcome.core is not None:
        described["core"] = [names[j] for j in outcome.core]
    return described


def print_answer(result: dict[str, Any], output_format: Format, explain: bool) -> None:
    """Print a described answer."""
    print_result(output_format, result, result["explanation"], lambda: say("\n\n".join(_paragraphs(result, explain))))


def _paragraphs(result: dict[str, Any], explain: bool) -> list[str]:
    nothing = nothing_sentence(result)
    paragraphs = [strong(nothing)] if nothing else []
    paragraphs.append(strong(selection_sentence(result)))
    if result["features"]:
        paragraphs.append(_reasons(result) if explain else chosen(_listed(result["features"])))
    paragraphs += selection_remarks(result)
    if "chance" in result:
        paragraphs.append(result["chance"]["in_words"])
    if "core" in result:
        core = ", ".join(result["core"]) or "none"
        paragraphs.append(f"In every subset of the least cost: {core}.")
    if "minimum_subsets" in result:
        paragraphs.append(_subsets(result))
    if "minimal_subsets" in result:
        paragraphs += _minimal(result)
    return paragraphs


def _minimal(result: dict[str, Any]) -> list[str]:
    """List the subsets from which nothing can be left out, and what can take the place of each feature."""
    subsets = result["minimal_subsets"]
    which = f"{len(subsets)} subset{'s' * (len(subsets) != 1)} from which nothing can be left out"
    all_of_them = "all there are" if result["minimal_is_complete"] else "there are more"
    lines = [", ".join(subset) or "(no feature)" for subset in subsets]
    replaced = [(name, ", ".join(others) or "-") for name, others in result["substitutes"].items()]
    return [f"{which} ({all_of_them}):\n\n{_listed(lines)}", aligned([("feature", "could be replaced by"), *replaced])]


def _subsets(result: dict[str, Any]) -> str:
    """List the smallest subsets, with how well each predicts where that was measured."""
    subsets, scores = result["minimum_subsets"], result["subset_scores"]
    count = f"{len(subsets)} subset{'s' * (len(subsets) != 1)} of the least cost"
    lines = [", ".join(subset) or "(no feature)" for subset in subsets]
    if scores is None:
        return f"{count}:\n\n{_listed(lines)}"
    scored = [f"{score:.1%}  {line}" for score, line in zip(scores, lines, strict=True)]
    return f"{count}, with the {result['subset_scoring']} of a tree on rows left out:\n\n{_listed(scored)}"


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


def write_selection_page(path: Path, result: dict[str, Any], outcome: Outcome, seconds: float | None) -> None:
    """Write the page of a sufficient subset."""
    from fewest.report.proof import path_facts, proof_facts
    from fewest.report.render import command_line, origin, write_page
    from fewest.report.summarize import selection_page

    features, classes, selection = outcome.features, outcome.classes, outcome.selection
    left = SECONDS_FOR_MORE if seconds is None else min(SECONDS_FOR_MORE, max(0.0, seconds - result["seconds"]))
    order = [step["feature"] for step in outcome.answer.history if "feature" in step]
    page = selection_page(
        {**result, **alternatives(outcome, left)},
        features,
        classes,
        origin=origin(command_line(), result["seconds"]),
        proof=None if selection.search is None else proof_facts(selection.search, features, classes),
        path=path_facts(selection.sample, order, features.names) if order else None,
    )
    write_page(page, path)


def alternatives(outcome: Outcome, seconds: float = SECONDS_FOR_MORE) -> dict[str, Any]:
    """Find the core and other subsets of the least cost, as far as time allows."""
    from fewest.budget import Budget
    from fewest.report.proof import MOST_SUBSETS, alternative_facts

    search, names = outcome.selection.search, outcome.features.names
    if search is None or not outcome.answer.is_optimal or not outcome.answer.subset:
        return {}
    until = time.monotonic() + seconds
    found = alternative_facts(
        names,
        lambda: search.core(Budget(seconds / 2)) if outcome.core is None else outcome.core,
        lambda: outcome.subsets or search.minimum_subsets(Budget(max(0.0, until - time.monotonic()))),
    )
    if outcome.scores is not None:
        found |= {"subset_scores": outcome.scores[:MOST_SUBSETS], "subset_scoring": "balanced accuracy"}
    return found


def write_certificate(outcome: Outcome, missing: str, cuts: Cuts, path: Path) -> None:
    """Write what proves the bound of a search, for ``fewest verify``."""
    from fewest.cover.certificate import make_certificate, save_certificate

    names, found = list(outcome.features.names), outcome.selection
    assert found.search is not None, "only min-features has a certificate"
    excluded = [names[j] for j in found.excluded]
    target = outcome.classes.name
    of_columns = {name: of_column.tolist() for name, of_column in cuts.items()}
    facts = make_certificate(
        found.search, names, missing=missing, target=target, exclude=excluded, cuts=of_columns, budget=found.budget
    )
    save_certificate(facts, path)


def write_tree(outcome: Outcome, path: Path) -> None:
    """Write the search tree of FOCUS-2 as text or as a drawing."""
    from fewest.cover.plots import write_search_tree

    if outcome.answer.tree is not None:
        write_search_tree(outcome.answer.tree, path, outcome.features.names)
