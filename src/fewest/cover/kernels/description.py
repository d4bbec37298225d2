"""How long the classes are to describe, once some features are known: the loops of MinDescription.

The classes of the rows of a cell are described one after the other, each with what the cell has shown before: class k
has probability (n_k + 1/2) / (n + C/2) after n rows of the cell, n_k of them of class k, where C classes exist. This is
the Dirichlet-multinomial with Jeffreys' prior, in whatever order the rows come.

**Lengths are integers**, in units of 2^-32 bit: each factor is rounded once, and sums of integers are exact in any
order. So NumPy, compiled code and every order of rows return the same length to the last digit, and equal subsets tie.
A row takes less than 32 bits (`fewest` counts rows in less), so that 2^26 rows stay below 2^63.

**Equal rows are counted, not listed.** A length depends on how many rows of each class a cell has, so that a row and
its copies take part once, with their number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fewest.kernels.compile_or_not import Work, compilable
from fewest.kernels.partition import numbered

UNIT = 1 << 32
"""Units in a bit."""

KERNELS = "fewest.cover.kernels.description"
"""The module to ask `fewest.kernels.compile_or_not` about."""

# What one value of one row costs the NumPy twin, and of two values of a pair one word and one count.
NANOSECONDS_PER_VALUE, NANOSECONDS_PER_COLUMN = 40.0, 10_000.0
NANOSECONDS_PER_WORD, NANOSECONDS_PER_COUNT = 4.0, 40.0
# Words that are compared at a time, so that they stay in the cache.
BLOCK_WORDS = 1 << 18


class Rows(NamedTuple):
    """Rows, none of which is another's copy: the class of each, and how many equal rows of this class there are."""

    classes: np.ndarray  # int64, from 0
    copies: np.ndarray  # int64, from 1

    @classmethod
    def single(cls, classes: np.ndarray) -> Rows:
        """Return rows that stand for themselves only."""
        classes = classes.astype(np.int64)
        return cls(classes, np.ones(len(classes), dtype=np.int64))

    @property
    def n_classes(self) -> int:
        """Return the number of classes."""
        return int(self.classes.max(initial=0)) + 1

    @property
    def n_copies(self) -> int:
        """Return the number of rows, copies counted."""
        return int(self.copies.sum())

    def at(self, chosen: np.ndarray) -> Rows:
        """Return some of the rows."""
        return Rows(self.classes[chosen], self.copies[chosen])

    def counted(self, keys: np.ndarray, n_keys: int) -> np.ndarray:
        """Count the rows of every key and class: ``keys`` are those of the rows (last axis), from 0 to ``n_keys``."""
        n_classes = self.n_classes
        both = (keys * n_classes + self.classes).ravel()
        weights = None  # floats count exactly, to 2^53, but take longer
        if self.copies.max(initial=1) > 1:
            weights = np.broadcast_to(self.copies, keys.shape).ravel()
        counts = np.bincount(both, weights, n_keys * n_classes).astype(np.int64, copy=False)
        return counts.reshape(-1, n_classes)


class Prices(NamedTuple):
    """The bits, in units, of the classes of a cell, by counts."""

    of_class: np.ndarray  # the sum of log2(i + 1/2) for the i below m, by m: what m rows of a class save
    of_cell: np.ndarray  # the sum of log2(i + C/2): what m rows of a cell cost

    @classmethod
    def of(cls, n_rows: int, n_classes: int) -> Prices:
        """Return the prices of cells of up to ``n_rows`` rows."""
        i = np.arange(n_rows, dtype=np.float64)
        class_step = np.rint(np.log2(i + 0.5) * UNIT).astype(np.int64)
        cell_step = np.rint(np.log2(i + n_classes / 2) * UNIT).astype(np.int64)
        return cls(_cumulated(class_step), _cumulated(cell_step))

    def length(self, counts: np.ndarray) -> int:
        """Return the length of all classes, given the rows of every cell (first axis) by class (second)."""
        return int(self.of_cell[counts.sum(axis=1)].sum() - self.of_class[counts].sum())

    def pure_length(self, counts: np.ndarray) -> int:
        """Return a length below which no refinement of the cells leads: see `lengths_with`."""
        return int(self.of_cell[counts].sum() - self.of_class[counts].sum())


def _cumulated(steps: np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(steps)])


class Cells(NamedTuple):
    """Rows in the cells of a subset, sorted by cell: what every further feature is tried on."""

    cell: np.ndarray  # of every row, from 0 without gaps
    rows: np.ndarray  # sorted by cell
    starts: np.ndarray  # where each cell begins among these, and their number

    @classmethod
    def of(cls, cell: np.ndarray) -> Cells:
        """Sort rows by their cells."""
        starts = np.concatenate([[0], np.cumsum(np.bincount(cell))])
        return cls(cell, np.argsort(cell, kind="stable"), starts)

    @classmethod
    def one(cls, n_rows: int) -> Cells:
        """Return all rows in one cell."""
        return cls.of(np.zeros(n_rows, dtype=np.int64))

    def refined(self, column: np.ndarray) -> Cells:
        """Return the cells that one more feature makes."""
        return Cells.of(numbered(self.cell * (int(column.max(initial=0)) + 1) + column))


def lengths_with(
    columns: np.ndarray, rows: Rows, cells: Cells, prices: Prices, tried: np.ndarray, work: Work
) -> tuple[np.ndarray, np.ndarray]:
    """Return, for every column that is tried, the length with it, and a bound on the length with more beside it.

    **The bound.** Whatever refines a cell, its rows of class k need at least as many bits as they would in a cell of
    their own. First, dividing a cell by class shortens it: the i-th row of a class stands at place i or later in the
    mixed cell, so that (n_k + 1/2) / (n + C/2) only grows where n falls to n_k. Second, a pure cell is shorter than
    its parts: (n + 1/2) / (n + C/2) does not fall with n, and in the whole no row has fewer before it. So for any
    refinement: length >= that of its parts divided by class >= that of the cells as they are, divided by class.

    Parameters
    ----------
    columns : ndarray of shape (n_columns, n_rows)
        Codes from 0.
    rows : Rows
    cells : Cells
    prices : Prices
    tried : ndarray of int
        Positions of columns.
    work : Work
        Decides whether to compile.
    """
    n_rows, n_values = columns.shape[1], int(columns.max(initial=0)) + 1
    if work.compiles(len(tried), n_rows * NANOSECONDS_PER_VALUE + NANOSECONDS_PER_COLUMN):
        return count_lengths.compiled(columns, rows, cells, prices, tried, n_values)
    size = (len(cells.starts) - 1) * n_values
    lengths, bounds = np.empty(len(tried), dtype=np.int64), np.empty(len(tried), dtype=np.int64)
    # A table of all cells for some columns at a time; where most of it would be empty, only the cells that occur.
    step = max(1, BLOCK_WORDS // n_rows) if size <= 4 * n_rows + 64 else 1
    for start in range(0, len(tried), step):
        chosen = columns[tried[start : start + step]].astype(np.int64)
        cell = chosen + cells.cell * n_values + size * np.arange(len(chosen))[:, None]
        if size > 4 * n_rows + 64:
            cell = numbered(cell[0])[None]
        n_counted = len(chosen) * size if size <= 4 * n_rows + 64 else int(cell.max(initial=-1)) + 1
        counts = rows.counted(cell, n_counted).reshape(len(chosen), -1, rows.n_classes)
        saved = prices.of_class[counts].sum(axis=(1, 2))
        lengths[start : start + step] = prices.of_cell[counts.sum(axis=2)].sum(axis=1) - saved
        bounds[start : start + step] = prices.of_cell[counts].sum(axis=(1, 2)) - saved
    return lengths, bounds


@compilable()
def count_lengths(columns, rows, cells, prices, tried, n_values):
    """Do the work of `lengths_with`, row after row: whatever a count grows by changes the length by a price."""
    classes, copies = rows.classes, rows.copies
    n_classes = 0
    for row in range(len(classes)):
        n_classes = max(n_classes, classes[row] + 1)
    lengths, bounds = np.zeros(len(tried), dtype=np.int64), np.zeros(len(tried), dtype=np.int64)
    of_value, of_both = np.zeros(n_values, dtype=np.int64), np.zeros(n_values * n_classes, dtype=np.int64)
    for t in range(len(tried)):
        column = columns[tried[t]]
        length, bound = np.int64(0), np.int64(0)
        for cell in range(len(cells.starts) - 1):
            for k in range(cells.starts[cell], cells.starts[cell + 1]):
                row = cells.rows[k]
                value = np.int64(column[row])
                both = value * n_classes + classes[row]
                before, after = of_both[both], of_both[both] + copies[row]
                saved = prices.of_class[after] - prices.of_class[before]
                bound += prices.of_cell[after] - prices.of_cell[before] - saved
                of_both[both] = after
                before, after = of_value[value], of_value[value] + copies[row]
                length += prices.of_cell[after] - prices.of_cell[before] - saved
                of_value[value] = after
            for k in range(cells.starts[cell], cells.starts[cell + 1]):
                row = cells.rows[k]
                value = np.int64(column[row])
                of_value[value] = 0
                of_both[value * n_classes + classes[row]] = 0
        lengths[t], bounds[t] = length, bound
    return lengths, bounds


# ---------------------------------------------------------------------- all pairs


class Planes(NamedTuple):
    """Columns as planes of bits, a plane for every value, with the rows in segments: by cell, class and power.

    Copies are counted in binary: a row of 5 copies stands in the segments of 2^0 and 2^2, whose rows count once and
    four times. Rows are sorted by cell, within it by class, and within that by power of two. Each such segment begins
    at a new word: bit ``b`` of word ``w`` of plane ``p`` is set where row ``64 w + b`` of this order has the value that
    ``p`` stands for. Bits that pad a segment are 0 in every plane.
    """

    bits: np.ndarray  # uint64 (n_planes, n_words)
    first: np.ndarray  # the first plane of every column, and the number of planes
    segments: np.ndarray  # the first word of every segment, and the number of words
    n_classes: int
    n_powers: int  # of two, that numbers of copies take; 1 where there are no copies

    @classmethod
    def of(cls, columns: np.ndarray, rows: Rows, cells: Cells) -> Planes:
        """Pack columns (n_columns, n_rows); a value that no row has gets no plane."""
        n_classes, n_powers = rows.n_classes, n_powers_of(rows)
        power, row = np.nonzero(rows.copies >> np.arange(n_powers)[:, None] & 1)
        key = (cells.cell[row] * n_classes + rows.classes[row]) * n_powers + power
        n_segments = (int(cells.cell.max(initial=-1)) + 1) * n_classes * n_powers
        sizes = np.bincount(key, minlength=n_segments)
        segments = np.concatenate([[0], np.cumsum(-(-sizes // 64))])
        order = np.argsort(key, kind="stable")
        starts = np.cumsum(sizes) - sizes
        place = 64 * segments[key[order]] + np.arange(len(order)) - starts[key[order]]
        planes, first = [], [0]
        for column in columns:
            shown = np.zeros(64 * int(segments[-1]), dtype=np.int64)
            shown[place] = 1 + column[row[order]]
            values = np.unique(column)
            packed = np.packbits(shown == 1 + values[:, None], axis=1, bitorder="little")
            planes.append(packed.view("<u8").astype(np.uint64, copy=False))
            first.append(first[-1] + len(values))
        return cls(np.ascontiguousarray(np.concatenate(planes)), np.array(first), segments, n_classes, n_powers)

    @property
    def n_columns(self) -> int:
        """Return the number of columns."""
        return len(self.first) - 1

    @property
    def widest(self) -> int:
        """Return the largest number of values of a column."""
        return int(np.diff(self.first).max(initial=1))


def n_powers_of(rows: Rows) -> int:
    """Return how many powers of two the largest number of copies takes."""
    return int(rows.copies.max(initial=1)).bit_length()


def lengths_of_pairs(planes: Planes, prices: Prices, columns: range, work: Work) -> np.ndarray:
    """Return the length with every pair of a column of ``columns`` and any column, beside the cells of the planes.

    Returns
    -------
    ndarray of shape (len(columns), n_columns)
        Only what belongs to pairs of two different columns, the first before the second, means anything.
    """
    n_counts = float((planes.first[columns.stop] - planes.first[columns.start]) * planes.first[-1])
    n_words, n_segments = planes.bits.shape[1], len(planes.segments) - 1
    if work.compiles(n_counts, n_words * NANOSECONDS_PER_WORD + n_segments * NANOSECONDS_PER_COUNT):
        from fewest.cover.kernels.description_popcounts import pairs_by_popcount

        counts = np.zeros((planes.widest, planes.widest, planes.n_classes), dtype=np.int64)
        return pairs_by_popcount(planes, prices, columns.start, columns.stop, counts)
    return _pairs_in_numpy(planes, prices, columns)


def _pairs_in_numpy(planes: Planes, prices: Prices, columns: range) -> np.ndarray:
    """Count the rows of every two values, some planes of first columns at a time."""
    first = planes.first[columns.start : columns.stop + 1]
    n_planes, n_words = planes.bits.shape
    step = max(1, BLOCK_WORDS // max(1, n_planes * n_words))
    lengths = np.empty((int(first[-1] - first[0]), n_planes), dtype=np.int64)
    for start in range(0, len(lengths), step):
        chosen = planes.bits[first[0] + start : min(first[0] + start + step, first[-1])]
        lengths[start : start + step] = _lengths_of_planes(chosen, planes, prices)
    by_first = np.add.reduceat(lengths, first[:-1] - first[0], axis=0)
    return np.add.reduceat(by_first, planes.first[:-1], axis=1)


def _lengths_of_planes(chosen: np.ndarray, planes: Planes, prices: Prices) -> np.ndarray:
    """Return what the cell of every two values adds to the length."""
    lengths = np.zeros((len(chosen), len(planes.bits)), dtype=np.int64)
    n_powers = planes.n_powers
    for cell in range(0, len(planes.segments) - 1, planes.n_classes * n_powers):
        total = np.zeros(lengths.shape, dtype=np.int64)
        for segment in range(cell, cell + planes.n_classes * n_powers, n_powers):
            counts = np.zeros(lengths.shape, dtype=np.int64)
            for power in range(n_powers):
                words = slice(planes.segments[segment + power], planes.segments[segment + power + 1])
                both = chosen[:, None, words] & planes.bits[None, :, words]
                counts += np.bitwise_count(both).sum(axis=2, dtype=np.int64) << power
            total += counts
            lengths -= prices.of_class[counts]
        lengths += prices.of_cell[total]
    return lengths


# ---------------------------------------------------------------------- cuts


def best_cut(
    order: np.ndarray, is_boundary: np.ndarray, cell: np.ndarray, rows: Rows, prices: Prices, work: Work
) -> tuple[int, int]:
    """Return where to cut every cell in two along one numeric column, and what that saves; -1 where nothing is saved.

    Parameters
    ----------
    order : ndarray of int
        The rows, by ascending value of the column.
    is_boundary : ndarray of bool
        Whether a cut may stand before the row at this place: its value is larger than that of the one before.
    cell : ndarray of shape (n_rows,)
        From 0 without gaps: what the other features, and cuts that exist already, make of the rows.
    rows : Rows
    prices : Prices
    work : Work
    """
    cut = scan_cuts.compiled if work.compiles(len(order), 4000.0) else scan_cuts
    right = rows.counted(cell, int(cell.max(initial=-1)) + 1).ravel()
    place, saved = cut(order, is_boundary, cell, rows, prices, right)
    return int(place), int(saved)


@compilable()
def scan_cuts(order, is_boundary, cell, rows, prices, right):
    """Move the rows one by one from the right of the cut to its left; each changes two counts on either side."""
    classes, copies = rows.classes, rows.copies
    n_cells = 0
    for row in range(len(cell)):
        n_cells = max(n_cells, cell[row] + 1)
    n_classes = len(right) // max(1, n_cells)
    left = np.zeros(len(right), dtype=np.int64)
    left_of_cell, right_of_cell = np.zeros(n_cells, dtype=np.int64), np.zeros(n_cells, dtype=np.int64)
    for key in range(len(right)):
        right_of_cell[key // n_classes] += right[key]
    saved, best, place = 0, 0, -1
    for k in range(len(order)):
        if is_boundary[k] and saved > best:
            best, place = saved, k
        row = order[k]
        here, key = cell[row], cell[row] * n_classes + classes[row]
        saved += prices.of_cell[right_of_cell[here]] - prices.of_class[right[key]]
        saved += prices.of_cell[left_of_cell[here]] - prices.of_class[left[key]]
        right[key] -= copies[row]
        right_of_cell[here] -= copies[row]
        left[key] += copies[row]
        left_of_cell[here] += copies[row]
        saved -= prices.of_cell[right_of_cell[here]] - prices.of_class[right[key]]
        saved -= prices.of_cell[left_of_cell[here]] - prices.of_class[left[key]]
    return place, best


def length_of(cells: Cells, rows: Rows, prices: Prices) -> tuple[int, int]:
    """Return the length of the classes in given cells, and the bound on that of their refinements."""
    counts = rows.counted(cells.cell, len(cells.starts) - 1)
    return prices.length(counts), prices.pure_length(counts)


def least_length(columns: Sequence[np.ndarray] | np.ndarray, rows: Rows) -> int:
    """Return a length below which no subset of the columns leads, whatever it costs to name.

    Rows that agree in every column share every cell. A class that m of n such rows have has, on the average of them, at
    most the logarithm of m/n (Gibbs' inequality), whatever the probabilities that a cell gives it.
    """
    cell = np.zeros(len(rows.classes), dtype=np.int64)
    for column in columns:
        cell = numbered(cell * (int(column.max(initial=0)) + 1) + column)
    counts = rows.counted(cell, int(cell.max(initial=-1)) + 1)
    share = counts.sum(axis=1)[cell] / counts[cell, rows.classes]
    return int((np.floor(np.log2(share) * UNIT).astype(np.int64) * rows.copies).sum())
