"""The features that the recommended method chooses on all rows."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from fewest.budget import Budget, OutOfBudgetError
from fewest.comparison.recommendation import KEEP_ALL, is_nearly_all, worded
from fewest.comparison.selectors import NUMBER, RANKINGS, Selector
from fewest.comparison.summary import Summary
from fewest.comparison.training import Training

# Of the mean number of features in the folds, fewer than this share are not typical; so many divisions are tried then.
TYPICAL, MOST_DIVISIONS = 0.75, 5


def choose_on_all_rows(
    result: dict[str, Any],
    summary: Summary,
    chosen: list[Selector],
    training: Training,
    seconds: float | None,
    on_progress: Callable[[str], None] | None,
    already: Mapping[str, np.ndarray] | None = None,
) -> list[str]:
    """Let the recommended method choose on all rows; one that keeps nearly all features there recommends no selection.

    Then the verdict is found again without it. Who interrupts a comparison does not wait for that: what every method
    has chosen ``already``, in a fold, stands in its place. Return the methods that the clock has cut short.
    """
    by_name = {one.name: one for one in chosen}
    sizes = {method["method"]: method["n_features"] for method in result["methods"]}
    budget, n_features, unselective = Budget(seconds, on_progress), len(training.table.columns), []
    by_clock: list[str] = []
    while True:
        verdict = result["recommendation"] | {"features": [], "how": None}
        winner = None if verdict["method"] is None else by_name[verdict["method"]].on_all_rows()
        if winner is None:
            break
        if already is None:
            mask, rows = typical_choice(winner, training, budget, sizes[winner.name])
        else:
            mask, rows = already[verdict["method"]], training
        if budget.is_cut:
            by_clock.append(winner.name)
        if verdict["kind"] == KEEP_ALL or not is_nearly_all(mask.sum(), n_features):
            verdict["features"] = [training.table.names[j] for j in np.flatnonzero(mask)]
            verdict["how"] = winner.command(rows, int(mask.sum()))
            break
        unselective.append(winner.name)
        result["recommendation"] = summary.verdict(result["methods"], result["guess"]["score"], unselective)
    worded(verdict, result["methods"], result["metrics"], result["guess"])
    result["recommendation"] = verdict
    return by_clock


def typical_choice(
    selector: Selector, training: Training, budget: Budget, n_features: float
) -> tuple[np.ndarray, Training]:
    """Choose features on all rows, about as many as in the folds, whose score is shown beside them.

    A ranking keeps the mean number of the folds, which is less a matter of luck than one more division of the rows.
    Another method that divides the rows at random once more, to find how many features to keep, can be unlucky with
    that: when it keeps much fewer than in the folds, other divisions are tried, and the nearest number counts.
    """
    found: list[tuple[float, np.ndarray, Training]] = []
    if selector.name in RANKINGS:
        training.shared((NUMBER, selector.name), lambda: max(1, round(n_features)))
    for number in range(1 if selector.is_discrete else MOST_DIVISIONS):
        part = training if not number else replace(training, seed=training.seed + number, _kept={})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                mask, _ = selector.timed(part, budget)
            except OutOfBudgetError:
                if found:
                    break
                mask, _ = selector.timed(part, Budget(None))  # there is an answer, whatever time was expected for it
        found.append((abs(int(mask.sum()) - n_features), mask, part))
        if mask.sum() >= TYPICAL * n_features:
            break
    return min(found, key=lambda one: one[0])[1:]
