"""Winnow over blocks: the trials go from block to block, in the order of the rows, which stay where they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from fewest.blocks.block import Block, Blocks, blocks_of
from fewest.blocks.schema import AgreedColumn
from fewest.blocks.store import Store
from fewest.budget import Budget
from fewest.exceptions import NotBooleanError
from fewest.mistakes.examples import Dense
from fewest.mistakes.model import LearnedWinnow, model_learned, tests_of_values
from fewest.mistakes.trials import Trials
from fewest.models.boolean_features import BooleanFeatures
from fewest.models.encoder import Encoder, KnownColumn
from fewest.table.column import Kind

# Values of tests, a byte each, that are computed at a time.
MOST_VALUES = 1 << 24


@dataclass(frozen=True, eq=False)
class SampleInBlocks:
    """Examples in blocks, each value of a Boolean feature being that of a test of a column.

    Parameters
    ----------
    store : Store
    tests : BooleanFeatures
        Tests of the columns of the store.
    class_codes : ndarray
        The numbers of the store's classes to the learner.
    """

    store: Store
    tests: BooleanFeatures
    class_codes: np.ndarray

    def run(self, trials: Trials) -> Trials:
        """Run a trial for every row, in order; return other trials with these added."""
        return self.store.engine.relay(learn_stack, self.store.stacks, trials, self.tests, self.class_codes)


def learn_stack(stack: Blocks, trials: Trials, tests: BooleanFeatures, class_codes: np.ndarray) -> Trials:
    """Learn the rows of a stack; the trials that were given stay as they were."""
    trials = trials.copy()
    step = max(1, MOST_VALUES // max(1, len(tests)))
    for block in blocks_of(stack, sorted(set(tests.column.tolist()))):
        rows, codes = rows_of(block, tests), class_codes[block.classes]
        for start in range(0, block.n_rows, step):
            trials.learn(Dense(rows[start : start + step]), codes[start : start + step])
    return trials


def rows_of(block: Block, tests: BooleanFeatures) -> np.ndarray:
    """Return the value of every test for every row of a block, a byte each."""
    rows = np.empty((block.n_rows, len(tests)), dtype=np.uint8)
    codes: np.ndarray | None = None
    for k, (f, value) in enumerate(zip(tests.column.tolist(), tests.value.tolist(), strict=True)):
        if not k or f != tests.column[k - 1]:
            codes = block.codes(f)
        rows[:, k] = codes == value
    return rows


def tests_of_booleans(columns: Sequence[AgreedColumn], learner: str) -> BooleanFeatures:
    """Return the test of each feature that is Boolean by itself: two opposites, or zeros and ones."""
    values = []
    for column in columns:
        is_own = column.kind is Kind.BOOLEAN
        others = [None] * column.has_missing + [key for key in column.keys if not is_own and key not in (0, 1)]
        if others or not column.keys:
            raise NotBooleanError.from_value(others[0] if others else None, learner)
        values.append(1 if is_own or column.keys[0] == 0 else 0)
    places, nothing = np.arange(len(values), dtype=np.int64), np.empty(0, dtype=np.int64)
    return BooleanFeatures(places, np.array(values, dtype=np.int64), nothing, nothing, nothing, nothing)


def learn_winnow_in_blocks(
    store: Store, chosen: Sequence[int], kind: str, budget: Budget | None = None
) -> LearnedWinnow:
    """Let Winnow go through the rows of a store until a pass is without mistake, or the budget ends after one."""
    columns = tuple(KnownColumn(c.name, c.kind.value, c.labels) for c in (store.features[f] for f in chosen))
    tests = tests_of_values(columns, [np.flatnonzero(store.used[f]).tolist() for f in chosen], kind)
    classes = np.array(store.labels)
    in_store = replace(tests, column=np.array(chosen, dtype=np.int64)[tests.column])
    sample = SampleInBlocks(store, in_store, np.arange(len(classes)))
    return model_learned(sample, kind, Encoder(columns), tests, (classes, store.target_name), budget)
