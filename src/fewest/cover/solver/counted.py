"""One cover within a limit, or the proof that there is none, by the search that counts; see its kernel."""

from __future__ import annotations

import numpy as np

from fewest.cover.kernels.counted_covers import FOUND, Levels, Sets, next_counted_cover
from fewest.cover.solver.problem import Subset
from fewest.kernels import bits


class CountedEngine:
    """A search that goes on by so many nodes at a time.

    Parameters
    ----------
    units : int64 array of shape (n_features,)
        What features cost.
    allowed : uint64 array
        The features that may be chosen.
    words : uint64 array of shape (n_words, n_conflicts)
        The conflicts known.
    limit : int
        What a cover may cost.
    is_compiled : bool
        Whether compiled code searches; what it finds is the same.
    """

    # Nodes between two looks at the clock.
    NODES_PER_CALL = 20_000

    def __init__(self, units: np.ndarray, allowed: np.ndarray, words: np.ndarray, limit: int, *, is_compiled: bool):
        self.allowed = allowed
        members = bits.members(allowed)
        cheapest = int(units[members].min()) if members else 1
        self.costs = np.concatenate([units, [cheapest]])
        self.n_nodes = 0
        self._next = next_counted_cover.compiled if is_compiled else next_counted_cover
        # The tightest first: a node that copies some of its open conflicts copies these.
        order = np.argsort(bits.sizes(words & allowed[:, None]), kind="stable")
        self.words = words[:, order] & allowed[:, None]
        self._depths = min(limit // cheapest, len(members)) + 2
        self._lay_out()
        root = self._levels
        root.alive[0, members] = 1
        root.banned[0] = ~allowed
        root.left[0], root.at[0] = limit, -1

    def _lay_out(self) -> None:
        """Write the conflicts as rows and columns, and make room for the levels of the search."""
        n_features = len(self.costs) - 1
        rows = np.ascontiguousarray(self.words.T)
        self._sets = Sets(rows, bits.pack(bits.unpack(self.words, n_features).T))
        self._copied = Sets(np.zeros_like(rows), np.zeros_like(self._sets.columns))
        self._levels, self._below = self._room(), self._room()
        self._levels.open[0] = bits.mask(range(len(rows)), len(rows))

    def _room(self) -> Levels:
        depths, n_features, n_words = self._depths, len(self.costs) - 1, len(self.allowed)
        return Levels(
            depth=np.zeros(1, dtype=np.int64),
            open=np.zeros((depths, len(self._sets.columns)), dtype=np.uint64),
            alive=np.zeros((depths, n_features), dtype=np.int64),
            banned=np.zeros((depths, n_words), dtype=np.uint64),
            choices=np.zeros((depths, n_features), dtype=np.int32),
            n_choices=np.zeros(depths, dtype=np.int64),
            at=np.zeros(depths, dtype=np.int64),
            left=np.zeros(depths, dtype=np.int64),
            counts=np.zeros(n_features, dtype=np.int64),
            best=np.zeros(n_features, dtype=np.int64),
            able=np.zeros(n_words, dtype=np.uint64),
            rest=np.zeros(n_words, dtype=np.uint64),
            found=np.zeros(n_features + 1, dtype=np.int32),
        )

    def add(self, words: np.ndarray) -> None:
        """Add conflicts that the cover just found misses; the search then looks at the same place again."""
        before = self._levels
        self.words = np.concatenate([self.words, words & self.allowed[:, None]], axis=1)
        self._lay_out()
        after, depth = self._levels, int(before.depth[0])
        for name in ("depth", "alive", "banned", "choices", "n_choices", "at", "left"):
            getattr(after, name)[:] = getattr(before, name)
        for d in range(depth):
            after.open[d + 1] = after.open[d] & ~self._sets.columns[:, before.choices[d, before.at[d]]]

    def go_on(self) -> tuple[int, Subset]:
        """Search for some nodes; return ``FOUND`` and a cover, or ``EXHAUSTED`` or ``OUT_OF_NODES`` and nothing."""
        status, n_nodes = self._next(
            self._sets, self._levels, self._copied, self._below, self.costs, self.NODES_PER_CALL
        )
        self.n_nodes += int(n_nodes)
        if status != FOUND:
            return int(status), ()
        levels = self._levels
        above = [int(levels.choices[d, levels.at[d]]) for d in range(int(levels.depth[0]))]
        return FOUND, (*above, *levels.found[1 : 1 + levels.found[0]].tolist())
