"""The nearest rows of each class, found in one pass over the distances from a drawn row (see `neighbours`).

Distances are whole numbers to the search: counts of differing features, or
floats that are not negative, whose bits are ordered as they are. So rows are
looked at in lots, whose minimum is a few instructions, and most lots hold no
row that is near enough.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled
from fewest.kernels.popcount import popcount

LOT = 32
FAR = np.int32(1 << 30)


@compiled
def nearest_by_distance(distances, norms, slack, draw, rows, rule, found):
    """Find neighbours given partial squared distances; return for how many of the drawn rows there was room.

    Parameters
    ----------
    distances : float32 array of shape (n_drawn, n_rows)
        The squared distances but for the squared norms of the two rows. Overwritten.
    norms : float32 array of shape (n_rows,)
    slack : float32 array of shape (n_drawn,)
        Distances that differ by no more are equal, but for rounding.
    draw : Draw
    rows : Rows
    rule : Rule
    found : Found
        Filled.
    """
    heap = (np.empty(len(norms) + 1, np.int32), np.empty(len(norms) + 1))
    for s in range(len(draw.rows)):
        if len(found.rows) - found.starts[s] < len(norms):
            return s
        row, own = distances[s], norms[draw.rows[s]]
        for j in range(len(norms)):
            row[j] = max(np.float32(0), row[j] + (norms[j] + own))
        _find(row.view(np.int32), slack[s], s, draw, rows, rule, found, heap, False)
    return len(draw.rows)


@compiled
def nearest_by_bits(words, draw, rows, rule, found):
    """Find neighbours of rows given as bit planes (planes, words, rows), by the number of differing features."""
    n_rows = words.shape[2]
    heap = (np.empty(n_rows + 1, np.int32), np.empty(n_rows + 1))
    heap[0][0] = 0
    counts = bool((rows.weights == 1).all())
    distances = np.empty(n_rows, np.int32)
    for s in range(len(draw.rows)):
        if len(found.rows) - found.starts[s] < n_rows:
            return s
        _count_differences(words, draw.rows[s], distances)
        _find(distances, np.float32(0), s, draw, rows, rule, found, heap, counts)
    return len(draw.rows)


@compiled
def _count_differences(words, i, distances):
    distances[:] = 0
    for w in range(words.shape[1]):
        if words.shape[0] == 1:
            own, others = words[0, w, i], words[0, w]
            for j in range(len(distances)):
                distances[j] += np.int32(popcount(others[j] ^ own))
            continue
        for j in range(len(distances)):
            different = np.uint64(0)
            for p in range(words.shape[0]):
                different |= words[p, w, j] ^ words[p, w, i]
            distances[j] += np.int32(popcount(different))


@compiled
def _find(distances, slack, s, draw, rows, rule, found, heap, counts):
    """Find the neighbours of one drawn row: none at all unless it has some of its own class and some of another.

    With ``counts``, rows are told near by counting how many are nearer, instead of by a heap: faster
    for distances of few values, and possible where every row stands for itself alone.
    """
    i = draw.rows[s]
    own = rows.class_of[i]
    kept = rows.weights[i]
    _hide(rows, i, rule.skips_twins)
    if counts:
        _send_far(distances, rows, i, rule.skips_twins)
    seed = draw.seeds[s]
    first = found.starts[s]
    at = first
    n_classes = len(rows.starts) - 1
    n_hits, n_misses = 0, 0
    for c in range(n_classes):
        if rule.pools_misses and c != own:
            continue
        before = at
        ranges = (rows.starts[c], rows.starts[c + 1], np.int64(0), np.int64(0))
        last = _last(distances, ranges, rows, rule, heap, counts)
        at, seed = _nearest(distances, slack, ranges, last, seed, rows, rule, found, at)
        if c == own:
            n_hits = at - before
        else:
            n_misses += at - before
    if rule.pools_misses:
        before = at
        ranges = (np.int64(0), rows.starts[own], rows.starts[own + 1], np.int64(len(distances)))
        last = _last(distances, ranges, rows, rule, heap, counts)
        at, seed = _nearest(distances, slack, ranges, last, seed, rows, rule, found, at)
        n_misses = at - before
    _show(rows, i, kept, rule.skips_twins)
    if n_hits == 0 or (n_misses == 0 and n_classes > 1):
        at = first
    found.starts[s + 1] = at


@compiled
def _hide(rows, i, with_twins):
    """Take one copy of a row, or all rows at distance 0 from it, out of the neighbours."""
    t = rows.twin_of[i]
    if with_twins and t >= 0:
        for e in range(rows.twin_starts[t], rows.twin_starts[t + 1]):
            rows.weights[rows.twins[e]] *= -1
    elif with_twins:
        rows.weights[i] *= -1
    else:
        rows.weights[i] = max(0.0, rows.weights[i] - 1)


@compiled
def _show(rows, i, kept, with_twins):
    t = rows.twin_of[i]
    if with_twins and t >= 0:
        for e in range(rows.twin_starts[t], rows.twin_starts[t + 1]):
            rows.weights[rows.twins[e]] *= -1
    rows.weights[i] = kept


@compiled
def _send_far(distances, rows, i, with_twins):
    """Put a hidden row, and its twins, out of reach."""
    t = rows.twin_of[i]
    distances[i] = FAR
    if with_twins and t >= 0:
        for e in range(rows.twin_starts[t], rows.twin_starts[t + 1]):
            distances[rows.twins[e]] = FAR


@compiled
def _last(distances, ranges, rows, rule, heap, counts):
    """Return the distance of the last row that is near enough, or -1 if there is none."""
    if counts:
        heap[0][0] = _last_by_counting(distances, ranges, rule.k, max(np.int32(0), heap[0][0]))  # as it was last time
        return heap[0][0]
    size, total = 0, 0.0
    for r in range(0, 4, 2):
        size, total = _push_range(distances, rows.weights, ranges[r], ranges[r + 1], rule.k, heap, size, total)
    return heap[0][0] if size else np.int32(-1)


@compiled
def _last_by_counting(distances, ranges, k, guess):
    """Find, from a guess, the least distance within which as many rows lie as are wanted."""
    wanted = np.int64(k)
    low, high, step = guess, guess, np.int32(1)
    n_guessed = _n_within(distances, ranges, guess)
    if n_guessed < wanted:
        wanted = min(wanted, _n_within(distances, ranges, FAR - 1))
        if wanted == 0:
            return np.int32(-1)
    if n_guessed < wanted:
        while _n_within(distances, ranges, high) < wanted:
            low, high, step = high, np.int32(high + step), np.int32(2 * step)
    else:
        while low >= 0 and _n_within(distances, ranges, low) >= wanted:
            low, high, step = np.int32(low - step), low, np.int32(2 * step)
    while high - low > 1:
        middle = np.int32((low + high) // 2)
        if _n_within(distances, ranges, middle) < wanted:
            low = middle
        else:
            high = middle
    return high


@compiled
def _n_within(distances, ranges, most):
    """Count the rows that are no farther than that."""
    n = np.int32(0)
    for r in range(0, 4, 2):
        part = distances[ranges[r] : ranges[r + 1]]
        for j in range(len(part)):
            n += np.int32(part[j] <= most)
    return np.int64(n)


@compiled
def _nearest(distances, slack, ranges, last, seed, rows, rule, found, at):
    """Append the rows of a class as near as the last one, with weights that sum to 1.

    A class is one range, or what lies around one.
    """
    if last < 0:
        return at, seed
    low, high = _equals(last, slack)
    first = at
    for r in range(0, 4, 2):
        at = _gather(distances, ranges[r], ranges[r + 1], high, rows.weights, found, at)
    sure, n_tied, tied = 0.0, 0, 0.0
    for e in range(first, at):
        if distances[found.rows[e]] < low:
            sure += found.weights[e]
        else:
            n_tied += 1
            tied += found.weights[e]
            found.weights[e] *= -1
    wanted = min(rule.k, sure + tied)
    if rule.draws_lots:
        return _draw_lots(found, first, at, n_tied, wanted - sure, wanted, seed)
    share = (wanted - sure) / tied
    for e in range(first, at):
        w = found.weights[e]
        found.weights[e] = (w if w > 0 else -w * share) / wanted
    return at, seed


@compiled
def _draw_lots(found, first, stop, n_tied, n_places, wanted, seed):
    """Keep the neighbours that are sure and as many of the tied ones, chosen at random, as there are places."""
    at = first
    for e in range(first, stop):
        w = found.weights[e]
        if w < 0:
            seed, lot = _next_random(seed)
            is_kept = lot * n_tied < n_places
            n_tied -= 1
            if not is_kept:
                continue
            n_places -= 1
        found.rows[at] = found.rows[e]
        found.weights[at] = abs(w) / wanted
        at += 1
    return at, seed


@compiled
def _next_random(seed):
    """Return the next state and a number in [0, 1): SplitMix64."""
    seed += np.uint64(0x9E3779B97F4A7C15)
    z = seed
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return seed, (z >> np.uint64(11)) * (1.0 / (1 << 53))


@compiled
def _push_range(distances, weights, start, stop, k, heap, size, total):
    """Go on with a heap, the farthest on top, of the nearest rows with a total weight of at least k."""
    keys, loads = heap
    begin = start
    while begin < stop and total < k:
        if weights[begin] > 0:
            size, total = _push(keys, loads, size, total, k, distances[begin], weights[begin])
        begin += 1
    top = keys[0]
    while begin < stop:
        end = min(begin + LOT, stop)
        if end - begin < LOT or _least(distances, begin) < top:
            for j in range(begin, end):
                if distances[j] < top and weights[j] > 0:
                    size, total = _push(keys, loads, size, total, k, distances[j], weights[j])
                    top = keys[0]
        begin = end
    return size, total


@compiled
def _gather(distances, start, stop, high, weights, found, at):
    """Append the rows of a range that are as near as that."""
    begin = start
    while begin < stop:
        end = min(begin + LOT, stop)
        if end - begin < LOT or _least(distances, begin) <= high:
            for j in range(begin, end):
                if distances[j] <= high and weights[j] > 0:
                    found.rows[at] = j
                    found.weights[at] = weights[j]
                    at += 1
        begin = end
    return at


@compiled
def _least(distances, begin):
    lot = distances[begin : begin + LOT]  # of a slice, indices need no check for being negative
    least = lot[0]
    for j in range(LOT):
        least = min(least, lot[j])
    return least


@compiled
def _equals(last, slack):
    """Return the least and the largest distance that are equal to the last one, but for rounding."""
    if slack == 0:
        return last, last
    bits = np.empty(3, np.int32)
    bits[0] = last
    floats = bits.view(np.float32)
    floats[1] = max(np.float32(0), floats[0] - slack)
    floats[2] = floats[0] + slack
    return bits[1], bits[2]


@compiled
def _push(keys, loads, size, total, k, key, load):
    """Add a row, and let go of the farthest as long as the others are enough."""
    _sift_up(keys, loads, size, key, load)
    size += 1
    total += load
    while total - loads[0] >= k:
        total -= loads[0]
        size -= 1
        _sift_down(keys, loads, size)
    return size, total


@compiled
def _sift_up(keys, loads, at, key, load):
    while at > 0 and keys[(at - 1) // 2] < key:
        keys[at], loads[at] = keys[(at - 1) // 2], loads[(at - 1) // 2]
        at = (at - 1) // 2
    keys[at], loads[at] = key, load


@compiled
def _sift_down(keys, loads, size):
    """Take the top away: let the last one sink from there."""
    key, load, at = keys[size], loads[size], 0
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and keys[child + 1] > keys[child]:
            child += 1
        if keys[child] <= key:
            break
        keys[at], loads[at] = keys[child], loads[child]
        at = child
    keys[at], loads[at] = key, load
