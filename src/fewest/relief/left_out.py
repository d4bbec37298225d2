"""Relevance by neighbors that are sought without the feature in question: a test that holds beside relevant features.

A feature takes part in choosing the neighbors, so that neighbors differ less in it than other rows do. Where a class
lies close together in the relevant features, it is the irrelevant ones that choose, and hits differ less in these than
misses do: irrelevant features score above 0, and by permuted targets, which leave no class together, they do not.

If neighbors are sought without a feature that is independent of the target and of the other features, these neighbors
are independent of it as well. Then its values can be permuted and the neighbors stay: hits and misses differ alike.

Neighbors that tell nothing of the feature are any rows of their class. With D(a, b) the mean difference between rows of
two classes, a sampled row of class a then scores the mean over other classes of D(a, b), less D(a, a): less than 0
where class a has many values and the others one of these each. So each row counts for the share of the other classes,
which makes the sum one of 2 D(a, b) - D(a, a) - D(b, b), the energy distance, over pairs of classes: 0 where they have
the same distribution, and larger otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from fewest.blocks.threads import in_order, n_workers
from fewest.budget import Budget
from fewest.kernels.compile_or_not import compiles
from fewest.relief.chance import PERMUTING, ChanceSums
from fewest.relief.missing import Expectations, known_weights
from fewest.relief.options import EUCLIDEAN, MULTISURF, RelevanceOptions
from fewest.relief.rows import RowSource, Survey
from fewest.relief.space import in_units, places_of

# Comparisons of two rows in a feature, of which compiled code does some 200 million a second: where all sampled
# rows would take more, some of them, and no fewer than this, serve the test.
MOST_COMPARISONS, FEWEST_SAMPLED = 1 << 32, 500
# What the NumPy twin takes longer than compiled code: for a comparison, for a neighbor in a permutation of a feature,
# and for a sampled row besides. Where all rows are compared exactly, a comparison takes it more, and where values are
# missing, a feature does.
NANOSECONDS_A_COMPARISON, NANOSECONDS_A_DIFFERENCE, NANOSECONDS_A_ROW = 1, 10, 230_000
NANOSECONDS_A_DISTANCE, NANOSECONDS_A_GAP = 30, 5_000
# Seconds from which on it pays to compile the kernels, which takes ten.
COMPILING = 8.0
# Sampled rows that go together; sums are rounded by it, so it depends on nothing.
TOGETHER = 16
# Distances that differ by less for every feature are equal but for rounding, since values are in single precision.
SLACK = 1e-7


class Columns(NamedTuple):
    """The features, one after the other."""

    values: np.ndarray  # float32 (features, rows): numeric ones in a range of 1, then nominal codes; NaN where missing
    n_numeric: int
    is_squared: bool  # whether differences of numeric values are squared
    gaps_of: np.ndarray  # int64 (features,): which row of `expected` is a feature's, -1 if no value is missing
    expected: np.ndarray  # float64 (features with gaps, in turn, rows): how much each differs from a row without value


class LabelledRows(NamedTuple):
    """The rows, sorted by class, and their target."""

    starts: np.ndarray  # int64 (classes + 1,): where each class begins; a regression is one class
    class_of: np.ndarray  # int64 (rows,)
    weights: np.ndarray  # float64 (rows,): compiled code takes one copy off here while it works, and restores it
    are_weighted: bool
    factors: np.ndarray  # float64 (classes, classes): what a neighbor counts for, by both classes
    target: np.ndarray  # float64 (rows,): the regression target in units of its range; empty for classes
    orders: np.ndarray  # int32 (rows, permutations + 1): which row's value each has; first of all, its own
    k: float  # neighbors of each class; 0 for all rows that are nearer than usual
    slack: float


class LeftOutSums(NamedTuple):
    """Sums over sampled rows, for each feature as it is and permuted (see `RegressionSums`)."""

    joint: np.ndarray  # float64 (features, permutations + 1)
    features: np.ndarray  # float64 (features, permutations + 1)
    target: np.ndarray  # float64 (features,)

    @classmethod
    def of_nothing(cls, n_features: int, n_orders: int) -> LeftOutSums:
        """Return sums over no row."""
        return cls(np.zeros((n_features, n_orders)), np.zeros((n_features, n_orders)), np.zeros(n_features))


@dataclass(frozen=True)
class LeftOut:
    """The relevance of every feature by neighbors that are sought without it.

    Attributes
    ----------
    scores : ndarray of shape (n_features,)
    by_chance : ndarray of shape (n_permutations, n_features)
        The same with each feature permuted, and the same neighbors.
    """

    scores: np.ndarray
    by_chance: np.ndarray


class LeftOutSearch:
    """Sums over the sampled rows of what features differ by from neighbors that are sought without them."""

    def __init__(self, columns: Columns, rows: LabelledRows, order: np.ndarray, is_nominal: np.ndarray):
        self._columns, self._rows, self._order = columns, rows, order
        self._features = np.argsort(is_nominal, kind="stable")  # which feature each column is
        self._sums = LeftOutSums.of_nothing(len(is_nominal), rows.orders.shape[1])
        self._weight = 0.0

    def refine(self, sampled: np.ndarray, weights: np.ndarray, n_jobs: int | None, budget: Budget | None) -> None:
        """Add sampled rows, of this weight each, until there are no more or the time is over."""
        (n_features, n_rows), n_done = self._columns.values.shape, 0
        n_allowed = max(FEWEST_SAMPLED, MOST_COMPARISONS // max(1, n_features * n_rows))
        sampled, weights = places_of(self._order)[sampled[:n_allowed]], weights[:n_allowed]
        is_compiled = compiles(self._seconds(len(sampled)), "fewest.relief.kernels.left_out_neighbors", COMPILING)
        starts = range(0, len(sampled), TOGETHER)
        work = partial(self._part, sampled, weights, is_compiled)
        for start, part in zip(starts, in_order(work, starts, n_workers(n_jobs)), strict=True):
            for total, one in zip(self._sums, part, strict=True):
                total += one
            self._weight += float(weights[start : start + TOGETHER].sum())
            n_done = min(start + TOGETHER, len(sampled))
            if budget is not None and n_done < len(sampled):
                budget.check(partial("{:,} of {:,} rows compared without each feature".format, n_done, len(sampled)))

    def _seconds(self, n_sampled: int) -> float:
        """Return how much longer than compiled code the NumPy twin takes for sampled rows."""
        rows, (n_features, n_rows) = self._rows, self._columns.values.shape
        n_classes, n_orders = len(rows.starts) - 1, rows.orders.shape[1]
        n_neighbors, a_comparison = min(n_rows, rows.k * n_classes), NANOSECONDS_A_COMPARISON
        if not rows.k or rows.are_weighted:
            a_comparison = NANOSECONDS_A_DISTANCE
        if not rows.k:
            n_neighbors = n_rows / 3  # about as many are nearer than usual
        a_feature = n_rows * a_comparison + n_neighbors * n_orders * NANOSECONDS_A_DIFFERENCE
        gaps = len(self._columns.expected) * NANOSECONDS_A_GAP
        return n_sampled * (n_features * a_feature + gaps + NANOSECONDS_A_ROW) * 1e-9

    def _part(self, sampled: np.ndarray, weights: np.ndarray, is_compiled: bool, start: int) -> LeftOutSums:
        step, sums = slice(start, start + TOGETHER), LeftOutSums.of_nothing(*self._sums.joint.shape)
        rows = self._rows._replace(weights=self._rows.weights.copy())
        if is_compiled:
            from fewest.relief.kernels.left_out_neighbors import add_left_out
        else:
            from fewest.relief.kernels.numpy_left_out import add_left_out
        add_left_out(self._columns, rows, sampled[step], weights[step], sums)
        return sums

    @property
    def found(self) -> LeftOut | None:
        """Return the relevance by the rows so far; None where there are none."""
        if not self._weight:
            return None
        joint, features = (np.empty_like(sums.T) for sums in self._sums[:2])
        joint[:, self._features], features[:, self._features] = self._sums.joint.T, self._sums.features.T
        target = np.empty_like(self._sums.target)
        target[self._features] = self._sums.target
        scores = relevance_of(joint, features, target, self._weight, is_regression=len(self._rows.target) > 0)
        return LeftOut(scores[0], scores[1:])


def relevance_of(joint, features, target, weight: float, *, is_regression: bool) -> np.ndarray:
    """Return the relevance that sums over rows of this weight together amount to."""
    sums = ChanceSums(weight, joint, features, np.zeros(len(joint)))
    if not is_regression:
        return sums.scores(is_regression=False)
    a, b, c = joint / weight, features / weight, target / weight
    similar = np.divide(b - a, 1 - c, out=np.zeros_like(a), where=np.broadcast_to(c < 1, a.shape))
    return np.clip(np.divide(a, c, out=np.zeros_like(a), where=np.broadcast_to(c > 0, a.shape)) - similar, -1, 1)


def even_weights(classes: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return weights of sampled rows by which every two classes count alike for each other: see above."""
    shares = np.bincount(classes, weights) / weights.sum()
    return weights * (1 - shares[classes])


def left_out_search(
    source: RowSource, target: np.ndarray, weights: np.ndarray | None, factors, options: RelevanceOptions
) -> LeftOutSearch:
    """Lay out rows for finding neighbors without each feature.

    Parameters
    ----------
    source : RowSource
    target : ndarray of shape (n_rows,)
        Codes of classes, or floats for a regression.
    weights : ndarray of shape (n_rows,), optional
    factors : callable
        Takes the classes' shares; returns what a neighbor counts for by the class of the sampled row and its own.
    options : RelevanceOptions
    """
    n_rows = source.n_rows
    classes = np.zeros(n_rows, dtype=np.int64) if options.is_regression else np.unique(target, return_inverse=True)[1]
    order = np.argsort(classes, kind="stable")
    starts = np.append(0, np.cumsum(np.bincount(classes, minlength=1))).astype(np.int64)
    each = np.ones(n_rows) if weights is None else weights[order].astype(np.float64)
    shares = np.add.reduceat(each, starts[:-1]) / each.sum()
    permuted = [np.random.default_rng([PERMUTING, n]).permutation(n_rows) for n in range(options.n_permutations)]
    rows = LabelledRows(
        starts,
        classes[order],
        each,
        bool((each != 1).any()),
        np.ones((1, 1)) if options.is_regression else factors(shares).astype(np.float64),
        in_units(target, np.ptp(target))[order] if options.is_regression else np.empty(0),
        np.stack([np.arange(n_rows), *permuted], axis=1).astype(np.int32),
        0.0 if options.neighborhood == MULTISURF else float(options.n_neighbors),
        SLACK * (1 + len(source.is_nominal)),
    )
    return LeftOutSearch(columns_of(source, order, each, starts, options), rows, order, source.is_nominal)


def columns_of(source: RowSource, order, weights, starts, options: RelevanceOptions) -> Columns:
    """Lay out the features of rows in this order; what is expected in gaps is so over all rows."""
    survey, is_squared = Survey(source), options.metric == EUCLIDEAN
    values = survey.scale.laid_out(source.part(order).astype(np.float64, copy=False), source.is_nominal)
    n_numeric = int((~source.is_nominal).sum())
    gaps = np.flatnonzero(np.isnan(values).any(axis=0)).tolist()
    expectations = Expectations.from_rows(values, n_numeric, gaps, weights, starts[[0, -1]])
    expectations = expectations.with_telling(known_weights(values, gaps, weights, starts), weights, starts)
    expected, gaps_of = np.empty((len(gaps), len(values))), np.full(values.shape[1], -1, dtype=np.int64)
    for place, f in enumerate(gaps):
        gaps_of[f] = place
        expected[place] = _from_missing(values[:, f].astype(np.float64), f, expectations, is_squared)
    return Columns(np.ascontiguousarray(values.T), n_numeric, is_squared, gaps_of, expected)


def _from_missing(values: np.ndarray, f: int, expectations: Expectations, is_squared: bool) -> np.ndarray:
    """Return by how much each value of a column is expected to differ from a missing one."""
    lacks = np.isnan(values)
    if f in expectations.telling:
        return np.where(lacks, 0.0, 1.0)
    if f in expectations.nominal:
        nominal = expectations.nominal[f]
        return nominal.expected[nominal.coded(values, np.zeros(len(values), dtype=np.intp)), 0]
    numeric = expectations.numeric[f]
    differences = np.full(len(values), numeric.expected_of_two(0, 0, is_squared))
    differences[~lacks] = numeric.expected(values[~lacks], 0, is_squared)
    return differences
