"""When relevance is to be believed: the threshold of Relief from a probability of error.

Kira and Rendell (1992) say that the threshold can be had from a statistical
method and refer to another paper; this is the one of them that holds whatever
the distribution.
"""

from __future__ import annotations

from math import ceil

from fewest.exceptions import ParameterError
from fewest.relief.threshold import chebyshev


def threshold(alpha: float, n_drawn: int) -> float:
    """Return 1 / sqrt(α m): a feature of expected relevance 0 or less reaches it with probability α at most.

    >>> round(threshold(alpha=0.05, n_drawn=2000), 3)
    0.1
    """
    _check_part("alpha", alpha)
    if n_drawn < 1:
        raise ParameterError(f"There cannot be {n_drawn} rows drawn. Give a number from 1.")
    return chebyshev(alpha, n_drawn)


def draws(alpha: float, relevance: float) -> int:
    """Return how many rows to draw so that an irrelevant feature reaches this relevance with probability α at most.

    >>> draws(alpha=0.05, relevance=0.1)
    2000
    """
    _check_part("alpha", alpha)
    _check_part("relevance", relevance)
    return ceil(round(1 / (alpha * relevance**2), 6))


def _check_part(name: str, value: float) -> None:
    if not 0 < value < 1:
        raise ParameterError(f"{name}={value!r} is not between 0 and 1, so the bound says nothing. Give 0.05, say.")
