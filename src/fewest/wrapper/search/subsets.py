"""Subsets of features: which ones may be chosen (`SubsetSpace`), and those evaluated together (`Candidates`).

A unit is a feature, or a group of features that enters as a whole. A candidate is a parent with one unit more or less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from fewest.exceptions import ParameterError


@dataclass(frozen=True)
class SubsetSpace:
    """The subsets made of features that are always in, and of units that may be.

    Attributes
    ----------
    n_features : int
    units : tuple of tuples of int
        The features of each unit: one, or several that enter together.
    included : tuple of int
        Features of every subset.
    most_units : int
        How many units a subset may have besides.
    """

    n_features: int
    units: tuple[tuple[int, ...], ...]
    included: tuple[int, ...]
    most_units: int

    @classmethod
    def of(
        cls,
        n_features: int,
        groups: Sequence[Sequence[int]] = (),
        included: Sequence[int] = (),
        max_features: int | None = None,
        excluded: Sequence[int] = (),
    ) -> SubsetSpace:
        """Check what was asked for; features that no group names are units of their own.

        A group with an included feature is included as a whole, but for the excluded ones of it. ``max_features``
        counts the included features as well, and a group as one.
        """
        gone = set(excluded)
        groups = [[feature for feature in group if feature not in gone] for group in groups]
        grouped = [feature for group in groups for feature in group]
        _check_positions(grouped, n_features, "a feature group")
        _check_positions(included, n_features, "the features to include")
        if len(set(grouped)) < len(grouped):
            twice = next(feature for feature in grouped if grouped.count(feature) > 1)
            raise ParameterError(f"Feature {twice} is in two feature groups. Leave it in one of them.")
        alone = [(feature,) for feature in range(n_features) if feature not in {*grouped, *gone}]
        units = sorted([*(tuple(sorted(group)) for group in groups if len(group)), *alone])
        always = [unit for unit in units if set(unit) & set(included)]
        free = tuple(unit for unit in units if not set(unit) & set(included))
        most = len(units) if max_features is None else min(max_features, len(units))
        if len(always) > most:
            raise ParameterError(
                f"{len(always)} features are to be included, but max_features is {most}, so no subset is "
                "left. Raise max_features or include fewer."
            )
        return cls(n_features, free, tuple(sorted(feature for unit in always for feature in unit)), most - len(always))

    @property
    def has_groups(self) -> bool:
        """Whether several features enter together."""
        return any(len(unit) > 1 for unit in self.units)

    def features(self, subset: Sequence[int]) -> tuple[int, ...]:
        """Return the features of a subset of units."""
        return tuple(sorted([*self.included, *(feature for unit in subset for feature in self.units[unit])]))

    def n_subsets(self, level: int) -> int:
        """Count the subsets of this many units."""
        return comb(len(self.units), level)


def _check_positions(positions: Sequence[int], n_features: int, where: str) -> None:
    for position in positions:
        if not 0 <= position < n_features:
            raise ParameterError(
                f"There is no feature {position} to be in {where}: features are numbered from 0 to {n_features - 1}."
            )


@dataclass(frozen=True)
class Candidates:
    """Subsets of units, each a parent with one unit added to it or taken from it.

    Fits of such neighbors share most of their work, so they are handed over
    as they came to be.

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


def neighbors(parents: np.ndarray, n_units: int, *, adds: bool) -> Candidates:
    """Return every parent with each unit added that it lacks, or without each that it has; some come up repeatedly."""
    held = np.zeros((len(parents), n_units), dtype=bool)
    np.put_along_axis(held, parents, True, axis=1)
    parent, unit = np.nonzero(~held if adds else held)
    return Candidates(parents, parent, unit, adds)


class Keys:
    """A random 64-bit key for every subset, the same however it came to be: to recognise copies, and to break ties.

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
    """Return the positions of the least losses, the best first; equal ones by key or, without keys, by position."""
    losses = np.where(np.isnan(losses), np.inf, losses)
    positions = np.arange(len(losses))
    if len(losses) > most:
        positions = np.flatnonzero(losses <= np.partition(losses, most - 1)[most - 1])
    order = np.lexsort((positions if keys is None else keys[positions], losses[positions]))
    return positions[order[:most]]
