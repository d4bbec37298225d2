"""What every search of subsets has in common: what it asks its evaluator, the best of each size, and how it ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import inf, isnan
from typing import NamedTuple, Protocol

import numpy as np

from fewest.budget import INTERRUPT, TIME_LIMIT, Budget, OutOfBudgetError
from fewest.wrapper.search.subsets import Candidates, Keys, SubsetSpace, best_of, without_copies

# Candidates evaluated between two looks at the clock.
BLOCK = 4096


class Measured(NamedTuple):
    """How well the learner does with a subset.

    ``guiding`` is the loss that the search compares within a size, ``judged`` the one that decides among sizes.
    """

    training: float
    holdout: float
    guiding: float
    judged: float


class Evaluator(Protocol):
    """Knows the learner and the data, and returns losses of subsets: the smaller the better."""

    def losses(self, candidates: Candidates) -> np.ndarray:
        """Return the loss that guides the search, for every candidate."""

    def measure(self, subset: tuple[int, ...]) -> Measured:
        """Return all losses of a subset of units."""


class Resumable(Evaluator, Protocol):
    """An evaluator that can go on where another was stopped."""

    def recall(self, candidates: Candidates, losses: np.ndarray) -> None:
        """Take note of losses that were computed before."""

    def recall_measured(self, subset: tuple[int, ...], measured: Measured) -> None:
        """Take note of all losses of a subset that were computed before."""


@dataclass(frozen=True)
class Step:
    """The best subset of a level, that is of a number of units."""

    units: tuple[int, ...]
    loss: float
    measured: Measured
    n_tried: int
    is_exhaustive: bool

    @property
    def judged(self) -> float:
        """Return the loss that decides among levels, infinity where the learner failed."""
        return inf if isnan(self.measured.judged) or isnan(self.measured.guiding) else self.measured.judged


@dataclass(frozen=True)
class SubsetPath:
    """The levels that a search has completed, fewest units first."""

    steps: tuple[Step, ...]
    n_evaluated: int
    stopped_by: str | None = None

    def best(self, least: int = 0) -> Step:
        """Return the step that is judged best; of equals, the one with the fewest units.

        Of those with fewer than ``least`` units one is returned only where the learner failed on all others, or none
        was completed.
        """
        return min(self.steps, key=lambda step: (self._is_unwanted(step, least), step.judged, len(step.units)))

    @staticmethod
    def _is_unwanted(step: Step, least: int) -> bool:
        return len(step.units) < least or step.judged == inf


def has_stalled(judged: Iterable[float], patience: int | None) -> bool:
    """Return whether the last ``patience`` losses, in the order in which they came, were no improvement."""
    values = list(judged)
    if patience is None or len(values) <= patience:
        return False
    return min(values[-patience:]) >= min(values[:-patience])


@dataclass
class SubsetSearch:
    """The state of one search: the space, the evaluator, the best subset of each level so far, and when to end.

    Parameters
    ----------
    space : SubsetSpace
    evaluator : Evaluator
    seed : int or None
        Equal losses are ranked at random by it; None ranks them in the order in which they come up.
    patience : int or None
        Stop after so many levels that were judged no better than the best before them.
    budget : Budget
    block : int
        How many candidates to evaluate at a time.
    """

    space: SubsetSpace
    evaluator: Evaluator
    seed: int | None = None
    patience: int | None = None
    budget: Budget = field(default_factory=Budget)
    block: int = BLOCK

    def __post_init__(self) -> None:
        self.keys = Keys(len(self.space.units), 0 if self.seed is None else self.seed)
        self.n_evaluated = 0
        self.steps: dict[int, Step] = {}
        self.judged: list[float] = []

    def run(self, levels: Iterator[Step]) -> SubsetPath:
        """Collect the steps until there are no more, patience is over, or time is."""
        stopped_by = None
        try:
            for step in levels:
                self.keep(step)
                if has_stalled(self.judged, self.patience):
                    break
        except (OutOfBudgetError, KeyboardInterrupt) as reason:
            if not self._allowed_levels():
                raise
            stopped_by = INTERRUPT if isinstance(reason, KeyboardInterrupt) else TIME_LIMIT
        steps = tuple(self.steps[level] for level in self._allowed_levels())
        return SubsetPath(steps, self.n_evaluated, stopped_by)

    def _allowed_levels(self) -> list[int]:
        """Return the levels completed; those with too many units, which a backward search begins with, do not count."""
        return sorted(level for level in self.steps if level <= self.space.most_units)

    def keep(self, step: Step) -> None:
        """Keep the best subset of a level."""
        self.steps[len(step.units)] = step
        if len(step.units) <= self.space.most_units:
            self.judged.append(step.judged)

    def step(self, units: tuple[int, ...], loss: float, n_tried: int) -> Step:
        """Measure the best subset of a level, of which this many were tried."""
        is_all = n_tried >= self.space.n_subsets(len(units))
        return Step(units, loss, self.evaluator.measure(units), n_tried, is_all)

    def only(self, units: tuple[int, ...]) -> Step:
        """Return the step of a level that has one subset only."""
        self.n_evaluated += 1
        measured = self.evaluator.measure(units)
        return Step(units, measured.guiding, measured, 1, is_exhaustive=True)

    def losses(self, candidates: Candidates) -> np.ndarray:
        """Evaluate candidates block by block, with an eye on the clock."""
        losses = np.empty(len(candidates))
        for start in range(0, len(candidates), self.block):
            size = candidates.parents.shape[1] + (1 if candidates.adds else -1)
            self.budget.check(lambda size=size, start=start: self._status(size, start, len(candidates)))  # type: ignore[misc]
            block = slice(start, start + self.block)
            losses[block] = self.evaluator.losses(candidates.take(block))
        self.n_evaluated += len(candidates)
        return losses

    def best(self, candidates: Candidates, most: int) -> tuple[np.ndarray, np.ndarray, Candidates]:
        """Return the positions and losses of the best distinct candidates, and the distinct candidates."""
        candidates, keys = without_copies(candidates, self.keys)
        losses = self.losses(candidates)
        positions = best_of(losses, None if self.seed is None else keys, most)
        return positions, losses[positions], candidates

    def _status(self, size: int, done: int, total: int) -> str:
        best = min(self.judged, default=float("nan"))
        return f"size {size}: {done:,} of {total:,} subsets; best so far {best:.4g}, {self.n_evaluated:,} tried"
