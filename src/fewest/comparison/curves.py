"""The score against the number of features of a ranking, and how many of them to keep.

Features are ranked again in every inner fold, by the rows that then learn: a ranking that has seen the rows it is
judged by would flatter itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.comparison.learners import scaled, usual_answer
from fewest.comparison.metrics import Metric, baseline
from fewest.comparison.prefixes import LEARNERS, prefix_answers
from fewest.comparison.uncertainty import corrected_error

if TYPE_CHECKING:
    from fewest.comparison.training import Training

# Numbers of features to choose from.
NUMBERS = (1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 40, 50, 70, 100)
# A judge has at most so many columns, whatever the number of categories.
MOST_COLUMNS = 400

Rank = Callable[["Training"], Sequence[int] | np.ndarray]


@dataclass(frozen=True)
class Curve:
    """Scores of the first n features of a ranking within the training rows.

    Attributes
    ----------
    numbers : list of int
    scores, errors : list of float
        Means over the inner folds, and their standard errors.
    chosen : int
        The fewest features whose score is within one standard error of the best.
    """

    numbers: list[int]
    scores: list[float]
    errors: list[float]
    chosen: int

    def described(self) -> dict[str, Any]:
        """Return plain data."""
        return {"numbers": self.numbers, "scores": self.scores, "errors": self.errors, "chosen": self.chosen}


def numbers_to_try(n_features: int) -> list[int]:
    """Return numbers of features, all of them if they are few."""
    return [n for n in NUMBERS if n < n_features] + ([n_features] if n_features <= NUMBERS[-1] else [])


def curve_of(training: Training, rank: Rank) -> Curve:
    """Return the curve of a ranking, and the number of features to keep by it."""
    tried = numbers_to_try(len(training.table.columns))
    by_learner: dict[str, list[list[float]]] = {}
    shares = []
    for part, test in training.inner:
        order = list(rank(part))
        numbers = [min(n, len(order)) for n in tried]
        scores = subset_scores(training, part, test, [order[:n] for n in numbers])
        for name, values in scores.items():
            by_learner.setdefault(name, []).append(values)
        shares.append(len(test) / part.table.n_rows)
    table = {name: np.array(values) for name, values in by_learner.items()}
    best = max(table, key=lambda name: float(np.nan_to_num(_mean(table[name]), nan=-np.inf).max()))
    chosen = one_error_choice(table[best], float(np.mean(shares)), training.metric, training.guess)
    errors = [corrected_error(column, float(np.mean(shares))) or 0.0 for column in table[best].T]
    return Curve(tried, _mean(table[best]).tolist(), errors, tried[chosen])


def subset_scores(
    training: Training, part: Training, test: np.ndarray, subsets: Sequence[Sequence[int]]
) -> dict[str, list[float]]:
    """Return the score of nested subsets, the smallest first, on inner test rows, by learner.

    Rankings often agree about the first features: what was judged in a fold is kept with it.
    """
    matrix, task, metric = training.matrix, training.task, training.metric
    known: dict[frozenset[int], dict[str, float]] = part.shared("scores", dict)
    longest, actual = list(subsets[-1]), training.target[test]
    ends = np.cumsum([matrix.starts[j + 1] - matrix.starts[j] for j in longest]).tolist()
    new = {ends[len(s) - 1]: frozenset(s) for s in subsets if len(s) and frozenset(s) not in known}
    possible = sorted(end for end in new if end <= MOST_COLUMNS)
    if possible:
        X = scaled(matrix.matrix[:, matrix.columns_of(longest)[: possible[-1]]], part.rows)
        usual = usual_answer(part.target, task)
        for end in possible:
            known[new[end]] = {}
        for name, answers in prefix_answers(X, training.target, part.rows, test, possible, task).items():
            for end, answer in zip(possible, answers, strict=True):
                known[new[end]][name] = metric.score(actual, answer, usual, task)
    guess = baseline(metric, actual, usual_answer(part.target, task), task)
    empty, unknown = dict.fromkeys(LEARNERS, guess), dict.fromkeys(LEARNERS, float("nan"))
    found = [known.get(frozenset(subset), unknown) if len(subset) else empty for subset in subsets]
    return {name: [scores[name] for scores in found] for name in LEARNERS}


def one_error_choice(scores: np.ndarray, test_share: float, metric: Metric, guess: float) -> int:
    """Return the first column whose mean over folds is within one standard error of the best, and two points.

    The error is that of the difference to the best, fold by fold, corrected for shared training rows.
    """
    means = np.nan_to_num(_mean(scores), nan=-np.inf)
    best = int(means.argmax())
    most = metric.largest_loss(float(means[best]), guess) / 2  # the recommendation may lose as much
    for k in range(best):
        lost = scores[:, best] - scores[:, k]
        error = corrected_error(lost, test_share) or 0.0
        if means[best] - means[k] <= min(error, most) + 1e-12:
            return k
    return best


def _mean(scores: np.ndarray) -> np.ndarray:
    known = ~np.isnan(scores)
    counts = known.sum(axis=0)
    return np.where(counts > 0, np.where(known, scores, 0.0).sum(axis=0) / np.maximum(counts, 1), np.nan)
