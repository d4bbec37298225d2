"""Candidates in terms of features: parents, and one feature that is added to each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from fewest.wrapper.search.candidates import Candidates
from fewest.wrapper.search.space import SubsetSpace


@dataclass(frozen=True)
class Moves:
    """Parents of one size, and the features that are added to each of them, one at a time.

    Attributes
    ----------
    parents : int64 array of shape (n_parents, size)
    starts : int64 array of shape (n_parents + 1,)
        Children of parent p add ``added[starts[p]:starts[p + 1]]``.
    added : int64 array of shape (n_children,)
    """

    parents: np.ndarray
    starts: np.ndarray
    added: np.ndarray

    def __len__(self) -> int:
        return len(self.added)

    def each(self) -> Iterator[tuple[np.ndarray, np.ndarray, slice]]:
        """Yield every parent that has children, with what is added to it and the places of its children."""
        for p, parent in enumerate(self.parents):
            places = slice(int(self.starts[p]), int(self.starts[p + 1]))
            if places.stop > places.start:
                yield parent, self.added[places], places

    def children(self) -> np.ndarray:
        """Return the features of every child, the one added last."""
        return np.column_stack([np.repeat(self.parents, np.diff(self.starts), axis=0), self.added])

    def shares(self, n_shares: int) -> list[Moves]:
        """Cut the children, as they follow each other, into shares of about the same number, at least one."""
        bounds = np.linspace(0, len(self), min(n_shares, len(self)) + 1).astype(np.int64)
        return [self._part(int(a), int(b)) for a, b in pairwise(bounds)]

    def _part(self, start: int, stop: int) -> Moves:
        first = int(np.searchsorted(self.starts, start, side="right")) - 1
        last = int(np.searchsorted(self.starts, stop, side="left"))
        return Moves(
            self.parents[first:last],
            np.clip(self.starts[first : last + 1], start, stop) - start,
            self.added[start:stop],
        )

    @classmethod
    def of_subset(cls, features: tuple[int, ...]) -> Moves:
        """Return the move that ends in a subset that is not empty."""
        parents = np.array([features[:-1]], dtype=np.int64).reshape(1, len(features) - 1)
        return cls(parents, np.array([0, 1]), np.array(features[-1:], dtype=np.int64))


def as_moves(candidates: Candidates, space: SubsetSpace) -> Iterator[tuple[np.ndarray, Moves | None]]:
    """Yield candidates as moves, with their places; the empty subset, which no move leads to, with None.

    Where a single feature is added, children share their parents. Any other
    candidate is the child of itself without its last feature.
    """
    if candidates.adds and not space.has_groups:
        feature = np.array([unit[0] for unit in space.units], dtype=np.int64)
        always = np.tile(np.array(space.included, dtype=np.int64), (len(candidates.parents), 1))
        parents = np.hstack([always, feature[candidates.parents]])
        starts = np.searchsorted(candidates.parent, np.arange(len(parents) + 1))
        yield np.arange(len(candidates)), Moves(parents, starts, feature[candidates.unit])
        return
    subsets = [space.features(subset) for subset in candidates.subsets()]
    sizes = np.array([len(subset) for subset in subsets])
    for size in np.unique(sizes):
        places = np.flatnonzero(sizes == size)
        if size == 0:
            yield places, None
            continue
        whole = np.array([subsets[i] for i in places], dtype=np.int64)
        yield places, Moves(whole[:, :-1], np.arange(len(places) + 1), np.ascontiguousarray(whole[:, -1]))
