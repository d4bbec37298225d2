"""Rows laid out for finding neighbours and comparing with them: as bits where possible, else as a matrix.

Both layouts answer the same two questions, a block of drawn rows at a time:
which rows are nearest, and how do the features of these differ. Memory grows
with the data and a block, and not with the square of the rows once these are many.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol

import numpy as np

from fewest.relief.bit_space import BitSpace
from fewest.relief.boolean_space import TruthSpace
from fewest.relief.kernels.layout import Draw, Found, Rows, Rule
from fewest.relief.matrix_space import MatrixSpace
from fewest.relief.rows import Source, Survey

# Comparing fewer pairs of rows than this takes NumPy less time than loading compiled code.
FEW_PAIRS = 1 << 18


class Space(Protocol):
    """Rows among which neighbours are sought."""

    n_rows: int
    block_size: int

    def products(self, n_drawn: int, n_threads: int) -> AbstractContextManager[None]:
        """Return what to compute in, given how many rows will be drawn."""

    def nearest(self, draw: Draw, rows: Rows, rule: Rule) -> tuple[Found, int]:
        """Return neighbours of the first so many of the drawn rows."""

    def differences(self, drawn: np.ndarray, found: Found, is_squared: bool) -> np.ndarray:
        """Return the weighted differences to the neighbours found, drawn x features."""

    def twins(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return `Rows`' account of the rows at distance 0 from each other."""


def make_space(source: Source, order: np.ndarray, weights: np.ndarray, starts: np.ndarray, n_drawn: int) -> Space:
    """Lay rows out, sorted by class, as suits them and the number of rows to be drawn."""
    survey = Survey(source)
    is_small = n_drawn * source.n_rows <= FEW_PAIRS
    if survey.is_discrete and not is_small:
        kind = TruthSpace if TruthSpace.suits(source, survey, weights) else BitSpace
        return kind(source, survey, order)
    return MatrixSpace.from_source(source, survey, order, weights, starts, is_small)
