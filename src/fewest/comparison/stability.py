"""Does a selector choose the same features again? A published index, corrected for chance.

Nogueira, Sechidis and Brown (2018), *On the Stability of Feature Selection
Algorithms*, Journal of Machine Learning Research 18(174): the only measure of
those in use that is fully defined, is monotonic, has bounds that do not depend
on the number of features, is 1 only for equal subsets, and has expectation 0
for subsets drawn at random, whatever their sizes.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np


@dataclass(frozen=True)
class Stability:
    """An index with its confidence interval."""

    index: float
    low: float
    high: float


def stability(chosen: np.ndarray, confidence: float = 0.95) -> Stability | None:
    """Return how much subsets agree beyond chance: 1 when all are the same, about 0 when drawn at random.

    Parameters
    ----------
    chosen : Boolean ndarray of shape (n_subsets, n_features)
    confidence : float

    Returns
    -------
    Stability or None
        None where the index is undefined: fewer than two subsets, or all of them empty or whole.

    Examples
    --------
    >>> stability(np.array([[1, 1, 0, 0], [1, 1, 0, 0]], dtype=bool)).index
    1.0
    """
    n_subsets, n_features = chosen.shape
    if n_subsets < 2 or not n_features:
        return None
    z = chosen.astype(np.float64)
    sizes, frequency = z.sum(axis=1), z.mean(axis=0)
    mean_size = sizes.mean()
    by_chance = mean_size / n_features * (1 - mean_size / n_features)
    if by_chance <= 0:
        return None
    # Definition 4: one less the sample variance of the choices in units of what chance would make of it.
    variance = n_subsets / (n_subsets - 1) * frequency * (1 - frequency)
    index = 1 - variance.mean() / by_chance
    # Theorem 7: the index is asymptotically normal, and this is its variance.
    share = sizes * mean_size / n_features**2
    parts = (z @ frequency) / n_features - share
    parts += index / 2 * (2 * share - sizes / n_features - mean_size / n_features + 1)
    parts /= by_chance
    error = sqrt(4 / n_subsets**2 * float(((parts - parts.mean()) ** 2).sum()))
    margin = NormalDist().inv_cdf(0.5 + confidence / 2) * error
    return Stability(float(index), float(index - margin), float(min(1.0, index + margin)))


def agreement(first: np.ndarray, second: np.ndarray) -> float | None:
    """Return how much two subsets agree beyond chance: the correlation of the two masks.

    The stability index of two subsets of equal size, and its extension to
    unequal sizes (Nogueira and Brown, 2016). None where a subset is empty or whole.
    """
    a, b = first.astype(np.float64), second.astype(np.float64)
    spread = sqrt(a.mean() * (1 - a.mean()) * b.mean() * (1 - b.mean())) if len(a) else 0.0
    return float(((a * b).mean() - a.mean() * b.mean()) / spread) if spread > 0 else None


def mean_agreement(chosen: list[np.ndarray]) -> list[list[float | None]]:
    """Return, for every two methods, the mean agreement of their choices, subset by subset.

    ``chosen`` holds a mask of shape (n_subsets, n_features) for every method.
    """
    return [[_mean([agreement(x, y) for x, y in zip(a, b, strict=True)]) for b in chosen] for a in chosen]


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
