"""SplitMix64 for compiled loops, from the source that NumPy runs (see `fewest.kernels.split_mix`)."""

from __future__ import annotations

from fewest.kernels import split_mix
from fewest.kernels.compiled import compiled_in_place
from fewest.kernels.split_mix import DROPPED_BITS, STEP, UNIT

mixed = compiled_in_place(split_mix.mixed)


@compiled_in_place
def next_fraction(state):
    """Return the next state (uint64) and the number in [0, 1) that `split_mix.fractions` gives for ``state``."""
    state += STEP
    return state, (mixed(state) >> DROPPED_BITS) * UNIT
