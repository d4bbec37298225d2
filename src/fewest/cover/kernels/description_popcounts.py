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
    n_cells = (len(planes.segments) - 1) // (n_classes * planes.n_powers)
    totals = _rows_of_planes(planes, n_cells * n_classes)
    lengths = np.zeros((stop - start, n_columns), dtype=np.int64)
    for i in range(start, stop):
        for j in range(i + 1, n_columns):
            length = np.int64(0)
            for cell in range(n_cells):
                for number in range(n_classes):
                    _count(planes, i, j, cell * n_classes + number, totals, counts)
                length += _length(counts, planes.first, i, j, prices)
            lengths[i - start, j] = length
    return lengths


@compiled
def _rows_of_planes(planes, n_groups):
    """Count the rows of every value in every cell and class."""
    totals = np.zeros((len(planes.bits), n_groups), dtype=np.int64)
    for plane in range(len(planes.bits)):
        for group in range(n_groups):
            for power in range(planes.n_powers):
                segment = group * planes.n_powers + power
                for word in range(planes.segments[segment], planes.segments[segment + 1]):
                    totals[plane, group] += np.int64(popcount(planes.bits[plane, word])) << power
    return totals


@compiled_within
def _rows_of_both(planes, one, other, segment):
    """Count the rows of a segment that two planes have."""
    both = np.uint64(0)
    for word in range(planes.segments[segment], planes.segments[segment + 1]):
        both += popcount(planes.bits[one, word] & planes.bits[other, word])
    return np.int64(both)


@compiled_within
def _count(planes, i, j, group, totals, counts):
    """Count the rows of one class of a cell by the values of two columns, power after power of their copies."""
    number = group % planes.n_classes
    first, second = planes.first[i], planes.first[j]
    n_first, n_second = planes.first[i + 1] - first, planes.first[j + 1] - second
    begin, end = planes.segments[group * planes.n_powers], planes.segments[group * planes.n_powers + 1]
    for b in range(n_second):
        counts[n_first - 1, b, number] = totals[second + b, group]
    for a in range(n_first - 1):
        left = totals[first + a, group]
        for b in range(n_second - 1):
            both = np.uint64(0)
            for word in range(begin, end):
                both += popcount(planes.bits[first + a, word] & planes.bits[second + b, word])
            rows = np.int64(both)
            for power in range(1, planes.n_powers):  # mostly there are none, and the loop before this is all
                rows += _rows_of_both(planes, first + a, second + b, group * planes.n_powers + power) << power
            counts[a, b, number] = rows
            counts[n_first - 1, b, number] -= rows
            left -= rows
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
