"""Blocks whose rows are vectors: numeric, Boolean and nominal values side by side, some of them missing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from fewest.blocks.block import Block, Blocks, blocks_of
from fewest.blocks.store import Store
from fewest.blocks.threads import serial_products
from fewest.exceptions import TooLargeError
from fewest.relief.blocks.candidates import ROOM, Near, Sought, classes_of
from fewest.relief.embedding import Embedding, Measuring
from fewest.relief.kernels.layout import FAR, Bounds, MeasuredRows, Nearest
from fewest.relief.matrix_space import MatrixSpace, slack_of
from fewest.relief.missing import Expectations, KnownValues, MissingNominal, MissingNumeric
from fewest.relief.options import CLASS, MANHATTAN, RelevanceOptions
from fewest.relief.rows import Scale, Survey

# Distances that are computed at a time.
MOST_DISTANCES = 1 << 22
# Distinct values, of all features with missing values together, from which expectations are computed.
MOST_KNOWN = 1 << 25
# Rounding of distances in a block and in the space of all that is near, in units of the slack.
MARGIN = 3


@dataclass(frozen=True)
class BlockSurvey:
    """What must be known of all rows before two are compared: ranges, gaps, and counts of codes by class.

    Parameters
    ----------
    counts : tuple of (int64 array of shape (n_classes, n_codes) or None)
        None for a feature without codes. Missing values are not counted.
    low, high : ndarray of shape (n_features,)
    has_missing : ndarray of shape (n_features,)
    """

    counts: tuple[np.ndarray | None, ...]
    low: np.ndarray
    high: np.ndarray
    has_missing: np.ndarray

    @classmethod
    def from_store(cls, store: Store) -> BlockSurvey:
        """Survey all rows in one pass."""
        return store.engine.fold(survey_of, cls.joined, store.stacks, store.tables, max(1, len(store.labels)))

    def joined(self, other: BlockSurvey) -> BlockSurvey:
        """Merge the surveys of two sets of rows."""
        counts = tuple(
            None if a is None or b is None else a + b for a, b in zip(self.counts, other.counts, strict=True)
        )
        low, high = np.fmin(self.low, other.low), np.fmax(self.high, other.high)
        return BlockSurvey(counts, low, high, self.has_missing | other.has_missing)

    def are_bits(self, is_nominal: np.ndarray) -> bool:
        """Return whether features have few values, none missing, as `Survey.is_discrete` does."""
        is_coded = all(counts is not None for counts in self.counts)
        return is_coded and not self.has_missing.any() and bool((self.high[is_nominal] < Survey.MOST_CODES).all())


@dataclass(frozen=True)
class Layout:
    """How rows of a block are turned into vectors."""

    tables: list[np.ndarray | None]
    is_nominal: np.ndarray
    scale: Scale
    expectations: Expectations
    measuring: Measuring

    def values(self, block: Block) -> np.ndarray:
        """Return scaled numeric values, then nominal codes."""
        return self.scale.laid_out(block.values(self.tables), self.is_nominal)

    def embedding(self, block: Block) -> Embedding:
        """Return the vectors of a block."""
        return self.embedded(self.values(block), classes_of(block.classes))

    def embedded(self, values: np.ndarray, classes: np.ndarray) -> Embedding:
        """Return the vectors of rows of these classes."""
        expected = classes if self.measuring.by_class else np.zeros_like(classes)
        return Embedding(values, expected, self.expectations, self.measuring)


class VectorBlocks:
    """Blocks in which rows are compared by matrix products, or by sums of absolute differences.

    Ranges come from the survey, expectations of missing values from one more pass, and the largest size, on which
    rounding depends, from another.
    """

    def __init__(self, store: Store, is_nominal: np.ndarray, survey: BlockSurvey, options: RelevanceOptions):
        self._store = store
        self._columns = np.argsort(is_nominal, kind="stable")
        scale = Scale.from_range(survey.low, survey.high)
        nothing = Expectations(int((~is_nominal).sum()), {}, {}, {})
        measuring = Measuring(options.metric == MANHATTAN, False, options.missing == CLASS)
        bare = Layout(store.tables, is_nominal, scale, nothing, measuring)
        self._layout = replace(bare, expectations=self._expectations(bare, survey))
        with serial_products():
            self._largest = store.engine.fold(largest_size, max, store.stacks, self._layout)

    def _expectations(self, layout: Layout, survey: BlockSurvey) -> Expectations:
        """Learn what takes the place of missing values."""
        store, place = self._store, {int(f): column for column, f in enumerate(self._columns)}
        ranges = [f for f in np.flatnonzero(survey.has_missing).tolist() if survey.counts[f] is None]
        known = dict(zip(ranges, listed_values(store, layout.scale, ranges), strict=True))
        n_categories, numeric, nominal, present = {}, {}, {}, {}
        by_class = layout.measuring.by_class
        for f, (counts, table) in enumerate(zip(survey.counts, layout.tables, strict=True)):
            if counts is None or table is None:
                if f in known:
                    present[place[f]] = np.array([of_class.weights.sum() for of_class in known[f]])
                    numeric[place[f]] = MissingNumeric(known[f] if by_class else [reduce(KnownValues.joined, known[f])])
            elif layout.is_nominal[f]:
                n_categories[place[f]] = n = int(survey.high[f]) + 1 if survey.high[f] >= 0 else 0
                if survey.has_missing[f]:
                    present[place[f]] = counts[:, :n].sum(axis=1)
                    counts = counts if by_class else counts.sum(axis=0, keepdims=True)
                    nominal[place[f]] = MissingNominal(counts[:, :n].astype(np.float64))
            elif survey.has_missing[f]:
                scaled = layout.scale.of_feature(f, table[:-1])
                present[place[f]] = counts.sum(axis=1)
                counts = counts if by_class else counts.sum(axis=0, keepdims=True)
                numeric[place[f]] = MissingNumeric([_counted(scaled, of_class) for of_class in counts])
        found = Expectations(layout.expectations.n_numeric, n_categories, numeric, nominal)
        if by_class or not store.labels:
            return found
        return found.with_telling_of(present, np.asarray(store.class_counts, dtype=np.float64))

    def size_of_batches(self) -> int:
        """Return how many sampled rows a space in memory would look at together."""
        return MatrixSpace.size_of_batches(self._store.n_rows, self._store.n_features)

    def near(self, numbers: np.ndarray, options: RelevanceOptions) -> np.ndarray:
        """Return the row numbers of the candidates."""
        store, layout = self._store, self._layout
        values, targets = store.values(numbers)
        values, classes = layout.scale.laid_out(values, layout.is_nominal), classes_of(targets)
        slack = slack_of(layout.embedded(values, classes).sizes, self._largest)
        sought = Sought.from_rows(numbers, classes, options, len(store.labels))
        question = Question(sought, layout, values, np.float32(MARGIN) * slack)
        with serial_products():
            return store.engine.fold(find_near, Near.joined, store.stacks, question).tightened(sought.k).found[:, 3]

    def space(self, values: np.ndarray, order: np.ndarray, starts: np.ndarray) -> MatrixSpace:
        """Lay out some rows."""
        layout = self._layout
        values = layout.scale.laid_out(values[order], layout.is_nominal)
        return MatrixSpace(values, self._columns, starts, layout.expectations, layout.measuring, self._largest)


def _counted(values: np.ndarray, counts: np.ndarray) -> KnownValues:
    """Return the values that occur."""
    return KnownValues(values[counts > 0], counts[counts > 0].astype(np.float64))


@dataclass(frozen=True)
class Question:
    """Sampled rows as vectors."""

    sought: Sought
    layout: Layout
    values: np.ndarray
    slack: np.ndarray

    def embedding(self) -> Embedding:
        """Return the vectors."""
        return self.layout.embedded(self.values, self.sought.classes)


# ---------------------------------------------------------------------- work over stacks


def largest_size(stack: Blocks, layout: Layout) -> float:
    """Return the largest size of a row."""
    return max((float(layout.embedding(block).sizes.max(initial=0)) for block in blocks_of(stack)), default=0.0)


def refuse_many_values(store: Store) -> None:
    """Raise where the values of features with gaps are too many to keep, as blocks would, for who needs no blocks."""
    if store.n_rows * sum(column.has_missing for column in store.features) > MOST_KNOWN:
        survey = BlockSurvey.from_store(store)
        ranges = [f for f in np.flatnonzero(survey.has_missing).tolist() if survey.counts[f] is None]
        listed_values(store, Scale.from_range(survey.low, survey.high), ranges)


def listed_values(store: Store, scale: Scale, features: list[int]) -> list[list[KnownValues]]:
    """Return the scaled values that some features have in each class over all rows."""
    n_classes = max(1, len(store.labels))
    if not features:
        return []
    return _few_enough(store.engine.fold(known_values, joined_values, store.stacks, scale, features, n_classes))


def known_values(stack: Blocks, scale: Scale, features: list[int], n_classes: int) -> list[list[KnownValues]]:
    """Return the scaled values that some features have in each class, and how often each occurs."""
    none = KnownValues(np.empty(0, dtype=np.float32), np.empty(0))
    known = [[none] * n_classes for _ in features]
    for block in blocks_of(stack, features):
        classes = classes_of(block.classes)
        members = [np.flatnonzero(classes == c) for c in range(n_classes)]
        for k, f in enumerate(features):
            scaled = scale.of_feature(f, block.planes[f].astype(np.float64))
            own = [KnownValues.from_rows(scaled[rows], np.ones(len(rows))) for rows in members]
            known[k] = [a.joined(b) for a, b in zip(known[k], own, strict=True)]
    return known


def joined_values(some: list[list[KnownValues]], others: list[list[KnownValues]]) -> list[list[KnownValues]]:
    """Merge the values of two stacks."""
    return _few_enough([[a.joined(b) for a, b in zip(*pair, strict=True)] for pair in zip(some, others, strict=True)])


def _few_enough(known: list[list[KnownValues]]) -> list[list[KnownValues]]:
    """Return values; raise if they are too many."""
    n_known = sum(len(of_class.values) for of_feature in known for of_class in of_feature)
    if n_known > MOST_KNOWN:
        raise TooLargeError.from_size(
            "The distinct values of features with missing values", n_known, MOST_KNOWN,
            "Round these features, or fill in or drop what is missing.",
        )  # fmt: skip
    return known


def survey_of(stack: Blocks, tables: list[np.ndarray | None], n_classes: int) -> BlockSurvey:
    """Survey the rows of a stack."""
    shapes = [None if table is None else (n_classes, len(table)) for table in tables]
    counts = [None if shape is None else np.zeros(shape, dtype=np.int64) for shape in shapes]
    low, high = np.full(len(tables), np.inf), np.full(len(tables), -np.inf)
    has_missing = np.zeros(len(tables), dtype=bool)
    for block in blocks_of(stack):
        classes = classes_of(block.classes)
        for f, counted in enumerate(counts):
            if counted is None:
                values = block.planes[f]
                low[f] = np.fmin.reduce(values, initial=low[f])
                high[f] = np.fmax.reduce(values, initial=high[f])
                has_missing[f] |= np.isnan(values).any()
            else:
                keys = classes * counted.shape[1] + block.codes(f)
                counted += np.bincount(keys, minlength=counted.size).reshape(counted.shape)
    for f, (counted, table) in enumerate(zip(counts, tables, strict=True)):
        if counted is not None and table is not None:
            occurring = table[:-1][counted[:, :-1].any(axis=0)]
            low[f], high[f] = occurring.min(initial=np.inf), occurring.max(initial=-np.inf)
            has_missing[f] = counted[:, -1].any()
    return BlockSurvey(
        tuple(None if counted is None else counted[:, :-1] for counted in counts), low, high, has_missing
    )


def find_near(stack: Blocks, question: Question) -> Near:
    """Find the candidates in a stack of blocks."""
    from fewest.relief.kernels.block_candidates import candidates_by_distance

    sought = question.sought
    n_sampled, nearest = len(sought.numbers), Nearest(sought.k, sought.skips_identical)
    own = question.embedding()
    sampled = MeasuredRows(sought.numbers, sought.classes, *_measured(own))
    bounds = np.full((n_sampled, sought.n_pools), FAR, dtype=np.int32)
    near = Near(np.empty((0, 4), dtype=np.int64), bounds, question.slack)
    for block in blocks_of(stack):
        vectors = question.layout.embedding(block)
        numbers = np.arange(block.start, block.start + block.n_rows)
        rows = MeasuredRows(numbers, classes_of(block.classes), *_measured(vectors))
        start = 0
        while start < n_sampled:
            part = slice(start, start + max(1, MOST_DISTANCES // max(1, block.n_rows)))
            products = own.partial_distances(part, vectors)
            if len(besides := own.besides(part, vectors)):
                products += besides
            room = np.empty((max(ROOM, 4 * block.n_rows), 4), dtype=np.int64)
            some = MeasuredRows(*(array[part] for array in sampled))
            limits = Bounds(bounds[part], question.slack[part])
            n_found, n_done = candidates_by_distance(products, rows, some, nearest, limits, room)
            found = room[:n_found].copy()
            found[:, 0] += start
            near = near.joined(Near(found, bounds, question.slack))
            start += n_done
        near = near.tightened(sought.k)
        bounds[:] = near.bounds
    return near


def _measured(vectors: Embedding) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return vectors.norms.astype(np.float32), vectors.identities(), vectors.spread <= 0
