"""Data that is in memory already: dataframes, arrays and sparse matrices.

They hold columns of Python objects when no other type fits.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from numbers import Real
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
from narwhals.exceptions import DuplicateError

from fewest.exceptions import ColumnKindError, ParameterError, quoted
from fewest.table.arrow_columns import builder_of_type, is_supported
from fewest.table.column import MISSING, Column, Kind, opposites, smallest_code_type, with_one_zero
from fewest.table.reader import Layout, Names
from fewest.table.spellings import Hints, spelled
from fewest.table.table import Table
from fewest.table.text_columns import LARGEST_EXACT_INTEGER, is_number, survives

_BATCH_ROWS = 1 << 20
_WIDEST = {"b": np.int64, "i": np.int64, "u": np.uint64}


def from_frame(
    frame: Any,
    *,
    kinds: Mapping[str, str] | None = None,
    drop: str | Iterable[str] = (),
    decimal: str | None = None,
    thousands: str | None = None,
) -> Table:
    """Encode a dataframe of any library that narwhals knows: pandas, polars, pyarrow and more.

    The types decide: Booleans are boolean, numbers numeric (zeros and ones
    too), strings, categories and dates nominal; strings that are all yes or
    no, or another such pair, are boolean.

    Parameters
    ----------
    frame : dataframe
        Of any library; not a lazy one.
    kinds : mapping of str to {"boolean", "nominal", "numeric", "date"}, optional
        What columns are, where the types would mislead.
    drop : str or iterable of str
        Columns to leave out, by name or by pattern.
    decimal, thousands : str, optional
        The signs of numbers in text, as for `read_table`.

    Returns
    -------
    Table
        The columns, encoded once.

    See Also
    --------
    fewest.read_table : The same for files, and for frames too.

    Examples
    --------
    >>> import pyarrow
    >>> table = from_frame(pyarrow.table({"smoker": ["no", "yes"], "age": [31, 52]}))
    >>> [(column.name, str(column.kind), column.labels) for column in table]
    [('smoker', 'boolean', ('no', 'yes')), ('age', 'numeric', ())]
    """
    return typed_frame(frame, kinds, drop, Hints.from_request(decimal, thousands))


def typed_frame(
    frame: Any, kinds: Mapping[str, str] | None, drop: str | Iterable[str], hints: Hints | None = None
) -> Table:
    """Encode a dataframe; without hints, text stays text whatever it means, as in a part of a frame."""
    wrapped = _wrapped(frame)
    names = Names.from_written([str(name) for name in wrapped.columns])
    layout = Layout.from_request(names, kinds, drop, hints)
    names.warn("The dataframe")
    series = list(wrapped.iter_columns())  # asking for one at a time lists the names of all, every time
    columns = {i: _column_of_series(names.unique[i], series[i], layout.kinds.get(i)) for i in layout.kept}
    if hints is None:
        return layout.table(columns.values(), len(wrapped))
    texts = {i: column for i, column in columns.items() if _is_text_or_date(series[i])}
    spellings, records = layout.understood(texts)
    columns |= {i: spelled(columns[i], spelling) for i, spelling in spellings.items()}
    return layout.table(columns.values(), len(wrapped), records)


def _is_text_or_date(series: nw.Series[Any]) -> bool:
    """Return whether a column holds text or dates by its type; categories are what the user calls them."""
    return series.dtype in (nw.String, nw.Date) or isinstance(series.dtype, nw.Datetime)


def from_array(
    X: np.ndarray, names: Sequence[str] | None = None, *, categorical: Sequence[Any] | np.ndarray | None = None
) -> Table:
    """Encode a two-dimensional array, column by column.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_columns)
        Booleans become boolean columns, numbers numeric ones, text nominal
        ones. The columns of an array of objects are each judged by their values.
    names : sequence of str, optional
        ``x0``, ``x1`` and so on by default.
    categorical : sequence of int, str or bool, optional
        The columns whose numbers are categories: positions, column names, or a mask with one Boolean for each column.

    Returns
    -------
    Table
    """
    X = np.asarray(X)
    if X.ndim != 2:
        raise ParameterError(
            f"The array has {X.ndim} dimension{'s' * (X.ndim != 1)} where a table has 2. "
            "Reshape it to (n_rows, n_columns), with X.reshape(-1, 1) for a single column."
        )
    unique = _names_of_array(names, X.shape[1])
    nominal = _categorical_positions(categorical, unique)
    columns = [_column_of_array(name, X[:, j], j in nominal) for j, name in enumerate(unique.unique)]
    return Table(tuple(columns), len(X), unique.ambiguous)


def from_sparse(X: Any, names: Sequence[str] | None = None) -> Table:
    """Encode a SciPy sparse matrix or array as numeric columns, in which what is not stored is 0.

    A column with integers beyond 2**53 is nominal, as in `from_array`.
    """
    by_column = X.tocsc()
    n_rows, n_columns = by_column.shape
    unique = _names_of_array(names, n_columns)
    dtype = _WIDEST.get(by_column.dtype.kind) or np.result_type(by_column.dtype, np.float64)
    columns = []
    for j, name in enumerate(unique.unique):
        stored = slice(by_column.indptr[j], by_column.indptr[j + 1])
        values = np.zeros(n_rows, dtype=dtype)
        np.add.at(values, by_column.indices[stored], by_column.data[stored])  # a cell may be stored in parts
        columns.append(_column_of_array(name, values, is_nominal=False))
    return Table(tuple(columns), n_rows, unique.ambiguous)


def columns_once(frame: Any) -> tuple[str, ...]:
    """Return the column names of a dataframe; raise `ParameterError` if it is lazy or uses a name twice."""
    names = _wrapped(frame).columns
    if len(set(names)) < len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ParameterError(
            f"The dataframe uses a column name twice ({quoted(twice)}), so a feature could not be told from another. "
            "Rename one of them."
        )
    return tuple(names)


def _wrapped(frame: Any) -> nw.DataFrame[Any]:
    try:
        wrapped = nw.from_native(frame, pass_through=True)
    except DuplicateError as error:
        listed = ", ".join(str(error).replace("\n- ", " ").splitlines())
        raise ParameterError(f"The dataframe uses a column name twice ({listed}). Rename one of them.") from None
    if isinstance(wrapped, nw.LazyFrame):
        raise ParameterError("A lazy dataframe has no rows yet, so there is nothing to read. Pass frame.collect().")
    if not isinstance(wrapped, nw.DataFrame):
        raise ParameterError(
            f"A {type(frame).__name__} is neither a path nor a dataframe, so it cannot be read as a table. "
            "Pass a path, or a dataframe of pandas, polars or pyarrow."
        )
    return wrapped


def _column_of_series(name: str, series: nw.Series[Any], declared: Kind | None) -> Column:
    if series.dtype == nw.Object:
        return column_of_objects(name, series.to_list(), declared)
    try:
        values = series.to_arrow()
    except (pa.ArrowException, TypeError):  # Arrow lacks the type; the values may still be numbers
        return column_of_objects(name, series.to_list(), declared)
    if pa.types.is_dictionary(values.type) and not is_supported(values.type):  # such as the intervals of pandas.cut
        return column_of_objects(name, series.to_list(), declared)
    return _column_of_arrow(name, values, declared)


def _column_of_arrow(name: str, values: pa.Array | pa.ChunkedArray, declared: Kind | None) -> Column:
    builder = builder_of_type(name, values.type, declared, by_value=False)
    for batch in _batches(values):
        builder.add(batch)
    if builder.restart is None:
        return builder.finish()
    for batch in _batches(values):
        builder.restart.add(batch)
    return builder.restart.finish()


def _batches(values: pa.Array | pa.ChunkedArray) -> Iterator[pa.Array]:
    for chunk in values.chunks if isinstance(values, pa.ChunkedArray) else [values]:
        for start in range(0, len(chunk), _BATCH_ROWS):
            yield chunk.slice(start, _BATCH_ROWS)


def _column_of_array(name: str, values: np.ndarray, is_nominal: bool) -> Column:
    declared = Kind.NOMINAL if is_nominal else None
    if values.dtype.kind == "b":
        kind = declared or Kind.BOOLEAN
        return Column(name, kind, values.astype(np.int8), ("False", "True"))
    if values.dtype.kind in "iuf" and not _are_rounded(values):
        column = Column(name, Kind.NUMERIC, with_one_zero(values.astype(np.float64)))
        return column.by_value() if is_nominal else column
    if values.dtype.kind in "cSV":
        raise ColumnKindError.from_type(name, values.dtype)
    return column_of_objects(name, values if values.dtype.kind == "M" else values.tolist(), declared)


def _are_rounded(values: np.ndarray) -> bool:
    """Return whether converting to floats would make some of the numbers equal."""
    if values.dtype.kind == "f":
        with np.errstate(over="ignore"):
            floats = values.astype(np.float64, copy=False)
        return values.dtype.itemsize > 8 and bool(((floats != values) & ~np.isnan(values)).any())
    if values.dtype.itemsize < 8 or not len(values):
        return False
    return int(values.max()) > LARGEST_EXACT_INTEGER or int(values.min()) < -LARGEST_EXACT_INTEGER


def _names_of_array(names: Sequence[str] | None, n_columns: int) -> Names:
    if names is None:
        return Names(tuple(f"x{j}" for j in range(n_columns)))
    if len(names) != n_columns:
        raise ParameterError(f"There are {len(names)} names for {n_columns} columns. Give one name for each column.")
    unique = Names.from_written([str(name) for name in names])
    unique.warn("The array")
    return unique


def _categorical_positions(categorical: Sequence[Any] | np.ndarray | None, names: Names) -> Collection[int]:
    """Return the positions that a list of positions, a list of names or a mask points to."""
    if categorical is None:
        return ()
    listed = np.asarray(categorical).tolist()
    n_columns = len(names.unique)
    if listed and all(isinstance(item, bool) for item in listed):
        if len(listed) != n_columns:
            raise ParameterError(f"The mask categorical=... has {len(listed)} entries for {n_columns} columns.")
        return {j for j, is_nominal in enumerate(listed) if is_nominal}
    header = Layout.from_request(names, {item: Kind.NOMINAL for item in listed if isinstance(item, str)}, ())
    positions = {item for item in listed if not isinstance(item, str)}
    if any(not 0 <= j < n_columns for j in positions):
        raise ParameterError(f"categorical={listed} points outside the {n_columns} columns, which count from 0.")
    return positions | set(header.kinds)


def table_from(X: object) -> Table:
    """Type the columns of a frame, an array or a sparse matrix."""
    if isinstance(X, Table):
        return X
    if hasattr(X, "tocsc"):
        return from_sparse(X)
    if isinstance(X, list | tuple):  # as objects, so that 1 and "1" stay what they are
        return from_array(np.array(X, dtype=object))
    if isinstance(X, np.ndarray):
        return from_array(X)
    return from_frame(X)


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
