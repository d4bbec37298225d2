"""What a mistake does to the weight of a feature that was active, in numbers that kernels share with their callers."""

import numpy as np

ELIMINATION, DEMOTION, BALANCED = 0.0, 1.0, 2.0
"""After a false alarm: weights become 0 (Winnow1), are divided (Winnow2), or move to the other side (balanced)."""

ELIMINATED = -(1 << 30)
"""The exponent of a weight that is 0 and stays so."""


def weights_of(exponents: np.ndarray, alpha: float, kind: float) -> np.ndarray:
    """Return the weights that exponents stand for: ``alpha ** e``, balanced ``alpha ** e - alpha ** -e``."""
    with np.errstate(over="ignore", under="ignore"):
        weights = np.power(alpha, exponents, dtype=np.float64)
        if kind == BALANCED:
            weights -= np.power(alpha, -exponents, dtype=np.float64)
    return np.where(exponents == ELIMINATED, 0.0, weights)


FURTHEST = 128
"""The largest exponent, up or down, whose weight is looked up rather than computed."""


def table_of_weights(alpha: float, kind: float) -> np.ndarray:
    """Return the weights of the exponents from ``-FURTHEST`` to ``FURTHEST``."""
    return weights_of(np.arange(-FURTHEST, FURTHEST + 1), alpha, kind)
