"""The values of a column, numbered once for all that look at it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from fewest.table import Column, Kind
from fewest.table.column import MISSING

# Values that are sorted together, and the columns from which on that is faster.
CELLS_AT_A_TIME, FEWEST_AT_A_TIME = 1 << 20, 8


@dataclass(frozen=True, eq=False)
class Profile:
    """A column with its distinct values numbered.

    Parameters
    ----------
    column : Column
    codes : int array of shape (n_rows,)
        The number of every row's value, in the order of the values; -1 where it is missing.
    distinct : array
        The distinct values: numbers, or the codes of labels.
    counts : int array
        How many rows have each of them.
    n_present : int
        How many rows have a value.
    """

    column: Column
    codes: np.ndarray
    distinct: np.ndarray
    counts: np.ndarray
    n_present: int

    @classmethod
    def of(cls, column: Column) -> Profile:
        """Number the values of a column."""
        if column.kind is not Kind.NUMERIC and len(column.labels) <= len(column):
            return cls._of_codes(column)
        present = ~column.is_missing
        distinct, inverse, counts = np.unique(column.values[present], return_inverse=True, return_counts=True)
        if len(inverse) == len(column):
            return cls(column, inverse.astype(np.int64), distinct, counts, len(inverse))
        codes = np.full(len(column), MISSING, dtype=np.int64)
        codes[present] = inverse
        return cls(column, codes, distinct, counts, len(inverse))

    @classmethod
    def of_all(cls, columns: Sequence[Column]) -> list[Profile]:
        """Number the values of many columns, those of numeric ones without gaps many at a time."""
        done: dict[int, Profile] = {}
        numeric = [j for j, column in enumerate(columns) if column.kind is Kind.NUMERIC]
        at_a_time = CELLS_AT_A_TIME // max(1, len(columns[0])) if numeric else 0
        for start in range(0, len(numeric), at_a_time) if at_a_time >= FEWEST_AT_A_TIME else ():
            some = numeric[start : start + at_a_time]
            matrix = np.array([columns[j].values for j in some])
            whole = ~np.isnan(matrix).any(axis=1)
            some = [j for j, is_whole in zip(some, whole.tolist(), strict=True) if is_whole]
            done |= dict(zip(some, cls._of_numbers([columns[j] for j in some], matrix[whole]), strict=True))
        return [done[j] if j in done else cls.of(column) for j, column in enumerate(columns)]

    @classmethod
    def _of_numbers(cls, columns: Sequence[Column], values: np.ndarray) -> Iterator[Profile]:
        """Number the values of numeric columns without gaps, which are the rows of ``values``."""
        order = np.argsort(values, axis=1, kind="stable")
        ordered = np.take_along_axis(values, order, axis=1)
        is_new = np.ones(values.shape, dtype=bool)
        is_new[:, 1:] = ordered[:, 1:] > ordered[:, :-1]
        codes = np.empty(values.shape, dtype=np.int64)
        np.put_along_axis(codes, order, np.cumsum(is_new, axis=1) - 1, axis=1)
        distinct, counts = ordered[is_new], np.diff(np.flatnonzero(is_new), append=values.size)
        ends = np.cumsum(is_new.sum(axis=1)).tolist()
        for column, own, (start, end) in zip(columns, codes, pairwise([0, *ends]), strict=True):
            yield cls(column, own, distinct[start:end], counts[start:end], len(own))

    @classmethod
    def _of_codes(cls, column: Column) -> Profile:
        """Number the values of a column whose codes can be counted, which takes a tenth of sorting them."""
        codes = column.values.astype(np.int64)  # missing ones are -1, and counted first
        counts = np.bincount(codes + 1, minlength=len(column.labels) + 1)
        n_present, counts = len(codes) - int(counts[0]), counts[1:]
        distinct = counts.nonzero()[0]
        if len(distinct) < len(counts):  # some labels are of no row
            numbers = np.append(np.cumsum(counts > 0) - 1, MISSING)  # the last is what -1 finds
            codes, counts = numbers[codes], counts[distinct]
        return cls(column, codes, distinct.astype(column.values.dtype), counts, n_present)

    @property
    def name(self) -> str:
        """Return the name of the column."""
        return self.column.name

    @property
    def is_numeric(self) -> bool:
        """Return whether the values are numbers."""
        return self.column.kind is Kind.NUMERIC

    @property
    def n_distinct(self) -> int:
        """Count the distinct values."""
        return len(self.distinct)

    @property
    def n_missing(self) -> int:
        """Count the rows that have none."""
        return len(self.codes) - self.n_present

    @cached_property
    def is_integral(self) -> bool:
        """Return whether all values are whole numbers."""
        return self.is_numeric and bool((np.isfinite(self.distinct) & (self.distinct % 1 == 0)).all())

    @property
    def labels(self) -> list[str]:
        """Return the distinct categories as text."""
        return [str(self.column.labels[code]) for code in self.distinct.tolist()]

    @cached_property
    def codes_with_gaps(self) -> np.ndarray:
        """Return the codes with a missing value as one more value, after the last."""
        return np.where(self.codes == MISSING, self.n_distinct, self.codes) if self.n_missing else self.codes

    @property
    def n_values(self) -> int:
        """Count the distinct values, a missing one among them."""
        return self.n_distinct + (self.n_missing > 0)
