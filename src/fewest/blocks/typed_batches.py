"""Rows as tables, batch by batch, typed as one reading of all rows would type them.

What a column is depends on all its values: one word among numbers makes the column nominal. Each batch is typed by what
has been seen so far. Where a later value shows that earlier batches were typed otherwise, and that matters to the
caller, reading stops and starts again with the right type.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum

import numpy as np
import pyarrow as pa

from fewest.exceptions import UnreadableFileError
from fewest.table.builder import ColumnBuilder, InferringBuilder, NotNumbersError
from fewest.table.column import Column, Kind, floats_of_codes
from fewest.table.reader import Layout, Reader
from fewest.table.spellings import are_plain, spelled
from fewest.table.table import Table


class Shown(IntEnum):
    """What the values of a column so far are; more values can only raise it."""

    NOTHING = 0
    ZEROS_AND_ONES = 1
    NUMERIC = 2
    NOMINAL = 3


class RetypedError(Exception):
    """A column is not of the type that earlier batches were given; reading once more gives them the right one.

    Attributes
    ----------
    column : str
    shown : Shown
        What its values are.
    n_rows : int
        How many rows were read before.
    """

    def __init__(self, column: str, shown: Shown, n_rows: int):
        super().__init__(column)
        self.column, self.shown, self.n_rows = column, shown, n_rows


Matters = Callable[[str, Shown, Shown], bool]
"""Whether it matters to the caller that a column, by name, was typed as the first and is the second."""


def _always(name: str, taken: Shown, shown: Shown) -> bool:  # noqa: ARG001 (a `Matters`)
    return True


@dataclass
class TypedBatches:
    """Some columns of files, to be read as often as is needed.

    Parameters
    ----------
    readers : sequence of Reader
    layout : Layout
    wanted : sequence of int
        The columns, as positions in the first file.
    matters : Matters
    as_text : collection of str
        Names of columns that stay text, even if all their values mean numbers.
    """

    readers: Sequence[Reader]
    layout: Layout
    wanted: Sequence[int]
    matters: Matters = _always
    as_text: Collection[str] = ()
    _shown: dict[int, Shown] = field(default_factory=dict)
    _ordinary: set[int] = field(default_factory=set)  # columns whose text means no numbers, as some batch showed

    def __iter__(self) -> Iterator[Table]:
        """Yield the batches; raise `RetypedError` when reading has to start again."""
        names = self.layout.names
        n_rows = 0
        for reader in self.readers:
            place = {name: i for i, name in enumerate(reader.names.unique)}
            positions = [place[names.unique[i]] for i in self.wanted]
            for n_batch, arrays in reader.batches(positions):
                columns = {
                    i: self._typed(i, self.layout.builder(reader, i, p), array, n_rows)
                    for i, p, array in zip(self.wanted, positions, arrays, strict=True)
                }
                columns |= self._in_words(columns, reader)
                numbers = np.arange(n_rows, n_rows + n_batch) if n_rows else None
                yield Table(tuple(columns.values()), n_batch, names.ambiguous, numbers)
                n_rows += n_batch
        if n_rows == 0:
            raise UnreadableFileError.from_empty(self.readers[0].source)

    def _typed(self, i: int, builder: ColumnBuilder, array: pa.Array, n_rows: int) -> Column:
        """Type the values of one column by all values so far."""
        if i in self.layout.spellings:
            return self._spelled(i, builder, array, n_rows)
        if not isinstance(builder, InferringBuilder):
            builder.add(array)
            return builder.finish()
        taken = self._shown.get(i, Shown.NOTHING)
        if taken is Shown.NOMINAL:
            builder = builder.as_nominal()
        builder.add(array)
        column = builder.finish()
        own = _shown_by(column, builder.family)
        self._shown[i] = shown = max(taken, own)
        if Shown.NOTHING < taken < shown and self.matters(column.name, taken, shown):
            raise RetypedError(column.name, shown, n_rows)
        if own is Shown.ZEROS_AND_ONES and shown is Shown.NUMERIC:
            return Column(column.name, Kind.NUMERIC, floats_of_codes(column.values))
        return column

    def _spelled(self, i: int, builder: ColumnBuilder, array: pa.Array, n_rows: int) -> Column:
        """Read a column in the spelling of earlier batches; start again as text when it has another."""
        try:
            builder.add(array)
        except NotNumbersError:
            self._ordinary.add(i)
            spellings = {j: spelling for j, spelling in self.layout.spellings.items() if j != i}
            self.layout = replace(self.layout, spellings=spellings)
            raise RetypedError(self.layout.names.unique[i], Shown.NOMINAL, n_rows) from None
        return builder.finish()

    def _in_words(self, columns: Mapping[int, Column], reader: Reader) -> dict[int, Column]:
        """Return those columns whose text means numbers or dates, as numeric ones; later batches are read like them."""
        place = {name: i for i, name in enumerate(reader.names.unique)}
        texts = {
            i: column
            for i, column in columns.items()
            if i not in self._ordinary and column.name not in self.as_text and reader.is_text(place[column.name])
        }
        spellings, _ = self.layout.understood(texts)
        self.layout = replace(self.layout, spellings={**self.layout.spellings, **spellings})
        words = {i for i, column in texts.items() if column.kind is Kind.NOMINAL and not are_plain(column.labels)}
        self._ordinary |= words - set(spellings)
        return {i: spelled(columns[i], spelling) for i, spelling in spellings.items()}


def _shown_by(column: Column, family: str) -> Shown:
    if family == "nominal":
        return Shown.NOMINAL
    if column.kind is Kind.NUMERIC:
        return Shown.NUMERIC
    return Shown.ZEROS_AND_ONES if column.kind is Kind.BOOLEAN else Shown.NOTHING
