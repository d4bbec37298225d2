"""A table of typed columns: what every reader produces and every method takes."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fewest.exceptions import AmbiguousColumnError, UnknownColumnError
from fewest.table.column import Column


@dataclass(frozen=True, eq=False)
class Table:
    """Typed columns of equal length.

    ``ambiguous`` remembers the names that several columns of the source
    shared, with their positions: such a column has been renamed, and asking
    for it by the shared name is an error rather than a guess.
    """

    columns: tuple[Column, ...]
    n_rows: int
    ambiguous: tuple[tuple[str, tuple[int, ...]], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Return the column names in order."""
        return tuple(column.name for column in self.columns)

    def __iter__(self) -> Iterator[Column]:
        return iter(self.columns)

    def __getitem__(self, name: str) -> Column:
        return self.columns[self.position(name)]

    def position(self, name: str) -> int:
        """Return where the column called ``name`` stands."""
        for shared, positions in self.ambiguous:
            if shared == name:
                raise AmbiguousColumnError.from_name(name, positions)
        try:
            return self.names.index(name)
        except ValueError:
            raise UnknownColumnError.from_name(name, self.names) from None

    def drop(self, patterns: str | Iterable[str]) -> Table:
        """Return the table without the columns that match any of the names or globs.

        A pattern that matches nothing is a misspelling, and an error.
        """
        patterns = [patterns] if isinstance(patterns, str) else list(patterns)
        dropped = {i for pattern in patterns for i in self.matches(pattern)}
        kept = tuple(column for i, column in enumerate(self.columns) if i not in dropped)
        return Table(kept, self.n_rows, self.ambiguous)

    def matches(self, pattern: str) -> list[int]:
        """Return the positions of the columns that a name or a glob (``id_*``) selects."""
        if pattern in self.names:  # a name that happens to hold glob signs is still a name
            return [self.position(pattern)]
        found = [i for i, name in enumerate(self.names) if fnmatch.fnmatchcase(name, pattern)]
        return found or [self.position(pattern)]

    def take(self, rows: Sequence[int] | np.ndarray) -> Table:
        """Return the given rows (positions or a Boolean mask) as a table."""
        columns = tuple(Column(c.name, c.kind, c.values[rows], c.labels) for c in self.columns)
        n_rows = len(np.arange(self.n_rows)[rows])
        return Table(columns, n_rows, self.ambiguous)
