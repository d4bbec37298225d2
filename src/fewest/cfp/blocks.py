"""CFP over blocks: the model is relayed from block to block, in the order of the rows.

Rows in memory are one block: both ways, `PartitionModel.learned` learns.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fewest.blocks.block import Blocks
from fewest.blocks.schema import AgreedColumn
from fewest.blocks.store import Store, tables_of
from fewest.cfp.model import PartitionModel
from fewest.cfp.options import CFPOptions, Limit
from fewest.exceptions import ParameterError
from fewest.table import Column, Kind, Table


def learn_cfp_in_blocks(
    store: Store,
    chosen: Sequence[int],
    classes: np.ndarray,
    class_numbers: np.ndarray,
    options: CFPOptions,
    n_jobs: int | None = 1,
) -> PartitionModel:
    """Partition the chosen features of a store of numeric values, the rows in their order."""
    columns = tuple(store.features[f] for f in chosen)
    summary = Table(tuple(_ends_of(column, options.limit) for column in columns), n_rows=2)
    start = PartitionModel.start(summary, classes, options, target=store.target_name)
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


def _ends_of(column: AgreedColumn, limit: Limit) -> Column:
    """Return a column with the least and largest value of a feature, or with its nominal values: what limits need."""
    if column.kind is not Kind.NUMERIC:
        return Column(column.name, column.kind, np.zeros(2, dtype=np.int8), column.labels)
    listed = [limit] if isinstance(limit, str) or np.ndim(limit) == 0 else list(limit)  # type: ignore[arg-type]
    if any(isinstance(own, str) and own.strip().endswith("sd") for own in listed):
        raise ParameterError.from_blocks("A generalisation limit in standard deviations")
    ends = [column.keys[0], column.keys[-1]] if column.keys else [np.nan, np.nan]
    return Column(column.name, column.kind, np.array(ends, dtype=np.float64))
