"""Distances as users give them: in a column's own unit, in standard deviations, or in percent of its range."""

from __future__ import annotations

import re

import numpy as np

from fewest.exceptions import ParameterError
from fewest.table.column import Column, Kind

_UNITS = re.compile(r"\s*([0-9.eE+-]+)\s*(sd|%)?\s*", re.ASCII)


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
        number = float(match[1] if match else margin)  # type: ignore[arg-type]  # float says whether it is a number
    except (TypeError, ValueError):
        number = float("nan")
    if isinstance(margin, bool) or not 0 <= number < float("inf"):
        raise ParameterError(
            f"A {what} of {margin!r} is no distance. Give a number in the column's unit, '0.5 sd' in its standard "
            "deviations, or '5%' of its range."
        )
    return number, unit
