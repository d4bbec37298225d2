"""Recommend one of the compared methods by one rule, in words and with the reason."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from fewest.comparison.metrics import Metric
from fewest.comparison.selectors import ALL
from fewest.comparison.uncertainty import corrected_error, least_interval, loses_too_much
from fewest.report.sentences import error_text, score_value

# After Fleiss: below this, agreement beyond chance is poor; above that, excellent.
POOR, EXCELLENT = 0.40, 0.75
# What keeps more than this share of the features selects nothing.
NEARLY_ALL = 0.9
# Numbers of features within this factor count as equal.
NEARLY = 1.10
# What chooses other features in every fold is still the answer where all that do not need this many times as many.
FAR_MORE = 5.0
# Scores that differ by less, a quarter of a point, are the same to a user.
SAME = 0.0025
# A method that lacks less is not as good by the rule, but is not worse in words.
A_POINT = 0.01
# What may be given up, its standard error added, is worth a sentence from here on.
NOTICED = 0.02
# The probability that the best of methods that all guess is taken to be better: each has its share (Bonferroni), since
# chance has as many chances; a single one has no more than that.
FALSE_ALARM, MOST_EACH = 0.05, 0.01
# Two or three folds, when time is short, count as five: Student's quantile would let nothing pass.
LEAST_FREE = 4

SELECTION, KEEP_ALL, UNSTABLE, NOTHING = "selection", "all", "unstable", "nothing"
RULE = (
    "Of the methods whose score is within one standard error of the best (of the difference, fold by fold, corrected "
    "for shared training rows), and at most two points below it (nor a quarter of what the best lacks to 100%, one "
    "row more counting as wrong), the one with the fewest features; of equally few the best, then the most stable. "
    "Labels and the order of rows both count: beside accuracy ROC AUC, and beside ROC AUC balanced accuracy, of the "
    "learner that does best by it, must not be below the best of these methods by more than two points and one "
    "standard error. A ranking gives up to half of what may be given up for its own number of features, found in the "
    "same way. What keeps nearly all features is no selection, nor is what "
    "keeps other ones in every fold, which is used only where those that do not need five times as many."
)

Method = dict[str, Any]


def decide(
    methods: list[Method],
    metric: Metric,
    guess: float,
    test_share: float,
    counts: np.ndarray | None = None,
    others: Sequence[Metric] = (),
    unselective: Collection[str] = (),
) -> dict[str, Any]:
    """Choose a method by the `RULE`.

    Parameters
    ----------
    methods : list of dict
    metric : Metric
        What decides.
    guess, test_share : float
        The score of guessing, and n_test / n_train.
    counts : ndarray of int, optional
        The different rows of every class that the methods were judged on.
    others : sequence of Metric, default=()
        Scores by which a method must not lose more than two points and one standard error. One score alone is
        blind: few features may order the rows as well as many and give far worse labels.
    unselective : collection of str, default=()
        Methods that turned out to keep nearly all features on all rows.

    Returns
    -------
    dict
        ``kind``: a "selection"; "all" where no selection is needed; "unstable" where only methods that choose other
        features in every fold predict as well; "nothing" where none predicts better than guessing.
        ``method``, ``best``, and ``as_good``: names. ``given_up``: the best score less that of the method;
        ``given_up_within``: what a ranking gave up, within the training rows, for fewer features; ``given_up_at_most``:
        the former with one standard error added; ``outvoted``: by name, the other ``scoring`` by which a
        method loses too much that is as good by the deciding one, its ``score``, the ``best`` by it and ``best_score``.
    """
    scored = [method for method in methods if method["score"] == method["score"]]
    best = max(scored, key=lambda method: method["score"], default=methods[0])
    verdict = {"kind": NOTHING, "method": None, "best": best["method"], "as_good": [], "given_up": 0.0, "rule": RULE}
    verdict |= {"given_up_within": 0.0, "given_up_at_most": 0.0, "outvoted": {}}
    if not scored or _surely_at_least(best, metric, counts, len(scored)) <= guess:
        return verdict
    most = metric.largest_loss(best["score"], guess, counts)
    near = [method for method in scored if is_as_good(method, best, test_share, most)]
    verdict["outvoted"] = _outvoted(near, best, others, test_share)
    good = [method for method in near if method["method"] not in verdict["outvoted"]]
    kind, chosen = _chosen(good, max(method["n_features"] for method in methods), unselective)
    given_up = max(0.0, best["score"] - chosen["score"])
    names = [method["method"] for method in good]
    verdict["given_up_within"] = chosen.get("given_up_within", 0.0)
    verdict["given_up_at_most"] = given_up + (corrected_error(_lost(chosen, best), test_share) or 0.0)
    return verdict | {"kind": kind, "method": chosen["method"], "as_good": names, "given_up": given_up}


def _surely_at_least(best: Method, metric: Metric, counts: np.ndarray | None, n_methods: int) -> float:
    """Return what the score of the best of so many methods is at least, with more confidence than its interval has."""
    confidence = 1 - min(MOST_EACH, FALSE_ALARM / n_methods)
    low = (
        best["low"]
        if counts is None
        else min(best["low"], least_interval(best["score"], metric, counts, confidence)[0])
    )
    if best["error"] is None:
        return low
    from scipy.stats import t

    n_free = max(LEAST_FREE, len(best["scores"]) - 1)
    return min(low, best["score"] - float(t.ppf(0.5 + confidence / 2, n_free)) * best["error"])


def is_as_good(method: Method, best: Method, test_share: float, most: float) -> bool:
    """Return whether a method is within one standard error of the best, and within what may be given up.

    What a ranking has given up for its number of features counts: both together are at most ``most``.
    """
    lost, most = _lost(method, best), max(0.0, most - method.get("given_up_within", 0.0))
    error = corrected_error(lost, test_share) or 0.0
    return bool(np.nanmean(lost) <= min(max(error, min(SAME, most / 2)), most) + 1e-12)


def _outvoted(
    near: list[Method], best: Method, others: Sequence[Metric], test_share: float
) -> dict[str, dict[str, Any]]:
    """Return who, of methods that are near the best, loses too much by another score, and who is the best by that one.

    The best by the score that decides stays, whatever the others say.
    """
    found: dict[str, dict[str, Any]] = {}
    for metric in others:
        scores = {method["method"]: np.array(method["at_best"][metric.name]) for method in near}
        means = {name: float(np.nanmean(values)) for name, values in scores.items() if not np.isnan(values).all()}
        for name in means:
            first = max(means, key=lambda one: means[one])
            if name != best["method"] and loses_too_much(scores[first] - scores[name], test_share):
                by = {"scoring": metric.name, "score": means[name], "best": first, "best_score": means[first]}
                found.setdefault(name, by)
    return found


def _lost(method: Method, best: Method) -> np.ndarray:
    """Return by how much the best is better, fold by fold."""
    return np.array(best["scores"]) - np.array(method["scores"])


def is_nearly_all(n_kept: float, n_features: float) -> bool:
    """Return whether so many features are too many of all to be a selection."""
    return n_kept > NEARLY_ALL * n_features


def _chosen(good: list[Method], n_features: float, unselective: Collection[str]) -> tuple[str, Method]:
    few = [
        method
        for method in good
        if method["method"] not in (ALL, *unselective)
        and method["n_features"] > 0
        and not is_nearly_all(method["n_features"], n_features)
    ]
    stable = [method for method in few if is_stable(method)]
    if stable and _smallest(stable)["n_features"] <= FAR_MORE * _smallest(few)["n_features"]:
        return SELECTION, _smallest(stable)
    everything = next((method for method in good if method["method"] == ALL), None)
    if few and (everything is None or 2 * _smallest(few)["n_features"] <= n_features):
        return UNSTABLE, _smallest(few)
    return KEEP_ALL, everything or max(good, key=lambda method: method["score"])


def is_stable(method: Method) -> bool:
    """Return whether a method chose similar features in every fold, as far as that can be told."""
    return method["stability"] is None or method["stability"] >= POOR


def _smallest(methods: list[Method]) -> Method:
    """Return the method with the fewest features: of about equally few the best, of equally good the most stable."""
    fewest = min(method["n_features"] for method in methods)
    small = [method for method in methods if method["n_features"] <= max(NEARLY * fewest, fewest + 0.5)]
    best = max(method["score"] for method in small)
    return max(
        (method for method in small if method["score"] >= best - SAME), key=lambda method: _known(method["stability"])
    )


def _known(stability: float | None) -> float:
    """Return the stability to rank by; what is undefined ranks last."""
    return -2.0 if stability is None else round(stability, 2)


# ---------------------------------------------------------------------- in words


def worded(
    verdict: dict[str, Any], methods: list[Method], metrics: Sequence[dict[str, Any]], guess: dict[str, Any]
) -> None:
    """Add to a verdict, whose method has chosen its ``features`` on all rows, its sentence and its reasons.

    ``metrics`` are described, the one that decides first.
    """
    metric = metrics[0]
    by_name = {method["method"]: method for method in methods}
    best, chosen = by_name[verdict["best"]], by_name.get(verdict["method"])
    if chosen is None:
        verdict["sentence"] = _nothing(best, metric, guess)
        by_chance = (
            f"Its interval alone excludes guessing, but it is the best of {len(methods)} methods, and one of so many "
            "has such an interval by chance more easily: that all of them guess is not yet ruled out."
        )
        verdict["reasons"] = [
            *([by_chance] if best["low"] > guess["score"] else []),
            "More rows, or other features, are needed to predict it.",
        ]
        return
    n_features = max(method["n_features"] for method in methods)
    verdict["sentence"] = _sentence(verdict, chosen, best, metric, n_features)
    good = [by_name[name] for name in verdict["as_good"]]
    verdict["reasons"] = [
        reason
        for reason in (
            _on_given_up(verdict, metric),
            _on_number(len(verdict["features"]), chosen),
            _on_others(chosen, good),
            _on_outvoted(verdict["outvoted"], by_name, metrics),
            _on_worse([*verdict["as_good"], *verdict["outvoted"]], methods, best, metric),
            _on_stability(chosen["stability"]) if verdict["kind"] == SELECTION else "",
            _on_stable(good) if verdict["kind"] == UNSTABLE else "",
            _on_uncertainty(verdict, chosen, best, metric),
        )
        if reason
    ]


def score_text(method: Method, metric: dict[str, Any]) -> str:
    """Write a score with its interval."""
    ends = sorted((method["low"], method["high"]), key=lambda value: metric["sign"] * value)
    low, high = (score_value(metric, end) for end in ends)
    return f"{metric['label']} {score_value(metric, method['score'])} ({low} to {high})"


def points_text(metric: dict[str, Any], value: float) -> str:
    """Write a difference of scores."""
    return f"{100 * value:.1f} points" if metric["is_percent"] else error_text(value)


def _nothing(best: Method, metric: dict[str, Any], guess: dict[str, Any]) -> str:
    return (
        f"No method is recommended: none predicts reliably better than {guess['text']} "
        f"({metric['label']} {score_value(metric, guess['score'])}). The best, {best['method']}, has "
        f"{score_text(best, metric)}."
    )


def _sentence(verdict: dict[str, Any], chosen: Method, best: Method, metric: dict[str, Any], n_features: float) -> str:
    score = f"{score_text(chosen, metric)} on unseen rows"
    if verdict["kind"] == KEEP_ALL and chosen["method"] != ALL:  # fewer are worse, and so are all
        return (
            f"No selection is recommended: {chosen['method']} ({chosen['idea']}) predicts best, with {score}, but "
            f"keeps nearly all of the {n_features:,.0f} features."
        )
    if verdict["kind"] == KEEP_ALL:
        them = "the only feature predicts" if n_features == 1 else f"all {n_features:,.0f} features predict best"
        return f"No selection needed: {them}, with {score}."
    is_best = verdict["given_up"] < 5e-4
    rank = (
        "and no method that ran predicts better"
        if is_best
        else f"which gives up {points_text(metric, verdict['given_up'])} against the best "
        f"({best['method']}, {score_value(metric, best['score'])})"
    )
    kept = f"{len(verdict['features']):,} of {n_features:,.0f} features"
    if verdict["kind"] == UNSTABLE:
        return (
            f"No stable selection: {chosen['method']} ({chosen['idea']}) predicts with {kept}, {score}, "
            f"{rank}; but it chooses others in every fold (stability {chosen['stability']:.2f}), which do as well: "
            "use these to predict, but read no meaning into each."
        )
    predict = "predicts" if len(verdict["features"]) == 1 else "predict"
    return f"Use {chosen['method']} ({chosen['idea']}): its {kept} {predict} with {score}, {rank}."


def _on_given_up(verdict: dict[str, Any], metric: dict[str, Any]) -> str:
    """State what a ranking gave up for its number of features, beside what it gives up against the best method."""
    within = verdict["given_up_within"]
    if within < 5e-4:
        return ""
    return f"More of its features would have gained {points_text(metric, within)} within the training rows."


def _on_uncertainty(verdict: dict[str, Any], chosen: Method, best: Method, metric: dict[str, Any]) -> str:
    """State how much may be given up for fewer features, where these rows leave that open."""
    most = verdict["given_up_at_most"]
    if verdict["kind"] == KEEP_ALL or most <= NOTICED or best["n_features"] <= chosen["n_features"]:
        return ""
    return (
        f"How much is uncertain: {points_text(metric, most)} may be given up (one standard error more than "
        f"was measured). Who would rather keep more takes {best['method']} ({_about(best)} features)."
    )


def _on_number(n_chosen: int, chosen: Method) -> str:
    """Explain a number of features on all rows that is not the one of the folds."""
    mean = chosen["n_features"]
    if chosen["method"] == ALL or abs(n_chosen - mean) < 0.5:
        return ""
    return (
        f"On all rows it keeps {n_chosen:,}; in the folds, on fewer rows, {_about(chosen)} "
        f"({chosen['fewest_features']:,} to {chosen['most_features']:,}), and the score is theirs."
    )


def _on_others(chosen: Method, good: list[Method]) -> str:
    fewest = chosen["n_features"]
    others = [method for method in good if method["n_features"] > max(NEARLY * fewest, fewest + 0.5)]
    if not others:
        return ""
    listed = ", ".join(f"{method['method']} ({_about(method)})" for method in others)
    return f"As good with more features: {listed}."


def _on_outvoted(
    outvoted: dict[str, dict[str, Any]], by_name: dict[str, Method], metrics: Sequence[dict[str, Any]]
) -> str:
    """Name what is as good by the deciding score alone, with the other score that says otherwise."""
    sentences = []
    for metric in metrics[1:]:
        found = {name: by for name, by in outvoted.items() if by["scoring"] == metric["name"]}
        if found:
            listed = ", ".join(
                f"{name} ({score_value(metric, by['score'])} with {_about(by_name[name])})"
                for name, by in found.items()
            )
            first = next(iter(found.values()))
            best = f"{first['best']} has {score_value(metric, first['best_score'])}"
            sentences.append(f"As good by {metrics[0]['label']}, but not by {metric['label']} ({best}): {listed}.")
    return " ".join(sentences)


def _on_worse(others: Collection[str], methods: list[Method], best: Method, metric: dict[str, Any]) -> str:
    """Name the methods that are not as good; what is missing less than a point is not called worse."""
    least = A_POINT if metric["is_bounded"] else 0.0
    behind: list[str] = []
    worse: list[str] = []
    for method in methods:
        if method["method"] not in others:
            is_worse = best["score"] - method["score"] >= least
            (worse if is_worse else behind).append(f"{method['method']} ({score_value(metric, method['score'])})")
    sentences = [
        f"{words}: {', '.join(listed)}."
        for words, listed in (("These are behind by less than a point", behind), ("These predict worse", worse))
        if listed
    ]
    return " ".join(sentences)


def _on_stability(stability: float | None) -> str:
    if stability is None:
        return ""
    shown_as = f"(stability {stability:.2f}, where 1 is the same every time and 0 is chance)"
    if stability >= EXCELLENT:
        return f"It chose nearly the same features in every fold {shown_as}, which is hardly chance."
    return f"It chose similar features in every fold {shown_as}; some of them stand for others."


def _on_stable(good: list[Method]) -> str:
    """Name the fewest features that stay the same from fold to fold, which are far more."""
    stable = [method for method in good if method["method"] != ALL and is_stable(method)]
    if not stable:
        return ""
    smallest = _smallest(stable)
    return f"The fewest that are similar in every fold: {smallest['method']} ({_about(smallest)} features)."


def _about(method: Method) -> str:
    """State how many features a method chose: always, or on average over the folds."""
    mean = method["n_features"]
    if method["fewest_features"] == method["most_features"]:
        return f"{mean:,.0f}"
    return f"about {mean:,.0f}" if mean >= 100 else f"about {mean:.1f}"
