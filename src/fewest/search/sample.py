"""The sample a search runs on: encoded rows, their classes, and the cells they fall into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fewest.exceptions import ParameterError
from fewest.kernels.conflicts import Conflicts, distinct_conflicts
from fewest.kernels.partition import cells, count_mixed_pairs
from fewest.kernels.sufficiency import agreeing_pairs, separated
from fewest.search.budget import Budget
from fewest.table import Column, Table, discrete_codes, from_array, from_frame, from_sparse

RowPair = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Sample:
    """Examples with discrete features and classes.

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
    """

    codes: np.ndarray
    classes: np.ndarray

    @classmethod
    def from_table(cls, features: Table, target: Column, missing: str = "value") -> Sample:
        """Encode a table and its target."""
        return cls(discrete_codes(features, missing), target.values.astype(np.int64))

    @property
    def n_features(self) -> int:
        """Return the number of features."""
        return self.codes.shape[1]

    @cached_property
    def _cells(self) -> tuple[np.ndarray, np.ndarray]:
        return cells(self.codes)

    @property
    def cell_of_row(self) -> np.ndarray:
        """Return the cell that each row falls into."""
        return self._cells[0]

    @cached_property
    def cell_codes(self) -> np.ndarray:
        """Return one row of codes a cell, column-major."""
        return np.asfortranarray(self.codes[self._cells[1]])

    @cached_property
    def cell_labels(self) -> np.ndarray:
        """Return each cell's class, or a label of its own where it holds several."""
        cell_of_row, first_row = self._cells
        labels = self.classes[first_row].astype(np.int64)
        mixed = np.unique(cell_of_row[self.classes != labels[cell_of_row]])
        labels[mixed] = self.classes.max(initial=0) + 1 + np.arange(len(mixed))
        return labels

    @property
    def has_missing(self) -> bool:
        """Return whether some values separate nothing, so that agreeing is no equivalence."""
        return bool(self.codes.min(initial=0) < 0)

    @cached_property
    def needs_no_feature(self) -> bool:
        """Return whether the empty subset is sufficient: one class, or no pair that can be separated."""
        return len(self.violated_cells(())[0]) == 0

    # ------------------------------------------------------------------ sufficiency

    def witness(self, subset: Sequence[int]) -> RowPair | None:
        """Return two rows that prove ``subset`` insufficient, or None.

        They differ in class and agree on the subset, though some other
        feature separates them.
        """
        i, j = self.violated_cells(subset)
        return self.rows_of_cells(int(i[0]), int(j[0])) if len(i) else None

    def violated_cells(self, subset: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """Return pairs of cells that ``subset`` should separate and does not; none if it is sufficient."""
        i, j = agreeing_pairs(self.cell_codes, self.cell_labels, subset)
        if self.has_missing and len(i):
            return self._separable(i, j, subset)
        return i, j

    def _separable(self, i: np.ndarray, j: np.ndarray, subset: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """Leave out the pairs that nothing separates; where that leaves none, look at all pairs."""
        kept = separated(self.cell_codes[i], self.cell_codes[j]).any(axis=1)
        if kept.any():
            return i[kept], j[kept]
        known = np.ascontiguousarray(self.cell_codes)
        chosen = list(subset)
        for a in range(len(known)):
            differs = separated(known[a], known)
            b = (self.cell_labels != self.cell_labels[a]) & differs.any(axis=1) & ~differs[:, chosen].any(axis=1)
            if b.any():
                found = np.flatnonzero(b)
                return np.full(len(found), a), found
        return i[:0], j[:0]

    def rows_of_cells(self, a: int, b: int) -> RowPair:
        """Return a row of each of two cells such that the rows differ in class."""
        in_a, in_b = (np.flatnonzero(self.cell_of_row == cell) for cell in (a, b))
        for i in (in_a[0], in_a[np.argmax(self.classes[in_a] != self.classes[in_a[0]])]):
            differing = in_b[self.classes[in_b] != self.classes[i]]
            if len(differing):
                return int(i), int(differing[0])
        raise ValueError(f"Cells {a} and {b} hold one and the same class.")

    # ------------------------------------------------------------------ conflicts

    def n_uncovered(self, subset: Sequence[int]) -> int:
        """Count the pairs of rows of different class that agree on ``subset``."""
        chosen = Sample(self.codes[:, list(subset)], self.classes)
        return chosen.n_contradictions

    def n_cell_pairs(self) -> int:
        """Count the pairs of cells of different label: at most so many distinct conflicts exist."""
        return count_mixed_pairs(np.zeros(len(self.cell_labels), dtype=np.int64), self.cell_labels)

    def conflicts(self, budget: Budget | None = None) -> Conflicts:
        """List the distinct conflicts that some feature covers; ``rows`` of the result are cells."""
        budget = budget or Budget()
        n_cells = len(self.cell_labels)

        def on_block(done: int, kept: int) -> None:
            budget.check(lambda: f"listing conflicts: {done:,} of {n_cells:,} rows, {kept:,} distinct")

        return distinct_conflicts(self.cell_codes, self.cell_labels, on_block)

    # ------------------------------------------------------------------ contradictions

    @cached_property
    def n_contradictions(self) -> int:
        """Count the pairs of rows of different class that no feature separates."""
        within = count_mixed_pairs(self.cell_of_row, self.classes)
        return within + sum(count for _, _, count in self._contradicting_cells)

    @cached_property
    def contradiction(self) -> RowPair | None:
        """Return one such pair of rows, or None."""
        i = np.flatnonzero(self.cell_labels > self.classes.max(initial=0))
        if len(i):
            rows = np.flatnonzero(self.cell_of_row == i[0])
            return int(rows[0]), int(rows[np.argmax(self.classes[rows] != self.classes[rows[0]])])
        for a, b, _ in self._contradicting_cells:
            return self.rows_of_cells(a, b)
        return None

    @cached_property
    def _contradicting_cells(self) -> list[tuple[int, int, int]]:
        """List the pairs of cells that only missing values keep apart, with their pairs of rows of different class."""
        if not self.has_missing:
            return []
        found = []
        known = np.ascontiguousarray(self.cell_codes)
        members = np.zeros((len(known), int(self.classes.max(initial=0)) + 1), dtype=np.int64)
        np.add.at(members, (self.cell_of_row, self.classes), 1)
        partial = np.asarray((known < 0).any(axis=1))
        for a in np.flatnonzero(partial):
            once = np.logical_not(partial)  # a pair of two partial cells is met twice, and counted when a < b
            once[a + 1 :] = True
            alike = once & (self.cell_labels != self.cell_labels[a]) & ~separated(known[a], known).any(axis=1)
            for b in np.flatnonzero(alike):
                n_pairs = members[a].sum() * members[b].sum() - members[a] @ members[b]
                found.append((int(a), int(b), int(n_pairs)))
        return found


def sample_from(X: object, y: object, missing: str = "value") -> Sample:
    """Encode data of any accepted form: a frame of any library, a 2-D array or a sparse matrix, and its classes."""
    values = y.values if isinstance(y, Column) else np.asarray(y)
    classes = np.unique(values, return_inverse=True)[1]
    table = table_from(X)
    if len(classes) != table.n_rows:
        raise ParameterError(f"There are {table.n_rows} rows but {len(classes)} classes. Give one class a row.")
    return Sample(discrete_codes(table, missing), classes)


def table_from(X: object) -> Table:
    """Type the columns of a frame, an array or a sparse matrix."""
    if isinstance(X, Table):
        return X
    if hasattr(X, "tocsc"):
        return from_sparse(X)
    if isinstance(X, (np.ndarray, list, tuple)):
        return from_array(np.asarray(X))
    return from_frame(X)
