"""The data as a page describes it: its shape, what its columns are, and how their values go with the classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fewest.table import Column, Kind, Table

# More bars than this are not looked at; what is left is put together as "others".
MOST_VALUES = 8
N_BINS = 5
OTHERS = "others"


def data_facts(features: Table, target: Column, name: str) -> dict[str, Any]:
    """Return the shape of the data, its kinds, its missing values and its classes."""
    kinds = {kind.value: sum(column.kind is kind for column in features) for kind in Kind}
    return {
        "name": name,
        "n_rows": features.n_rows,
        "n_features": len(features.columns),
        "kinds": {kind: count for kind, count in kinds.items() if count},
        "n_missing": sum(column.n_missing for column in features),
        "n_incomplete_rows": _n_incomplete(features),
        "n_constant": sum(_n_distinct(column) <= 1 for column in features),
        "target": target.name,
        "classes": class_counts(target),
    }


def class_counts(target: Column) -> list[dict[str, Any]]:
    """Return how many rows each class has; nothing for a regression target."""
    if target.kind is Kind.NUMERIC:
        return []
    counts = np.bincount(target.values, minlength=len(target.labels)).tolist()
    return [{"label": str(label), "n_rows": n} for label, n in zip(target.labels, counts, strict=True)]


def column_facts(column: Column) -> dict[str, Any]:
    """Return the kind of a column and its numbers of missing and of distinct values."""
    return {
        "feature": column.name,
        "kind": column.kind.value,
        "n_missing": column.n_missing,
        "n_distinct": _n_distinct(column),
    }


def value_profile(column: Column, target: Column) -> dict[str, Any]:
    """Count the rows of each class that have each value of a column, or each interval of a numeric one."""
    names, codes = _groups(column)
    counts = np.zeros((len(names), len(target.labels)), dtype=np.int64)
    np.add.at(counts, (codes, target.values), 1)
    values = [
        {"value": name, "n_rows": int(row.sum()), "counts": row.tolist()}
        for name, row in zip(names, counts, strict=True)
        if row.any()
    ]
    return {**column_facts(column), "values": values}


def _groups(column: Column) -> tuple[Sequence[str], np.ndarray]:
    """Return names of groups of values, and the group of every row."""
    missing = column.is_missing
    if column.kind is Kind.NUMERIC and _n_distinct(column) > MOST_VALUES:
        return _intervals(column.values, missing)
    discrete = column.by_value()
    labels, codes = list(map(str, discrete.labels)), discrete.values.astype(np.intp)
    if len(labels) > MOST_VALUES:
        frequent = np.sort(
            np.argsort(-np.bincount(codes[~missing], minlength=len(labels)), kind="stable")[:MOST_VALUES]
        )
        group = np.full(len(labels) + 1, len(frequent))
        group[frequent] = np.arange(len(frequent))
        labels, codes = [*(labels[k] for k in frequent), OTHERS], group[codes]
    codes[missing] = len(labels)
    return [*labels, "(missing)"], codes


def _intervals(values: np.ndarray, missing: np.ndarray) -> tuple[Sequence[str], np.ndarray]:
    """Cut numeric values into groups of about equal size."""
    inner = np.unique(np.quantile(values[~missing], np.linspace(0, 1, N_BINS + 1)[1:-1]))
    codes = np.searchsorted(inner, values, side="left")
    codes[missing] = len(inner) + 1
    names = [f"≤ {inner[0]:.4g}", *(f"≤ {high:.4g}" for high in inner[1:]), f"> {inner[-1]:.4g}", "(missing)"]
    return names, codes


def _n_distinct(column: Column) -> int:
    values = column.values[~column.is_missing]
    if column.kind is Kind.NUMERIC:
        return len(np.unique(values))
    return int(np.count_nonzero(np.bincount(values.astype(np.intp), minlength=1))) if len(values) else 0


def _n_incomplete(features: Table) -> int:
    incomplete = np.zeros(features.n_rows, dtype=bool)
    for column in features:
        incomplete |= column.is_missing
    return int(incomplete.sum())
