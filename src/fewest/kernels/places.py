"""Finding values among ascending places, and voting by what is predicted there.

The functions are plain Python; `fewest.kernels.partitions` compiles them, with `locate_fast` for `locate`.
"""

from __future__ import annotations

import numpy as np

NONE = -1
# Places that are counted rather than halved: a processor compares several at a time.
WINDOW = 32
# Among so many places, and for as many values as there are places, a grid leads to the right ones; cells for each.
GRID_FROM, CELLS = 256, 2


def add_votes(values, places, at_class, after_class, weight: float, votes) -> None:
    """Add a feature's weight to the class that it predicts for every value; ``places`` begin with -inf.

    ``at_class`` and ``after_class`` are what is predicted at a place and
    between it and the next, -1 for nothing.
    """
    found, grid = np.empty(len(values), dtype=np.int32), room_for_grid(len(places))
    locate(places, len(places), values, found, grid)
    for row in range(len(values)):
        x, position = values[row], found[row]
        guess = at_class[position] if places[position] == x else after_class[position]
        if guess != NONE and x == x:
            votes[row, guess] += weight


def room_for_grid(n_places: int):
    """Return what `locate` needs to find values among so many places: memory that is fresh every time is slow."""
    return np.empty(CELLS * n_places + 1, dtype=np.int32)


def locate(places, n_places: int, values, found, grid) -> None:  # noqa: ARG001 (the other way has one)
    """Write for every value the position of the last of ascending places that is not above it; the first never is."""
    found[: len(values)] = np.searchsorted(places[:n_places], values, side="right") - 1


def locate_fast(places, n_places: int, values, found, grid) -> None:
    """Do the same in compiled code, where searches that do not depend on each other overlap.

    A grid of equal cells, twice as many as there are places, says for each how many
    places lie in the cells before. Rounding does not matter, since of two numbers the
    larger is never in an earlier cell. Where all places are in few cells, halving takes over.
    """
    if n_places <= WINDOW:
        for i in range(len(values)):
            n_below = 0
            for k in range(1, n_places):
                n_below += places[k] <= values[i]
            found[i] = n_below
        return
    lowest = places[1]
    span = places[n_places - 1] - lowest
    has_grid = n_places >= GRID_FROM and len(values) * 4 >= n_places and 0 < span < np.inf
    n_cells = CELLS * n_places if has_grid else 1
    scale = n_cells / span if has_grid else 0.0
    cell, grid[0] = 0, 1
    for k in range(1, n_places if has_grid else 0):
        own = int(min((places[k] - lowest) * scale, n_cells - 1.0))
        while cell < own:
            cell += 1
            grid[cell] = k
    for later in range(cell + 1, n_cells + 1):
        grid[later] = n_places
    for i in range(len(values)):
        x = values[i]
        low, length = 0, n_places
        if has_grid:
            cell = int(min(max((x - lowest) * scale, 0.0), n_cells - 1.0)) if x == x else 0
            low = grid[cell] - 1
            length = grid[cell + 1] - low
        while length > WINDOW:
            half = length >> 1
            low += half * (places[low + half] <= x)  # no branch to mispredict
            length -= half
        n_below = 0
        for k in range(low + 1, low + length):
            n_below += places[k] <= x
        found[i] = low + n_below
