"""Numeric values rounded to small integers, which tell the few rows that can be neighbors from the many that cannot.

A processor adds up the absolute differences of 32 bytes in one instruction, and those of 16 numbers of 12 bits in two.
How much rounding changed each row is known, so that no neighbor is missed; the distances of the candidates are then
computed from the values themselves. Bytes do for some hundred features. With thousands, distances are so alike that
what bytes round off in all would make most rows candidates.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

# A range of 1 in this many steps: as bytes, and as 16-bit words.
BYTE_STEPS, WORD_STEPS = 255, 4095
# Rows are padded to whole vectors: one of bytes, or as many words as are added before sums could overflow.
BYTE_VECTOR, WORD_VECTOR = 32, 256
# With fewer features or sampled rows, bytes are no faster; nor are words with fewer features.
LEAST_FEATURES, LEAST_SAMPLED, LEAST_FOR_WORDS = 64, 256, 1024
# Rows and others by which it is judged whether rounding tells rows apart, and the share that may then be candidates.
JUDGED, JUDGED_AGAINST, MOST_CANDIDATES = 16, 512, 1 / 16


class RoundedRows(NamedTuple):
    """Rows of numeric values as bytes or words."""

    values: np.ndarray  # uint8 or uint16 (rows, features, padded with zeros)
    error: np.ndarray  # float64 (rows,): the sum of what rounding changed
    steps: int

    @classmethod
    def coarsest(cls, numeric: np.ndarray, n_near: int) -> RoundedRows | None:
        """Round values from -1/2 to 1/2 as coarsely as tells ``n_near`` rows from the others; return None if none do.

        That is judged by some of the rows.
        """
        n_rows, n_features = numeric.shape
        some = numeric[np.linspace(0, n_rows - 1, min(JUDGED_AGAINST, n_rows)).astype(int)]
        for steps in (BYTE_STEPS, WORD_STEPS) if n_features >= LEAST_FOR_WORDS else (BYTE_STEPS,):
            if cls.rounded(some, steps).tell_apart(-(-n_near * len(some) // n_rows)):
                return cls.rounded(numeric, steps)
        return None

    @classmethod
    def rounded(cls, numeric: np.ndarray, steps: int = BYTE_STEPS) -> RoundedRows:
        """Round values from -1/2 to 1/2."""
        from fewest.relief.kernels.differences import round_rows

        n_rows, n_features = numeric.shape
        dtype, vector = (np.uint8, BYTE_VECTOR) if steps == BYTE_STEPS else (np.uint16, WORD_VECTOR)
        values = np.zeros((n_rows, -(-n_features // vector) * vector), dtype=dtype)
        error = np.empty(n_rows)
        round_rows(numeric, np.float32(steps), values, error)
        # What the differences are rounded by themselves.
        return cls(values, error + n_features * float(np.finfo(np.float32).eps), steps)

    @property
    def margin(self) -> np.ndarray:
        """Return by how much a distance from each row may be wrong: its own rounding and the most of another row."""
        return (self.error + self.error.max(initial=0)).astype(np.float32)

    def add_distances(self, rows: slice | np.ndarray, others: RoundedRows, of: slice, sums: np.ndarray) -> None:
        """Add the distances of some rows from others, but for rounding."""
        from fewest.relief.kernels.differences import add_byte_differences, add_word_differences

        add = add_byte_differences if self.steps == BYTE_STEPS else add_word_differences
        add(self.values[rows], others.values[of], np.float32(1 / self.steps), sums)

    def tell_apart(self, n_near: int) -> bool:
        """Return whether few rows seem as near as the last of this many, judged by some rows."""
        n_rows = len(self.values)
        some = np.linspace(0, n_rows - 1, min(JUDGED, n_rows)).astype(int)
        distances = np.zeros((len(some), n_rows), dtype=np.float32)
        self.add_distances(some, self, slice(None), distances)
        distances.sort(axis=1)
        last = distances[:, min(n_near, n_rows - 1)]
        is_candidate = distances <= (last + 2 * self.margin[some])[:, None]
        return float(is_candidate.mean()) <= MOST_CANDIDATES
