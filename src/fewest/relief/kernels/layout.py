"""What the search for nearest rows takes and gives.

Rows are sorted by class, so that a class is a range. A row of weight w stands
for w copies of itself; the k nearest are copies with a total weight of k.
Rows at the same distance as the last of them share what is left of k, or draw
lots for it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Rows(NamedTuple):
    """The rows among which neighbours are sought, sorted by class."""

    starts: np.ndarray  # int64 (classes + 1,): where each class begins
    class_of: np.ndarray  # int32 (rows,)
    weights: np.ndarray  # float64 (rows,): compiled code hides rows here while it works, and restores them
    twin_of: np.ndarray  # int32 (rows,): rows at distance 0 from each other share a number; -1 for one that is alone
    twins: np.ndarray  # int32: the rows that are not alone, by this number
    twin_starts: np.ndarray  # int64 (numbers + 1,)


class Rule(NamedTuple):
    """What a neighbour is."""

    k: float  # how many neighbours a class has
    draws_lots: bool  # whether rows at the same distance draw lots or share
    pools_misses: bool  # whether all other classes count as one
    skips_twins: bool  # whether rows at distance 0 are no neighbours


class Draw(NamedTuple):
    """The rows whose neighbours are sought."""

    rows: np.ndarray  # int64 (drawn,)
    seeds: np.ndarray  # uint64 (drawn,): what the lots of each depend on


class Vectors(NamedTuple):
    """Rows whose squared distance is their norms and a weighted inner product, and what is besides."""

    matrix: np.ndarray  # float32 (rows, columns)
    scale: np.ndarray  # float32 (columns,): what the product of two columns counts for
    norms: np.ndarray  # float32 (rows,)
    besides: np.ndarray  # float32 (drawn, rows), or nothing: what the inner product leaves out


class Found(NamedTuple):
    """Neighbours of drawn rows; those of the s-th are at ``starts[s]:starts[s + 1]``.

    The weights of the neighbours from one class sum to 1.
    """

    starts: np.ndarray  # int64 (drawn + 1,)
    rows: np.ndarray  # int32
    weights: np.ndarray  # float32

    @classmethod
    def with_room(cls, n_drawn: int, n_rows: int, capacity: int) -> Found:
        """Make room for some neighbours of each drawn row, and for all rows as neighbours of one."""
        size = max(capacity, 2 * n_rows)
        return cls(np.zeros(n_drawn + 1, np.int64), np.empty(size, np.int32), np.empty(size, np.float32))
