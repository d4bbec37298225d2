"""Results become pages: plain data that says what to show, and nothing about how it looks.

A page is a dictionary with a ``title``, an ``answer``, ``notes`` and a list of
``sections``; every section names its ``kind``, and the template of that name
in ``templates/sections`` draws it. A new kind of result needs a function here
that returns a page, and a template for each section that is new.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from fewest.report.data_facts import column_facts, data_facts, value_profile
from fewest.report.sentences import (
    has_costs,
    relevance_claim,
    relevance_effort,
    selection_claim,
    selection_effort,
    selection_proof,
)
from fewest.table import Column, Table

Page = dict[str, Any]
Section = dict[str, Any]

# What a reader looks at, and what keeps a page of three thousand columns below a megabyte.
MOST_PROFILES, MOST_BARS, MOST_LISTED = 12, 40, 1000
PROVEN, FOUND, STOPPED, NOTHING = "proven", "found", "stopped", "nothing"


def selection_page(
    result: dict[str, Any],
    features: Table,
    target: Column,
    *,
    origin: dict[str, Any],
    proof: dict[str, Any] | None = None,
    path: list[dict[str, Any]] | None = None,
) -> Page:
    """Make the page of a sufficient subset: the answer, its reasons, its proof, and the data."""
    sections = [
        profiles_section(features, target, result["features"]),
        _reasons(result),
        _path(path, result),
        _proof(proof, result),
        _alternatives(result),
        _tests(result),
        features_section(features, result["features"]),
        data_section(features, target, result),
        origin_section(origin),
    ]
    return {
        "title": f"What tells {target.name} apart",
        "answer": {
            "status": _status(result),
            "claim": f"{selection_claim(result)}.",
            "proof": _proof_sentence(result),
            "effort": selection_effort(result) if result["features"] else None,
            "features": result["features"],
            "facts": _selection_facts(result),
        },
        "notes": result["notes"],
        "sections": [section for section in sections if section is not None],
    }


def relevance_page(result: dict[str, Any], features: Table, target: Column, *, origin: dict[str, Any]) -> Page:
    """Make the page of a method that gives every feature a relevance."""
    chosen = [record["feature"] for record in result["relevance"] if record["is_selected"]]
    sections = [
        relevance_section(result),
        profiles_section(features, target, chosen),
        features_section(features, chosen, result["relevance"]),
        data_section(features, target, result),
        origin_section(origin),
    ]
    return {
        "title": f"What is relevant to {target.name}",
        "answer": {
            "status": STOPPED if result["stopped_by"] else FOUND if result["features"] else NOTHING,
            "claim": f"{relevance_claim(result)}.",
            "proof": _relevance_remark(result),
            "effort": relevance_effort(result),
            "features": chosen,
            "facts": [
                _fact(len(result["features"]), f"of {result['n_features']:,} features"),
                _fact(result["n_rows"], "rows"),
                _fact(result["n_samples"], "rows drawn"),
            ],
        },
        "notes": result["notes"],
        "sections": [section for section in sections if section is not None],
    }


def training_page(
    result: dict[str, Any], features: Table, target: Column, *, origin: dict[str, Any], shown: dict[str, str]
) -> Page:
    """Make the page of a learned model; ``shown`` is the model as text, part by part."""
    used = result["features_used"]
    name = f"{result['select']} + {result['learner']}" if result["select"] else result["learner"]
    size = (
        f"a tree of {result['n_leaves']:,} leaves and depth {result['depth']}"
        if "n_leaves" in result
        else f"{result['n_partitions']:,} partitions"
    )
    sections = [
        _weights(result),
        *({"kind": "text", "title": f"The {part}", "text": text, "is_open": True} for part, text in shown.items()),
        profiles_section(features, target, used, title="What the features look like that it uses"),
        features_section(features, used),
        data_section(features, target, result),
        origin_section(origin),
    ]
    return {
        "title": f"Predicting {target.name}",
        "answer": {
            "status": STOPPED if result["stopped_by"] else FOUND,
            "claim": f"With {len(used)} of {result['n_features']} features, {size} predicts {target.name} right for "
            f"{result['accuracy']:.1%} of the training rows.",
            "proof": "Training rows flatter: how well it does on others, fewest compare and fewest predict tell.",
            "effort": f"{name}, {result['seconds']:.1f} s",
            "features": used,
            "facts": [
                _fact(len(used), f"of {result['n_features']:,} features"),
                _fact(f"{result['accuracy']:.1%}", "of training rows right"),
                _fact(result["n_rows"], "rows"),
            ],
        },
        "notes": result["notes"],
        "sections": [section for section in sections if section is not None],
    }


# ---------------------------------------------------------------------- the answer


def _status(result: dict[str, Any]) -> str:
    if not result["features"]:
        return NOTHING
    if result["is_minimal"]:
        return PROVEN
    return FOUND if result["stopped_by"] is None else STOPPED


def _proof_sentence(result: dict[str, Any]) -> str | None:
    proof = selection_proof(result)
    if proof is None:
        return None
    return f"{proof[0].upper()}{proof[1:]}{': this is proven' if result['is_minimal'] else ''}."


def _relevance_remark(result: dict[str, Any]) -> str | None:
    """Say what the line between relevant and irrelevant features means here."""
    if result["threshold"] is None:
        return "So many were asked for; the bars show where relevance ends."
    n_left = result["n_features"] - len(result["features"])
    if not n_left:
        return "The bars show which matter most. Ask for the best few with --n-features, or raise the --threshold."
    return "The others differ between rows of different class no more than chance explains."


def _selection_facts(result: dict[str, Any]) -> list[dict[str, str]]:
    facts = [_fact(len(result["features"]), f"of {result['n_features']:,} features")]
    if has_costs(result):
        facts.append(_fact(f"{result['cost']:g}", "is what they cost"))
    if result["is_minimal"] and result["features"]:
        facts.append(_fact("proven", "to be the fewest" if not has_costs(result) else "to be the cheapest"))
    elif result["features"]:
        facts.append(_fact(f"≥ {result['lower_bound']:g}", "are needed in any case"))
    facts += [_fact(result["n_rows"], "rows"), _fact(result["n_contradictions"], "contradictory pairs of rows")]
    return facts


def _fact(value: object, label: str) -> dict[str, str]:
    return {"value": f"{value:,}" if isinstance(value, int) else str(value), "label": label}


# ---------------------------------------------------------------------- sections


def profiles_section(
    features: Table, target: Column, chosen: Sequence[str], title: str = "What the selected features look like"
) -> Section | None:
    """Show how the values of some features go with the classes; nothing for a quantity."""
    if not chosen or not target.labels:
        return None
    shown = [value_profile(features[name], target) for name in chosen[:MOST_PROFILES]]
    classes = [str(label) for label in target.labels]
    n_hidden = len(chosen) - len(shown)
    return _section("profiles", title, target=target.name, classes=classes, profiles=shown, n_hidden=n_hidden)


def relevance_section(result: dict[str, Any]) -> Section:
    """Show relevance as bars around zero, with standard errors."""
    records = result["relevance"][:MOST_BARS]
    return _section(
        "relevance",
        "How relevant every feature is",
        scale=bar_scale(records),
        records=records,
        threshold=result["threshold"] if isinstance(result["threshold"], float) else None,
        n_hidden=len(result["relevance"]) - len(records),
    )


def bar_scale(records: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Return where bars with errors begin and end, zero included."""
    ends = [0.0]
    for record in records:
        error = record["standard_error"] if record["standard_error"] == record["standard_error"] else 0.0
        ends += [record["relevance"] - error, record["relevance"] + error]
    low, high = min(ends), max(ends)
    return {"low": low, "high": high if high > low else low + 1.0}


def features_section(
    features: Table, chosen: Iterable[str], relevance: Sequence[dict[str, Any]] | None = None
) -> Section:
    """List all features in a table to sort and filter: the selected first, then by relevance."""
    selected = set(chosen)
    by_name = {record["feature"]: record for record in relevance or ()}
    order = list(by_name) or sorted(features.names, key=lambda name: name not in selected)
    columns = [
        _column("feature", "feature"),
        _column("is_selected", "selected", "truth"),
        _column("kind", "kind"),
        _column("n_distinct", "distinct values", "count"),
        _column("n_missing", "missing", "count"),
    ]
    if relevance:
        columns[2:2] = [_column("relevance", "relevance", "number"), _column("standard_error", "error", "number")]
    rows = [
        {**by_name.get(name, {}), **column_facts(features[name]), "is_selected": name in selected}
        for name in order[:MOST_LISTED]
    ]
    return table_section("All features", columns, rows, n_hidden=len(order) - len(rows))


def table_section(
    title: str, columns: list[dict[str, str]], rows: list[dict[str, Any]], *, n_hidden: int = 0, is_open: bool = True
) -> Section:
    """Make a table that a reader sorts and filters."""
    return _section("table", title, is_open=is_open, columns=columns, rows=rows, n_hidden=n_hidden)


def data_section(features: Table, target: Column, result: dict[str, Any]) -> Section:
    """Describe the data, and what contradicts itself in it."""
    facts = data_facts(features, target, result["data"])
    contradictions = {"n": result.get("n_contradictions"), "example": result.get("contradiction")}
    return _section("data", "The data", is_open=False, **facts, contradictions=contradictions)


def origin_section(origin: dict[str, Any]) -> Section:
    """Say how to make the page again."""
    return _section("origin", "How this page was made", is_open=False, **origin)


def _reasons(result: dict[str, Any]) -> Section | None:
    if not result["features"]:
        return None
    return _section("reasons", "Why each feature is there", target=result["target"], reasons=result["explanation"])


def _proof(proof: dict[str, Any] | None, result: dict[str, Any]) -> Section | None:
    if proof is None or not proof["pairs"]:
        return None
    used = {name for pair in proof["pairs"] for name in pair["features"]}
    columns = [name for name in result["features"] if name in used]
    others = sorted(used - set(columns))
    is_matrix = len(used) <= 40 and len(proof["pairs"]) <= 60
    title = "Why no fewer will do" if result["is_minimal"] else "Why at least so many are needed"
    return _section(
        "proof", title, **proof, columns=[*columns, *others], chosen=result["features"], is_matrix=is_matrix
    )


def _alternatives(result: dict[str, Any]) -> Section | None:
    subsets, core = result.get("minimum_subsets"), result.get("core")
    if subsets is None and core is None:
        return None
    return _section(
        "alternatives",
        "Other subsets that cost no more",
        subsets=subsets,
        core=core,
        has_more=result.get("has_more_subsets", False),
    )


def _path(path: list[dict[str, Any]] | None, result: dict[str, Any]) -> Section | None:
    if not path or len(path) < 2:
        return None
    return _section("path", "The path", steps=path, target=result["target"], most=path[0]["n_left"])


def _tests(result: dict[str, Any]) -> Section | None:
    """Show what FOCUS counted, subset size by subset size."""
    history = result["history"]
    if not history or "size" not in history[0]:
        return None
    most = max(step["n_sufficiency_tests"] for step in history)
    return _section("tests", "The search, subset size by subset size", is_open=False, steps=history, most=most)


def _weights(result: dict[str, Any]) -> Section | None:
    if not result.get("weights"):
        return None
    weights = [{"feature": name, "weight": weight} for name, weight in result["weights"].items()]
    shown = weights[:MOST_BARS]
    return _section("weights", "How much each feature's vote counts", weights=shown, n_hidden=len(weights) - len(shown))


def _section(kind: str, title: str, *, is_open: bool = True, **content: Any) -> Section:
    return {"kind": kind, "title": title, "is_open": is_open, **content}


def _column(key: str, title: str, kind: str = "text") -> dict[str, str]:
    return {"key": key, "title": title, "kind": kind}
