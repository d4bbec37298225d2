"""The greedy approximations of MIN-FEATURES: add the most promising feature until the subset is sufficient.

Almuallim and Dietterich (1994), section 6 and the appendix. The three
algorithms differ in what "promising" means. Rows are kept in groups that agree
on the features chosen so far; groups of one class, and groups whose rows no
feature tells apart, are let go. Ties go to the feature with the lowest index.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fewest.exceptions import ParameterError
from fewest.kernels.partition import in_mixed_groups, refine
from fewest.kernels.split_counts import entropy_after, uncovered_after
from fewest.kernels.weighted_conflicts import weighted_scores
from fewest.search.answer import Answer
from fewest.search.incumbent import irreducible_subset
from fewest.search.sample import Sample
from fewest.solvers.budget import INTERRUPT, TIME_LIMIT, Budget, OutOfBudgetError

# Entropies that are equal in exact arithmetic differ in floating point by less than this.
ENTROPY_TOLERANCE = 1e-11


def mutual_information_greedy(sample: Sample, budget: Budget | None = None) -> Answer:
    """Add the feature that leaves the least entropy of the class (section 6.1, equation (2)).

    The score of a step is Entropy(Q ∪ {x}) in bits. The document's appendix
    misprints it; the text and equation (2) decide.
    """
    n_rows = len(sample.classes)

    def scores(codes: np.ndarray, classes: np.ndarray, groups: np.ndarray) -> np.ndarray:
        return entropy_after(codes, classes, groups) / n_rows

    return _Greedy(sample, budget, scores, ENTROPY_TOLERANCE).run()


def simple_greedy(sample: Sample, budget: Budget | None = None) -> Answer:
    """Add the feature that leaves the fewest conflicts uncovered (section 6.2, equation (3)).

    Conflicts are counted with their multiplicity, as pairs of rows. The score of a step is the number left.
    """
    return _Greedy(sample, budget, uncovered_after).run()


def weighted_greedy(sample: Sample, budget: Budget | None = None) -> Answer:
    """Add the feature with the most credit for conflicts that few other features cover (section 6.3).

    A feature that alone covers a conflict has infinite credit and is taken at
    once. Pairs of rows are weighed in blocks, and only those in one group.
    """
    one_hot, feature_of = _one_hot(sample.codes)

    def scores(rows: np.ndarray, classes: np.ndarray, groups: np.ndarray) -> np.ndarray:
        total = np.zeros(sample.n_features)
        by_group = np.argsort(groups, kind="stable")
        for members in np.split(by_group, np.flatnonzero(np.diff(groups[by_group])) + 1):
            total += weighted_scores(one_hot[rows[members]], feature_of, classes[members], sample.n_features)
        return -total  # the least score is the best

    return _Greedy(sample, budget, scores, tolerance=1e-12, takes_rows=True).run()


class _Greedy:
    """The loop that the three share: score, choose, split, let go."""

    def __init__(
        self,
        sample: Sample,
        budget: Budget | None,
        scores: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray],
        tolerance: float = 0.0,
        takes_rows: bool = False,
    ):
        if sample.is_pairwise:
            raise ParameterError(
                "missing='cautious' is not for the greedy methods: rows with unknown values fall into no group. "
                "Use missing='value', or min-features."
            )
        self.sample = sample
        self.budget = budget or Budget()
        self.scores = scores
        self.tolerance = tolerance
        self.takes_rows = takes_rows
        self.labels = sample.cell_labels[sample.cell_of_row]  # rows that nothing separates share one
        self.rows = np.arange(len(self.labels))
        self.groups = np.zeros(len(self.labels), dtype=np.int64)
        self.settled = 0.0  # what the rows let go add to every feature's score
        self.history: list[dict[str, float]] = []

    def run(self) -> Answer:
        stopped_by = None
        try:
            while self._let_go():
                self.budget.check(self._status)
                self._add_best()
        except OutOfBudgetError:
            stopped_by = TIME_LIMIT
        except KeyboardInterrupt:
            stopped_by = INTERRUPT
        chosen = [int(record["feature"]) for record in self.history]
        if stopped_by is not None:
            chosen = list(irreducible_subset(self.sample, chosen))
        lower_bound = 0 if self.sample.needs_no_feature else 1
        n_tests = len(self.history) + 1
        return Answer(tuple(sorted(chosen)), len(chosen), lower_bound, n_tests, tuple(self.history), stopped_by)

    def _let_go(self) -> bool:
        """Keep the rows that still have to be separated; return whether there are any."""
        kept = in_mixed_groups(self.groups, self.labels[self.rows])
        if not self.takes_rows:
            dropped = np.setdiff1d(np.arange(len(self.rows)), kept, assume_unique=True)
            self.settled += self._scored(dropped, np.zeros((len(dropped), 1), dtype=np.int8))[0]
        self.rows, self.groups = self.rows[kept], self.groups[kept]
        return len(kept) > 0

    def _scored(self, members: np.ndarray, codes: np.ndarray) -> np.ndarray:
        classes = _numbered(self.sample.classes[self.rows[members]])
        return self.scores(codes, classes, _numbered(self.groups[members]))

    def _add_best(self) -> None:
        everyone = np.arange(len(self.rows))
        codes = self.rows if self.takes_rows else self.sample.codes[self.rows]
        scores = self._scored(everyone, codes) + self.settled
        best = int(np.flatnonzero(scores <= _at_most(scores.min(), self.tolerance))[0])
        self.history.append({"feature": best, "score": float(-scores[best] if self.takes_rows else scores[best])})
        self.groups = refine(self.groups, self.sample.codes[self.rows, best])

    def _status(self) -> str:
        return f"{len(self.history)} features chosen, {len(self.rows):,} rows still to be separated"


def _at_most(least: float, tolerance: float) -> float:
    """Return the largest score that counts as equal to the least one."""
    return least if np.isinf(least) else least + tolerance * max(1.0, abs(least))


def _numbered(labels: np.ndarray) -> np.ndarray:
    """Number labels from 0 without gaps."""
    return np.unique(labels, return_inverse=True)[1]


def _one_hot(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a column of ones and zeros for every value of every feature, and the feature of each column."""
    columns, feature_of = [], []
    for feature, column in enumerate(codes.T):
        for value in np.unique(column):
            columns.append(column == value)
            feature_of.append(feature)
    one_hot = np.array(columns, dtype=np.float64).reshape(len(columns), len(codes)).T
    return np.ascontiguousarray(one_hot), np.array(feature_of, dtype=np.intp)
