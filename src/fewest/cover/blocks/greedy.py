"""Simple-Greedy and Mutual-Information-Greedy over blocks: every feature chosen costs a pass over the encoded rows.

The rows fall into groups by the features chosen so far. One pass counts them
by group, class, and value of every feature; the counts score all features and
are those of the next groups, too. Groups with nothing left to separate are
let go. That is known from the same counts: no feature has two values there.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import partial

import numpy as np

from fewest.budget import Budget
from fewest.cover.answer import Answer
from fewest.cover.blocks.sample import StreamedSample
from fewest.cover.blocks.splits import Split
from fewest.cover.greedy import ENTROPY_TOLERANCE, Greedy
from fewest.cover.kernels.split_counts import mixed_pairs_of
from fewest.kernels.entropy import quantum_for, size_times_entropy


def streamed_greedy(method: str, sample: StreamedSample, budget: Budget) -> Answer:
    """Run ``"mig"`` or ``"sg"`` as `fewest.cover.greedy` does."""
    return (_MutualInformation if method == "mig" else _Simple)(sample, budget).run()


class _Splitting(Greedy):
    """Scores a feature by the groups that it would make; rows let go count the same for all."""

    def __init__(self, sample: StreamedSample, budget: Budget):
        super().__init__(sample, budget)
        self.split = Split.of_all(sample.store)
        self.settled = 0.0
        self.n_unseparable = 0  # pairs of rows let go, of different class
        self.counts: list[np.ndarray] = []  # of every feature: rows by group, value and class

    @abstractmethod
    def measure(self, counts: np.ndarray) -> np.ndarray:
        """Score groups, given their rows by class along the last axis; scores add up."""

    def is_done(self) -> bool:
        """Count, let go of groups that need no more attention, and tell whether few enough pairs are left."""
        assert len(self.history) <= self.sample.n_features, "a row falls into no group of its own features"
        self._keep(np.count_nonzero(self.split.groups, axis=1) > 1)
        n_left = int(mixed_pairs_of(self.split.groups).sum()) + self.n_unseparable
        if not len(self.split.groups) or (self.sample.is_tolerant and n_left <= self.sample.allowance):
            return True
        self.counts = self.split.counted(partial(self.budget.check, self.status))
        splits = [(counts.sum(axis=2) > 0).sum(axis=1) > 1 for counts in self.counts]
        separable = np.logical_or.reduce(splits) if splits else np.zeros(len(self.split.groups), dtype=bool)
        self.counts = [counts[separable] for counts in self.counts]
        self._keep(separable)
        return not len(self.split.groups)

    def _keep(self, wanted: np.ndarray) -> None:
        gone = self.split.groups[~wanted]
        self.settled += float(self.measure(gone).sum())
        self.n_unseparable += int(mixed_pairs_of(gone).sum())
        self.split = self.split.keeping(wanted)

    def scores(self) -> np.ndarray:
        return np.array([self.measure(counts).sum() for counts in self.counts]) + self.settled

    def choose(self, feature: int) -> None:
        """Split the groups."""
        self.split = self.split.chosen(feature, self.counts[feature])

    def status(self) -> str:
        """Say how many rows are left."""
        return f"{len(self.history)} features chosen, {int(self.split.groups.sum()):,} rows still to be separated"


class _MutualInformation(_Splitting):
    rounding = ENTROPY_TOLERANCE

    def measure(self, counts: np.ndarray) -> np.ndarray:
        return size_times_entropy(counts, quantum_for(self.sample.n_rows))

    def scores(self) -> np.ndarray:
        return super().scores() / self.sample.n_rows


class _Simple(_Splitting):
    def measure(self, counts: np.ndarray) -> np.ndarray:
        return mixed_pairs_of(counts)
