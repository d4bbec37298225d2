"""Recommend one of the compared methods, in words and with the reason."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewest.comparison.selectors import ALL
from fewest.comparison.validation import corrected_error

# After Fleiss: below this, agreement beyond chance is poor; above that, excellent.
POOR, EXCELLENT = 0.40, 0.75
# A method that is right that much less often is not as good, however wide the intervals are.
MOST_LOST = 0.05
# Numbers of features within this factor count as equal.
NEARLY = 1.10

Method = dict[str, Any]


def recommend(methods: list[Method], guess: dict[str, Any], test_share: float) -> dict[str, Any]:
    """Choose, of the methods that predict as well as the best, one with the fewest features.

    As well as the best means: the mean difference over the folds is at most
    one corrected standard error of that difference, and not more than a user
    would mind: few rows make errors large. Of several methods with
    about the fewest features, the more stable wins, then the first in the list.
    """
    best = max(methods, key=lambda method: method["accuracy"])
    if best["low"] <= guess["accuracy"]:
        return _nothing(best, guess)
    good = [method for method in methods if _is_as_good(method, best, test_share)]
    fewest = min(method["n_features"] for method in good)
    small = [method for method in good if method["n_features"] <= max(NEARLY * fewest, fewest + 0.5)]
    chosen = max(small, key=lambda method: _known(method["stability"]))
    everything = next((method for method in methods if method["method"] == ALL), None)
    return {
        "method": chosen["method"],
        "sentence": _sentence(chosen, best, everything),
        "reasons": _reasons(chosen, good, methods),
    }


def _is_as_good(method: Method, best: Method, test_share: float) -> bool:
    lost = np.array(best["accuracies"]) - np.array(method["accuracies"])
    error = corrected_error(lost, test_share)
    return bool(lost.mean() <= min(error or 0.0, MOST_LOST) + 1e-12)


def _known(stability: float | None) -> float:
    """Return the stability to rank by; what is undefined, such as that of all features, ranks last."""
    return -2.0 if stability is None else round(stability, 2)


def _nothing(best: Method, guess: dict[str, Any]) -> dict[str, Any]:
    return {
        "method": None,
        "sentence": f"No method is recommended: none predicts reliably better than always answering {guess['label']}, "
        f"which is right for {guess['accuracy']:.1%} of the rows. The best, {best['method']}, is right for "
        f"{best['accuracy']:.1%} ({best['low']:.1%} to {best['high']:.1%}).",
        "reasons": ["More rows, or other features, are needed to separate the classes."],
    }


def _sentence(chosen: Method, best: Method, everything: Method | None) -> str:
    interval = f"{chosen['accuracy']:.1%} right ({chosen['low']:.1%} to {chosen['high']:.1%})"
    if chosen["method"] == ALL:
        return f"Keep all features: they predict {interval}, and no selection predicts as well."
    n_features = _about(chosen)
    of = "" if everything is None else f" of {everything['n_features']:.0f}"
    is_best = best["accuracy"] - chosen["accuracy"] < 5e-4
    rank = (
        "and no method predicts better"
        if is_best
        else f"as well as the best ({best['method']}, {best['accuracy']:.1%}), as far as these rows can show"
    )
    return f"Use {chosen['method']} ({chosen['idea']}): with {n_features}{of} features it predicts {interval}, {rank}."


def _reasons(chosen: Method, good: list[Method], methods: list[Method]) -> list[str]:
    reasons = []
    others = [method for method in good if method is not chosen and method["n_features"] > chosen["n_features"]]
    if others:
        listed = ", ".join(f"{method['method']} ({_about(method)})" for method in others)
        reasons.append(f"Others predict as well with more features: {listed}.")
    worse = [method for method in methods if method not in good]
    if worse:
        listed = ", ".join(f"{method['method']} ({method['accuracy']:.1%})" for method in worse)
        reasons.append(f"These predict worse: {listed}.")
    reasons.append(_on_stability(chosen["stability"]))
    return [reason for reason in reasons if reason]


def _on_stability(stability: float | None) -> str:
    if stability is None:
        return ""
    shown = f"(stability {stability:.2f}, where 1 is the same every time and 0 is chance)"
    if stability >= EXCELLENT:
        return f"It chose nearly the same features in every fold {shown}, which is hardly chance."
    if stability >= POOR:
        return f"It chose similar features in every fold {shown}; some of them stand for others."
    return f"It chose different features in every fold {shown}: use them to predict, but read no meaning into each."


def _about(method: Method) -> str:
    """State how many features a method chose: always, or on average over the folds."""
    mean = method["n_features"]
    if method["fewest_features"] == method["most_features"]:
        return f"{mean:,.0f}"
    return f"about {mean:,.0f}" if mean >= 100 else f"about {mean:.1f}"
