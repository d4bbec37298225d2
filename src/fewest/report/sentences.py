"""Sentences that state what was found: the same ones on a terminal and on a page."""

from __future__ import annotations

from math import isfinite
from typing import Any

from fewest.cover.options import CHANCE
from fewest.exceptions import listed

Result = dict[str, Any]


def selection_sentence(result: Result) -> str:
    """State what a search for a sufficient subset found, and how."""
    claim, proof = selection_claim(result), selection_proof(result)
    return f"{claim}." if proof is None else f"{claim}; {proof} ({selection_effort(result)})."


def selection_remarks(result: Result) -> list[str]:
    """Return what is to be said of a selection besides: intervals, unseen rows, noise."""
    said = (interval_sentence(result), validation_sentence(result), noise_sentence(result))
    return [sentence for sentence in said if sentence]


def interval_sentence(result: Result) -> str | None:
    """State which numeric columns were compared by interval; None if none was."""
    if not result.get("n_cut"):
        return None
    n_cut, used = result["n_cut"], result["cuts"]
    columns = "1 numeric column is" if n_cut == 1 else f"{n_cut:,} numeric columns are"
    places = "; ".join(
        f"{name} at {', '.join(f'{cut:.6g}' for cut in cuts[:8])}{', ...' if len(cuts) > 8 else ''}"
        for name, cuts in used.items()
        if cuts
    )
    sentence = f"{columns} cut into intervals{f': {places}' if places else ''} (--exact-values compares for equality)."
    uncut = [name for name, cuts in used.items() if not cuts]
    if uncut:
        sentence += (
            f" No cut of {listed(uncut)} tells about the class: there it only counts whether a value is missing."
        )
    return sentence


def noise_sentence(result: Result) -> str | None:
    """Name the features that matter where classes overlap, as noise makes them do; None where they do not."""
    found = result.get("under_noise")
    if found is None:
        return None
    n_left, features = found["n_unseparated"], found["features"]
    pairs = "1 pair" if n_left == 1 else f"{n_left:,} pairs"
    why = (
        f"The classes overlap: no features separate {pairs} of rows, and to separate the rest nearly all look needed."
        if n_left
        else "Nearly all features are kept, as they are where classes overlap."
    )
    what = (
        f"{listed(features)} alone describe{'s' * (len(features) == 1)} the classes best"
        if features
        else "no feature describes the classes better than none"
    )
    return f"{why} If noise is allowed for, {what}: --method min-description shows how sure that is."


def validation_sentence(result: Result) -> str | None:
    """State what a selection is worth on rows it has not seen; None where that was not measured."""
    found = result.get("validation")
    if found is None:
        return None
    of_all = "" if found["of_all"] is None else f"on all features {found['of_all']:.1%}, "
    sentence = (
        f"On rows left out of the selection (5 folds), a tree on the features so selected ({found['n_features']:.1f} "
        f"on average) has a balanced accuracy of {found['mean']:.1%}, {of_all}and guessing {found['guess']:.1%}."
    )
    if found["is_better_than_guessing"]:
        leaks = [name for name in (result.get("screening") or {}).get("leaks", ()) if name in result["features"]]
        gives = "gives" if len(leaks) == 1 else "give"
        if found["loses_much"] and not leaks:
            sentence += (
                " The fewest that separate these rows are not those that predict best: fewest compare finds which do."
            )
        return f"{sentence} That means nothing if {', '.join(leaks)} {gives} it away." if leaks else sentence
    return (
        f"{sentence} So they predict no better than guessing: that they separate these rows is what chance allows. "
        "fewest compare shows whether any method finds more."
    )


def nothing_sentence(result: Result) -> str | None:
    """State before everything else that a selection is worth nothing on rows it has not seen; None where it is."""
    found = result.get("validation")
    if found is None or found["is_better_than_guessing"]:
        return None
    return (
        f"Nothing found that predicts {result['target']}: what follows separates these rows, but predicts others no "
        "better than guessing."
    )


def selection_claim(result: Result) -> str:
    """State how many features separate the classes, and which pairs of rows they leave."""
    chosen, target = len(result["features"]), result["target"]
    if len(result["classes"]) == 1:
        return f"No feature is needed: every row has {target} = {result['classes'][0]}"
    if result["n_features"] == 0:
        return f"There is no feature: the data has no column but {target}"
    if chosen == 0 and result["n_contradictions"] < result["n_pairs"]:
        return f"No feature is needed: the tolerance allows every pair of rows of different {target} to stay alike"
    if chosen == 0:
        return f"No feature separates any of the {result['n_contradictions']:,} pairs of rows of different {target}"
    price = f", for {result['cost']:g} in all," if has_costs(result) else ""
    what = f"{chosen} of {result['n_features']} features{price} separate{'s' * (chosen == 1)} the classes of {target}"
    if result["tolerance"]:
        left = f"{result['n_uncovered']:,} of {result['n_pairs']:,} pairs of rows"
        share = result["n_uncovered"] / result["n_pairs"]
        allowed = f"{share:.2%} of {result['tolerance']:.2%} allowed"
        if result.get("criterion") == CHANCE:
            allowed = f"{share:.2%}; at most {result['tolerance']:.0%} of what chance would leave are allowed"
        what += f" but for {left} ({allowed})"
    elif result["n_contradictions"]:
        what += f" in every pair of rows but {result['n_contradictions']:,}, which no features separate"
    return what


def selection_proof(result: Result) -> str | None:
    """State whether fewer features might do; None where no feature was chosen and the question does not arise."""
    if not result["features"]:
        return None
    if result["is_minimal"]:
        return "none cheaper do" if has_costs(result) else "no fewer do"
    if result["stopped_by"] is None:
        return "fewer might do, too"
    low, high = result["lower_bound"], result["cost"]
    if has_costs(result):
        return f"a cheaper subset, for {low:g} or more, might do, too"
    return f"some other {low} to {high - 1} might do, too" if low < high - 1 else f"some other {low} might do, too"


def selection_effort(result: Result) -> str:
    """State what the search took, and why it did not prove more."""
    effort = f"{result['method']}, {_work(result)}, {result['seconds']:.1f} s"
    if result["is_minimal"]:
        return effort
    reason = (
        "a greedy method proves nothing" if result["stopped_by"] is None else f"stopped by the {result['stopped_by']}"
    )
    return f"{effort}; {reason}"


def has_costs(result: Result) -> bool:
    """Return whether features cost something other than 1 each."""
    return result["cost"] != len(result["features"])


def _work(result: Result) -> str:
    """State what the search did, in the unit that its method counts."""
    last = result["history"][-1] if result["history"] else {}  # a time limit may be over before the first step
    if "n_conflicts" in last:
        counts = {"conflict": last["n_conflicts"], "node": last["n_nodes"]}
        return ", ".join(_counted(n, what) for what, n in counts.items() if n or what == "node")
    return _counted(result["n_sufficiency_tests"], "sufficiency test")


def _counted(n: int, what: str) -> str:
    return f"{n:,} {what}{'s' * (n != 1)}"


def relevance_sentence(result: Result) -> str:
    """State how many features are relevant, and how that was found."""
    return f"{relevance_claim(result)} ({relevance_effort(result)})."


def relevance_claim(result: Result) -> str:
    """State how many features are relevant."""
    chosen = len(result["features"])
    if result["threshold"] is None:
        return f"The {chosen} most relevant of {result['n_features']} features"
    verb = "is" if chosen <= 1 else "are"
    return f"{chosen or 'None'} of {result['n_features']} features {verb} relevant to {result['target']}"


def relevance_effort(result: Result) -> str:
    """State how many rows were sampled, and where the threshold was."""
    n_sampled, limit = result["n_sampled"], result["threshold"]
    bound = f", threshold {limit:.3f}" if isinstance(limit, float) else ""
    stop = f"; stopped by the {result['stopped_by']}" if result["stopped_by"] else ""
    rows = f"{n_sampled:,} sampled row{'s' * (n_sampled != 1)}"
    return f"{result['method']}, {rows}{bound}, {result['seconds']:.1f} s{stop}"


def general(value: float | None) -> str:
    """Write a number of any size with about four digits; a dash where there is none."""
    if value is None or not isfinite(value):
        return "–"
    return f"{value:.4g}" if isinstance(value, float) and abs(value) < 10_000 else f"{value:,.0f}"


def score_value(metric: dict[str, Any], value: float | None) -> str:
    """Write a value of a metric as people read it: a share in percent, an error without its minus sign."""
    if value is None or value != value:
        return "-"
    return f"{value:.1%}" if metric["is_percent"] else error_text(metric["sign"] * value)


def error_text(value: float) -> str:
    """Write an error or a score with three places; errors in the thousands, as of prices, need none."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3f}"
