"""Numbers that separate two rows only when they differ by at least a margin.

Section 8 of Almuallim and Dietterich (1994) leaves features of many values as
an open problem: compared by value, one column of measurements separates all
rows and means nothing. With a margin, a number covers a conflict when the two
values are clearly different, and every search runs as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from fewest.exceptions import ColumnKindError, ParameterError
from fewest.kernels.packed_rows import Numbers
from fewest.search.requests import positions
from fewest.table import Column, Kind, Table, discrete_codes

Margin = float | str | Mapping[str | int, float | str]
"""One margin for all numeric columns, or one for each by name."""

# 0.3 - 0.2 is a little less than 0.1 in floating point, and is meant to reach a margin of 0.1.
ROUNDING = 1e-9

_UNITS = re.compile(r"\s*([0-9.eE+-]+)\s*(sd|%)?\s*", re.ASCII)


def codes_and_numbers(
    features: Table, missing: str = "value", margin: Margin | None = None
) -> tuple[np.ndarray, Numbers | None]:
    """Encode what is compared for equality, and set apart the numbers that are compared by margin.

    In the codes, a number of the second kind is present (0) or missing (1, or
    -1 when missing values separate nothing).
    """
    margins = {} if margin is None else absolute_margins(features, margin)
    if not margins:
        return discrete_codes(features, missing), None
    columns = tuple(_presence(column) if j in margins else column for j, column in enumerate(features))
    places = np.array(sorted(margins), dtype=np.intp)
    values = np.column_stack([features.columns[j].values for j in places])
    reached = np.array([margins[int(j)] for j in places]) * (1 - ROUNDING)
    return discrete_codes(Table(columns, features.n_rows), missing), Numbers(places, values, reached)


def absolute_margins(features: Table, margin: Margin) -> dict[int, float]:
    """Return the margin of every numeric column that has one, in the column's own unit.

    A margin is a number in the column's unit, a text such as ``"0.5 sd"`` in
    its standard deviations, or ``"5%"`` of its range. A margin of zero is
    none: any difference counts.
    """
    numeric = [j for j, column in enumerate(features) if column.kind is Kind.NUMERIC]
    if isinstance(margin, Mapping):
        asked = {j: value for feature, value in margin.items() for j in positions(features, [feature])}
    else:
        asked = dict.fromkeys(numeric, margin)
        if not numeric:
            _parsed(margin)
    for j in asked:
        if j not in numeric:
            column = features.columns[j]
            raise ColumnKindError(
                f"Column {column.name!r} is {column.kind}, so its values cannot lie a margin apart. "
                "Give margins to numeric columns only."
            )
    absolute = {j: in_own_unit(features.columns[j], value) for j, value in asked.items()}
    return {j: value for j, value in absolute.items() if value > 0}


def in_own_unit(column: Column, distance: float | str, what: str = "margin") -> float:
    """Return a distance in the unit of a numeric column's values; ``what`` it is called when it is none."""
    number, unit = _parsed(distance, what)
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


def _parsed(margin: object, what: str = "margin") -> tuple[float, str | None]:
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


def _presence(column: Column) -> Column:
    """Return what of a number is still compared for equality: whether there is one."""
    return Column(column.name, Kind.NOMINAL, np.where(column.is_missing, -1, 0).astype(np.int8), ("present",))
