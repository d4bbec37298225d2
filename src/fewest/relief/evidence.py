"""How much has been seen: rows that are drawn again tell nothing about other data that they have not told before."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

import numpy as np

from fewest.relief.rows import Source

# Values by which data is recognised, besides its target, and the rows in which they are at the least.
VALUES_LOOKED_AT, ROWS_LOOKED_AT = 1 << 10, 8


@dataclass
class Evidence:
    """The rows of every data set that was drawn from, and how many were drawn before it was turned to."""

    known: dict[str, tuple[int, int]] = field(default_factory=dict)
    current: str | None = None
    since: int = 0

    def turn_to(self, data: str, n_rows: int, n_drawn: int) -> None:
        """Draw from the data of that name from now on, when so many rows have been drawn in all."""
        self._settle(n_drawn)
        self.known.setdefault(data, (n_rows, 0))
        self.current = data

    def n_rows(self, n_drawn: int) -> int:
        """Return how many rows can have told something new, when so many have been drawn in all."""
        self._settle(n_drawn)
        return sum(min(pair) for pair in self.known.values())

    def _settle(self, n_drawn: int) -> None:
        """Count what was drawn from the current data."""
        if self.current is not None:
            n_rows, before = self.known[self.current]
            self.known[self.current] = n_rows, before + n_drawn - self.since
        self.since = n_drawn


def name_of(source: Source, target: np.ndarray) -> str:
    """Return a name that the same data always has, and that other data hardly ever has.

    It depends on the whole target, but of large data on some of its rows only.
    """
    n_looked_at = max(ROWS_LOOKED_AT, VALUES_LOOKED_AT // max(1, len(source.is_name)))
    rows = np.linspace(0, source.n_rows - 1, min(n_looked_at, source.n_rows)).astype(np.int64)
    values = np.ascontiguousarray(source.block(rows), dtype=np.float64)
    digest = hashlib.blake2b(values.tobytes(), digest_size=16)
    digest.update(np.ascontiguousarray(target).tobytes())
    return digest.hexdigest()
