"""How much has been seen: rows that are drawn again tell nothing about other data that they have not told before."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

import numpy as np

from fewest.search.relevance.source import Source

# Rows by whose values data is recognised, besides its target.
ROWS_LOOKED_AT = 8


@dataclass
class Evidence:
    """The rows of every data set that was drawn from, and how many were drawn."""

    known: dict[str, tuple[int, int]] = field(default_factory=dict)

    def add(self, data: str, n_rows: int, n_drawn: int) -> None:
        """Note that rows were drawn, perhaps once more, from the data of that name."""
        _, before = self.known.get(data, (n_rows, 0))
        self.known[data] = n_rows, before + n_drawn

    @property
    def n_rows(self) -> int:
        """Return how many rows can have told something new."""
        return sum(min(pair) for pair in self.known.values())


def name_of(source: Source, target: np.ndarray) -> str:
    """Return a name that the same data always has, and other data has not."""
    rows = np.linspace(0, source.n_rows - 1, min(ROWS_LOOKED_AT, source.n_rows)).astype(np.int64)
    digest = hashlib.blake2b(np.ascontiguousarray(source.block(rows)).tobytes(), digest_size=16)
    digest.update(np.ascontiguousarray(target).tobytes())
    return digest.hexdigest()
