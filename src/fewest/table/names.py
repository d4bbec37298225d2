"""Column names as a source wrote them, made unique and never empty."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from fewest.exceptions import ColumnNameWarning

_MOST_SHOWN = 5


@dataclass(frozen=True)
class Names:
    """Unique names, with what had to be done to make them so.

    ``ambiguous`` lists the names that several columns share and their
    positions; ``renamed`` the positions whose name was missing or taken.
    """

    unique: tuple[str, ...]
    ambiguous: tuple[tuple[str, tuple[int, ...]], ...] = ()
    renamed: tuple[int, ...] = ()

    @classmethod
    def from_written(cls, written: Sequence[str]) -> Names:
        """Name the nameless by position, counted from 1, and number the repeated.

        >>> Names.from_written(["a", " a ", ""]).unique
        ('a', 'a.2', 'column_3')
        """
        written = [name.strip() for name in written]
        counts = Counter(name for name in written if name)
        taken, seen = set(counts), set()
        unique, renamed = [], []
        for i, name in enumerate(written):
            if not name or name in seen:
                renamed.append(i)
                name = _free(name or f"column_{i + 1}", taken)
                taken.add(name)
            seen.add(name)
            unique.append(name)
        shared = [name for name, count in counts.items() if count > 1]
        places = tuple((name, tuple(i for i, other in enumerate(written) if other == name)) for name in shared)
        return cls(tuple(unique), places, tuple(renamed))

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


def _free(name: str, taken: set[str]) -> str:
    """Return ``name``, or ``name.2``, ``name.3``, ... whichever is not taken."""
    number = 1
    candidate = name
    while candidate in taken:
        number += 1
        candidate = f"{name}.{number}"
    return candidate
