"""Where rows come from: arrays, sparse matrices and tables, a block of rows at a time."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np

from fewest.exceptions import ParameterError
from fewest.table import Kind, Table

# Blocks that stay close to the processor between the steps of laying them out.
BLOCK_CELLS = 1 << 17


class Source(Protocol):
    """Rows of numbers and of names (as codes), NaN where a value is missing."""

    n_rows: int
    is_name: np.ndarray
    fewest_rows: int
    """Rows that a block should have at the least, because each costs something by itself."""

    def block(self, rows: slice | np.ndarray) -> np.ndarray:
        """Return some rows as an array of numbers."""


class ArraySource:
    """An array of numbers or truths."""

    fewest_rows = 1

    def __init__(self, X: np.ndarray):
        self.array = X
        self.n_rows = len(X)
        self.is_name = np.zeros(X.shape[1], dtype=bool)

    def block(self, rows: slice | np.ndarray) -> np.ndarray:
        """Return some rows as they are."""
        found = self.array[rows]
        return found.view(np.uint8) if found.dtype == bool else found


class SparseSource:
    """A SciPy sparse matrix, in which what is not stored is 0."""

    fewest_rows = 16

    def __init__(self, X: Any):
        self._X = X.tocsr()
        self.n_rows = X.shape[0]
        self.is_name = np.zeros(X.shape[1], dtype=bool)

    def block(self, rows: slice | np.ndarray) -> np.ndarray:
        """Return some rows, dense."""
        found = self._X[rows].toarray()
        return found.view(np.uint8) if found.dtype == bool else found


class TableSource:
    """Typed columns: numbers and truths are numbers, names are codes."""

    fewest_rows = 32

    def __init__(self, table: Table):
        self._table = table
        self.n_rows = table.n_rows
        self.is_name = np.array([column.kind is Kind.NOMINAL for column in table], dtype=bool)
        self._has_missing = [bool(column.n_missing) for column in table]
        for column in table:
            if column.kind is Kind.NUMERIC and np.isinf(column.values).any():
                raise ParameterError.from_infinity(column.name)

    def block(self, rows: slice | np.ndarray) -> np.ndarray:
        """Put the columns side by side."""
        columns = []
        for column, has_missing in zip(self._table, self._has_missing, strict=True):
            values = column.values[rows]
            if has_missing and column.kind is not Kind.NUMERIC:
                values = np.where(values < 0, np.nan, values)
            columns.append(values)
        return np.stack(columns, axis=1).astype(np.float64, copy=False)


class ValuesSource:
    """Rows of values that are already what `Source` says."""

    fewest_rows = 1

    def __init__(self, values: np.ndarray, is_name: np.ndarray):
        self._values, self.is_name, self.n_rows = values, is_name, len(values)

    def block(self, rows: slice | np.ndarray) -> np.ndarray:
        """Return some rows as they are."""
        return self._values[rows]


class Scale(NamedTuple):
    """How numbers are scaled to a range of 1 around 0: less the middle of their range, in units of it."""

    middle: np.ndarray
    unit: np.ndarray

    @classmethod
    def from_range(cls, low: np.ndarray, high: np.ndarray) -> Scale:
        """A feature without values has its middle at 0, and one that never differs a unit of 1."""
        middle = np.where(low <= high, np.nan_to_num(low / 2, posinf=0) + np.nan_to_num(high / 2, neginf=0), 0.0)
        with np.errstate(invalid="ignore"):
            spread = high - low
        return cls(middle, np.where(np.isfinite(spread) & (spread > 0), spread, 1.0))

    def of_feature(self, f: int, numbers: np.ndarray) -> np.ndarray:
        """Scale the numbers of one feature."""
        return ((numbers - self.middle[f]) / self.unit[f]).astype(np.float32)

    def laid_out(self, block: np.ndarray, is_name: np.ndarray) -> np.ndarray:
        """Return numbers scaled to [-1/2, 1/2], then codes of names, in single precision; NaN where missing."""
        if not is_name.any():
            return ((block - self.middle) / self.unit).astype(np.float32)
        is_number = ~is_name
        n_numbers = int(is_number.sum())
        values = np.empty(block.shape, dtype=np.float32)
        values[:, :n_numbers] = (block[:, is_number] - self.middle[is_number]) / self.unit[is_number]
        values[:, n_numbers:] = block[:, is_name]
        return values


class Survey:
    """What one has to know of all rows before comparing two: ranges, gaps, and whether numbers take two values only.

    Attributes
    ----------
    low, high : ndarray of shape (n_features,)
        The range of every feature; the largest code for names.
    has_missing : ndarray of shape (n_features,)
    is_discrete : bool
        Whether every number takes at most two values, names are few, and nothing is missing, so that rows are bits.
    """

    MOST_CODES = 16

    def __init__(self, source: Source):
        n_features = len(source.is_name)
        self.low, self.high = np.full(n_features, np.inf), np.full(n_features, -np.inf)
        self.has_missing = np.zeros(n_features, dtype=bool)
        for rows in slices(source):
            block = source.block(rows)
            if block.dtype.kind == "f":
                self.has_missing |= np.isnan(block.min(axis=0))
            self.low = np.fmin(self.low, np.fmin.reduce(block, axis=0))
            self.high = np.fmax(self.high, np.fmax.reduce(block, axis=0))
        self.is_discrete = not self.has_missing.any() and self._are_bits(source)

    @property
    def scale(self) -> Scale:
        """Return how numbers are scaled."""
        return Scale.from_range(self.low, self.high)

    def _are_bits(self, source: Source) -> bool:
        if (self.high[source.is_name] >= self.MOST_CODES).any():
            return False
        low, high = self.low, self.high
        for rows in slices(source, first=64):
            block = source.block(rows)
            if block.dtype == np.uint8 and (low >= 0).all() and (high <= 1).all():
                return True
            is_two_valued = ((block == low) | (block == high)).all(axis=0)
            if not (is_two_valued | source.is_name).all():
                return False
        return True


def slices(source: Source, first: int | None = None):
    """Yield slices of about `BLOCK_CELLS` cells that make up all rows; the first one can be shorter."""
    step = max(source.fewest_rows, BLOCK_CELLS // max(1, len(source.is_name)))
    start, stop = 0, min(first or step, step)
    while start < source.n_rows:
        yield slice(start, min(stop, source.n_rows))
        start, stop = stop, stop + step
