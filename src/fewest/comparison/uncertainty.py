"""How sure a mean over folds is."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from fewest.comparison.metrics import TWO_POINTS, Metric

CONFIDENCE = 0.95


class Interval(NamedTuple):
    """A mean, its standard error and the ends of its confidence interval."""

    mean: float
    error: float | None
    low: float
    high: float


def corrected_error(values: np.ndarray, test_share: float) -> float | None:
    """Return the standard error of a mean over folds; ``test_share`` is n_test / n_train. None for a single fold.

    The folds share most of their training rows, so that the plain variance of
    their mean is too small. Nadeau and Bengio (2003), *Inference for the
    Generalization Error*, Machine Learning 52, multiply it by
    1 + n_folds * n_test / n_train. Folds without a score are left aside.
    """
    values = values[~np.isnan(values)]
    if len(values) < 2:
        return None
    return sqrt((1 / len(values) + test_share) * float(np.var(values, ddof=1)))


def loses_too_much(lost: np.ndarray, test_share: float) -> bool:
    """Return whether what is lost fold by fold, by a score that counts but does not decide, forbids a choice.

    It is heard only where the mean loss is more than two points and more than one standard error.
    """
    known = lost[~np.isnan(lost)]
    return bool(len(known) and known.mean() > max(TWO_POINTS, corrected_error(known, test_share) or 0.0))


def score_interval(scores: np.ndarray, test_share: float, metric: Metric, counts: np.ndarray) -> Interval:
    """Return the mean score over folds with its 95% interval.

    The corrected interval, but none narrower than so many different rows of
    each class allow: a method that is right in every fold may still be wrong
    about the next row (for accuracies Wilson, 1927; for ROC AUC Hanley and McNeil, 1982).
    """
    known = scores[~np.isnan(scores)]
    if not len(known):
        return Interval(float("nan"), None, float("nan"), float("nan"))
    mean, error = float(known.mean()), corrected_error(scores, test_share)
    low, high = least_interval(mean, metric, counts)
    if error is not None:
        from scipy.stats import t

        margin = float(t.ppf(0.5 + CONFIDENCE / 2, len(known) - 1)) * error
        low, high = min(low, mean - margin), max(high, mean + margin)
    if metric.is_bounded:
        low, high = (low if metric.name == "r2" else max(0.0, low)), min(1.0, high)
    return Interval(mean, error, low, high)


def least_interval(
    mean: float, metric: Metric, counts: np.ndarray, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Return the narrowest interval that so many different rows of each class allow a mean score."""
    if metric.is_percent:
        return wilson(mean, metric.deciding_rows(counts), confidence)
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    error = (
        _auc_error(mean, int(counts.min()), int(counts.max())) if metric.name == "roc_auc" and len(counts) == 2 else 0.0
    )
    return mean - z * error, mean + z * error


def _auc_error(area: float, m: int, n: int) -> float:
    """Return the standard error of a ROC AUC from m positive and n negative rows (Hanley and McNeil, 1982)."""
    m, n = max(m, 1), max(n, 1)
    area = min(area, 1 - 1 / (2 * min(m, n) + 2))  # a perfect order of few rows is not yet a sure one
    q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)
    variance = area * (1 - area) + (m - 1) * (q1 - area**2) + (n - 1) * (q2 - area**2)
    return sqrt(max(variance, 0.0) / (m * n))


def wilson(share: float, n: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the score interval of a share of n trials."""
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    margin = z / (1 + z**2 / n) * sqrt(max(share * (1 - share), 0.0) / n + z**2 / (4 * n**2))
    return centre - margin, centre + margin
