"""What a subset leaves uncovered, for rows in memory, one feature after the other.

Where rows fall into groups, groups are split and counted; where they do not, conflicts are listed, each with the
number of pairs of rows that generate it. Both answer the questions of `fewest.cover.examples`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np

from fewest.cover.examples import Measure
from fewest.cover.kernels.conflicts import Conflicts
from fewest.cover.kernels.split_counts import KERNELS, NANOSECONDS, mixed_pairs_of, scores_of_splits
from fewest.kernels.compile_or_not import Work
from fewest.kernels.partition import in_mixed_groups, numbered, refine

# Counters of so few classes may stay empty.
FEW_CLASSES = 8


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows that are partitioned.

    Parameters
    ----------
    codes : ndarray of shape (n_rows, n_features)
        Non-negative.
    classes : ndarray of shape (n_rows,)
    labels : ndarray of shape (n_rows,)
        The class, or a number from ``n_classes`` on that the rows of a cell share which holds several classes: nothing
        separates these, and a group of one label needs no more attention.
    mixed_cells : ndarray of shape (n_mixed_cells, n_classes)
        The rows of these cells by class, in the order of their labels.
    work : Work
        What counting has taken so far, over all subsets.
    """

    codes: np.ndarray
    classes: np.ndarray
    labels: np.ndarray
    mixed_cells: np.ndarray
    work: Work = field(default_factory=partial(Work, KERNELS))

    @classmethod
    def of_distinct(cls, codes: np.ndarray, labels: np.ndarray) -> Rows:
        """Return rows of which no two agree on every feature."""
        return cls(codes, labels, labels, np.empty((0, int(labels.max(initial=0)) + 1), dtype=np.int64))


@dataclass(frozen=True, eq=False)
class RowPartition:
    """Rows in groups that agree on a subset; see `fewest.cover.examples.Partition`.

    Groups of one label are left out. Those of several classes among them, cells that nothing separates, count as
    ``settled``: their rows by class.
    """

    source: Rows
    rows: np.ndarray
    groups: np.ndarray  # numbered without gaps
    settled: np.ndarray  # (n_settled, n_classes)

    @classmethod
    def of_all(cls, source: Rows) -> RowPartition:
        """Return all rows in one group."""
        n_rows = len(source.labels)
        whole = cls(source, np.arange(n_rows), np.zeros(n_rows, dtype=np.int64), source.mixed_cells[:0])
        return whole._mixed(whole.groups)

    def _mixed(self, groups: np.ndarray) -> RowPartition:
        """Return the partition into these groups, without those of one label."""
        labels = self.source.labels[self.rows]
        kept = in_mixed_groups(groups, labels)
        settled = self.settled
        if len(self.source.mixed_cells):
            is_left = np.ones(len(groups), dtype=bool)
            is_left[kept] = False
            n_classes = self.source.mixed_cells.shape[1]
            cells = np.unique(labels[is_left & (labels >= n_classes)]) - n_classes
            settled = np.concatenate([settled, self.source.mixed_cells[cells]])
        return RowPartition(self.source, self.rows[kept], numbered(groups[kept]), settled)

    @property
    def n_rows(self) -> int:
        """Count the rows in groups of several labels."""
        return len(self.rows)

    @property
    def is_settled(self) -> bool:
        """Return whether no feature could separate any pair that is left."""
        return len(self.rows) == 0

    @cached_property
    def classes(self) -> np.ndarray:
        """Return the classes of the rows, numbered without gaps where there are many."""
        classes = self.source.classes[self.rows]
        return classes if self.source.mixed_cells.shape[1] <= FEW_CLASSES else numbered(classes)

    @cached_property
    def n_uncovered(self) -> int:
        """Count the pairs inside the groups, and those that nothing separates."""
        n_classes = int(self.classes.max(initial=0)) + 1
        n_groups = int(self.groups.max(initial=-1)) + 1
        inside = np.bincount(self.groups * n_classes + self.classes, minlength=n_groups * n_classes)
        n_inside = int(mixed_pairs_of(inside.reshape(-1, n_classes)).sum())
        return n_inside + int(mixed_pairs_of(self.settled).sum()) if len(self.settled) else n_inside

    def extended(self, feature: int) -> RowPartition:
        """Split the groups by one more feature."""
        return self._mixed(refine(self.groups, self.source.codes[self.rows, feature]))

    def uncovered_after(self) -> np.ndarray:
        """Count the pairs inside the groups that each feature would make."""
        return self.scores_after(mixed_pairs_of)

    def scores_after(self, measure: Measure) -> np.ndarray:
        """Score every feature by the groups that it would make, added up with those left out."""
        codes = self.source.codes
        compiles = self.source.work.compiles(len(self.rows) * codes.shape[1], NANOSECONDS)
        scores = scores_of_splits(codes, self.classes, self.groups, self.rows, measure, compiles)
        return scores + measure(self.settled).sum() if len(self.settled) else scores


@dataclass(frozen=True, eq=False)
class ConflictCoverage:
    """The conflicts that a subset leaves uncovered, where rows fall into no groups."""

    conflicts: np.ndarray  # Boolean (n_conflicts, n_features): what covers each of all conflicts
    pairs: np.ndarray  # (n_conflicts,): how many pairs of rows generate each
    n_contradictions: int
    left: np.ndarray  # the positions of those that the subset does not cover

    @classmethod
    def of_all(cls, conflicts: Conflicts, n_contradictions: int) -> ConflictCoverage:
        """Return what the empty subset leaves."""
        return cls(conflicts.to_array(), conflicts.multiplicity, n_contradictions, np.arange(len(conflicts)))

    @property
    def covers(self) -> np.ndarray:
        """Return, for the conflicts left, the Boolean matrix (conflicts x features) of what covers them."""
        return self.conflicts[self.left]

    @property
    def multiplicity(self) -> np.ndarray:
        """Return how many pairs of rows generate each of the conflicts left."""
        return self.pairs[self.left]

    @cached_property
    def n_uncovered(self) -> int:
        """Add up the pairs of the conflicts, and those that nothing separates."""
        return int(self.multiplicity.sum()) + self.n_contradictions

    def extended(self, feature: int) -> ConflictCoverage:
        """Leave out the conflicts that the feature covers."""
        return replace(self, left=self.left[~self.conflicts[self.left, feature]])

    def uncovered_after(self) -> np.ndarray:
        """Subtract what each feature covers."""
        return self.n_uncovered - self.multiplicity @ self.covers
