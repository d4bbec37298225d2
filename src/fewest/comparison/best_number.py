"""How many features of a ranking to keep, found within the training rows alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fewest.comparison.learners import N_INNER, Numbers, folds, learners, predicted
from fewest.comparison.training import Training

NUMBERS = (1, 2, 3, 5, 10, 20, 50, 100)
JUDGE = "neighbours"

Rank = Callable[[Training], np.ndarray]


def best_number(training: Training, rank: Rank) -> int:
    """Return the number of features that predicts best, the smallest of equals.

    The ranking is made anew in every part, from the rows that then learn:
    a ranking that has seen the rows it is judged by would flatter itself.
    """
    classes = training.classes
    n_features = len(training.table.columns)
    tried = [n for n in NUMBERS if n < n_features] or [n_features]
    numbers, judge = Numbers(training.table), learners([JUDGE], training.seed)[JUDGE]
    n_right = np.zeros(len(tried), dtype=np.int64)
    for rows, held_out in folds(classes, N_INNER, 1, training.seed):
        order = rank(Training(training.table.take(rows), classes[rows], training.seed))
        n_right += [_n_right(numbers, judge, order[:n], classes, rows, held_out) for n in tried]
    return tried[int(n_right.argmax())]


def _n_right(
    numbers: Numbers, judge: Any, kept: np.ndarray, classes: np.ndarray, rows: np.ndarray, test: np.ndarray
) -> int:
    mask = np.zeros(int(numbers.feature.max(initial=-1)) + 1, dtype=bool)
    mask[kept] = True
    return int((predicted(judge, numbers.of(mask, rows), classes, rows, test) == classes[test]).sum())
