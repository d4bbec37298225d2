"""The NumPy twin of `left_out_neighbors`, for data that do not pay for compiling: the same sums, bit for bit.

Sums of floats are taken one after the other, as compiled code does: `np.add.accumulate` does that; `np.sum` and matrix
products do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

# Differences of a feature that are in memory at a time, with all its permutations.
MOST_DIFFERENCES = 1 << 18


def add_left_out(columns, examples, sampled, weights, sums) -> None:
    """Add what sampled rows differ by from the neighbors that they have without a feature, for every feature."""
    room, places = np.empty_like(columns.values), np.flatnonzero(np.isnan(columns.values))
    gaps = places, columns.gaps_of[places // columns.values.shape[1]]  # all at once, so that rows need no loop
    for i, weight in zip(sampled.tolist(), weights.tolist(), strict=True):
        examples.weights[i] -= 1  # a row is no neighbor of itself, but a copy of it is
        rows = _candidates(columns, gaps, examples, i, room)
        part = _compared(columns, i, rows)
        distances = np.add.accumulate(part, axis=0)[-1]
        if examples.k and not examples.are_weighted:
            are_near = _may_be_near(distances, distances - part.max(axis=0), rows, examples, i)
            rows, distances, part = rows[are_near], distances[are_near], part[:, are_near]
        starts = np.searchsorted(rows, examples.starts).tolist()
        find = _nearer_than_usual if examples.k == 0 else _nearest
        shares = find(distances - part, rows, starts, examples)
        examples.weights[i] += 1
        features, near = _with_hits_and_misses(shares, rows, examples, i).nonzero()
        _add(columns, examples, i, (features, rows[near], weight * shares[features, near]), sums)


def _candidates(columns, gaps: tuple[np.ndarray, np.ndarray], examples, i: int, room: np.ndarray) -> np.ndarray:
    """Return the rows that can be neighbors whichever feature is left out, by distances in single precision.

    Without it the k-th row of a class is no farther than with it, and no row is nearer by more than 1, which is the
    most that two rows differ by in a feature.
    """
    if not examples.k or examples.are_weighted:
        return (examples.weights > 0).nonzero()[0]
    _compare(columns, gaps, i, room)
    distances, n_features = np.add.reduce(room, axis=0), len(room)
    rounding = 4 * (n_features + 4) * float(np.finfo(np.float32).eps)
    return _may_be_near(distances, distances * (1 - rounding) - (1 + rounding), None, examples, i).nonzero()[0]


def _may_be_near(distances: np.ndarray, least: np.ndarray, rows: np.ndarray | None, examples, i: int) -> np.ndarray:
    """Return which rows, all or some, may be as near without a feature as the k-th of their class is with it."""
    starts = examples.starts if rows is None else np.searchsorted(rows, examples.starts)
    may_be = (examples.weights if rows is None else examples.weights[rows]) > 0
    k = int(examples.k)
    for c, (start, stop) in enumerate(pairwise(starts.tolist())):
        n_own = int(rows is None and examples.class_of[i] == c)  # of some rows, it is none
        if k + n_own <= stop - start:
            last = np.partition(distances[start:stop], k + n_own - 1)[k + n_own - 1]
            may_be[start:stop] &= least[start:stop] <= last + examples.slack
    return may_be


def _compare(columns, gaps: tuple[np.ndarray, np.ndarray], i: int, apart: np.ndarray) -> None:
    """Write by how much a row differs from all rows, features x rows, in single precision."""
    values, n_numeric = columns.values, columns.n_numeric
    own = values[:, i, None].copy()
    numeric = np.subtract(values[:n_numeric], own[:n_numeric], out=apart[:n_numeric])
    np.multiply(numeric, numeric, out=numeric) if columns.is_squared else np.abs(numeric, out=numeric)
    np.not_equal(values[n_numeric:], own[n_numeric:], out=apart[n_numeric:])
    if len(columns.expected):
        places, gaps_of = gaps
        apart.reshape(-1)[places] = columns.expected[:, i][gaps_of]
        lacking = np.flatnonzero(np.isnan(own))
        apart[lacking] = columns.expected[columns.gaps_of[lacking]]


def _compared(columns, i: int, rows: np.ndarray) -> np.ndarray:
    """Return by how much a row differs from some rows, features x rows."""
    values, own = columns.values.take(rows, axis=1), columns.values[:, i, None]
    apart = _apart(values.astype(np.float64), own.astype(np.float64), columns.n_numeric, columns.is_squared)
    if len(columns.expected):
        has_gaps = columns.gaps_of >= 0
        apart[has_gaps] = _expected(apart[has_gaps], columns, i, values[has_gaps], columns.expected[:, rows])
    return apart


def _expected(apart: np.ndarray, columns, i: int, values: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Return by how much a row differs in the features with gaps, expected where it or the other has none."""
    from_gap = np.where(np.isnan(values), columns.expected[:, i, None], apart)
    return np.where(np.isnan(columns.values[columns.gaps_of >= 0, i, None]), expected, from_gap)


def _apart(some: np.ndarray, others: np.ndarray, n_numeric: int, is_squared: bool) -> np.ndarray:
    """Return by how much values differ of which the first this many rows are numeric."""
    apart = some - others
    numeric = apart[:n_numeric]
    np.multiply(numeric, numeric, out=numeric) if is_squared else np.abs(numeric, out=numeric)
    np.not_equal(some[n_numeric:], others[n_numeric:], out=apart[n_numeric:])
    return apart


def _nearest(rest: np.ndarray, rows: np.ndarray, starts: list[int], examples) -> np.ndarray:
    """Return the shares of the candidates of a class that weigh k together, of those at the last distance a part."""
    shares, weights = np.zeros_like(rest), examples.weights[rows]
    for start, stop in pairwise(starts):
        if start < stop:
            of_class, own = rest[:, start:stop], weights[start:stop]
            last = _last(of_class, own, examples)
            is_near = of_class <= last + examples.slack
            is_sure = of_class < last - examples.slack
            sure, tied = _weight_of(is_sure, own, examples), _weight_of(is_near & ~is_sure, own, examples)
            wanted = np.minimum(examples.k, sure + tied)
            # Where none is tied, none takes the part that they would have.
            fraction = np.where(is_sure, 1.0, (wanted - sure) / np.where(tied > 0, tied, 1.0))
            shares[:, start:stop] = np.where(is_near, own * fraction / wanted, 0.0)
    return shares


def _last(rest: np.ndarray, weights: np.ndarray, examples) -> np.ndarray:
    """Return the distance within which the candidates of a class weigh k together, for each feature."""
    n = rest.shape[1]
    if not examples.are_weighted:
        k = min(int(examples.k), n)
        return np.partition(rest, k - 1, axis=1)[:, k - 1, None]
    order = np.argsort(rest, axis=1, kind="stable")
    n_less = (np.add.accumulate(weights[order], axis=1) < examples.k * (1 - 1e-12)).sum(axis=1, keepdims=True)
    return np.take_along_axis(rest, np.take_along_axis(order, np.minimum(n_less, n - 1), axis=1), axis=1)


def _weight_of(are_in: np.ndarray, weights: np.ndarray, examples) -> np.ndarray:
    if not examples.are_weighted:
        return np.count_nonzero(are_in, axis=1)[:, None].astype(np.float64)
    return _total(np.where(are_in, weights, 0.0))


def _total(summands: np.ndarray) -> np.ndarray:
    """Add up along the last axis, one after the other."""
    return np.add.accumulate(summands, axis=1)[:, -1:]


def _nearer_than_usual(rest: np.ndarray, rows: np.ndarray, starts: list[int], examples) -> np.ndarray:
    """Return the shares of all candidates that are nearer than the mean by half a standard deviation."""
    shares, weights = np.zeros_like(rest), examples.weights[rows]
    if not len(rows):
        return shares
    total = max(float(np.add.accumulate(weights)[-1]), 1e-300)
    mean = _total(weights * rest) / total
    spread = _total(weights * ((rest - mean) * (rest - mean)))
    is_near = rest < mean - np.sqrt(spread / total) / 2
    for start, stop in pairwise(starts):
        if start < stop:
            chosen = np.where(is_near[:, start:stop], weights[start:stop], 0.0)
            of_class = _total(chosen)
            shares[:, start:stop] = chosen / np.where(of_class > 0, of_class, 1.0)
    return shares


def _with_hits_and_misses(shares: np.ndarray, rows: np.ndarray, examples, i: int) -> np.ndarray:
    """Return which candidates are neighbors: none for a feature without which there are no hits, or no misses."""
    is_near: np.ndarray = shares > 0
    is_hit = examples.class_of[rows] == examples.class_of[i]
    has_both = np.any(is_near[:, is_hit], axis=1)
    if len(examples.starts) > 2:
        has_both = has_both & np.any(is_near[:, ~is_hit], axis=1)
    return is_near & has_both[:, None]


def _add(columns, examples, i: int, pairs: tuple[np.ndarray, np.ndarray, np.ndarray], sums) -> None:
    """Add by how much features differ from their neighbors, as they are and permuted."""
    _, n_orders = examples.orders.shape
    for features, rows, shares in _parts(pairs, n_orders):
        apart = _permuted(columns, examples.orders, i, features, rows)
        if len(examples.target):
            joint = shares * np.abs(examples.target[i] - examples.target[rows])
            _add_in_turn(sums.target[:, None], features, joint[:, None])
            _add_in_turn(sums.features, features, shares[:, None] * apart)
        else:
            joint = shares * examples.factors[examples.class_of[i], examples.class_of[rows]]
        _add_in_turn(sums.joint, features, joint[:, None] * apart)


def _parts(pairs: tuple[np.ndarray, ...], n_orders: int) -> Iterator[list[np.ndarray]]:
    """Yield pairs of a feature and a neighbor, some at a time."""
    step = max(1, MOST_DIFFERENCES // n_orders)
    for start in range(0, len(pairs[0]), step):
        yield [each[start : start + step] for each in pairs]


def _permuted(columns, orders: np.ndarray, i: int, features: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return by how much a row differs from others in a feature each, with every permutation of it: pairs x orders."""
    values, n_rows = columns.values, len(orders)
    own = values[:, orders[i]].astype(np.float64)[features]
    others = values.reshape(-1).take(orders[rows] + features[:, None] * n_rows)  # faster than by two indices
    n_numeric = int(np.searchsorted(features, columns.n_numeric))
    apart = _apart(own, others.astype(np.float64), n_numeric, columns.is_squared)
    if len(columns.expected):
        expected, gaps = columns.expected, columns.gaps_of[features]
        pairs, order = np.isnan(others).nonzero()
        apart[pairs, order] = expected[gaps[pairs], orders[i, order]]
        pairs, order = np.isnan(own).nonzero()
        apart[pairs, order] = expected[gaps[pairs], orders[rows[pairs], order]]
    return apart


def _add_in_turn(sums: np.ndarray, features: np.ndarray, summands: np.ndarray) -> None:
    """Add rows of summands, sorted by feature, to the sums of their features, one after the other."""
    found, firsts, counts = np.unique(features, return_index=True, return_counts=True)
    if not len(found):
        return
    places = np.arange(len(features)) - np.repeat(firsts, counts)
    stacked = np.zeros((int(counts.max()) + 1, len(found), sums.shape[1]))
    stacked[0] = sums[found]
    stacked[places + 1, np.repeat(np.arange(len(found)), counts)] = summands
    sums[found] = np.add.accumulate(stacked, axis=0)[-1]
