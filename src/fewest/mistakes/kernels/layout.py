"""What kernels and their callers share: the state of Winnow, what a mistake does to it, and the layout of vectors.

Nothing here needs numba, so that the plain path never loads it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

ELIMINATION, DEMOTION, BALANCED = 0, 1, 2
"""After a false positive: weights become 0 (Winnow1), are divided (Winnow2), or move to the other side (balanced)."""

ELIMINATED = -(1 << 30)
"""The exponent of a weight that is 0 and stays so."""

ZERO, FAR = 0, 255
"""The codes of a weight that is 0, and of one whose exponent is beyond those that have a code: from -127 to 126."""

# ---------------------------------------------------------------------- vectors of bytes

LANE, LANES = 16, 2
"""The bytes of a lane, in which a processor looks up at once, and the lanes of a vector."""

VECTOR = LANE * LANES
"""The bytes of a vector: four words of 64 bits."""

STEP_WORDS, STEP_FEATURES = VECTOR // 8, 8 * VECTOR
"""The words and the features of an example that are looked up in one step."""


class WeightState(NamedTuple):
    """The state of one Winnow; kernels change all but the table in place.

    The weight of a feature is ``update_factor ** e`` with a whole exponent e, so that it is the same whatever the order
    of its promotions and demotions. The last feature is constantly active; Winnow1 and Winnow2 have it eliminated from
    the beginning.
    """

    exponents: np.ndarray  # int32 (n_features + 1)
    weights: np.ndarray  # float64 (n_features + 1), what the exponents stand for
    by_code: np.ndarray  # float64 (256), the weight of every code; NaN for FAR
    codes: np.ndarray  # uint8 (n_features + 1), exponent + 128, or ZERO, or FAR


class UpdateRule(NamedTuple):
    """The rule by which a Winnow kernel predicts and learns."""

    threshold: float  # theta, and what rounding may add to a sum; a score above it predicts 1
    update_factor: float
    update: int  # ELIMINATION, DEMOTION or BALANCED
    is_exact: bool  # whether scores must be those of the examples, or just on the same side of the threshold


class PackedTrials(NamedTuple):
    """Examples as bits, their labels, and room for the scores that they had before their labels were used."""

    rows: np.ndarray  # uint64 (n_rows, n_words); feature i is bit i % 64 of word i // 64
    labels: np.ndarray  # bool (n_rows)
    scores: np.ndarray  # float64 (n_rows), written


class LinearThreshold(NamedTuple):
    """The function to predict by: positive if ``base`` plus the loads of the bits exceed the threshold."""

    loads: np.ndarray  # float64 (whole steps of STEP_FEATURES), the weights of bits; 0 beyond the features
    base: float  # the weight of the feature that is constantly active
    threshold: float


class Planes(NamedTuple):
    """The features of equal weight, other than 0, as bit planes, of which only words with some bit set are kept."""

    values: np.ndarray  # float64 (n_planes), the weight of each plane
    starts: np.ndarray  # int64 (n_planes + 1): plane p has the items from starts[p] up to starts[p + 1]
    words: np.ndarray  # int64 (n_items), the word of an example that an item is compared with
    bits: np.ndarray  # uint64 (n_items), the features of the plane in that word


class LookupTables(NamedTuple):
    """Sums of the weights of four features (a quad) in each of their sixteen states, as `lookups` describes."""

    low: np.ndarray  # uint8 (n_steps, 2 * LANE * VECTOR), the lower digits, at most LOW
    places: np.ndarray  # int64 (n_heavy, 2), the turned vector of a heavy quad and how far to shift it
    high: np.ndarray  # uint8 (n_heavy, VECTOR), the higher digits of heavy quads
    unit: float  # what one of a lower digit is worth
    least: float  # the sum of all negative weights, which tables leave out
    doubt: float  # the most by which what is looked up differs from the sum of weights


class LookupRoom(NamedTuple):
    """Room for what is looked up for a group of examples."""

    turned: np.ndarray  # uint8 (n_steps, LANE * VECTOR), the bytes of sixteen rows, those of the same place together
    vectors: np.ndarray  # uint8 (n_steps * LANE, VECTOR), the same memory, a row a vector
    sums: np.ndarray  # uint16 (2 * LANE)
    found: np.ndarray  # float64 (ROWS), the scores


def weights_of(exponents: np.ndarray, factor: float, update: int) -> np.ndarray:
    """Return the weights that exponents stand for: ``factor ** e``, balanced ``factor ** e - factor ** -e``."""
    with np.errstate(over="ignore", under="ignore"):
        weights = np.power(factor, exponents, dtype=np.float64)
        if update == BALANCED:
            weights -= np.power(factor, -exponents, dtype=np.float64)
    return np.where(exponents == ELIMINATED, 0.0, weights)


def codes_of(exponents: np.ndarray) -> np.ndarray:
    """Return a byte for every exponent: an eighth of a weight, so that more of them fit into a cache."""
    codes = np.where((exponents >= -127) & (exponents <= 126), exponents + 128, FAR)
    return np.where(exponents == ELIMINATED, ZERO, codes).astype(np.uint8)


def table_of_weights(factor: float, update: int) -> np.ndarray:
    """Return the weight of every code; that of `FAR` is not a number."""
    table = weights_of(np.arange(-128, 128), factor, update)
    table[ZERO], table[FAR] = 0.0, np.nan
    return table
