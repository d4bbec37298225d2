"""The data as a page describes it: its shape, what its columns are, and how their values go with the classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fewest.report.sentences import general
from fewest.table import Column, Kind, Table

# More bars than this are not looked at; what is left is put together as "others".
MOST_VALUES = 8
N_BINS = 5
# The bars of a histogram.
N_BARS = 24
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
        "understood": [str(record) for record in features.understood if record.column in set(features.names)],
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
    """Count the rows of each class that have each value of a column, or each interval of a numeric one.

    ``shape`` shows how the numbers of each class are distributed; it is None for other columns.
    """
    names, codes = value_groups(column)
    class_names, classes = target_groups(target)
    counts = np.zeros((len(names), len(class_names)), dtype=np.int64)
    np.add.at(counts, (codes, classes), 1)
    values = [
        {"value": name, "n_rows": int(row.sum()), "counts": row.tolist()}
        for name, row in zip(names, counts, strict=True)
        if row.any()
    ]
    return {**column_facts(column), "values": values, "shape": _shape(column, classes, len(class_names))}


def _shape(column: Column, classes: np.ndarray, n_classes: int) -> dict[str, Any] | None:
    """Return a histogram of each class, its highest bar 1, between the quantiles that leave out what lies far off."""
    known = np.isfinite(column.values) if column.kind is Kind.NUMERIC else np.zeros(0, dtype=bool)
    if np.count_nonzero(known) < N_BARS or _n_distinct(column) <= MOST_VALUES:
        return None
    low, high = np.quantile(column.values[known], [0.01, 0.99])
    if not low < high or not np.isfinite(high - low):
        return None
    bars = []
    for k in range(n_classes):
        values = np.clip(column.values[known & (classes == k)], low, high)
        counts = np.histogram(values, N_BARS, (low, high))[0]
        bars.append([round(float(height), 3) for height in counts / max(1, counts.max())])
    return {"low": float(low), "high": float(high), "bars": bars}


def missing_by_class(features: Table, target: Column) -> dict[str, Any] | None:
    """Return the share of missing values of each feature in each class, the most uneven first; None if none are."""
    class_names, classes = target_groups(target)
    sizes = np.bincount(classes, minlength=len(class_names))
    records = []
    for column in features:
        if column.n_missing:
            missing = np.bincount(classes[column.is_missing], minlength=len(class_names))
            shares = missing / np.maximum(1, sizes)
            records.append({"feature": column.name, "n_missing": column.n_missing, "shares": shares.tolist()})
    if not records:
        return None
    records.sort(key=lambda record: min(record["shares"]) - max(record["shares"]))
    return {"classes": list(class_names), "records": records}


def target_groups(target: Column) -> tuple[Sequence[str], np.ndarray]:
    """Return the names of the classes and the class of every row; a regression target is cut into thirds."""
    if target.kind is not Kind.NUMERIC:
        return [str(label) for label in target.labels], target.values.astype(np.intp)
    inner = np.unique(np.quantile(target.values, [1 / 3, 2 / 3]))
    ends = [general(end) for end in inner.tolist()]
    names = [f"{target.name} ≤ {ends[0]}", *(f"≤ {end}" for end in ends[1:]), f"> {ends[-1]}"]
    return names, np.searchsorted(inner, target.values, side="left")


def value_groups(column: Column) -> tuple[Sequence[str], np.ndarray]:
    """Return names of groups of values, and the group of every row: values, intervals of numbers, missing values."""
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
    ends = [general(end) for end in inner.tolist()]
    names = [*(f"≤ {end}" for end in ends), f"> {ends[-1]}", "(missing)"]
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
