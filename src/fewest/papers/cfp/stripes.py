"""Data for the theorems: classes that keep to their intervals, and classes that do not; and CFP as they ask for it."""

from __future__ import annotations

import numpy as np

from fewest.cfp import bounds as partitions
from fewest.cfp.concept import Concept
from fewest.cfp.options import Settings

N_STRIPES = 10


def striped(n_rows: int, n_features: int, noise: float, seed: int) -> tuple[list[np.ndarray], np.ndarray]:
    """Return columns of values in [0, 1] with ten stripes of alternating class, a gap between stripes, and classes."""
    rng = np.random.default_rng([seed, n_rows, n_features])
    y = rng.integers(0, 2, n_rows)
    stripe = 2 * rng.integers(0, N_STRIPES // 2, (n_features, n_rows)) + y
    columns = (stripe + 0.9 * rng.random((n_features, n_rows))) / N_STRIPES
    return [*columns], np.where(rng.random(n_rows) < noise, 1 - y, y)


def overlapping(n_rows: int, n_features: int, seed: int) -> tuple[list[np.ndarray], np.ndarray]:
    """Return columns of values in [0, 1] that tell nothing about the classes."""
    rng = np.random.default_rng([seed, n_rows, n_features])
    return [*rng.random((n_features, n_rows))], rng.integers(0, 2, n_rows)


def learned(columns: list[np.ndarray], y: np.ndarray, epsilon: float) -> Concept:
    """Train CFP as theorems 3 to 5 ask: equal weights, and limits of 2 epsilon, reached or not.

    Compiled even where few examples would not be, so that times of few and of many are those of one algorithm.
    """
    limits = np.full(len(columns), partitions.smallest_limit(epsilon))
    return Concept.empty(limits, 2, Settings(delta=0.0, inclusive=True)).learned(columns, y, compiled=True)
