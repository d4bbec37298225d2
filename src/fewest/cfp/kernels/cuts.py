"""Split ranges in place: what happens most often where classes overlap, without touching the line.

An example within a range is counted there, or splits it; what else changes a
range happens at values on its ends, or beside it where nothing is determined.
So while a guide is in use, a range keeps its first splits in one row of a
table. They turn into boundaries of the line, and the range into an ordinary
one, when there are too many, when a value falls on a cut, on an end, or into a
gap beside it, and before a new guide is built.

The row of an entry of the guide is one line of the processor's cache, 64 bytes that are aligned to 64:

    as float64, in Line.cuts    0       1 2 3                            4 .. 7
                                lower   cuts, ascending, inf for none    (what kept holds)
    as uint32, in Line.kept     0 .. 7             8 .. 11                12       13 14 15
                                (what cuts holds)  counts of the parts    class    classes of the points at the cuts

The entry after the last has a row of class OPEN, since both sides of a gap are looked at. `cut` reads where the next
entry begins, which every range has. Counts fit, as a line counts examples by int32, and classes are below GAP.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.cfp.kernels.line import FOLDED, GUIDE, NODES, POINTS, RIGHT, WALKED, WRONG, Line, add_node, add_point
from fewest.cfp.kernels.locate import AHEAD, NONE, signed
from fewest.kernels.compile_or_not import compilable

# The most cuts that a range keeps.
MOST_CUTS = 3
# The length of a row in float64, and in uint32.
ROW, KEPT_ROW = 8, 16
# Positions in a row of uint32: the count of the first part, the class, and CUT_CLASS + k for the class of cut k from 1.
COUNT, CLASS, CUT_CLASS = 8, 12, 12
# Instead of a class: a gap, where nothing is determined, beside a range; or what keeps no splits.
GAP, OPEN = 2**32 - 2, 2**32 - 1
# How many examples before they are needed rows are fetched into the cache.
EARLY = 16


class Ranges(NamedTuple):
    """The parts of a `Line` that `count_and_cut` works on: a call hands over every array as seven words."""

    cuts: np.ndarray
    kept: np.ndarray
    where: np.ndarray
    sizes: np.ndarray


def room_for_cuts(n_ranges: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a flat table whose rows are lines of the cache, and the same memory seen as uint32."""
    memory = np.empty(ROW * (n_ranges + 2))
    start = -memory.__array_interface__["data"][0] // memory.itemsize % ROW
    cuts = memory[start : start + ROW * (n_ranges + 1)]
    return cuts, cuts.view(np.uint32)


@compilable(how="compiled_within")
def make_guide(line: Line) -> None:
    """List all nodes by boundary, and let every range keep its splits."""
    cuts, kept = line.cuts, line.kept
    node, position, before = 0, 0, NONE
    while node != NONE:
        line.guide_boundary[position] = cuts[ROW * position] = line.boundary[node]
        line.guide_node[position] = node
        for k in range(1, MOST_CUTS + 1):
            cuts[ROW * position + k] = np.inf
        kept[KEPT_ROW * position + COUNT] = line.after_count[node]
        own, node = line.after_class[node], line.following[node]
        if own != NONE:
            kept[KEPT_ROW * position + CLASS] = own
        else:
            is_beside_range = before != NONE or (node != NONE and line.after_class[node] != NONE)
            kept[KEPT_ROW * position + CLASS] = GAP if is_beside_range else OPEN
        before = own
        position += 1
    for k in range(AHEAD):
        line.guide_boundary[position + k] = np.inf
    kept[KEPT_ROW * position + CLASS] = OPEN
    line.sizes[GUIDE] = position
    line.sizes[WALKED] = 0


@compilable(how="compiled_in_place")
def count_and_cut(ranges: Ranges, values, classes, row: int, n_free: int) -> int:
    """Learn examples from ``row`` on as long as they fall into ranges that keep their splits.

    There is room for ``n_free`` boundaries. Returns the first example that is
    left, or their number.
    """
    cuts, kept, where, sizes = ranges.cuts, ranges.kept, ranges.where, ranges.sizes
    right, wrong = 0, 0
    row = max(row, 0)  # it never is less; that the compiler knows saves checks for indices that count from the end
    while row < len(values):
        prefetch(cuts, ROW * signed(where[row + EARLY] >> 1))
        spot = where[row]
        at = 0 if spot & 1 else signed(spot >> 1)  # entry 0 begins at -inf and is no range, so that the loop ends
        x, own = values[row], classes[row]
        n_below = 0
        for k in range(1, MOST_CUTS + 1):
            n_below += int(cuts[ROW * at + k] <= x)
        holder = kept[KEPT_ROW * at + CLASS]
        if cuts[ROW * at + n_below] == x:
            break
        if holder == own:
            kept[KEPT_ROW * at + COUNT + n_below] += 1
            right += 1
        elif holder >= GAP or n_below == MOST_CUTS or cuts[ROW * at + MOST_CUTS] < np.inf or wrong == n_free:
            break
        else:
            cut(cuts, kept, at, n_below, x, own)
            wrong += 1
        row += 1
    sizes[FOLDED] += wrong
    sizes[RIGHT] += right
    sizes[WRONG] += wrong
    return row


def _instruction():
    from fewest.kernels.intrinsics import prefetch_to_write

    return prefetch_to_write


@compilable(by=_instruction)
def prefetch(array, position: int) -> None:
    """Let the processor fetch what will be needed soon; only compiled code can, see `prefetch_to_write`."""


@compilable(how="compiled_within")
def cut(cuts, kept, at: int, n_below: int, x: float, own: int) -> None:
    """Split the part of a range above its first ``n_below`` cuts at ``x``."""
    lower, upper = cuts[ROW * at + n_below], cuts[ROW * at + n_below + 1]
    if upper == np.inf:
        upper = cuts[ROW * at + ROW]  # where the next range begins
    count = signed(kept[KEPT_ROW * at + COUNT + n_below])
    below = share_below(count, x, lower, upper)
    for k in range(MOST_CUTS, 1, -1):
        moves = int(k > n_below + 1)  # a number, not a branch, which would be mispredicted
        cuts[ROW * at + k] = cuts[ROW * at + k - moves]
        kept[KEPT_ROW * at + COUNT + k] = kept[KEPT_ROW * at + COUNT + k - moves]
        kept[KEPT_ROW * at + CUT_CLASS + k] = kept[KEPT_ROW * at + CUT_CLASS + k - moves]
    cuts[ROW * at + n_below + 1] = x
    kept[KEPT_ROW * at + CUT_CLASS + n_below + 1] = own
    kept[KEPT_ROW * at + COUNT + n_below] = below
    kept[KEPT_ROW * at + COUNT + n_below + 1] = count - below


@compilable(how="compiled_within")
def share_below(count: int, x: float, lower: float, upper: float) -> int:
    """Return the lower part's share of a range's count when it is split at ``x``: in proportion to length, rounded."""
    return int(count * ((x - lower) / (upper - lower)) + 0.5)


@compilable(how="compiled_within")
def unfold(line: Line, position: int) -> None:
    """Turn the cuts of a range into boundaries of the line; it keeps no more."""
    cuts, kept = line.cuts, line.kept
    if kept[KEPT_ROW * position + CLASS] >= GAP:
        return
    node = line.guide_node[position]
    line.after_count[node] = kept[KEPT_ROW * position + COUNT]
    for k in range(1, MOST_CUTS + 1):
        if cuts[ROW * position + k] == np.inf:
            break
        new = add_node(line, node, cuts[ROW * position + k])
        line.after_class[new] = line.after_class[node]
        line.after_count[new] = kept[KEPT_ROW * position + COUNT + k]
        add_point(line, new, signed(kept[KEPT_ROW * position + CUT_CLASS + k]))
        line.sizes[FOLDED] -= 1
        node = new
    kept[KEPT_ROW * position + CLASS] = OPEN


@compilable(how="compiled_within")
def unfold_around(line: Line, position: int, is_at_boundary: bool) -> None:
    """Unfold what a value may change: the ranges that end where it is, or its own, or those beside its gap."""
    holder = line.kept[KEPT_ROW * position + CLASS]
    if is_at_boundary:
        unfold(line, position - 1)
        unfold(line, position)
    elif holder == GAP:
        unfold(line, max(position - 1, 0))
        unfold(line, position + 1)
        line.kept[KEPT_ROW * position + CLASS] = OPEN  # and need not be done again
    elif holder != OPEN:
        unfold(line, position)


@compilable(how="compiled_in_place")
def unfold_all(line: Line) -> None:
    """Turn all cuts into boundaries."""
    for position in range(line.sizes[GUIDE]):
        unfold(line, position)


@compilable(how="compiled_within")
def n_free(line: Line) -> int:
    """Return for how many boundaries and points there is room, those that are cuts so far counted as used."""
    return len(line.boundary) - max(line.sizes[NODES], line.sizes[POINTS]) - line.sizes[FOLDED]
