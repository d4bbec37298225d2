"""Memory in which one feature's line after the other grows."""

from __future__ import annotations

import numpy as np

from fewest.cfp.kernels.cuts import EARLY, room_for_cuts
from fewest.cfp.kernels.line import Line
from fewest.cfp.kernels.partitions import block_length
from fewest.cfp.kernels.places import AHEAD, room_for_grid

N_SIZES = 7


class LineMemory:
    """The arrays of a line, used again by the next one: memory that is fresh every time is slow.

    Only one line may be in use at a time.
    """

    def __init__(self) -> None:
        self._line: Line | None = None

    def line(self, n_places: int) -> Line:
        """Return a line with room for so many places, at least; nothing in it has a meaning yet."""
        if self._line is None or len(self._line.place) < n_places:
            self._line = None  # let go of it first
            self._line = _line(n_places)
        return self._line


def _line(n_places: int) -> Line:
    cuts, kept = room_for_cuts(n_places)
    larger = {
        "place": np.empty(n_places),
        "guide_place": np.empty(n_places + AHEAD),
        "cuts": cuts,
        "kept": kept,
        "where": np.empty(block_length(n_places) + EARLY, dtype=np.uint32),
        "grid": room_for_grid(n_places),
        "sizes": np.empty(N_SIZES, dtype=np.int64),
    }
    return Line(**{name: np.empty(n_places, dtype=np.int32) for name in Line._fields} | larger)
