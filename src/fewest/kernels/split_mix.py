"""Random numbers by counting: SplitMix64 (Steele, Lea and Flood, 2014) scrambles a counter.

The t-th number depends on the seed and on t alone, so that any part of a sequence can be computed by itself, in
any order and on any machine. One source serves arrays and, by its ``compiled``, loops over scalars.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compile_or_not import compilable

# The odd number nearest to 2 ** 64 / golden ratio: its multiples visit every 64-bit state before one comes again.
STEP = np.uint64(0x9E3779B97F4A7C15)
FIRST_FACTOR, SECOND_FACTOR = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
# The 53 highest bits of a word, as a float64 in [0, 1); 2 ** -53 is exact.
DROPPED_BITS, UNIT = np.uint64(11), 1.0 / (1 << 53)


@compilable(how="compiled_in_place")
def mixed(word):
    """Return uint64 words that look random, each a bijection of its argument; products wrap around 2 ** 64.

    Plain operators, and constants that are uint64 already, so that it means the same for arrays and in compiled code.
    """
    word = (word ^ (word >> np.uint64(30))) * FIRST_FACTOR
    word = (word ^ (word >> np.uint64(27))) * SECOND_FACTOR
    return word ^ (word >> np.uint64(31))


def states(seed: int, counts: np.ndarray) -> np.ndarray:
    """Return one uint64 state for each count; other seeds and other counts give unrelated states."""
    start = mixed(np.array([seed % (1 << 64)], dtype=np.uint64))
    return mixed(start + np.asarray(counts, dtype=np.uint64) * STEP)


def fractions(states: np.ndarray) -> np.ndarray:
    """Return for each state the number in [0, 1) that follows it."""
    with np.errstate(over="ignore"):
        return (mixed(np.asarray(states, dtype=np.uint64) + STEP) >> DROPPED_BITS) * UNIT


@compilable(how="compiled_in_place")
def next_fraction(state):
    """Return the next state (uint64) and the number in [0, 1) that `fractions` gives for ``state``."""
    state += STEP
    return state, (mixed(state) >> DROPPED_BITS) * UNIT
