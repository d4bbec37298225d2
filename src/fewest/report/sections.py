"""The sections that pages are made of: each names its kind, and the template of that name draws it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fewest.relief.relevance import beyond_chance
from fewest.report.associations import (
    Groups,
    interaction_facts,
    redundancy_facts,
    strongest_alone,
    target_associations,
)
from fewest.report.data_facts import column_facts, data_facts, missing_by_class, target_groups, value_profile
from fewest.report.sentences import has_costs
from fewest.table import Column, Table

Section = dict[str, Any]

# What a reader looks at, and what keeps a page of three thousand columns below a megabyte.
MOST_PROFILES, MOST_BARS, MOST_LISTED = 12, 40, 1000
# Other descriptions that are listed, and the least probability of a feature or a subset that is worth a line.
MOST_DESCRIPTIONS, LEAST_PROBABILITY = 5, 0.01
# A proof of more pairs than this is folded: few read it to its end.
MOST_OPEN = 20


def profiles_section(
    features: Table, target: Column, chosen: Sequence[str], title: str = "What the selected features look like"
) -> Section | None:
    """Show how the values of some features go with the classes, or with the thirds of a regression target.

    Those that go best with it alone come first.
    """
    if not chosen:
        return None
    strength = target_associations(features, target, chosen)
    ordered = sorted(chosen, key=lambda name: -strength[name])
    shown = [value_profile(features[name], target) for name in ordered[:MOST_PROFILES]]
    return make_section(
        "profiles",
        title,
        target=target.name,
        classes=list(target_groups(target)[0]),
        groups_name="classes" if target.labels else "thirds",
        profiles=shown,
        n_hidden=len(chosen) - len(shown),
    )


def company_sections(features: Table, target: Column, chosen: Sequence[str]) -> list[Section | None]:
    """Show which features stand for each other, and which say more together than apart."""
    shown = strongest_alone(features, target, chosen)
    if not shown:
        return []
    groups = Groups.of(features, target, shown)
    clusters, pairs = redundancy_facts(groups), interaction_facts(groups)
    n_hidden = len(features.columns) - len(shown)
    return [
        None
        if clusters is None
        else make_section(
            "redundancy", "Features that stand for each other", **clusters, chosen=list(chosen), n_hidden=n_hidden
        ),
        make_section(
            "interactions",
            "Features that say more together",
            target=target.name,
            classes=list(groups.class_names),
            groups_name="classes" if target.labels else "thirds",
            pairs=pairs,
            n_pairs=len(shown) * (len(shown) - 1) // 2,
        )
        if pairs
        else None,
    ]


def missing_section(features: Table, target: Column) -> Section | None:
    """Show where values are missing, class by class; nothing where none are."""
    facts = missing_by_class(features, target)
    if facts is None:
        return None
    records = facts["records"][:MOST_BARS]
    return make_section(
        "missing",
        "Missing values by class",
        is_open=False,
        target=target.name,
        classes=facts["classes"],
        records=records,
        n_hidden=len(facts["records"]) - len(records),
    )


def relevance_section(result: dict[str, Any], *, is_regression: bool = False) -> Section:
    """Show relevance beyond chance as bars around zero, with standard errors."""
    records = [{**record, "beyond": beyond_chance(record)} for record in result["relevance"][:MOST_BARS]]
    return make_section(
        "relevance",
        "How relevant every feature is",
        scale=bar_scale(records),
        records=records,
        threshold=result["threshold"] if isinstance(result["threshold"], float) else None,
        n_hidden=len(result["relevance"]) - len(records),
        is_tested=bool(records) and all(record.get("p_value") is not None for record in records),
        has_chance=any(record.get("by_chance") is not None for record in records),
        is_regression=is_regression,
    )


def description_section(result: dict[str, Any], sentence: str) -> Section:
    """Show with what probability features belong to the shortest description of the classes, and other subsets."""
    records = [
        record
        for record in sorted(result["scores"], key=lambda record: -record["probability"])
        if record["is_selected"] or record["probability"] >= LEAST_PROBABILITY
    ]
    others = [other for other in result["alternatives"][1:] if other["probability"] >= LEAST_PROBABILITY]
    return make_section(
        "description",
        "Which few features, and how sure",
        sentence=sentence,
        probability=result["alternatives"][0]["probability"],
        records=records[:MOST_BARS],
        others=others[:MOST_DESCRIPTIONS],
    )


def bar_scale(records: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Return where bars with errors begin and end, zero included."""
    ends = [0.0]
    for record in records:
        error = record["standard_error"] if record["standard_error"] == record["standard_error"] else 0.0
        value = beyond_chance(record)
        ends += [value - error, value + error]
    low, high = min(ends), max(ends)
    return {"low": low, "high": high if high > low else low + 1.0}


def features_section(
    features: Table,
    chosen: Iterable[str],
    relevance: Sequence[dict[str, Any]] | None = None,
    further: Mapping[str, Sequence[float]] | None = None,
) -> Section:
    """List all features in a table to sort and filter: the selected first, then by relevance.

    ``further`` are numbers to show beside them, one for each feature, by the title of their column.
    """
    selected = set(chosen)
    by_name = {record["feature"]: record for record in relevance or ()}
    order = list(by_name) or sorted(features.names, key=lambda name: name not in selected)
    columns = [
        _column("feature", "feature"),
        _column("is_selected", "selected", "boolean"),
        *(
            [_column("relevance", "relevance", "number"), _column("standard_error", "error", "number")]
            * bool(relevance)
        ),
        *(
            [_column("by_chance", "by chance", "number")]
            * any(record.get("by_chance") is not None for record in relevance or ())
        ),
        *(_column(title, title, "number") for title in further or ()),
        _column("kind", "kind"),
        _column("n_distinct", "distinct values", "count"),
        _column("n_missing", "missing", "count"),
    ]
    place = {name: j for j, name in enumerate(features.names)}
    rows = [
        {
            **by_name.get(name, {}),
            **{title: numbers[place[name]] for title, numbers in (further or {}).items()},
            **column_facts(features.columns[place[name]]),
            "is_selected": name in selected,
        }
        for name in order[:MOST_LISTED]
    ]
    return table_section("All features", columns, rows, n_hidden=len(order) - len(rows))


def table_section(
    title: str, columns: list[dict[str, str]], rows: list[dict[str, Any]], *, n_hidden: int = 0, is_open: bool = True
) -> Section:
    """Make a table that a reader sorts and filters."""
    return make_section("table", title, is_open=is_open, columns=columns, rows=rows, n_hidden=n_hidden)


def records_section(title: str, records: Sequence[dict[str, Any]], *, is_open: bool = True, most: int = 500) -> Section:
    """Make a table of records that know their own columns: numbers where all are, text elsewhere."""
    names = list(dict.fromkeys(name for record in records for name in record))
    columns = [_column(name, name, "general" if _is_number(records, name) else "text") for name in names]
    shown = [
        {name: _cell(record.get(name), column) for name, column in zip(names, columns, strict=True)}
        for record in records[:most]
    ]
    return table_section(title, columns, shown, n_hidden=len(records) - len(shown), is_open=is_open)


def _is_number(records: Sequence[dict[str, Any]], name: str) -> bool:
    values = [record.get(name) for record in records]
    return all(value is None or (isinstance(value, int | float) and not isinstance(value, bool)) for value in values)


def _cell(value: Any, column: dict[str, str]) -> Any:
    return "" if value is None and column["kind"] == "text" else value


def listed_section(title: str, sentences: Sequence[str]) -> Section | None:
    """List sentences; nothing if there are none."""
    return make_section("listed", title, sentences=sentences) if sentences else None


def figure_section(title: str, svg: str, label: str) -> Section:
    """Show a drawing of our own, which is trusted; ``label`` describes it in words."""
    return make_section("figure", title, svg=svg[svg.index("<svg") :], label=label)


def data_section(features: Table, target: Column, result: dict[str, Any]) -> Section:
    """Describe the data, and what contradicts itself in it."""
    facts = data_facts(features, target, result["data"])
    contradictions = {"n": result.get("n_contradictions"), "example": result.get("contradiction")}
    return make_section("data", "The data", is_open=False, **facts, contradictions=contradictions)


def origin_section(origin: dict[str, Any]) -> Section:
    """State how to make the page again."""
    return make_section("origin", "How this page was made", is_open=False, **origin)


def reasons_section(result: dict[str, Any]) -> Section | None:
    """Name, for every feature, two rows that it alone separates."""
    if not result["features"]:
        return None
    return make_section("reasons", "Why each feature is there", target=result["target"], reasons=result["explanation"])


def proof_section(proof: dict[str, Any] | None, result: dict[str, Any]) -> Section | None:
    """Show the pairs of rows that force the bound, with the features in which they differ."""
    if proof is None or not proof["pairs"]:
        return None
    used = {name for pair in proof["pairs"] for name in pair["features"]}
    columns = [name for name in result["features"] if name in used]
    others = sorted(used - set(columns))
    is_matrix = len(used) <= 40 and len(proof["pairs"]) <= 60
    title = "Why no fewer will do" if result["is_minimal"] else "Why at least so many are needed"
    return make_section(
        "proof",
        title,
        is_open=len(proof["pairs"]) <= MOST_OPEN,
        **proof,
        columns=[*columns, *others],
        chosen=result["features"],
        has_costs=has_costs(result),
        is_matrix=is_matrix,
    )


def alternatives_section(result: dict[str, Any]) -> Section | None:
    """Show the core, and other subsets of the least cost: a matrix of subsets and features, as far as one can be read.

    Where the result has ``subset_scores``, how well each predicts, the best come first.
    """
    subsets, core = result.get("minimum_subsets"), result.get("core")
    if subsets is None and core is None:
        return None
    scores = result.get("subset_scores")
    if subsets is not None and scores is not None:
        ranked = sorted(zip(scores, subsets, strict=True), key=lambda pair: -pair[0])
        scores, subsets = (list(part) for part in zip(*ranked, strict=True))
    counts = Counter(name for subset in subsets or () for name in subset)
    return make_section(
        "alternatives",
        "Other subsets that cost no more",
        subsets=subsets,
        core=core,
        has_more=result.get("has_more_subsets", False),
        columns=[name for name, _ in counts.most_common()],
        chosen=result["features"],
        is_matrix=len(counts) <= MOST_BARS,
        scores=scores,
        scoring=result.get("subset_scoring"),
        is_answer_first=set(next(iter(subsets or ()), ())) == set(result["features"]),
    )


def path_section(path: list[dict[str, Any]] | None, result: dict[str, Any]) -> Section | None:
    """Show what a method that adds features one by one left unseparated after each."""
    if not path or len(path) < 2:
        return None
    return make_section("path", "The path", steps=path, target=result["target"], most=path[0]["n_left"])


def errors_section(history: Sequence[dict[str, Any]], n_chosen: int, scoring: str | None = None) -> Section:
    """Show the errors, or the score, of a wrapper's best subset of every size, and which was chosen."""
    kinds: list[str] = [
        name for name in ("training_error", "holdout_error", "second_holdout_error") if name in history[0]
    ]
    if scoring is not None:  # the errors are minus the score
        history = [{**step, **{kind.replace("error", "score"): -step[kind] for kind in kinds}} for step in history]
        kinds = [kind.replace("error", "score") for kind in kinds]
    most = max((step[kind] for step in history for kind in kinds), default=0.0)
    return make_section("errors", "The path", steps=history, kinds=kinds, n_chosen=n_chosen, most=most, scoring=scoring)


def tests_section(result: dict[str, Any]) -> Section | None:
    """Show what FOCUS counted, subset size by subset size."""
    history = result["history"]
    if not history or "size" not in history[0]:
        return None
    most = max(step["n_sufficiency_tests"] for step in history)
    return make_section("tests", "The search, subset size by subset size", is_open=False, steps=history, most=most)


def weights_section(result: dict[str, Any]) -> Section | None:
    """Show how much the votes of features count, as bars."""
    if not result.get("weights"):
        return None
    weights = [{"feature": name, "weight": weight} for name, weight in result["weights"].items()]
    shown = weights[:MOST_BARS]
    return make_section(
        "weights", "How much each feature's vote counts", weights=shown, n_hidden=len(weights) - len(shown)
    )


def make_section(kind: str, title: str, *, is_open: bool = True, **content: Any) -> Section:
    """Make a section that the template of that kind draws."""
    return {"kind": kind, "title": title, "is_open": is_open, **content}


def claim_section(title: str, sentences: Sequence[str], features: Sequence[str]) -> Section:
    """State something about some features."""
    return make_section("claim", title, sentences=sentences, features=features)


def _column(key: str, title: str, kind: str = "text") -> dict[str, str]:
    return {"key": key, "title": title, "kind": kind}


def data_alarms(result: dict[str, Any]) -> list[str]:
    """Return the sentences that a reader must see before the answer: columns that may give the target away."""
    return list((result.get("screening") or {}).get("alarms", ()))


def findings_section(result: dict[str, Any]) -> Section | None:
    """List what each column looks like that is more or less than a feature; nothing if there is none."""
    findings = (result.get("screening") or {}).get("findings")
    if not findings:
        return None
    shown = findings[:MOST_LISTED]
    return make_section("findings", "What the data looks like", findings=shown, n_hidden=len(findings) - len(shown))
