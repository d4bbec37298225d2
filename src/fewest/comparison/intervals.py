"""How sure an accuracy is that comes from folds which share most of their training rows.

Nadeau and Bengio (2003), *Inference for the Generalization Error*, Machine
Learning 52: the plain variance of a mean over folds is too small, since the
folds are not independent. Multiply it by 1 + n_folds * n_test / n_train.
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

CONFIDENCE = 0.95


class Interval(NamedTuple):
    """A mean and the ends of its confidence interval."""

    mean: float
    low: float
    high: float


def corrected_error(values: np.ndarray, test_share: float) -> float | None:
    """Return the standard error of a mean over folds; ``test_share`` is n_test / n_train. None for a single fold."""
    if len(values) < 2:
        return None
    return sqrt((1 / len(values) + test_share) * float(np.var(values, ddof=1)))


def accuracy_interval(accuracies: np.ndarray, test_share: float, n_tested: int) -> Interval:
    """Return the mean accuracy over folds with its 95% interval.

    The corrected interval, but none narrower than what so many different rows
    can tell at all (Wilson, 1927): a method that is right in every fold may
    still be wrong about the next row.
    """
    mean, error = float(np.mean(accuracies)), corrected_error(accuracies, test_share)
    low, high = wilson(mean, n_tested)
    if error is not None:
        from scipy.stats import t

        margin = float(t.ppf(0.5 + CONFIDENCE / 2, len(accuracies) - 1)) * error
        low, high = min(low, mean - margin), max(high, mean + margin)
    return Interval(mean, max(0.0, low), min(1.0, high))


def wilson(share: float, n: int) -> tuple[float, float]:
    """Return the score interval of a share of n trials."""
    z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    margin = z / (1 + z**2 / n) * sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return centre - margin, centre + margin
