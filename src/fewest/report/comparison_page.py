"""The page of a comparison: which method to use, how sure that is, and which features matter to all."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from shlex import quote
from textwrap import wrap
from typing import Any

from fewest.report.performance import performance_sections
from fewest.report.sections import (
    Section,
    company_sections,
    data_alarms,
    data_section,
    features_section,
    findings_section,
    make_section,
    missing_section,
    origin_section,
    profiles_section,
)
from fewest.report.sentences import score_value
from fewest.report.summarize import FOUND, NOTHING, STOPPED, Page
from fewest.table import Column, Table

# Scores that differ by less than a reader should see are not drawn as if they were far apart.
LEAST_HEIGHT = 0.1
# The drawing of methods as points, and about how large its text is.
WIDTH, HEIGHT, LETTER, LINE = 520, 220, 7.5, 17
# What is free beside it, half a point, and the letters of a line of names that stand beside several points.
MARGIN, DOT, LONGEST_LINE = 145, 5, 30
NO_BREAK = "\N{NO-BREAK SPACE}"


def comparison_page(
    result: dict[str, Any],
    features: Table,
    target: Column,
    *,
    origin: dict[str, Any],
    further: Sequence[Section | None] = (),
) -> Page:
    """Make the page of `fewest.compare`; ``further`` sections follow those about the methods."""
    recommendation = result["recommendation"]
    chosen = recommendation["features"]
    sections = [
        methods_section(result),
        *performance_sections(result),
        _landscape(result),
        _frequency(result),
        _agreement(result),
        *further,
        profiles_section(features, target, chosen),
        *company_sections(features, target, chosen),
        missing_section(features, target),
        features_section(features, chosen),
        findings_section(result),
        data_section(features, target, result),
        _procedure(result),
        origin_section(origin),
    ]
    status = STOPPED if result["stopped_by"] else FOUND if recommendation["method"] else NOTHING
    return {
        "title": f"Which features predict {target.name}, and which method to trust",
        "answer": {
            "status": status,
            "claim": recommendation["sentence"],
            "proof": None,
            "reasons": recommendation["reasons"],
            "how": how_to_select(result),
            "effort": effort(result),
            "features": chosen,
            "facts": _facts(result),
        },
        "alarms": data_alarms(result),
        "notes": result["notes"],
        "sections": [section for section in sections if section is not None],
    }


def effort(result: dict[str, Any]) -> str:
    """State what was run, and what was not."""
    stop = f"; stopped by the {result['stopped_by']}" if result["stopped_by"] else ""
    left_out = f"; no time for {', '.join(result['skipped'])}" if result["skipped"] else ""
    folds = f"{result['n_folds']} fold{'s' * (result['n_folds'] != 1)}"
    judges = ", ".join(result["learners"])
    return f"{len(result['methods'])} methods on {folds}, judged by {judges}, {result['seconds']:.1f} s{stop}{left_out}"


def how_to_select(result: dict[str, Any]) -> str | None:
    """Return the command that runs the recommended method alone, on the same data read the same way."""
    command = result["recommendation"]["how"]
    if command is None:
        return None
    if not command.startswith("fewest "):
        return command  # an expression in Python
    program, verb, *options = command.split(" ")
    same = result.get("options", {}).get("compare" if verb == "compare" else "others", [])
    data = [quote(word) for word in (result["data"], "--target", result["target"], *same)]
    return " ".join([program, verb, *data, *options])


def _recommended(result: dict[str, Any]) -> dict[str, Any] | None:
    wanted = result["recommendation"]["method"]
    return next((method for method in result["methods"] if method["method"] == wanted), None)


def _facts(result: dict[str, Any]) -> list[dict[str, str]]:
    chosen = _recommended(result)
    metric = result["metrics"][0]
    facts = [
        {
            "value": score_value(metric, result["guess"]["score"]),
            "label": f"{metric['label']} by {result['guess']['text']}",
        }
    ]
    if chosen is None:
        return facts
    label = f"{metric['label']} on unseen rows with {chosen['method']}"
    facts.insert(0, {"value": score_value(metric, chosen["score"]), "label": label})
    n_selected = len(result["recommendation"]["features"])
    facts.insert(0, {"value": f"{n_selected:,}", "label": f"of {result['n_features']:,} features, chosen on all rows"})
    if chosen["stability"] is not None:
        facts.append({"value": f"{chosen['stability']:.2f}", "label": "stability of the choice"})
    return facts


def methods_section(result: dict[str, Any]) -> Section:
    """Show the methods side by side, the recommended one marked."""
    shown = [m[end] for m in result["methods"] for end in ("low", "high")] + [result["guess"]["score"]]
    low, high = min(shown), max(shown)
    low, high = low - 0.05 * (high - low), high + 0.05 * (high - low)
    metrics = [{**metric, "baseline_text": score_value(metric, metric["baseline"])} for metric in result["metrics"]]
    return make_section(
        "methods",
        "The methods side by side",
        methods=[_with_texts(method, metrics) for method in result["methods"]],
        recommended=result["recommendation"]["method"],
        guess=result["guess"],
        metrics=metrics,
        why=result["why_scoring"],
        n_features=result["n_features"],
        learners=result["learners"],
        scale={"low": low, "high": high if high > low else low + 1.0},
    )


def _with_texts(method: dict[str, Any], metrics: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a method with its scores as people read them."""
    first = metrics[0]
    ends = sorted((method["low"], method["high"]), key=lambda end: first["sign"] * end)
    return method | {
        "score_text": score_value(first, method["score"]),
        "low_text": score_value(first, ends[0]),
        "high_text": score_value(first, ends[1]),
        "metric_texts": {
            metric["name"]: score_value(metric, method["metrics"][metric["name"]]["mean"]) for metric in metrics
        },
        "learner_texts": {name: score_value(first, score) for name, score in method["by_learner"].items()},
    }


def _landscape(result: dict[str, Any]) -> Section | None:
    """Place every method by its number of features and its score: the best are at the top left."""
    methods = [method for method in result["methods"] if method["n_features"] > 0]
    if len(methods) < 2:
        return None
    xs = [log10(max(1.0, method["n_features"])) for method in methods]
    metric = result["metrics"][0]
    ys = [method["score"] for method in methods]
    left, right, top = min(xs), max(xs), max(ys)
    bottom = min(min(ys), top - LEAST_HEIGHT)
    points = [
        {
            "method": method["method"],
            "label": f"{method['n_features']:.1f} features, {metric['label']} {score_value(metric, method['score'])}",
            "x": WIDTH * ((x - left) / (right - left) if right > left else 0.5),
            "y": HEIGHT * (top - y) / (top - bottom),
        }
        for method, x, y in zip(methods, xs, ys, strict=True)
    ]
    return make_section(
        "landscape",
        "Few features or many, well predicted or not",
        points=points,
        labels=_labels(points),
        recommended=result["recommendation"]["method"],
        ticks=_ticks(left, right),
        width=WIDTH,
        height=HEIGHT,
        label=metric["label"],
        bottom=score_value(metric, bottom),
        top=score_value(metric, top),
    )


def _labels(points: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Put names beside their points, those of points that touch each other in one list, where nothing else stands."""
    taken = [(point["x"] - DOT, point["x"] + DOT, point["y"] - DOT, point["y"] + DOT) for point in points]
    labels = []
    for group in _touching(points):
        beside = max(group, key=lambda point: point["x"])
        start, y = beside["x"] + 12, beside["y"]
        letters = min(LONGEST_LINE, int((WIDTH + MARGIN - start) / LETTER))
        names = ", ".join(point["method"].replace(" ", NO_BREAK) for point in group)
        lines = wrap(names, letters, break_long_words=False, break_on_hyphens=False)
        end, below = start + LETTER * max(map(len, lines)), LINE * (len(lines) - 1)
        while any(
            start < to and since < end and y - LINE / 2 < bottom and top < y + below + LINE / 2
            for since, to, top, bottom in taken
        ):
            y += 1
        # So that no later name covers the line to one that moved down; those before begin further right.
        taken += [(start, end, y - LINE / 2, y + below + LINE / 2), (beside["x"], start, beside["y"], y)]
        labels.append({"lines": lines, "x": start, "y": y, "of_x": beside["x"], "of_y": beside["y"]})
    return labels


def _touching(points: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return the points in groups, from the right: those that are near each other, or near what is near, are in one."""
    groups: list[list[dict[str, Any]]] = []
    for point in sorted(points, key=lambda point: (point["x"], point["y"])):
        near = [
            group
            for group in groups
            if any(abs(point["x"] - one["x"]) <= LINE and abs(point["y"] - one["y"]) <= LINE for one in group)
        ]
        groups = [group for group in groups if group not in near] + [[*(one for group in near for one in group), point]]
    return sorted(groups, key=lambda group: -max(point["x"] for point in group))


def _ticks(left: float, right: float) -> list[dict[str, Any]]:
    """Return round numbers of features between two logarithms."""
    span = right - left
    values = [m * 10**e for e in range(6) for m in (1, 2, 5)]
    inside = [value for value in values if left - 1e-9 <= log10(value) <= right + 1e-9]
    return [{"value": value, "x": WIDTH * ((log10(value) - left) / span if span else 0.5)} for value in inside]


def _frequency(result: dict[str, Any]) -> Section | None:
    if not result["frequency"]:
        return None
    methods = list(result["frequency"][0]["by_method"])
    chosen = set(result["recommendation"]["features"])
    return make_section(
        "frequency",
        "How often each feature was chosen",
        methods=methods,
        records=result["frequency"],
        chosen=chosen,
        recommended=result["recommendation"]["method"],
    )


def _agreement(result: dict[str, Any]) -> Section | None:
    agreement = result["agreement"]
    if len(agreement["methods"]) < 2:
        return None
    return make_section("agreement", "Do the methods agree?", is_open=False, **agreement)


def _procedure(result: dict[str, Any]) -> Section:
    keys = (
        "n_rows",
        "n_rows_used",
        "n_folds",
        "n_splits",
        "folds",
        "learners",
        "skipped",
        "not_run",
        "sampled",
        "stopped_by",
        "task",
    )
    content = {key: result[key] for key in keys} | {"rule": result["recommendation"]["rule"]}
    return make_section("procedure", "How this was measured", is_open=False, **content)
