"""Numeric features that separate two rows only when they differ by at least a margin.

Section 8 of Almuallim and Dietterich (1994) leaves features of many values as
an open problem: compared by value, one column of measurements separates all
rows and means nothing. With a margin, a number covers a conflict when the two
values are clearly different, and every search runs as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from fewest.cover.kernels.differences import NumericColumns
from fewest.cover.options import Margin
from fewest.exceptions import ColumnKindError
from fewest.table import Column, Kind, Table, discrete_codes
from fewest.table.requests import in_own_unit, parsed_distance, positions

# 0.3 - 0.2 is a little less than 0.1 in floating point, and is meant to reach a margin of 0.1.
ROUNDING = 1e-9


def codes_and_numeric(
    features: Table, missing: str = "value", margin: Margin | None = None
) -> tuple[np.ndarray, NumericColumns | None]:
    """Encode what is compared for equality, and set apart the numeric columns that are compared by margin.

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
    return discrete_codes(Table(columns, features.n_rows), missing), NumericColumns(places, values, reached)


def columns_with_margin(features: Table, margin: Margin | None) -> Collection[int]:
    """Return the positions of the numeric columns that have a margin."""
    return () if margin is None else absolute_margins(features, margin)


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
            parsed_distance(margin)
    for j in asked:
        if j not in numeric:
            column = features.columns[j]
            raise ColumnKindError(
                f"Column {column.name!r} is {column.kind}, so its values cannot lie a margin apart. "
                "Give margins to numeric columns only."
            )
    absolute = {j: in_own_unit(features.columns[j], value) for j, value in asked.items()}
    return {j: value for j, value in absolute.items() if value > 0}


def _presence(column: Column) -> Column:
    """Return what of a number is still compared for equality: whether there is one."""
    return Column(column.name, Kind.NOMINAL, np.where(column.is_missing, -1, 0).astype(np.int8), ("present",))
