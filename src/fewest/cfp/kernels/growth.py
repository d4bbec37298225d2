"""Extend, split and merge a feature's partitions by one example (Güvenir and Şirin, 1993).

Every end of a partition is a value of some example. So a feature's line is a
list of *boundaries*. Between two adjacent boundaries lies one range partition,
or nothing is determined; point partitions, one a class, lie at a boundary. A
range never has a boundary inside: an example of another class that falls there splits it.
"""

from __future__ import annotations

from typing import NamedTuple

from fewest.cfp.kernels.cuts import share_below
from fewest.cfp.kernels.line import Line, add_node, add_point, point_of, remove_node, take_point
from fewest.cfp.kernels.locate import NONE
from fewest.kernels.compile_or_not import compilable


class Rules(NamedTuple):
    """The choices that the paper leaves open."""

    inclusive: bool  # a distance equal to the limit is within it
    merges: bool  # a value between two partitions of its class joins both, not only the nearer
    ends_count: bool  # at a boundary with points, the counts of ranges that end there are compared, too
    silence_is_wrong: bool  # a feature without a prediction loses weight


@compilable(how="compiled_within")
def class_at(line: Line, node: int, ends_count: bool) -> int:
    """Return the class with the highest count at a boundary; -1 when two share it."""
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


@compilable(how="compiled_within")
def add_at_boundary(line: Line, node: int, own: int) -> None:
    """Count an example at a boundary: in a partition of its class, or as another point."""
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


@compilable(how="compiled_within")
def specialise(line: Line, node: int, x: float, own: int) -> None:
    """Split the range of another class after ``node`` at ``x``; its count is divided as its length."""
    count = line.after_count[node]
    below = share_below(count, x, line.boundary[node], line.boundary[line.following[node]])
    new = add_node(line, node, x)
    line.after_class[new] = line.after_class[node]
    line.after_count[new] = count - below
    line.after_count[node] = below
    add_point(line, new, own)


@compilable(how="compiled_within")
def generalise(line: Line, node: int, x: float, own: int, limit: float, rules: Rules) -> None:
    """Extend the adjacent partitions of the class that are within the limit to ``x``, or add a point."""
    after = line.following[node]
    left = joinable(line, node, line.preceding[node], own)
    right = NONE if after == NONE else joinable(line, after, after, own)
    gap_below = x - line.boundary[node]
    if left != NONE and not (gap_below < limit or (rules.inclusive and gap_below <= limit)):
        left = NONE
    if right != NONE:
        gap_above = line.boundary[after] - x
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


@compilable(how="compiled_within")
def joinable(line: Line, node: int, start: int, own: int) -> int:
    """Return the node at which the partition of a class that ends at ``node`` and may grow beyond it begins.

    That is the node itself for a point. A range, which begins at ``start``,
    shares its end with no point, since it would grow over that.
    """
    if point_of(line, node, own) != NONE:
        return node
    if line.first_point[node] == NONE and start != NONE and line.after_class[start] == own:
        return start
    return NONE


@compilable(how="compiled_within")
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


@compilable(how="compiled_within")
def extend_up(line: Line, node: int, x: float, own: int) -> None:
    """Extend the partition that ends at ``node`` up to ``x``."""
    if point_of(line, node, own) != NONE:
        count = take_point(line, node, own)
        add_node(line, node, x)
        line.after_class[node] = own
        line.after_count[node] = count + 1
    else:
        line.after_count[line.preceding[node]] += 1
        line.boundary[node] = x


@compilable(how="compiled_within")
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
        line.boundary[after] = x
