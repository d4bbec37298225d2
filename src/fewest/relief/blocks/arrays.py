"""An array as blocks: views of its rows, which cost no memory of their own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

import numpy as np

from fewest.blocks.block import Block
from fewest.blocks.engine import Threads
from fewest.blocks.store import Store
from fewest.relief.blocks.passes import FEWEST_A_PASS
from fewest.relief.evidence import name_of
from fewest.relief.rows import ArraySource, Source, Survey
from fewest.table.column import Kind
from fewest.table.schema import AgreedColumn

# Numbers in a block: each is copied a few times while the block is looked at.
BLOCK_NUMBERS = 3 << 18
# Numbers whose copy takes 64 MB, and drawn rows that make one pass over the blocks.
MANY_NUMBERS, FEW_DRAWN = 1 << 24, FEWEST_A_PASS


@dataclass(frozen=True, eq=False)
class RowsBlock(Block):
    """A block whose features are the columns of some rows of an array, in which their values lie side by side."""

    array: np.ndarray = field(kw_only=True)

    def rows(self, rows: np.ndarray) -> np.ndarray:
        """Return the values of some rows."""
        return self.array[rows].astype(np.float64)

    def values(self, tables: Sequence[np.ndarray | None]) -> np.ndarray:  # noqa: ARG002 (all are ranges)
        """Return the values of all rows."""
        return self.array.astype(np.float64)


def is_large(source: Source, n_drawn: int | None) -> TypeGuard[ArraySource]:
    """Return whether an array is so large, and so few of its rows are drawn, that it had better not be copied."""
    if not isinstance(source, ArraySource) or source.array.dtype.kind != "f" or n_drawn is None:
        return False
    if source.array.size < MANY_NUMBERS or n_drawn > FEW_DRAWN:
        return False
    survey = Survey(source)  # bits are small, and what to expect in gaps may not be
    return not survey.is_discrete and not survey.has_missing.any()


def array_store(X: np.ndarray, targets: np.ndarray, labels: Iterable, n_jobs: int | None) -> Store:
    """Return numbers, and the classes or quantities that go with them, as a store.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
        Numbers, NaN where missing.
    targets : ndarray of shape (n_rows,)
        Numbers of classes, or floats if the target is a quantity.
    labels : iterable
        The classes; empty for a quantity.
    n_jobs : int or None
    """
    n_rows, n_features = X.shape
    step = max(1, BLOCK_NUMBERS // max(1, n_features))
    stacks = [
        [RowsBlock(start, len(rows), targets[start : start + step], tuple(rows.T), array=rows)]
        for start in range(0, n_rows, step)
        if len(rows := X[start : start + step])
    ]
    features = tuple(
        AgreedColumn(str(f), Kind.NUMERIC, (), (), n_rows, n_rows, is_range=True) for f in range(n_features)
    )
    is_quantity, name = targets.dtype.kind == "f", name_of(ArraySource(X), targets)
    return Store(Threads(n_jobs), stacks, n_rows, features, tuple(labels), "the target", is_quantity, name)
