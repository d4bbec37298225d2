"""The fewest features that leave at most so many pairs unseparated, proven.

A partial cover: depth first, within limits on the cost that rise from below.
What a feature separates beyond a subset never grows as the subset grows, so
the pairs that the best features left in the limit would each separate now,
added up, are more than they can separate together; when even that is not
enough, the branch is done. At the last feature this is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from fewest.budget import Budget
from fewest.cover.description import Coded
from fewest.cover.examples import Answer, Coverage
from fewest.cover.kernels.description import UNIT
from fewest.cover.min_description import DescriptionSearch
from fewest.cover.sample import Sample
from fewest.cover.solver.minimum import MinimumCover
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


class QuickTolerantSearch:
    """A subset that leaves few enough pairs, found without a proof, for many tolerances of the same rows.

    Greedy steps see one feature at a time. So a second attempt starts from the features of the shortest description
    (`fewest.cover.min_description`), which looks at all pairs and triples and depends on no tolerance. It counts where
    it is cheaper; among equals the greedy one does, as in the search for a proof. So a tolerance that is so large that
    chance features will do is judged by these, whatever better ones there are.

    Parameters
    ----------
    costs : ndarray of shape (n_features,)
    include : sequence of int
    """

    def __init__(self, costs: np.ndarray, include: Sequence[int] = ()):
        self.costs, self.include = costs, tuple(include)
        self._starts: dict[int, tuple[np.ndarray, Subset]] = {}  # by the identity of the codes, which are kept with it

    def __call__(self, sample: Sample, budget: Budget) -> Answer:
        """Search within the sample's tolerance."""
        start, stopped_by = self._start(sample, budget)
        coverage, worth = sample.coverage(), 1 / self.costs
        found = [
            tolerable_subset(coverage, sample.max_uncovered, self.include, worth, start=one) for one in ((), start)
        ]
        subset = min(found, key=lambda one: float(self.costs[list(one)].sum()))
        return Answer(subset, float(self.costs[list(subset)].sum()), 0.0, 0, (), stopped_by)

    def _start(self, sample: Sample, budget: Budget) -> tuple[Subset, str | None]:
        """Return the features of the shortest description by cells, and what ended the search for it, if anything."""
        known = self._starts.get(id(sample.codes))
        if known is not None:
            return known[1], None
        columns = [np.unique(column, return_inverse=True)[1] for column in sample.codes.T]
        kept = [j for j, column in enumerate(columns) if column.max(initial=0) > 0]
        include = tuple(kept.index(j) for j in self.include if j in kept)
        coded = Coded(
            np.array([columns[j] for j in kept], dtype=np.int64).reshape(len(kept), len(sample.classes)),
            np.arange(len(kept)),
            np.full(len(kept), UNIT, dtype=np.int64),
            len(kept) - len(include),
            include,
        )
        found = DescriptionSearch(coded, sample.classes, max_row_visits=0, budget=budget).run()
        subset = tuple(kept[k] for k in found.subset)
        if found.stopped_by is None:
            self._starts[id(sample.codes)] = sample.codes, subset
        return subset, found.stopped_by


class TolerantCover(MinimumCover):
    """A search for the cheapest subset that leaves at most ``max_uncovered`` pairs unseparated."""

    def __init__(self, problem: CoverProblem, coverage: Coverage, max_uncovered: int):
        self.coverage = coverage
        self.max_uncovered = max_uncovered
        include, exclude = list(problem.include), list(problem.exclude)
        incumbent = tolerable_subset(coverage, max_uncovered, include, 1 / problem.units, exclude)
        for asked in map(bits.members, problem.words.T):
            if not set(asked).intersection(incumbent):
                incumbent = (*incumbent, min(asked, key=lambda choice: int(problem.units[choice])))
        super().__init__(problem, incumbent if problem.allows(incumbent) else None)

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
            left = _after(self.coverage, start)
            if left.n_uncovered <= self.max_uncovered:
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

    def _extended(
        self, left: Coverage, candidates: np.ndarray, units_left: int, budget: Budget, limit: int
    ) -> Iterator[tuple[int, ...]]:
        """Yield what of the candidates, within the units left, completes a subset that leaves too many pairs."""
        self.n_nodes += 1
        budget.check(lambda: self._progress(limit))
        after = left.uncovered_after()[candidates]
        now = left.n_uncovered
        units = self.problem.units[candidates]
        useful = np.flatnonzero((after < now) & (units <= units_left))
        useful = useful[np.argsort(-(now - after[useful]) / units[useful], kind="stable")]
        candidates, after, units = candidates[useful], after[useful], units[useful]
        enough = _reach(now - after, units, units_left) >= now - self.max_uncovered
        for k, feature in enumerate(candidates.tolist()):
            if not enough[k]:  # nor will any later one be
                return
            if after[k] <= self.max_uncovered:
                yield (feature,)
            elif units[k] < units_left:
                deeper = left.extended(feature)
                for rest in self._extended(deeper, candidates[k + 1 :], units_left - int(units[k]), budget, limit):
                    yield (feature, *rest)

    def _progress(self, limit: int) -> str:
        best, bound, tried = (self.problem.in_costs(cost) for cost in (self.upper, self.lower, limit))
        return f"best {best}, at least {bound}; is there one of {tried}? {self.n_nodes:,} nodes"


def _reach(gains: np.ndarray, units: np.ndarray, left: int) -> np.ndarray:
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
