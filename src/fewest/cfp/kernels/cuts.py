"""Ranges that are split in place: what happens most often where classes overlap, without touching the line.

An example within a range is counted there, or splits it; what else changes a
range happens at values on its ends, or beside it where nothing is determined.
So while a guide is in use, a range keeps its first splits in one row of a
table, which is one line of the processor's cache. They become places of the
line, and the range an ordinary one, when there are too many, when a value
falls on a cut, on an end, or into a gap beside it, and before a new guide is made.

A row of the table: where the range begins, and its cuts, ascending, infinite
where there is none. The other half of the row is seen as whole numbers, in
``Line.kept``: the counts of the parts, the class, and the classes of the points at the cuts.
"""

from __future__ import annotations

import numpy as np

from fewest.cfp.kernels.line import FOLDED, GUIDE, NODES, POINTS, RIGHT, WALKED, WRONG, Line, add_node, add_point
from fewest.cfp.kernels.places import AHEAD, NONE, signed
from fewest.kernels.compiling import compilable

# The cuts of a range, at most.
MOST_CUTS = 3
# The length of a row in numbers of the table, and in whole ones.
ROW, KEPT_ROW = 8, 16
# Positions in a row of whole numbers: the count of the first part, the class, and what the first cut's comes after.
COUNT, CLASS, CUT_CLASS = 8, 12, 12
# Instead of a class: a gap, where nothing is determined, beside a range; or what keeps no splits.
GAP, OPEN = 2**32 - 2, 2**32 - 1
# Rows of the table are asked for so many examples before they are needed.
EARLY = 16


def room_for_cuts(n_ranges: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a table whose rows are lines of the cache, flat, and the same memory as whole numbers."""
    memory = np.empty(ROW * (n_ranges + 2))
    start = -memory.__array_interface__["data"][0] // memory.itemsize % ROW
    cuts = memory[start : start + ROW * (n_ranges + 1)]
    return cuts, cuts.view(np.uint32)


@compilable(how="compiled_within")
def make_guide(line: Line) -> None:
    """List all nodes by place, and let every range keep its splits."""
    cuts, kept = line.cuts, line.kept
    node, position, before = 0, 0, NONE
    while node != NONE:
        line.guide_place[position] = cuts[ROW * position] = line.place[node]
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
        line.guide_place[position + k] = np.inf
    kept[KEPT_ROW * position + CLASS] = OPEN
    line.sizes[GUIDE] = position
    line.sizes[WALKED] = 0


@compilable(how="compiled_in_place")
def count_and_cut(cuts, kept, values, classes, where, row: int, sizes, n_free: int) -> int:
    """Learn examples from ``row`` on as long as they fall into ranges that keep their splits.

    There is room for ``n_free`` places. Returns the first example that is
    left, or their number.
    """
    right, wrong = 0, 0
    row = max(row, 0)  # it never is less; that the compiler knows saves it from counting from the end
    while row < len(values):
        ask_for(cuts, ROW * signed(where[row + EARLY] >> 1))
        spot = where[row]
        at = 0 if spot & 1 else signed(spot >> 1)  # what begins at -inf is a gap
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


def _prefetch():
    from fewest.cfp.kernels import fetching

    return fetching.ask_for


@compilable(by=_prefetch)
def ask_for(numbers, position: int) -> None:
    """Let the processor fetch what will be needed soon; only compiled code can, see `fewest.cfp.kernels.fetching`."""


@compilable(how="compiled_within")
def cut(cuts, kept, at: int, n_below: int, x: float, own: int) -> None:
    """Split the part of a range above its first ``n_below`` cuts at ``x``."""
    lower, upper = cuts[ROW * at + n_below], cuts[ROW * at + n_below + 1]
    if upper == np.inf:
        upper = cuts[ROW * at + ROW]  # where the next range begins
    count = signed(kept[KEPT_ROW * at + COUNT + n_below])
    below = share_below(count, x, lower, upper)
    for k in range(MOST_CUTS, 1, -1):
        moves = int(k > n_below + 1)  # a number, not a branch: where a cut falls, nothing foretells
        cuts[ROW * at + k] = cuts[ROW * at + k - moves]
        kept[KEPT_ROW * at + COUNT + k] = kept[KEPT_ROW * at + COUNT + k - moves]
        kept[KEPT_ROW * at + CUT_CLASS + k] = kept[KEPT_ROW * at + CUT_CLASS + k - moves]
    cuts[ROW * at + n_below + 1] = x
    kept[KEPT_ROW * at + CUT_CLASS + n_below + 1] = own
    kept[KEPT_ROW * at + COUNT + n_below] = below
    kept[KEPT_ROW * at + COUNT + n_below + 1] = count - below


@compilable(how="compiled_within")
def share_below(count: int, x: float, lower: float, upper: float) -> int:
    """Return what the lower part of a range gets of its count when it is split at ``x``: as its length, rounded."""
    return int(count * ((x - lower) / (upper - lower)) + 0.5)


@compilable(how="compiled_within")
def unfold(line: Line, position: int) -> None:
    """Make the cuts of a range places of the line; it keeps no more."""
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
def unfold_around(line: Line, position: int, is_at_place: bool) -> None:
    """Unfold what a value may change: the ranges that end where it is, or its own, or those beside its gap."""
    holder = line.kept[KEPT_ROW * position + CLASS]
    if is_at_place:
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
    """Make all cuts places."""
    for position in range(line.sizes[GUIDE]):
        unfold(line, position)


@compilable(how="compiled_within")
def n_free(line: Line) -> int:
    """Return for how many places and points there is room, those that are cuts so far counted as used."""
    return len(line.place) - max(line.sizes[NODES], line.sizes[POINTS]) - line.sizes[FOLDED]
