"""What one has to know of all rows before comparing two, found in one pass over the blocks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewest.blocks.block import Blocks, blocks_of
from fewest.blocks.store import Store
from fewest.relief.blocks.candidates import classes_of
from fewest.relief.rows import Survey


@dataclass(frozen=True)
class BlockSurvey:
    """The rows by class and code, where features have codes, and the ranges of all.

    Parameters
    ----------
    counts : tuple of (int64 array of shape (n_classes, n_codes) or None)
        None for a range. The code of a missing value is not counted.
    low, high : ndarray of shape (n_features,)
    has_missing : ndarray of shape (n_features,)
    """

    counts: tuple[np.ndarray | None, ...]
    low: np.ndarray
    high: np.ndarray
    has_missing: np.ndarray

    @classmethod
    def from_store(cls, store: Store) -> BlockSurvey:
        """Look at all rows."""
        return store.engine.fold(survey_of, cls.joined, store.stacks, store.tables, max(1, len(store.labels)))

    def joined(self, other: BlockSurvey) -> BlockSurvey:
        """Return what both show together."""
        counts = tuple(
            None if a is None or b is None else a + b for a, b in zip(self.counts, other.counts, strict=True)
        )
        low, high = np.fmin(self.low, other.low), np.fmax(self.high, other.high)
        return BlockSurvey(counts, low, high, self.has_missing | other.has_missing)

    def are_bits(self, is_name: np.ndarray) -> bool:
        """Return whether features have few values, none missing, as `Survey.is_discrete` does."""
        is_coded = all(counts is not None for counts in self.counts)
        return is_coded and not self.has_missing.any() and bool((self.high[is_name] < Survey.MOST_CODES).all())


def survey_of(stack: Blocks, tables: list[np.ndarray | None], n_classes: int) -> BlockSurvey:
    """Look at the rows of a stack."""
    shapes = [None if table is None else (n_classes, len(table)) for table in tables]
    counts = [None if shape is None else np.zeros(shape, dtype=np.int64) for shape in shapes]
    low, high = np.full(len(tables), np.inf), np.full(len(tables), -np.inf)
    has_missing = np.zeros(len(tables), dtype=bool)
    for block in blocks_of(stack):
        classes = classes_of(block.classes)
        for f, counted in enumerate(counts):
            if counted is None:
                numbers = block.planes[f]
                low[f] = np.fmin.reduce(numbers, initial=low[f])
                high[f] = np.fmax.reduce(numbers, initial=high[f])
                has_missing[f] |= np.isnan(numbers).any()
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
