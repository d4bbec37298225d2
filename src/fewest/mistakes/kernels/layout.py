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


ZERO, FAR = 0, 255
"""The codes of a weight that is 0, and of one whose exponent is beyond those that have a code: from -127 to 126."""


def codes_of(exponents: np.ndarray) -> np.ndarray:
    """Return an octet for every exponent: an eighth of a weight, so that more of them fit into a cache."""
    codes = np.where((exponents >= -127) & (exponents <= 126), exponents + 128, FAR)
    return np.where(exponents == ELIMINATED, ZERO, codes).astype(np.uint8)


def table_of_weights(alpha: float, kind: float) -> np.ndarray:
    """Return the weight of every code; that of `FAR` is no number."""
    table = weights_of(np.arange(-128, 128), alpha, kind)
    table[ZERO], table[FAR] = 0.0, np.nan
    return table
