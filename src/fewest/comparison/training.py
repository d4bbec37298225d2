"""The part of the data that a selector may see: its rows, and what is made of them once for all selectors."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fewest.cover.sample import Sample
from fewest.table import Column, Kind, Table
from fewest.table.intervals import cut_columns, interval_cuts

# Numbers with more values than this are cut into intervals for methods that only ask whether values are equal.
MOST_NUMBERS = 10


@dataclass(frozen=True, eq=False)
class Training:
    """Training rows and their classes."""

    table: Table
    classes: np.ndarray
    seed: int = 0

    @cached_property
    def sample(self) -> Sample:
        """Return the rows as discrete values, numbers as intervals that these very rows suggest."""
        return Sample.from_table(in_intervals(self.table, self.classes), self.classes)

    @cached_property
    def seconds_for_sample(self) -> float:
        """Return what making the sample took; every method that uses it is charged with it."""
        started = time.perf_counter()
        _ = self.sample
        return time.perf_counter() - started

    @cached_property
    def numbers(self) -> np.ndarray:
        """Return the rows as numbers, names as their codes, for selectors that know nothing else."""
        columns = [np.where(column.is_missing, np.nan, column.values) for column in self.table]
        return np.column_stack(columns) if columns else np.empty((self.table.n_rows, 0))


def in_intervals(table: Table, classes: np.ndarray) -> Table:
    """Return the table with numbers of many values as intervals."""
    measured = tuple(column for column in table if is_measured(column))
    return cut_columns(table, interval_cuts(Table(measured, table.n_rows), classes))


def is_measured(column: Column) -> bool:
    """Tell whether a column holds numbers of many values, so that being equal means little."""
    return column.kind is Kind.NUMERIC and len(np.unique(column.values[~column.is_missing])) > MOST_NUMBERS
