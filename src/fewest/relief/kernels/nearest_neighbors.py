"""The nearest rows of each class, from the distances of a drawn row to all rows (see `neighbours`)."""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled, compiled_in_place, compiled_in_place_sum
from fewest.kernels.intrinsics import bits_of_float, float_of_bits, popcount
from fewest.relief.kernels.layout import Vectors
from fewest.relief.kernels.near_counts import gather_counts, kth_count
from fewest.relief.kernels.pools import draw_lots, pool_of
from fewest.relief.kernels.smallest_distances import FAR, find_columns, gather, kth_smallest, last_of_weight


@compiled
def nearest_by_distance(products, places, vectors, slack, draw, rows, rule, found):
    """Find neighbours given partial squared distances; return for how many of the drawn rows there was room.

    A matrix product rounds by where in the matrix a row is. So those near are
    measured again, one by one: who is a neighbour then depends on the two rows alone.

    Parameters
    ----------
    products : float32 array of shape (at least n_drawn, n_rows)
        The squared distances but for the squared norms of the two rows, and what is besides.
    places : int64 array of shape (n_drawn,)
        Where in ``products`` each drawn row is.
    vectors : Vectors
        What they were made from.
    slack : float32 array of shape (n_drawn,)
        Distances that differ by no more are equal, but for rounding, which is half of that at most.
    draw : Draw
    rows : Rows
    rule : Rule
    found : Found
        Filled.
    """
    norms = vectors.norms
    scratch, enough = np.empty((2, len(norms) + 1), np.int32), _enough(rows.weights, rule.k)
    distances, no_guesses = np.empty(len(norms), np.float32), np.empty(0, np.int64)
    for s in range(len(draw.rows)):
        if len(found.rows) - found.starts[s] < len(norms):
            return s
        row = products[places[s]]
        if len(vectors.besides):
            _add(row, vectors.besides[s], distances)
            row = distances
        _add_norms(row, norms, norms[draw.rows[s]], distances)
        _find(distances.view(np.int32), vectors, slack[s], s, draw, rows, rule, enough, found, scratch, no_guesses)
    return len(draw.rows)


@compiled
def nearest_by_bits(words, draw, rows, rule, found):
    """Find neighbours of rows given as bit planes (planes, words, rows), by the number of differing features."""
    n_rows = words.shape[2]
    scratch, enough = np.empty((2, n_rows + 1), np.int32), _enough(rows.weights, rule.k)
    distances = np.empty(n_rows, np.int32)
    guesses = np.zeros(len(rows.starts), np.int64)
    none = np.empty((0, 0), np.float32)
    vectors = Vectors(none, none[0:0, 0], none[0:0, 0], none)
    for s in range(len(draw.rows)):
        if len(found.rows) - found.starts[s] < n_rows:
            return s
        count_differences(words, words, draw.rows[s], distances)
        _find(distances, vectors, np.float32(0), s, draw, rows, rule, enough, found, scratch, guesses)
    return len(draw.rows)


@compiled_in_place
def _enough(weights, k):
    """Return how many rows, whichever they are, weigh at least k, the drawn row being one copy short.

    And whether each weighs 1, so that no fewer do.
    """
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
def count_differences(words, drawn, i, distances):
    """Count in how many features all rows differ from the i-th of the drawn ones."""
    distances[:] = 0
    for w in range(words.shape[1]):
        if words.shape[0] == 1:
            own, others = drawn[0, w, i], words[0, w]
            for j in range(len(distances)):
                distances[j] += np.int32(popcount(others[j] ^ own))
            continue
        for j in range(len(distances)):
            different = np.uint64(0)
            for p in range(words.shape[0]):
                different |= words[p, w, j] ^ drawn[p, w, i]
            distances[j] += np.int32(popcount(different))


@compiled_in_place
def _find(distances, vectors, slack, s, draw, rows, rule, enough, found, scratch, guesses):
    """Find the neighbours of one drawn row: none at all unless it has some of its own class and some of another.

    ``guesses`` says how far the neighbours of each class may be; it is empty where distances are no counts.
    """
    i = draw.rows[s]
    drawn = (vectors, i, s)
    own, kept = rows.class_of[i], rows.weights[i]
    _hide(distances, rows, i, rule.skips_twins)
    n_classes = len(rows.starts) - 1
    seed, at = draw.seeds[s], found.starts[s]
    n_hits = np.int64(0)
    for pool in range(2 if rule.pools_misses else n_classes):
        ranges, is_hit = pool_of(rows.starts, np.int64(own), pool, rule.pools_misses)
        before, guess = at, guesses[pool : pool + 1]
        at, seed = _nearest(distances, drawn, slack, ranges, seed, rows, rule, enough, found, at, scratch, guess)
        n_hits += at - before if is_hit else 0
    n_misses = at - found.starts[s] - n_hits
    rows.weights[i] = kept
    is_complete = n_hits > 0 and (n_misses > 0 or n_classes == 1)
    found.starts[s + 1] = at if is_complete else found.starts[s]


@compiled_in_place
def _hide(distances, rows, i, with_twins):
    """Take one copy of a row, or all rows at distance 0 from it, out of the neighbours."""
    t = rows.twin_of[i]
    if with_twins and t >= 0:
        for e in range(rows.twin_starts[t], rows.twin_starts[t + 1]):
            distances[rows.twins[e]] = FAR
    elif with_twins or rows.weights[i] <= 1:
        distances[i] = FAR
    else:
        rows.weights[i] -= 1


@compiled_in_place
def _nearest(distances, drawn, slack, ranges, seed, rows, rule, enough, found, at, scratch, guess):
    """Append the nearest rows of a class, those tied with the last one at the end, with weights that sum to 1.

    A class is one range, or what lies around one.
    """
    if len(guess):
        stop, last = _near_counts(distances, ranges, enough[0], found.rows, at, guess)
    else:
        stop, last = _candidates(distances, slack, ranges, enough[0], found.rows, at, scratch), FAR
    if stop == at:
        return at, seed
    if slack > 0:
        _measure_again(distances, drawn, found.rows[at:stop])
    others = scratch[0]
    if not (enough[1] and len(guess)) or stop - at < enough[0]:
        for e in range(at, stop):
            others[e - at] = found.rows[e]
        last = last_of_weight(distances, rows.weights, others, stop - at, rule.k)
    low, high = _shifted(last, -slack), _shifted(last, slack)
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
    wanted = min(rule.k, sure + tied)
    share = (wanted - sure) / tied
    if rule.draws_lots:
        share = 1.0
        stop, seed = draw_lots(found, middle, stop, wanted - sure, seed)
    for e in range(at, stop):
        found.weights[e] *= (1.0 if e < middle else share) / wanted
    return stop, seed


@compiled_in_place
def _near_counts(distances, ranges, n_enough, found, at, guess):
    """Append the rows that are as near as so many; return how far the last of these is, the next guess."""
    guess[0] = kth_count(distances, ranges, n_enough, guess[0], np.int64(FAR - 1))
    at = gather_counts(distances, ranges[0], ranges[1], guess[0], found, at)
    return gather_counts(distances, ranges[2], ranges[3], guess[0], found, at), np.int32(guess[0])


@compiled_in_place
def _candidates(distances, slack, ranges, n_enough, found, at, scratch):
    """Append the rows that are as near as the last of the nearest can be."""
    columns, minima = scratch[0], scratch[1]
    n_first = find_columns(distances, ranges[0], ranges[1], minima)
    n_columns = n_first + find_columns(distances, ranges[2], ranges[3], minima[n_first:])
    most = np.int32(FAR - 1)
    if n_enough <= n_columns:
        for w in range(n_columns):
            columns[w] = minima[w]
        most = min(most, _shifted(kth_smallest(columns, n_columns, n_enough), 2 * slack))
    at = gather(distances, ranges[0], ranges[1], minima, most, columns, found, at)
    return gather(distances, ranges[2], ranges[3], minima[n_first:], most, columns, found, at)


@compiled_in_place
def _measure_again(distances, drawn, near):
    """Replace the distances of rows that are near by ones that depend on the two rows alone."""
    vectors, i, s = drawn
    for e in range(len(near)):
        row = near[e]
        apart = np.float32(_product(vectors.matrix[i], vectors.scale, vectors.matrix[row]))
        if len(vectors.besides):
            apart += vectors.besides[s, row]
        distances[row] = bits_of_float(max(np.float32(0), apart + (vectors.norms[row] + vectors.norms[i])))


@compiled_in_place_sum
def _product(one, scale, other):
    total = 0.0
    for column in range(len(scale)):
        total += np.float64(one[column] * scale[column]) * np.float64(other[column])
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
    """Return the bits of a float that is larger by ``shift``; distances in whole numbers have none."""
    if shift == 0 or distance >= FAR:
        return distance
    return bits_of_float(max(np.float32(0), float_of_bits(distance) + shift))
