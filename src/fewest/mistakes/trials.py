"""Trials: predict, then learn the label, and count the mistakes; one loop for examples in memory and in blocks."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from fewest.mistakes.examples import Examples


@dataclass
class Trials:
    """An online learner and what happened in its trials so far.

    Parameters
    ----------
    learner : object with ``learn(examples, codes)`` and ``predict(examples)``
        ``learn`` predicts and learns one example after the other, and returns the class codes it predicted.
    n_trials : int
    mistakes : list of ndarray of int
        The numbers of the trials that were mistakes, counted from 0, in pieces.
    """

    learner: Any
    n_trials: int = 0
    mistakes: list[np.ndarray] = field(default_factory=list)

    def learn(self, examples: Examples, codes: np.ndarray) -> None:
        """Run a trial for each example; ``codes`` are the numbers of their classes."""
        wrong = (self.learner.learn(examples, codes) != codes).nonzero()[0]
        if len(wrong):
            self.mistakes.append(wrong + self.n_trials)
        self.n_trials += len(examples)

    @property
    def n_mistakes(self) -> int:
        """Return how many trials were mistakes."""
        return sum(map(len, self.mistakes))

    def copy(self) -> Trials:
        """Return the same with a learner of its own, so that learning on leaves this one as it is."""
        return Trials(deepcopy(self.learner), self.n_trials, list(self.mistakes))


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


def run_passes(trials: Trials, sample: Sample, max_iter: int) -> tuple[Trials, int]:
    """Go through a sample again and again until a pass is without mistake; return the trials and the passes."""
    n_passes = 0
    while n_passes < max_iter:
        n_before, n_passes = trials.n_mistakes, n_passes + 1
        trials = sample.run(trials)
        if trials.n_mistakes == n_before:
            break
    return trials, n_passes
