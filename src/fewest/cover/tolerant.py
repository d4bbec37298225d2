"""The fewest features that leave at most so many pairs unseparated, proven.

A partial cover: depth first, within limits on the cost that rise from below.
What a feature separates beyond a subset never grows as the subset grows, so
the pairs that the best features left in the limit would each separate now,
added up, are more than they can separate together; when even that is not
enough, the branch is done. At the last feature this is exact.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from fewest.budget import Budget
from fewest.cover.examples import Coverage
from fewest.cover.solver.minimum import MinimumCover
from fewest.cover.solver.plain import TooManyNodesError
from fewest.cover.solver.problem import CoverProblem, Subset
from fewest.kernels import bits


def tolerable_subset(
    coverage: Coverage,
    max_uncovered: int,
    include: Sequence[int],
    worth: np.ndarray,
    exclude: Sequence[int] = (),
    start: Sequence[int] = (),
) -> Subset:
    """Find a subset that leaves at most ``max_uncovered`` pairs: greedily, then without what has become superfluous.

    ``worth`` is one over the cost of each feature; ``start`` is what to begin with, and may be given up again.
    """
    usable = np.ones(len(worth), dtype=bool)
    usable[list(exclude)] = False
    chosen = [*include, *(feature for feature in start if feature not in include)]
    left = _after(coverage, chosen)
    while left.n_uncovered > max_uncovered:
        gains = (left.n_uncovered - left.uncovered_after()) * worth
        chosen.append(int(np.where(usable, gains, -1).argmax()))
        left = left.extended(chosen[-1])
    for feature in [x for x in chosen if x not in include]:
        rest = [other for other in chosen if other != feature]
        if _after(coverage, rest).n_uncovered <= max_uncovered:
            chosen = rest
    return tuple(sorted(chosen))


class PartialCover(MinimumCover):
    """A search for the cheapest subset that leaves few enough pairs unseparated, however these are counted.

    Parameters
    ----------
    problem : CoverProblem
    coverage : Any
        What the empty subset leaves, in the words of the subclass.
    """

    def __init__(self, problem: CoverProblem, coverage: Any):
        self.problem, self.coverage = problem, coverage
        incumbent = self._completed(self._found_from(()))
        super().__init__(problem, incumbent if problem.allows(incumbent) else None)

    @abstractmethod
    def _found_from(self, start: Sequence[int]) -> Subset:
        """Return some subset that leaves few enough pairs, found from ``start``."""

    @abstractmethod
    def _after(self, subset: Sequence[int]) -> Any:
        """Return what a subset leaves."""

    @abstractmethod
    def _is_enough(self, left: Any) -> bool:
        """Return whether few enough pairs are left."""

    @abstractmethod
    def _extended(
        self, left: Any, candidates: np.ndarray, units_left: int, budget: Budget, limit: int
    ) -> Iterator[tuple[int, ...]]:
        """Yield what of the candidates, within the units left, completes a subset that leaves too many pairs."""

    def _completed(self, subset: Subset) -> Subset:
        """Return a subset with the cheapest of every set of which one must be chosen."""
        for asked in map(bits.members, self.problem.words.T):
            if not set(asked).intersection(subset):
                subset = (*subset, min(asked, key=lambda choice: int(self.problem.units[choice])))
        return subset

    def _first_cover(self, limit: int, budget: Budget) -> Subset | None:
        return next(self.covers(limit, budget), None)

    def covers(
        self,
        limit: int,
        budget: Budget,
        without: Sequence[int] = (),
        most_nodes: float = float("inf"),  # noqa: ARG002 (no other search takes over)
    ) -> Iterator[Subset]:
        """Yield the subsets within ``limit`` that leave few enough pairs, each once, lazily."""
        included = list(self.problem.include)
        candidates = np.setdiff1d(bits.members(self.allowed), without).astype(np.intp)
        for start, others in self._starts(included, candidates):
            units_left = limit - self.problem.units_of(start)
            left = self._after(start)
            if self._is_enough(left):
                ends: Iterable[tuple[int, ...]] = [()] if units_left >= 0 else []
            else:
                ends = self._extended(left, others, units_left, budget, limit)
            for chosen in ends:
                if self.problem.allows((*start, *chosen)):  # else nor are those allowed that have more
                    yield tuple(sorted((*start, *chosen)))

    def _starts(self, chosen: list[int], candidates: np.ndarray) -> Iterator[tuple[list[int], np.ndarray]]:
        """Yield what to start from, and what is left to choose: one of every set of the problem is chosen."""
        unmet = [asked for asked in map(bits.members, self.problem.words.T) if not set(asked).intersection(chosen)]
        if not unmet:
            yield chosen, candidates
            return
        for choice in np.intersect1d(candidates, unmet[0]).tolist():
            candidates = candidates[candidates != choice]  # also for its later siblings, so that no set is met twice
            yield from self._starts([*chosen, choice], candidates)

    def _progress(self, limit: int) -> str:
        best, bound, tried = (self.problem.in_costs(cost) for cost in (self.upper, self.lower, limit))
        return f"best {best}, at least {bound}; is there one of {tried}? {self.n_nodes:,} nodes"


class TolerantCover(PartialCover):
    """A search for the cheapest subset that leaves at most ``max_uncovered`` pairs unseparated."""

    def __init__(self, problem: CoverProblem, coverage: Coverage, max_uncovered: int):
        self.max_uncovered = max_uncovered
        super().__init__(problem, coverage)

    def _found_from(self, start: Sequence[int]) -> Subset:
        problem = self.problem
        return tolerable_subset(
            self.coverage, self.max_uncovered, list(problem.include), 1 / problem.units, list(problem.exclude), start
        )

    def _after(self, subset: Sequence[int]) -> Coverage:
        return _after(self.coverage, subset)

    def _is_enough(self, left: Coverage) -> bool:
        return left.n_uncovered <= self.max_uncovered

    def _extended(
        self, left: Coverage, candidates: np.ndarray, units_left: int, budget: Budget, limit: int
    ) -> Iterator[tuple[int, ...]]:
        """Yield what of the candidates, within the units left, completes a subset that leaves too many pairs."""
        self.n_nodes += 1
        if self.n_nodes > self.most_nodes:
            raise TooManyNodesError
        budget.check(lambda: self._progress(limit))
        after = left.uncovered_after()[candidates]
        now = left.n_uncovered
        units = self.problem.units[candidates]
        useful = np.flatnonzero((after < now) & (units <= units_left))
        useful = useful[np.argsort(-(now - after[useful]) / units[useful], kind="stable")]
        candidates, after, units = candidates[useful], after[useful], units[useful]
        enough = reach(now - after, units, units_left) >= now - self.max_uncovered
        for k, feature in enumerate(candidates.tolist()):
            if not enough[k]:  # nor will any later one be
                return
            if after[k] <= self.max_uncovered:
                yield (feature,)
            elif units[k] < units_left:
                deeper = left.extended(feature)
                for rest in self._extended(deeper, candidates[k + 1 :], units_left - int(units[k]), budget, limit):
                    yield (feature, *rest)


def reach(gains: np.ndarray, units: np.ndarray, left: int) -> np.ndarray:
    """Return, for every start, more than the features from there on can gain for ``left``; best gain a unit first.

    The fractional knapsack: whole features while they fit, then a part of the next.
    """
    n = len(gains)
    spent = np.concatenate([[0], np.cumsum(units)])
    gained = np.concatenate([[0], np.cumsum(gains)])
    last = np.searchsorted(spent, spent[:n] + left, side="right") - 1  # features start .. last - 1 fit
    whole = gained[last] - gained[:n]
    partly = last < n
    following = last[partly]
    remaining = left - (spent[following] - spent[:n][partly])
    whole[partly] += -(-gains[following] * remaining // units[following])  # rounded up, and exact
    return whole


def _after(coverage: Coverage, subset: Sequence[int]) -> Coverage:
    """Return what a subset leaves of what the empty one leaves."""
    for feature in subset:
        coverage = coverage.extended(feature)
    return coverage
