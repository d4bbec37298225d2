"""Learn one feature's partitions, one example at a time (Güvenir and Şirin, 1993).

Examples are located in blocks among the boundaries of a guide, and then learned in
their order: those that fall into a range that keeps its splits at once
(`fewest.cfp.kernels.cuts`), the others on the line (`fewest.cfp.kernels.growth`).

The functions run as plain Python, so that small work never waits for a compiler, or compiled from the same source.
"""

from __future__ import annotations

from fewest.cfp.kernels.cuts import (
    CLASS,
    EARLY,
    GAP,
    KEPT_ROW,
    OPEN,
    Ranges,
    count_and_cut,
    make_guide,
    n_free,
    unfold_all,
    unfold_around,
)
from fewest.cfp.kernels.growth import Rules, add_at_boundary, class_at, generalise, specialise
from fewest.cfp.kernels.line import FOLDED, GUIDE, NODES, RIGHT, WALKED, WRONG, Line
from fewest.cfp.kernels.locate import NONE, locate, signed
from fewest.kernels.compile_or_not import compilable

# Examples, at least, that are located at a time; and for each boundary of the guide.
BLOCK, PER_BOUNDARY = 256, 3
# A guide is built again when there are more boundaries than it lists by this factor, or when more steps than there are
# boundaries, plus some, were walked from where it led to.
GROWTH, STEPS = 1.25, 32


@compilable()
def block_length(n_boundaries: int) -> int:
    """Return how many examples are located at a time."""
    return max(BLOCK, PER_BOUNDARY * n_boundaries)


@compilable()
def add_examples(line: Line, values, classes, start: int, limit: float, rules: Rules) -> int:
    """Let one feature predict and then learn the examples from ``start`` on, in order.

    Values that are NaN are left out. Returns the first example for which
    there was no room left, or their number.
    """
    sizes, row, has_room = line.sizes, start, True
    ranges = Ranges(line.cuts, line.kept, line.where, sizes)
    make_guide(line)
    while row < len(values) and has_room:
        if sizes[WALKED] > sizes[NODES] + STEPS or sizes[NODES] + sizes[FOLDED] > GROWTH * sizes[GUIDE]:
            renew_guide(line)
        n_rows = min(block_length(sizes[GUIDE]), len(values) - row)
        block, block_classes = values[row : row + n_rows], classes[row : row + n_rows]
        locate(line.guide_boundary, sizes[GUIDE], block, line.where, line.grid)
        line.where[n_rows : n_rows + EARLY] = 0
        done = 0
        while done < n_rows and has_room and sizes[WALKED] <= sizes[NODES] + STEPS:
            kept = count_and_cut(ranges, block, block_classes, done, n_free(line))
            done = add_in_turn(line, block, block_classes, kept, limit, rules)
            has_room = done > kept or done == n_rows
        row += done
    unfold_all(line)
    return row


@compilable(how="compiled_within")
def add_in_turn(line: Line, values, classes, start: int, limit: float, rules: Rules) -> int:
    """Learn the example at ``start``, and those after it until one falls into a range that keeps its splits.

    Returns the first example that is left, or their number; the same one if there is no room for it.
    """
    # What most examples need is taken out of the line once and done right here: a call costs more than the work.
    boundary, after_class, after_count, sizes = line.boundary, line.after_class, line.after_count, line.sizes
    following, preceding, guide_node = line.following, line.preceding, line.guide_node
    where, kept = line.where, line.kept
    right, wrong, walked = 0, 0, sizes[WALKED]
    row, most_walked = start, sizes[NODES] + STEPS
    while row < len(values) and walked <= most_walked:
        x, own = values[row], classes[row]
        position, is_at_guide = signed(where[row] >> 1), where[row] & 1
        if x != x:
            row += 1
            continue
        if is_at_guide or kept[KEPT_ROW * position + CLASS] != OPEN:
            if row > start and not is_at_guide and kept[KEPT_ROW * position + CLASS] < GAP:
                break
            unfold_around(line, position, is_at_guide)
        node = guide_node[position]
        while boundary[node] > x:
            node = preceding[node]
            walked += 1
        after = following[node]
        while after != NONE and boundary[after] <= x:
            node, after = after, following[after]
            walked += 1
        is_at_boundary = boundary[node] == x
        if after_class[node] == own and not is_at_boundary:
            right += 1
            after_count[node] += 1
            row += 1
            continue
        if n_free(line) == 0:
            break
        guess = class_at(line, node, rules.ends_count) if is_at_boundary else after_class[node]
        if guess == own:
            right += 1
        elif guess != NONE or rules.silence_is_wrong:
            wrong += 1
        if is_at_boundary:
            add_at_boundary(line, node, own)
        elif guess != NONE:
            specialise(line, node, x, own)
        else:
            generalise(line, node, x, own, limit, rules)
        row += 1
    sizes[RIGHT] += right
    sizes[WRONG] += wrong
    sizes[WALKED] = walked
    return row


@compilable(how="compiled_in_place")
def renew_guide(line: Line) -> None:
    """Build a new guide to all boundaries."""
    unfold_all(line)
    make_guide(line)
