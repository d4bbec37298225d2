"""Columns of values with an Arrow type, from Parquet and dataframes: the type decides what the column is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as pt

from fewest.exceptions import ColumnKindError
from fewest.table.arrow_arrays import as_numpy
from fewest.table.builder import BooleanBuilder, ColumnBuilder, InferringBuilder, NominalBuilder, NumericBuilder
from fewest.table.column import Kind
from fewest.table.text_columns import NotNumbersError, all_survive, first_non_number, parse_numbers, trimmed

_FRACTION = re.compile(r"\.(\d*?)0*(?!\d)")


def builder_of_type(name: str, dtype: pa.DataType, declared: Kind | None, *, by_value: bool) -> ColumnBuilder:
    """Return the builder for a column of an Arrow type.

    Parameters
    ----------
    name : str
    dtype : pyarrow.DataType
    declared : Kind or None
        What the user declares the column to be; None leaves it to the type.
    by_value : bool
        Whether numbers that are all 0 or 1 make a boolean column, as they do in text.
    """
    if not is_supported(dtype):
        raise ColumnKindError.from_type(name, dtype)
    if declared is Kind.NUMERIC:
        return NumericBuilder(name, partial(_floats, exact=False), by_value=False, find_fault=_first_fault)
    if pt.is_boolean(dtype) and declared is not Kind.NOMINAL:
        return BooleanBuilder(name)
    if _is_number(dtype) and declared is None:
        # Numbers too long for a float are identifiers, which it would confuse: those columns start again as categories.
        numbers = NumericBuilder(name, partial(_floats, exact=True), by_value=by_value)
        return InferringBuilder(numbers, lambda: NominalBuilder(name, spell, Kind.NOMINAL))
    return NominalBuilder(name, spell, declared)


def is_supported(dtype: pa.DataType) -> bool:
    """Return whether the values are text, numbers, Booleans or dates and times, rather than nested or binary."""
    if pt.is_dictionary(dtype):
        return is_supported(dtype.value_type)
    is_time = pt.is_date(dtype) or pt.is_time(dtype) or pt.is_timestamp(dtype)
    return pt.is_boolean(dtype) or pt.is_null(dtype) or _is_text(dtype) or _is_number(dtype) or is_time


def is_text_or_date(dtype: pa.DataType) -> bool:
    """Return whether values are text, or dates with or without a time: what may mean numbers."""
    return _is_text(dtype) or pt.is_date(dtype) or pt.is_timestamp(dtype)


def family(dtype: pa.DataType) -> str:
    """Return the kind of column that the type holds, so that the files of a data set can be compared."""
    if pt.is_boolean(dtype):
        return "boolean"
    return "numeric" if _is_number(dtype) else "nominal"


def spell(values: pa.Array) -> Sequence[str | None]:
    """Return values as text: strings as they are, dates and times as ISO 8601 without trailing zeros."""
    if pt.is_boolean(values.type):
        return [None if value is None else str(value) for value in values.to_pylist()]
    if pt.is_floating(values.type):
        values = pc.if_else(pc.is_nan(values.cast(pa.float64())), None, values)
    texts = values.cast(pa.string()).to_pylist()
    if pt.is_timestamp(values.type) or pt.is_time(values.type):
        return [None if text is None else _iso(text) for text in texts]
    return texts


def _iso(time: str) -> str:
    """Rewrite Arrow's ``2020-01-01 03:04:05.500000Z`` as ``2020-01-01T03:04:05.5Z``.

    >>> _iso("2020-01-01 03:04:05.000000+0100")
    '2020-01-01T03:04:05+0100'
    """
    return _FRACTION.sub(lambda found: f".{found[1]}" if found[1] else "", time.replace(" ", "T"))


def _floats(values: pa.Array, *, exact: bool) -> np.ndarray:
    """Return values as floats; with ``exact``, raise `NotNumbersError` when a number would be rounded."""
    if pt.is_dictionary(values.type):
        values = values.dictionary_decode()
    if pt.is_decimal(values.type):
        return _floats_of_decimals(values, exact)
    if _is_number(values.type) or pt.is_boolean(values.type):
        try:
            return as_numpy(values.cast(pa.float64(), safe=exact))
        except pa.ArrowInvalid:
            raise NotNumbersError from None
    return parse_numbers(_texts(values))


def _floats_of_decimals(values: pa.Array, exact: bool) -> np.ndarray:
    texts = values.cast(pa.string())  # Arrow's own cast to floats is off by a bit where the scale is large
    floats = parse_numbers(texts)
    if exact and not all_survive(texts, floats):
        raise NotNumbersError
    return floats


def _first_fault(values: pa.Array) -> int:
    return first_non_number(_texts(values))


def _texts(values: pa.Array) -> pa.Array:
    if pt.is_dictionary(values.type):
        values = values.dictionary_decode()
    return trimmed(pa.array(spell(values), pa.string()), ())


def _is_text(dtype: pa.DataType) -> bool:
    return pt.is_string(dtype) or pt.is_large_string(dtype) or pt.is_string_view(dtype)


def _is_number(dtype: pa.DataType) -> bool:
    return pt.is_integer(dtype) or pt.is_floating(dtype) or pt.is_decimal(dtype)
