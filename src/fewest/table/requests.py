"""What users say about features, by name or by position, turned into arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import index

import numpy as np

from fewest.exceptions import ParameterError
from fewest.table import Table


def positions(table: Table, features: Iterable[int | str]) -> list[int]:
    """Return the distinct positions that names and numbers, or a Boolean mask, stand for, ascending."""
    n_features = len(table.columns)
    listed = [features] if isinstance(features, str) else list(features)
    if len(listed) == n_features and all(isinstance(feature, bool | np.bool_) for feature in listed):
        return np.flatnonzero(listed).tolist()
    chosen = set()
    for feature in listed:
        position = table.position(feature) if isinstance(feature, str) else _index(feature)
        if not -n_features <= position < n_features:
            raise ParameterError(f"There is no feature {position}: the data has {n_features} features, counted from 0.")
        chosen.add(position % n_features)
    return sorted(chosen)


def _index(feature: object) -> int:
    if isinstance(feature, bool | np.bool_):
        raise ParameterError("A mask of features must have one entry a feature.")
    try:
        return index(feature)  # type: ignore[arg-type]  # it says itself whether it is a whole number
    except TypeError:
        raise ParameterError(f"{feature!r} is neither the name nor the position of a feature.") from None


def costs_by_position(
    table: Table, costs: Mapping[str, float] | Sequence[float] | np.ndarray | None
) -> np.ndarray | None:
    """Return one cost a feature; what a mapping does not name costs 1."""
    if costs is None:
        return None
    if isinstance(costs, Mapping):
        by_position = np.ones(len(table.columns))
        for feature, cost in costs.items():
            by_position[positions(table, [feature])] = _number(feature, cost)
        costs = by_position
    if len(costs) != len(table.columns):
        raise ParameterError(f"There are {len(costs)} costs for {len(table.columns)} features. Give one a feature.")
    for column, cost in zip(table, costs, strict=True):
        if not 0 < _number(column.name, cost) < float("inf"):
            raise ParameterError(f"The cost of {column.name!r} is {cost}; costs must be positive numbers.")
    return np.asarray(costs, dtype=np.float64)


def _number(feature: object, cost: object) -> float:
    try:
        return float(cost)  # type: ignore[arg-type]  # whatever it is, float says whether it is a number
    except (TypeError, ValueError):
        raise ParameterError(f"The cost of {feature!r} is {cost!r}; costs must be positive numbers.") from None
