"""Subsets to be evaluated together: parents, and one unit more or less."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Candidates:
    """Subsets of units, each a parent with one unit added to it or taken from it.

    Fits of such neighbours share most of their work, so they are handed over
    as they came to be. A unit is a feature, or a group that enters together.

    Attributes
    ----------
    parents : ndarray of shape (n_parents, size)
        Units in ascending order.
    parent : ndarray of shape (n_candidates,)
        The row of ``parents`` that each candidate comes from, in ascending order.
    unit : ndarray of shape (n_candidates,)
    adds : bool
        Whether the unit is added, or taken away.
    """

    parents: np.ndarray
    parent: np.ndarray
    unit: np.ndarray
    adds: bool

    def __len__(self) -> int:
        return len(self.unit)

    def take(self, which: np.ndarray | slice) -> Candidates:
        """Return some of the candidates."""
        return Candidates(self.parents, self.parent[which], self.unit[which], self.adds)

    def units(self, which: np.ndarray | slice) -> np.ndarray:
        """Return the units of some of the candidates, a row for each, in ascending order."""
        parents, unit = self.parents[self.parent[which]], self.unit[which]
        if self.adds:
            return np.sort(np.column_stack([parents, unit]), axis=1)
        return parents[parents != unit[:, None]].reshape(len(parents), -1)

    def subset(self, i: int) -> tuple[int, ...]:
        """Return the units of a candidate."""
        return tuple(self.units(slice(i, i + 1))[0].tolist())

    def subsets(self) -> list[tuple[int, ...]]:
        """Return the units of every candidate."""
        return [tuple(units) for units in self.units(slice(None)).tolist()]


def neighbours(parents: np.ndarray, n_units: int, *, adds: bool) -> Candidates:
    """Return every parent with each unit added that it lacks, or without each that it has; some come up repeatedly."""
    held = np.zeros((len(parents), n_units), dtype=bool)
    np.put_along_axis(held, parents, True, axis=1)
    parent, unit = np.nonzero(~held if adds else held)
    return Candidates(parents, parent, unit, adds)


class Keys:
    """A random number for every subset, the same however it came to be: to tell copies, and to break ties.

    The key of a subset is the exclusive or of its units' keys. That two
    of a million candidates share one by chance has a probability below 1e-7.
    """

    def __init__(self, n_units: int, seed: int) -> None:
        bits = np.random.SeedSequence(seed).generate_state(2 * n_units, np.uint32).astype(np.uint64)
        self.units = bits[:n_units] << np.uint64(32) | bits[n_units:]

    def of(self, candidates: Candidates) -> np.ndarray:
        """Return the candidates' keys."""
        parents = np.bitwise_xor.reduce(self.units[candidates.parents], axis=1)
        return parents[candidates.parent] ^ self.units[candidates.unit]


def without_copies(candidates: Candidates, keys: Keys) -> tuple[Candidates, np.ndarray]:
    """Return every subset once, where it first comes up, with its key."""
    every = keys.of(candidates)
    first = np.unique(every, return_index=True)[1]
    first.sort()
    return candidates.take(first), every[first]


def best_of(losses: np.ndarray, keys: np.ndarray | None, most: int) -> np.ndarray:
    """Return the places of the least losses, the best first; equal ones by key or, without keys, by place."""
    losses = np.where(np.isnan(losses), np.inf, losses)
    places = np.arange(len(losses))
    if len(losses) > most:
        places = np.flatnonzero(losses <= np.partition(losses, most - 1)[most - 1])
    order = np.lexsort((places if keys is None else keys[places], losses[places]))
    return places[order[:most]]
