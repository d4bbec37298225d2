"""Column names as a source wrote them, made unique and never empty."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fewest.exceptions import ColumnNameWarning

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
        """Say once which columns got a name of our making."""
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
    """Hands out ``name``, or ``name.2``, ``name.3``, ... whichever is not taken."""

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
