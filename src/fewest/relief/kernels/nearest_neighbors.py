"""The nearest rows of each class, from the distances of a sampled row to all rows (see `layout`)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.kernels import split_mix
from fewest.kernels.compiled import compiled, compiled_in_place, compiled_in_place_sum
from fewest.kernels.intrinsics import bits_of_float, float_of_bits, popcount
from fewest.relief.kernels.layout import FAR, Neighbors, Rows, Rule, Sampled, Vectors
from fewest.relief.kernels.smallest_distances import (
    find_columns,
    gather,
    gather_counts,
    kth_count,
    kth_smallest,
    last_of_weight,
)

next_fraction = split_mix.next_fraction.compiled


class Search(NamedTuple):
    """What is sought among which rows, and room to work in."""

    sampled: Sampled
    rows: Rows
    rule: Rule
    found: Neighbors
    n_enough: int  # so many rows, whichever they are, weigh at least k, the sampled row being one copy short
    is_unweighted: bool  # whether each row weighs 1, so that no fewer do
    scratch: np.ndarray  # int32 (2, rows + 1)
    guesses: np.ndarray  # int64 (pools,): how far the k-th is, where distances are counts; else empty


class Own(NamedTuple):
    """One sampled row."""

    distances: np.ndarray  # int32 (rows,): to all rows, see `layout.FAR`; updated
    vectors: Vectors  # what they were computed from
    i: int  # which row it is
    s: int  # which of the sampled ones
    slack: float  # distances within it are equal but for rounding; 0 for counts
    margin: float  # by how much they are wrong besides, until they are measured again


@compiled
def nearest_by_distance(products, vectors, sampled, rows, rule, found):
    """Find neighbors given partial distances; return for how many of the sampled rows there was room.

    A matrix product rounds by where in the matrix a row is, and bytes round most of a value off. So candidates are
    measured again, one by one: who is a neighbor then depends on the two rows alone.

    Parameters
    ----------
    products : Products
    vectors : Vectors
        What they were computed from.
    sampled : Sampled
    rows : Rows
    rule : Rule
    found : Neighbors
        Filled.
    """
    norms = vectors.norms
    n_enough, is_unweighted = _enough(rows.weights, rule.k)
    scratch, no_guesses = np.empty((2, len(norms) + 1), np.int32), np.empty(0, np.int64)
    search = Search(sampled, rows, rule, found, n_enough, is_unweighted, scratch, no_guesses)
    distances = np.empty(len(norms), np.float32)
    for s in range(len(sampled.rows)):
        if len(found.rows) - found.starts[s] < len(norms):
            return s
        row = products.values[products.places[s]]
        if len(vectors.besides):
            _add(row, vectors.besides[s], distances)
            row = distances
        _add_norms(row, norms, norms[sampled.rows[s]], distances)
        own = Own(distances.view(np.int32), vectors, sampled.rows[s], s, products.slack[s], products.margin[s])
        _find(own, search)
    return len(sampled.rows)


@compiled
def nearest_by_bits(words, sampled, rows, rule, found):
    """Find neighbors of rows given as bit planes (planes, words, rows), by the number of differing features."""
    n_rows = words.shape[2]
    n_enough, is_unweighted = _enough(rows.weights, rule.k)
    scratch, guesses = np.empty((2, n_rows + 1), np.int32), np.zeros(len(rows.starts), np.int64)
    search = Search(sampled, rows, rule, found, n_enough, is_unweighted, scratch, guesses)
    distances = np.empty(n_rows, np.int32)
    none = np.empty((0, 0), np.float32)
    vectors = Vectors(none, none[0:0, 0], none[0:0, 0], none, none)
    for s in range(len(sampled.rows)):
        if len(found.rows) - found.starts[s] < n_rows:
            return s
        count_differences(words, words, sampled.rows[s], distances)
        _find(Own(distances, vectors, sampled.rows[s], s, np.float32(0), np.float32(0)), search)
    return len(sampled.rows)


@compiled_in_place
def _enough(weights, k):
    """Return `Search.n_enough` and `Search.is_unweighted`."""
    least, most = 1.0, 1.0
    for weight in weights:
        least, most = min(least, weight), max(most, weight)
        if weight > 1:
            least = min(least, weight - 1)
    return np.int64(min(np.ceil(k / least), np.float64(len(weights) + 1))), least == most


@compiled_in_place
def _add_norms(row, norms, own, distances):
    for j in range(len(norms)):
        distances[j] = max(np.float32(0), row[j] + (norms[j] + own))


@compiled_in_place
def _add(row, besides, distances):
    for j in range(len(distances)):
        distances[j] = row[j] + besides[j]


@compiled_in_place
def count_differences(words, sampled, i, distances):
    """Count in how many features all rows differ from the i-th of the sampled ones, both as (planes, words, rows)."""
    distances[:] = 0
    for w in range(words.shape[1]):
        if words.shape[0] == 1:
            own, others = sampled[0, w, i], words[0, w]
            for j in range(len(distances)):
                distances[j] += np.int32(popcount(others[j] ^ own))
            continue
        for j in range(len(distances)):
            different = np.uint64(0)
            for p in range(words.shape[0]):
                different |= words[p, w, j] ^ sampled[p, w, i]
            distances[j] += np.int32(popcount(different))


@compiled_in_place
def _find(own, search):
    """Find the neighbors of one sampled row: none at all unless it has some of its own class and some of another."""
    rows, found, s = search.rows, search.found, own.s
    own_class, kept = np.int64(rows.class_of[own.i]), rows.weights[own.i]
    _hide(own.distances, rows, own.i, search.rule.skips_identical)
    n_classes = len(rows.starts) - 1
    seed, at = search.sampled.seeds[s], found.starts[s]
    n_hits = np.int64(0)
    for pool in range(2 if search.rule.pools_misses else n_classes):
        ranges, is_hit = pool_of(rows.starts, own_class, pool, search.rule.pools_misses)
        before = at
        at, seed = _nearest(own, ranges, search.guesses[pool : pool + 1], search, at, seed)
        n_hits += at - before if is_hit else 0
    n_misses = at - found.starts[s] - n_hits
    rows.weights[own.i] = kept
    is_complete = n_hits > 0 and (n_misses > 0 or n_classes == 1)
    found.starts[s + 1] = at if is_complete else found.starts[s]


@compiled_in_place
def _hide(distances, rows, i, with_duplicates):
    """Take one copy of a row, or all rows at distance 0 from it, out of the neighbors."""
    t = rows.duplicate_of[i]
    if with_duplicates and t >= 0:
        for e in range(rows.duplicate_starts[t], rows.duplicate_starts[t + 1]):
            distances[rows.duplicates[e]] = FAR
    elif rows.weights[i] <= 1:
        distances[i] = FAR
    else:
        rows.weights[i] -= 1


@compiled_in_place
def pool_of(starts, own_class, number, pools_misses):
    """Return two ranges of rows that make up a pool, and whether it is the sampled row's class.

    A pool is a class; or, where misses are pooled, first the own class, then what lies around it.
    """
    none = np.int64(0)
    if not pools_misses:
        return (starts[number], starts[number + 1], none, none), number == own_class
    if number == 0:
        return (starts[own_class], starts[own_class + 1], none, none), True
    return (none, starts[own_class], starts[own_class + 1], starts[len(starts) - 1]), False


@compiled_in_place
def _nearest(own, ranges, guess, search, at, seed):
    """Append the nearest rows of a pool, those tied with the last one at the end, with weights that sum to 1."""
    distances, rows, found, others = own.distances, search.rows, search.found, search.scratch[0]
    if len(guess):
        stop, last = _candidates_by_count(distances, ranges, search.n_enough, found.rows, at, guess)
    else:
        stop, last = _candidates(distances, own.slack + own.margin, ranges, search, at), FAR
    if stop == at:
        return at, seed
    if own.slack > 0:
        _measure_again(own, found.rows[at:stop])
    if not (search.is_unweighted and len(guess)) or stop - at < search.n_enough:
        for e in range(at, stop):
            others[e - at] = found.rows[e]
        last = last_of_weight(distances, rows.weights, others, stop - at, search.rule.k)
    low, high = _shifted(last, -own.slack), _shifted(last, own.slack)
    middle, n_tied = at, 0
    for e in range(at, stop):
        row = found.rows[e]
        found.rows[middle] = others[n_tied] = row
        middle += np.int64(distances[row] < low)
        n_tied += np.int64(distances[row] >= low) & np.int64(distances[row] <= high)
    stop = middle + n_tied
    for e in range(n_tied):
        found.rows[middle + e] = others[e]
    sure, tied = _weighed(rows.weights, found, at, middle), _weighed(rows.weights, found, middle, stop)
    wanted = min(search.rule.k, sure + tied)
    share = (wanted - sure) / tied
    if search.rule.is_random:
        share = 1.0
        stop, seed = choose_among_ties(found, middle, stop, wanted - sure, seed)
    for e in range(at, stop):
        found.weights[e] *= (1.0 if e < middle else share) / wanted
    return stop, seed


@compiled_in_place
def _candidates_by_count(distances, ranges, n_enough, found, at, guess):
    """Append the rows that are as near as so many; return where they end and how far the last is, the next guess."""
    guess[0] = kth_count(distances, ranges, n_enough, guess[0], np.int64(FAR - 1))
    at = gather_counts(distances, ranges[0], ranges[1], guess[0], found, at)
    return gather_counts(distances, ranges[2], ranges[3], guess[0], found, at), np.int32(guess[0])


@compiled_in_place
def _candidates(distances, slack, ranges, search, at):
    """Append the rows that are as near as the last of the nearest can be; return where they end."""
    columns, minima, found = search.scratch[0], search.scratch[1], search.found.rows
    n_first = find_columns(distances, ranges[0], ranges[1], minima)
    n_columns = n_first + find_columns(distances, ranges[2], ranges[3], minima[n_first:])
    most = np.int32(FAR - 1)
    if search.n_enough <= n_columns:
        for w in range(n_columns):
            columns[w] = minima[w]
        most = min(most, _shifted(kth_smallest(columns, n_columns, search.n_enough), 2 * slack))
    at = gather(distances, (ranges[0], ranges[1], most), minima, columns, found, at)
    return gather(distances, (ranges[2], ranges[3], most), minima[n_first:], columns, found, at)


@compiled_in_place
def _measure_again(own, near):
    """Replace the distances of candidates by ones that depend on the two rows alone."""
    distances, vectors, i = own.distances, own.vectors, own.i
    for e in range(len(near)):
        row = near[e]
        apart = np.float32(_product(vectors.matrix[i], vectors.scale, vectors.matrix[row]))
        if len(vectors.besides):
            apart += vectors.besides[own.s, row]
        if vectors.numeric.shape[1]:
            apart += np.float32(_absolute(vectors.numeric[i], vectors.numeric[row]))
        distances[row] = bits_of_float(max(np.float32(0), apart + (vectors.norms[row] + vectors.norms[i])))


@compiled_in_place_sum
def _product(one, scale, other):
    total = 0.0
    for column in range(len(scale)):
        total += np.float64(one[column] * scale[column]) * np.float64(other[column])
    return total


@compiled_in_place_sum
def _absolute(one, other):
    total = 0.0
    for column in range(len(one)):
        total += np.float64(abs(one[column] - other[column]))
    return total


@compiled_in_place
def _weighed(weights, found, start, stop):
    """Give rows their weights and return the sum."""
    total = 0.0
    for e in range(start, stop):
        found.weights[e] = weights[found.rows[e]]
        total += weights[found.rows[e]]
    return total


@compiled_in_place
def _shifted(distance, shift):
    """Return the bits of a float that is larger by ``shift``; counts are never shifted.

    The bits of floats from 0 on are ordered as the floats are, and a sum below 0 is cut off there, so that the result
    is no less than 0 and can be compared as an int32.
    """
    if shift == 0 or distance >= FAR:
        return distance
    return bits_of_float(max(np.float32(0), float_of_bits(distance) + shift))


@compiled_in_place
def choose_among_ties(found, first, stop, n_places, seed):
    """Keep as many of the tied rows, chosen at random, as there are places; return where they end, and the next seed.

    The e-th of n rows that are left is kept with probability (places left) / (n - e): every subset has the same chance.
    """
    at = first
    for e in range(first, stop):
        seed, fraction = next_fraction(seed)
        if fraction * (stop - e) < n_places:
            n_places -= 1
            found.rows[at], found.weights[at] = found.rows[e], found.weights[e]
            at += 1
    return at, seed
