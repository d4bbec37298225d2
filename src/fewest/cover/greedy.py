"""The greedy approximations of MIN-FEATURES: add the most promising feature until the subset is sufficient.

Almuallim and Dietterich (1994), section 6 and the appendix. The three
algorithms differ in what "promising" means. Ties go to the feature with the
lowest index. Where a tolerance lets pairs of rows stay unseparated, they stop
as soon as few enough are left.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from fewest.budget import INTERRUPT, TIME_LIMIT, Budget, OutOfBudgetError
from fewest.cover.answer import Answer
from fewest.cover.blocks.sample import AnySample
from fewest.cover.incumbent import irreducible_subset
from fewest.cover.kernels.split_counts import entropy_after, uncovered_after
from fewest.cover.sample import Sample
from fewest.exceptions import ParameterError
from fewest.kernels.entropy import quantum_for
from fewest.kernels.partition import count_mixed_pairs, in_mixed_groups, numbered, refine

# Entropies that are equal in exact arithmetic differ in floating point by less than this.
ENTROPY_TOLERANCE = 1e-11


def mutual_information_greedy(sample: Sample, budget: Budget | None = None) -> Answer:
    """Add the feature that leaves the least entropy of the class (section 6.1, equation (2)).

    The score of a step is Entropy(Q ∪ {x}) in bits. The document's appendix
    misprints it; the text and equation (2) decide.
    """
    return _MutualInformation(sample, budget or Budget()).run()


def simple_greedy(sample: Sample, budget: Budget | None = None) -> Answer:
    """Add the feature that leaves the fewest conflicts uncovered (section 6.2, equation (3)).

    Conflicts are counted with their multiplicity, as pairs of rows. The score of a step is the number left.
    """
    return _Simple(sample, budget or Budget()).run()


class Greedy(ABC):
    """The loop that all share: score, choose, cover; a subclass keeps what is not yet covered."""

    rounding = 0.0  # scores closer than this, relatively, are equal
    wants_most = False  # whether a high score is a good one

    def __init__(self, sample: AnySample, budget: Budget):
        self.sample: Any = sample
        self.budget = budget
        self.history: list[dict[str, float]] = []

    @abstractmethod
    def is_done(self) -> bool:
        """Tell whether few enough pairs are left."""

    @abstractmethod
    def scores(self) -> np.ndarray:
        """Score every feature."""

    @abstractmethod
    def choose(self, feature: int) -> None:
        """Let go of what the feature covers."""

    @abstractmethod
    def status(self) -> str:
        """Say how far it is."""

    def run(self) -> Answer:
        """Add features until few enough pairs are left."""
        stopped_by = None
        try:
            while not self.is_done():
                self.budget.check(self.status)
                scores = self.scores()
                best = self._best(-scores if self.wants_most else scores.astype(np.float64))
                self.history.append({"feature": best, "score": float(scores[best])})
                self.choose(best)
        except OutOfBudgetError:
            stopped_by = TIME_LIMIT
        except KeyboardInterrupt:
            stopped_by = INTERRUPT
        chosen = self._chosen()
        if stopped_by is not None:
            chosen = list(irreducible_subset(self.sample, chosen))
        lower_bound = 0 if self.sample.needs_no_feature else 1
        n_tests = len(self.history) + 1
        return Answer(tuple(sorted(chosen)), len(chosen), lower_bound, n_tests, tuple(self.history), stopped_by)

    def _chosen(self) -> list[int]:
        return [int(record["feature"]) for record in self.history]

    def _best(self, scores: np.ndarray) -> int:
        """Return the first feature with the least score, of those not chosen (appendix, step 2.4).

        Where no feature improves anything, a chosen one would tie with all others, for ever.
        """
        scores[self._chosen()] = np.inf
        least = scores.min()
        if np.isfinite(least):
            least += self.rounding * max(1.0, abs(least))
        return int(np.flatnonzero(scores <= least)[0])


class GroupGreedy(Greedy):
    """Keeps the rows in groups that agree on the chosen features.

    Groups of one class, and groups whose rows no feature tells apart, are let go.
    """

    def __init__(self, sample: Sample, budget: Budget):
        super().__init__(sample, budget)
        self.labels = sample.cell_labels[sample.cell_of_row]  # rows that nothing separates share one
        self.rows = np.arange(len(self.labels))
        self.groups = np.zeros(len(self.labels), dtype=np.int64)
        self.n_unseparable = 0  # pairs of rows let go, of different class
        self._let_go()

    def choose(self, feature: int) -> None:
        """Split the groups, and let go of those that need no more attention."""
        self.groups = refine(self.groups, self.sample.codes[self.rows, feature])
        self._let_go()

    def _let_go(self) -> None:
        """Keep the rows that still have to be separated."""
        kept = np.zeros(len(self.rows), dtype=bool)
        kept[in_mixed_groups(self.groups, self.labels[self.rows])] = True
        gone, groups = self.rows[~kept], numbered(self.groups[~kept])
        if self.sample.is_tolerant:
            self.n_unseparable += count_mixed_pairs(groups, self.sample.classes[gone])
        self.settle(gone, groups)
        self.rows, self.groups = self.rows[kept], numbered(self.groups[kept])
        self.classes = numbered(self.sample.classes[self.rows])

    def settle(self, rows: np.ndarray, groups: np.ndarray) -> None:
        """Remember what matters of the rows that are let go."""

    def is_done(self) -> bool:
        """Tell whether the groups hold few enough pairs."""
        if self.sample.is_tolerant:
            return count_mixed_pairs(self.groups, self.classes) + self.n_unseparable <= self.sample.allowance
        return len(self.rows) == 0

    def status(self) -> str:
        """Say how many rows are left."""
        return f"{len(self.history)} features chosen, {len(self.rows):,} rows still to be separated"


class _Splitting(GroupGreedy):
    """Scores a feature by the groups that it would make; rows let go count the same for all."""

    def __init__(self, sample: Sample, budget: Budget):
        if sample.is_pairwise:
            raise ParameterError(
                "missing='cautious' and margin are not for mig and sg: rows that agree only pair by pair fall into no "
                "groups. Use wg or min-features, or cut the numbers into intervals."
            )
        self.settled = 0.0
        super().__init__(sample, budget)

    @abstractmethod
    def after(self, codes: np.ndarray, labels: np.ndarray, groups: np.ndarray, rows: np.ndarray | None) -> np.ndarray:
        """Score the groups that each feature would make."""

    def settle(self, rows: np.ndarray, groups: np.ndarray) -> None:
        undivided = np.zeros((len(rows), 1), dtype=np.int8)
        self.settled += float(self.after(undivided, numbered(self.sample.classes[rows]), groups, None)[0])

    def scores(self) -> np.ndarray:
        return self.after(self.sample.codes, self.classes, self.groups, self.rows) + self.settled


class _MutualInformation(_Splitting):
    rounding = ENTROPY_TOLERANCE

    def after(self, codes: np.ndarray, labels: np.ndarray, groups: np.ndarray, rows: np.ndarray | None) -> np.ndarray:
        return entropy_after(codes, labels, groups, rows, quantum_for(len(self.sample.classes)))

    def scores(self) -> np.ndarray:
        return super().scores() / len(self.sample.classes)


class _Simple(_Splitting):
    def after(self, codes: np.ndarray, labels: np.ndarray, groups: np.ndarray, rows: np.ndarray | None) -> np.ndarray:
        return uncovered_after(codes, labels, groups, rows)
