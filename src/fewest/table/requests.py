"""Read what users write about columns: features by name or position, their costs, and distances with a unit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from operator import index

import numpy as np

from fewest.exceptions import AmbiguousColumnError, ParameterError, UnknownColumnError
from fewest.table import Table
from fewest.table.column import Column, Kind

_UNITS = re.compile(r"\s*([0-9.eE+-]+)\s*(sd|%)?\s*", re.ASCII)


Features = str | int | Iterable[int | str | bool] | None
"""Features as users give them: one, several or none, by name or position, or a Boolean mask with an entry for each."""


def included_and_excluded(
    columns: Table | Sequence[str], include: Features, exclude: Features
) -> tuple[list[int], list[int]]:
    """Return the positions of the features that must, and that must not, be selected; raise where one is both.

    Every selector's ``include`` and ``exclude`` mean what this reads: see `positions`.
    """
    included, excluded = positions(columns, include), positions(columns, exclude)
    both = sorted(set(included) & set(excluded))
    if both:
        names = columns.names if isinstance(columns, Table) else columns
        raise ParameterError(f"Feature {names[both[0]]!r} is both in include and in exclude. Decide for one.")
    return included, excluded


def positions(columns: Table | Sequence[str], features: Features) -> list[int]:
    """Return the distinct positions that names and numbers, or a Boolean mask, stand for, ascending.

    Parameters
    ----------
    columns : Table or sequence of str
        The columns, or their names.
    features : str, int, iterable of these, Boolean mask, or None
        Negative positions count from the end; None stands for no feature.
    """
    n_features = len(columns.columns if isinstance(columns, Table) else columns)
    if features is None:
        return []
    listed = [features] if isinstance(features, str | int | np.integer) else list(features)
    if len(listed) == n_features and all(isinstance(feature, bool | np.bool_) for feature in listed):
        return np.flatnonzero(listed).tolist()
    chosen = set()
    for feature in listed:
        position = _named(columns, feature) if isinstance(feature, str) else _index(feature)
        if not -n_features <= position < n_features:
            raise ParameterError(f"There is no feature {position}: the data has {n_features} features, counted from 0.")
        chosen.add(position % n_features)
    return sorted(chosen)


def _named(columns: Table | Sequence[str], name: str) -> int:
    if isinstance(columns, Table):
        return columns.position(name)
    found = [place for place, other in enumerate(columns) if other == name]
    if len(found) > 1:
        raise AmbiguousColumnError.from_name(name, found)
    if not found:
        raise UnknownColumnError.from_name(name, list(columns))
    return found[0]


def _index(feature: object) -> int:
    if isinstance(feature, bool | np.bool_):
        raise ParameterError("A mask of features must have one entry for each feature.")
    try:
        return index(feature)  # type: ignore[arg-type]  # raises unless it is a whole number
    except TypeError:
        raise ParameterError(f"{feature!r} is neither the name nor the position of a feature.") from None


def costs_by_position(
    table: Table, costs: Mapping[str, float] | Sequence[float] | np.ndarray | None
) -> np.ndarray | None:
    """Return one cost for each feature; what a mapping leaves out costs 1."""
    if costs is None:
        return None
    if isinstance(costs, Mapping):
        by_position = np.ones(len(table.columns))
        for feature, cost in costs.items():
            by_position[positions(table, [feature])] = _number(feature, cost)
        costs = by_position
    if len(costs) != len(table.columns):
        raise ParameterError(
            f"There are {len(costs)} costs for {len(table.columns)} features. Give one for each feature."
        )
    for column, cost in zip(table, costs, strict=True):
        if not 0 < _number(column.name, cost) < float("inf"):
            raise ParameterError(f"The cost of {column.name!r} is {cost}; costs must be positive numbers.")
    return np.asarray(costs, dtype=np.float64)


def _number(feature: object, cost: object) -> float:
    try:
        return float(cost)  # type: ignore[arg-type]  # float raises unless it is a number
    except (TypeError, ValueError):
        raise ParameterError(f"The cost of {feature!r} is {cost!r}; costs must be positive numbers.") from None


def in_own_unit(column: Column, distance: float | str, what: str = "margin") -> float:
    """Return a distance in the unit of a numeric column's values; ``what`` it is called when it is none."""
    number, unit = parsed_distance(distance, what)
    if column.kind is not Kind.NUMERIC:
        return number
    if unit is None or column.n_missing == len(column):
        return number
    if np.isinf(column.values).any():
        raise ParameterError(
            f"Column {column.name!r} holds infinity, so that it has no spread to measure a {what} by. Correct the "
            f"value, or give the {what} in the column's own unit."
        )
    if unit == "sd":
        return number * float(np.nanstd(column.values))
    return number * float(np.fmax.reduce(column.values) - np.fmin.reduce(column.values)) / 100


def parsed_distance(margin: object, what: str = "margin") -> tuple[float, str | None]:
    """Return the number and the unit (``"sd"``, ``"%"`` or None) of a distance, or raise."""
    match = _UNITS.fullmatch(str(margin)) if isinstance(margin, str) else None
    unit = match[2] if match else None
    try:
        number = float(match[1] if match else margin)  # type: ignore[arg-type]  # float raises unless it is a number
    except (TypeError, ValueError):
        number = float("nan")
    if isinstance(margin, bool) or not 0 <= number < float("inf"):
        raise ParameterError(
            f"A {what} of {margin!r} is no distance. Give a number in the column's unit, '0.5 sd' in its standard "
            "deviations, or '5%' of its range."
        )
    return number, unit
