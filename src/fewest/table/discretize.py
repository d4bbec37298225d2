"""Cut numeric columns into intervals with the most information about the class.

Fayyad and Irani (1993): cut where the entropy of the class becomes least, and cut again on both sides, as long as the
description of the classes by the cut is shorter than without it (minimum description length).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np

from fewest.kernels.entropy import size_times_entropy
from fewest.table import Column, Kind, Table
from fewest.table.column import MISSING, smallest_code_type

Cuts = dict[str, np.ndarray]
"""Where numeric columns are cut into intervals, by name."""

FEW_VALUES = 10
"""Numeric columns of at most this number of different values are taken by value: codes, counts, zeros and ones."""

CELLS_AT_A_TIME, FEWEST_AT_A_TIME = 1 << 20, 8
"""Counts of classes that are held for many columns at a time, and the columns from which on that is faster."""

N_QUANTILES = 4
"""The intervals of a column that are cut without a look at the classes."""


def interval_cuts(
    features: Table, classes: np.ndarray, is_over: Callable[[], bool] | None = None
) -> dict[str, np.ndarray]:
    """Return the cuts of every numeric column by name; missing values are left aside.

    ``is_over`` is asked before every few columns whether the time is over; the columns that are left are then cut at
    their quartiles.
    """
    n_classes = int(classes.max(initial=0)) + 1
    numeric = [column for column in features if column.kind is Kind.NUMERIC]
    at_a_time = max(1, CELLS_AT_A_TIME // max(1, len(classes) * n_classes))
    cuts: dict[str, np.ndarray] = {}
    for start in range(0, len(numeric), at_a_time):
        if is_over is not None and is_over():
            return cuts | _quartiles(numeric[start:])
        some = numeric[start : start + at_a_time]
        whole = np.zeros(len(some), dtype=bool)
        found: Iterator[np.ndarray] = iter(())
        if at_a_time >= FEWEST_AT_A_TIME and len(classes) > 1:
            matrix = np.array([column.values for column in some])
            whole = ~np.isnan(matrix).any(axis=1)
            found = iter(_cuts_of_many(matrix[whole], classes, n_classes))
        for column, is_whole in zip(some, whole.tolist(), strict=True):
            known = ~column.is_missing if not is_whole else None
            cuts[column.name] = (
                next(found) if known is None else mdl_cuts(column.values[known], classes[known], n_classes)
            )
    return cuts


def _cuts_of_many(values: np.ndarray, classes: np.ndarray, n_classes: int) -> list[np.ndarray]:
    """Return what `mdl_cuts` does of each row of ``values``, bit for bit, cutting all of them at the same time."""
    n_columns, n_rows = values.shape
    order = np.argsort(values, axis=1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=1)
    before = np.zeros((n_columns, n_rows + 1, n_classes), dtype=np.int64)
    np.cumsum(np.eye(n_classes, dtype=np.int64)[classes[order]], axis=1, out=before[:, 1:])
    is_step = ordered[:, 1:] > ordered[:, :-1]
    columns, starts, ends = np.arange(n_columns), np.zeros(n_columns, dtype=np.intp), np.full(n_columns, n_rows)
    is_cut = np.zeros((n_columns, n_rows), dtype=bool)  # before which of the ordered rows
    while len(columns):
        columns, starts, cuts, ends = _best_cuts(before, is_step, columns, starts, ends)
        is_cut[columns, cuts] = True
        columns, starts, ends = np.tile(columns, 2), np.append(starts, cuts), np.append(cuts, ends)
    which, places = is_cut.nonzero()
    found = _between(ordered[which, places - 1], ordered[which, places])
    ends = np.searchsorted(which, np.arange(n_columns), side="right").tolist()
    return [found[start:end] for start, end in pairwise([0, *ends])]


def _best_cuts(before, is_step, columns, starts, ends) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the ranges of rows in which a cut pays as `_best_cut` has it: their columns, starts, cuts and ends."""
    places = np.arange(1, is_step.shape[1] + 1)
    may_be = is_step[columns] & (places > starts[:, None]) & (places < ends[:, None])
    some = np.flatnonzero(may_be.any(axis=1))
    columns, starts, ends, may_be = columns[some], starts[some], ends[some], may_be[some]
    own = before[columns]
    first, last = (np.take_along_axis(own, at[:, None, None], axis=1) for at in (starts, ends))
    left, right, whole = own[:, 1:-1] - first, last - own[:, 1:-1], (last - first)[:, 0]
    n_rows = ends - starts
    after = np.where(may_be, (size_times_entropy(left) + size_times_entropy(right)) / n_rows[:, None], np.inf)
    cuts = (after <= after.min(axis=1, keepdims=True, initial=np.inf) + 1e-12).argmax(axis=1)
    at = np.arange(len(cuts)), cuts
    (entropy, left_entropy, right_entropy), (k, k_left, k_right) = (
        [measure(part) for part in (whole, left[at], right[at])] for measure in (_entropies, _n_classes)
    )
    ways = np.array([0.0, *map(_log_ways, range(1, before.shape[2] + 1))])
    price = np.log2(n_rows - 1) + ways[k] - (k * entropy - k_left * left_entropy - k_right * right_entropy)
    pays = entropy - after[at] > price / n_rows
    return columns[pays], starts[pays], cuts[pays] + 1, ends[pays]


def _entropies(counts: np.ndarray) -> np.ndarray:
    return size_times_entropy(counts) / counts.sum(axis=1)


def _n_classes(counts: np.ndarray) -> np.ndarray:
    return (counts > 0).sum(axis=1)


def sensible_cuts(
    features: Table, classes: np.ndarray, is_over: Callable[[], bool] | None = None
) -> dict[str, np.ndarray]:
    """Return the cuts of every numeric column of more than `FEW_VALUES` different values, by name.

    By minimum description length. Where that cuts none of them, though there are classes to tell apart, no column says
    anything alone, and they are cut at their quartiles, since two may still say something together.
    """
    many = list(_of_many_values([column for column in features if column.kind is Kind.NUMERIC]))
    cuts = interval_cuts(Table(tuple(many), features.n_rows), classes, is_over)
    if any(map(len, cuts.values())):
        return cuts
    return _quartiles(many)


def _quartiles(columns: Sequence[Column]) -> dict[str, np.ndarray]:
    return {column.name: quantile_cuts(column.values[~column.is_missing], N_QUANTILES) for column in columns}


def has_many_values(column: Column) -> bool:
    """Return whether a column is numeric with so many different values that being equal means little."""
    return column.kind is Kind.NUMERIC and len(np.unique(column.values[~column.is_missing])) > FEW_VALUES


def _of_many_values(columns: Sequence[Column]) -> Iterator[Column]:
    """Yield those of some numeric columns that have many values, sorted many columns at a time."""
    at_a_time = max(1, CELLS_AT_A_TIME // max(1, len(columns[0].values))) if columns else 1
    for start in range(0, len(columns), at_a_time):
        some = columns[start : start + at_a_time]
        ordered = np.sort(np.array([column.values for column in some]), axis=1)  # missing values are NaN, and last
        n_steps = (ordered[:, 1:] > ordered[:, :-1]).sum(axis=1)
        yield from (column for column, n in zip(some, n_steps.tolist(), strict=True) if n >= FEW_VALUES)


def quantile_cuts(values: np.ndarray, n_intervals: int, copies: np.ndarray | None = None) -> np.ndarray:
    """Return cuts between values that leave about equally many rows in every interval, whatever their classes.

    ``copies`` are the rows that each value stands for; one each by default. A cut is after the quantile as NumPy's
    method "lower" has it, but for the largest value.
    """
    distinct, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    if len(distinct) < 2:
        return np.empty(0)
    if copies is not None:
        counts = np.bincount(place, copies).astype(np.int64)
    rows_until = np.cumsum(counts)
    wanted = np.floor((rows_until[-1] - 1) * (np.arange(1, n_intervals) / n_intervals))
    place = np.unique(np.minimum(np.searchsorted(rows_until, wanted, side="right"), len(distinct) - 2))
    return _between(distinct[place], distinct[place + 1])


def in_intervals(features: Table, classes: np.ndarray) -> Table:
    """Return the table with its numeric columns of many values cut as `sensible_cuts` does."""
    return cut_columns(features, sensible_cuts(features, classes))


def cut_columns(features: Table, cuts: Mapping[str, np.ndarray]) -> Table:
    """Return the table with intervals in place of the numeric columns that have cuts."""
    uncut = [column for column in features if column.name in cuts and not len(cuts[column.name])]
    at_a_time = max(1, CELLS_AT_A_TIME // max(1, features.n_rows))
    done: dict[str, Column] = {}
    for start in range(0, len(uncut), at_a_time):
        some = uncut[start : start + at_a_time]
        codes = np.where(np.isnan([column.values for column in some]), MISSING, 0).astype(smallest_code_type(1))
        names = interval_names(())
        done |= {c.name: Column(c.name, Kind.NOMINAL, own, names) for c, own in zip(some, codes, strict=True)}
    columns = tuple(
        done[column.name]
        if column.name in done
        else cut_column(column, cuts[column.name])
        if column.name in cuts
        else column
        for column in features
    )
    return Table(columns, features.n_rows, features.ambiguous, features.row_numbers)


def cut_column(column: Column, cuts: np.ndarray) -> Column:
    """Return one numeric column as intervals; a missing value stays missing."""
    codes = np.searchsorted(cuts, column.values, side="left").astype(smallest_code_type(len(cuts) + 1))
    codes[column.is_missing] = MISSING
    return Column(column.name, Kind.NOMINAL, codes, interval_names(cuts))


def interval_names(cuts: Sequence[float] | np.ndarray) -> tuple[str, ...]:
    """Return readable labels for the intervals between cuts."""
    written = [f"{cut:.6g}" for cut in cuts]
    if len(set(written)) < len(written):  # cuts that differ in further digits only
        written = [repr(float(cut)) for cut in cuts]
    if not written:
        return ("any number",)
    between = (f"> {low}, <= {high}" for low, high in pairwise(written))
    return (f"<= {written[0]}", *between, f"> {written[-1]}")


def mdl_cuts(values: np.ndarray, classes: np.ndarray, n_classes: int, copies: np.ndarray | None = None) -> np.ndarray:
    """Return the cuts of one numeric column by minimum description length, ascending; none if no cut pays.

    Parameters
    ----------
    values : float array of shape (n_rows,)
        Without NaN.
    classes : int array of shape (n_rows,)
        From 0 to ``n_classes - 1``.
    n_classes : int
    copies : int array of shape (n_rows,), optional
        The rows that each stands for; 1 each by default.

    Returns
    -------
    ndarray
        Midpoints between neighboring values. A value above a cut, and no
        other, lies right of it.
    """
    distinct, place = np.unique(values, return_inverse=True)
    counts = np.zeros((len(distinct), n_classes), dtype=np.int64)
    np.add.at(counts, (place, classes), 1 if copies is None else copies)
    before = np.vstack([np.zeros(n_classes, dtype=np.int64), np.cumsum(counts, axis=0)])
    cuts: list[int] = []
    open_ranges = [(0, len(distinct))]
    while open_ranges:
        start, end = open_ranges.pop()
        cut = _best_cut(before[start : end + 1])
        if cut is not None:
            cuts.append(start + cut)
            open_ranges += [(start, start + cut), (start + cut, end)]
    place = np.array(sorted(cuts), dtype=np.intp)
    return _between(distinct[place - 1], distinct[place])


def _between(lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Return midpoints: the lower value plus half the distance does not overflow, nor round up to the upper one."""
    return np.minimum(lower + (upper / 2 - lower / 2), np.nextafter(upper, lower))


def _best_cut(before: np.ndarray) -> int | None:
    """Return how many of the distinct values go left, or None if no cut pays.

    ``before[i]`` counts the classes of the rows below the i-th distinct value.
    """
    if len(before) < 3:
        return None
    left = before[1:-1] - before[0]
    right = before[-1] - before[1:-1]
    whole = before[-1] - before[0]
    n_rows = int(whole.sum())
    after = (size_times_entropy(left) + size_times_entropy(right)) / n_rows
    cut = int((after <= after.min() + 1e-12).argmax())  # the first of equals, whatever the rounding
    entropy, left_entropy, right_entropy = (_entropy(part) for part in (whole, left[cut], right[cut]))
    k, k_left, k_right = (int((part > 0).sum()) for part in (whole, left[cut], right[cut]))
    price = np.log2(n_rows - 1) + _log_ways(k) - (k * entropy - k_left * left_entropy - k_right * right_entropy)
    return cut + 1 if entropy - after[cut] > price / n_rows else None


def _log_ways(k: int) -> float:
    """Return the logarithm of the 3 ** k - 2 ways for classes to lie on which side; of many, the 2 is beyond floats."""
    return float(np.log2(3.0**k - 2) if k < 500 else k * np.log2(3))


def _entropy(counts: np.ndarray) -> float:
    return float(size_times_entropy(counts) / counts.sum())
