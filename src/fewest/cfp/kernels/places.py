"""Finding values among ascending places, and voting by what is predicted there.

Where a value lies is one number: twice the position of the last place that is
not above it, and one more if it is at that place and not beyond.

The functions run as plain Python or compiled, where `locate_fast` does the work of `locate`.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiling import compilable

NONE = -1
# Places that are counted rather than halved: a processor compares several at a time.
WINDOW = 32
# Among so many places, and for as many values as there are places, a grid leads to the right ones; cells for each.
GRID_FROM, CELLS = 256, 4
# Places that are looked at in any case, one after the other: to know how many to look at would take longer.
# So many infinities follow the last place.
AHEAD = 3


@compilable()
def add_votes(values, places, outcomes, weight: float, votes) -> None:
    """Add a feature's weight to the class that it predicts for every value; ``places`` are those of `padded`.

    ``outcomes`` are what is predicted between the places and at them, -1 for nothing, by where a value lies.
    """
    where, grid = np.empty(len(values), dtype=np.uint32), room_for_grid(len(places))
    locate(places, len(places) - AHEAD, values, where, grid)
    for row in range(len(values)):
        guess = outcomes[where[row]]
        if guess != NONE:
            votes[row, guess] += weight


@compilable()
def add_shares(values, places, shares, weight: float, votes) -> None:
    """Divide a feature's weight among the classes for every value; ``shares`` are theirs, by where a value lies."""
    where, grid = np.empty(len(values), dtype=np.uint32), room_for_grid(len(places))
    locate(places, len(places) - AHEAD, values, where, grid)
    for row in range(len(values)):
        for label in range(votes.shape[1]):
            votes[row, label] += weight * shares[where[row], label]


def padded(places):
    """Return ascending places between -inf, which no value is below, and the infinities that searches look at."""
    return np.concatenate([np.array([-np.inf]), places, np.full(AHEAD, np.inf)])


@compilable(how="compiled_within")
def signed(number) -> int:
    """Return a whole number that cannot be negative as one that can: in compiled code, both together make a float.

    That it is not negative still saves the compiler from counting from the end of an array.
    """
    return int(np.int64(number))


@compilable()
def room_for_grid(n_places: int):
    """Return what `locate` needs to find values among so many places: memory that is fresh every time is slow."""
    return np.empty(CELLS * n_places + 1, dtype=np.uint32)


@compilable(how="compiled_in_place")
def lay_grid(places, n_places: int, grid, scale: float) -> None:
    """Write for every cell the position of the first place that is in it or in a later one."""
    n_cells = CELLS * n_places
    grid[: n_cells + 1] = 0
    for k in range(1, n_places):
        grid[int(min((places[k] - places[1]) * scale, n_cells - 1.0)) + 1] += 1
    first = 1
    for cell in range(n_cells + 1):
        first += grid[cell]
        grid[cell] = first


@compilable(how="compiled_in_place")
def locate_fast(places, n_places: int, values, where, grid) -> None:
    """Do what `locate` does, in compiled code, where searches that do not depend on each other overlap.

    A grid of equal cells says for each how many places lie in the cells
    before. Rounding does not matter, since of two numbers the larger is never
    in an earlier cell. The places of a cell are mostly so few that they are
    counted without asking how many there are; a branch that is
    taken every other time costs more. Halving takes over where all places are in few cells.
    """
    if n_places <= WINDOW:
        for i in range(len(values)):
            n_below = 0
            for k in range(1, n_places):
                n_below += places[k] <= values[i]
            where[i] = 2 * n_below + (places[n_below] == values[i])
        return
    lowest, n_cells = places[1], CELLS * n_places
    last_cell = n_cells - 1.0
    span = places[n_places - 1] - lowest
    scale = n_cells / span if span > 0 else np.inf
    has_grid = n_places >= GRID_FROM and len(values) * 4 >= n_places and 0 < scale < np.inf
    if has_grid:
        lay_grid(places, n_places, grid, scale)
    for i in range(len(values)):
        x = values[i]
        low, length = 0, n_places
        if has_grid:
            cell = np.uint32(min(max((x - lowest) * scale, 0.0), last_cell)) if x == x else np.uint32(0)
            before = signed(grid[cell])
            n_below = 0
            for k in range(AHEAD):
                n_below += places[before + k] <= x
            low = before - 1 + n_below
            length = signed(grid[cell + 1]) - low if n_below == AHEAD else 1
        while length > WINDOW:
            half = length >> 1
            low += half * (places[low + half] <= x)  # no branch to mispredict
            length -= half
        n_below = 0
        for k in range(low + 1, low + length):
            n_below += places[k] <= x
        low += n_below
        where[i] = 2 * low + (places[low] == x)


@compilable(by=lambda: locate_fast)
def locate(places, n_places: int, values, where, grid) -> None:  # noqa: ARG001 (the other way has one)
    """Write where every value lies among ascending places, the first of which is -inf; NaN lies before all others."""
    found = np.where(values == values, np.searchsorted(places[:n_places], values, side="right") - 1, 0)
    where[: len(values)] = 2 * found + (places[found] == values)
