"""Categories that are too rare to learn about share one value, so that no column of many names wins by chance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fewest.comparison.metrics import Task
from fewest.screening.values_as_text import are_too_many
from fewest.table import Column, Kind, Table

# A category that is learned about has so many rows, and would have so many of the rarest class by chance.
FEWEST_ROWS, FEWEST_RARE = 10, 2.0
OTHERS = "(rare)"


def without_rare_categories(table: Table, target: np.ndarray, task: Task) -> Table:
    """Return the table with one value for all rare categories of every column that has many.

    A category of five rows separates them from all others whatever they are, one of hundreds of such
    categories does so well by chance, and most of them are not among the rows to be predicted. The categories are
    counted without a look at the rows' classes, of which only the shares matter.

    Examples
    --------
    >>> from fewest.table import from_array
    >>> city = ["Rome"] * 60 + [f"village {k}" for k in range(60)]
    >>> table = from_array(np.array(city, dtype=object)[:, None], ["city"])
    >>> target = np.arange(120) % 2
    >>> without_rare_categories(table, target, Task(2)).columns[0].labels
    ('Rome', '(rare)')
    """
    if not any(_has_many(column) for column in table):
        return table
    fewest = float(FEWEST_ROWS)
    if not task.is_regression:
        shares = np.bincount(target) / len(target)
        fewest = max(fewest, FEWEST_RARE / shares[shares > 0].min())
    columns = tuple(_pooled(column, fewest) if _has_many(column) else column for column in table)
    return replace(table, columns=columns)


def _has_many(column: Column) -> bool:
    if column.kind is not Kind.NOMINAL:
        return False
    known = column.values[~column.is_missing]
    return are_too_many(len(column.labels), len(known)) and are_too_many(len(np.unique(known)), len(known))


def _pooled(column: Column, fewest: float) -> Column:
    missing = column.is_missing
    counts = np.bincount(column.values[~missing].astype(np.intp), minlength=len(column.labels))
    kept = np.flatnonzero(counts >= fewest)
    codes = np.full(len(column.labels), len(kept), dtype=column.values.dtype)
    codes[kept] = np.arange(len(kept))
    values = column.values.copy()
    values[~missing] = codes[values[~missing]]
    return replace(column, values=values, labels=(*(column.labels[j] for j in kept), OTHERS))
