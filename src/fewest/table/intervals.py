"""Numbers cut into intervals that tell the most about the class, for those who prefer names to margins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from fewest.kernels.mdl_cuts import mdl_cuts
from fewest.table import Column, Kind, Table
from fewest.table.column import MISSING, smallest_code_type

Cuts = dict[str, np.ndarray]
"""Where numeric columns are cut into intervals, by name."""


def interval_cuts(features: Table, classes: np.ndarray) -> dict[str, np.ndarray]:
    """Return the cuts of every numeric column by name; missing values are left aside."""
    n_classes = int(classes.max(initial=0)) + 1
    cuts = {}
    for column in features:
        if column.kind is Kind.NUMERIC:
            known = ~column.is_missing
            cuts[column.name] = mdl_cuts(column.values[known], classes[known], n_classes)
    return cuts


def cut_columns(features: Table, cuts: Mapping[str, np.ndarray]) -> Table:
    """Return the table with intervals in place of the numbers that have cuts."""
    columns = tuple(cut_column(column, cuts[column.name]) if column.name in cuts else column for column in features)
    return Table(columns, features.n_rows, features.ambiguous, features.row_numbers)


def cut_column(column: Column, cuts: np.ndarray) -> Column:
    """Return one number as intervals; a missing value stays missing."""
    codes = np.searchsorted(cuts, column.values, side="left").astype(smallest_code_type(len(cuts) + 1))
    codes[column.is_missing] = MISSING
    return Column(column.name, Kind.NOMINAL, codes, interval_names(cuts))


def interval_names(cuts: Sequence[float] | np.ndarray) -> tuple[str, ...]:
    """Return readable names for the intervals between cuts."""
    written = [f"{cut:.6g}" for cut in cuts]
    if len(set(written)) < len(written):  # cuts that only further digits tell apart
        written = [repr(float(cut)) for cut in cuts]
    if not written:
        return ("any",)
    between = (f"> {low}, <= {high}" for low, high in pairwise(written))
    return (f"<= {written[0]}", *between, f"> {written[-1]}")
