"""Winnow over blocks: what is learned goes from block to block, in the order of the rows, which stay where they are."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace

import numpy as np

from fewest.blocks.block import Block, Blocks, blocks_of
from fewest.blocks.store import Store
from fewest.exceptions import NotBooleanError
from fewest.mistakes.examples import Dense
from fewest.mistakes.model import MOST_PASSES, WinnowModel, tests_of_values, usual_rule
from fewest.mistakes.winnow import Committee
from fewest.models.boolean_features import BooleanFeatures
from fewest.models.encoder import Encoder, KnownColumn
from fewest.table.column import Kind
from fewest.table.schema import AgreedColumn

# Truths that are laid out in a row each at a time.
MOST_TRUTHS = 1 << 24


@dataclass(frozen=True)
class Lesson:
    """A committee after some trials, and the numbers of those that were mistakes."""

    committee: Committee
    n_trials: int = 0
    mistakes: tuple[np.ndarray, ...] = field(default=())


def learn_blocks(
    store: Store, lesson: Lesson, tests: BooleanFeatures, class_numbers: np.ndarray, max_iter: int
) -> tuple[Lesson, int]:
    """Go through all rows again and again until a pass is without mistake; return the passes, too.

    ``class_numbers`` are those of the store's classes to the learner.
    """
    n_passes, is_perfect = 0, False
    while not is_perfect and n_passes < max_iter:
        n_passes, n_before = n_passes + 1, len(lesson.mistakes)
        lesson = store.engine.relay(learn_stack, store.stacks, lesson, tests, class_numbers)
        is_perfect = len(lesson.mistakes) == n_before
    return lesson, n_passes


def learn_stack(stack: Blocks, lesson: Lesson, tests: BooleanFeatures, class_numbers: np.ndarray) -> Lesson:
    """Learn the rows of a stack; the lesson that was given stays as it was."""
    committee, mistakes, n_trials = deepcopy(lesson.committee), list(lesson.mistakes), lesson.n_trials
    for block in blocks_of(stack, sorted(set(tests.column.tolist()))):
        step = max(1, MOST_TRUTHS // max(1, len(tests)))
        truths, classes = truths_of(block, tests), class_numbers[block.classes]
        for start in range(0, block.n_rows, step):
            some = slice(start, start + step)
            wrong = np.flatnonzero(committee.learn(Dense(truths[some]), classes[some]) != classes[some])
            if len(wrong):
                mistakes.append(wrong + (n_trials + start))
        n_trials += block.n_rows
    return Lesson(committee, n_trials, tuple(mistakes))


def truths_of(block: Block, tests: BooleanFeatures) -> np.ndarray:
    """Return the truth of every test for every row of a block, a byte each."""
    truths = np.empty((block.n_rows, len(tests)), dtype=np.uint8)
    codes: np.ndarray | None = None
    for k, (f, value) in enumerate(zip(tests.column.tolist(), tests.value.tolist(), strict=True)):
        if not k or f != tests.column[k - 1]:
            codes = block.codes(f)
        truths[:, k] = codes == value
    return truths


def tests_of_booleans(columns: Sequence[AgreedColumn], learner: str) -> BooleanFeatures:
    """Return the test of each feature that is true or false by itself: two opposites, or zeros and ones."""
    values = []
    for column in columns:
        is_own = column.kind is Kind.BOOLEAN
        others = [None] * column.has_missing + [key for key in column.keys if not is_own and key not in (0, 1)]
        if others or not column.keys:
            raise NotBooleanError.from_value(others[0] if others else None, learner)
        values.append(1 if is_own or column.keys[0] == 0 else 0)
    places, nothing = np.arange(len(values), dtype=np.int64), np.empty(0, dtype=np.int64)
    return BooleanFeatures(places, np.array(values, dtype=np.int64), nothing, nothing, nothing, nothing)


def learn_winnow_in_blocks(store: Store, chosen: Sequence[int], kind: str) -> tuple[WinnowModel, int, int]:
    """Let Winnow go through the rows until a pass is without mistake; return the mistakes and the passes, too."""
    columns = tuple(KnownColumn(c.name, c.kind.value, c.labels) for c in (store.features[f] for f in chosen))
    tests = tests_of_values(columns, [np.flatnonzero(store.used[f]).tolist() for f in chosen], kind)
    in_store = replace(tests, column=np.array(chosen, dtype=np.int64)[tests.column])
    classes = np.array(store.labels)
    committee = Committee(usual_rule(kind, len(tests)), len(tests), len(classes))
    lesson, n_passes = learn_blocks(store, Lesson(committee), in_store, np.arange(len(classes)), MOST_PASSES)
    model = WinnowModel(Encoder(columns), tests, lesson.committee, classes, store.target_name)
    return model, sum(map(len, lesson.mistakes)), n_passes
