"""Numeric values rounded to bytes, which tell the few rows that can be neighbors from the many that cannot.

A processor adds up the absolute differences of 32 bytes in one instruction. How much rounding changed each row is
known, so that no neighbor is missed; the distances of the candidates are then computed from the values themselves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.relief.rows import parts

# A range of 1 in so many steps.
STEPS = 255
# Rows are padded to whole vectors of bytes.
VECTOR = 32
# With fewer features or sampled rows, bytes are no faster.
LEAST_FEATURES, LEAST_SAMPLED = 64, 256
# Rows and others by which it is judged whether bytes tell rows apart, and the share that may then be candidates.
JUDGED, JUDGED_AGAINST, MOST_CANDIDATES = 16, 1024, 1 / 16


class ByteRows(NamedTuple):
    """Rows of numeric values as bytes."""

    values: np.ndarray  # uint8 (rows, features, padded with zeros)
    error: np.ndarray  # float64 (rows,): the sum of what rounding changed

    @classmethod
    def rounded(cls, numeric: np.ndarray) -> ByteRows:
        """Round values from -1/2 to 1/2."""
        n_rows, n_features = numeric.shape
        values = np.zeros((n_rows, -(-n_features // VECTOR) * VECTOR), dtype=np.uint8)
        error = np.empty(n_rows)
        for rows in parts(np.arange(n_rows), n_features):
            steps = np.clip(np.rint((numeric[rows] + np.float32(0.5)) * np.float32(STEPS)), 0, STEPS)
            values[rows, :n_features] = steps
            changed = np.abs(numeric[rows] - (steps / np.float32(STEPS) - np.float32(0.5)))
            error[rows] = changed.sum(axis=1, dtype=np.float64)
        # What the differences above are rounded by themselves.
        return cls(values, error + n_features * float(np.finfo(np.float32).eps))

    @property
    def margin(self) -> np.ndarray:
        """Return by how much a distance from each row may be wrong: its own rounding and the most of another row."""
        return (self.error + self.error.max(initial=0)).astype(np.float32)

    def tell_apart(self, numeric: np.ndarray, n_near: int) -> bool:
        """Return whether few rows seem as near as the last of so many, judged by some rows."""
        from fewest.relief.kernels.differences import add_absolute_differences

        n_rows = len(numeric)
        some, others = (np.linspace(0, n_rows - 1, min(n, n_rows)).astype(int) for n in (JUDGED, JUDGED_AGAINST))
        distances = np.zeros((len(some), len(others)), dtype=np.float32)
        add_absolute_differences(numeric[some], numeric[others], distances)
        distances.sort(axis=1)
        last = distances[:, min(-(-n_near * len(others) // n_rows), len(others) - 1)]
        is_candidate = distances <= (last + 2 * self.margin[some])[:, None]
        return float(is_candidate.mean()) <= MOST_CANDIDATES
