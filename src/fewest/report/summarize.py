"""Summarise results as pages: plain data with what to show, and nothing about how it looks.

A page is a dictionary with a ``title``, an ``answer``, ``notes`` and a list of
``sections``; every section names its ``kind``, and the template of that name
in ``templates/sections`` draws it. A new kind of result needs a function here
that returns a page, and a template for each section that is new.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fewest.report.proof import reason_facts
from fewest.report.sections import (
    Section,
    alternatives_section,
    claim_section,
    company_sections,
    data_alarms,
    data_section,
    errors_section,
    features_section,
    findings_section,
    missing_section,
    origin_section,
    path_section,
    profiles_section,
    proof_section,
    reasons_section,
    relevance_section,
    tests_section,
    weights_section,
)
from fewest.report.sentences import (
    has_costs,
    nothing_sentence,
    relevance_claim,
    relevance_effort,
    selection_claim,
    selection_effort,
    selection_proof,
    selection_remarks,
)
from fewest.table import Column, Kind, Table

if TYPE_CHECKING:
    from fewest.cover.select import Selection

Page = dict[str, Any]

PROVEN, FOUND, STOPPED, NOTHING = "proven", "found", "stopped", "nothing"


def describe_selection(selection: Selection, features: Table, classes: Column) -> dict[str, Any]:
    """Return the result of a search for a sufficient subset as plain data, with the reason for every feature.

    Pages, sentences and the command's JSON are made of it.
    """
    answer, sample = selection.answer, selection.sample
    contradiction = sample.contradiction
    return {
        "target": classes.name,
        "n_rows": features.n_rows,
        "n_features": len(features.names),
        "classes": list(classes.labels),
        "features": [features.names[j] for j in answer.subset],
        "cost": answer.cost,
        "lower_bound": answer.lower_bound,
        "is_minimal": answer.is_optimal,
        "stopped_by": answer.stopped_by,
        "n_sufficiency_tests": answer.n_sufficiency_tests,
        "history": list(answer.history),
        "tolerance": sample.tolerance,
        "criterion": sample.criterion,
        "n_pairs": sample.n_pairs,
        "n_uncovered": selection.n_uncovered,
        "n_contradictions": sample.n_contradictions,
        "contradiction": None if contradiction is None else [features.row_number(row) for row in contradiction],
        "explanation": reason_facts(features, classes, selection.witnesses),
    }


def selection_sections(
    result: dict[str, Any], proof: dict[str, Any] | None, title: str, notes: Sequence[str] = ()
) -> list[Section | None]:
    """Return the sections about a sufficient subset for a page about more than that; ``notes`` are about the search."""
    remark = selection_proof(result)
    sentences = [f"{selection_claim(result)}{f'; {remark}' if remark else ''}.", *notes]
    return [
        claim_section(title, sentences, result["features"]),
        reasons_section(result),
        proof_section(proof, result),
        alternatives_section(result),
    ]


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
        reasons_section(result),
        path_section(path, result),
        proof_section(proof, result),
        alternatives_section(result),
        tests_section(result),
        *company_sections(features, target, result["features"]),
        missing_section(features, target),
        features_section(features, result["features"]),
        findings_section(result),
        data_section(features, target, result),
        origin_section(origin),
    ]
    return {
        "title": f"What separates the classes of {target.name}",
        "answer": {
            "status": _status(result),
            "claim": f"{selection_claim(result)}.",
            "proof": _proof_sentence(result),
            "reasons": selection_remarks(result),
            "effort": selection_effort(result)
            if result["features"] and result["seconds"] is not None
            else result["method"],
            "features": result["features"],
            "facts": _selection_facts(result),
        },
        "alarms": [*data_alarms(result), *filter(None, [nothing_sentence(result)])],
        "notes": result["notes"],
        "sections": [section for section in sections if section is not None],
    }


def relevance_page(result: dict[str, Any], features: Table, target: Column, *, origin: dict[str, Any]) -> Page:
    """Make the page of a method that gives every feature a relevance."""
    chosen = [record["feature"] for record in result["relevance"] if record["is_selected"]]
    sections = [
        relevance_section(result, is_regression=target.kind is Kind.NUMERIC),
        profiles_section(features, target, chosen),
        *company_sections(features, target, chosen),
        missing_section(features, target),
        features_section(features, chosen, result["relevance"]),
        findings_section(result),
        data_section(features, target, result),
        origin_section(origin),
    ]
    return {
        "title": f"What is relevant to {target.name}",
        "answer": {
            "status": STOPPED if result["stopped_by"] else FOUND if result["features"] else NOTHING,
            "claim": f"{relevance_claim(result)}.",
            "proof": _relevance_remark(result, is_regression=target.kind is Kind.NUMERIC),
            "effort": result["method"] if result["seconds"] is None else relevance_effort(result),
            "features": chosen,
            "facts": [
                _fact(len(result["features"]), f"of {result['n_features']:,} features"),
                _fact(result["n_rows"], "rows"),
                _fact(result["n_sampled"], "sampled rows"),
            ],
        },
        "alarms": data_alarms(result),
        "notes": result["notes"],
        "sections": [section for section in sections if section is not None],
    }


def wrapper_page(result: dict[str, Any], features: Table, target: Column, *, origin: dict[str, Any]) -> Page:
    """Make the page of a wrapper: the errors of the best subset of every size, and the size that was chosen."""
    scoring, error = result.get("scoring"), result["holdout_error"]
    path = errors_section(result["history"], result["n_selected"], scoring)
    page = chosen_page({**result, "columns": {}}, features, target, origin=origin, path=path)
    page["answer"] |= {
        "proof": f"With them, {result['estimator']} scores {-error:.3f} ({scoring}) on the rows held out."
        if scoring
        else f"With them, {result['estimator']} errs on {error:.1%} of the rows held out."
        if target.labels
        else None,
        "effort": f"{result['search']} search, {result['n_subsets']:,} subsets, {result['seconds']:.1f} s",
    }
    if result["bound"] is not None:
        page["notes"] = [*page["notes"], result["bound"]["in_words"]]
    if result.get("doubt"):
        page["notes"] = [*page["notes"], result["doubt"]]
    return page


def training_page(
    result: dict[str, Any], features: Table, target: Column, *, origin: dict[str, Any], shown: dict[str, str]
) -> Page:
    """Make the page of a learned model; ``shown`` is the model as text, part by part."""
    used = result["features_used"]
    name = f"{result['select']} + {result['learner']}" if result["select"] else result["learner"]
    if "n_leaves" in result:
        size = f"a tree of {result['n_leaves']:,} leaves and depth {result['depth']}"
    elif "n_tests" in result:
        size = f"a weighted vote of {result['n_tests']:,} tests"
    elif "coefficients" in result:
        size = "a logistic regression" if "intercepts" in result else "a linear function"
    else:
        size = f"{result['n_partitions']:,} partitions"
    on_training, well = _training_score(result)
    sections = [
        weights_section(result),
        *({"kind": "text", "title": f"The {part}", "text": text, "is_open": True} for part, text in shown.items()),
        profiles_section(features, target, used, title="What the features look like that it uses"),
        features_section(features, used),
        findings_section(result),
        data_section(features, target, result),
        origin_section(origin),
    ]
    return {
        "title": f"Predicting {target.name}",
        "answer": {
            "status": STOPPED if result["stopped_by"] else FOUND,
            "claim": f"With {len(used)} of {result['n_features']} features, {size} predicts {target.name} {well}.",
            "proof": _unseen_sentence(result),
            "effort": name if result["seconds"] is None else f"{name}, {result['seconds']:.1f} s",
            "features": used,
            "facts": [
                _fact(len(used), f"of {result['n_features']:,} features"),
                on_training,
                _fact(result["n_rows"], "rows"),
            ],
        },
        "alarms": data_alarms(result),
        "notes": result["notes"],
        "sections": [section for section in sections if section is not None],
    }


def _training_score(result: dict[str, Any]) -> tuple[dict[str, str], str]:
    """Return how well a model predicts the rows it learned from, as a fact and in words."""
    if "r2" in result:
        return _fact(f"{result['r2']:.3f}", "R2 on training rows"), f"with an R2 of {result['r2']:.3f} on training rows"
    share = f"{result['accuracy']:.1%}"
    return _fact(share, "of training rows right"), f"right for {share} of the training rows"


def _unseen_sentence(result: dict[str, Any]) -> str:
    """State what cross-validation found, where there was one."""
    found = result.get("cross_validation")
    if found is None or found["mean"] is None:
        return "Training rows flatter: fewest compare and fewest predict show how well it does on others."
    what = found["scoring"].removeprefix("neg_").replace("_", " ")
    sign = -1 if found["scoring"].startswith("neg_") else 1  # people read errors without their minus sign
    mean, guess = (sign * found[key] for key in ("mean", "baseline"))
    beats = "" if found["is_better_than_guessing"] else ": no better than guessing"
    return f"On rows left out of training its {what} is {mean:.3f}, and that of guessing {guess:.3f}{beats}."


def chosen_page(
    result: dict[str, Any],
    features: Table,
    target: Column,
    *,
    origin: dict[str, Any],
    path: dict[str, Any] | None = None,
) -> Page:
    """Make the page of any selector: what it chose, its path, and its numbers for every feature (``columns``)."""
    chosen = result["features"]
    sections = [
        path,
        profiles_section(features, target, chosen),
        *company_sections(features, target, chosen),
        missing_section(features, target),
        features_section(features, chosen, further=result["columns"]),
        findings_section(result),
        data_section(features, target, result),
        origin_section(origin),
    ]
    return {
        "title": f"What was selected to predict {target.name}",
        "answer": {
            "status": FOUND if chosen else NOTHING,
            "claim": f"{result['method']} selected {len(chosen)} of {result['n_features']} features.",
            "proof": None,
            "effort": None,
            "features": chosen,
            "facts": [
                _fact(len(chosen), f"of {result['n_features']:,} features"),
                _fact(result["n_rows"], "rows"),
            ],
        },
        "alarms": data_alarms(result),
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


def _relevance_remark(result: dict[str, Any], *, is_regression: bool) -> str | None:
    """Explain the line between relevant and irrelevant features."""
    if result["threshold"] is None:
        return "So many were asked for; the bars show where relevance ends."
    n_left = result["n_features"] - len(result["features"])
    if not n_left:
        return "The bars show which matter most. Keep the best few with --n-features-to-select, or raise --threshold."
    rows = "whose targets differ" if is_regression else "of different class"
    return f"The others differ between rows {rows} no more than chance explains."


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
