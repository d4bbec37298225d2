"""How many subsets of features are significantly different: section 5.2 of Ng (1998), *On Feature Selection*.

STANDARD-WRAP compares 2^f hypotheses on hold-out data, which costs it sqrt(f)
in its bound. If N of them are so different that none stands for another, the
price is at least of the order of sqrt(ln N); section 5.2 counts subsets that
differ in a share beta of the features. (It then writes ln N = O(f) where the
argument needs a lower bound.)
"""

from __future__ import annotations

from math import log

from fewest.bounds.counting import choose_up_to, two_to
from fewest.bounds.relation import Bound, Quantity, require, share


def different_subsets(n_features: int, distance: int) -> int:
    """Return how many subsets can be chosen, at least, such that any two differ in d features (theorem 6).

    The Gilbert-Varshamov bound, for f >= d > 1: ``2^(f-1) / (comb(f-1, 0) + ... +
    comb(f-1, d-2))``, rounded up.

    >>> different_subsets(7, 3)  # 64 / (1 + 6)
    10
    """
    require(1 < distance <= n_features, f"d = {distance}, f = {n_features}", "1 < d <= f")
    return -(-two_to(n_features - 1) // choose_up_to(n_features - 1, distance - 2))


def difference_multiplier(beta: float) -> float:
    """Return ln 2 - beta (1 + ln(1 / beta)), the factor of f in (5.4) and the curve of Figure 7.

    With subsets that differ in a share beta of the features the logarithm of
    `different_subsets` grows at least by this much a feature. It is positive for
    beta < 0.3276, `tight_up_to`.

    >>> round(difference_multiplier(0.3), 4), round(difference_multiplier(0.35), 4)
    (0.032, -0.0243)
    """
    require(0 < beta <= 1, f"beta = {beta}", "0 < beta <= 1")
    return log(2) - beta * (1 - log(beta))


def log_different_subsets(n_features: int, beta: float) -> float:
    """Return f (ln 2 - beta (1 + ln(1 / beta))) - ln 2, at most the logarithm of `different_subsets` (5.4).

    The distance is beta f, which must be whole and at least 2 for this; the
    paper takes f to be large where x (1 + ln(f / x)) rising with x is enough.

    >>> round(log_different_subsets(1000, 0.1), 1)
    362.2
    """
    require(n_features >= 1, f"f = {n_features}", "f >= 1")
    return n_features * difference_multiplier(beta) - log(2)


def tight_up_to() -> float:
    """Return the beta below which the multiplier is positive, so that STANDARD-WRAP's sqrt(f) term may well be tight.

    Section 5.2 has "about 0.32".

    >>> round(tight_up_to(), 4)
    0.3276
    """
    low, high = 0.0, 1.0  # the multiplier falls with beta
    while high - low > 1e-15:
        middle = (low + high) / 2
        low, high = (middle, high) if difference_multiplier(middle) > 0 else (low, middle)
    return low


BOUNDS = (
    Bound(
        "different-subsets",
        "At least {N} subsets of {f} features can be chosen so that any two differ in {d} features.",
        "Ng (1998), theorem 6 (Gilbert and Varshamov)",
        Quantity("N", "subsets"),
        (Quantity("f", "features", low=2, high=100_000), Quantity("d", "features in which two differ", low=2)),
        lambda f, d: different_subsets(f, d),
    ),
    Bound(
        "different-subsets-log",
        "The logarithm of the number of subsets of {f} features of which any two differ in a share {beta} of them is "
        "at least {L}.",
        "Ng (1998), (5.4)",
        Quantity("L", "logarithm of the number of subsets", is_whole=False),
        (Quantity("f", "features"), share("beta", "share of the features in which two differ")),
        lambda f, beta: log_different_subsets(f, beta),
    ),
)
