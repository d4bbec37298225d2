"""How many pairs a subset leaves unseparated, where rows are in blocks: every subset looked at costs a pass."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fewest.cover.blocks.sample import StreamedSample
from fewest.cover.blocks.splits import Split
from fewest.cover.kernels.split_counts import mixed_pairs_of


@dataclass(frozen=True, eq=False)
class _State:
    """Groups of rows that a subset does not tell apart, and, once asked for, what each feature does to them."""

    split: Split

    @cached_property
    def counts(self) -> list[np.ndarray]:
        """Count the rows by group, value and class for every feature."""
        return self.split.counted(lambda: None)


class ByBlocks:
    """See `fewest.cover.coverage.Coverage`."""

    def __init__(self, sample: StreamedSample):
        self._forbidden = list(sample.forbidden)
        self.root = _State(Split.of_all(sample.store).mixed())

    def extend(self, state: _State, feature: int) -> _State:
        """Split the groups, and let go of those that became pure."""
        if feature in self._forbidden or not len(state.split.groups):
            return state
        return _State(state.split.chosen(feature, state.counts[feature]).mixed())

    def uncovered(self, state: _State) -> int:
        """Count the pairs inside the groups."""
        return int(mixed_pairs_of(state.split.groups).sum())

    def uncovered_after(self, state: _State) -> np.ndarray:
        """Count the pairs inside the groups that each feature would make."""
        if not len(state.split.groups):
            return np.zeros(state.split.store.n_features, dtype=np.int64)
        after = np.array([int(mixed_pairs_of(counts).sum()) for counts in state.counts], dtype=np.int64)
        after[self._forbidden] = self.uncovered(state)
        return after
