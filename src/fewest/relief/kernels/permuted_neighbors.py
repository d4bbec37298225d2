"""The nearest rows of each class by permuted labels: one list of near rows serves all permutations.

Distances do not depend on the labels. So the rows near a sampled one are sorted by distance once, and each permutation
walks down the list until it has met enough rows of every class.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.kernels import split_mix
from fewest.kernels.compiled import compiled, compiled_in_place
from fewest.kernels.intrinsics import float_of_bits, popcount
from fewest.relief.kernels.layout import FAR
from fewest.relief.kernels.smallest_distances import find_columns, gather, kth_smallest

next_fraction = split_mix.next_fraction.compiled
INFINITE = np.float32(np.inf)


class Near(NamedTuple):
    """How much of `Room.near` is filled for one sampled row."""

    n_rows: int
    most: float  # no row that is nearer is left out
    slack: float  # distances within it are equal but for rounding


class Labels(NamedTuple):
    """The labels by one permutation."""

    of_rows: np.ndarray  # int32 (rows,)
    own: int  # that of the sampled row


class Room(NamedTuple):
    """Room to work in, for one sampled row at a time."""

    distances: np.ndarray  # float32 (rows,)
    near: np.ndarray  # int32 (rows + 1,): rows, the nearest first
    apart: np.ndarray  # float32 (rows + 1,): how far each of these is
    columns: np.ndarray  # int32 (2, rows + 1)
    keys: np.ndarray  # int64 (rows + 1,): the bits of a distance above the row's number
    last: np.ndarray  # float32 (pools,): how far the k-th of a pool is
    met: np.ndarray  # int64 (pools,): how many of a pool were met


@compiled
def permuted_by_distance(products, vectors, sought, found):
    """Find neighbors by every permutation, given partial distances; return for how many sampled rows there was room.

    Parameters
    ----------
    products : Products
    vectors : Vectors
    sought : PermutedSearch
    found : Neighbors
        Filled: those of the s-th sampled row by the p-th of P permutations are the (s P + p)-th.
    """
    sampled, n_permutations = sought.sampled, len(sought.permuted.labels)
    norms, room = vectors.norms, _room(len(vectors.norms), len(sought.rows.starts))
    for s in range(len(sampled.rows)):
        if len(found.rows) - found.starts[s * n_permutations] < len(norms) * n_permutations:
            return s
        own, row, distances = norms[sampled.rows[s]], products.values[products.places[s]], room.distances
        for j in range(len(norms)):
            distances[j] = max(np.float32(0), row[j] + (norms[j] + own))
        if len(vectors.besides):
            for j in range(len(norms)):
                distances[j] = max(np.float32(0), row[j] + vectors.besides[s, j] + (norms[j] + own))
        _find_all(s, products.slack[s], sought, found, room)
    return len(sampled.rows)


@compiled
def permuted_by_bits(words, sought, found):
    """Do the same for rows of bits, given as (rows, planes, words), by the number of differing features."""
    n_rows, n_planes, n_words = words.shape
    sampled, n_permutations = sought.sampled, len(sought.permuted.labels)
    room = _room(n_rows, len(sought.rows.starts))
    for s in range(len(sampled.rows)):
        if len(found.rows) - found.starts[s * n_permutations] < n_rows * n_permutations:
            return s
        own = sampled.rows[s]
        for j in range(n_rows):
            count = np.int64(0)
            for w in range(n_words):
                different = np.uint64(0)
                for p in range(n_planes):
                    different |= words[own, p, w] ^ words[j, p, w]
                count += np.int64(popcount(different))
            room.distances[j] = np.float32(count)
        _find_all(s, np.float32(0), sought, found, room)
    return len(sampled.rows)


@compiled
def _room(n_rows, n_pools):
    n_pools = max(2, n_pools)
    return Room(
        np.empty(n_rows, np.float32),
        np.empty(n_rows + 1, np.int32),
        np.empty(n_rows + 1, np.float32),
        np.empty((2, n_rows + 1), np.int32),
        np.empty(n_rows + 1, np.int64),
        np.empty(n_pools, np.float32),
        np.empty(n_pools, np.int64),
    )


@compiled
def _find_all(s, slack, sought, found, room):
    """Find the neighbors of one sampled row by all permutations."""
    rows, permuted, rule = sought.rows, sought.permuted, sought.rule
    i, n_permutations = sought.sampled.rows[s], len(permuted.labels)
    t = rows.duplicate_of[i]
    room.distances[i] = INFINITE
    if rule.skips_identical and t >= 0:
        for e in range(rows.duplicate_starts[t], rows.duplicate_starts[t + 1]):
            room.distances[rows.duplicates[e]] = INFINITE
    near = _sort_near(room, permuted.n_near, slack)
    for p in range(n_permutations):
        labels = Labels(permuted.labels[p], permuted.labels[p, i])
        if not _meet(room, near, labels, rule, permuted.sizes):
            near = _sort_near(room, len(room.distances) + 1, slack)
            _meet(room, near, labels, rule, permuted.sizes)
        at = s * n_permutations + p
        found.starts[at + 1] = _append(room, near, labels, sought, found, at)


@compiled
def _sort_near(room, n_wanted, slack):
    """Sort the nearest rows by distance, at least ``n_wanted`` of them; return how many, and what is left out."""
    distances = room.distances.view(np.int32)
    n_rows, most = len(distances), np.int32(FAR - 1)
    n_columns = find_columns(distances, 0, n_rows, room.columns[0])
    if n_wanted <= n_columns:
        for w in range(n_columns):
            room.columns[1, w] = room.columns[0, w]
        most = min(most, kth_smallest(room.columns[1], n_columns, n_wanted))
    n_near = gather(distances, (0, n_rows, most), room.columns[0], room.columns[1], room.near, 0)
    for e in range(n_near):
        room.keys[e] = (np.int64(distances[room.near[e]]) << 32) | np.int64(room.near[e])
    room.keys[:n_near].sort()
    for e in range(n_near):
        row = np.int32(room.keys[e] & 0xFFFFFFFF)
        room.near[e], room.apart[e] = row, room.distances[row]
    return Near(n_near, INFINITE if most == FAR - 1 else float_of_bits(most), slack)


@compiled_in_place
def _pool(label, own, pools_misses):
    return np.int64(label != own) if pools_misses else np.int64(label)


@compiled_in_place
def _meet(room, near, labels, rule, sizes):
    """Note how far the k-th row of every pool is; return whether the list goes as far as that, ties included."""
    n_pools, n_open = 2 if rule.pools_misses else len(sizes), 0
    for pool in range(n_pools):
        room.met[pool], room.last[pool] = 0, -1
    n_open = n_pools
    for e in range(near.n_rows):
        pool = _pool(labels.of_rows[room.near[e]], labels.own, rule.pools_misses)
        if room.met[pool] < rule.k:
            room.met[pool] += 1
            room.last[pool] = room.apart[e]
            n_open -= np.int64(room.met[pool] >= rule.k)
            if n_open == 0:
                break
    if near.most == INFINITE:
        return True
    if n_open:
        return False
    for pool in range(n_pools):  # noqa: SIM110 (compiled)
        if room.last[pool] + near.slack > near.most:
            return False
    return True


@compiled_in_place
def _append(room, near, labels, sought, found, at):
    """Append the neighbors of all pools, weighed by their classes; none unless there are hits and misses."""
    rule, permuted, own = sought.rule, sought.permuted, labels.own
    seed = sought.sampled.seeds[at // len(permuted.labels)]
    first = found.starts[at]
    stop, n_hits = first, 0
    for pool in range(2 if rule.pools_misses else len(permuted.sizes)):
        if room.met[pool] == 0:
            continue
        before, n_sure = stop, 0
        low, high = room.last[pool] - near.slack, room.last[pool] + near.slack
        for e in range(near.n_rows):
            if room.apart[e] > high:
                break
            label = labels.of_rows[room.near[e]]
            if _pool(label, own, rule.pools_misses) == pool:
                found.rows[stop] = room.near[e]
                found.weights[stop] = 1
                n_sure += np.int64(room.apart[e] < low)
                stop += 1
        wanted, tied = min(np.int64(rule.k), room.met[pool]), before + n_sure
        share = np.float32(1)
        if stop - before > wanted:
            if rule.is_random:
                _choose(found, tied, stop, wanted - n_sure, seed)
                stop = before + wanted
            else:
                share = np.float32((wanted - n_sure) / (stop - tied))
        for e in range(before, stop):
            factor = permuted.factors[own, labels.of_rows[found.rows[e]]]
            found.weights[e] = factor * (np.float32(1) if e < tied else share) / np.float32(wanted)
        is_hit = pool == 0 if rule.pools_misses else pool == own
        n_hits += stop - before if is_hit else 0
    return stop if n_hits > 0 and stop - first > n_hits else first


@compiled_in_place
def _choose(found, start, stop, n_chosen, seed):
    """Move the tied rows with the smallest random numbers, which depend on the seed and the row, to the front."""
    for place in range(start, start + n_chosen):
        best, least = place, 2.0
        for e in range(place, stop):
            fraction = next_fraction(seed + np.uint64(found.rows[e]))[1]
            if fraction < least:
                best, least = e, fraction
        found.rows[place], found.rows[best] = found.rows[best], found.rows[place]
