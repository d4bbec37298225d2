"""Find values among ascending boundaries, and vote by what is predicted there.

Where a value lies is one number: twice the position of the last boundary that
is not above it, plus one if it is at that boundary and not beyond. Boundary 0
is minus infinity, so that there always is one. The numbers are unsigned and of
32 bits: there are less than 2**31 boundaries, as lines number them by int32.

The functions run as plain Python or compiled, where `locate_fast` does the work of `locate`.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compile_or_not import compilable

NONE = -1
# Boundaries that are counted rather than halved: a processor compares several at a time.
WINDOW = 32
# The fewest boundaries among which a grid pays, and its cells for each boundary.
GRID_FROM, CELLS = 256, 4
# Boundaries that are compared in any case, one after the other: to find out how many to compare would take longer.
# So many infinities follow the last boundary.
AHEAD = 3


@compilable()
def add_votes(values, boundaries, outcomes, weight: float, votes) -> None:
    """Add a feature's weight to the class that it predicts for every value; ``boundaries`` are those of `padded`.

    ``outcomes`` are what is predicted between the boundaries and at them, -1 for nothing, by where a value lies.
    """
    where, grid = np.empty(len(values), dtype=np.uint32), room_for_grid(len(boundaries))
    locate(boundaries, len(boundaries) - AHEAD, values, where, grid)
    for row in range(len(values)):
        guess = outcomes[where[row]]
        if guess != NONE:
            votes[row, guess] += weight


@compilable()
def add_shares(values, boundaries, shares, weight: float, votes) -> None:
    """Divide a feature's weight among the classes for every value; ``shares`` are theirs, by where a value lies."""
    where, grid = np.empty(len(values), dtype=np.uint32), room_for_grid(len(boundaries))
    locate(boundaries, len(boundaries) - AHEAD, values, where, grid)
    for row in range(len(values)):
        for label in range(votes.shape[1]):
            votes[row, label] += weight * shares[where[row], label]


def padded(boundaries):
    """Return ascending boundaries between -inf, which no value is below, and the infinities that searches look at."""
    return np.concatenate([np.array([-np.inf]), boundaries, np.full(AHEAD, np.inf)])


@compilable(how="compiled_within")
def signed(number) -> int:
    """Return an unsigned integer as a signed one; numba makes a float of an unsigned and a signed one together.

    The compiler still knows that it is not negative, and does not check for indices that count from the end.
    """
    return int(np.int64(number))


@compilable()
def room_for_grid(n_boundaries: int):
    """Return the memory that `locate` needs among ``n_boundaries``; callers use it again, as fresh memory is slow."""
    return np.empty(CELLS * n_boundaries + 1, dtype=np.uint32)


@compilable(how="compiled_in_place")
def lay_grid(boundaries, n_boundaries: int, grid, scale: float) -> None:
    """Write for every cell the position of the first boundary that is in it or in a later one."""
    n_cells = CELLS * n_boundaries
    grid[: n_cells + 1] = 0
    for k in range(1, n_boundaries):
        grid[int(min((boundaries[k] - boundaries[1]) * scale, n_cells - 1.0)) + 1] += 1
    first = 1
    for cell in range(n_cells + 1):
        first += grid[cell]
        grid[cell] = first


@compilable(how="compiled_in_place")
def locate_fast(boundaries, n_boundaries: int, values, where, grid) -> None:
    """Do what `locate` does, in compiled code, where searches that do not depend on each other overlap.

    A grid of equal cells has for each the number of boundaries in the cells
    before it. Rounding does not matter, since of two numbers the larger is
    never in an earlier cell. The boundaries of a cell are mostly so few that
    they are counted without asking how many there are; a branch that is taken
    every other time costs more. Halving takes over where most boundaries are in few cells.
    """
    if n_boundaries <= WINDOW:
        for i in range(len(values)):
            n_below = 0
            for k in range(1, n_boundaries):
                n_below += boundaries[k] <= values[i]
            where[i] = 2 * n_below + (boundaries[n_below] == values[i])
        return
    lowest, n_cells = boundaries[1], CELLS * n_boundaries
    last_cell = n_cells - 1.0
    span = boundaries[n_boundaries - 1] - lowest
    scale = n_cells / span if span > 0 else np.inf
    has_grid = n_boundaries >= GRID_FROM and len(values) * 4 >= n_boundaries and 0 < scale < np.inf
    if has_grid:
        lay_grid(boundaries, n_boundaries, grid, scale)
    for i in range(len(values)):
        x = values[i]
        low, length = 0, n_boundaries
        if has_grid:
            cell = np.uint32(min(max((x - lowest) * scale, 0.0), last_cell)) if x == x else np.uint32(0)
            before = signed(grid[cell])
            n_below = 0
            for k in range(AHEAD):
                n_below += boundaries[before + k] <= x
            low = before - 1 + n_below
            length = signed(grid[cell + 1]) - low if n_below == AHEAD else 1
        while length > WINDOW:
            half = length >> 1
            low += half * (boundaries[low + half] <= x)  # no branch to mispredict
            length -= half
        n_below = 0
        for k in range(low + 1, low + length):
            n_below += boundaries[k] <= x
        low += n_below
        where[i] = 2 * low + (boundaries[low] == x)


@compilable(by=lambda: locate_fast)
def locate(boundaries, n_boundaries: int, values, where, grid) -> None:  # noqa: ARG001 (the other way has one)
    """Write where every value lies among ascending boundaries, the first of which is -inf; NaN lies at 0."""
    found = np.where(values == values, np.searchsorted(boundaries[:n_boundaries], values, side="right") - 1, 0)
    where[: len(values)] = 2 * found + (boundaries[found] == values)
