"""A better cover than the best so far, by local search over the conflicts known, and those learned on the way.

It proves nothing; it lowers the upper bound while the proof raises the lower one. It is seeded, and counts its steps
instead of looking at a clock: after so many steps it stands where it always stands after so many.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fewest.cover.kernels.swaps import (
    CHOSEN,
    KNOWN,
    OPEN,
    STEPS,
    Incidence,
    Swaps,
    learn_conflicts,
    restart,
    swap_until_covered,
)
from fewest.cover.solver.problem import CoverProblem, Subset
from fewest.kernels import bits
from fewest.kernels.compile_or_not import Compilable, Work

KERNELS = "fewest.cover.kernels.swaps"
# What a look at a number or a feature costs plain Python.
NANOSECONDS = 1_000.0
# A look is at the numbers of so many conflicts, which share a word, of several digits; so many conflicts are open, at
# least.
WORD_SHARE, SOME_OPEN = 8, 20
# Steps without a cover after which the search forgets its weights and starts again, and by how much that grows.
PATIENCE, GROWTH = 100_000, 1.5
# Of the conflicts known the tightest are weighed from the start; of those that a cover then misses, so many more.
FIRST, MORE = 65_536, 256
# Steps between two looks at the clock.
STEPS_PER_CALL = 1_000


class LocalSearch:
    """A search for cheaper covers that can go on whenever it is given steps.

    Parameters
    ----------
    problem : CoverProblem
        What features cost, and which are included and excluded.
    start : tuple of int
        A cover to start from.
    """

    def __init__(self, problem: CoverProblem, start: Subset):
        self.problem = problem
        self.usable = ~bits.mask((*problem.include, *problem.exclude), problem.n_features)
        self.base = problem.units_of(problem.include)
        self.costs = problem.units
        self.work = Work(KERNELS)
        self.n_steps = self.n_looks = self.n_restarts = 0
        self._patience, self._since = PATIENCE, 0
        self._is_weighed = np.zeros(0, dtype=bool)  # of the conflicts known
        n_features = problem.n_features
        self.sets = Incidence(
            np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int32), np.zeros((n_features, 0), dtype=np.uint64)
        )
        self.swaps = Swaps(
            chosen=np.zeros(n_features + 1, dtype=np.int32),
            place=np.full(n_features, -1, dtype=np.int32),
            changed=np.zeros(n_features, dtype=np.int64),
            gain=np.zeros(n_features, dtype=np.int64),
            loss=np.zeros(n_features, dtype=np.int64),
            digits=np.zeros((0, n_features.bit_length()), dtype=np.uint64),
            sole=np.zeros(0, dtype=np.int32),
            weight=np.zeros(0, dtype=np.int64),
            open=np.zeros(0, dtype=np.int32),
            place_open=np.zeros(0, dtype=np.int32),
            numbers=np.zeros(5, dtype=np.int64),
            state=np.zeros(1, dtype=np.uint64),
        )
        for place, x in enumerate(sorted(set(start) - set(problem.include))):
            self.swaps.chosen[place], self.swaps.place[x] = x, place
            self.swaps.numbers[:] += (1, 0, self.costs[x], 0, 0)

    def learn(self, words: np.ndarray) -> None:
        """Weigh more conflicts; they weigh as much as others do on average."""
        known = self.n_conflicts
        weight = max(1, int(self.swaps.weight[:known].mean())) if known else 1
        of_row, features = np.nonzero(bits.unpack(words & self.usable[:, None], self.problem.n_features))
        sizes = np.bincount(of_row, minlength=words.shape[1])
        self._make_room(len(sizes), len(features))
        learn = self._way(learn_conflicts, len(features))
        learn(self.sets, self.swaps, features.astype(np.int32), sizes, weight)

    def _make_room(self, n_conflicts: int, n_entries: int) -> None:
        """Grow the arrays, by half of what they hold at least, where so much more does not fit."""
        sets, swaps, known = self.sets, self.swaps, self.n_conflicts
        if sets.row_start[known] + n_entries > len(sets.rows):
            sets = sets._replace(rows=_grown(sets.rows, len(sets.rows) // 2 + n_entries))
        if known + n_conflicts > len(swaps.weight):
            more = len(swaps.weight) // 2 + n_conflicts
            n_words = bits.n_words(len(swaps.weight) + more)
            columns = np.zeros((self.problem.n_features, n_words), dtype=np.uint64)
            columns[:, : sets.columns.shape[1]] = sets.columns
            sets = sets._replace(row_start=_grown(sets.row_start, more), columns=columns)
            digits = np.zeros((n_words, swaps.digits.shape[1]), dtype=np.uint64)
            digits[: len(swaps.digits)] = swaps.digits
            names = ("sole", "weight", "open", "place_open")
            swaps = swaps._replace(digits=digits, **{name: _grown(getattr(swaps, name), more) for name in names})
        self.sets, self.swaps = sets, swaps

    def _way(self, function: Compilable, n_visits: float) -> Callable:
        """Return a function as it is, or compiled, once the visits so far pay for that."""
        return function.compiled if self.work.compiles(n_visits, NANOSECONDS) else function

    @property
    def n_conflicts(self) -> int:
        """Return how many conflicts it weighs."""
        return int(self.swaps.numbers[KNOWN])

    def _chosen(self) -> list[int]:
        return self.swaps.chosen[: self.swaps.numbers[CHOSEN]].tolist()

    def run(self, words: np.ndarray, most: int, n_steps: int, check: Callable[[], None]) -> Subset | None:
        """Look, in so many steps, for a cover of the known conflicts that costs at most so many units.

        Parameters
        ----------
        words : uint64 array of shape (n_words, n_conflicts)
            The conflicts known that the included features do not cover.
        most : int
        n_steps : int
        check : callable
            Called now and then; raises to end the search.
        """
        if most < self.base:
            return None
        if not self.n_conflicts:
            self._weigh(words, np.arange(words.shape[1]), FIRST)
        while n_steps > 0:
            check()
            some = min(n_steps, STEPS_PER_CALL)
            n_steps -= some
            swap = self._way(swap_until_covered, some * self.looks_per_step)
            with np.errstate(over="ignore"):  # random numbers wrap around
                is_covered = swap(self.sets, self.swaps, self.costs, most - self.base, some)
            made = int(self.swaps.numbers[STEPS]) - self.n_steps
            self.n_steps += made
            self.n_looks += max(1, made) * self.looks_per_step
            self._since += made
            if is_covered:
                missed = self._missed(words)
                if len(missed):
                    self._weigh(words, missed, MORE)
                    n_steps += some - made - 1  # what is left of them, but for the look
                    continue
                self._since = 0
                return tuple(sorted((*self._chosen(), *self.problem.include)))
            if self._since >= self._patience:
                self._restart()
        return None

    def _missed(self, words: np.ndarray) -> np.ndarray:
        """Return which of the conflicts known, but not weighed yet, nothing chosen covers."""
        others = np.flatnonzero(~_grown(self._is_weighed, words.shape[1] - len(self._is_weighed)))
        return others[bits.missed(words[:, others], bits.mask(self._chosen(), self.problem.n_features))]

    def _weigh(self, words: np.ndarray, some: np.ndarray, most: int) -> None:
        """Weigh, from now on, the tightest of some of the conflicts known."""
        self._is_weighed = _grown(self._is_weighed, words.shape[1] - len(self._is_weighed))
        some = some[np.argsort(bits.sizes(words[:, some]), kind="stable")[:most]]
        self._is_weighed[some] = True
        self.learn(words[:, some])

    @property
    def looks_per_step(self) -> int:
        """Return about what a step looks at: the numbers of all conflicts twice, and the features of the open ones."""
        n_entries = int(self.sets.row_start[self.n_conflicts])
        n_open = max(SOME_OPEN, int(self.swaps.numbers[OPEN]))
        return 1 + self.n_conflicts // WORD_SHARE + n_open * n_entries // max(1, self.n_conflicts)

    def _restart(self) -> None:
        """Forget the weights and half of the choices, at random."""
        self.n_restarts += 1
        self._patience, self._since = int(self._patience * GROWTH), 0
        again = self._way(restart, int(self.sets.row_start[self.n_conflicts]))
        with np.errstate(over="ignore"):
            again(self.sets, self.swaps, self.costs, 0.5)


def _grown(array: np.ndarray, more: int) -> np.ndarray:
    return np.concatenate([array, np.zeros(more, dtype=array.dtype)])
