"""The distinct rows of a sample in blocks, with how many rows each stands for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from fewest.blocks.groups import Groups, count_groups, merged_groups, refuse_many
from fewest.blocks.store import Store, column_of_codes
from fewest.cover.distinct_rows import DistinctRows
from fewest.exceptions import TooLargeError
from fewest.table import Table

# Values of distinct rows that are held: a byte or more each, eight where they are numeric.
MOST_VALUES = 1 << 27
# Rows up to which the bits of their classes are counted exactly, with 16 bytes of tables for each.
MOST_ROWS = 1 << 26


def distinct_rows_of(store: Store, excluded: Sequence[int] = ()) -> DistinctRows:
    """Count equal rows of all blocks, and return one of each, in the order in which they first occur.

    Raises
    ------
    TooLargeError
        If the distinct rows would not fit in memory.
    """
    if store.n_rows > MOST_ROWS:
        raise TooLargeError.from_size("The rows to be described", store.n_rows, MOST_ROWS, "Take a sample of them.")
    gone = set(excluded)
    kept = [f for f in range(store.n_features) if f not in gone]
    most = MOST_VALUES // max(1, len(kept))
    radix = store.radix(kept)
    count, merge = (partial(step, most=most) for step in (count_groups, merged_groups))
    found: Groups = store.engine.fold(count, merge, store.stacks, radix)
    refuse_many(found, most)  # one block is merged with no other
    order = np.argsort(found.firsts)
    codes, classes = radix.columns(found.keys[:, order])
    by_feature = dict(zip(kept, codes, strict=True))
    nothing = np.zeros(len(order), dtype=np.int8)
    columns = tuple(column_of_codes(by_feature.get(f, nothing), agreed) for f, agreed in enumerate(store.features))
    return DistinctRows.numbered(Table(columns, len(order)), classes, found.counts[order])
