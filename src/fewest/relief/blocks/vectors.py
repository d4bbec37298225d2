"""Blocks whose rows are vectors: numbers, truths and names side by side, some of them missing."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fewest.blocks.block import Block, Blocks, blocks_of
from fewest.blocks.store import Store
from fewest.blocks.threads import serial_products
from fewest.exceptions import TooLargeError
from fewest.relief.blocks.candidates import ROOM, Near, Sought, classes_of
from fewest.relief.blocks.survey import BlockSurvey
from fewest.relief.embedding import Embedding, Expectations
from fewest.relief.matrix_space import MatrixSpace, differences_of_names, slack_of
from fewest.relief.missing import Known, UnknownNames, UnknownNumbers
from fewest.relief.relief import Neighbourhood
from fewest.relief.rows import Scale

# Distances that are computed at a time.
MOST_DISTANCES = 1 << 22
# Distinct numbers, of all features with missing values together, from which expectations are computed.
MOST_KNOWN = 1 << 25
# Rounding of distances in a block and in the space of all that is near, in units of the slack.
MARGIN = 3
INFINITY = np.array(np.inf, dtype=np.float32).view(np.int32)


@dataclass(frozen=True)
class Layout:
    """How the rows of a block become vectors."""

    tables: list[np.ndarray | None]
    is_name: np.ndarray
    scale: Scale
    expectations: Expectations

    def values(self, block: Block) -> np.ndarray:
        """Return scaled numbers, then codes of names."""
        return self.scale.laid_out(block.values(self.tables), self.is_name)

    def embedding(self, block: Block) -> tuple[np.ndarray, Embedding]:
        """Return the values and the vectors."""
        values = self.values(block)
        return values, Embedding(values, classes_of(block.classes), self.expectations)


class VectorBlocks:
    """Compares rows by matrix products, a block at a time.

    Ranges come from the survey, expectations of missing numbers from one more pass, and
    the largest norm, on which rounding depends, from another.
    """

    def __init__(self, store: Store, is_name: np.ndarray, survey: BlockSurvey):
        self._store = store
        self._columns = np.argsort(is_name, kind="stable")
        scale = Scale.from_range(survey.low, survey.high)
        bare = Layout(store.tables, is_name, scale, Expectations(int((~is_name).sum()), {}, {}, {}))
        self._layout = replace(bare, expectations=self._expectations(bare, survey))
        with serial_products():
            self._largest = store.engine.fold(largest_norm, max, store.stacks, self._layout)

    def _expectations(self, layout: Layout, survey: BlockSurvey) -> Expectations:
        """Say what to expect where values are missing."""
        store, place = self._store, {int(f): column for column, f in enumerate(self._columns)}
        n_classes = max(1, len(store.labels))
        ranges = [f for f in np.flatnonzero(survey.has_missing).tolist() if survey.counts[f] is None]
        found = (
            store.engine.fold(known_numbers, joined_numbers, store.stacks, layout.scale, ranges, n_classes)
            if ranges
            else []
        )
        known = dict(zip(ranges, found, strict=True))
        n_names, numbers, names = {}, {}, {}
        for f, (counts, table) in enumerate(zip(survey.counts, layout.tables, strict=True)):
            if counts is None or table is None:
                if f in known:
                    numbers[place[f]] = UnknownNumbers(known[f])
            elif layout.is_name[f]:
                n_names[place[f]] = n = int(survey.high[f]) + 1 if survey.high[f] >= 0 else 0
                if survey.has_missing[f]:
                    names[place[f]] = UnknownNames(counts[:, :n].astype(np.float64))
            elif survey.has_missing[f]:
                scaled = layout.scale.of_feature(f, table[:-1])
                numbers[place[f]] = UnknownNumbers([_counted(scaled, of_class) for of_class in counts])
        return Expectations(layout.expectations.n_numbers, n_names, numbers, names)

    def size_of_parts(self) -> int:
        """Return how many drawn rows a space in memory would look at together."""
        return MatrixSpace.size_of_blocks(self._store.n_rows, self._store.n_features)

    def near(self, numbers: np.ndarray, neighbourhood: Neighbourhood) -> np.ndarray:
        """Return the numbers of the rows that may be near."""
        store, layout = self._store, self._layout
        values, targets = store.values(numbers)
        values, classes = layout.scale.laid_out(values, layout.is_name), classes_of(targets)
        slack = slack_of(Embedding(values, classes, layout.expectations).norms, self._largest)
        sought = Sought.from_rows(numbers, classes, neighbourhood, len(store.labels))
        question = Question(sought, layout, values, np.float32(MARGIN) * slack)
        with serial_products():
            return store.engine.fold(find_near, Near.joined, store.stacks, question).tightened(sought.k).found[:, 3]

    def space(self, values: np.ndarray, order: np.ndarray, starts: np.ndarray) -> MatrixSpace:
        """Lay out some rows."""
        layout = self._layout
        values = layout.scale.laid_out(values[order], layout.is_name)
        return MatrixSpace(
            values, self._columns, starts, layout.expectations, is_small=False, largest_norm=self._largest
        )


def _counted(numbers: np.ndarray, counts: np.ndarray) -> Known:
    """Return the numbers that occur."""
    return Known(numbers[counts > 0], counts[counts > 0].astype(np.float64))


@dataclass(frozen=True)
class Question:
    """Drawn rows as vectors."""

    sought: Sought
    layout: Layout
    values: np.ndarray
    slack: np.ndarray

    def embedding(self) -> Embedding:
        """Return the vectors."""
        return Embedding(self.values, self.sought.classes, self.layout.expectations)


# ---------------------------------------------------------------------- work over stacks


def largest_norm(stack: Blocks, layout: Layout) -> float:
    """Return the largest squared norm of a row."""
    return max((float(layout.embedding(block)[1].norms.max(initial=0)) for block in blocks_of(stack)), default=0.0)


def known_numbers(stack: Blocks, scale: Scale, features: list[int], n_classes: int) -> list[list[Known]]:
    """Return the scaled numbers of some features that are known in each class, and how often each occurs."""
    none = Known(np.empty(0, dtype=np.float32), np.empty(0))
    known = [[none] * n_classes for _ in features]
    for block in blocks_of(stack, features):
        classes = classes_of(block.classes)
        members = [np.flatnonzero(classes == c) for c in range(n_classes)]
        for k, f in enumerate(features):
            scaled = scale.of_feature(f, block.planes[f].astype(np.float64))
            own = [Known.from_rows(scaled[rows], np.ones(len(rows))) for rows in members]
            known[k] = [a.joined(b) for a, b in zip(known[k], own, strict=True)]
    return known


def joined_numbers(some: list[list[Known]], others: list[list[Known]]) -> list[list[Known]]:
    """Add up what two stacks know."""
    known = [[a.joined(b) for a, b in zip(*pair, strict=True)] for pair in zip(some, others, strict=True)]
    n_known = sum(len(of_class.values) for of_feature in known for of_class in of_feature)
    if n_known > MOST_KNOWN:
        raise TooLargeError.from_size(
            "The distinct numbers of features with missing values", n_known, MOST_KNOWN,
            "Round these features, or fill in or drop what is missing.",
        )  # fmt: skip
    return known


def find_near(stack: Blocks, question: Question) -> Near:
    """Find the rows of a stack that may be near the drawn rows."""
    from fewest.relief.kernels.near_vectors import Measured, near_vectors

    sought, expectations = question.sought, question.layout.expectations
    n_drawn = len(sought.numbers)
    own = question.embedding()
    drawn = Measured(sought.numbers, sought.classes, *_measured(own))
    bounds = np.full((n_drawn, sought.n_pools), INFINITY, dtype=np.int32)
    near = Near(np.empty((0, 4), dtype=np.int64), bounds, question.slack)
    for block in blocks_of(stack):
        values, vectors = question.layout.embedding(block)
        classes = classes_of(block.classes)
        rows = Measured(np.arange(block.start, block.start + block.n_rows), classes, *_measured(vectors))
        start = 0
        while start < n_drawn:
            part = slice(start, start + max(1, MOST_DISTANCES // max(1, block.n_rows)))
            products = (own.matrix[part] * own.scale) @ vectors.matrix.T
            besides = differences_of_names(
                (question.values[part], sought.classes[part]), (values, classes), own.many, expectations.names
            )
            if len(besides):
                products += besides
            room = np.empty((max(ROOM, 4 * block.n_rows), 4), dtype=np.int64)
            n_found, n_done = near_vectors(
                products, rows, Measured(*(array[part] for array in drawn)), question.slack[part],
                sought.k, sought.skips_equal, bounds[part], room,
            )  # fmt: skip
            found = room[:n_found].copy()
            found[:, 0] += start
            near = near.joined(Near(found, bounds, question.slack))
            start += n_done
        near = near.tightened(sought.k)
        bounds[:] = near.bounds
    return near


def _measured(vectors: Embedding) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return vectors.norms.astype(np.float32), vectors.identities(), vectors.spread <= 0
