"""Go on until a claim is decided, with a rule for stopping that was fixed before.

Looking again and again until the answer pleases would find one in the end. A plan therefore has a number of looks,
each at so many times the runs of the one before, and asks for more standard errors at every look, so many that a
wrong decision at any of them is as rare as with one look at two (Bonferroni's inequality). A look also computes how
many runs would decide what is not decided yet, from the variance measured so far. Its runs have numbers of their own,
and so random numbers of their own: none of them was seen when the plan was made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from fewest.papers.verdict import BEYOND_CHANCE, Check, Verdict

# The number of a plan's first run; those of all scales are lower.
FRESH = 10_000


@dataclass(frozen=True)
class Plan:
    """When to look, and what to measure before.

    Parameters
    ----------
    units : callable
        From the numbers of two runs to the units of the first run and those after it, up to the second: only what the
        demands that are hard to decide need.
    first : int
        The runs at the first look.
    looks : int
        At most so many.
    growth : int
        How many times the runs of a look the next one has.
    beside : callable, optional
        Units that are measured once, for what is shown beside the claim: other values of what the paper leaves open.
    """

    units: Callable[[int, int], list[dict[str, Any]]]
    first: int
    looks: int
    growth: int = 2
    beside: Callable[[], list[dict[str, Any]]] = list

    @property
    def beyond(self) -> float:
        """Return how many standard errors decide at every look.

        >>> [round(Plan(lambda start, stop: [], 10, looks).beyond, 2) for looks in (1, 5)]
        [2.0, 2.61]
        """
        return NormalDist().inv_cdf(1 - (1 - NormalDist().cdf(BEYOND_CHANCE)) / self.looks)

    def between(self, n_before: int, n_after: int) -> list[dict[str, Any]]:
        """Return the units that are measured after so many runs, to have so many."""
        return self.units(FRESH + n_before, FRESH + n_after)

    def runs_at(self, look: int) -> int:
        """Return the runs that a look has, the first of which is look 0."""
        return self.first * self.growth**look


@dataclass(frozen=True)
class Look:
    """What a look saw.

    Parameters
    ----------
    runs : int
    undecided : tuple of (str, float)
        Each demand that is not decided, with the runs that would decide it in 95 of 100 repetitions, were it met, or
        missed, by as much as measured.
    """

    runs: int
    undecided: tuple[tuple[str, float], ...]


def look_at(checks: Sequence[Check], plan: Plan, runs: int) -> Look:
    """Return which demands are not decided, and how many runs would decide them."""
    demands = [check.at(plan.beyond) for check in checks if check.counts]
    return Look(
        runs,
        tuple(
            (check.statement, runs * check.times_the_runs(plan.beyond))
            for check in demands
            if check.verdict is Verdict.UNDECIDED
        ),
    )
