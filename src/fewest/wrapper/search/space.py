"""Which subsets may be chosen: units that enter together, features that are always there, a largest size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

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
    ) -> SubsetSpace:
        """Check what was asked for; features that no group names are units of their own.

        A group with an included feature is included as a whole. ``max_features``
        counts the included features as well, and a group as one.
        """
        grouped = [feature for group in groups for feature in group]
        _check_positions(grouped, n_features, "a feature group")
        _check_positions(included, n_features, "the features to include")
        if len(set(grouped)) < len(grouped):
            twice = next(feature for feature in grouped if grouped.count(feature) > 1)
            raise ParameterError(f"Feature {twice} is in two feature groups. Leave it in one of them.")
        alone = [(feature,) for feature in range(n_features) if feature not in set(grouped)]
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
        """Count the subsets of so many units."""
        return comb(len(self.units), level)


def _check_positions(positions: Sequence[int], n_features: int, where: str) -> None:
    for position in positions:
        if not 0 <= position < n_features:
            raise ParameterError(
                f"There is no feature {position} to be in {where}: features are numbered from 0 to {n_features - 1}."
            )
