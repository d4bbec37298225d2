"""One feature's line while it grows: places in a linked list, points that hang on them, and a guide to find them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.cfp.kernels.places import NONE
from fewest.kernels.compiling import compilable

# Positions in Line.sizes: nodes and points in use, entries of the guide, cuts that are no nodes yet, steps walked since
# the guide was made, and the right and wrong predictions so far.
N_SIZES = 7
NODES, POINTS, GUIDE, FOLDED, WALKED, RIGHT, WRONG = range(N_SIZES)


class Line(NamedTuple):
    """One feature's line while it grows: a linked list of places, with a guide into it.

    Node 0 stands before all values. The guide lists nodes by place as they
    were when it was made; from the node that it names, the list is walked in
    either direction. It is made anew when more steps were walked than that
    costs, so that searching takes a logarithm and few steps on average.
    """

    place: np.ndarray
    after_class: np.ndarray  # of the range from this place to the next; -1 where nothing is determined
    after_count: np.ndarray
    following: np.ndarray
    preceding: np.ndarray
    first_point: np.ndarray
    point_class: np.ndarray
    point_count: np.ndarray
    next_point: np.ndarray
    guide_place: np.ndarray
    guide_node: np.ndarray
    cuts: np.ndarray  # the splits that ranges keep, see `fewest.cfp.kernels.cuts`
    kept: np.ndarray
    where: np.ndarray  # examples lie among the places of the guide, see `fewest.cfp.kernels.places`
    grid: np.ndarray
    sizes: np.ndarray


@compilable(how="compiled_in_place")
def listed(line: Line, place, after_class, after_count, point_place, point_class, point_count) -> tuple[int, int]:
    """Write all places in order, and their points by place and class; return how many there are of each."""
    n_places, n_points = 0, 0
    node = line.following[0]
    while node != NONE:
        place[n_places] = line.place[node]
        after_class[n_places] = line.after_class[node]
        after_count[n_places] = line.after_count[node]
        first, point = n_points, line.first_point[node]
        while point != NONE:
            k = n_points
            while k > first and point_class[k - 1] > line.point_class[point]:
                point_class[k], point_count[k] = point_class[k - 1], point_count[k - 1]
                k -= 1
            point_class[k], point_count[k] = line.point_class[point], line.point_count[point]
            point_place[n_points] = n_places
            n_points += 1
            point = line.next_point[point]
        n_places += 1
        node = line.following[node]
    return n_places, n_points


@compilable(how="compiled_within")
def add_node(line: Line, node: int, x: float) -> int:
    """Add a place after ``node``, with nothing there and nothing after it."""
    new = line.sizes[NODES]
    line.sizes[NODES] += 1
    after = line.following[node]
    line.place[new] = x
    line.after_class[new] = NONE
    line.after_count[new] = 0
    line.first_point[new] = NONE
    line.preceding[new] = node
    line.following[new] = after
    line.following[node] = new
    if after != NONE:
        line.preceding[after] = new
    return new


@compilable(how="compiled_within")
def remove_node(line: Line, node: int) -> None:
    """Take a place out of the list; the guide may still name it, and is led back from it."""
    before, after = line.preceding[node], line.following[node]
    line.following[before] = after
    if after != NONE:
        line.preceding[after] = before
    line.place[node] = np.inf


@compilable(how="compiled_within")
def point_of(line: Line, node: int, own: int) -> int:
    """Return the point partition of a class at a place, -1 if there is none."""
    point = line.first_point[node]
    while point != NONE and line.point_class[point] != own:
        point = line.next_point[point]
    return point


@compilable(how="compiled_within")
def add_point(line: Line, node: int, own: int) -> None:
    """Add a point partition of one example."""
    new = line.sizes[POINTS]
    line.sizes[POINTS] += 1
    line.point_class[new] = own
    line.point_count[new] = 1
    line.next_point[new] = line.first_point[node]
    line.first_point[node] = new


@compilable(how="compiled_within")
def take_point(line: Line, node: int, own: int) -> int:
    """Remove the point partition of a class from a place; return its count."""
    point = line.first_point[node]
    if line.point_class[point] == own:
        line.first_point[node] = line.next_point[point]
        return line.point_count[point]
    while line.point_class[line.next_point[point]] != own:
        point = line.next_point[point]
    taken = line.next_point[point]
    line.next_point[point] = line.next_point[taken]
    return line.point_count[taken]
