"""Random words by number: the k-th word of a sample is a hash of its key and k (SplitMix64, Steele et al. 2014).

No state is carried from one sample to the next, so that a sample depends on
its seed and its number alone.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled_in_place

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


@compiled_in_place
def mixed(word):
    """Return a word that depends on every bit of ``word``."""
    word = (word ^ (word >> np.uint64(30))) * _FIRST
    word = (word ^ (word >> np.uint64(27))) * _SECOND
    return word ^ (word >> np.uint64(31))


@compiled_in_place
def key_of(seed, number):
    """Return the key of a sample."""
    return mixed(seed + mixed(np.uint64(number) * _STEP + _FIRST))


@compiled_in_place
def random_word(key, k):
    """Return the ``k``-th random word of a sample."""
    return mixed(key + np.uint64(k + 1) * _STEP)


@compiled_in_place
def random_below(key, k, bound):
    """Return the ``k``-th random word as a number below a small ``bound``; the bias is below ``bound`` / 2**32."""
    return np.int64(((random_word(key, k) >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))
