"""The least distances of ranges of rows: the k-th of them, and which rows are as near.

Distances are int32 (see `layout.FAR`): the bits of floats, or counts of differing features. The bits of floats are
searched by the least in every column: a range of rows is a sheet of `STRIPES` stripes below each other, and the least
distance in every column of the sheet is found on vectors. The k-th least of these is no less than the k-th least
distance of all rows, and few columns have a row as near.

Counts are few distinct numbers: rows within a distance are counted, and found, many at a time; and the k-th distance of
one sampled row is close to that of another, from which the search for it starts.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled_in_place
from fewest.kernels.intrinsics import LANES, at_most, lowest_bit
from fewest.relief.kernels.layout import FAR

STRIPES = 16


@compiled_in_place
def find_columns(distances, start, stop, minima):
    """Write the least distance of every column of a range; return how many columns there are.

    Rows that make no whole stripe are columns of their own.
    """
    width = (stop - start) // STRIPES
    least = minima[:width]
    least[:] = FAR
    for r in range(0, STRIPES, 4):
        a = distances[start + r * width : start + (r + 1) * width]
        b = distances[start + (r + 1) * width : start + (r + 2) * width]
        c = distances[start + (r + 2) * width : start + (r + 3) * width]
        d = distances[start + (r + 3) * width : start + (r + 4) * width]
        for w in range(width):
            least[w] = min(least[w], min(min(a[w], b[w]), min(c[w], d[w])))
    n_others = stop - start - STRIPES * width
    for e in range(n_others):
        minima[width + e] = distances[stop - n_others + e]
    return width + n_others


@compiled_in_place
def gather(distances, wanted, minima, columns, found, at):
    """Append the rows of a range that are near enough, in their order; return where they end.

    ``wanted`` is the range and the largest distance: (start, stop, most); ``minima`` is what `find_columns` wrote, and
    ``columns`` is room for as many. A row is written before it is known to be near, and overwritten if it is not:
    branches would be guessed wrong. So ``found`` has room for one more row than there are.
    """
    start, stop, most = wanted
    width, n = (stop - start) // STRIPES, 0
    for w in range(width):
        columns[n] = w
        n += np.int64(minima[w] <= most)
    for r in range(start, start + STRIPES * width, width if width else 1):
        for c in range(n):
            found[at] = r + columns[c]
            at += np.int64(distances[r + columns[c]] <= most)
    for j in range(start + STRIPES * width, stop):
        found[at] = j
        at += np.int64(distances[j] <= most)
    return at


@compiled_in_place
def kth_smallest(numbers, n, k):
    """Return the k-th, counted from 1, of the first n numbers in ascending order; reorders them."""
    start = 0
    while True:
        pivot = _middle(numbers[start], numbers[(start + n) // 2], numbers[n - 1])
        below = start
        for j in range(start, n):
            number = numbers[j]
            numbers[j], numbers[below] = numbers[below], number
            below += np.int64(number < pivot)
        if k <= below:
            n = below
            continue
        above = below
        for j in range(below, n):
            number = numbers[j]
            numbers[j], numbers[above] = numbers[above], number
            above += np.int64(number == pivot)
        if k <= above:
            return pivot
        start = above


@compiled_in_place
def last_of_weight(distances, weights, rows, n, k):
    """Return the distance of the last of the nearest rows with a total weight of k, or of all; reorders the rows."""
    start, total = 0, 0.0
    while True:
        first, middle, end = rows[start], rows[(start + n) // 2], rows[n - 1]
        pivot = _middle(distances[first], distances[middle], distances[end])
        at, below = start, total
        for j in range(start, n):
            row = rows[j]
            if distances[row] < pivot:
                rows[j], rows[at] = rows[at], row
                below += weights[row]
                at += 1
        if k <= below and at > start:
            n = at
            continue
        not_above = below
        for j in range(at, n):
            row = rows[j]
            if distances[row] == pivot:
                rows[j], rows[at] = rows[at], row
                not_above += weights[row]
                at += 1
        if k <= not_above or at == n:
            return pivot
        start, total = at, not_above


@compiled_in_place
def _middle(a, b, c):
    return max(min(a, b), min(max(a, b), c))


@compiled_in_place
def kth_count(distances, ranges, k, guess, farthest):
    """Return the k-th least distance of some ranges of rows, ``farthest`` if they have fewer rows as near.

    Steps away from the guess grow twofold; then what lies between the last two is halved.
    """
    step = 1
    if _n_within(distances, ranges, guess) >= k:
        low, high = guess - step, guess
        while low >= 0 and _n_within(distances, ranges, low) >= k:
            step *= 2
            low, high = low - step, low
    else:
        low, high = guess, guess + step
        while high < farthest and _n_within(distances, ranges, high) < k:
            step *= 2
            low, high = high, high + step
    low, high = max(low, -1), min(high, farthest)
    while high - low > 1:
        middle = (low + high) // 2
        if _n_within(distances, ranges, middle) >= k:
            high = middle
        else:
            low = middle
    return high


@compiled_in_place
def _n_within(distances, ranges, most):
    return _count(distances[ranges[0] : ranges[1]], most) + _count(distances[ranges[2] : ranges[3]], most)


@compiled_in_place
def _count(distances, most):
    total, limit = np.int32(0), np.int32(most)
    for j in range(len(distances)):
        # As narrow as distances, so that more fit into a vector; there are fewer rows than 2 ** 31.
        total = np.int32(total + np.int32(distances[j] <= limit))
    return np.int64(total)


@compiled_in_place
def gather_counts(distances, start, stop, most, found, at):
    """Append the rows of a range that are no farther than ``most``, in their order."""
    first = start
    while first + LANES <= stop:
        near = at_most(distances, first, np.int32(most))
        while near:
            found[at] = first + lowest_bit(near)
            near &= near - np.uint64(1)
            at += 1
        first += LANES
    for j in range(first, stop):
        found[at] = j
        at += np.int64(distances[j] <= most)
    return at
