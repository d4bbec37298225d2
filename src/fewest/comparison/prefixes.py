"""Judge the first n features of a ranking, for many n at once, by two learners that share their work between them.

Discriminant analysis (or ridge regression) needs one matrix of products, of which every n takes a corner; near rows
need distances, to which every further feature adds. The one sees sums of features, the other sees interactions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fewest.comparison.learners import MIXED_IN, n_near, usual_answer
from fewest.comparison.metrics import Task

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
