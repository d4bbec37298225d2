"""The greedy approximations of MIN-FEATURES: add the most promising feature until the subset is sufficient.

Almuallim and Dietterich (1994), section 6 and the appendix. The three
algorithms differ in what "promising" means. Ties go to the feature with the
lowest index. Where a tolerance allows some pairs of rows to stay uncovered, they stop
as soon as few enough are left. `irreducible_subset` is what the other searches
start from, or end with when stopped.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from weakref import proxy

import numpy as np

from fewest.budget import INTERRUPT, TIME_LIMIT, Budget, OutOfBudgetError
from fewest.cover.coverage import RowPartition, Rows
from fewest.cover.examples import Answer, Examples, Partition
from fewest.cover.tolerant import tolerable_subset
from fewest.exceptions import ParameterError
from fewest.kernels.entropy import quantum_for, size_times_entropy
from fewest.kernels.partition import numbered

# Entropies that are equal in exact arithmetic differ in floating point by less than this.
ENTROPY_TOLERANCE = 1e-11
# For a subset that is quickly found, features are judged by the pairs among so many rows, and then by so many violated
# pairs at a time.
SAMPLED_ROWS = 20_000
JUDGING_PAIRS = 256
# Up to so many features are left out one by one; of more, all that cannot be spared are found at once.
FEW = 2


def mutual_information_greedy(sample: Examples, budget: Budget | None = None) -> Answer:
    """Add the feature that leaves the least entropy of the class (section 6.1, equation (2)).

    The score of a step is Entropy(Q ∪ {x}) in bits. The paper's appendix
    misprints it; the text and equation (2) decide.
    """
    return _MutualInformation(sample, budget or Budget()).run()


def simple_greedy(sample: Examples, budget: Budget | None = None) -> Answer:
    """Add the feature that leaves the fewest conflicts uncovered (section 6.2, equation (3)).

    Conflicts are counted with their multiplicity, as pairs of rows. The score of a step is the number left.
    """
    return _Simple(sample, budget or Budget()).run()


class Greedy(ABC):
    """The loop that all greedy methods share: score, choose, cover; a subclass keeps what is not yet covered."""

    rounding = 0.0  # scores closer than this, relatively, are equal
    wants_most = False  # whether a high score is a good one

    def __init__(self, sample: Examples, budget: Budget):
        self.sample = sample
        self.budget = budget
        self.history: list[dict[str, float]] = []

    @abstractmethod
    def is_done(self) -> bool:
        """Return whether few enough pairs are left."""

    @abstractmethod
    def scores(self) -> np.ndarray:
        """Score every feature."""

    @abstractmethod
    def choose(self, feature: int) -> None:
        """Add a feature, and leave out what it covers."""

    @abstractmethod
    def status(self) -> str:
        """Return how far it is."""

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


class SplittingGreedy(Greedy):
    """Keeps the rows in groups that agree on the chosen features."""

    left: Partition

    def is_done(self) -> bool:
        """Return whether few enough pairs are left."""
        if self.sample.is_tolerant and self.left.n_uncovered <= self.sample.max_uncovered:
            return True
        return self.left.is_settled

    def choose(self, feature: int) -> None:
        """Split the groups."""
        self.left = self.left.extended(feature)

    def status(self) -> str:
        """Return how many rows are left."""
        return f"{len(self.history)} features chosen, {self.left.n_rows:,} rows still to be separated"


class _ByGroups(SplittingGreedy):
    """Scores a feature by the groups that it would make."""

    def __init__(self, sample: Examples, budget: Budget):
        super().__init__(sample, budget)
        if sample.is_pairwise:
            raise ParameterError(
                "missing='cautious' and margin are not for mig and sg: rows that agree only pair by pair fall into no "
                "groups. Use wg or min-features, or cut the numbers into intervals."
            )
        # Were it to hold this object, which holds it, all rows would stay in memory until the cycle is found.
        this = proxy(self)
        self.left = sample.partition(lambda: budget.check(this.status))


class _MutualInformation(_ByGroups):
    rounding = ENTROPY_TOLERANCE

    def scores(self) -> np.ndarray:
        quantum = quantum_for(self.sample.n_rows)
        return self.left.scores_after(lambda counts: size_times_entropy(counts, quantum)) / self.sample.n_rows


class _Simple(_ByGroups):
    def scores(self) -> np.ndarray:
        return self.left.uncovered_after()


def irreducible_subset(
    sample: Examples,
    include: Sequence[int] = (),
    costs: np.ndarray | None = None,
    known: np.ndarray | None = None,
) -> tuple[int, ...]:
    """Find a sufficient subset, ``include`` among it, from which no other feature can be left out.

    It is quickly found and usually small: what a search starts from, or ends with when stopped.

    Simple-Greedy on a sample of the rows; then, as long as a test of all
    rows finds violated pairs, the feature that separates the most of them;
    then drop, the dearest first, what has become superfluous. ``known``
    conflicts (Boolean, conflicts x features) spare it most tests: a feature that alone
    covers one of them is not superfluous.
    """
    worth = np.ones(sample.n_features) if costs is None else 1 / np.asarray(costs, dtype=np.float64)
    chosen = list(dict.fromkeys(include))
    if sample.is_tolerant:
        return tolerable_subset(sample.coverage(), sample.max_uncovered, chosen, worth)
    if not sample.is_pairwise:
        chosen = _sampled_greedy(sample, chosen, worth)
    while len(missed := sample.missed_pairs(chosen, JUDGING_PAIRS)):
        covered = missed.features.sum(axis=0)
        chosen.append(int((covered * worth).argmax()))
    needed = set(include)
    if known is not None:
        needed |= _alone(chosen, known)
    if not sample.is_pairwise and len(set(chosen) - needed) > FEW:
        needed |= {
            x for x, pair in zip(chosen, sample.restricted(chosen).witnesses_without_each(), strict=True) if pair
        }
    for feature in sorted(set(chosen) - needed, key=lambda x: worth[x]):
        rest = [other for other in chosen if other != feature]
        if not len(sample.missed_pairs(rest, 1)):
            chosen = rest
    return tuple(sorted(chosen))


def _alone(chosen: list[int], known: np.ndarray) -> set[int]:
    """Return the chosen features that alone, among the chosen, cover some conflict."""
    if not chosen:
        return set()
    covers = known[:, chosen]
    return {chosen[k] for k in covers[covers.sum(axis=1) == 1].argmax(axis=1)}


def _sampled_greedy(sample: Examples, chosen: list[int], worth: np.ndarray) -> list[int]:
    """Choose the feature that covers the most uncovered conflicts per cost, until none is left in the sampled rows."""
    some, _ = sample.some_rows(SAMPLED_ROWS)
    left = RowPartition.of_all(Rows.of_distinct(np.asfortranarray(some.cell_codes), numbered(some.cell_labels)))
    for feature in chosen:
        left = left.extended(feature)
    chosen = list(chosen)
    while not left.is_settled:
        gains = (left.n_uncovered - left.uncovered_after()) * worth
        chosen.append(int(gains.argmax()))
        left = left.extended(chosen[-1])
    return chosen
