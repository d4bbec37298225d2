"""How much noise to tolerate, chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewest.budget import INTERRUPT, Budget
from fewest.cover.examples import Answer
from fewest.cover.kernels.differences import beyond_floats, separated
from fewest.cover.options import CHANCE
from fewest.cover.sample import Sample
from fewest.trees.id3 import grow_id3

Search = Callable[[Sample, Budget], Answer]

# What cross-validation tries: fractions of all pairs, and of those that chance would leave, up to all of these.
TOLERANCES = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
CORRECTED_TOLERANCES = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
# Standard errors by which the best of these, twice judged, must beat no features at all: 1 in 30 by chance, at most.
BEYOND_CHANCE = 3
N_FOLDS = 5
# Near rows that answer together, the rows that they are sought among, and values that are compared at a time.
N_NEAR, MOST_LEARNED, AT_A_TIME = 5, 1000, 1 << 22


@dataclass(frozen=True)
class ValidatedTolerance:
    """The tolerance of choice, and for every one tried how well the selected features predicted.

    ``n_stopped`` of a score is how many of its searches the time limit cut short; their answers count all the same.
    """

    tolerance: float
    scores: tuple[dict[str, float], ...]

    @property
    def n_stopped(self) -> int:
        """Return how many searches were cut short in all."""
        return int(sum(score["n_stopped"] for score in self.scores))


def cross_validated_tolerance(sample: Sample, search: Search, budget: Budget) -> ValidatedTolerance:
    """Choose the largest tolerance that predicts as well as the best, up to one standard error.

    Four fifths of the rows select features and learn from them, one fifth measures how good that was, five times. The
    folds are always the same. At most half of the time left is spent, the same share of what is left on every search:
    large tolerances first, since these are quick, and leave their time to the others. Two learners judge, a tree and
    near rows, and the better one counts: a tree asks one feature at a time, near rows see what several say together.
    Of a single row none can be left out, and nothing is tolerated.

    Corrected for chance, the largest tolerance allows that nothing is explained. The best must predict better than that
    by three standard errors, since the best of so many does by more than one if there is nothing but noise.
    """
    if len(sample.classes) < 2:
        return ValidatedTolerance(0.0, ())
    budget = budget.part(0.5)
    folds = list(folds_of(sample.classes))
    parts = [(rows_of(sample, ~held_out), rows_of(sample, held_out)) for held_out in folds]
    tolerances = CORRECTED_TOLERANCES if sample.criterion == CHANCE else TOLERANCES
    shares = _equal_shares(budget, len(tolerances) * len(folds))
    scores = [_scored(sample, tolerance, parts, search, shares) for tolerance in sorted(tolerances, reverse=True)]
    scores.reverse()
    best = max(scores, key=lambda score: score["balanced_accuracy"])
    good_enough = best["balanced_accuracy"] - best["standard_error"]
    if sample.criterion == CHANCE:
        by_chance = scores[-1]["balanced_accuracy"]
        is_beyond = best["balanced_accuracy"] - BEYOND_CHANCE * best["standard_error"] > by_chance
        good_enough = good_enough if is_beyond else by_chance
    chosen = max(score["tolerance"] for score in scores if score["balanced_accuracy"] >= good_enough)
    return ValidatedTolerance(chosen, tuple(scores))


def _equal_shares(budget: Budget, n: int) -> Iterator[Budget]:
    """Yield budgets for so many searches, each with its share of the time that is left when it begins."""
    for n_left in range(n, 0, -1):
        yield budget.part(1 / n_left)


def _scored(
    sample: Sample, tolerance: float, parts: list[tuple[Sample, Sample]], search: Search, shares: Iterator[Budget]
) -> dict[str, float]:
    """Return how well the features selected with a tolerance predict, every class counting the same."""
    n_classes = int(sample.classes.max(initial=0)) + 1
    n_right, n_features, n_stopped = np.zeros((2, n_classes)), 0, 0
    for rows, held_out in parts:
        training = replace(rows, tolerance=tolerance)
        answer = search(training, next(shares))
        if answer.stopped_by == INTERRUPT:
            raise KeyboardInterrupt  # no tolerance is chosen yet, and who interrupts means all of it
        n_stopped += answer.stopped_by is not None
        subset = list(answer.subset)
        n_features += len(subset)
        learned, unseen = (part.restricted(subset) for part in (training, held_out))
        for judge, predict in enumerate((predicted, predicted_by_near_rows)):
            is_right = predict(learned, unseen) == unseen.classes
            n_right[judge] += np.bincount(unseen.classes[is_right], minlength=n_classes)
    n_rows = np.bincount(sample.classes, minlength=n_classes)
    n_right, n_rows = n_right[:, n_rows > 0], n_rows[n_rows > 0]
    recalls = max(n_right / n_rows, key=np.mean)
    return {
        "tolerance": tolerance,
        "balanced_accuracy": float(recalls.mean()),
        "standard_error": float(np.sqrt((recalls * (1 - recalls) / n_rows).sum()) / len(recalls)),
        "n_features": n_features / len(parts),
        "n_stopped": n_stopped,
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
    codes = np.asfortranarray(sample.codes[chosen])
    return Sample(codes, sample.classes[chosen], numeric, criterion=sample.criterion)


def predicted(learned: Sample, unseen: Sample) -> np.ndarray:
    """Predict as ID3 does or, where rows fall into no groups, as the rows from which the fewest features separate."""
    n_classes = int(learned.classes.max(initial=0)) + 1
    if not (learned.is_pairwise or unseen.is_pairwise):
        return grow_id3(learned.codes, learned.classes, n_classes).predict(unseen.codes)
    votes = [_votes(learned, unseen, row, n_classes) for row in range(len(unseen.classes))]
    return np.array(votes, dtype=np.int64).reshape(-1, n_classes).argmax(axis=1)


def predicted_by_near_rows(learned: Sample, unseen: Sample) -> np.ndarray:
    """Predict the class that is the most frequent, relative to its share of all, among rows that differ in the least.

    All rows as near as the fifth answer. Where margins or missing values decide, this is `predicted`, which does that.
    """
    if learned.is_pairwise or unseen.is_pairwise:
        return predicted(learned, unseen)
    rows = slice(None, None, -(-len(learned.classes) // MOST_LEARNED))
    codes, classes = learned.codes[rows], learned.classes[rows]
    counts = np.bincount(classes)
    members = np.eye(len(counts))[classes] / np.maximum(counts, 1)
    k = min(N_NEAR, len(classes)) - 1
    step = max(1, AT_A_TIME // max(1, codes.size))
    found = [np.empty(0, dtype=np.int64)]
    for start in range(0, len(unseen.classes), step):
        n_apart = (unseen.codes[start : start + step, None, :] != codes).sum(axis=2, dtype=np.int32)
        is_near = n_apart <= np.partition(n_apart, k, axis=1)[:, k : k + 1]
        found.append((is_near @ members).argmax(axis=1))
    return np.concatenate(found)


def _votes(learned: Sample, unseen: Sample, row: int, n_classes: int) -> np.ndarray:
    apart: Any = separated(unseen.codes[row], learned.codes)
    if learned.numeric is not None and unseen.numeric is not None:
        with beyond_floats():
            distances = np.abs(unseen.numeric.values[row] - learned.numeric.values)
        apart[:, learned.numeric.positions] |= distances >= learned.numeric.margins
    n_apart = apart.sum(axis=1)
    return np.bincount(learned.classes[n_apart == n_apart.min()], minlength=n_classes)
