"""Blocks as the tables that they are parts of, for whoever learns or predicts from typed columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from fewest.blocks.block import Block
from fewest.blocks.store import Blocks, Store, blocks_of
from fewest.table.column import MISSING, Column, Kind, smallest_code_type
from fewest.table.schema import AgreedColumn
from fewest.table.table import Table


def tables_of(
    stack: Blocks, features: Sequence[AgreedColumn], chosen: Sequence[int]
) -> Iterator[tuple[Table, np.ndarray]]:
    """Yield the chosen features and the classes of a stack's blocks, one in memory at a time."""
    for block in blocks_of(stack, chosen):
        columns = tuple(column_of(block, f, features[f]) for f in chosen)
        yield Table(columns, block.n_rows), block.classes.astype(np.int64)


def all_tables(store: Store, chosen: Sequence[int]) -> Iterator[tuple[Table, np.ndarray]]:
    """Yield the chosen features and the classes of all rows, in their order, a few blocks in memory at a time."""
    return chain.from_iterable(store.engine.each(_tables, store.stacks, store.features, chosen))


def _tables(stack: Blocks, features: Sequence[AgreedColumn], chosen: Sequence[int]) -> list[tuple[Table, np.ndarray]]:
    return list(tables_of(stack, features, chosen))


def column_of(block: Block, feature: int, agreed: AgreedColumn) -> Column:
    """Return one feature as a reading of all rows would have typed it."""
    if agreed.is_range:
        return Column(agreed.name, Kind.NUMERIC, block.planes[feature].astype(np.float64))
    codes = block.codes(feature)
    if agreed.kind is Kind.NUMERIC:
        return Column(agreed.name, Kind.NUMERIC, np.array([*agreed.keys, np.nan], dtype=np.float64)[codes])
    final = np.arange(len(agreed.keys) + 1, dtype=smallest_code_type(len(agreed.labels)))
    final[-1] = MISSING
    return Column(agreed.name, agreed.kind, final[codes], agreed.labels)
