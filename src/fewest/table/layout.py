"""The columns of a source: their names, made unique, which are wanted, and the kinds that the user declares."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from fewest.exceptions import ColumnNameWarning, ParameterError, UnknownColumnError
from fewest.table.column import Column, Kind
from fewest.table.table import Table

_MOST_SHOWN = 5


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
        """Name the nameless by position, counted from 1, and number the repeated.

        >>> Names.from_written(["a", " a ", ""]).unique
        ('a', 'a.2', 'column_3')
        """
        written = [name.strip() for name in written]
        free = _FreeNames(written)
        columns: dict[str, list[str]] = {}
        unique, renamed = [], []
        for i, name in enumerate(written):
            if name and name not in columns:
                unique.append(name)
            else:
                renamed.append(i)
                unique.append(free.take(name or f"column_{i + 1}"))
            if name:
                columns.setdefault(name, []).append(unique[-1])
        ambiguous = tuple((name, tuple(owners)) for name, owners in columns.items() if len(owners) > 1)
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
    """Gives out ``name``, or ``name.2``, ``name.3``, ... whichever is not taken."""

    def __init__(self, taken: Iterable[str]):
        self._taken = set(taken)
        self._numbers: dict[str, int] = {}  # where the last search ended: a thousand namesakes take a thousand steps

    def take(self, name: str) -> str:
        number, candidate = self._numbers.get(name, 1), name
        while candidate in self._taken:
            number += 1
            candidate = f"{name}.{number}"
        self._numbers[name] = number
        self._taken.add(candidate)
        return candidate


@dataclass(frozen=True)
class Layout:
    """The columns to build: their positions in the source and the kinds declared for them."""

    names: Names
    kept: tuple[int, ...]
    kinds: dict[int, Kind]

    @classmethod
    def from_request(cls, names: Names, kinds: Mapping[str, str] | None, drop: str | Iterable[str]) -> Layout:
        """Resolve names and globs against the source, before a row of it is read."""
        header = _header(names, range(len(names.unique)))
        patterns = [drop] if isinstance(drop, str) else drop
        dropped = {i for pattern in patterns for i in header.matches(pattern)}
        kept = tuple(i for i in range(len(names.unique)) if i not in dropped)
        left = replace(header, columns=tuple(header.columns[i] for i in kept))
        declared = {_position(name, header, left): _checked_kind(name, kind) for name, kind in (kinds or {}).items()}
        return cls(names, kept, declared)

    def header(self) -> Table:
        """Return the wanted columns without any row."""
        return _header(self.names, self.kept)

    def table(self, columns: Iterable[Column], n_rows: int) -> Table:
        """Return the columns, once built, as a table."""
        return Table(tuple(columns), n_rows, self.names.ambiguous)


def _header(names: Names, kept: Iterable[int]) -> Table:
    return Table(tuple(Column(names.unique[i], Kind.NOMINAL, np.empty(0)) for i in kept), 0, names.ambiguous)


def _position(name: str, header: Table, left: Table) -> int:
    """Return the place in the source of a name, which may be unique among the columns left."""
    try:
        return header.names.index(left[name].name)
    except UnknownColumnError:
        return header.position(name)


def _checked_kind(name: str, kind: str) -> Kind:
    try:
        return Kind(kind)
    except ValueError:
        raise ParameterError.from_choice(f"kinds[{name!r}]", kind, (known.value for known in Kind)) from None
