"""The Relief family over blocks: the drawn rows go to the blocks, and each block names rows that may be near.

All nearest rows, and all that tie with them, are among these. They are few,
so what follows (ties, lots, differences, sums) is done by the very code that
works on all rows where they are in memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from fewest.blocks.block import Blocks, blocks_of
from fewest.blocks.store import Store
from fewest.budget import Budget
from fewest.exceptions import ParameterError
from fewest.relief import space
from fewest.relief.blocks.bits import BitBlocks
from fewest.relief.blocks.candidates import BlockSpace, classes_of
from fewest.relief.blocks.survey import BlockSurvey
from fewest.relief.blocks.vectors import VectorBlocks
from fewest.relief.draws import drawn_rows, lots
from fewest.relief.kernels.layout import Draw, Rows
from fewest.relief.layout import even_blocks
from fewest.relief.relevance import MeanTally, RegressionTally, Relevance
from fewest.relief.relief import RelevanceSearch, in_units
from fewest.relief.rows import Survey, ValuesSource
from fewest.table.column import Kind
from fewest.table.schema import AgreedColumn

# Rows that one pass over the blocks seeks neighbours of: so many parts of drawn rows, but not less than some.
PARTS_A_PASS, FEWEST_A_PASS = 8, 1024


def relief_over_blocks(search: RelevanceSearch, store: Store, budget: Budget | None = None) -> Relevance:
    """Do what `RelevanceSearch.classify` does, or `RelevanceSearch.regress` if the target is a quantity."""
    is_name = np.array([column.kind is Kind.NOMINAL for column in store.features], dtype=bool)
    first, drawing = search.n_drawn, search.drawing
    drawn = drawn_rows(store.n_rows, first, drawing.n_samples, drawing.seed, drawing.replace)
    if len(drawn) * store.n_rows <= space.FEW_PAIRS:
        values, targets = store.values(np.arange(store.n_rows))
        _refuse_infinity(store, np.isinf(values).any(axis=0))
        run = search.regress if store.is_regression else search.classify
        return run(ValuesSource(values, is_name), targets, None, budget)
    search.evidence.turn_to(store.name, store.n_rows, first)
    search.tally = search.tally or (RegressionTally if store.is_regression else MeanTally)(store.n_features)
    if len(store.labels) <= 1 and not store.is_regression:  # there are no misses, and nothing is relevant to nothing
        search.add(np.ones(len(drawn)), np.zeros((len(drawn), store.n_features), dtype=np.float32))
        return search.recorded()
    passes = _Passes(search, store, _space_of(store, is_name))
    draw = Draw(drawn, lots(drawing.seed, first, len(drawn)))
    size = even_blocks(len(drawn), passes.blocks.size_of_parts())
    step = size * max(PARTS_A_PASS, FEWEST_A_PASS // size)
    for start in range(0, len(drawn), step):
        part = slice(start, start + step)
        passes.add(Draw(draw.rows[part], draw.seeds[part]), size)
        if budget is not None and start + step < len(drawn):
            budget.check(partial("{:,} of {:,} rows drawn".format, start + step, len(drawn)))
    return search.recorded()


def _refuse_infinity(store: Store, is_infinite: np.ndarray) -> None:
    for column, is_refused in zip(store.features, is_infinite, strict=True):
        if is_refused:
            raise ParameterError.from_infinity(column.name)


def _space_of(store: Store, is_name: np.ndarray) -> BlockSpace:
    """Return how to compare rows: as bits where that is possible, else as vectors, just as in memory."""
    _refuse_infinity(
        store, np.array([column.kind is Kind.NUMERIC and np.isinf(column.labels).any() for column in store.features])
    )
    if all(_is_bits(column) for column in store.features):
        return BitBlocks(store, is_name)
    survey = BlockSurvey.from_store(store)
    return BitBlocks(store, is_name) if survey.are_bits(is_name) else VectorBlocks(store, is_name, survey)


def _is_bits(column: AgreedColumn) -> bool:
    """Return whether a column certainly has few values, none missing; rows that were left out may have had them."""
    return not (column.has_missing or column.is_range or len(column.keys) > Survey.MOST_CODES)


@dataclass(frozen=True)
class _Passes:
    """Some drawn rows at a time: what is near, and what it tells."""

    search: RelevanceSearch
    store: Store
    blocks: BlockSpace

    def add(self, drawing: Draw, size: int) -> None:
        """Find what may be near some drawn rows, and add what these tell to the tally, so many at a time."""
        drawn, neighbourhood = drawing.rows, self.search.neighbourhood
        numbers = np.unique(drawn)
        rows = np.union1d(numbers, self.blocks.near(numbers, neighbourhood))
        values, targets = self.store.values(rows)
        classes = classes_of(targets)
        order = np.argsort(classes, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(classes, minlength=self._n_classes))]).astype(np.int64)
        layout = self.blocks.space(values, order, starts)
        position = np.empty(len(order), dtype=np.int64)
        position[order] = np.arange(len(order))
        alone = (np.full(len(rows), -1, np.int32), np.empty(0, np.int32), np.zeros(1, np.int64))
        twins = layout.twins() if neighbourhood.identical == "skip" else alone
        prepared = Rows(starts, classes[order].astype(np.int32), np.ones(len(rows)), *twins)
        draw = Draw(position[np.searchsorted(rows, drawn)], drawing.seeds)
        run = self.search.regress_drawn if self.store.is_regression else self.search.classify_drawn
        about = in_units(targets[order], self._spread) if self.store.is_regression else self._priors
        run(layout, prepared, draw, np.ones(len(drawn)), about, size=size)

    @property
    def _n_classes(self) -> int:
        return max(1, len(self.store.labels))

    @property
    def _priors(self) -> np.ndarray:
        counts = self.store.class_counts
        return counts / counts.sum()

    @cached_property
    def _spread(self) -> float:
        """Return the range of the target."""
        low, high = self.store.engine.fold(ends_of_target, joined_ends, self.store.stacks)
        return high - low


def ends_of_target(stack: Blocks) -> tuple[float, float]:
    """Return the least and the largest value of a target."""
    targets = [block.classes for block in blocks_of(stack, ())]
    lows, highs = zip(*((part.min(initial=np.inf), part.max(initial=-np.inf)) for part in targets), strict=True)
    return float(min(lows)), float(max(highs))


def joined_ends(some: tuple[float, float], others: tuple[float, float]) -> tuple[float, float]:
    """Return the ends of both together."""
    return min(some[0], others[0]), max(some[1], others[1])
