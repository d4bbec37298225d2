"""The lengths of all pairs of columns by popcounts of packed bits; see `fewest.cover.kernels.description`."""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled, compiled_within
from fewest.kernels.intrinsics import popcount


@compiled
def pairs_by_popcount(planes, prices, start, stop, counts):
    """Return the lengths with a column from ``start`` to ``stop`` and every later column.

    The rows of two values are counted word by word, but for the last value of either column, whose rows are what the
    others leave: ``counts`` holds the values of the first column by those of the second, by class.
    """
    n_columns = len(planes.first) - 1
    n_classes = planes.n_classes
    n_segments = len(planes.segments) - 1
    totals = _rows_of_planes(planes, n_segments)
    lengths = np.zeros((stop - start, n_columns), dtype=np.int64)
    for i in range(start, stop):
        for j in range(i + 1, n_columns):
            length = np.int64(0)
            for cell in range(n_segments // n_classes):
                for number in range(n_classes):
                    _count(planes, i, j, cell * n_classes + number, totals, counts)
                length += _length(counts, planes.first, i, j, prices)
            lengths[i - start, j] = length
    return lengths


@compiled
def _rows_of_planes(planes, n_segments):
    """Count the rows of every value in every segment."""
    totals = np.zeros((len(planes.bits), n_segments), dtype=np.int64)
    for plane in range(len(planes.bits)):
        for segment in range(n_segments):
            for word in range(planes.segments[segment], planes.segments[segment + 1]):
                totals[plane, segment] += np.int64(popcount(planes.bits[plane, word]))
    return totals


@compiled_within
def _count(planes, i, j, segment, totals, counts):
    """Count the rows of a segment, which are of one class, by the values of two columns."""
    number = segment % planes.n_classes
    first, second = planes.first[i], planes.first[j]
    n_first, n_second = planes.first[i + 1] - first, planes.first[j + 1] - second
    begin, end = planes.segments[segment], planes.segments[segment + 1]
    for b in range(n_second):
        counts[n_first - 1, b, number] = totals[second + b, segment]
    for a in range(n_first - 1):
        left = totals[first + a, segment]
        for b in range(n_second - 1):
            both = np.uint64(0)
            for word in range(begin, end):
                both += popcount(planes.bits[first + a, word] & planes.bits[second + b, word])
            counts[a, b, number] = np.int64(both)
            counts[n_first - 1, b, number] -= np.int64(both)
            left -= np.int64(both)
        counts[a, n_second - 1, number] = left
        counts[n_first - 1, n_second - 1, number] -= left


@compiled_within
def _length(counts, first, i, j, prices):
    """Return the length of the classes of all cells that were counted."""
    n_first, n_second = first[i + 1] - first[i], first[j + 1] - first[j]
    length = np.int64(0)
    for a in range(n_first):
        for b in range(n_second):
            total = np.int64(0)
            for number in range(counts.shape[2]):
                count = counts[a, b, number]
                total += count
                length -= prices.of_class[count]
            length += prices.of_cell[total]
    return length
