"""What lists covers within a limit: plain Python does for small searches, compiled code for large ones.

Both engines walk the same tree (`fewest.cover.kernels.covers` describes it), and both
may be given more conflicts between two covers: what has been excluded stays
excluded, since more conflicts never make more covers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np

Check = Callable[[], None]
"""Called now and then during a search; raises to end it."""


class OutOfNodesError(Exception):
    """A plain search has become too large for plain Python."""


class Engine(Protocol):
    """Lists covers of a growing set of conflicts."""

    n_nodes: int

    def add(self, words: np.ndarray) -> None:
        """Add conflicts, word-major."""

    def covers(self, limit: int, check: Check) -> Iterator[tuple[int, ...]]:
        """Yield covers of the conflicts so far that cost at most ``limit``, each once.

        When conflicts have been added after a cover, the search looks at the
        same place again. None is left out that costs exactly the minimum.
        """

    def used(self) -> list[int]:
        """Return the conflicts that the last search needed to exclude what it excluded."""
