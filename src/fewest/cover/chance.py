"""Could it be chance? How many features random labels would need, where the real ones need so few."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from fewest.budget import Budget, OutOfBudgetError, raise_interrupt
from fewest.cover.choices import Choices
from fewest.cover.min_features import Costs, MinFeaturesSearch
from fewest.cover.sample import Sample

# Nodes that may be spent on one permutation: that its labels need more is mostly clear after a few.
MOST_NODES = 20_000


@dataclass(frozen=True)
class ByChance:
    """What sufficient subsets cost for permuted labels, and how probable a cost as low as the real one is.

    Attributes
    ----------
    cost : float
        That of the real labels.
    lower, upper : tuple of float
        Between which the least cost lies, for every permutation; the same where it was proven.
    n_asked : int
        How many permutations were asked for; the time may have been over after fewer.
    """

    cost: float
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    n_asked: int

    @property
    def pvalue(self) -> float:
        """Return the share of permutations that may need as little, the real labels counted as one of them.

        A permutation counts unless it is proven to need more, so that the true share is no larger.
        """
        return (1 + sum(low <= self.cost for low in self.lower)) / (1 + len(self.lower))

    def __str__(self) -> str:
        """Return it in a sentence."""
        if not self.lower:
            return "There was no time to see what random labels would need."
        low, high = min(self.lower), max(self.upper)
        range_of = f"{low:g}" if low == high else f"{low:g} to {high:g}"
        permuted = f"{len(self.lower)} permutations, p = {self.pvalue:.2g}"
        verdict = "" if self.pvalue <= 0.05 else ", so chance alone could do that"
        return f"Random labels would need {range_of}; yours need {self.cost:g} ({permuted}){verdict}."


def cost_by_chance(
    sample_of: Callable[[np.ndarray], Sample],
    classes: np.ndarray,
    cost: float,
    n_permutations: int,
    *,
    costs: Costs = None,
    include: Sequence[int] = (),
    choices: Choices | None = None,
    seed: int = 0,
    budget: Budget | None = None,
) -> ByChance:
    """Search again with permuted labels, each time until it is clear whether these need more.

    Parameters
    ----------
    sample_of : callable
        Takes classes; returns the sample. Where numbers are cut by what they tell about the class, they are cut again:
        cuts made for the real labels would favour these.
    classes : ndarray of shape (n_rows,)
        The real ones.
    cost : float
        What the real ones need.
    n_permutations : int
    costs, include, choices
        As for the search.
    seed : int
        What the permutations depend on.
    budget : Budget, optional
        When its time is over, the permutations so far count.
    """
    budget, rng = budget or Budget(), np.random.default_rng(seed)
    lower: list[float] = []
    upper: list[float] = []
    try:
        for k in range(n_permutations):
            budget.check(lambda k=k: f"{k} of {n_permutations} permutations of the labels")  # type: ignore[misc]  # k
            search = MinFeaturesSearch(sample_of(rng.permutation(classes)), costs, include, choices)
            found = search.run(budget, most_nodes=MOST_NODES)
            if found.stopped_by is not None:
                raise_interrupt(found.stopped_by)
                break
            lower.append(found.lower_bound)
            upper.append(found.cost)
    except OutOfBudgetError:
        pass
    return ByChance(cost, tuple(lower), tuple(upper), n_permutations)
