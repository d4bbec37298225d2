"""The nearest rows by all features but one, for each feature in turn, and how that feature differs from them.

The distance of two rows is a sum over features. So each feature's part is subtracted from the whole, and no distance is
computed twice; and only rows that are near with all features, or nearly so, can be without one of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.kernels.compiled import compiled_in_place, compiled_in_place_max, compiled_within
from fewest.relief.kernels.smallest_distances import kth_smallest, last_of_weight


class Room(NamedTuple):
    """Room to work in, for one sampled row at a time."""

    distances: np.ndarray  # float64 (rows,): by all features
    largest: np.ndarray  # float64 (rows,): the part of a distance that is the largest of all features'
    part: np.ndarray  # float64 (rows,): that of one feature
    candidates: np.ndarray  # int64 (rows,): those that can be neighbors without a feature, by class
    starts: np.ndarray  # int64 (classes + 1,): where the candidates of each class begin
    rest: np.ndarray  # float64 (rows,): how far the candidates are without the feature
    values: np.ndarray  # float64 (rows,): the same, to be reordered
    of_candidates: np.ndarray  # float64 (rows,): what the candidates weigh
    near: np.ndarray  # int64 (rows,): which of the candidates are neighbors
    shares: np.ndarray  # float64 (rows,): the weights of these; those of a class sum to 1

    @classmethod
    def of(cls, n_rows: int, n_starts: int) -> Room:
        """Return room for so many rows; plain Python makes it, since numba compiles an allocation for long."""
        distances, largest, part, rest, values, of_candidates, shares = np.empty((7, n_rows))
        candidates, near = np.empty((2, n_rows), dtype=np.int64)
        starts = np.zeros(n_starts, dtype=np.int64)
        return cls(distances, largest, part, candidates, starts, rest, values, of_candidates, near, shares)


def add_left_out(columns, examples, sampled, weights, sums):
    """Add what sampled rows differ by from the neighbors that they have without a feature, for every feature.

    Parameters
    ----------
    columns : Columns
    examples : LabelledRows
    sampled : int64 array of shape (n_sampled,)
    weights : float64 array of shape (n_sampled,)
    sums : LeftOutSums
        Added to.
    """
    _add_rows(columns, examples, sampled, weights, sums, Room.of(len(examples.class_of), len(examples.starts)))


@compiled_in_place
def _add_rows(columns, examples, sampled, weights, sums, room):
    n_features, n_rows = columns.values.shape
    for s in range(len(sampled)):
        i = sampled[s]
        for j in range(n_rows):
            room.distances[j] = room.largest[j] = 0
        for f in range(n_features):
            _compare(columns, f, i, room)
        examples.weights[i] -= 1  # a row is no neighbor of itself, but a copy of it is
        _find_candidates(examples, i, room)
        for f in range(n_features):
            for e in range(room.starts[-1]):
                room.rest[e] = room.distances[room.candidates[e]] - _difference(columns, f, i, room.candidates[e])
            n_near = _nearer_than_usual(examples, i, room) if examples.k == 0 else _nearest(examples, i, room)
            _add(columns, examples, f, i, weights[s], room, n_near, sums)
        examples.weights[i] += 1


@compiled_within
def _difference(columns, f, a, b):
    """Return by how much two rows differ in a feature."""
    one, other = np.float64(columns.values[f, a]), np.float64(columns.values[f, b])
    gaps = columns.gaps_of[f]
    if gaps >= 0:
        if np.isnan(one):
            return columns.expected[gaps, b]
        if np.isnan(other):
            return columns.expected[gaps, a]
    if f >= columns.n_numeric:
        return 1.0 if one != other else 0.0
    apart = abs(one - other)
    return apart * apart if columns.is_squared else apart


@compiled_in_place
def _compare(columns, f, i, room):
    """Add what a feature has part in the distances to all rows."""
    part = room.part
    if columns.gaps_of[f] < 0 and f < columns.n_numeric and not columns.is_squared:
        values, own = columns.values[f], np.float64(columns.values[f, i])
        for j in range(len(part)):
            part[j] = abs(np.float64(values[j]) - own)
    else:
        for j in range(len(part)):
            part[j] = _difference(columns, f, i, j)
    _add_part(part, room.distances, room.largest)


@compiled_in_place_max
def _add_part(part, distances, largest):
    for j in range(len(part)):
        distances[j] += part[j]
        largest[j] = max(largest[j], part[j])


@compiled_in_place
def _find_candidates(examples, i, room):
    """Find the rows that can be neighbors whichever feature is left out.

    Without it the k-th row of a class is no farther than with it, and no row is nearer by more than its largest part.
    """
    k, n_found = np.int64(examples.k), 0
    for c in range(len(examples.starts) - 1):
        bound, n_others = np.inf, 0
        for j in range(examples.starts[c], examples.starts[c + 1]):
            if j != i:
                room.values[n_others] = room.distances[j]
                n_others += 1
        if 0 < k <= n_others and not examples.are_weighted:
            bound = kth_smallest(room.values, n_others, k) + examples.slack
        for j in range(examples.starts[c], examples.starts[c + 1]):
            if examples.weights[j] > 0 and room.distances[j] - room.largest[j] <= bound:
                room.candidates[n_found] = j
                n_found += 1
        room.starts[c + 1] = n_found


@compiled_in_place
def _nearest(examples, i, room):
    """Find the k nearest candidates of every class; return how many, none unless there are hits and misses."""
    n_near, n_hits, rest, slack = 0, 0, room.rest, examples.slack
    for c in range(len(examples.starts) - 1):
        first, start, stop = n_near, room.starts[c], room.starts[c + 1]
        last = _kth(examples, room, start, stop)
        sure, tied = 0.0, 0.0
        for e in range(start, stop):
            if rest[e] <= last + slack:
                room.near[n_near] = e
                n_near += 1
                if rest[e] < last - slack:
                    sure += examples.weights[room.candidates[e]]
                else:
                    tied += examples.weights[room.candidates[e]]
        wanted = min(examples.k, sure + tied)
        for n in range(first, n_near):
            e = room.near[n]
            share = 1.0 if rest[e] < last - slack else (wanted - sure) / tied
            room.shares[n] = examples.weights[room.candidates[e]] * share / wanted
        n_hits += n_near - first if examples.class_of[i] == c else 0
    return n_near if n_hits > 0 and (n_near > n_hits or len(examples.starts) == 2) else 0


@compiled_in_place
def _kth(examples, room, start, stop):
    """Return the distance within which the candidates of a class weigh k together."""
    if start == stop:
        return 0.0
    n = stop - start
    if not examples.are_weighted:
        for e in range(n):
            room.values[e] = room.rest[start + e]
        return kth_smallest(room.values, n, min(np.int64(examples.k), n))
    for e in range(n):
        room.near[start + e] = start + e  # overwritten by neighbors, of which there are no more before this class
        room.of_candidates[start + e] = examples.weights[room.candidates[start + e]]
    return last_of_weight(room.rest, room.of_candidates, room.near[start:stop], n, examples.k * (1 - 1e-12))


@compiled_in_place
def _nearer_than_usual(examples, i, room):
    """Find all rows that are nearer than usual, as `multisurf` describes; return how many."""
    n_near, n_hits, total, mean, spread = 0, 0, 0.0, 0.0, 0.0
    for e in range(room.starts[-1]):
        total += examples.weights[room.candidates[e]]
        mean += examples.weights[room.candidates[e]] * room.rest[e]
    mean /= max(total, 1e-300)
    for e in range(room.starts[-1]):
        spread += examples.weights[room.candidates[e]] * (room.rest[e] - mean) ** 2
    most = mean - np.sqrt(spread / max(total, 1e-300)) / 2
    for c in range(len(examples.starts) - 1):
        first, of_class = n_near, 0.0
        for e in range(room.starts[c], room.starts[c + 1]):
            if room.rest[e] < most:
                room.near[n_near], room.shares[n_near] = e, examples.weights[room.candidates[e]]
                of_class += room.shares[n_near]
                n_near += 1
        for n in range(first, n_near):
            room.shares[n] /= of_class
        n_hits += n_near - first if examples.class_of[i] == c else 0
    return n_near if n_hits > 0 and (n_near > n_hits or len(examples.starts) == 2) else 0


@compiled_in_place
def _add(columns, examples, f, i, weight, room, n_near, sums):
    """Add by how much the feature differs from the neighbors, as it is and permuted."""
    of_class, is_regression = examples.factors[examples.class_of[i]], len(examples.target) > 0
    is_simple = columns.gaps_of[f] < 0 and f < columns.n_numeric and not columns.is_squared
    for n in range(n_near):
        j, share = room.candidates[room.near[n]], weight * room.shares[n]
        if is_regression:
            joint = share * abs(examples.target[i] - examples.target[j])
            sums.target[f] += joint
            _add_differences(columns, examples.orders, f, i, j, share, sums.features[f])
            _add_differences(columns, examples.orders, f, i, j, joint, sums.joint[f])
        elif is_simple:
            joint = share * of_class[examples.class_of[j]]
            _add_simple_differences(columns.values[f], examples.orders[i], examples.orders[j], joint, sums.joint[f])
        else:
            joint = share * of_class[examples.class_of[j]]
            _add_differences(columns, examples.orders, f, i, j, joint, sums.joint[f])


@compiled_within
def _add_simple_differences(values, own, others, weight, sums):
    for o in range(len(sums)):
        sums[o] += weight * abs(np.float64(values[own[o]]) - np.float64(values[others[o]]))


@compiled_in_place
def _add_differences(columns, orders, f, i, j, weight, sums):
    for o in range(len(sums)):
        sums[o] += weight * _difference(columns, f, orders[i, o], orders[j, o])
