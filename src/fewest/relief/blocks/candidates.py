"""Rows of blocks that may be among the nearest of drawn rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from fewest.exceptions import TooLargeError
from fewest.relief.relief import Neighbourhood
from fewest.relief.space import Space

# Rows that may be near, for all drawn rows of a pass.
MOST_NEAR = 1 << 25
# Of a block, room for so many at a time, at least.
ROOM = 1 << 16


class BlockSpace(Protocol):
    """Blocks in which rows are sought that may be near, and the space in which the nearest of these are found."""

    def size_of_parts(self) -> int:
        """Return how many drawn rows a space in memory would look at together."""

    def near(self, numbers: np.ndarray, neighbourhood: Neighbourhood) -> np.ndarray:
        """Return the numbers of the rows that may be near rows given by their numbers."""

    def space(self, values: np.ndarray, order: np.ndarray, starts: np.ndarray) -> Space:
        """Lay out some rows, in an order that is sorted by class; ``starts`` tells where the classes begin."""


@dataclass(frozen=True)
class Near:
    """Rows that may be near.

    Parameters
    ----------
    found : int64 array of shape (n_found, 4)
        Drawn row (by position), pool, distance and number. A distance that is no whole number is given by its bits.
    bounds : int32 array of shape (n_drawn, n_pools)
        How far the last of the nearest in each pool is, as far as known.
    slack : float32 array of shape (n_drawn,), optional
        How much farther rows may be, where distances are floats that are rounded.
    """

    found: np.ndarray
    bounds: np.ndarray
    slack: np.ndarray | None = None

    @property
    def limits(self) -> np.ndarray:
        """Return how far rows may be, for each drawn row and pool."""
        if self.slack is None:
            return self.bounds
        return (self.bounds.view(np.float32) + self.slack[:, None]).view(np.int32)

    def tightened(self, k: int) -> Near:
        """Bring the bounds down to the k-th of what was found, which comes from many blocks."""
        found = self.found[np.lexsort(self.found[:, 2::-1].T)]
        pool = found[:, 0] * self.bounds.shape[1] + found[:, 1]
        starts = np.flatnonzero(np.diff(pool, prepend=-1))
        starts = starts[np.diff(starts, append=len(found)) >= k]
        bounds = self.bounds.copy()
        np.minimum.at(bounds.reshape(-1), pool[starts], found[starts + k - 1, 2].astype(np.int32))
        return Near(found, bounds, self.slack)._pruned()

    def joined(self, other: Near) -> Near:
        """Keep what is near enough among both."""
        found = np.concatenate([self.found, other.found])
        return Near(found, np.minimum(self.bounds, other.bounds), self.slack)._pruned()

    def _pruned(self) -> Near:
        found = self.found[self.found[:, 2] <= self.limits[self.found[:, 0], self.found[:, 1]]]
        if len(found) > MOST_NEAR:
            raise TooLargeError.from_size(
                "Rows as near as the nearest", len(found), MOST_NEAR, "Draw fewer rows (n_samples, --samples)."
            )
        return Near(found, self.bounds, self.slack)


@dataclass(frozen=True)
class Sought:
    """Drawn rows, and among whom their neighbours are: the same for all ways to measure distances."""

    numbers: np.ndarray
    classes: np.ndarray
    k: int
    n_pools: int  # own class and all others, or every class
    skips_equal: bool

    @property
    def n_bounds(self) -> int:
        """Count the nearest of all pools of all drawn rows."""
        return len(self.numbers) * self.n_pools * self.k

    @classmethod
    def from_rows(
        cls, numbers: np.ndarray, classes: np.ndarray, neighbourhood: Neighbourhood, n_classes: int
    ) -> Sought:
        """Say it in the words of a neighbourhood."""
        n_pools = 2 if neighbourhood.pools_misses else max(2, n_classes)
        return cls(numbers, classes, neighbourhood.n_neighbors, n_pools, neighbourhood.identical == "skip")


def classes_of(targets: np.ndarray) -> np.ndarray:
    """Return the classes among which neighbours are sought: all rows are of one, if the target is a quantity."""
    if targets.dtype.kind == "f":
        return np.zeros(len(targets), dtype=np.int64)
    return targets.astype(np.int64, copy=False)
