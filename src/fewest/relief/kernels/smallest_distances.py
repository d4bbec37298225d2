"""The rows of a range that can be among the nearest, and how far the last of the nearest is.

Distances are whole numbers to the search: counts of differing features, or
floats that are not negative, whose bits are ordered as they are. A row that
cannot be a neighbour is `FAR`.

A range of rows is a sheet of `STRIPES` stripes below each other; the least
distance in every column of the sheet is found on vectors. The k-th least of
these is no less than the k-th least distance of all rows, and few columns have a row as near.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled_in_place

STRIPES = 16
FAR = np.int32(0x7F800000)  # the bits of infinity


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
def gather(distances, start, stop, minima, most, columns, found, at):
    """Append the rows of a range that are no farther than ``most``, in their order.

    A row is written before it is known to be near, and overwritten if it is not: branches would be guessed wrong.
    """
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
    """Return the number that would be at place k, counted from 1, were the first n sorted; reorders them."""
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
