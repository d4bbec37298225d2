"""The sample a search runs on: encoded rows, their classes, and the cells they fall into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from fewest.budget import Budget
from fewest.cover.coverage import ConflictCoverage, RowPartition, Rows
from fewest.cover.examples import Check, Coverage, Examples, GroupRows, MissedPairs, RowPair, sampled_rows
from fewest.cover.kernels.conflicts import Conflicts, distinct_conflicts
from fewest.cover.kernels.differences import (
    NumericColumns,
    PackedRows,
    agreeing_pairs,
    agreeing_pairs_without_each,
    differences,
    pack_rows,
    separated,
    unseparated_pairs,
)
from fewest.cover.margins import Margin, codes_and_numeric
from fewest.cover.options import DEFAULT_MAX_MEMORY, PAIRS
from fewest.exceptions import TooManyConflictsError, TooManyPairsError
from fewest.kernels import bits
from fewest.kernels.partition import cells, count_mixed_pairs, refine
from fewest.table import Table

# Words that comparing all pairs of rows once may take: about a minute.
MOST_COMPARED_WORDS = 2e10


def every(most: int, *arrays: np.ndarray) -> list[np.ndarray]:
    """Return at most so many entries of arrays, evenly spread."""
    step = max(1, -(-len(arrays[0]) // most))
    return [array[::step] for array in arrays]


def first_rows(groups: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return the first wanted row of every group, -1 where there is none."""
    rows = np.flatnonzero(wanted)[::-1]
    firsts = np.full(int(groups.max(initial=-1)) + 1, -1, dtype=np.intp)
    firsts[groups[rows]] = rows  # the last write, so the first row, stays
    return firsts


@dataclass(frozen=True, eq=False)
class Sample(Examples):
    """Examples in memory.

    Rows that agree on every feature form a *cell*. Searches run on cells:
    copies add nothing. A cell that holds several classes contradicts itself;
    nothing separates its rows, but each of them must be separated from every
    other cell, so it gets a label of its own. Sufficient for the cells then
    means: every pair of rows that can be separated is.

    Parameters
    ----------
    codes : ndarray of shape (n_rows, n_features)
        See `fewest.table.discrete_codes`. A code of -1 separates nothing.
    classes : ndarray of shape (n_rows,)
        Class numbers from 0.
    numeric : NumericColumns, optional
        The features that separate two rows only when a margin lies between their values.
    tolerance : float
        The fraction of the pairs of rows of different class that may stay unseparated.
    criterion : {"pairs", "chance"}
        Whether that is a fraction of all of them, or of those that chance would leave.
    """

    codes: np.ndarray
    classes: np.ndarray
    numeric: NumericColumns | None = None
    tolerance: float = 0.0
    criterion: str = PAIRS

    @classmethod
    def from_table(
        cls, features: Table, classes: np.ndarray, missing: str = "value", margin: Margin | None = None
    ) -> Sample:
        """Encode a table and its classes."""
        codes, numeric = codes_and_numeric(features, missing, margin)
        return cls(codes, classes.astype(np.int64), numeric)

    def without(self, features: Sequence[int]) -> Sample:
        """Return the sample as if some features were not there: constant, so that they separate nothing."""
        if not len(features):
            return self
        codes = self.codes.copy(order="F")
        codes[:, list(features)] = 0
        numeric = self.numeric
        if numeric is not None:
            # Not an infinite margin: infinity is that far from any number.
            kept = ~np.isin(numeric.positions, list(features))
            left = NumericColumns(numeric.positions[kept], numeric.values[:, kept], numeric.margins[kept])
            numeric = left if kept.any() else None
        return replace(self, codes=codes, numeric=numeric)

    def restricted(self, subset: Sequence[int]) -> Sample:
        """Return the sample with the features of a subset only."""
        numeric = None if self.numeric is None else self.numeric.of(list(subset))
        return Sample(self.codes[:, list(subset)], self.classes, numeric)

    @property
    def n_rows(self) -> int:
        """Return the number of rows."""
        return len(self.classes)

    @property
    def n_features(self) -> int:
        """Return the number of features."""
        return self.codes.shape[1]

    @cached_property
    def largest_code(self) -> int:
        """Return the largest code of any feature."""
        return int(self.codes.max(initial=0))

    @cached_property
    def _cells(self) -> tuple[np.ndarray, np.ndarray]:
        if self.numeric is None:
            return cells(self.codes)
        ranks = [np.unique(column, return_inverse=True)[1] for column in self.numeric.values.T]
        return cells(np.column_stack([self.codes, *ranks]))

    @property
    def cell_of_row(self) -> np.ndarray:
        """Return the cell that each row falls into."""
        return self._cells[0]

    @cached_property
    def cell_codes(self) -> np.ndarray:
        """Return one row of codes a cell, column-major."""
        first_row = self._cells[1]
        if len(first_row) == len(self.codes):
            return np.asfortranarray(self.codes)
        return self.codes.T[:, first_row].T  # along columns, which are contiguous

    @cached_property
    def cell_labels(self) -> np.ndarray:
        """Return each cell's class, or a label of its own where it holds several."""
        cell_of_row, first_row = self._cells
        labels = self.classes[first_row].astype(np.int64)
        mixed = np.unique(cell_of_row[self.classes != labels[cell_of_row]])
        labels[mixed] = self.classes.max(initial=0) + 1 + np.arange(len(mixed))
        return labels

    @cached_property
    def cell_numeric(self) -> NumericColumns | None:
        """Return the numeric values of each cell."""
        return None if self.numeric is None else self.numeric.take(self._cells[1])

    @cached_property
    def is_pairwise(self) -> bool:
        """Return whether agreeing is no equivalence: values are unknown, or only differ from a margin on.

        Rows then fall into no groups, and pairs are compared one by one.
        """
        return self.numeric is not None or bool(self.codes.min(initial=0) < 0)

    @cached_property
    def n_pairs(self) -> int:
        """Count the pairs of rows of different class: the conflicts with their copies, contradictions included."""
        return count_mixed_pairs(np.zeros(len(self.classes), dtype=np.int64), self.classes)

    # ------------------------------------------------------------------ sufficiency

    def witness(self, subset: Sequence[int]) -> RowPair | None:
        """Return two rows that prove ``subset`` insufficient, or None.

        They differ in class and agree on the subset, though some other
        feature separates them.
        """
        i, j = self.violated_cells(subset)
        return self.rows_of_cells(int(i[0]), int(j[0])) if len(i) else None

    def witnesses_without_each(self) -> list[RowPair | None]:
        """Return, for each feature, what `witness` returns for all others."""
        if self.is_pairwise:
            features = range(self.n_features)
            return [self.witness([other for other in features if other != feature]) for feature in features]
        pairs = agreeing_pairs_without_each(self.cell_codes, self.cell_labels, range(self.n_features))
        return [self.rows_of_cells(int(i[0]), int(j[0])) if len(i) else None for i, j in pairs]

    def violated_cells(self, subset: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """Return pairs of cells that ``subset`` should separate and does not; none if it is sufficient."""
        if self.is_pairwise:
            return unseparated_pairs(self._packed, self.cell_labels, bits.mask(subset, self.n_features))
        return agreeing_pairs(self.cell_codes, self.cell_labels, subset)

    @cached_property
    def _packed(self) -> PackedRows:
        """Return the cells prepared for comparison. Comparing all pairs of them must be affordable."""
        n_pairs = len(self.cell_labels) ** 2 // 2
        n_numeric = 0 if self.numeric is None else len(self.numeric.positions)
        if n_pairs * (bits.n_words(self.n_features) + n_numeric) > MOST_COMPARED_WORDS:
            raise TooManyPairsError.from_count(n_pairs)
        return pack_rows(self.cell_codes, self.cell_numeric)

    def coverage(self, budget: Budget | None = None) -> Coverage:
        """Return what the empty subset leaves uncovered."""
        return self.conflict_coverage(budget) if self.is_pairwise else self.partition()

    def conflict_coverage(self, budget: Budget | None = None) -> ConflictCoverage:
        """Return the conflicts that the empty subset leaves uncovered: all."""
        return ConflictCoverage.of_all(self.conflicts(budget), self.n_contradictions)

    def partition(self, check: Check | None = None) -> RowPartition:  # noqa: ARG002 (no pass takes long here)
        """Return all rows in one group."""
        labels, n_classes = self.cell_labels[self.cell_of_row], int(self.classes.max(initial=0)) + 1
        mixed = np.flatnonzero(labels >= n_classes)
        mixed_cells = np.zeros((int(labels.max(initial=0)) + 1 - n_classes if len(mixed) else 0, n_classes), np.int64)
        np.add.at(mixed_cells, (labels[mixed] - n_classes, self.classes[mixed]), 1)
        return RowPartition.of_all(Rows(self.codes, self.classes, labels, mixed_cells))

    # ------------------------------------------------------------------ pairs of rows

    def some_rows(self, most: int) -> tuple[Sample, np.ndarray]:
        """Return a fixed random sample of at most so many rows, and their numbers."""
        if len(self.classes) <= most:
            return self, np.arange(len(self.classes))
        rows = sampled_rows(len(self.classes), most)
        numeric = None if self.numeric is None else self.numeric.take(rows)
        return Sample(np.asfortranarray(self.codes[rows]), self.classes[rows], numeric), rows

    def missed_pairs(self, subset: Sequence[int], most: int) -> MissedPairs:
        """Return some pairs of rows that ``subset`` should separate and does not; none if it is sufficient."""
        if self.is_pairwise:
            i, j = every(most, *self.violated_cells(subset))
            rows = np.array([self.rows_of_cells(a, b) for a, b in zip(i.tolist(), j.tolist(), strict=True)], np.intp)
            return MissedPairs(rows.reshape(-1, 2).T, self.separating(i, j))
        i, j = every(most, *agreeing_pairs(self.codes, self.classes, subset))
        found = MissedPairs.from_rows(i, j, separated(self.codes[i], self.codes[j]))
        return found if len(found) or not len(i) else self._missed_beside_contradictions(subset, most)

    def _missed_beside_contradictions(self, subset: Sequence[int], most: int) -> MissedPairs:
        """Return a pair from every group that holds more than one cell and more than one class."""
        groups = np.zeros(len(self.classes), dtype=np.int64)
        for feature in subset:
            groups = refine(groups, self.codes[:, feature])
        cell = self.cell_of_row
        first = first_rows(groups, np.ones(len(groups), dtype=bool))
        other_class = first_rows(groups, self.classes != self.classes[first[groups]])
        other_cell = first_rows(groups, cell != cell[first[groups]])
        rows = GroupRows(first, other_class, cell[other_class] == cell[first], other_cell)
        i, j = (rows[:most] for rows in rows.violating(self.classes.__getitem__))
        return MissedPairs(np.stack([i, j]), separated(self.codes[i], self.codes[j]))

    def row_differences(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Return, for pairs of rows, the Boolean matrix (pairs x features) of which separate them."""
        return self.separating(self.cell_of_row[i], self.cell_of_row[j])

    def class_of(self, row: int) -> int:
        """Return the class of a row."""
        return int(self.classes[row])

    # ------------------------------------------------------------------ cells

    def separating(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Return, for pairs of cells, the Boolean matrix (pairs x features) of which separate them."""
        differ = separated(self.cell_codes[i], self.cell_codes[j])
        if self.cell_numeric is not None:
            differ[:, self.cell_numeric.positions] |= self.cell_numeric.separated(i, j)
        return differ

    def rows_of_cells(self, a: int, b: int) -> RowPair:
        """Return a row of each of two cells of different label such that the rows differ in class."""
        first, other = self._cells[1], self._row_of_another_class
        i, j = int(first[a]), int(first[b])
        if self.classes[i] == self.classes[j]:
            i, j = (i, int(other[b])) if other[b] >= 0 else (int(other[a]), j)
        return i, j

    @cached_property
    def _row_of_another_class(self) -> np.ndarray:
        """Return, for every cell, its first row of another class than that of its first row, or -1."""
        cell_of_row, first_row = self._cells
        deviating = np.flatnonzero(self.classes != self.classes[first_row[cell_of_row]])
        rows = np.full(len(first_row), -1, dtype=np.intp)
        rows[cell_of_row[deviating[::-1]]] = deviating[::-1]  # the last write, so the first row, stays
        return rows

    # ------------------------------------------------------------------ conflicts

    def n_cell_pairs(self) -> int:
        """Count the pairs of cells of different label: at most so many distinct conflicts exist."""
        return count_mixed_pairs(np.zeros(len(self.cell_labels), dtype=np.int64), self.cell_labels)

    def conflicts(self, budget: Budget | None = None, max_memory: float = DEFAULT_MAX_MEMORY) -> Conflicts:
        """List the distinct conflicts that some feature covers; ``rows`` of the result are cells."""
        budget = budget or Budget()
        n_cells = len(self.cell_labels)
        most = self.n_cell_pairs() if self.n_features > 40 else min(self.n_cell_pairs(), 2**self.n_features)
        n_bytes = most * (bits.n_words(self.n_features) * 8 + 16) * 4  # words, rows, and copies while merging
        if n_bytes > max_memory:
            raise TooManyConflictsError.from_count(most, n_bytes, max_memory)

        def on_block(done: int, kept: int) -> None:
            budget.check(lambda: f"listing conflicts: {done:,} of {n_cells:,} rows, {kept:,} distinct")

        rows = pack_rows(self.cell_codes, self.cell_numeric)
        return distinct_conflicts(rows, self.cell_labels, self._members, on_block)

    # ------------------------------------------------------------------ contradictions

    @property
    def n_contradictions(self) -> int:
        """Return the number of pairs of rows of different class that no feature separates."""
        return self._contradictions[0]

    @property
    def contradiction(self) -> RowPair | None:
        """Return one such pair of rows, or None."""
        return self._contradictions[1]

    @cached_property
    def _contradictions(self) -> tuple[int, RowPair | None]:
        mixed = np.flatnonzero(self._row_of_another_class >= 0)
        n_pairs = count_mixed_pairs(self.cell_of_row, self.classes) if len(mixed) else 0
        example = None
        if len(mixed):
            example = int(self._cells[1][mixed[0]]), int(self._row_of_another_class[mixed[0]])
        if not self.is_pairwise:
            return n_pairs, example
        n_across, across = self._contradictions_across_cells()
        return n_pairs + n_across, example or across

    @property
    def knows_contradictions(self) -> bool:
        """Return that they are known before a search."""
        return True

    def settle(self, subset: Sequence[int]) -> None:
        """Learn nothing: contradictions are known here."""

    @cached_property
    def _members(self) -> np.ndarray:
        """Count the rows of each class in each cell."""
        members = np.zeros((len(self.cell_labels), int(self.classes.max(initial=0)) + 1), dtype=np.int64)
        np.add.at(members, (self.cell_of_row, self.classes), 1)
        return members

    def _contradictions_across_cells(self) -> tuple[int, RowPair | None]:
        """Count the pairs of rows of different class in cells that differ, but in no feature that separates them."""
        members, sizes = self._members, self._members.sum(axis=1)
        n_pairs, example = 0, None
        for a in range(1, len(self.cell_labels)):
            alike = ~differences(self._packed, a, slice(0, a)).any(axis=0)
            b = np.flatnonzero(alike & (self.cell_labels[:a] != self.cell_labels[a]))
            if len(b):
                n_pairs += int(sizes[a] * sizes[b].sum() - (members[b] @ members[a]).sum())
                example = example or self.rows_of_cells(int(b[0]), a)
        return n_pairs, example
