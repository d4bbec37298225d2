"""How much noise to tolerate, chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewest.budget import INTERRUPT, Budget
from fewest.cover.examples import Answer
from fewest.cover.kernels.differences import separated
from fewest.cover.sample import Sample
from fewest.trees.id3 import grow_id3

Search = Callable[[Sample, Budget], Answer]

# What cross-validation tries.
TOLERANCES = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
N_FOLDS = 5


@dataclass(frozen=True)
class ValidatedTolerance:
    """The tolerance of choice, and for every one tried how well the selected features predicted."""

    tolerance: float
    scores: tuple[dict[str, float], ...]


def cross_validated_tolerance(sample: Sample, search: Search, budget: Budget) -> ValidatedTolerance:
    """Choose the largest tolerance that predicts as well as the best, up to one standard error.

    Four fifths of the rows select features and learn from them, one fifth
    measures how good that was, five times. The folds are always the same. At
    most half of the time left is spent.
    """
    budget = budget.part(0.5)
    folds = list(folds_of(sample.classes))
    scores = [_scored(sample, tolerance, folds, search, budget) for tolerance in TOLERANCES]
    best = max(scores, key=lambda score: score["accuracy"])
    good_enough = best["accuracy"] - best["standard_error"]
    chosen = max(score["tolerance"] for score in scores if score["accuracy"] >= good_enough)
    return ValidatedTolerance(chosen, tuple(scores))


def _scored(
    sample: Sample,
    tolerance: float,
    folds: list[np.ndarray],
    search: Callable[[Sample, Budget], Answer],
    budget: Budget,
) -> dict[str, float]:
    n_right, n_features = 0, 0
    for held_out in folds:
        training = replace(rows_of(sample, ~held_out), tolerance=tolerance)
        answer = search(training, budget)
        if answer.stopped_by == INTERRUPT:
            raise KeyboardInterrupt  # no tolerance is chosen yet, and who interrupts means all of it
        subset = list(answer.subset)
        n_features += len(subset)
        learned, unseen = (part.restricted(subset) for part in (training, rows_of(sample, held_out)))
        n_right += int((predicted(learned, unseen) == unseen.classes).sum())
    accuracy = n_right / len(sample.classes)
    return {
        "tolerance": tolerance,
        "accuracy": accuracy,
        "standard_error": (accuracy * (1 - accuracy) / len(sample.classes)) ** 0.5,
        "n_features": n_features / len(folds),
    }


def folds_of(classes: np.ndarray) -> Iterator[np.ndarray]:
    """Yield masks of the rows held out: the classes of each fold as mixed as those of all."""
    shuffled = np.random.default_rng(0).permutation(len(classes))
    by_class = shuffled[np.argsort(classes[shuffled], kind="stable")]
    fold = np.empty(len(classes), dtype=np.intp)
    fold[by_class] = np.arange(len(classes)) % N_FOLDS
    for number in range(min(N_FOLDS, len(classes))):
        yield fold == number


def rows_of(sample: Sample, chosen: np.ndarray) -> Sample:
    """Return some of the rows, as a sample of their own."""
    numeric = None if sample.numeric is None else sample.numeric.take(chosen)
    return Sample(np.asfortranarray(sample.codes[chosen]), sample.classes[chosen], numeric)


def predicted(learned: Sample, unseen: Sample) -> np.ndarray:
    """Predict as ID3 does or, where rows fall into no groups, as the rows from which the fewest features separate."""
    n_classes = int(learned.classes.max(initial=0)) + 1
    if not (learned.is_pairwise or unseen.is_pairwise):
        return grow_id3(learned.codes, learned.classes, n_classes).predict(unseen.codes)
    votes = [_votes(learned, unseen, row, n_classes) for row in range(len(unseen.classes))]
    return np.array(votes, dtype=np.int64).reshape(-1, n_classes).argmax(axis=1)


def _votes(learned: Sample, unseen: Sample, row: int, n_classes: int) -> np.ndarray:
    apart: Any = separated(unseen.codes[row], learned.codes)
    if learned.numeric is not None and unseen.numeric is not None:
        distances = np.abs(unseen.numeric.values[row] - learned.numeric.values)
        apart[:, learned.numeric.positions] |= distances >= learned.numeric.margins
    n_apart = apart.sum(axis=1)
    return np.bincount(learned.classes[n_apart == n_apart.min()], minlength=n_classes)
