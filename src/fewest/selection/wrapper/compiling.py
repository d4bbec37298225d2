"""Whether it is worth compiling: a short search should not wait for a compiler."""

from __future__ import annotations

import sys

# Numbers that NumPy gets through in about the time that loading, let alone compiling, a kernel takes.
LITTLE_WORK = 30_000_000


class Workload:
    """Counts the work of a model, and switches to compiled code once it has become much."""

    def __init__(self) -> None:
        self.done = 0

    def is_much(self, n_children: int, size: int, n_rows: int) -> bool:
        """Add to the work; return whether compiled code should do it."""
        self.done += n_children * size * n_rows
        return self.done > LITTLE_WORK or "numba" in sys.modules
