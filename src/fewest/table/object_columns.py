"""Columns of Python objects, as dataframes and arrays hold them when no other type fits."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

from fewest.exceptions import ColumnKindError
from fewest.table.column import MISSING, Column, Kind, opposites, smallest_code_type
from fewest.table.text_columns import LARGEST_EXACT_INTEGER, is_number, survives

_MISSING_TYPES = ("NAType", "NaTType")  # of pandas, known by name so that pandas need not be there
_NESTED = (list, tuple, dict, set, frozenset, np.ndarray, bytes, bytearray, complex)

Key = tuple[str, object]
"""What identifies a value: its family, in a word, and the value. So 1 and "1" differ, and 1 and 1.0 do not."""


def column_of_objects(name: str, values: Iterable[object], declared: Kind | None = None) -> Column:
    """Encode a column of Python objects.

    Booleans alone make a boolean column and numbers alone a numeric one; words
    are boolean if they are a pair such as yes and no. All else is nominal,
    labelled by its text; where a word and another value share it, words are quoted.

    >>> column_of_objects("mixed", [1, "1", None, 1.0]).labels
    ("'1'", '1')
    """
    first_codes: dict[Key, int] = {}
    keys = (_key(name, value) for value in values)
    codes = np.array(
        [MISSING if key is None else first_codes.setdefault(key, len(first_codes)) for key in keys], dtype=np.int64
    )
    distinct = list(first_codes)
    families = {family for family, _ in distinct}
    if declared is Kind.NUMERIC or (declared is None and families == {"number"} and _are_exact(distinct)):
        return Column(name, Kind.NUMERIC, _floats(name, distinct, codes))
    labels = _labels(distinct)
    if declared is Kind.BOOLEAN and len(labels) > 2:
        raise ColumnKindError.from_value(name, declared, labels[2], int(np.argmax(codes == 2)))
    pair = None if declared is Kind.NOMINAL or "number" in families else opposites(labels)
    kind = declared or (Kind.BOOLEAN if pair else Kind.NOMINAL)
    return _in_order(name, kind, codes, labels, pair or sorted(labels))


def _key(name: str, value: object) -> Key | None:
    """Return what identifies a value, None if it is missing."""
    if isinstance(value, np.datetime64):
        return None if np.isnat(value) else ("moment", str(value))
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, _NESTED):
        raise ColumnKindError.from_type(name, type(value).__name__)
    if value is None or type(value).__name__ in _MISSING_TYPES or value != value:
        return None
    if isinstance(value, bool):
        return "boolean", value
    if isinstance(value, str):
        return "word", value
    if isinstance(value, int):
        return "number", value
    if isinstance(value, Real | Decimal):
        number = _as_float(value)
        is_kept = survives(str(value)) if isinstance(value, Decimal) else number == value
        return "number", number if is_kept else value
    if isinstance(value, datetime.date | datetime.time):
        return "moment", value.isoformat()
    return type(value).__name__, str(value)


def _are_exact(numbers: Sequence[Key]) -> bool:
    """Return whether floats keep the numbers distinct."""
    return all(
        abs(value) <= LARGEST_EXACT_INTEGER if isinstance(value, int) else isinstance(value, float)
        for _, value in numbers
    )


def _floats(name: str, distinct: Sequence[Key], codes: np.ndarray) -> np.ndarray:
    floats = np.full(len(distinct) + 1, np.nan)  # the last one is what the code -1 finds
    for code, (family, value) in enumerate(distinct):
        if family not in ("boolean", "number") and not is_number(str(value).strip()):
            raise ColumnKindError.from_value(name, Kind.NUMERIC, value, int(np.argmax(codes == code)))
        floats[code] = _as_float(value)
    return floats[codes]


def _as_float(value: Any) -> float:
    """Return the nearest float, which is infinite for what is too large for any."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _labels(distinct: Sequence[Key]) -> list[str]:
    """Return the text of each value, with the words in quotes if another value has the same text."""
    labels = [_text(value) for _, value in distinct]
    if len(set(labels)) == len(labels):
        return labels
    return [repr(value) if family == "word" else _text(value) for family, value in distinct]


def _text(value: object) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _in_order(name: str, kind: Kind, codes: np.ndarray, labels: list[str], order: Sequence[str]) -> Column:
    """Return the column with its labels in the given order, in which a label may occur twice."""
    places: dict[str, list[int]] = {}
    for place, label in enumerate(order):
        places.setdefault(label, []).append(place)
    final = [*(places[label].pop(0) for label in labels), MISSING]  # the last one is what the code -1 finds
    return Column(name, kind, np.array(final, dtype=smallest_code_type(len(order)))[codes], tuple(order))
