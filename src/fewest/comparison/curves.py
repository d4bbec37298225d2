"""The score against the number of features of a ranking, and how many of them to keep.

Features are ranked again in every inner fold, by the rows that then learn: a ranking that has seen the rows it is
judged by would flatter itself.

Judge the first n features of a ranking, for many n at once, by two learners that share their work between them.

Discriminant analysis (or ridge regression) needs one matrix of products, of which every n takes a corner; near rows
need distances, to which every further feature adds. The one sees sums of features, the other sees interactions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.budget import Budget
from fewest.comparison.learners import MIXED_IN, n_near, scaled, usual_answer
from fewest.comparison.metrics import Metric, Task, baseline
from fewest.comparison.uncertainty import corrected_error, loses_too_much
from fewest.kernels.compile_or_not import repeated

if TYPE_CHECKING:
    from fewest.comparison.training import Training

# Numbers of features to choose from.
NUMBERS = (1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 40, 50, 70, 100)
# A judge has at most so many columns, whatever the number of categories.
MOST_COLUMNS = 400

Rank = Callable[["Training"], Sequence[int] | np.ndarray]
Judge = tuple[str, str]
"""The names of a score and of a learner."""


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
    others : dict of str to list of float
        By name, the scores that count but do not decide.
    """

    numbers: list[int]
    scores: list[float]
    errors: list[float]
    chosen: int
    others: dict[str, list[float]] = field(default_factory=dict)

    @property
    def given_up(self) -> float:
        """Return the best score less that of the number chosen."""
        return max(0.0, float(np.nanmax(self.scores)) - self.scores[self.numbers.index(self.chosen)])

    def described(self) -> dict[str, Any]:
        """Return plain data."""
        return {"numbers": self.numbers, "scores": self.scores, "errors": self.errors, "chosen": self.chosen}


def numbers_to_try(n_features: int) -> list[int]:
    """Return numbers of features, all of them if they are few."""
    return [n for n in NUMBERS if n < n_features] + ([n_features] if n_features <= NUMBERS[-1] else [])


def curve_of(training: Training, rank: Rank, budget: Budget | None = None) -> Curve:
    """Return the curve of a ranking, and the number of features to keep by it.

    Raises `OutOfBudgetError` when there is no time for a further fold: some folds would decide by fewer rows.
    """
    tried = numbers_to_try(len(training.table.columns))
    by_learner: dict[Judge, list[list[float]]] = {}
    shares = []
    for part, test in training.inner:
        if budget is not None:
            budget.check(lambda: "features are ranked again without some rows")
        with repeated(len(training.inner)):
            order = list(rank(part))
        numbers = [min(n, len(order)) for n in tried]
        scores = subset_scores(training, part, test, [order[:n] for n in numbers])
        for name, values in scores.items():
            by_learner.setdefault(name, []).append(values)
        shares.append(len(test) / part.table.n_rows)
    best, *others = [_by_best_learner(by_learner, metric) for metric in training.metrics]
    share, counts = float(np.mean(shares)), training.class_counts
    chosen = one_error_choice(best, share, training.metric, training.guess, counts, others)
    errors = [corrected_error(column, share) or 0.0 for column in best.T]
    named = {m.name: _mean(scores).tolist() for m, scores in zip(training.metrics[1:], others, strict=True)}
    return Curve(tried, _mean(best).tolist(), errors, tried[chosen], named)


def _by_best_learner(by_learner: dict[Judge, list[list[float]]], metric: Metric) -> np.ndarray:
    """Return a score, folds x numbers of features, by the learner that reaches the most of it."""
    table = [np.array(by_learner[metric.name, learner]) for learner in LEARNERS]
    return max(table, key=lambda scores: float(np.nan_to_num(_mean(scores), nan=-np.inf).max()))


def subset_scores(
    training: Training, part: Training, test: np.ndarray, subsets: Sequence[Sequence[int]]
) -> dict[Judge, list[float]]:
    """Return the scores of nested subsets, the smallest first, on inner test rows, by score and learner.

    Rankings often agree about the first features: what was judged in a fold is kept with it.
    """
    matrix, task, metrics = training.matrix, training.task, training.metrics
    known: dict[frozenset[int], dict[Judge, float]] = part.shared("scores", dict)
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
                for metric in metrics:
                    known[new[end]][metric.name, name] = metric.score(actual, answer, usual, task)
    guesses = {metric.name: baseline(metric, actual, usual_answer(part.target, task), task) for metric in metrics}
    empty = {(metric, name): guess for metric, guess in guesses.items() for name in LEARNERS}
    unknown = dict.fromkeys(empty, float("nan"))
    found = [known.get(frozenset(subset), unknown) if len(subset) else empty for subset in subsets]
    return {judge: [scores[judge] for scores in found] for judge in empty}


def one_error_choice(
    scores: np.ndarray,
    test_share: float,
    metric: Metric,
    guess: float,
    counts: np.ndarray | None = None,
    others: Sequence[np.ndarray] = (),
) -> int:
    """Return the first column whose mean over folds is within one standard error of the best, and two points.

    The error is that of the difference to the best, fold by fold, corrected for shared training rows. By none of the
    other scores may it lose too much; where all that are near the best do, the best is returned.
    """
    means = np.nan_to_num(_mean(scores), nan=-np.inf)
    best = int(means.argmax())
    most = metric.largest_loss(float(means[best]), guess, counts) / 2  # the recommendation may lose as much
    for k in range(len(means)):
        lost = scores[:, best] - scores[:, k]
        error = corrected_error(lost, test_share) or 0.0
        is_near = k == best or means[best] - means[k] <= min(error, most) + 1e-12
        if is_near and not any(_is_outvoted(other, k, test_share) for other in others):
            return k
    return best


def _is_outvoted(scores: np.ndarray, column: int, test_share: float) -> bool:
    """Return whether a column loses too much against the best one by scores that count but do not decide."""
    means = np.nan_to_num(_mean(scores), nan=-np.inf)
    return loses_too_much(scores[:, int(means.argmax())] - scores[:, column], test_share)


def _mean(scores: np.ndarray) -> np.ndarray:
    known = ~np.isnan(scores)
    counts = known.sum(axis=0)
    return np.where(counts > 0, np.where(known, scores, 0.0).sum(axis=0) / np.maximum(counts, 1), np.nan)


# Rows that are searched for near ones: more make that slow, and the order of subsets hardly better.
MOST_LEARNED = 1000
LEARNERS = ("linear", "near")


def prefix_answers(
    X: np.ndarray, target: np.ndarray, rows: np.ndarray, test: np.ndarray, ends: Sequence[int], task: Task
) -> dict[str, list[np.ndarray]]:
    """Return the answers of both learners for the test rows, from the first columns up to each end.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_columns)
        Scaled by the training rows, in the order of the ranking.
    target : ndarray of shape (n_rows,)
    rows, test : arrays of int
        Who learns, and who is asked.
    ends : sequence of int
        Ascending.
    task : Task
    """
    X = X[:, : ends[-1]]
    learned = rows[:: -(-len(rows) // MOST_LEARNED)]
    usual = usual_answer(target[rows], task)
    near = _near(X[learned], target[learned], X[test], ends, task)
    linear = _linear(X[rows].astype(np.float64), target[rows], X[test], ends, task)
    if task.is_regression:
        return {"linear": linear, "near": near}
    return {
        name: [(1 - MIXED_IN) * answer + MIXED_IN * usual for answer in found]
        for name, found in (("linear", linear), ("near", near))
    }


def _linear(X: np.ndarray, y: np.ndarray, X_test: np.ndarray, ends: Sequence[int], task: Task) -> list[np.ndarray]:
    n_rows = len(X)
    if task.is_regression:
        centred = y - y.mean()
        squares, products = X.T @ X / n_rows, X.T @ centred / n_rows
        slopes = [np.linalg.solve(_shrunken(squares[:n, :n], n_rows), products[:n]) for n in ends]
        return [y.mean() + X_test[:, :n] @ slope for n, slope in zip(ends, slopes, strict=True)]
    present, codes = np.unique(y, return_inverse=True)
    members = np.eye(len(present))[codes]
    shares = members.mean(axis=0)
    means = (members.T @ X) / members.sum(axis=0)[:, None]
    within = (X.T @ X - (means * members.sum(axis=0)[:, None]).T @ means) / n_rows
    found = []
    for n in ends:
        weights = np.linalg.solve(_shrunken(within[:n, :n], n_rows), means[:, :n].T)
        values = X_test[:, :n] @ weights - 0.5 * (means[:, :n].T * weights).sum(axis=0) + np.log(shares)
        values = np.exp(values - values.max(axis=1, keepdims=True))
        answer = np.zeros((len(X_test), task.n_classes))
        answer[:, present] = values / values.sum(axis=1, keepdims=True)
        found.append(answer)
    return found


def _shrunken(squares: np.ndarray, n_rows: int) -> np.ndarray:
    """Return a covariance drawn towards a multiple of the identity, the more the fewer rows there are."""
    n = len(squares)
    share = max(0.01, n / (n + n_rows))
    mean = max(float(np.trace(squares)) / n, 1e-6)
    return (1 - share) * squares + share * mean * np.eye(n)


def _near(X: np.ndarray, y: np.ndarray, X_test: np.ndarray, ends: Sequence[int], task: Task) -> list[np.ndarray]:
    k = min(n_near(len(X)), len(X))
    wanted = (y[:, None] if task.is_regression else np.eye(task.n_classes)[y]).astype(np.float32)
    distances, found, start = np.zeros((len(X_test), len(X)), dtype=np.float32), [], 0
    for end in ends:
        a, b = X_test[:, start:end], X[:, start:end]
        distances += (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1) - 2 * a @ b.T
        start = end
        # All rows as near as the k-th answer: among equal discrete values none is nearer than another.
        is_near = distances <= np.partition(distances, k - 1, axis=1)[:, k - 1 : k] + 1e-4
        weights = is_near.astype(np.float32)
        found.append((weights @ wanted).astype(np.float64) / weights.sum(axis=1, keepdims=True))
    return [answer[:, 0] for answer in found] if task.is_regression else found
