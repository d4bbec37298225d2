"""One cover within a limit, or the proof that there is none, by the search that counts; see its kernel."""

from __future__ import annotations

import numpy as np

from fewest.cover.kernels.counted_covers import next_counted_cover
from fewest.cover.kernels.counted_sets import FOUND, Levels, Sets
from fewest.cover.solver.problem import Subset
from fewest.kernels import bits

# Conflicts that are laid out at a time, for sorting them.
ROWS = 4096


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
        self.n_conflicts = 0
        self._depths = min(limit // cheapest, len(members)) + 2
        self._sets: Sets
        self._levels: Levels
        self._make_room(words.shape[1])
        root = self._levels
        root.alive[0, members] = -1
        root.banned[0] = ~allowed
        root.left[0], root.at[0] = limit, -1
        self.add(words[:, _hardest_first(words & allowed[:, None], len(units))])

    def _make_room(self, n_conflicts: int) -> None:
        """Have room for so many conflicts, and for the levels of a search among them."""
        n_features, n_words = len(self.costs) - 1, bits.n_words(n_conflicts)
        sets = Sets(
            np.zeros((n_words * bits.WORD, len(self.allowed)), dtype=np.uint64),
            np.zeros((n_words, n_features), dtype=np.uint64),
        )
        levels = self._room(n_words)
        if self.n_conflicts:
            for kept, before in ((sets.rows, self._sets.rows), (sets.columns, self._sets.columns)):
                kept[: len(before)] = before
            for name, before in self._levels._asdict().items():
                getattr(levels, name)[..., : before.shape[-1]] = before
        self._sets, self._levels = sets, levels
        self._copied, self._below = Sets(*map(np.zeros_like, sets)), self._room(n_words)

    def _room(self, n_conflict_words: int) -> Levels:
        depths, n_features, n_words = self._depths, len(self.costs) - 1, len(self.allowed)
        return Levels(
            depth=np.zeros(1, dtype=np.int64),
            open=np.zeros((depths, n_conflict_words), dtype=np.uint64),
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
            last=np.zeros(n_conflict_words, dtype=np.uint64),
            listed=np.zeros(n_conflict_words * bits.WORD, dtype=np.uint64),
            masked=np.zeros(n_conflict_words * bits.WORD, dtype=np.uint64),
            starts=np.zeros(n_features + 1, dtype=np.int64),
            pairs=np.zeros(4, dtype=np.int64),
        )

    def add(self, words: np.ndarray) -> None:
        """Add conflicts that the cover just found misses; the search then looks at the same place again."""
        first, more = self.n_conflicts, words.shape[1]
        if first + more > len(self._sets.rows):  # half as many again, so that a conflict is moved a few times at most
            self._make_room(first + more + first // 2)
        self.n_conflicts += more
        words = words & self.allowed[:, None]
        sets, levels = self._sets, self._levels
        sets.rows[first : first + more] = words.T
        # As columns, and among what is open, they begin within the word that holds the last one known.
        begun = first % bits.WORD
        members = np.zeros((begun + more, len(self.costs) - 1), dtype=bool)
        members[begun:] = bits.unpack(words, members.shape[1])
        changed = slice(first // bits.WORD, first // bits.WORD + bits.n_words(begun + more))
        sets.columns[changed] |= bits.pack(members.T)
        levels.open[0, changed] |= bits.mask(range(begun, begun + more), begun + more)
        for d in range(int(levels.depth[0])):
            chosen = levels.choices[d, levels.at[d]]
            levels.open[d + 1, changed] = levels.open[d, changed] & ~sets.columns[changed, chosen]

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


def _hardest_first(words: np.ndarray, n_features: int) -> np.ndarray:
    """Return the order of conflicts by how many others their features cover, the fewest first.

    A node that copies some of its open conflicts copies the first. Counting ends it the sooner the fewer conflicts the
    features with the most of them cover: tight conflicts serve, but those without popular features serve better.
    """
    members = bits.unpack(words, n_features)
    counts = members.sum(axis=0, dtype=np.float64)  # whole numbers, that any order of adding them up leaves exact
    starts = range(0, max(1, len(members)), ROWS)
    return np.argsort(np.concatenate([members[start : start + ROWS] @ counts for start in starts]), kind="stable")
