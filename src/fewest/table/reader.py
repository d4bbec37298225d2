"""Readers of files, and reading one or more of them into a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

import pyarrow as pa

from fewest.exceptions import UnreadableFileError
from fewest.table.builder import ColumnBuilder
from fewest.table.column import Column, Kind
from fewest.table.formats import Source
from fewest.table.layout import Layout, Names
from fewest.table.table import Table

Batch = tuple[int, Sequence[pa.Array]]
"""A number of rows, and the wanted columns of these rows."""


class Reader(Protocol):
    """One file whose header has been read, and whose rows can be read as often as needed.

    ``types`` describes what each column is declared to hold, so that files can be compared.
    """

    source: Source
    names: Names
    types: Sequence[object]

    def builder(self, position: int, declared: Kind | None) -> ColumnBuilder:
        """Return a builder for the column at a position."""

    def batches(self, positions: Sequence[int]) -> Iterator[Batch]:
        """Read the columns at the given positions, from the first row on."""


def read_all(readers: Sequence[Reader], layout: Layout) -> Table:
    """Read the files one after another into one table.

    Columns that turn out to be something else on the way are read a second
    time, by themselves; no third time is needed, since they are text then and
    any value fits.
    """
    refuse_different_columns(readers)
    columns: dict[int, Column] = {}
    builders = {i: readers[0].builder(i, layout.kinds.get(i)) for i in layout.kept}
    n_rows = _feed(readers, builders)
    if n_rows == 0:
        raise UnreadableFileError.from_empty(readers[0].source)
    again = {i: builder.restart for i, builder in builders.items() if builder.restart is not None}
    if again:
        _feed(readers, again)
    for i in layout.kept:
        columns[i] = again.get(i, builders[i]).finish()
        del builders[i]
    return layout.table((columns[i] for i in layout.kept), n_rows)


def _feed(readers: Sequence[Reader], builders: Mapping[int, ColumnBuilder]) -> int:
    """Add every row to the builders; return how many there were."""
    names = readers[0].names.unique
    n_rows = 0
    for reader in readers:
        place = {name: i for i, name in enumerate(reader.names.unique)}
        for n_batch, arrays in reader.batches([place[names[i]] for i in builders]):
            n_rows += n_batch
            for builder, array in zip(builders.values(), arrays, strict=True):
                builder.add(array)
    return n_rows


def refuse_different_columns(readers: Sequence[Reader]) -> None:
    """Raise unless all files have the columns of the first, in any order."""
    first = readers[0]
    types = dict(zip(first.names.unique, first.types, strict=True))
    for reader in readers[1:]:
        own = dict(zip(reader.names.unique, reader.types, strict=True))
        faults = [f"{name!r} is missing" for name in types if name not in own]
        faults += [f"{name!r} is extra" for name in own if name not in types]
        faults += [
            f"{name!r} is {own[name]} instead of {dtype}"
            for name, dtype in types.items()
            if own.get(name, dtype) != dtype
        ]
        if faults:
            raise UnreadableFileError.from_reason(
                reader.source,
                f"its columns differ from those of {str(first.source)!r}: {', '.join(faults[:5])}",
                "Files that are read together need the same columns; read them apart.",
            )
