"""The minimum cover problem and its answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm

import numpy as np

from fewest.exceptions import ParameterError
from fewest.kernels import bits

Subset = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class CoverProblem:
    """Choose features of the least total cost so that every conflict contains a chosen one.

    Also known as minimum hitting set, or minimum set cover with the roles of
    sets and elements exchanged. Nothing here knows of rows or classes.

    Parameters
    ----------
    words : uint64 array of shape (n_words, n_conflicts)
        The features of every conflict, 64 a word (see `fewest.kernels.bits`).
    n_features : int
        How many features there are to choose from.
    costs : sequence of positive numbers, optional
        One a feature; 1 each by default, so that the fewest features win.
    include : iterable of int, default=()
        The positions of features that must be chosen.
    exclude : iterable of int, default=()
        The positions of features that must not be chosen.
    at_most : iterable of (int, iterable of int), default=()
        Of these features, at most so many may be chosen.

    Attributes
    ----------
    units : ndarray of int
        The costs as whole numbers of ``unit``, so that sums of them compare exactly.
    unit : Fraction
        What one of them costs.

    See Also
    --------
    solve_cover : Finds and proves a minimum cover.

    Examples
    --------
    >>> from fewest.cover.solver import CoverProblem, solve_cover
    >>> problem = CoverProblem.from_sets([{0, 1}, {1, 2}, {2, 3}], n_features=4)
    >>> cover = solve_cover(problem)
    >>> cover.subset, cover.lower_bound, cover.is_optimal
    ((1, 2), 2, True)
    """

    words: np.ndarray
    n_features: int
    costs: Sequence[float] | np.ndarray | None = None
    include: Iterable[int] = ()
    exclude: Iterable[int] = ()
    at_most: Iterable[tuple[int, Iterable[int]]] = ()
    units: np.ndarray = field(init=False)
    """The costs as whole numbers of ``unit``, so that sums of them compare exactly."""
    unit: Fraction = field(init=False)

    def __post_init__(self):
        units, unit = whole_costs(self.costs, self.n_features)
        object.__setattr__(self, "units", units)
        object.__setattr__(self, "unit", unit)
        object.__setattr__(self, "include", _checked(self.include, self.n_features))
        object.__setattr__(self, "exclude", _checked(self.exclude, self.n_features))
        both = set(self.include) & set(self.exclude)
        if both:
            raise ParameterError(f"Features {sorted(both)} are both included and excluded. Decide for one.")
        limits = tuple((int(most), _checked(some, self.n_features)) for most, some in self.at_most)
        object.__setattr__(self, "at_most", limits)
        for most, some in limits:
            if len(set(self.include).intersection(some)) > most:
                raise ParameterError(
                    f"include asks for more features than at_most allows, {most}. Include fewer, or allow more."
                )

    @classmethod
    def from_sets(cls, sets: Iterable[Iterable[int]], n_features: int, **options) -> CoverProblem:
        """Make a problem from conflicts given as sets of features.

        Parameters
        ----------
        sets : iterable of iterable of int
            The positions of the features of every conflict.
        n_features : int
            How many features there are to choose from.
        **options
            ``costs``, ``include`` and ``exclude`` of the problem.

        Returns
        -------
        CoverProblem
            The problem of covering these conflicts.
        """
        listed = [list(members) for members in sets]
        rows = np.zeros((len(listed), n_features), dtype=bool)
        for row, members in zip(rows, listed, strict=True):
            row[members] = True
        return cls(bits.pack(rows), n_features, **options)

    def allows(self, subset: Iterable[int]) -> bool:
        """Return whether a subset has no more features than each of the limits allows.

        Parameters
        ----------
        subset : iterable of int
            The positions of the features.

        Returns
        -------
        bool
            Whether it is within all limits.
        """
        chosen = set(subset)
        return all(len(chosen.intersection(some)) <= most for most, some in self.at_most)

    @cached_property
    def limits(self) -> tuple[np.ndarray, np.ndarray]:
        """Return how many features each limit allows beside those included, and which it is about, as words."""
        room = [most - len(set(self.include).intersection(some)) for most, some in self.at_most]
        words = [bits.mask(set(some).difference(self.include), self.n_features) for _, some in self.at_most]
        n_words = bits.n_words(self.n_features)
        return np.array(room, dtype=np.int64), np.array(words, dtype=np.uint64).reshape(len(room), n_words)

    def units_of(self, subset: Iterable[int]) -> int:
        """Return the total cost of some features in whole units.

        Parameters
        ----------
        subset : iterable of int
            The positions of the features.

        Returns
        -------
        int
            Their cost as a number of units.
        """
        return int(self.units[list(subset)].sum())

    @cached_property
    def step(self) -> int:
        """Return the least amount by which costs of subsets can differ."""
        return gcd(*self.units.tolist()) or 1

    @property
    def has_equal_costs(self) -> bool:
        """Return whether all features cost the same."""
        return bool((self.units == self.step).all())

    def uncoverable(self) -> tuple[int, ...]:
        """Return the conflicts all of whose features are excluded: one is enough to make the problem infeasible.

        Returns
        -------
        tuple of int
            Their numbers, columns of ``words``.
        """
        usable = ~bits.mask(self.exclude, self.n_features)
        return tuple(np.flatnonzero(~(self.words & usable[:, None]).any(axis=0)).tolist())

    def cost_of(self, subset: Iterable[int]) -> float:
        """Return the total cost of some features.

        Parameters
        ----------
        subset : iterable of int
            The positions of the features.

        Returns
        -------
        float
            Their cost.
        """
        return self.in_costs(self.units_of(subset))

    def in_costs(self, units: int) -> float:
        """Turn a sum of whole units back into a cost; whole costs come as int.

        Parameters
        ----------
        units : int
            A number of units.

        Returns
        -------
        float
            The cost.
        """
        total = units * self.unit
        return int(total) if total.denominator == 1 else float(total)


@dataclass(frozen=True)
class Cover:
    """What a solver found out about a `CoverProblem`.

    Attributes
    ----------
    subset : tuple of int, or None
        The best cover found, ascending; None if there is none, or none was found in time.
    cost : float
        Its cost; infinite without one.
    lower_bound : float
        Every cover costs at least this much; infinite if none exists.
    is_optimal : bool
        Whether the subset is proven to cost the least.
    proof : tuple of int
        Conflicts that suffice to prove the lower bound.
    n_nodes : int
        Nodes of the search.
    stopped_by : str or None
        ``"time limit"`` or ``"interrupt"`` when the search did not finish.
    """

    subset: tuple[int, ...] | None
    cost: float
    lower_bound: float
    is_optimal: bool
    proof: tuple[int, ...] = ()
    n_nodes: int = 0
    stopped_by: str | None = None

    @property
    def gap(self) -> float:
        """Return how much cheaper, relatively, a better cover could be: 0 when proven optimal."""
        if self.is_optimal or self.cost == self.lower_bound:
            return 0.0
        return 1.0 if self.cost == float("inf") else (self.cost - self.lower_bound) / self.cost


def whole_costs(costs: Sequence[float] | np.ndarray | None, n_features: int) -> tuple[np.ndarray, Fraction]:
    """Write costs as whole multiples of a unit.

    Each cost is taken as the shortest decimal that Python prints for it, which
    is what its author meant by 0.1; sums then compare without rounding.
    """
    if costs is None:
        return np.ones(n_features, dtype=np.int64), Fraction(1)
    if len(costs) != n_features:
        raise ParameterError(f"There are {len(costs)} costs for {n_features} features. Give one a feature.")
    for j, cost in enumerate(costs):
        if not 0 < cost < float("inf"):
            raise ParameterError(f"The cost of feature {j} is {cost}; costs must be positive numbers.")
    exact = [Fraction(repr(float(cost))) for cost in costs]
    denominator = lcm(*(cost.denominator for cost in exact))
    multiples = [int(cost * denominator) for cost in exact]
    if sum(multiples) > 2**62:
        raise ParameterError("The costs differ by too many orders of magnitude to be added exactly. Round them.")
    return np.array(multiples, dtype=np.int64), Fraction(1, denominator)


def _checked(features: Iterable[int], n_features: int) -> tuple[int, ...]:
    chosen = sorted({int(feature) for feature in features})
    for feature in chosen:
        if not 0 <= feature < n_features:
            raise ParameterError(f"There is no feature {feature}: there are {n_features}, counted from 0.")
    return tuple(chosen)
