"""The partitions of one feature, grown one example at a time (Güvenir and Şirin, 1993).

Every end of a partition is a value of some example. So a feature's line is a
list of *places*, and between two neighbouring places lies one range partition
or nothing determined; point partitions, one a class, hang on a place. A range
never holds a place inside: a foreign example that falls there splits it.

The functions are plain Python, so that small work never waits for a compiler;
`compiled_partitions` compiles the same source.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from fewest.kernels.line import (
    GUIDE,
    NODES,
    POINTS,
    RIGHT,
    WRONG,
    Line,
    add_node,
    add_point,
    make_guide,
    point_of,
    remove_node,
    take_point,
)
from fewest.kernels.places import NONE, add_votes, locate, locate_fast, room_for_grid

# Examples, at least, whose search starts from the same guide.
BLOCK = 256


class Rules(NamedTuple):
    """What the document leaves open, as truths."""

    inclusive: bool  # a distance equal to the limit is within it
    merges: bool  # a value between two partitions of its class joins both, not only the nearer
    ends_count: bool  # where points are, ranges that end there have a say, too
    silence_is_wrong: bool  # a feature without a prediction loses weight


def add_examples(line: Line, values, classes, start: int, limit: float, rules: Rules) -> int:
    """Let one feature predict and then learn the examples from ``start`` on, in order.

    Values that are NaN are left out. Returns the first example for which
    there was no room left, or their number.
    """
    # What most examples need is taken out of the line once and done right here: a call costs more than the work.
    place, after_class, after_count, sizes = line.place, line.after_class, line.after_count, line.sizes
    following, preceding, guide_place, guide_node = line.following, line.preceding, line.guide_place, line.guide_node
    right, wrong, walked = 0, 0, 0
    row = block = block_end = start
    starts, grid = np.empty(max(BLOCK, len(place)), dtype=np.int32), room_for_grid(len(place))
    while row < len(values):
        if row == block_end:
            block, block_end = row, min(row + max(BLOCK, sizes[GUIDE] // 2), len(values))
            locate(guide_place, sizes[GUIDE], values[block:block_end], starts, grid)
            for i in range(block_end - block):
                starts[i] = guide_node[starts[i]]
        x = values[row]
        own = classes[row]
        if x != x:
            row += 1
            continue
        node = starts[row - block]
        while place[node] > x:
            node = preceding[node]
            walked += 1
        after = following[node]
        while after != NONE and place[after] <= x:
            node, after = after, following[after]
            walked += 1
        if walked > sizes[NODES] + 32:
            make_guide(line)
            walked, block_end = 0, row + 1
        is_at_place = place[node] == x
        if after_class[node] == own and not is_at_place:
            right += 1
            after_count[node] += 1
            row += 1
            continue
        if sizes[NODES] == len(place) or sizes[POINTS] == len(place):
            break
        guess = class_at(line, node, rules.ends_count) if is_at_place else after_class[node]
        if guess == own:
            right += 1
        elif guess != NONE or rules.silence_is_wrong:
            wrong += 1
        if is_at_place:
            add_at_place(line, node, own)
        elif guess != NONE:
            specialise(line, node, x, own)
        else:
            generalise(line, node, x, own, limit, rules)
        row += 1
    sizes[RIGHT] += right
    sizes[WRONG] += wrong
    return row


def class_at(line: Line, node: int, ends_count: bool) -> int:
    """Return the class with the highest count at a place; -1 when two share it."""
    best, most = NONE, NONE
    point = line.first_point[node]
    while point != NONE:
        if line.point_count[point] > most:
            best, most = line.point_class[point], line.point_count[point]
        elif line.point_count[point] == most:
            best = NONE
        point = line.next_point[point]
    if most != NONE and not ends_count:
        return best
    for end in (line.preceding[node], node):
        if end != NONE and line.after_class[end] != NONE:
            if line.after_count[end] > most:
                best, most = line.after_class[end], line.after_count[end]
            elif line.after_count[end] == most and best != line.after_class[end]:
                best = NONE
    return best


def add_at_place(line: Line, node: int, own: int) -> None:
    """Count an example at a place: in a partition of its class, or as another point."""
    point = point_of(line, node, own)
    if point != NONE:
        line.point_count[point] += 1
        return
    before = line.preceding[node]
    is_before = before != NONE and line.after_class[before] == own
    is_after = line.after_class[node] == own
    if is_before and not (is_after and line.after_count[node] > line.after_count[before]):
        line.after_count[before] += 1
    elif is_after:
        line.after_count[node] += 1
    else:
        add_point(line, node, own)


def specialise(line: Line, node: int, x: float, own: int) -> None:
    """Split the range of another class after ``node`` at ``x``; its count is divided as its length."""
    count = line.after_count[node]
    length = line.place[line.following[node]] - line.place[node]
    below = int(count * ((x - line.place[node]) / length) + 0.5)
    new = add_node(line, node, x)
    line.after_class[new] = line.after_class[node]
    line.after_count[new] = count - below
    line.after_count[node] = below
    add_point(line, new, own)


def generalise(line: Line, node: int, x: float, own: int, limit: float, rules: Rules) -> None:
    """Extend the neighbours of the class within the limit to ``x``, or add a point."""
    after = line.following[node]
    left = joinable(line, node, line.preceding[node], own)
    right = NONE if after == NONE else joinable(line, after, after, own)
    gap_below = x - line.place[node]
    if left != NONE and not (gap_below < limit or (rules.inclusive and gap_below <= limit)):
        left = NONE
    if right != NONE:
        gap_above = line.place[after] - x
        if not (gap_above < limit or (rules.inclusive and gap_above <= limit)):
            right = NONE
        elif left != NONE and not rules.merges:
            if gap_below <= gap_above:
                right = NONE
            else:
                left = NONE
    if left != NONE and right != NONE:
        merge(line, node, left, right, own)
    elif left != NONE:
        extend_up(line, node, x, own)
    elif right != NONE:
        extend_down(line, node, x, own)
    else:
        add_point(line, add_node(line, node, x), own)


def joinable(line: Line, node: int, start: int, own: int) -> int:
    """Return the node at which the partition of a class that ends at ``node`` and may grow beyond it begins.

    That is the node itself for a point. A range, which begins at ``start``,
    shares its end with no point, or it would grow over it.
    """
    if point_of(line, node, own) != NONE:
        return node
    if line.first_point[node] == NONE and start != NONE and line.after_class[start] == own:
        return start
    return NONE


def merge(line: Line, node: int, left: int, right: int, own: int) -> None:
    """Join the partitions on both sides of the gap after ``node``, and the example between them."""
    after = line.following[node]
    count = 1
    if point_of(line, node, own) != NONE:
        count += take_point(line, node, own)
    else:
        count += line.after_count[left]
        remove_node(line, node)
        node = left
    if point_of(line, after, own) != NONE:
        count += take_point(line, after, own)
    else:
        count += line.after_count[right]
        remove_node(line, after)
    line.after_class[node] = own
    line.after_count[node] = count


def extend_up(line: Line, node: int, x: float, own: int) -> None:
    """Extend the partition that ends at ``node`` up to ``x``."""
    if point_of(line, node, own) != NONE:
        count = take_point(line, node, own)
        add_node(line, node, x)
        line.after_class[node] = own
        line.after_count[node] = count + 1
    else:
        line.after_count[line.preceding[node]] += 1
        line.place[node] = x


def extend_down(line: Line, node: int, x: float, own: int) -> None:
    """Extend the partition that begins after ``node`` down to ``x``."""
    after = line.following[node]
    if point_of(line, after, own) != NONE:
        count = take_point(line, after, own)
        new = add_node(line, node, x)
        line.after_class[new] = own
        line.after_count[new] = count + 1
    else:
        line.after_count[after] += 1
        line.place[after] = x


@cache
def compiled_partitions():
    """Return `add_examples`, `make_guide` and `add_votes`, compiled."""
    from fewest.kernels.compiled import compiled_together

    steps = (
        make_guide, point_of, add_point, take_point, add_node, remove_node, class_at, add_at_place, specialise,
        joinable, merge, extend_up, extend_down, generalise,
    )  # fmt: skip
    guide, *_, votes, examples = compiled_together(
        *steps, room_for_grid, add_votes, add_examples, in_place=steps, locate=locate_fast
    )
    return examples, guide, votes
