"""What the recommendation predicted for rows that it had not seen: plain data for the curves of a page."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewest.comparison.folds import Fold
from fewest.comparison.learners import usual_answer
from fewest.comparison.metrics import ACCURACY, Metric, Task, labels_of
from fewest.comparison.validation import Record

# What a page can show: rows, and points of a curve.
MOST_ROWS, MOST_POINTS, MOST_CLASSES = 5000, 200, 20


def unseen_predictions(
    record: Record, favorites: list[str], parts: list[Fold], target: np.ndarray, task: Task, metric: Metric
) -> dict[str, Any]:
    """Return the predictions for every row that was left out, once, and the curves that they draw.

    ``rows`` are numbers of rows from 0 (a sample of them, if there are many), ``actual`` and ``predicted`` codes of
    classes or values, ``probabilities`` one list a class. For classes there is the ``confusion`` matrix (a row for
    every true class); for two, also the ``roc`` and ``precision_recall`` curves of the positive one.
    """
    rows, answers, labels = _once(record, favorites, parts, target, task, metric)
    actual = target[rows]
    kept = np.linspace(0, len(rows) - 1, min(len(rows), MOST_ROWS)).astype(np.intp)
    found: dict[str, Any] = {
        "rows": rows[kept].tolist(),
        "actual": actual[kept].tolist(),
        "predicted": labels[kept].tolist(),
    }
    if task.is_regression:
        return found
    if task.n_classes <= MOST_CLASSES:
        found["probabilities"] = np.round(answers[kept], 4).T.tolist()
    confusion = np.zeros((task.n_classes, task.n_classes), dtype=np.int64)
    np.add.at(confusion, (actual, labels), 1)
    found["confusion"] = confusion.tolist()
    if task.positive is not None:
        found |= ranking_curves(actual == task.positive, answers[:, task.positive])
    return found


def _once(
    record: Record, favorites: list[str], parts: list[Fold], target: np.ndarray, task: Task, metric: Metric
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the rows that were left out, each once, with the answers and labels of the learner that counted."""
    seen: set[int] = set()
    rows, answers, labels = [], [], []
    for (training, test), name, judgement in zip(parts, favorites, record.judgements, strict=False):
        new = np.array([row not in seen for row in test.tolist()])
        seen |= set(test.tolist())
        given = judgement[name][1][new]
        rows.append(test[new])
        answers.append(given)
        labels.append(_labels(given, usual_answer(target[training], task), task, metric))
    order = np.argsort(np.concatenate(rows), kind="stable")
    return tuple(np.concatenate(values)[order] for values in (rows, answers, labels))  # type: ignore[return-value]


def _labels(answers: np.ndarray, shares: np.ndarray, task: Task, metric: Metric) -> np.ndarray:
    if task.is_regression:
        return answers
    return answers.argmax(axis=1) if metric is ACCURACY else labels_of(answers, shares)


def ranking_curves(is_positive: np.ndarray, scores: np.ndarray) -> dict[str, Any]:
    """Return the ROC and precision-recall curves, thinned to what can be drawn."""
    order = np.argsort(-scores, kind="stable")
    last = np.r_[np.flatnonzero(np.diff(scores[order])), len(scores) - 1]  # where a threshold can lie
    hits, asked = np.cumsum(is_positive[order])[last], last + 1
    n_positive = max(1, int(is_positive.sum()))
    n_negative = max(1, len(is_positive) - n_positive)
    shown = np.unique(np.linspace(0, len(last) - 1, min(len(last), MOST_POINTS)).astype(np.intp))
    recall = (hits / n_positive)[shown]
    return {
        "roc": {
            "false_positive_rate": [0.0, *((asked - hits) / n_negative)[shown].tolist()],
            "true_positive_rate": [0.0, *recall.tolist()],
        },
        "precision_recall": {"recall": recall.tolist(), "precision": (hits / asked)[shown].tolist()},
    }
