"""Typed columns as the numbers that scikit-learn's estimators take."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.table import Kind, Table
from fewest.table.column import Column


class Numbers(NamedTuple):
    """A matrix, and which of its columns stand for each column of the table."""

    X: np.ndarray
    groups: list[list[int]]


def as_numbers(table: Table) -> Numbers:
    """Turn names into indicators, one a value, and put numbers on one scale: mean 0, variance 1.

    A missing number becomes the mean, and an indicator says that it was
    missing; a missing name is one more name. The indicators of a column are
    meant to enter together. Labels play no part, so nothing of the hold-out rows' labels leaks.
    """
    parts: list[np.ndarray] = []
    groups: list[list[int]] = []
    width = 0
    for column in table:
        part = _number(column) if column.kind is Kind.NUMERIC else _name(column)
        groups.append(list(range(width, width + part.shape[1])))
        width += part.shape[1]
        parts.append(part)
    return Numbers(np.hstack(parts) if parts else np.empty((table.n_rows, 0)), groups)


def _number(column: Column) -> np.ndarray:
    is_missing = column.is_missing
    known = column.values[~is_missing]
    mean, spread = (float(known.mean()), float(known.std())) if len(known) else (0.0, 1.0)
    scaled = np.where(is_missing, 0.0, (column.values - mean) / (spread or 1.0))
    return np.column_stack([scaled, is_missing]) if is_missing.any() else scaled[:, None]


def _name(column: Column) -> np.ndarray:
    """One indicator is enough for two values: the other is its opposite."""
    values, codes = np.unique(column.values, return_inverse=True)
    indicators = (codes[:, None] == np.arange(len(values))).astype(np.float64)
    return indicators[:, 1:] if len(values) == 2 else indicators
