"""From blocks to a model: the learners where the rows are more than memory holds, or elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fewest.exceptions import ParameterError
from fewest.models.encoder import Encoder, KnownColumn
from fewest.models.learn import MOST_PASSES, usual_rule
from fewest.models.load import Model
from fewest.models.partition_model import DEFAULT_LIMIT, Limit, PartitionModel
from fewest.models.tree_model import TreeModel
from fewest.models.winnow_model import WinnowModel, tests_of_values
from fewest.online.blocks import Lesson, learn_blocks
from fewest.online.winnow import Committee
from fewest.partitions.settings import Settings
from fewest.scale.store import Blocks, Store
from fewest.scale.tables import tables_of
from fewest.table import Column, Kind, Table
from fewest.table.schema import AgreedColumn
from fewest.trees.blocks import grow_id3_in_blocks
from fewest.trees.tree import DecisionTree


def learn_id3_in_blocks(
    store: Store, chosen: Sequence[int], classes: np.ndarray, class_numbers: np.ndarray
) -> TreeModel:
    """Grow an ID3 tree over the chosen features; ``class_numbers`` are the places of the store's among ``classes``."""
    tree = grow_id3_in_blocks(store, chosen, class_numbers, len(classes))
    encoder, tree = _without_idle_numbers(store, chosen, tree)
    return TreeModel(encoder, tree, classes, target=store.target_name)


def learn_cfp_in_blocks(
    store: Store,
    chosen: Sequence[int],
    classes: np.ndarray,
    class_numbers: np.ndarray,
    limit: Limit = DEFAULT_LIMIT,
    settings: Settings | None = None,
    n_jobs: int | None = 1,
) -> PartitionModel:
    """Partition the chosen features of a store of quantities, the rows in their order."""
    columns = tuple(store.features[f] for f in chosen)
    summary = Table(tuple(_ends_of(column, limit) for column in columns), n_rows=2)
    start = PartitionModel.start(summary, classes, limit, settings or Settings(), target=store.target_name)
    return store.engine.relay(learn_partitions, store.stacks, start, store.features, chosen, class_numbers, n_jobs)


def learn_partitions(
    stack: Blocks,
    model: PartitionModel,
    features: Sequence[AgreedColumn],
    chosen: Sequence[int],
    class_numbers: np.ndarray,
    n_jobs: int | None,
) -> PartitionModel:
    """Learn the rows of a stack."""
    for table, classes in tables_of(stack, features, chosen):
        model = model.learned(table, class_numbers[classes], n_jobs)
    return model


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


def count_right(stack: Blocks, model: Model, features: Sequence[AgreedColumn], chosen: Sequence[int]) -> int:
    """Count the rows of a stack whose class a model knows."""
    return sum(
        int((model.answers(table).settled == classes).sum()) for table, classes in tables_of(stack, features, chosen)
    )


def _ends_of(column: AgreedColumn, limit: Limit) -> Column:
    """Return a column with the least and the largest of a feature's numbers, or with its names: what limits need."""
    if column.kind is not Kind.NUMERIC:
        return Column(column.name, column.kind, np.zeros(2, dtype=np.int8), column.labels)
    listed = [limit] if isinstance(limit, str) or np.ndim(limit) == 0 else list(limit)  # type: ignore[arg-type]
    if any(isinstance(own, str) and own.strip().endswith("sd") for own in listed):
        raise ParameterError.from_blocks("A generalisation limit in standard deviations")
    ends = [column.keys[0], column.keys[-1]] if column.keys else [np.nan, np.nan]
    return Column(column.name, column.kind, np.array(ends, dtype=np.float64))


def _without_idle_numbers(store: Store, chosen: Sequence[int], tree: DecisionTree) -> tuple[Encoder, DecisionTree]:
    """Describe the columns, without numbers that only rows had that were left out for want of a label."""
    columns, value = [], tree.value.copy()
    tested = np.where(tree.parent >= 0, tree.feature[tree.parent], -1)  # by the node above
    for j, f in enumerate(chosen):
        column = store.features[f]
        labels = column.labels
        if column.kind is Kind.NUMERIC and not store.used[f][:-1].all():
            used = np.append(store.used[f][:-1], True)
            labels = tuple(label for label, occurs in zip(labels, used[:-1], strict=True) if occurs)
            value[tested == j] = (np.cumsum(used) - 1)[value[tested == j]]
        columns.append(KnownColumn(column.name, column.kind.value, labels))
    return Encoder(tuple(columns)), replace(tree, value=value)
