"""Rows in memory, whatever they come as: arrays, sparse matrices and tables, some rows at a time; ranges and scales."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np

from fewest.exceptions import ParameterError
from fewest.table import Kind, Table

# Values that stay close to the processor between the steps of laying them out.
PART_VALUES = 1 << 17
# Distances, and differences, that a batch of sampled rows may have, and the rows it may have.
BATCH_DISTANCES, BATCH_DIFFERENCES, MOST_SAMPLED = 1 << 21, 1 << 21, 512


class RowSource(Protocol):
    """Rows of numeric values and of nominal ones (as codes), NaN where a value is missing."""

    n_rows: int
    is_nominal: np.ndarray
    fewest_rows: int
    """Rows that should be asked for at a time at the least, because each request costs something by itself."""

    def part(self, rows: slice | np.ndarray) -> np.ndarray:
        """Return the values of some rows as an array."""


class ArrayRows:
    """An array of numeric or Boolean values."""

    fewest_rows = 1

    def __init__(self, X: np.ndarray):
        self.array = X
        self.n_rows = len(X)
        self.is_nominal = np.zeros(X.shape[1], dtype=bool)

    def part(self, rows: slice | np.ndarray) -> np.ndarray:
        """Return some rows as they are, Boolean values as bytes."""
        found = self.array[rows]
        return found.view(np.uint8) if found.dtype == bool else found


class SparseRows:
    """A SciPy sparse matrix, in which what is not stored is 0."""

    fewest_rows = 16

    def __init__(self, X: Any):
        self._X = X.tocsr()
        self.n_rows = X.shape[0]
        self.is_nominal = np.zeros(X.shape[1], dtype=bool)

    def part(self, rows: slice | np.ndarray) -> np.ndarray:
        """Return some rows as a dense array, Boolean values as bytes."""
        found = self._X[rows].toarray()
        return found.view(np.uint8) if found.dtype == bool else found


def spans_too_much(values: np.ndarray) -> bool:
    """Return whether numbers hold infinity, or their range is beyond the largest float."""
    with np.errstate(over="ignore"):
        return bool(np.isinf(np.fmax.reduce(values, initial=-1.0) - np.fmin.reduce(values, initial=1.0)))


class TableRows:
    """Typed columns: numeric and Boolean ones are numbers, nominal ones are codes."""

    fewest_rows = 32

    def __init__(self, table: Table):
        self._table = table
        self.n_rows = table.n_rows
        self.is_nominal = np.array([column.kind is Kind.NOMINAL for column in table], dtype=bool)
        self._has_missing = [bool(column.n_missing) for column in table]
        for column in table:
            if column.kind is Kind.NUMERIC and spans_too_much(column.values):
                raise ParameterError.from_infinity(column.name)

    def part(self, rows: slice | np.ndarray) -> np.ndarray:
        """Put the columns of some rows side by side."""
        columns = []
        for column, has_missing in zip(self._table, self._has_missing, strict=True):
            values = column.values[rows]
            if has_missing and column.kind is not Kind.NUMERIC:
                values = np.where(values < 0, np.nan, values)
            columns.append(values)
        return np.stack(columns, axis=1).astype(np.float64, copy=False)


class EncodedRows:
    """Values that are already what `RowSource` describes, taken out of blocks."""

    fewest_rows = 1

    def __init__(self, values: np.ndarray, is_nominal: np.ndarray):
        self._values, self.is_nominal, self.n_rows = values, is_nominal, len(values)

    def part(self, rows: slice | np.ndarray) -> np.ndarray:
        """Return some rows as they are."""
        return self._values[rows]


class ChosenColumns:
    """Some of the features of other rows."""

    def __init__(self, source: RowSource, features: np.ndarray):
        self._source, self._features = source, features
        self.n_rows, self.fewest_rows = source.n_rows, source.fewest_rows
        self.is_nominal = source.is_nominal[features]

    def part(self, rows: slice | np.ndarray) -> np.ndarray:
        """Return the chosen features of some rows."""
        return np.ascontiguousarray(self._source.part(rows)[:, self._features])


def slices(source: RowSource, first: int | None = None) -> Iterator[slice]:
    """Yield slices of about `PART_VALUES` values that make up all rows; the first one can be shorter."""
    step = max(source.fewest_rows, PART_VALUES // max(1, len(source.is_nominal)))
    start, stop = 0, min(first or step, step)
    while start < source.n_rows:
        yield slice(start, min(stop, source.n_rows))
        start, stop = stop, stop + step


def parts(order: np.ndarray, n_features: int, multiple: int = 1) -> Iterator[np.ndarray]:
    """Cut row numbers into parts of about `PART_VALUES` values, each of a multiple of this many rows."""
    step = max(1, PART_VALUES // max(1, n_features) // multiple) * multiple
    for start in range(0, len(order), step):
        yield order[start : start + step]


class Scale(NamedTuple):
    """How numeric values are scaled to a range of 1 around 0: less the middle of their range, in units of it."""

    middle: np.ndarray
    unit: np.ndarray

    @classmethod
    def from_range(cls, low: np.ndarray, high: np.ndarray) -> Scale:
        """Return the scale of features with these ranges.

        A feature without values has its middle at 0, and one that never differs a unit of 1.
        """
        middle = np.where(low <= high, np.nan_to_num(low / 2, posinf=0) + np.nan_to_num(high / 2, neginf=0), 0.0)
        with np.errstate(invalid="ignore", over="ignore"):
            spread = high - low
        if len(beyond := np.flatnonzero(np.isposinf(spread))):
            raise ParameterError.from_infinity(f"{beyond[0]}, counted from 0,")
        return cls(middle, np.where(np.isfinite(spread) & (spread > 0), spread, 1.0))

    def of_feature(self, f: int, values: np.ndarray) -> np.ndarray:
        """Scale the values of one feature."""
        return ((values - self.middle[f]) / self.unit[f]).astype(np.float32)

    def laid_out(self, part: np.ndarray, is_nominal: np.ndarray) -> np.ndarray:
        """Return numeric values scaled to [-1/2, 1/2], then nominal codes, in single precision; NaN where missing."""
        if not is_nominal.any():
            return ((part - self.middle) / self.unit).astype(np.float32)
        is_numeric = ~is_nominal
        n_numeric = int(is_numeric.sum())
        values = np.empty(part.shape, dtype=np.float32)
        values[:, :n_numeric] = (part[:, is_numeric] - self.middle[is_numeric]) / self.unit[is_numeric]
        values[:, n_numeric:] = part[:, is_nominal]
        return values


class Survey:
    """What must be known of all rows before two are compared: ranges, gaps, and whether rows can be bits.

    Attributes
    ----------
    low, high : ndarray of shape (n_features,)
        The range of every feature; the largest code of a nominal one.
    has_missing : ndarray of shape (n_features,)
    is_discrete : bool
        Whether numeric features take at most two values, nominal ones few, and nothing is missing, so that rows are
        bits.
    """

    MOST_CODES = 16

    def __init__(self, source: RowSource):
        n_features = len(source.is_nominal)
        self.low, self.high = np.full(n_features, np.inf), np.full(n_features, -np.inf)
        self.has_missing = np.zeros(n_features, dtype=bool)
        for rows in slices(source):
            part = source.part(rows)
            if part.dtype.kind == "f":
                self.has_missing |= np.isnan(part.min(axis=0))
            self.low = np.fmin(self.low, np.fmin.reduce(part, axis=0))
            self.high = np.fmax(self.high, np.fmax.reduce(part, axis=0))
        self.is_discrete = not self.has_missing.any() and self._are_bits(source)

    @property
    def scale(self) -> Scale:
        """Return how numeric values are scaled."""
        return Scale.from_range(self.low, self.high)

    def _are_bits(self, source: RowSource) -> bool:
        if (self.high[source.is_nominal] >= self.MOST_CODES).any():
            return False
        low, high = self.low, self.high
        for rows in slices(source, first=64):
            part = source.part(rows)
            if part.dtype == np.uint8 and (low >= 0).all() and (high <= 1).all():
                return True
            is_two_valued = ((part == low) | (part == high)).all(axis=0)
            if not (is_two_valued | source.is_nominal).all():
                return False
        return True


def duplicates_of(
    rows: np.ndarray, is_certain: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Group equal rows, as the last three fields of `Rows` describe; those not certain to be equal stay single.

    A row of weight 2 is two equal rows.
    """
    if not rows.shape[1]:
        rows = np.zeros((len(rows), 1), dtype=np.uint8)
    as_bytes = np.ascontiguousarray(rows).view(np.dtype((np.void, rows.shape[1] * rows.itemsize)))[:, 0]
    group = np.unique(as_bytes, return_inverse=True)[1]
    certain = np.bincount(group, weights=is_certain)
    shared = np.bincount(group, weights=np.where(is_certain, np.maximum(weights, 1), 0)) > 1
    number = np.where(shared, np.cumsum(shared) - 1, -1)
    duplicate_of = np.where(is_certain, number[group], -1).astype(np.int32)
    members = np.flatnonzero(duplicate_of >= 0)
    members = members[np.argsort(duplicate_of[members], kind="stable")]
    starts = np.append(0, np.cumsum(certain[shared])).astype(np.int64)
    return duplicate_of, members.astype(np.int32), starts


def no_duplicates(n_rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the same for rows of which none is skipped for being equal to another."""
    return np.full(n_rows, -1, np.int32), np.empty(0, np.int32), np.zeros(1, np.int64)
