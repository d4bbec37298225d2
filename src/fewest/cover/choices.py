"""What a search chooses among: single features, and groups of them; and what may be chosen together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fewest.cover.examples import Coverage
from fewest.cover.options import MinFeaturesOptions
from fewest.cover.solver.problem import Subset
from fewest.exceptions import ParameterError
from fewest.table import Table
from fewest.table.requests import positions


@dataclass(frozen=True)
class Choices:
    """The features of a sample, some of them in groups that enter together and cost once.

    A group is one choice, whose conflicts are those of all its features. It costs as much as its dearest feature: the
    columns of one category count as one feature, and a panel of measurements is paid for once.

    Parameters
    ----------
    n_features : int
    groups : tuple of tuple of int
        Features that enter together; no feature is in two of them.
    at_most : tuple of (int, tuple of int)
        Of the choices that have one of these features, at most so many may be chosen.
    any_of : tuple of tuple of int
        Of the choices that have one of these features, one at least must be.
    """

    n_features: int
    groups: tuple[Subset, ...] = ()
    at_most: tuple[tuple[int, Subset], ...] = ()
    any_of: tuple[Subset, ...] = ()

    @classmethod
    def asked_for(cls, header: Table, options: MinFeaturesOptions, excluded: Sequence[int]) -> Choices:
        """Read what the options ask for; whether ``include`` is within the limits is the problem's to check."""
        names, out = header.names, set(excluded)
        groups = [_usable(header, group, out) for group in options.feature_groups or ()]
        grouped: set[int] = set()
        for group in groups:
            twice = grouped.intersection(group)
            if twice:
                raise ParameterError(f"Feature {names[min(twice)]!r} is in two groups of feature_groups. Join the two.")
            grouped.update(group)
        limits = []
        for limit in options.at_most or ():
            most, some = _limit(limit)
            limits.append((most, _usable(header, some, out)))
        any_of = [_usable(header, some, out) for some in options.any_of or ()]
        if not all(any_of):
            raise ParameterError("All features of one of any_of are excluded, or it has none. Name some that are not.")
        return cls(len(names), tuple(group for group in groups if group), tuple(limits), tuple(any_of))

    @property
    def is_plain(self) -> bool:
        """Return whether every feature is a choice by itself, and any may be chosen together."""
        return not (self.groups or self.at_most or self.any_of)

    @cached_property
    def members(self) -> tuple[Subset, ...]:
        """Return the features of every choice, in the order of their first features."""
        grouped = {feature for group in self.groups for feature in group}
        singles = ((feature,) for feature in range(self.n_features) if feature not in grouped)
        return tuple(sorted([*singles, *(tuple(sorted(group)) for group in self.groups)]))

    @cached_property
    def place(self) -> np.ndarray:
        """Return the choice that every feature belongs to."""
        place = np.empty(self.n_features, dtype=np.intp)
        for choice, members in enumerate(self.members):
            place[list(members)] = choice
        return place

    @property
    def limits(self) -> list[tuple[int, Subset]]:
        """Return ``at_most`` in terms of choices."""
        return [(most, self.of(some)) for most, some in self.at_most]

    def of(self, features: Iterable[int]) -> Subset:
        """Return the choices that have one of some features."""
        return tuple(sorted({int(self.place[feature]) for feature in features}))

    def features(self, choices: Iterable[int]) -> Subset:
        """Return the features of some choices."""
        return tuple(sorted(feature for choice in choices for feature in self.members[choice]))

    def costs(self, costs: Sequence[float] | np.ndarray | None) -> np.ndarray | None:
        """Return what every choice costs: its dearest feature."""
        if costs is None:
            return None
        return np.array([max(costs[feature] for feature in members) for members in self.members], dtype=np.float64)

    def merged(self, rows: np.ndarray) -> np.ndarray:
        """Return which choices have a feature of some sets: Boolean (sets x features) to (sets x choices)."""
        if not self.groups:
            return rows
        order = [feature for members in self.members for feature in members]
        starts = np.cumsum([0, *(len(members) for members in self.members[:-1])])
        return np.logical_or.reduceat(rows[:, order], starts, axis=1)

    def coverage(self, coverage: Coverage) -> Coverage:
        """Return what the empty subset leaves, extended by choices instead of features."""
        return coverage if not self.groups else ChoiceCoverage(self, coverage)


@dataclass(frozen=True)
class ChoiceCoverage:
    """What a subset, built one choice after the other, leaves uncovered."""

    choices: Choices
    left: Coverage

    @property
    def n_uncovered(self) -> int:
        """Count the pairs of rows of different class that the subset leaves unseparated."""
        return self.left.n_uncovered

    def uncovered_after(self) -> np.ndarray:
        """Count, for every choice, the pairs that the subset would leave with it."""
        of_features = self.left.uncovered_after()
        return np.array(
            [
                of_features[members[0]] if len(members) == 1 else self.extended(choice).n_uncovered
                for choice, members in enumerate(self.choices.members)
            ],
            dtype=np.int64,
        )

    def extended(self, choice: int) -> ChoiceCoverage:
        """Return the coverage of the subset with one more choice."""
        left = self.left
        for feature in self.choices.members[choice]:
            left = left.extended(feature)
        return ChoiceCoverage(self.choices, left)


def _usable(header: Table, features: object, excluded: set[int]) -> Subset:
    """Return the positions of features, without those that are excluded."""
    return tuple(j for j in positions(header, features) if j not in excluded)  # type: ignore[arg-type]  # it checks


def _limit(limit: object) -> tuple[int, object]:
    """Return a number of features, and which they are."""
    if isinstance(limit, Sequence) and not isinstance(limit, str) and len(limit) == 2:
        most, some = limit
        if isinstance(most, int | np.integer) and not isinstance(most, bool) and most >= 0:
            return int(most), some
    raise ParameterError(f"at_most has {limit!r}, which is no pair of a number and features, such as (1, ['a', 'b']).")
