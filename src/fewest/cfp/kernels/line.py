"""One feature's line while it grows: boundaries in a linked list, points at them, and a guide to find them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.cfp.kernels.locate import NONE
from fewest.kernels.compile_or_not import compilable

# Positions in Line.sizes: nodes and points in use, entries of the guide, cuts that are no nodes yet, steps walked since
# the guide was built, and the right and wrong predictions so far.
N_SIZES = 7
NODES, POINTS, GUIDE, FOLDED, WALKED, RIGHT, WRONG = range(N_SIZES)


class Line(NamedTuple):
    """One feature's line while it grows: a linked list of boundaries, with a guide into it.

    Node 0, at minus infinity, comes before all values. The guide lists the
    nodes by boundary as they were when it was built; from the node that it
    leads to, the list is walked in either direction. It is built again when
    more steps were walked than that costs, so that a search takes a
    logarithm and few steps on average.

    All arrays are longer than what is in use; ``sizes`` says how much that is.
    """

    # By node: its value, the range from it to the following node, and the first of its points. NONE ends every list,
    # and is the class where nothing is determined.
    boundary: np.ndarray
    after_class: np.ndarray
    after_count: np.ndarray
    following: np.ndarray
    preceding: np.ndarray
    first_point: np.ndarray
    # By point.
    point_class: np.ndarray
    point_count: np.ndarray
    next_point: np.ndarray
    # By entry of the guide, in ascending order; after the last value follow the infinities that searches look at.
    guide_boundary: np.ndarray
    guide_node: np.ndarray
    # By entry of the guide, too: the splits that ranges keep, see `fewest.cfp.kernels.cuts`.
    cuts: np.ndarray
    kept: np.ndarray
    # Where the examples of a block lie among the guide's boundaries, and room to find out: `fewest.cfp.kernels.locate`.
    where: np.ndarray
    grid: np.ndarray
    sizes: np.ndarray


class PartitionArrays(NamedTuple):
    """Room for the partitions of a line in ascending order, as `fewest.cfp.feature.FeaturePartitions` has them."""

    boundary: np.ndarray
    after_class: np.ndarray
    after_count: np.ndarray
    point_boundary: np.ndarray
    point_class: np.ndarray
    point_count: np.ndarray


@compilable(how="compiled_in_place")
def list_partitions(line: Line, into: PartitionArrays) -> tuple[int, int]:
    """Write all boundaries in order, and their points by boundary and class; return how many there are of each."""
    point_class, point_count = into.point_class, into.point_count
    n_boundaries, n_points = 0, 0
    node = line.following[0]
    while node != NONE:
        into.boundary[n_boundaries] = line.boundary[node]
        into.after_class[n_boundaries] = line.after_class[node]
        into.after_count[n_boundaries] = line.after_count[node]
        first, point = n_points, line.first_point[node]
        while point != NONE:
            k = n_points
            while k > first and point_class[k - 1] > line.point_class[point]:
                point_class[k], point_count[k] = point_class[k - 1], point_count[k - 1]
                k -= 1
            point_class[k], point_count[k] = line.point_class[point], line.point_count[point]
            into.point_boundary[n_points] = n_boundaries
            n_points += 1
            point = line.next_point[point]
        n_boundaries += 1
        node = line.following[node]
    return n_boundaries, n_points


@compilable(how="compiled_within")
def add_node(line: Line, node: int, x: float) -> int:
    """Add a boundary after ``node``, with nothing there and nothing after it."""
    new = line.sizes[NODES]
    line.sizes[NODES] += 1
    after = line.following[node]
    line.boundary[new] = x
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
    """Take a boundary out of the list.

    The guide may still lead to its node; at infinity, which is above every value, a walk goes back from it.
    """
    before, after = line.preceding[node], line.following[node]
    line.following[before] = after
    if after != NONE:
        line.preceding[after] = before
    line.boundary[node] = np.inf


@compilable(how="compiled_within")
def point_of(line: Line, node: int, own: int) -> int:
    """Return the point partition of a class at a boundary, -1 if there is none."""
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
    """Remove the point partition of a class from a boundary; return its count."""
    point = line.first_point[node]
    if line.point_class[point] == own:
        line.first_point[node] = line.next_point[point]
        return line.point_count[point]
    while line.point_class[line.next_point[point]] != own:
        point = line.next_point[point]
    taken = line.next_point[point]
    line.next_point[point] = line.next_point[taken]
    return line.point_count[taken]
