"""The kinds and values of the columns of a source, agreed upon by all its pieces.

Every piece types its columns by the rows it has. Together they decide as one reading of all rows would: numeric if
every value is a number, nominal otherwise; boolean if the labels of all pieces are a pair of opposites.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from fewest.exceptions import TooLargeError
from fewest.table.builder import ColumnBuilder, InferringBuilder
from fewest.table.column import Column, Kind

BOOLEAN_LABELS = ("False", "True")

# Distinct values of one column that are numbered.
MOST_VALUES = 1 << 22


@dataclass(frozen=True)
class TypedPart:
    """A column of some rows, and what it was read as: ``"numeric"``, ``"boolean"`` or ``"nominal"``.

    Rows of other pieces may show that it is something else.
    """

    column: Column
    family: str


@dataclass(frozen=True)
class BooleanPart:
    """A Boolean column of some rows, none of them missing, as the bits that Arrow keeps."""

    values: pa.BooleanArray


@dataclass(frozen=True)
class LabelPart:
    """Classes of some rows as an array has them: numbers, Booleans or text."""

    values: np.ndarray

    def labels_and_codes(self) -> tuple[tuple, np.ndarray]:
        """Return the distinct labels, sorted, and the code of each row's; that of a missing one is after the last."""
        values = self.values
        if values.dtype.kind == "O":
            is_present = np.array([_is_present(value) for value in values], dtype=bool)
        else:
            is_present = values == values  # NaN is not
        labels, own = np.unique(values[is_present], return_inverse=True)
        codes = np.full(len(values), len(labels), dtype=np.int64)
        codes[is_present] = own
        return tuple(labels.tolist()), codes


def _is_present(value: object) -> bool:
    """Return whether a value is not None, NaN or the missing value of a frame, which do not equal themselves."""
    try:
        return value is not None and bool(value == value)
    except TypeError:
        return False


@dataclass(frozen=True)
class SeenColumn:
    """A column as some rows show it: what it was read as, and the distinct values.

    Where ``keeps_numbers`` is set, rows keep numbers instead of codes, and ``values`` are three at most: the least, the
    largest, and another if there is one.
    """

    family: str
    kind: Kind
    values: tuple
    n_present: int
    keeps_numbers: bool = False

    @property
    def is_empty(self) -> bool:
        """Return whether no row has a value."""
        return self.n_present == 0

    def joined(self, other: SeenColumn) -> SeenColumn:
        """Return what both show together; one that is empty shows nothing."""
        if other.is_empty or self.is_empty:
            return self if other.is_empty else other
        family = self.family if self.family == other.family else MIXED
        kind = self.kind if self.kind is other.kind else Kind.NUMERIC
        keeps_numbers = self.keeps_numbers or other.keeps_numbers
        values = _union(self.values, other.values)
        values = extremes(values) if keeps_numbers and family != MIXED else values
        return SeenColumn(family, kind, values, self.n_present + other.n_present, keeps_numbers)


MIXED = "mixed"
"""The family of a column that is numeric in one piece and nominal in another: all must be read as nominal."""


LABELS = "label"
"""The family of classes that came as an array, whose types are not inferred."""


@dataclass(frozen=True)
class AgreedColumn:
    """A column of the source: its kind, and its values in the order of their codes.

    ``keys`` are these values as the pieces know them; missing ones have the code after the last.
    Where ``keeps_numbers`` is set there are no codes: rows keep numbers, and the first and the last of ``labels`` are
    the least and the largest.
    """

    name: str
    kind: Kind
    labels: tuple
    keys: tuple
    n_present: int
    n_distinct: int
    has_missing: bool = False
    keeps_numbers: bool = False

    @property
    def is_numeric(self) -> bool:
        """Return whether it is numeric with more than two values."""
        return self.kind is Kind.NUMERIC and len(self.keys) > 2

    @property
    def n_codes(self) -> int:
        """Return how many codes it has, the one of missing values included if there are any."""
        return max(1, len(self.keys) + self.has_missing)

    def lookup(self, values: Sequence) -> np.ndarray:
        """Return the codes of values, and that of a missing one last.

        A value without a code is one of rows that are left out; there it counts as missing.
        """
        place = {value: code for code, value in enumerate(self.keys)}
        return np.array([*(place.get(value, len(self.keys)) for value in values), len(self.keys)], dtype=np.int64)

    def narrowed(self, seen: SeenColumn, n_rows: int) -> AgreedColumn:
        """Return the column with the values of some rows only, as many as these are."""
        counted = replace(
            self, n_present=seen.n_present, n_distinct=len(seen.values), has_missing=seen.n_present < n_rows
        )
        if self.kind is Kind.BOOLEAN:  # its two labels stand, whichever occur
            return counted
        known = set(seen.values)
        if self.keeps_numbers:
            numbers = tuple(sorted(known))
            return replace(counted, labels=numbers, keys=numbers, keeps_numbers=len(numbers) > 2)
        kept = [(label, key) for label, key in zip(self.labels, self.keys, strict=True) if key in known]
        return replace(counted, labels=tuple(label for label, _ in kept), keys=tuple(key for _, key in kept))


def agree(name: str, seen: SeenColumn, make_builder: Callable[[], ColumnBuilder]) -> AgreedColumn:
    """Decide what a column is from what all rows show.

    Labels are decided by the very builder that reads them, which is given each once.
    """
    if len(seen.values) > MOST_VALUES:
        raise TooLargeError.from_size(
            f"The distinct values of column {name!r}",
            len(seen.values),
            MOST_VALUES,
            "Drop it, or cut it into intervals.",
        )
    counts = seen.n_present, len(seen.values)
    if seen.family == "boolean":  # by its type, even if all of it is missing
        return AgreedColumn(name, Kind.BOOLEAN, BOOLEAN_LABELS, BOOLEAN_LABELS, *counts)
    if seen.is_empty:  # what its type or the user declares stands
        column = make_builder().finish()
        return AgreedColumn(name, column.kind, column.labels, column.labels, *counts)
    if seen.family == LABELS:
        labels = tuple(sorted(seen.values))
        return AgreedColumn(name, Kind.NOMINAL, labels, labels, *counts)
    if seen.family == "numeric" and seen.kind is Kind.BOOLEAN:
        return AgreedColumn(name, Kind.BOOLEAN, ("0", "1"), (0, 1), *counts)
    if seen.family == "numeric":
        numbers = tuple(sorted(seen.values))
        keeps_numbers = seen.keeps_numbers and len(numbers) > 2
        return AgreedColumn(name, Kind.NUMERIC, numbers, numbers, *counts, keeps_numbers=keeps_numbers)
    builder = make_builder()
    builder = builder.as_nominal() if isinstance(builder, InferringBuilder) else builder
    builder.add(pa.array(seen.values, pa.string()))
    column = builder.finish()
    return AgreedColumn(name, column.kind, column.labels, column.labels, *counts)


def extremes(values: Sequence) -> tuple:
    """Return the least and the largest of some values, and between them another if there is one."""
    ordered = sorted(values)
    return tuple(ordered) if len(ordered) <= 3 else (ordered[0], ordered[1], ordered[-1])


def _union(values: tuple, others: tuple) -> tuple:
    known = set(values)
    return (*values, *(value for value in others if value not in known))
