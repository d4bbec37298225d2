"""How often two linear thresholds disagree on normal inputs, in closed form: no test set needed."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, owens_t


def disagreement(weights: np.ndarray, offset: float, other_weights: np.ndarray, other_offset: float) -> float:
    """Return the probability that w x + a > 0 and v x + b > 0 differ, for x of independent standard normal features.

    w x + a and v x + b are a pair of correlated normals; that both are positive
    has the probability that Owen's T function gives (Owen, 1956). A threshold
    without weights is constant, by the sign of its offset.

    >>> disagreement([1, 0], 0.0, [0, 1], 0.0)
    0.5
    >>> round(disagreement([1], 0.2, [1], 0.0), 4)  # 0 < x + 0.2 <= 0.2
    0.0793
    """
    w, v = np.asarray(weights, dtype=np.float64), np.asarray(other_weights, dtype=np.float64)
    lengths = float(np.linalg.norm(w)), float(np.linalg.norm(v))
    if 0.0 in lengths:
        return _against_constant((offset, lengths[0]), (other_offset, lengths[1]))
    h, k = offset / lengths[0], other_offset / lengths[1]
    correlation = float(np.clip(w @ v / (lengths[0] * lengths[1]), -1.0, 1.0))
    both = _both_positive(h, k, correlation)
    return float(np.clip(ndtr(h) + ndtr(k) - 2 * both, 0.0, 1.0))


def _against_constant(*thresholds: tuple[float, float]) -> float:
    """Return the same where at least one threshold, as (offset, length of its weights), is constant."""
    positive = [float(offset > 0) if length == 0 else float(ndtr(offset / length)) for offset, length in thresholds]
    return positive[0] + positive[1] - 2 * positive[0] * positive[1]


def _both_positive(h: float, k: float, correlation: float) -> float:
    """Return P(X > -h and Y > -k), that is P(X < h and Y < k), for standard normals of this correlation."""
    if correlation >= 1:
        return float(ndtr(min(h, k)))
    if correlation <= -1:
        return max(0.0, float(ndtr(h) + ndtr(k) - 1))
    root = np.sqrt(1 - correlation**2)
    with np.errstate(divide="ignore", invalid="ignore"):
        slopes = [np.divide(b - correlation * a, a * root) for a, b in ((h, k), (k, h))]
    if h == 0 and k == 0:
        return float(0.25 + np.arcsin(correlation) / (2 * np.pi))
    opposite = 0.5 if h * k < 0 or (h * k == 0 and h + k < 0) else 0.0
    return float(0.5 * (ndtr(h) + ndtr(k)) - owens_t(h, slopes[0]) - owens_t(k, slopes[1]) - opposite)
