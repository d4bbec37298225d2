"""Rows of blocks that are candidate neighbors of sampled rows, and how those of two blocks are merged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from fewest.exceptions import TooLargeError
from fewest.relief.options import SKIP, RelevanceOptions
from fewest.relief.space import Space

# Candidates of all sampled rows of a pass.
MOST_CANDIDATES = 1 << 25
# Of a block, room for this many at a time, at least.
ROOM = 1 << 16


class BlockSpace(Protocol):
    """Blocks in which candidates are sought, and the space in which the nearest of these are found."""

    def size_of_batches(self) -> int:
        """Return how many sampled rows a space in memory would look at together."""

    def near(self, numbers: np.ndarray, options: RelevanceOptions) -> np.ndarray:
        """Return the row numbers of the candidates of rows given by their numbers."""

    def space(self, values: np.ndarray, order: np.ndarray, starts: np.ndarray) -> Space:
        """Lay out some rows, in an order that is sorted by class; the classes begin at ``starts``."""


@dataclass(frozen=True)
class Near:
    """Candidates found so far.

    Parameters
    ----------
    found : int64 array of shape (n_found, 4)
        Sampled row (by position), pool, distance and row number. A distance that is a float is given by its bits.
    bounds : int32 array of shape (n_sampled, n_pools)
        The distance of the k-th nearest in each pool, as far as known.
    slack : float32 array of shape (n_sampled,), optional
        By how much candidates may be farther, where distances are floats that are rounded.
    """

    found: np.ndarray
    bounds: np.ndarray
    slack: np.ndarray | None = None

    @property
    def limits(self) -> np.ndarray:
        """Return how far candidates may be, for each sampled row and pool."""
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
        if len(found) > MOST_CANDIDATES:
            raise TooLargeError.from_size(
                "Rows as near as the nearest",
                len(found),
                MOST_CANDIDATES,
                "Sample fewer rows (max_samples, --max-samples).",
            )
        return Near(found, self.bounds, self.slack)


@dataclass(frozen=True)
class Sought:
    """Sampled rows, and among whom their neighbors are: the same for all ways to measure distances."""

    numbers: np.ndarray
    classes: np.ndarray
    k: int
    n_pools: int  # own class and all others, or every class
    skips_identical: bool

    @property
    def n_bounds(self) -> int:
        """Count the nearest of all pools of all sampled rows."""
        return len(self.numbers) * self.n_pools * self.k

    @classmethod
    def from_rows(cls, numbers: np.ndarray, classes: np.ndarray, options: RelevanceOptions, n_classes: int) -> Sought:
        """Seek the neighbors that the options ask for."""
        n_pools = 2 if options.pools_misses else max(2, n_classes)
        return cls(numbers, classes, options.n_neighbors, n_pools, options.identical == SKIP)


def classes_of(targets: np.ndarray) -> np.ndarray:
    """Return the classes among which neighbors are sought: all rows are of one, for a regression target."""
    if targets.dtype.kind == "f":
        return np.zeros(len(targets), dtype=np.int64)
    return targets.astype(np.int64, copy=False)
