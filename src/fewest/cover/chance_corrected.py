"""The fewest features that leave fewer pairs unseparated than chance would.

A column that is unrelated to the classes separates half of the pairs of different class if it divides the rows in
halves, and two such columns three quarters. So a tolerance that counts these pairs alone is met by any few columns that
divide the rows evenly. But they separate pairs of the same class just as often. With ``a`` of all ``n`` pairs of rows
alike in a subset, and ``c`` pairs of different class in all, classes assigned at random leave ``c a / n`` of these
alike on the average: so many for any unrelated subset, however it divides the rows. The corrected tolerance is the
fraction of that number which may stay unseparated: 1 allows chance, 0 demands a sufficient subset, and 1 minus it is
the part of the classes' disagreement to be explained, as heritability in genetics or Goodman and Kruskal's tau.

What a subset leaves, measured so, may rise with one more feature. So bounds are weak, and the proof that no smaller
subset will do looks at nearly all of them, the last feature of each for all features at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial

import numpy as np

from fewest.budget import Budget
from fewest.cover.choices import Choices
from fewest.cover.kernels.split_counts import KERNELS, NANOSECONDS, pairs_of_splits
from fewest.cover.sample import Sample
from fewest.cover.solver.minimum import MinimumCover
from fewest.cover.solver.problem import Cover, CoverProblem, Subset
from fewest.cover.tolerant import PartialCover, reach
from fewest.kernels.compile_or_not import Work
from fewest.kernels.partition import numbered

# The error of comparing in floating point, relative; what is so close is compared in whole numbers.
CLOSE = 1e-9


@dataclass(frozen=True)
class ChanceLimit:
    """How many pairs of different class may stay alike, given how many of all pairs do.

    Attributes
    ----------
    share : Fraction
        Of all pairs that are alike, so many may be of different class.
    n_contradictions : int
        Pairs that nothing separates, which may always stay.
    """

    share: Fraction
    n_contradictions: int

    @classmethod
    def of(cls, sample: Sample) -> ChanceLimit:
        """Return the limit that the tolerance of a sample sets."""
        n_all = max(1, sample.n_rows * (sample.n_rows - 1) // 2)
        # In decimals, as the tolerance was written.
        return cls(Fraction(str(float(sample.tolerance))) * Fraction(sample.n_pairs, n_all), sample.n_contradictions)

    def allows(self, mixed: np.ndarray, alike: np.ndarray) -> np.ndarray:
        """Return which subsets leave few enough pairs of different class, given these and all that they leave."""
        allowed = mixed <= np.maximum(float(self.share) * (1 + CLOSE) * alike, self.n_contradictions)
        for k in np.flatnonzero(allowed).tolist():
            n_mixed = int(mixed[k])
            allowed[k] = n_mixed <= self.n_contradictions or n_mixed <= self.share * int(alike[k])
        return allowed


@dataclass(frozen=True, eq=False)
class AlikeRows:
    """All rows in groups that agree on a subset: the pairs of different class in them, and all pairs.

    Attributes
    ----------
    columns : ndarray of shape (n_choices, n_rows)
        Codes from 0; a group of features is one column of the combinations of their values.
    classes, groups : ndarray of shape (n_rows,)
    """

    columns: np.ndarray
    classes: np.ndarray
    groups: np.ndarray
    work: Work = field(default_factory=partial(Work, KERNELS))

    @classmethod
    def of_all(cls, sample: Sample, choices: Choices | None = None) -> AlikeRows:
        """Return all rows of a sample in one group."""
        columns = np.ascontiguousarray(sample.codes.T)
        if choices is not None and choices.groups:
            columns = np.array([_combined(columns[list(members)]) for members in choices.members], dtype=np.int64)
        return cls(columns, sample.classes, np.zeros(sample.n_rows, dtype=np.int64))

    @cached_property
    def counts(self) -> tuple[int, int]:
        """Count the pairs of different class that are alike, and all that are."""
        nothing = np.zeros((len(self.classes), 1), dtype=np.int8)
        mixed, alike = pairs_of_splits(nothing, self.classes, self.groups)
        return int(mixed[0]), int(alike[0])

    def after(self, choices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Count the same for the subset with each of some choices."""
        compiles = self.work.compiles(len(choices) * len(self.classes), NANOSECONDS)
        return pairs_of_splits(self.columns[choices].T, self.classes, self.groups, compiles)

    def extended(self, choice: int) -> AlikeRows:
        """Split the groups by one more choice."""
        column = self.columns[choice].astype(np.int64)
        return replace(self, groups=numbered(self.groups * (int(column.max(initial=0)) + 1) + column))

    def with_all(self, subset: Sequence[int]) -> AlikeRows:
        """Split the groups by several choices."""
        left = self
        for choice in subset:
            left = left.extended(choice)
        return left


def _combined(columns: np.ndarray) -> np.ndarray:
    """Return one column of the combinations of values of several."""
    combined = np.zeros(columns.shape[1], dtype=np.int64)
    for column in columns:
        combined = numbered(combined * (int(column.max(initial=0)) + 1) + column)
    return combined


def corrected_subset(
    alike: AlikeRows,
    limit: ChanceLimit,
    include: Sequence[int],
    costs: np.ndarray,
    exclude: Sequence[int] = (),
    start: Sequence[int] = (),
) -> Subset:
    """Find a subset within the limit: greedily, then without what has become superfluous, the dearest first.

    Every step adds the feature with which the smallest share of the pairs left alike is of different class; ``start``
    is what to begin with, and may be given up again.
    """
    chosen = [*include, *(choice for choice in start if choice not in include)]
    left = alike.with_all(chosen)
    usable = np.setdiff1d(np.arange(len(alike.columns)), [*chosen, *exclude])
    while not _is_within(left, limit) and len(usable):
        mixed, after = left.after(usable)
        # Where a feature leaves no two rows alike, no share is smaller.
        best = int(np.argmin(np.where(mixed > 0, mixed / np.maximum(after, 1), 0)))
        chosen.append(int(usable[best]))
        left = left.extended(chosen[-1])
        usable = np.delete(usable, best)
    for choice in sorted((one for one in chosen if one not in include), key=lambda one: -costs[one]):
        rest = [other for other in chosen if other != choice]
        if _is_within(alike.with_all(rest), limit):
            chosen = rest
    return tuple(sorted(chosen))


def _is_within(alike: AlikeRows, limit: ChanceLimit) -> bool:
    mixed, every = alike.counts
    return bool(limit.allows(np.array([mixed]), np.array([every]))[0])


class ChanceCorrectedCover(PartialCover):
    """A search for the cheapest subset that leaves fewer pairs of different class alike than chance would.

    Parameters
    ----------
    problem : CoverProblem
    alike : AlikeRows
        What the empty subset leaves.
    limit : ChanceLimit
    suggested : callable, optional
        Returns, within a budget, a subset to start from; greedy steps see no features that matter only together.
    """

    def __init__(
        self,
        problem: CoverProblem,
        alike: AlikeRows,
        limit: ChanceLimit,
        suggested: Callable[[Budget], Subset] | None = None,
    ):
        self.within, self.suggested = limit, suggested
        super().__init__(problem, alike)

    def _found_from(self, start: Sequence[int]) -> Subset:
        problem = self.problem
        return corrected_subset(
            self.coverage, self.within, list(problem.include), problem.units, list(problem.exclude), start
        )

    def run(self, budget: Budget, most_nodes: float = float("inf")) -> Cover:
        """Search until the proof is done, from the suggested subset where that is better than a greedy one."""
        if self.suggested is not None:
            suggested, self.suggested = self.suggested(budget.part(0.5)), None
            self.propose(self._completed(self._found_from(suggested)))
        return MinimumCover.run(self, budget, most_nodes)

    def _after(self, subset: Sequence[int]) -> AlikeRows:
        return self.coverage.with_all(subset)

    def _is_enough(self, left: AlikeRows) -> bool:
        return _is_within(left, self.within)

    def _extended(
        self, left: AlikeRows, candidates: np.ndarray, units_left: int, budget: Budget, limit: int
    ) -> Iterator[tuple[int, ...]]:
        """Yield what of the candidates, within the units left, completes a subset that leaves too many pairs.

        A feature that separates none of the pairs of different class that are left separates none later either, and
        all pairs that it separates count against it. Of the others, what each would separate now is, added up, more
        than they can separate together; and more pairs will not be alike than are now.
        """
        self.n_nodes += 1
        budget.check(lambda: self._progress(limit))
        candidates = candidates[self.problem.units[candidates] <= units_left]
        (now, every), (after, alike) = left.counts, left.after(candidates)
        useful = np.flatnonzero(after < now)
        units = self.problem.units[candidates]
        useful = useful[np.argsort(-(now - after[useful]) / units[useful], kind="stable")]
        candidates, after, alike, units = candidates[useful], after[useful], alike[useful], units[useful]
        least = np.maximum(now - reach(now - after, units, units_left), 0)
        may_do = self.within.allows(least, np.full(len(least), every))
        is_enough = self.within.allows(after, alike)
        for k, feature in enumerate(candidates.tolist()):
            if not may_do[k]:  # nor will any later one be enough
                return
            if is_enough[k]:
                yield (feature,)
            elif units[k] < units_left:
                rest = candidates[k + 1 :]
                for more in self._extended(left.extended(feature), rest, units_left - int(units[k]), budget, limit):
                    yield (feature, *more)
