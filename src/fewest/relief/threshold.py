"""How large relevance must be to be believed."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

import numpy as np

from fewest.exceptions import ParameterError
from fewest.relief.relevance import Relevance

AUTO, INTERVAL = "auto", "interval"


def chebyshev(alpha: float, n_drawn: int) -> float:
    """Return the threshold that a feature of expected relevance 0 or less reaches with probability ``alpha`` at most.

    A row's update lies in [-1, 1], so its variance is 1 at most and that of
    the mean of ``n_drawn`` independent ones 1 / n_drawn at most. Chebyshev's
    inequality bounds the probability of a mean t above its expectation by
    1 / (n_drawn t**2), which is alpha for t = 1 / sqrt(alpha n_drawn).

    >>> round(chebyshev(0.05, 2000), 3)
    0.1
    """
    return 1 / sqrt(alpha * n_drawn)


def thresholds(threshold: float | str, alpha: float, relevance: Relevance) -> float | np.ndarray:
    """Return the number, or the numbers, one a feature, that relevance must reach."""
    if threshold == AUTO:
        return chebyshev(alpha, max(1, relevance.n_told))
    if threshold == INTERVAL:
        # The one-sided interval of a mean: normal by the central limit theorem, with the updates' own spread.
        errors = np.nan_to_num(relevance.standard_errors, nan=np.inf)
        return np.maximum(NormalDist().inv_cdf(1 - alpha) * errors, np.finfo(np.float32).eps)
    if isinstance(threshold, str):
        raise ParameterError.from_choice("threshold", threshold, (AUTO, INTERVAL, "a number"))
    return float(threshold)


def chosen(relevance: Relevance, limit: float | np.ndarray | None, n_features: int | None) -> np.ndarray:
    """Return the mask of the features that reach the limit, or of the ``n_features`` most relevant."""
    if n_features is None:
        return relevance.scores >= limit
    support = np.zeros(len(relevance.scores), dtype=bool)
    support[np.argsort(-relevance.scores, kind="stable")[:n_features]] = True
    return support
