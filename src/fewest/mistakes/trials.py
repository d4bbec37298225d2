"""Trials: predict, then learn the label, and count the mistakes; one loop for examples in memory and in blocks."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np

from fewest.budget import Budget
from fewest.mistakes.examples import Examples

# The numbers of mistakes that are kept: the latest, so that memory does not grow with their number.
MOST_KEPT = 1 << 16


@dataclass
class Trials:
    """An online learner and what happened in its trials so far.

    Parameters
    ----------
    learner : object with ``learn(examples, codes)`` and ``predict(examples)``
        ``learn`` predicts and learns one example after the other, and returns the class codes it predicted.
    n_trials : int
    n_mistakes : int
        How many trials were mistakes.
    pieces : list of ndarray of int
        The numbers of the latest of these trials, counted from 0; more than `MOST_KEPT` in all are not kept for long.
    n_in_pieces : int
        How many these are.
    """

    learner: Any
    n_trials: int = 0
    n_mistakes: int = 0
    pieces: list[np.ndarray] = field(default_factory=list)
    n_in_pieces: int = 0

    def learn(self, examples: Examples, codes: np.ndarray) -> None:
        """Run a trial for each example; ``codes`` are the numbers of their classes."""
        wrong = (self.learner.learn(examples, codes) != codes).nonzero()[0]
        if len(wrong):
            self.n_mistakes += len(wrong)
            self.pieces.append(wrong[-MOST_KEPT:] + self.n_trials)
            self.n_in_pieces += len(self.pieces[-1])
            if self.n_in_pieces > 2 * MOST_KEPT:
                self._join()
        self.n_trials += len(examples)

    @property
    def mistakes(self) -> np.ndarray:
        """Return the numbers of the latest trials that were mistakes, at most `MOST_KEPT`."""
        return self._join().copy()

    def _join(self) -> np.ndarray:
        """Make one piece of all, without the oldest."""
        joined = np.concatenate([np.empty(0, dtype=np.intp), *self.pieces])[-MOST_KEPT:].copy()
        self.pieces, self.n_in_pieces = [joined], len(joined)
        return joined

    def copy(self) -> Trials:
        """Return the same with a learner of its own, so that learning on leaves this one as it is."""
        return Trials(deepcopy(self.learner), self.n_trials, self.n_mistakes, list(self.pieces), self.n_in_pieces)


class Sample(Protocol):
    """Labelled examples, wherever they are."""

    def run(self, trials: Trials) -> Trials:
        """Run a trial for every example, in their order; return the trials with these added."""


@dataclass(frozen=True, eq=False)
class SampleInMemory:
    """Examples that are one block, with the numbers of their classes."""

    examples: Examples
    codes: np.ndarray

    def run(self, trials: Trials) -> Trials:
        """Run a trial for every example, in their order; return the same trials with these added."""
        trials.learn(self.examples, self.codes)
        return trials


class Passes(NamedTuple):
    """The outcome of the passes over the rows, as `run_passes` returns it."""

    trials: Trials
    n_passes: int
    has_converged: bool  # whether the last pass was without mistake


def run_passes(trials: Trials, sample: Sample, max_iter: int, budget: Budget | None = None) -> Passes:
    """Go through a sample again and again until a pass is without mistake, or the budget ends after one."""
    for n_passes in range(1, max_iter + 1):
        n_before = trials.n_mistakes
        trials = sample.run(trials)
        if trials.n_mistakes == n_before:
            return Passes(trials, n_passes, has_converged=True)
        if n_passes < max_iter and budget is not None and budget.is_over(partial("{} passes".format, n_passes)):
            break
    return Passes(trials, n_passes, has_converged=False)
