"""Rows laid out for finding neighbors and comparing with them: as bits where possible, else as a matrix.

Both layouts answer the same two questions, a batch of sampled rows at a time: which rows are nearest, and how do the
features of these differ. Memory grows with the data and a batch, and not with the square of the rows once these are
many.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Protocol

import numpy as np

from fewest.blocks.store import Store
from fewest.kernels.compile_or_not import compiles
from fewest.relief.bit_space import BitSpace, BooleanSpace
from fewest.relief.embedding import Measuring
from fewest.relief.kernels.layout import Measured, Neighbors, Permuted, Rows, Rule, Sampled
from fewest.relief.matrix_space import MatrixSpace
from fewest.relief.options import CLASS, MANHATTAN, MULTISURF, N_PERMUTATIONS, SKIP, RelevanceOptions
from fewest.relief.rounded_rows import LEAST_SAMPLED
from fewest.relief.rows import ArrayRows, EncodedRows, RowSource, Survey, no_duplicates, spans_too_much
from fewest.table.target import refuse_far_values

# What a pair of a sampled row and another costs the NumPy twins, and what one absolute difference of the two does.
NANOSECONDS_A_PAIR, NANOSECONDS_A_DIFFERENCE = 60, 2
# What it costs to compare a neighbor by a permuted target in a feature, and to find it, for each class.
NANOSECONDS_A_FEATURE, NANOSECONDS_A_CLASS = 20, 30
# Seconds from which on it pays to compile the kernels, which takes half a minute.
COMPILING = 12.0
# Values that NumPy may hold in memory though they are in blocks; of more, a pair is charged more than it takes.
MOST_IN_MEMORY, NANOSECONDS_OF_MANY = 1 << 22, 3_800
# Values by which data is recognised, besides its target, and the rows in which they are at the least.
VALUES_LOOKED_AT, ROWS_LOOKED_AT = 1 << 10, 8
# Values whose copy takes 64 MB, and sampled rows that take one pass over the blocks.
MANY_VALUES, FEW_SAMPLED = 1 << 24, 1024


class Space(Protocol):
    """Rows among which neighbors are sought."""

    n_rows: int
    n_features: int
    batch_size: int

    @property
    def depends_on_classes(self) -> bool:
        """Return whether distances do, since what is expected in place of a missing value does."""

    def products(self, n_sampled: int, n_threads: int) -> AbstractContextManager[None]:
        """Return the context in which this many sampled rows are to be looked up."""

    def measured(self, own: np.ndarray) -> Measured:
        """Return what is to be known of the distances of some rows to all rows."""

    def nearest(self, measured: Measured, sampled: Sampled, rows: Rows, rule: Rule) -> tuple[Neighbors, int]:
        """Return neighbors of the first this many of the sampled rows, as many as there was room for."""

    def permuted_nearest(
        self, measured: Measured, sampled: Sampled, rows: Rows, rule: Rule, permuted: Permuted
    ) -> tuple[Neighbors, int]:
        """Return the same by every permutation of the labels, whose weights are those of hits and misses."""

    def differences(self, sampled: np.ndarray, found: Neighbors, is_squared: bool) -> np.ndarray:
        """Return the weighted differences to the neighbors, sampled rows x features."""

    def duplicates(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the rows at distance 0 from each other, or from copies of themselves, as the last fields of `Rows`."""


@dataclass(frozen=True)
class Candidates:
    """Sampled rows, and the candidate rows among which all their neighbors are."""

    space: Space
    rows: Rows
    sampled: Sampled
    weights: np.ndarray  # of the sampled rows
    batch_size: int  # sampled rows that are looked up together
    priors: np.ndarray  # the share of each class among all rows
    target: np.ndarray  # the regression target of the candidates in units of its range; empty for classes


class Examples(Protocol):
    """Rows and their target, in memory or in blocks: what Relief asks of its examples."""

    n_rows: int
    n_features: int

    @property
    def n_classes(self) -> int:
        """Return how many classes there are; a regression has none."""

    @property
    def name(self) -> str:
        """Return what the same data always has, and other data hardly ever."""

    def weights_of(self, rows: np.ndarray) -> np.ndarray:
        """Return the weights of some rows."""

    def candidates(self, sampled: Sampled, options: RelevanceOptions) -> Iterator[Candidates]:
        """Yield the sampled rows in their order, some at a time, with the candidates of these."""


class RowsInMemory:
    """Examples in memory: every row is a candidate for all sampled rows at once.

    Parameters
    ----------
    source : RowSource
    target : ndarray of shape (n_rows,)
        Codes of classes, or floats for a regression.
    weights : ndarray of shape (n_rows,), optional
        A row of weight w is w copies of itself.
    """

    def __init__(self, source: RowSource, target: np.ndarray, weights: np.ndarray | None = None):
        self.n_rows, self.n_features = source.n_rows, len(source.is_nominal)
        self._source, self._target, self._weights = source, target, weights

    @cached_property
    def n_classes(self) -> int:
        """Return how many classes occur."""
        return len(np.unique(self._target))

    @cached_property
    def name(self) -> str:
        """Return a digest of the whole target, and, if the data is large, of some of its rows only."""
        return digest(self._source, self._target)

    def weights_of(self, rows: np.ndarray) -> np.ndarray:
        """Return the weights of some rows, 1 if none were given."""
        return np.ones(len(rows)) if self._weights is None else self._weights[rows].astype(np.float64)

    def candidates(self, sampled: Sampled, options: RelevanceOptions) -> Iterator[Candidates]:
        """Sort all rows by class and lay them out once."""
        target, n_sampled = self._target, len(sampled.rows)
        classes = np.zeros(self.n_rows, dtype=np.int64) if options.is_regression else target
        order = np.argsort(classes, kind="stable")
        starts = np.append(0, np.cumsum(np.bincount(classes, minlength=1))).astype(np.int64)
        starts = np.append(starts[:-1][np.diff(starts) > 0], starts[-1])
        weights = self.weights_of(order)
        shape, is_weighted = (self.n_rows, self.n_features, len(starts) - 1), self._weights is not None
        is_compiled = compiles_search(n_sampled, shape, options, is_weighted=is_weighted)
        measuring = Measuring(options.metric == MANHATTAN, is_small=not is_compiled)
        measuring = measuring._replace(by_class=options.missing == CLASS)
        is_matrix = options.neighborhood == MULTISURF  # which needs all distances, and bits have none
        if measuring.is_manhattan and not (measuring.is_small or options.n_permutations or is_matrix):
            n_pools = 2 if options.pools_misses else len(starts) - 1
            measuring = measuring._replace(n_near=options.n_neighbors * n_pools if n_sampled >= LEAST_SAMPLED else 0)
        space = make_space(self._source, order, weights, starts, measuring, is_matrix=is_matrix)
        yield Candidates(
            space,
            rows_of(space, starts, weights, options),
            Sampled(places_of(order)[sampled.rows], sampled.seeds),
            self.weights_of(sampled.rows),
            even_batches(n_sampled, space.batch_size),
            np.add.reduceat(weights, starts[:-1]) / weights.sum(),
            in_units(target, np.ptp(target)) if options.is_regression else np.empty(0),
        )


def rows_of(space: Space, starts: np.ndarray, weights: np.ndarray, options: RelevanceOptions) -> Rows:
    """Return what the kernels know of rows that are laid out sorted by class."""
    class_of = np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))
    duplicates = space.duplicates(weights) if options.identical == SKIP else no_duplicates(len(class_of))
    return Rows(starts, class_of, weights, *duplicates)


def places_of(order: np.ndarray) -> np.ndarray:
    """Return where each row is after sorting."""
    places = np.empty(len(order), dtype=np.int64)
    places[order] = np.arange(len(order))
    return places


def make_space(
    source: RowSource,
    order: np.ndarray,
    weights: np.ndarray,
    starts: np.ndarray,
    measuring: Measuring,
    *,
    is_matrix: bool = False,
) -> Space:
    """Lay rows out, sorted by class, as suits them: in rows of bits both metrics count the differing features."""
    survey = Survey(source)
    if survey.is_discrete and not measuring.is_small and not is_matrix:
        kind = BooleanSpace if BooleanSpace.suits(source, survey, weights) else BitSpace
        return kind(source, survey, order)
    return MatrixSpace.from_source(source, survey, order, weights, starts, measuring)


def compiles_search(
    n_sampled: int, shape: tuple[int, int, int], options: RelevanceOptions, *, is_weighted: bool = False
) -> bool:
    """Return whether compiled code should find the neighbors of sampled rows among this many rows.

    It depends on nothing that differs between rows in memory and in blocks: sums are rounded otherwise by NumPy.

    Parameters
    ----------
    n_sampled : int
    shape : tuple of int
        The numbers of rows, features and classes; a regression has one class.
    options : RelevanceOptions
    is_weighted : bool, default=False
        Whether rows have weights.
    """
    n_rows, n_features, n_classes = shape
    if is_weighted or options.missing == CLASS or options.neighborhood == MULTISURF:
        n_sampled *= 1 + N_PERMUTATIONS  # every permutation of the target is a search of its own
    a_pair = NANOSECONDS_A_PAIR + (n_features * NANOSECONDS_A_DIFFERENCE if options.metric == MANHATTAN else 0)
    if n_rows * n_features > MOST_IN_MEMORY:
        a_pair = max(a_pair, NANOSECONDS_OF_MANY)
    n_neighbors = n_rows if options.neighborhood == MULTISURF else min(n_rows, options.n_neighbors * n_classes)
    a_neighbor = n_features * NANOSECONDS_A_FEATURE + n_classes * NANOSECONDS_A_CLASS
    a_row = n_rows * a_pair + (1 + options.n_permutations) * n_neighbors * a_neighbor
    seconds = n_sampled * options.n_rounds(n_features) * a_row * 1e-9
    return compiles(seconds, "fewest.relief.kernels.differences", COMPILING)


def even_batches(n_sampled: int, most: int) -> int:
    """Return the size of batches of which there is an even number, so that two cores have the same to do.

    It may not depend on the number of cores: sums over other batches are rounded otherwise.
    """
    n_batches = -(-n_sampled // most)
    n_batches += n_batches % 2 if n_batches > 1 else 0
    return max(1, -(-n_sampled // max(1, n_batches)))


def in_units(target: np.ndarray, spread: float) -> np.ndarray:
    """Return a target in units of its range; zeros if it never differs."""
    return (target / spread if spread > 0 else np.zeros(len(target))).astype(np.float64)


def digest(source: RowSource, target: np.ndarray) -> str:
    """Return a text that the same data always has, whatever its type, and other data hardly ever."""
    n_looked_at = max(ROWS_LOOKED_AT, VALUES_LOOKED_AT // max(1, len(source.is_nominal)))
    rows = np.linspace(0, source.n_rows - 1, min(n_looked_at, source.n_rows)).astype(np.int64)
    values = np.ascontiguousarray(source.part(rows), dtype=np.float64)
    found = blake2b(values.tobytes(), digest_size=16)
    found.update(np.ascontiguousarray(target).tobytes())
    return found.hexdigest()


def examples_in_blocks(store: Store, options: RelevanceOptions) -> Examples:
    """Return examples in blocks, or all rows in memory, where these are too few for compiled code."""
    from fewest.relief.blocks.passes import RowsInBlocks, is_nominal, refuse_infinity
    from fewest.relief.blocks.vectors import refuse_many_values

    n_classes = 1 if options.is_regression else int(np.count_nonzero(store.class_counts))
    if compiles_search(options.n_sampled(store.n_rows), (store.n_rows, store.n_features, n_classes), options):
        return RowsInBlocks(store)
    refuse_many_values(store)  # what is refused may not depend on what was compiled
    values, target = store.values(np.arange(store.n_rows))
    refuse_infinity(store, [spans_too_much(column) for column in values.T])
    if options.is_regression:
        refuse_far_values(store.target_name, target)
    return RowsInMemory(EncodedRows(values, is_nominal(store)), target)


def is_large(source: ArrayRows, options: RelevanceOptions) -> bool:
    """Return whether an array is so large, and so few of its rows are sampled, that it had better not be copied."""
    array = source.array
    if array.dtype.kind != "f" or options.max_samples is None or array.size < MANY_VALUES:
        return False
    n_sampled = options.n_sampled(source.n_rows)
    if n_sampled > FEW_SAMPLED or not compiles_search(n_sampled, (*array.shape, 1), options):
        return False
    survey = Survey(source)  # bits are small, and what to expect in gaps may not be
    return not survey.is_discrete and not survey.has_missing.any()
