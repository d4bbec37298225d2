"""Relief and ReliefF over blocks: the drawn rows go to the blocks, and each block names rows that may be near.

All nearest rows, and all that tie with them, are among these. They are few,
so what follows (ties, lots, differences, sums) is done by the very code that
works on all rows where they are in memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from fewest.exceptions import ParameterError, TooLargeError
from fewest.kernels.bits import pack
from fewest.kernels.neighbours import Draw, Rows
from fewest.scale.block import Block
from fewest.scale.store import Blocks, Store, blocks_of
from fewest.search.relevance.bit_space import BitSpace
from fewest.search.relevance.blocks import even_blocks
from fewest.search.relevance.draws import drawn_rows, lots
from fewest.search.relevance.relief import RelevanceSearch
from fewest.search.relevance.source import Survey
from fewest.search.relevance.space import FEW_PAIRS
from fewest.search.relevance.tally import MeanTally, Relevance
from fewest.solvers.budget import Budget
from fewest.table.column import Kind

# Rows that one pass over the blocks seeks neighbours of: so many blocks of drawn rows.
BLOCKS_A_PASS = 8
# Rows that may be near, for all drawn rows of a pass.
MOST_NEAR = 1 << 25
# Of a block, room for so many at a time, at least.
ROOM = 1 << 16


class CodesSource:
    """Encoded rows as the Relief family reads rows; see `fewest.search.relevance.source`."""

    def __init__(self, codes: np.ndarray, is_name: np.ndarray):
        self._codes, self.is_name, self.n_rows = codes.astype(np.float64), is_name, len(codes)

    def block(self, rows: slice | np.ndarray) -> np.ndarray:
        """Return some rows."""
        return self._codes[rows]


@dataclass(frozen=True)
class Near:
    """Rows that may be near: drawn row, pool, distance, number; and how far each pool has to be looked at."""

    found: np.ndarray
    bounds: np.ndarray

    def joined(self, other: Near) -> Near:
        """Keep what is near enough among both."""
        bounds = np.minimum(self.bounds, other.bounds)
        found = np.concatenate([self.found, other.found])
        found = found[found[:, 2] <= bounds[found[:, 0], found[:, 1]]]
        if len(found) > MOST_NEAR:
            raise TooLargeError.from_size(
                "Rows as near as the nearest", len(found), MOST_NEAR, "Draw fewer rows (n_samples, --samples)."
            )
        return Near(found, bounds)


def relief_over_blocks(search: RelevanceSearch, store: Store, budget: Budget | None = None) -> Relevance:
    """Do what `RelevanceSearch.classify` does, with rows in blocks."""
    is_name = _refuse_other_than_bits(store)
    first, drawing = search.n_drawn, search.drawing
    drawn = drawn_rows(store.n_rows, first, drawing.n_samples, drawing.seed, drawing.replace)
    if len(drawn) * store.n_rows <= FEW_PAIRS:
        codes, classes = store.rows(np.arange(store.n_rows))
        return search.classify(CodesSource(codes, is_name), classes, None, budget)
    search.tally = search.tally or MeanTally(store.n_features)
    seeds = lots(drawing.seed, first, len(drawn))
    size = even_blocks(len(drawn), BitSpace.size_of_blocks(store.n_features))
    step = BLOCKS_A_PASS * size
    for start in range(0, len(drawn), step):
        part = slice(start, start + step)
        _classify(search, store, is_name, Draw(drawn[part], seeds[part]), size)
        if budget is not None and start + step < len(drawn):
            budget.check(partial("{:,} of {:,} rows drawn".format, start + step, len(drawn)))
    return search.recorded()


def _refuse_other_than_bits(store: Store) -> np.ndarray:
    """Raise unless rows are bits; return which features are names."""
    for column in store.features:
        is_number = column.kind is not Kind.NOMINAL
        if column.kind is Kind.NUMERIC and np.isinf(np.array(column.labels, dtype=np.float64)).any():
            raise ParameterError.from_infinity(column.name)
        if column.has_missing or len(column.keys) > (2 if is_number else Survey.MOST_CODES):
            what = "has missing values" if column.has_missing else f"has {len(column.keys)} values"
            raise ParameterError(
                f"Column {column.name!r} {what}, and over a scan Relief compares bits: numbers of at most two values, "
                f"at most {Survey.MOST_CODES} names, nothing missing. Read the data with read_table (--engine memory)."
            )
    return np.array([column.kind is Kind.NOMINAL for column in store.features], dtype=bool)


def _classify(search: RelevanceSearch, store: Store, is_name: np.ndarray, drawing: Draw, size: int) -> None:
    """Find what may be near some drawn rows, and add what these tell to the tally, so many at a time."""
    drawn = drawing.rows
    n_classes = len(store.labels)
    if n_classes <= 1:
        search.add(np.ones(len(drawn)), np.zeros((len(drawn), store.n_features), dtype=np.float32))
        return
    numbers = np.unique(drawn)
    codes, classes = store.rows(numbers)
    n_planes = max(1, (max(store.n_values) - 1).bit_length())
    question = Question(
        numbers, as_words(codes, n_planes), classes, search.neighbourhood.n_neighbors, n_classes,
        search.neighbourhood.pools_misses, search.neighbourhood.identical == "skip",
    )  # fmt: skip
    near = store.engine.fold(find_near, Near.joined, store.stacks, question)
    rows = np.union1d(numbers, near.found[:, 3])
    codes, classes = store.rows(rows)
    order = np.argsort(classes, kind="stable")
    source = CodesSource(codes, is_name)
    space = BitSpace(source, Survey(source), order)
    starts = np.concatenate([[0], np.cumsum(np.bincount(classes, minlength=n_classes))]).astype(np.int64)
    position = np.empty(len(order), dtype=np.int64)
    position[order] = np.arange(len(order))
    alone = (np.full(len(rows), -1, np.int32), np.empty(0, np.int32), np.zeros(1, np.int64))
    twins = space.twins() if question.skips_equal else alone
    prepared = Rows(starts, classes[order].astype(np.int32), np.ones(len(rows)), *twins)
    draw = Draw(position[np.searchsorted(rows, drawn)], drawing.seeds)
    counts = store.class_counts
    search.classify_drawn(space, prepared, draw, np.ones(len(drawn)), counts / counts.sum(), size=size)


@dataclass(frozen=True)
class Question:
    """The drawn rows, and who their neighbours may be."""

    numbers: np.ndarray
    words: np.ndarray  # uint64 (n_planes, n_words, n_drawn)
    classes: np.ndarray
    k: int
    n_classes: int
    pools_misses: bool
    skips_equal: bool

    @property
    def n_pools(self) -> int:
        """Return among how many each drawn row has neighbours: own class and all others, or every class."""
        return 2 if self.pools_misses else max(2, self.n_classes)


def find_near(stack: Blocks, question: Question) -> Near:
    """Find the rows of a stack that may be near the drawn rows."""
    from fewest.kernels.near_rows import near_rows

    n_drawn = len(question.numbers)
    bounds = np.full((n_drawn, question.n_pools), np.iinfo(np.int32).max - 1, dtype=np.int32)
    near = Near(np.empty((0, 4), dtype=np.int64), bounds)
    n_planes = len(question.words)
    for block in blocks_of(stack):
        words = rows_as_words(block, n_planes)
        rows = np.arange(block.start, block.start + block.n_rows), block.classes.astype(np.int64)
        start = 0
        while start < n_drawn:
            drawn = (
                np.ascontiguousarray(question.words[:, :, start:]),
                question.numbers[start:],
                question.classes[start:],
            )
            room = np.empty((max(ROOM, 4 * block.n_rows), 4), dtype=np.int64)
            n_found, n_done = near_rows(words, rows, drawn, question.k, question.skips_equal, bounds[start:], room)
            found = room[:n_found].copy()
            found[:, 0] += start
            near = near.joined(Near(found, bounds))
            start += n_done
    return near


def rows_as_words(block: Block, n_planes: int) -> np.ndarray:
    """Turn the columns of a block into rows of bits, (n_planes, n_words, n_rows)."""
    codes = np.empty((block.n_rows, len(block.planes)), dtype=np.uint8)
    for f in range(len(block.planes)):
        codes[:, f] = block.codes(f)
    return as_words(codes, n_planes)


def as_words(codes: np.ndarray, n_planes: int) -> np.ndarray:
    """Return rows of small codes as bits, (n_planes, n_words, n_rows)."""
    return np.stack([pack((codes >> plane & 1).astype(bool)) for plane in range(n_planes)])
