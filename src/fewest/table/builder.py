"""Columns under construction: batches of values go in, one encoded column comes out.

A builder keeps the encoded column and nothing else, so that a file is read in the memory of its codes plus one batch.
Python handles each distinct value of a batch once; the rows stay in Arrow and NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fewest.exceptions import ColumnKindError
from fewest.table.arrow_arrays import as_numpy, from_numpy
from fewest.table.column import (
    MISSING,
    Column,
    Kind,
    floats_of_codes,
    opposites,
    smallest_code_type,
    with_one_zero,
)

Spell = Callable[[pa.Array], Sequence[str | None]]
"""Turns distinct values into their labels, None for a missing one."""

Parse = Callable[[pa.Array], np.ndarray]
"""Turns values into floats, NaN for a missing one; raises `NotNumbersError`."""


class NotNumbersError(Exception):
    """Internal signal: the values are not all numeric."""


class ColumnBuilder(Protocol):
    """The interface of a builder.

    ``restart`` is None until the values prove that the column must be built again from its first row; then it is the
    builder to do it with.
    """

    restart: ColumnBuilder | None

    @property
    def family(self) -> str:
        """Return whether it builds ``"numeric"``, ``"boolean"`` or ``"nominal"``."""

    def __len__(self) -> int:
        """Count the rows so far."""

    def add(self, values: pa.Array) -> None:
        """Add the next batch."""

    def finish(self) -> Column:
        """Return the column of all batches."""


class NominalBuilder:
    """Builds a nominal or boolean column from the labels of its values.

    Parameters
    ----------
    name : str
    spell : Spell
    kind : Kind or None
        None: boolean if the labels are a pair such as yes and no, else nominal.
    labels : sequence of str or None
        Labels declared beforehand, which keep their order. Otherwise the
        labels are sorted, so that the codes do not depend on the order of the rows.
    """

    restart: ColumnBuilder | None = None
    family = "nominal"

    def __init__(self, name: str, spell: Spell, kind: Kind | None = None, labels: Sequence[str] | None = None):
        self._name, self._spell, self._kind = name, spell, kind
        self._is_ordered = labels is not None
        self._codes: dict[str, int] = {label: code for code, label in enumerate(labels or ())}
        self._values = GrowingArray(np.int8)

    def __len__(self) -> int:
        return len(self._values)

    def add_missing(self, n_rows: int) -> None:
        """Add rows without a value."""
        self._values.append(np.full(n_rows, MISSING, dtype=np.int8))

    def add(self, values: pa.Array) -> None:
        """Add the next batch."""
        encoded = values if pa.types.is_dictionary(values.type) else pc.dictionary_encode(values)
        listed = encoded.dictionary
        if pa.types.is_string_view(listed.type):
            listed = listed.cast(pa.string())  # Arrow cannot filter the other
        indices = as_numpy(encoded.indices.cast(pa.int64()), null=len(listed))
        # A dictionary may list values that no row of this batch has; they are no labels.
        used = np.bincount(indices, minlength=len(listed) + 1)[:-1] > 0
        table = np.full(len(used) + 1, MISSING, dtype=np.int64)
        table[:-1][used] = [self._code(label) for label in self._spell(listed.filter(from_numpy(used)))]
        codes = table[indices]
        self._refuse_third_label(codes)
        code_type = smallest_code_type(len(self._codes))
        if np.dtype(code_type) != self._values.dtype:
            self._values.convert(self._values.present().astype(code_type))
        self._values.append(codes)

    def finish(self) -> Column:
        """Return the column of all batches."""
        pair = None if self._kind is Kind.NOMINAL else opposites(self._codes)
        labels = pair or tuple(self._codes if self._is_ordered else sorted(self._codes))
        kind = self._kind or (Kind.BOOLEAN if pair else Kind.NOMINAL)
        code_type = smallest_code_type(len(labels))
        place = {label: code for code, label in enumerate(labels)}
        final = np.array([*(place[label] for label in self._codes), MISSING], dtype=code_type)  # final[-1] is MISSING
        return Column(self._name, kind, final[self._values.finish()], labels)

    def _code(self, label: str | None) -> int:
        return MISSING if label is None else self._codes.setdefault(label, len(self._codes))

    def _refuse_third_label(self, codes: np.ndarray) -> None:
        if self._kind is Kind.BOOLEAN and len(self._codes) > 2:
            row = int(np.argmax(codes >= 2))
            raise ColumnKindError.from_value(
                self._name, Kind.BOOLEAN, list(self._codes)[codes[row]], len(self._values) + row
            )


class NumericBuilder:
    """Builds a numeric column, or a boolean one of zeros and ones.

    Parameters
    ----------
    name : str
    parse : Parse
    by_value : bool
        True for files: a column of zeros and ones is boolean, and a column
        without any value is nominal without labels. False where a type or the
        user has declared the column numeric.
    find_fault : callable or None
        Returns the position of a value that is no number, for the error message.
    """

    restart: ColumnBuilder | None = None
    family = "numeric"

    def __init__(self, name: str, parse: Parse, *, by_value: bool, find_fault: Callable[[pa.Array], int] | None = None):
        self._name, self.parse, self._by_value, self._find_fault = name, parse, by_value, find_fault
        # Most data of this field is zeros and ones: a byte each, until a column holds another number.
        self._values = GrowingArray(np.int8)
        self.is_empty = True

    def __len__(self) -> int:
        return len(self._values)

    def add(self, values: pa.Array) -> None:
        """Add the next batch."""
        try:
            floats = self.parse(values)
        except NotNumbersError:
            if self._find_fault is None:
                raise
            i = self._find_fault(values)
            raise ColumnKindError.from_value(
                self._name, Kind.NUMERIC, str(values[i].as_py()).strip(), len(self) + i
            ) from None
        missing = np.isnan(floats)
        if (missing | (floats == 0) | (floats == 1)).all():
            self.add_codes(np.where(missing, MISSING, floats).astype(np.int8), is_empty=bool(missing.all()))
        else:
            self.add_numbers(floats if floats.flags.owndata else floats.copy())  # Arrow's memory is not to be kept

    def add_codes(self, codes: np.ndarray, *, is_empty: bool) -> None:
        """Add the next batch, parsed already: zeros, ones and `MISSING`, which all are if it is empty.

        It is the column's from now on.
        """
        self.is_empty = self.is_empty and is_empty
        if not len(self._values):
            self._values.convert(codes)
        else:
            self._values.append(codes if self._values.dtype == np.int8 else floats_of_codes(codes))

    def add_numbers(self, floats: np.ndarray) -> None:
        """Add the next batch, parsed already, in which there is another number than zero and one.

        It is the column's from now on.
        """
        self.is_empty = False
        if not len(self._values):
            self._values.convert(floats)
            return
        if self._values.dtype == np.int8:
            self._values.convert(floats_of_codes(self._values.finish()))
        self._values.append(floats)

    def finish(self) -> Column:
        """Return the column of all batches."""
        values = self._values.finish()
        if values.dtype == np.int8 and self._by_value:
            kind, labels = (Kind.NOMINAL, ()) if self.is_empty else (Kind.BOOLEAN, ("0", "1"))
            return Column(self._name, kind, values, labels)
        floats = floats_of_codes(values) if values.dtype == np.int8 else with_one_zero(values)
        return Column(self._name, Kind.NUMERIC, floats)


class InferringBuilder:
    """Builds a numeric column as long as every value is a number, and a nominal one from the first that is not.

    A column of numbers that meets a word must be read again as text from the beginning: its floats do not distinguish
    ``1`` from ``1.0``.

    Parameters
    ----------
    numbers : NumericBuilder
    make_nominal : callable
        Returns the `NominalBuilder` to use instead.
    """

    restart: ColumnBuilder | None = None

    def __init__(self, numbers: NumericBuilder, make_nominal: Callable[[], NominalBuilder]):
        self._numbers, self._make_nominal = numbers, make_nominal
        self._nominal: NominalBuilder | None = None

    def __len__(self) -> int:
        return len(self._nominal or self._numbers)

    @property
    def family(self) -> str:
        """Return ``"numeric"`` or ``"nominal"``, by the values so far."""
        return (self._nominal or self._numbers).family

    @property
    def takes_numbers(self) -> bool:
        """Return whether every value so far is a number."""
        return self._nominal is None and self.restart is None

    @property
    def parse(self) -> Parse:
        """Return what parses its numbers: columns of one file share it."""
        return self._numbers.parse

    def add_codes(self, codes: np.ndarray, *, is_empty: bool) -> None:
        """Add the next batch, parsed already: see `NumericBuilder.add_codes`."""
        self._numbers.add_codes(codes, is_empty=is_empty)

    def add_numbers(self, floats: np.ndarray) -> None:
        """Add the next batch, parsed already: see `NumericBuilder.add_numbers`."""
        self._numbers.add_numbers(floats)

    def as_nominal(self) -> NominalBuilder:
        """Return a builder for the same column that takes every value as a category."""
        return self._make_nominal()

    def add(self, values: pa.Array) -> None:
        """Add the next batch."""
        if self.restart is not None:
            return
        if self._nominal is not None:
            self._nominal.add(values)
            return
        try:
            self._numbers.add(values)
        except NotNumbersError:
            self._demote(values)

    def finish(self) -> Column:
        """Return the column of all batches."""
        return (self._nominal or self._numbers).finish()

    def _demote(self, values: pa.Array) -> None:
        nominal = self._make_nominal()
        if not self._numbers.is_empty:
            self.restart = nominal
            return
        nominal.add_missing(len(self._numbers))
        nominal.add(values)
        self._nominal = nominal


class BooleanBuilder:
    """Builds a boolean column from values that are true or false by type."""

    restart: ColumnBuilder | None = None
    family = "boolean"

    def __init__(self, name: str):
        self._name = name
        self._values = GrowingArray(np.int8)

    def __len__(self) -> int:
        return len(self._values)

    def add(self, values: pa.Array) -> None:
        """Add the next batch."""
        self._values.append(as_numpy(values.cast(pa.int8()), null=MISSING))

    def finish(self) -> Column:
        """Return the column of all batches."""
        return Column(self._name, Kind.BOOLEAN, self._values.finish(), ("False", "True"))


class GrowingArray:
    """Values appended chunk by chunk, in one piece of memory.

    A list of chunks would have to be joined in the end, and would hold every
    column twice by then.
    """

    def __init__(self, dtype: Any):
        self._values = np.empty(0, dtype=dtype)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    @property
    def dtype(self) -> np.dtype:
        """Return the type of the values."""
        return self._values.dtype

    def append(self, chunk: np.ndarray) -> None:
        """Append a chunk."""
        end = self._length + len(chunk)
        if end > len(self._values):
            if not self._values.flags.owndata:  # what it was converted to may be a part of something
                self._values = self._values.copy()
            # By a quarter, so that all copying together stays linear; no view of the old memory ever leaves this class.
            self._values.resize(end + end // 4, refcheck=False)
        self._values[self._length : end] = chunk
        self._length = end

    def convert(self, values: np.ndarray) -> None:
        """Replace the values so far by others, of another type."""
        self._values, self._length = values, len(values)

    def present(self) -> np.ndarray:
        """Return a copy of the values so far."""
        return self._values[: self._length].copy()

    def finish(self) -> np.ndarray:
        """Return the values without a copy; nothing can be appended afterwards."""
        self._values.resize(self._length, refcheck=False)
        return self._values
