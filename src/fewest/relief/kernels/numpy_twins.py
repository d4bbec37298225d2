"""NumPy twins of the searches, of differences and of absolute differences: the same answers without a compiler."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from fewest.kernels.split_mix import STEP, fractions
from fewest.relief.kernels.layout import Neighbors, Permuted, Rows, Rule, Sampled

# Differences of a feature that are computed at a time.
AT_A_TIME = 1 << 14
# Weights of neighbors by all permutations that are in memory at a time.
MOST_WEIGHTS = 1 << 22


def nearest(distances: np.ndarray, slack: np.ndarray, sampled: Sampled, rows: Rows, rule: Rule) -> Neighbors:
    """Find the neighbors of sampled rows, given their distances to all rows."""
    is_simple = not rule.is_random and not rule.pools_misses and len(rows.starts) > 2
    if is_simple and (rows.weights == 1).all():
        return _nearest_at_once(distances, slack, sampled, rows, rule)
    listed, weighed, starts = [], [], [0]
    for s, i in enumerate(sampled.rows):
        parts = list(_neighbors(distances[s], slack[s], int(i), int(sampled.seeds[s]), rows, rule))
        listed += [members for members, _ in parts]
        weighed += [weights for _, weights in parts]
        starts.append(starts[-1] + sum(len(members) for members, _ in parts))
    none = np.empty(0)
    return Neighbors(
        np.array(starts, dtype=np.int64),
        np.concatenate([none, *listed]).astype(np.int32),
        np.concatenate([none, *weighed]).astype(np.float32),
    )


def _nearest_at_once(distances: np.ndarray, slack: np.ndarray, sampled: Sampled, rows: Rows, rule: Rule) -> Neighbors:
    """Find the neighbors in every class where rows count once and ties share: for all sampled rows at once."""
    distances = _to_others(distances, sampled, rows, rule)
    shares = np.zeros(distances.shape)
    has_any = np.empty((len(distances), len(rows.starts) - 1), dtype=bool)
    for c, (start, stop) in enumerate(pairwise(rows.starts.tolist())):
        shares[:, start:stop], _ = _shares(distances[:, start:stop], slack[:, None], None, rule)
        has_any[:, c] = shares[:, start:stop].any(axis=1)
    has_hits = has_any[np.arange(len(distances)), rows.class_of[sampled.rows]]
    shares[~(has_hits & (has_any.sum(axis=1) > 1))] = 0
    entries, members = np.nonzero(shares)  # classes are ranges of rows, in their order
    starts = np.append(0, np.cumsum(np.bincount(entries, minlength=len(shares)))).astype(np.int64)
    return Neighbors(starts, members.astype(np.int32), shares[entries, members].astype(np.float32))


def _to_others(distances: np.ndarray, sampled: Sampled, rows: Rows, rule: Rule) -> np.ndarray:
    """Return a copy in which what is no neighbor is infinitely far: the row itself and, if so ruled, its like."""
    distances = distances.copy()
    distances[np.arange(len(distances)), sampled.rows] = np.inf
    if rule.skips_identical:
        group = rows.duplicate_of[sampled.rows, None]
        distances[(group >= 0) & (group == rows.duplicate_of)] = np.inf
    return distances


def _neighbors(d, slack, i, seed, rows, rule) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the neighbors of one row class by class; nothing unless it has hits and misses."""
    weights = rows.weights.copy()
    t = rows.duplicate_of[i]
    if rule.skips_identical and t >= 0:
        weights[rows.duplicates[rows.duplicate_starts[t] : rows.duplicate_starts[t + 1]]] = 0
    else:
        weights[i] = max(0.0, weights[i] - 1)
    parts = []
    is_hit = np.zeros(0, dtype=bool)
    for members in _pools(rows, i, rule.pools_misses):
        members = members[weights[members] > 0]
        if len(members):
            chosen, shares, seed = _nearest(d[members], weights[members], slack, seed, rule)
            parts.append((members[chosen], shares))
            is_hit = np.append(is_hit, rows.class_of[members[0]] == rows.class_of[i])
    n_classes = len(rows.starts) - 1
    if is_hit.any() and (n_classes == 1 or not is_hit.all()):
        yield from parts


def _pools(rows: Rows, i: int, pools_misses: bool) -> Iterator[np.ndarray]:
    """Yield the rows of every class; or, where misses are pooled, those of the own class and all others."""
    everyone = np.arange(rows.starts[-1])
    own = rows.class_of[i]
    if pools_misses:
        yield everyone[rows.class_of == own]
        yield everyone[rows.class_of != own]
        return
    for c in range(len(rows.starts) - 1):
        yield everyone[rows.starts[c] : rows.starts[c + 1]]


def _nearest(d, weights, slack, seed, rule) -> tuple[np.ndarray, np.ndarray, int]:
    """Return the nearest of a pool, the weight of each, and the next seed."""
    if (weights == 1).all():
        n_last = min(int(np.ceil(rule.k * (1 - 1e-12))), len(d)) - 1
        last = np.partition(d, n_last)[n_last]
    else:
        order = np.argsort(d, kind="stable")
        enough = np.searchsorted(np.cumsum(weights[order]), rule.k * (1 - 1e-12))
        last = d[order[min(enough, len(order) - 1)]]
    is_near, is_tied = d <= last + slack, (d >= last - slack) & (d <= last + slack)
    sure, tied = weights[is_near & ~is_tied].sum(), weights[is_tied].sum()
    wanted = min(rule.k, sure + tied)
    if rule.is_random:
        ties = np.flatnonzero(is_tied)
        with np.errstate(over="ignore"):  # the state of SplitMix64 is a counter modulo 2 ** 64
            numbers = fractions(np.uint64(seed) + np.arange(len(ties), dtype=np.uint64) * STEP)
            seed = int(np.uint64(seed) + np.uint64(len(ties)) * STEP)
        is_near[ties] = _chosen(numbers, wanted - sure)
        return np.flatnonzero(is_near), weights[is_near] / wanted, seed
    share = np.where(is_tied, (wanted - sure) / tied, 1.0)
    return np.flatnonzero(is_near), (weights * share)[is_near] / wanted, seed


def _chosen(numbers: np.ndarray, n_places: float) -> np.ndarray:
    """Return a random choice of that many, every one with the same chance, as in `choose_among_ties`."""
    is_kept = np.zeros(len(numbers), dtype=bool)
    for e, number in enumerate(numbers):
        is_kept[e] = number * (len(numbers) - e) < n_places
        n_places -= is_kept[e]
    return is_kept


def permuted_nearest(
    distances: np.ndarray, slack: np.ndarray, sampled: Sampled, rows: Rows, rule: Rule, permuted: Permuted
) -> Neighbors:
    """Find the neighbors of sampled rows by every permutation, as `permuted_neighbors` does.

    They are sought among the nearest rows whatever their class; where these do not suffice, among more.
    """
    distances, n_rows = _to_others(distances, sampled, rows, rule), distances.shape[1]
    n_permutations, n_near = len(permuted.labels), permuted.n_near
    left, found = np.arange(len(distances)), []
    while len(left):
        n_near, again = min(n_near, n_rows), []
        step = max(1, MOST_WEIGHTS // (n_permutations * n_near))
        for some in (left[start : start + step] for start in range(0, len(left), step)):
            own = Sampled(sampled.rows[some], sampled.seeds[some])
            (entries, members, weights), suffices = _permuted_among(
                distances[some], slack[some, None], own, rule, permuted, n_near
            )
            suffices |= n_near == n_rows
            row, permutation = np.divmod(entries, n_permutations)
            is_done = suffices[row]
            entries = some[row] * n_permutations + permutation
            found.append((entries[is_done], members[is_done], weights[is_done]))
            again.append(some[~suffices])
        left, n_near = np.concatenate(again), 4 * n_near
    entries, members, weights = (np.concatenate(part) for part in zip(*found, strict=True))
    order = np.argsort(entries, kind="stable")
    n_entries = len(distances) * n_permutations
    starts = np.append(0, np.cumsum(np.bincount(entries, minlength=n_entries))).astype(np.int64)
    return Neighbors(starts, members[order].astype(np.int32), weights[order])


def _permuted_among(
    distances: np.ndarray, slack: np.ndarray, sampled: Sampled, rule: Rule, permuted: Permuted, n_near: int
) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    """Find neighbors among so many near rows; return them, and for which sampled rows no other row can be one.

    Neighbors are given by the number of sampled row and permutation, by row, and by weight.
    """
    n_rows = distances.shape[1]
    near = np.broadcast_to(np.arange(n_rows), distances.shape)
    if n_near < n_rows:
        near = np.sort(np.argpartition(distances, n_near - 1, axis=1)[:, :n_near], axis=1)
        distances = np.take_along_axis(distances, near, axis=1)
    farthest, reach = distances.max(axis=1, keepdims=True), np.zeros((len(distances), 1))
    luck = None
    if rule.is_random:
        with np.errstate(over="ignore"):  # states are counters modulo 2 ** 64
            luck = fractions(sampled.seeds[:, None] + near.astype(np.uint64))
    weights = np.zeros((len(distances), len(permuted.labels), near.shape[1]), dtype=np.float32)
    for p, labels in enumerate(permuted.labels):
        own, others = labels[sampled.rows], labels[near]
        is_hit = own[:, None] == others
        pools = [is_hit, ~is_hit] if rule.pools_misses else [others == c for c in range(len(permuted.sizes))]
        shares = np.zeros(distances.shape)
        for pool in pools:
            more, within = _shares(np.where(pool, distances, np.inf), slack, luck, rule)
            shares += more
            reach = np.maximum(reach, within)
        is_near = shares > 0
        is_complete = (is_near & is_hit).any(axis=1) & (is_near & ~is_hit).any(axis=1)
        weights[:, p] = shares * permuted.factors[own[:, None], others] * is_complete[:, None]
    flat = weights.reshape(-1, near.shape[1])
    entries, places = np.nonzero(flat)
    found = entries, near[entries // len(permuted.labels), places], flat[entries, places]
    return found, (reach < farthest)[:, 0]


def _shares(d: np.ndarray, slack: np.ndarray, luck: np.ndarray | None, rule: Rule) -> tuple[np.ndarray, np.ndarray]:
    """Return what every row of a pool counts for, and how far the last of k is; other rows are infinitely far.

    A pool of fewer rows reaches infinitely far.
    """
    if not d.shape[1]:
        return np.zeros(d.shape), np.full((len(d), 1), np.inf)
    is_member = np.isfinite(d)
    n_members = is_member.sum(axis=1)[:, None]
    wanted = np.minimum(int(rule.k), n_members)
    n_last = min(int(rule.k), d.shape[1])
    smallest = np.partition(d, n_last - 1, axis=1)[:, :n_last]
    last = np.where(np.isfinite(smallest), smallest, -np.inf).max(axis=1, keepdims=True)
    is_sure = d < last - slack
    is_tied = (d <= last + slack) & is_member & ~is_sure
    n_sure, n_tied = is_sure.sum(axis=1, keepdims=True), is_tied.sum(axis=1, keepdims=True)
    if luck is not None:
        drawn = np.argsort(np.argsort(np.where(is_tied, luck, 2.0), axis=1, kind="stable"), axis=1, kind="stable")
        shares = is_sure | (is_tied & (drawn < wanted - n_sure))
    else:
        shares = is_sure + is_tied * (wanted - n_sure) / np.maximum(n_tied, 1)
    return shares / np.maximum(wanted, 1), np.where(n_members < int(rule.k), np.inf, last + slack)


def add_absolute_differences(sampled: np.ndarray, rows: np.ndarray, sums: np.ndarray) -> None:
    """Add the absolute differences of all features between sampled rows and all rows.

    Feature by feature, so that sums of some rows stay in the cache.
    """
    others = np.ascontiguousarray(rows.T, dtype=np.float64)
    step = max(1, AT_A_TIME // max(1, len(rows)))
    for start in range(0, len(sampled), step):
        own = sampled[start : start + step].astype(np.float64)
        total, apart = np.zeros((2, len(own), len(rows)))
        for f, values in enumerate(others):
            np.subtract(own[:, f, None], values, out=apart)
            np.abs(apart, out=apart)
            total += apart
        sums[start : start + step] += total.astype(np.float32)


def summed(differences: np.ndarray, found: Neighbors) -> np.ndarray:
    """Sum the weighted differences, one row a neighbor, into one row for every sampled row."""
    starts = found.starts
    sums = np.zeros((len(starts) - 1, differences.shape[1]), dtype=np.float32)
    has_any = starts[1:] > starts[:-1]
    if has_any.any():
        weighted = differences * found.weights[: starts[-1], None]
        sums[has_any] = np.add.reduceat(weighted, starts[:-1][has_any], axis=0)
    return sums
