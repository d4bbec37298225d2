"""Powers and binomials that are calculated exactly, as long as they can be."""

from __future__ import annotations

from math import comb, log2

# A number of more bits is of no use to anybody, and may take all the time and memory there is.
MOST_BITS = 1 << 22
# Bits of all numbers that are multiplied, one after the other: some seconds.
MOST_WORK = 1 << 35


def two_to(exponent: int) -> int:
    """Return 2^exponent.

    >>> two_to(10)
    1024
    """
    _refuse_large(exponent, f"2^{exponent}")
    return 2**exponent


def choose(n: int, k: int) -> int:
    """Return the number of subsets of k of n.

    >>> choose(6, 2)
    15
    """
    _refuse_large(_bits(n, k), f"comb({n}, {k})")
    return comb(n, k)


def chooses_at_least(n: int, k: int, least: int) -> bool:
    """Return whether there are this many subsets of k of n, without counting on.

    >>> chooses_at_least(6, 2, 15), chooses_at_least(6, 2, 16), chooses_at_least(10**9, 10**8, 3)
    (True, False, True)
    """
    found = int(0 <= k <= n)
    for size in range(1, min(k, n - k) + 1):
        if found >= least:
            break
        found = found * (n - size + 1) // size
    return found >= least


def choose_up_to(n: int, k: int) -> int:
    """Return the number of subsets of at most k of n, each size from the one before.

    >>> choose_up_to(6, 2)
    22
    """
    steps = min(k, n) * _bits(n, k) / MOST_WORK  # as many as numbers of some size are multiplied
    _refuse_large(max(_bits(n, k), steps * MOST_BITS), f"comb({n}, 0) + ... + comb({n}, {k})")
    found, total = 1, 1
    for size in range(1, min(k, n) + 1):
        found = found * (n - size + 1) // size
        total += found
    return total


def _bits(n: int, k: int) -> float:
    """Return an upper bound on log2 comb(n, k), and on that of the sum up to k."""
    return 0 if n < 1 or k < 1 else min(n, min(k, n) * log2(n) + 1)


def _refuse_large(n_bits: float, number: str) -> None:
    if n_bits > MOST_BITS:
        raise OverflowError(f"{number} is too large to be calculated.")
