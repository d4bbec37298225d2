"""Which score is the largest, where rounding would decide: weights are powers of one factor, compared as whole numbers.

Scores that are summed in another order, one example at a time or a block at once, differ by rounding. Between classes
whose scores are equal, or nearly so, that would decide. So who compares scores asks `are_doubtful` first, and for what
is doubtful compares the sums of powers themselves, which `first_largest` does exactly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import reduce
from math import log

import numpy as np

from fewest.mistakes.kernels.layout import BALANCED, ELIMINATED

# How many bits powers may have before the largest weight decides alone; learning comes nowhere near.
MOST_BITS = 1 << 22
EPSILON = float(np.finfo(np.float64).eps)


def are_doubtful(scores: np.ndarray, n_terms: int, largest: float | None) -> np.ndarray:
    """Return for which examples rounding may decide which score is the largest.

    Parameters
    ----------
    scores : ndarray of shape (n_classes, n_examples)
    n_terms : int
        How many weights a score adds up at the most.
    largest : float or None
        The largest weight by size; None where no weight is negative, so that no sum is larger than its score.
    """
    top, second = np.partition(scores, len(scores) - 2, axis=0)[-1:-3:-1]
    # Every addition rounds by half of epsilon of what has been added up so far; both scores do.
    size = top if largest is None else np.full(len(top), n_terms * largest)
    with np.errstate(invalid="ignore", over="ignore"):
        is_clear = top - second > n_terms * EPSILON * size
    # Nothing is doubtful about sums of nothing, and what is infinite is always.
    return ~is_clear & ~((top == 0) & (second == 0) & (largest is None))


def first_largest(exponents: Sequence[np.ndarray], factor: float, update: int) -> int:
    """Return the first of the largest scores, each the sum of the weights that some exponents stand for."""
    sums = [_powers(own, update) for own in exponents]
    return reduce(lambda best, k: k if _sign(_difference(sums[k], sums[best]), factor) > 0 else best, range(len(sums)))


def _powers(exponents: np.ndarray, update: int) -> Counter[int]:
    """Return how often every power of the factor is in a sum of weights."""
    found: Counter[int] = Counter(exponents[exponents != ELIMINATED].tolist())
    if update == BALANCED:  # a weight is f ** e - f ** -e
        found.subtract({-power: count for power, count in found.items()})
    return found


def _difference(some: Counter[int], others: Counter[int]) -> dict[int, int]:
    """Return how often powers are in one sum more often than in another, the largest power first."""
    powers = sorted({*some, *others}, reverse=True)
    return {power: count for power in powers if (count := some[power] - others[power])}


def _sign(counts: dict[int, int], factor: float) -> int:
    """Return whether a sum of powers of a factor above 1 is above 0 (1), below (-1) or equal (0)."""
    if not counts:
        return 0
    top, *rest = counts
    if not rest or (top - rest[0]) * log(factor) > log(sum(map(abs, counts.values()))) + 1:
        return 1 if counts[top] > 0 else -1  # all others together are less
    numerator, denominator = factor.as_integer_ratio()
    least = rest[-1]
    if (top - least) * numerator.bit_length() > MOST_BITS:
        return 1 if counts[top] > 0 else -1
    total = sum(count * numerator ** (p - least) * denominator ** (top - p) for p, count in counts.items())
    return (total > 0) - (total < 0)
