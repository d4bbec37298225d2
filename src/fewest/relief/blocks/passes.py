"""The Relief family over blocks: the sampled rows go to the blocks, and each block returns candidate neighbors.

All nearest rows, and all that tie with them, are among the candidates. These are few, so what follows (ties, random
choices, differences, sums) is done by the very code that works on all rows where they are in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from fewest.blocks.block import Block, Blocks, blocks_of
from fewest.blocks.engine import Threads
from fewest.blocks.schema import AgreedColumn
from fewest.blocks.store import Store
from fewest.exceptions import ParameterError
from fewest.relief.blocks.bits import BitBlocks
from fewest.relief.blocks.candidates import BlockSpace, classes_of
from fewest.relief.blocks.vectors import BlockSurvey, VectorBlocks
from fewest.relief.kernels.layout import Sampled
from fewest.relief.options import RelevanceOptions
from fewest.relief.rows import ArrayRows, Survey, spans_too_much
from fewest.relief.space import Candidates, digest, even_batches, in_units, places_of, rows_of
from fewest.table.column import Kind
from fewest.table.target import refuse_far_values

# Rows that one pass over the blocks finds candidates for: this many batches of sampled rows, but not less than some.
BATCHES_A_PASS, FEWEST_A_PASS = 8, 1024
# Values in a block of an array: each is copied a few times while the block is looked at.
BLOCK_VALUES = 3 << 18


class RowsInBlocks:
    """Examples in blocks: `Examples` whose candidates come from passes over the blocks."""

    def __init__(self, store: Store):
        self._store = store
        self.n_rows, self.n_features, self.n_classes = store.n_rows, store.n_features, len(store.labels)
        self.name = store.name
        self._spaces: dict[tuple[str, str], BlockSpace] = {}

    def weights_of(self, rows: np.ndarray) -> np.ndarray:
        """Return the weights of some rows: rows of blocks count once each."""
        return np.ones(len(rows))

    def candidates(self, sampled: Sampled, options: RelevanceOptions) -> Iterator[Candidates]:
        """Find candidates for some sampled rows at a time, and lay these out as if they were all rows."""
        blocks, n_sampled = self._space(options), len(sampled.rows)
        size = even_batches(n_sampled, blocks.size_of_batches())
        step = size * max(BATCHES_A_PASS, FEWEST_A_PASS // size)
        for start in range(0, n_sampled, step):
            part = Sampled(sampled.rows[start : start + step], sampled.seeds[start : start + step])
            yield self._candidates(blocks, part, size, options)

    def _candidates(self, blocks: BlockSpace, sampled: Sampled, size: int, options: RelevanceOptions) -> Candidates:
        store, n_classes = self._store, max(1, self.n_classes)
        own = np.unique(sampled.rows)
        numbers = np.union1d(own, blocks.near(own, options))
        values, targets = store.values(numbers)
        classes = classes_of(targets)
        order = np.argsort(classes, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(classes, minlength=n_classes))]).astype(np.int64)
        space = blocks.space(values, order, starts)
        return Candidates(
            space,
            rows_of(space, starts, np.ones(len(numbers)), options),
            Sampled(places_of(order)[np.searchsorted(numbers, sampled.rows)], sampled.seeds),
            np.ones(len(sampled.rows)),
            size,
            np.empty(0) if options.is_regression else self._priors,
            in_units(targets[order], self._spread) if options.is_regression else np.empty(0),
        )

    def _space(self, options: RelevanceOptions) -> BlockSpace:
        by = options.metric, options.missing
        if by not in self._spaces:
            self._spaces[by] = self._measured_by(options)
        return self._spaces[by]

    def _measured_by(self, options: RelevanceOptions) -> BlockSpace:
        """Return how to compare rows: as bits where that is possible, else as vectors, just as in memory."""
        store, nominal = self._store, is_nominal(self._store)
        has_infinity = [
            column.kind is Kind.NUMERIC and spans_too_much(np.asarray(column.labels)) for column in store.features
        ]
        refuse_infinity(store, has_infinity)
        if all(_is_bits(column) for column in store.features):
            return BitBlocks(store, nominal)
        survey = BlockSurvey.from_store(store)
        if survey.are_bits(nominal):
            return BitBlocks(store, nominal)
        return VectorBlocks(store, nominal, survey, options)

    @cached_property
    def _priors(self) -> np.ndarray:
        counts = self._store.class_counts
        return counts / counts.sum()

    @cached_property
    def _spread(self) -> float:
        """Return the range of the target."""
        low, high = self._store.engine.fold(target_range, joined_range, self._store.stacks)
        refuse_far_values(self._store.target_name, np.array([low, high]))
        return high - low


def is_nominal(store: Store) -> np.ndarray:
    """Return which features are nominal."""
    return np.array([column.kind is Kind.NOMINAL for column in store.features], dtype=bool)


def refuse_infinity(store: Store, is_infinite: Sequence[bool] | np.ndarray) -> None:
    """Raise if some feature holds infinity, from which everything is equally far."""
    for column, is_refused in zip(store.features, is_infinite, strict=True):
        if is_refused:
            raise ParameterError.from_infinity(column.name)


def _is_bits(column: AgreedColumn) -> bool:
    """Return whether a column certainly has few values, none missing; rows that were left out may have had them."""
    return not (column.has_missing or column.keeps_numbers or len(column.keys) > Survey.MOST_CODES)


def target_range(stack: Blocks) -> tuple[float, float]:
    """Return the least and the largest value of a regression target."""
    targets = [block.classes for block in blocks_of(stack, ())]
    lows, highs = zip(*((part.min(initial=np.inf), part.max(initial=-np.inf)) for part in targets), strict=True)
    return float(min(lows)), float(max(highs))


def joined_range(some: tuple[float, float], others: tuple[float, float]) -> tuple[float, float]:
    """Return the range of both together."""
    return min(some[0], others[0]), max(some[1], others[1])


# ---------------------------------------------------------------------- an array as blocks


@dataclass(frozen=True, eq=False)
class ArrayBlock(Block):
    """A block that is a view of some rows of an array, which costs no memory of its own."""

    array: np.ndarray = field(kw_only=True)

    def rows(self, rows: np.ndarray) -> np.ndarray:
        """Return the values of some rows."""
        return self.array[rows].astype(np.float64)

    def values(self, tables: Sequence[np.ndarray | None]) -> np.ndarray:  # noqa: ARG002 (all are ranges)
        """Return the values of all rows."""
        return self.array.astype(np.float64)


def array_store(source: ArrayRows, target: np.ndarray, n_jobs: int | None) -> Store:
    """Return numeric values in memory, with codes of classes or a regression target (floats), as a store."""
    X = source.array
    n_rows, n_features = X.shape
    step = max(1, BLOCK_VALUES // max(1, n_features))
    stacks = [
        [ArrayBlock(start, len(rows), target[start : start + step], tuple(rows.T), array=rows)]
        for start in range(0, n_rows, step)
        if len(rows := X[start : start + step])
    ]
    features = tuple(
        AgreedColumn(str(f), Kind.NUMERIC, (), (), n_rows, n_rows, keeps_numbers=True) for f in range(n_features)
    )
    is_regression = target.dtype.kind == "f"
    labels = () if is_regression else tuple(range(int(target.max(initial=-1)) + 1))
    name = digest(source, target)
    return Store(Threads(n_jobs), stacks, n_rows, features, labels, "the target", is_regression, name)
