"""What a search of subsets comes to: the best subset of every size, and the best of these."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, isnan
from typing import NamedTuple, Protocol

import numpy as np

from fewest.wrapper.search.candidates import Candidates


class Measured(NamedTuple):
    """How well the learner does with a subset.

    ``guiding`` is what the search compares within a size, ``judged`` what decides among sizes.
    """

    training: float
    holdout: float
    guiding: float
    judged: float


class Evaluator(Protocol):
    """What knows the learner and the data. Less is better."""

    def losses(self, candidates: Candidates) -> np.ndarray:
        """Return what guides the search, for every candidate."""

    def measure(self, subset: tuple[int, ...]) -> Measured:
        """Return all there is to know of a subset of units."""

    def recall(self, candidates: Candidates, losses: np.ndarray) -> None:
        """Take note of losses that were found before."""

    def recall_measured(self, subset: tuple[int, ...], measured: Measured) -> None:
        """Take note of what was known before of a subset."""


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
        """Return what decides among levels, infinity where the learner failed."""
        return inf if isnan(self.measured.judged) or isnan(self.measured.guiding) else self.measured.judged


@dataclass(frozen=True)
class SubsetPath:
    """The levels that a search has completed, fewest units first."""

    steps: tuple[Step, ...]
    n_evaluated: int
    stopped_by: str | None = None

    @property
    def best(self) -> Step:
        """Return the step that is judged best; of equals, the one with the fewest units."""
        return min(self.steps, key=lambda step: (step.judged, len(step.units)))


def has_stalled(judged: Iterable[float], patience: int | None) -> bool:
    """Return whether the last ``patience`` of these, in the order in which they came, were no improvement."""
    values = list(judged)
    if patience is None or len(values) <= patience:
        return False
    return min(values[-patience:]) >= min(values[:-patience])
