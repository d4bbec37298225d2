"""The threshold of Relief from a probability of error.

Kira and Rendell (1992) write that the threshold can be had from a statistical method and refer to another paper; this
is the one of them that holds whatever the distribution.
"""

from __future__ import annotations

from math import ceil, sqrt

from fewest.bounds.relation import Bound, Quantity, check_share, share
from fewest.exceptions import ParameterError


def threshold(alpha: float, n_sampled: int) -> float:
    """Return 1 / sqrt(α m): a feature of expected relevance 0 or less reaches it with probability α at most.

    The update of one of the m sampled rows lies in [-1, 1], so its variance is 1 at most and that of the mean of m
    independent ones 1 / m at most. Chebyshev's inequality bounds the probability of a mean t above its expectation by
    1 / (m t²), which is α for t = 1 / sqrt(α m).

    >>> round(threshold(alpha=0.05, n_sampled=2000), 3)
    0.1
    """
    check_share("alpha", alpha)
    if n_sampled < 1:
        raise ParameterError(f"There cannot be {n_sampled} sampled rows. Give a number from 1.")
    return 1 / sqrt(alpha * n_sampled)


def rows_to_sample(alpha: float, relevance: float) -> int:
    """Return how many rows to sample so that an irrelevant feature reaches this relevance with probability α at most.

    >>> rows_to_sample(alpha=0.05, relevance=0.1)
    2000
    """
    check_share("alpha", alpha)
    check_share("relevance", relevance)
    return ceil(round(1 / (alpha * relevance**2), 6))


BOUNDS = (
    Bound(
        "relief-threshold",
        "After {m} sampled rows, an irrelevant feature reaches a relevance of {tau} with probability {alpha} at most.",
        "Kira and Rendell (1992), section 2, by Chebyshev's inequality",
        Quantity("tau", "threshold of relevance", is_whole=False, low=0),
        (Quantity("m", "sampled rows", effect=-1), share("alpha", "the probability of taking an irrelevant feature")),
        lambda m, alpha: threshold(alpha, m),
    ),
)
