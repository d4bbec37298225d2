"""Readers of files: their columns by name, which of them are wanted, and reading one or more files into a table."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
import pyarrow as pa

from fewest.exceptions import ColumnNameWarning, ParameterError, UnknownColumnError, UnreadableFileError
from fewest.table.builder import ColumnBuilder, NumericBuilder
from fewest.table.column import Column, Kind
from fewest.table.formats import Source
from fewest.table.spellings import (
    DATE,
    Hints,
    Numbers,
    SpelledParser,
    Spelling,
    Understood,
    common_decimal,
    shows_signs,
    spelled,
    understand,
)
from fewest.table.table import Table
from fewest.table.wide import WIDE, WideColumns, add_together, many_objects

_MOST_SHOWN = 5

Batch = tuple[int, Sequence[pa.Array]]
"""A number of rows, and the wanted columns of these rows."""


@dataclass(frozen=True)
class Names:
    """Unique names, with what had to be done to make them so.

    ``ambiguous`` lists the names that several columns share, each with the
    unique names of these columns; ``renamed`` the positions whose name was
    missing or taken.
    """

    unique: tuple[str, ...]
    ambiguous: tuple[tuple[str, tuple[str, ...]], ...] = ()
    renamed: tuple[int, ...] = ()

    @classmethod
    def from_written(cls, written: Sequence[str]) -> Names:
        """Name the nameless by position, counted from 1, and number all of those that share a name.

        The first of them is numbered, too: a unique name never is one that several share, so that it can be looked up.

        >>> Names.from_written(["a", " a ", ""]).unique
        ('a.1', 'a.2', 'column_3')
        """
        written = [name.strip() for name in written]
        counts = Counter(written)
        free = _FreeNames(counts)
        columns: dict[str, list[str]] = {}
        unique, renamed = [], []
        for i, name in enumerate(written):
            if name and counts[name] == 1:
                unique.append(name)
                continue
            renamed.append(i)
            unique.append(free.numbered(name) if name else free.take(f"column_{i + 1}"))
            if name:
                columns.setdefault(name, []).append(unique[-1])
        ambiguous = tuple((name, tuple(owners)) for name, owners in columns.items())
        return cls(tuple(unique), ambiguous, tuple(renamed))

    def warn(self, source: object) -> None:
        """Warn once of the columns that were given a name."""
        if not self.renamed:
            return
        shown = [f"column {i + 1} is now {self.unique[i]!r}" for i in self.renamed[:_MOST_SHOWN]]
        hidden = len(self.renamed) - len(shown)
        listed = ", ".join(shown) + (f", and {hidden} more" if hidden else "")
        warnings.warn(
            f"{source}: column names are missing or repeated, so {listed}. Name each column once to avoid it.",
            ColumnNameWarning,
            stacklevel=3,
        )


class _FreeNames:
    """Gives out names that are not taken: ``name``, or ``name.1``, ``name.2``, ..."""

    def __init__(self, taken: Iterable[str]):
        self._taken = set(taken)
        self._numbers: dict[str, int] = {}  # where the last search ended: a thousand namesakes take a thousand steps

    def take(self, name: str) -> str:
        if name in self._taken:
            return self.numbered(name)
        self._taken.add(name)
        return name

    def numbered(self, name: str) -> str:
        number = self._numbers.get(name, 0) + 1
        while f"{name}.{number}" in self._taken:
            number += 1
        self._numbers[name] = number
        self._taken.add(f"{name}.{number}")
        return f"{name}.{number}"


@dataclass(frozen=True)
class Layout:
    """The columns to build: their positions in the source and the kinds declared for them."""

    names: Names
    kept: tuple[int, ...]
    kinds: dict[int, Kind]
    hints: Hints = field(default_factory=Hints)
    dates: frozenset[int] = frozenset()
    spellings: Mapping[int, Spelling] = field(default_factory=dict)

    @classmethod
    def from_request(
        cls, names: Names, kinds: Mapping[str, str] | None, drop: str | Iterable[str], hints: Hints | None = None
    ) -> Layout:
        """Resolve names and globs against the source, before a row of it is read."""
        header = _header(names, range(len(names.unique)))
        patterns = [drop] if isinstance(drop, str) else drop
        dropped = {i for pattern in patterns for i in header.matches(pattern)}
        kept = tuple(i for i in range(len(names.unique)) if i not in dropped)
        left = replace(header, columns=tuple(header.columns[i] for i in kept))
        declared = {_position(name, header, left): _checked_kind(name, kind) for name, kind in (kinds or {}).items()}
        dates = frozenset(_position(name, header, left) for name, kind in (kinds or {}).items() if kind == DATE)
        return cls(names, kept, declared, hints or Hints(), dates)

    def builder(self, reader: Reader, i: int, position: int) -> ColumnBuilder:
        """Return the builder of a column: in its spelling, where that is known, or as the reader has it."""
        if i not in self.spellings:
            return reader.builder(position, self.kinds.get(i))
        parse = SpelledParser(self.spellings[i], frozenset(reader.null_values))
        return NumericBuilder(self.names.unique[i], parse, by_value=False)

    def understood(self, columns: Mapping[int, Column]) -> tuple[dict[int, Spelling], list[Understood]]:
        """Return the spellings of those nominal columns that mean numbers or dates, and what there is to say of them.

        Where a column leaves the decimal sign open, that of the others decides.
        """
        found: dict[int, tuple[Spelling | None, Understood | None]] = {}
        for i, column in columns.items():
            if column.kind is Kind.NOMINAL and (i in self.dates or i not in self.kinds):
                found[i] = understand(column, self.hints, as_dates=i in self.dates)
        sure = [
            spelling
            for i, (spelling, record) in found.items()
            if spelling and record and not record.is_ambiguous and shows_signs(columns[i].labels)
        ]
        decimal = common_decimal(sure)
        if decimal is not None and self.hints.decimal is None:
            hints = replace(self.hints, decimal=decimal)
            for i, (spelling, record) in found.items():
                if isinstance(spelling, Numbers) and record is not None and record.is_ambiguous:
                    found[i] = understand(columns[i], hints)
        spellings = {i: spelling for i, (spelling, _) in found.items() if spelling is not None}
        return spellings, [record for _, record in found.values() if record is not None]

    def thousands_taken_for_decimals(
        self, values: Mapping[int, np.ndarray], spellings: Mapping[int, Spelling]
    ) -> list[int]:
        """Return the columns whose points may stand between thousands, since other columns have decimal commas."""
        written = [spelling for spelling in spellings.values() if isinstance(spelling, Numbers) and spelling.has_signs]
        if (self.hints.decimal or common_decimal(written)) != ",":
            return []
        return [i for i, own in values.items() if i not in self.kinds and _may_be_thousands(own)]

    def header(self) -> Table:
        """Return the wanted columns without any row."""
        return _header(self.names, self.kept)

    def table(self, columns: Iterable[Column], n_rows: int, understood: Iterable[Understood] = ()) -> Table:
        """Return the columns, once built, as a table."""
        return Table(tuple(columns), n_rows, self.names.ambiguous, understood=tuple(understood))


def _may_be_thousands(values: np.ndarray) -> bool:
    """Return whether some numbers have decimals, but none more than three: 1.234 may be 1,234."""
    present = values[np.isfinite(values)]
    thousandfold = present * 1000
    is_whole = np.abs(thousandfold - np.rint(thousandfold)) < 1e-6
    return bool((present != np.floor(present)).any() and is_whole.all() and (np.abs(present) < 1000).all())


def _header(names: Names, kept: Iterable[int]) -> Table:
    nothing = np.empty(0)
    return Table(tuple(Column(names.unique[i], Kind.NOMINAL, nothing) for i in kept), 0, names.ambiguous)


def _position(name: str, header: Table, left: Table) -> int:
    """Return the place in the source of a name, which may be unique among the columns left."""
    try:
        return header.names.index(left[name].name)
    except UnknownColumnError:
        return header.position(name)


def _checked_kind(name: str, kind: str) -> Kind:
    """Return the kind that a column is read as: dates are text first."""
    try:
        return Kind.NOMINAL if kind == DATE else Kind(kind)
    except ValueError:
        raise ParameterError.from_choice(f"kinds[{name!r}]", kind, (*(known.value for known in Kind), DATE)) from None


class Reader(Protocol):
    """One file whose header has been read, and whose rows can be read as often as needed.

    ``types`` describes what each column is declared to hold, so that files can be compared.
    """

    source: Source
    names: Names
    types: Sequence[object]
    null_values: tuple[str, ...]

    def is_text(self, position: int) -> bool:
        """Return whether the values of a column come as text, or as dates, which may mean numbers."""

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
    with many_objects() if len(layout.kept) >= WIDE else nullcontext():
        return _read_all(readers, layout)


def _read_all(readers: Sequence[Reader], layout: Layout) -> Table:
    refuse_different_columns(readers)
    columns: dict[int, Column] = {}
    reader = readers[0]
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
    texts = {i: column for i, column in columns.items() if reader.is_text(i)}
    spellings, records = layout.understood(texts)
    numeric = {i: column.values for i, column in texts.items() if column.kind is Kind.NUMERIC}
    if thousands := layout.thousands_taken_for_decimals(numeric, spellings):
        nominal = {i: reader.builder(i, Kind.NOMINAL) for i in thousands}
        _feed(readers, nominal)
        written = {i: builder.finish() for i, builder in nominal.items()}
        hinted = replace(layout, hints=replace(layout.hints, decimal=","))
        more, said = hinted.understood(written)
        columns |= {i: written[i] for i in more}
        spellings |= more
        records += [record for record in said if record.is_read]
    for i, spelling in spellings.items():
        columns[i] = spelled(columns[i], spelling)
    return layout.table((columns[i] for i in layout.kept), n_rows, records)


def _feed(readers: Sequence[Reader], builders: Mapping[int, ColumnBuilder]) -> int:
    """Add every row to the builders; return how many there were."""
    names = readers[0].names.unique
    n_rows = 0
    for reader in readers:
        place = {name: i for i, name in enumerate(reader.names.unique)}
        for n_batch, arrays in reader.batches([place[names[i]] for i in builders]):
            n_rows += n_batch
            if isinstance(arrays, WideColumns):
                add_together(builders, arrays)
                continue
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
