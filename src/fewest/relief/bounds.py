"""When relevance is to be believed: the threshold of Relief from a probability of error.

Kira and Rendell (1992) say that the threshold can be had from a statistical
method and refer to another paper; this is the one of them that holds whatever
the distribution.
"""

from __future__ import annotations

from math import ceil

from fewest.bounds.quantities import Quantity, check_share, share
from fewest.bounds.relation import Bound
from fewest.exceptions import ParameterError
from fewest.relief.threshold import chebyshev


def threshold(alpha: float, n_drawn: int) -> float:
    """Return 1 / sqrt(α m): a feature of expected relevance 0 or less reaches it with probability α at most.

    >>> round(threshold(alpha=0.05, n_drawn=2000), 3)
    0.1
    """
    check_share("alpha", alpha)
    if n_drawn < 1:
        raise ParameterError(f"There cannot be {n_drawn} rows drawn. Give a number from 1.")
    return chebyshev(alpha, n_drawn)


def draws(alpha: float, relevance: float) -> int:
    """Return how many rows to draw so that an irrelevant feature reaches this relevance with probability α at most.

    >>> draws(alpha=0.05, relevance=0.1)
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
