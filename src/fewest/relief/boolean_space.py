"""Rows as columns of truths, for finding neighbours 256 rows at a time."""

from __future__ import annotations

import numpy as np

from fewest.relief.bit_space import BitSpace
from fewest.relief.kernels.layout import Draw, Found, Rows, Rule
from fewest.relief.layout import room
from fewest.relief.rows import Source, Survey

# What vectors of columns hold (see `fewest.relief.kernels.bit_sliced_distances`).
MOST_FEATURES, GROUP, LANES = 248, 8, 4


class TruthSpace(BitSpace):
    """Truths, not too many of them, of rows that count once each."""

    _multiple = 64 * LANES

    def __init__(self, source: Source, survey: Survey, order: np.ndarray):
        n_planes = max(1, -(-len(source.is_name) // GROUP)) * GROUP
        self._planes = np.zeros((-(-source.n_rows // (64 * LANES)), n_planes, LANES), dtype=np.uint64)
        super().__init__(source, survey, order)

    @staticmethod
    def suits(source: Source, survey: Survey, weights: np.ndarray) -> bool:
        """Return whether rows of bits are such rows."""
        are_truths = survey.high[source.is_name].max(initial=1) <= 1
        return bool(len(source.is_name) <= MOST_FEATURES and are_truths and (weights == 1).all())

    def _put(self, start: int, words: np.ndarray) -> None:
        from fewest.relief.kernels.bit_squares import columns_of_rows

        columns_of_rows(words[0], self._planes[start // (64 * LANES) :])

    def nearest(self, draw: Draw, rows: Rows, rule: Rule) -> tuple[Found, int]:
        """Add up columns."""
        from fewest.relief.kernels.boolean_neighbors import nearest_by_truths

        found = room(draw, rows, rule)
        return found, nearest_by_truths(self._planes, draw, rows, rule, found)
