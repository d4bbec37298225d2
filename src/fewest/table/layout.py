"""Which columns of a source are wanted, and what the user has said they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from fewest.exceptions import ParameterError, UnknownColumnError
from fewest.table.column import Column, Kind
from fewest.table.names import Names
from fewest.table.table import Table


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
    """Return the place in the source of a name, which may have become clear by what was dropped."""
    try:
        return header.names.index(left[name].name)
    except UnknownColumnError:
        return header.position(name)


def _checked_kind(name: str, kind: str) -> Kind:
    try:
        return Kind(kind)
    except ValueError:
        raise ParameterError.from_choice(f"kinds[{name!r}]", kind, (known.value for known in Kind)) from None
