"""How many pairs of rows of different class a subset leaves unseparated, one feature after the other.

What a search needs that tolerates some pairs: for a subset built step by
step, the pairs it leaves, and what every further feature would leave. Where
rows fall into groups, groups are counted; where they do not, conflicts are
listed, each with the number of pairs that generate it.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from fewest.budget import Budget
from fewest.cover.blocks.sample import AnySample, StreamedSample
from fewest.cover.kernels.split_counts import COMPILED_FROM, uncovered_after
from fewest.cover.sample import Sample
from fewest.kernels import bits
from fewest.kernels.partition import count_mixed_pairs, in_mixed_groups, numbered, refine


class Coverage(Protocol):
    """Counts for subsets, each told by a state."""

    @property
    def root(self) -> Any:
        """The state of the empty subset."""

    def extend(self, state: Any, feature: int) -> Any:
        """Return the state of the subset with one more feature."""

    def uncovered(self, state: Any) -> int:
        """Count the pairs that the subset leaves unseparated."""

    def uncovered_after(self, state: Any) -> np.ndarray:
        """Count, for every feature, the pairs that the subset would leave with it."""


def coverage_of(sample: AnySample, budget: Budget | None = None) -> Coverage:
    """Return the way to count for this sample."""
    if isinstance(sample, StreamedSample):
        from fewest.cover.blocks.coverage import ByBlocks

        return ByBlocks(sample)
    return ByConflicts(sample, budget) if sample.is_pairwise else ByGroups(sample)


Groups = tuple[np.ndarray, np.ndarray]


class ByGroups:
    """The state of a subset is the rows in mixed groups, and their groups."""

    def __init__(self, sample: Sample):
        self.codes = sample.codes
        self.classes = sample.classes
        self.n_counted = 0
        self.root = self._mixed(np.arange(len(self.classes)), np.zeros(len(self.classes), dtype=np.int64))

    def _mixed(self, rows: np.ndarray, groups: np.ndarray) -> Groups:
        kept = in_mixed_groups(groups, self.classes[rows])
        return rows[kept], numbered(groups[kept])

    def extend(self, state: Groups, feature: int) -> Groups:
        """Split the groups, and let go of those that became pure."""
        rows, groups = state
        return self._mixed(rows, refine(groups, self.codes[rows, feature]))

    def uncovered(self, state: Groups) -> int:
        """Count the pairs inside the groups."""
        rows, groups = state
        return count_mixed_pairs(groups, self.classes[rows])

    def uncovered_after(self, state: Groups) -> np.ndarray:
        """Count the pairs inside the groups that each feature would make."""
        rows, groups = state
        self.n_counted += len(rows) * self.codes.shape[1]
        if self.n_counted > COMPILED_FROM:  # many small counts are worth loading compiled code, too
            from fewest.cover.kernels import counting  # noqa: F401 (it is used once it is loaded)
        return uncovered_after(self.codes, self.classes[rows], groups, rows)


class ByConflicts:
    """The state of a subset is the positions of the conflicts that it does not cover."""

    def __init__(self, sample: Sample, budget: Budget | None = None):
        conflicts = sample.conflicts(budget)
        self.n_contradictions = sample.n_contradictions
        self.covers = bits.unpack(conflicts.words, sample.n_features)
        self.multiplicity = conflicts.multiplicity
        self.root = np.arange(len(conflicts))

    def extend(self, state: np.ndarray, feature: int) -> np.ndarray:
        """Let go of the conflicts that the feature covers."""
        return state[~self.covers[state, feature]]

    def uncovered(self, state: np.ndarray) -> int:
        """Add up the pairs of the conflicts, and those that nothing separates."""
        return int(self.multiplicity[state].sum()) + self.n_contradictions

    def uncovered_after(self, state: np.ndarray) -> np.ndarray:
        """Subtract what each feature covers."""
        return self.uncovered(state) - self.multiplicity[state] @ self.covers[state]
