"""Random numbers by counting: SplitMix64 mixes a counter, so that the t-th number needs none before it."""

from __future__ import annotations

import numpy as np

STEP = np.uint64(0x9E3779B97F4A7C15)


def mixed(states: np.ndarray) -> np.ndarray:
    """Scramble 64-bit states, each into a number that looks random."""
    z = np.asarray(states, dtype=np.uint64)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def states(seed: int, counts: np.ndarray) -> np.ndarray:
    """Return one state a count; different seeds, and different counts, give unrelated ones."""
    start = mixed(np.array([seed % (1 << 64)], dtype=np.uint64))
    return mixed(start + np.asarray(counts, dtype=np.uint64) * STEP)


def fractions(states: np.ndarray) -> np.ndarray:
    """Return the number in [0, 1) that follows each state."""
    with np.errstate(over="ignore"):
        return (mixed(np.asarray(states, dtype=np.uint64) + STEP) >> np.uint64(11)) / float(1 << 53)
