"""Beam search over subsets: Figure 1 of Ng (1998), forwards or backwards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from fewest.budget import INTERRUPT, TIME_LIMIT, Budget, OutOfBudgetError
from fewest.wrapper.search.candidates import Candidates, Keys, best_of, neighbours, without_copies
from fewest.wrapper.search.path import Evaluator, Step, SubsetPath, has_stalled
from fewest.wrapper.search.space import SubsetSpace

# Candidates evaluated between two looks at the clock.
BLOCK = 4096


@dataclass
class SubsetSearch:
    """What the searches have in common: the space, the evaluator, and how they end.

    Parameters
    ----------
    space : SubsetSpace
    evaluator : Evaluator
    seed : int or None
        Equal losses are ranked by numbers that are drawn from it; None ranks them in the order in which they come up.
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
        """Remember the best subset of a level."""
        self.steps[len(step.units)] = step
        if len(step.units) <= self.space.most_units:
            self.judged.append(step.judged)

    def step(self, units: tuple[int, ...], loss: float, n_tried: int) -> Step:
        """Measure the best subset of a level, of which so many were tried."""
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
        """Return the places and losses of the best distinct candidates, and these candidates."""
        candidates, keys = without_copies(candidates, self.keys)
        losses = self.losses(candidates)
        places = best_of(losses, None if self.seed is None else keys, most)
        return places, losses[places], candidates

    def _status(self, size: int, done: int, total: int) -> str:
        best = min(self.judged, default=float("nan"))
        return f"size {size}: {done:,} of {total:,} subsets; best so far {best:.4g}, {self.n_evaluated:,} tried"


def beam_search(search: SubsetSearch, width: int, *, forward: bool = True) -> SubsetPath:
    """Go from the empty set to all units, or back, keeping the ``width`` best subsets of each size.

    Steps 2 to 8 of Figure 1. The hypothesis of least loss of each size is
    kept; which loss that is, training or hold-out error, is the evaluator's.
    """
    return search.run(_levels(search, width, forward))


def _levels(search: SubsetSearch, width: int, forward: bool) -> Iterator[Step]:
    n_units = len(search.space.units)
    start = () if forward else tuple(range(n_units))
    beam = np.array([start], dtype=np.int64).reshape(1, len(start))
    yield search.only(start)
    for _ in range(search.space.most_units if forward else n_units):
        places, losses, candidates = search.best(neighbours(beam, n_units, adds=forward), width)
        if not len(places):
            return
        beam = candidates.units(places)
        yield search.step(tuple(beam[0].tolist()), float(losses[0]), len(candidates))
