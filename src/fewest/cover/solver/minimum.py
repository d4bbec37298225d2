"""The minimum cover, by searching for covers within limits that rise from below.

Every limit that is searched in vain raises the lower bound; the first limit
with a cover has the minimum. The conflicts need not be known beforehand: an
*oracle* is shown every cover of those known so far, and either accepts it or
answers with conflicts that it misses. A cover that costs the least among the
covers of some conflicts, and turns out to cover all, costs the least of all.

A limit that is not searched within some nodes makes the search a *long* one. Then the nodes count what features can
still cover, and between them a local search looks for better covers. Both go by turns of so many nodes and so many
steps, not by a clock: the same problem takes the same turns, on any machine.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from fewest.budget import INTERRUPT, TIME_LIMIT, Budget, OutOfBudgetError
from fewest.cover.kernels.counted_sets import EXHAUSTED, FOUND
from fewest.cover.solver.counted import CountedEngine
from fewest.cover.solver.growing import GrowingColumns
from fewest.cover.solver.local_search import LocalSearch
from fewest.cover.solver.plain import (
    NANOSECONDS,
    CoverEngine,
    PlainEngine,
    TooLongForPlainError,
    TooManyNodesError,
)
from fewest.cover.solver.problem import Cover, CoverProblem, Subset
from fewest.kernels import bits
from fewest.kernels.compile_or_not import Work

Oracle = Callable[[Subset], np.ndarray | None]
"""Takes a subset; returns the words of conflicts that it does not cover, or None if it covers all."""
Judgement = tuple[Subset, np.ndarray | None]
"""A subset, and what the oracle returned for it."""

# A limit that is searched within so many nodes for every so many features needs nothing else, and its proof few
# conflicts: preparing a long search takes about as long, and the longer the more features there are.
QUICK_NODES, QUICK_FEATURES = 30_000, 200
# Counting takes a pass over all features, and at the upper nodes over all conflicts: of few features over more of them.
MOST_COUNTED_FEATURES, MOST_COUNTED_CONFLICTS, MOST_COUNTED = 4096, 8192, 4_000_000
# What takes how long in compiled code, in nanoseconds, by which the two halves of a long search take turns: a look of
# the local search, a node of the proof and each feature of it, a question to the oracle, a turn of the local search.
LOOK, NODE, FEATURE, QUESTION, TURN = 3, 200, 1, 1_000_000, 50_000_000
# The local search begins with so much: the more where there is an oracle, since the conflicts that it learns save the
# proof questions. From then on it has a share of what the proof takes: a small one when it may gain one feature, a
# larger one when it may gain several. Where the best cover may be half as large again as it need be no proof is near,
# and where it may be twice as large the bound is of little use yet.
BEGINNING, BEGINNING_WITH_ORACLE = 100_000_000, 1_000_000_000
SHARE_OF_ONE, SHARE_OF_SEVERAL, SHARE_WHEN_FAR, SHARE_WHEN_FARTHER = 1 / 16, 1 / 4, 1.0, 3.0


def quick_nodes(n_features: int) -> int:
    """Return within how many nodes a search of so many features is a short one."""
    return QUICK_NODES * max(1, n_features // QUICK_FEATURES)


class MinimumCover:
    """A search for minimum covers that learns conflicts as it goes.

    Parameters
    ----------
    problem : CoverProblem
        Its conflicts are those known at the start.
    incumbent : tuple of int, or None
        Some cover of everything; only cheaper ones are looked for. Where the problem limits how many of some features
        may be chosen there may be none: then it is None, and ``best`` stays None until one is found.
    oracle : callable, optional
        Judges covers; without one the known conflicts are all there are.
    on_long : callable, optional
        Called when the search turns out to be a long one; returns the words of more conflicts to know.

    Attributes
    ----------
    best, upper, lower
        The best cover, its cost and the proven bound, in whole units of the problem.
    history : list of dict
        The bounds after every limit searched.
    proof : tuple of int
        The conflicts that prove the bound: positions among those of the
        problem and, after these, those the oracle gave, in order.
    """

    def __init__(
        self,
        problem: CoverProblem,
        incumbent: Subset | None,
        oracle: Oracle | None = None,
        on_long: Callable[[], np.ndarray] | None = None,
    ):
        self.problem = problem
        self.oracle = oracle
        self.on_long = on_long
        self.local: LocalSearch | None = None  # in a long search
        self._local_took = self._proof_took = 0  # of a long search, in predicted nanoseconds
        self.included = bits.mask(problem.include, problem.n_features)
        self.allowed = bits.mask(range(problem.n_features), problem.n_features) & ~self.included
        self.allowed &= ~bits.mask(problem.exclude, problem.n_features)
        for room, some in zip(*problem.limits, strict=True):
            if room == 0:
                self.allowed &= ~some
        self.base = problem.units_of(problem.include)
        # Conflicts that included features cover are settled; the others are numbered as in the problem.
        still_open = bits.missed(problem.words, self.included)
        self._numbers, self._words = GrowingColumns(still_open), GrowingColumns(problem.words[:, still_open])
        self.best: Subset = () if incumbent is None else tuple(sorted({*incumbent, *problem.include}))
        self.is_found = incumbent is not None
        # Without a cover, more than any could cost: when the lower bound comes there, there is none.
        all_of_them = bits.members(self.allowed | self.included)
        self.upper = problem.units_of(self.best if self.is_found else all_of_them) + (not self.is_found) * problem.step
        self.lower, self.proof = self._packing()
        self.n_nodes = 0
        self.most_nodes = float("inf")
        self.work = Work("fewest.cover.kernels.covers", from_python=1)  # its nodes stand for fifty
        self.history = [self._record()]
        self._n_numbered = problem.words.shape[1]

    @property
    def words(self) -> np.ndarray:
        """Return the conflicts known that the included features do not cover."""
        return self._words.columns

    @property
    def numbers(self) -> np.ndarray:
        """Return their positions among those of the problem and, after these, those the oracle gave."""
        return self._numbers.columns

    def _packing(self) -> tuple[int, tuple[int, ...]]:
        """Return a first lower bound, and its proof: conflicts that share no feature need one feature each."""
        usable = self.words & self.allowed[:, None]
        as_numbers = [int.from_bytes(conflict.tobytes(), sys.byteorder) for conflict in np.ascontiguousarray(usable.T)]
        taken, bound, proof = 0, self.base, []
        for c in np.argsort(bits.sizes(usable), kind="stable").tolist():
            if not as_numbers[c]:  # the limits leave nothing that covers it
                return self.upper, (int(self.numbers[c]),)
            if not as_numbers[c] & taken:
                taken |= as_numbers[c]
                bound += int(self.problem.units[bits.members(usable[:, c])].min())
                proof.append(int(self.numbers[c]))
        return bound, tuple(proof)

    def propose(self, subset: Subset) -> None:
        """Offer a cover of everything; it counts if it is the cheapest so far."""
        full = tuple(sorted({*subset, *self.problem.include}))
        if self.problem.units_of(full) < self.upper and self.problem.allows(full):
            self.best, self.upper, self.is_found = full, self.problem.units_of(full), True
            self.history.append(self._record())

    def run(self, budget: Budget, most_nodes: float = float("inf")) -> Cover:
        """Search until the proof is done, the budget spent, or, after some limit, ``most_nodes`` exceeded.

        Within a limit, ``self.most_nodes`` ends a search whose quick part did not suffice.
        """
        stopped_by = None
        try:
            while self.lower < self.upper and self.n_nodes <= most_nodes:
                self._narrow(budget)
        except TooManyNodesError:
            pass
        except OutOfBudgetError:
            stopped_by = TIME_LIMIT
        except KeyboardInterrupt:
            stopped_by = INTERRUPT
        in_costs = self.problem.in_costs
        if not self.is_found:
            bound = float("inf") if self.lower == self.upper else in_costs(self.lower)
            return Cover(None, float("inf"), bound, False, self.proof, self.n_nodes, stopped_by)
        return Cover(
            self.best,
            in_costs(self.upper),
            in_costs(self.lower),
            self.upper == self.lower,
            self.proof,
            self.n_nodes,
            stopped_by,
        )

    def _narrow(self, budget: Budget) -> None:
        """Search within one limit, and with the outcome lower the upper bound or raise the lower one."""
        limit = self._next_limit()
        found = self._first_cover(limit, budget)
        if found is not None:
            self.best, self.upper, self.is_found = found, self.problem.units_of(found), True
        else:
            self.lower = min(limit + self.problem.step, self.upper)
        self.history.append(self._record())

    def _first_cover(self, limit: int, budget: Budget) -> Subset | None:
        """Return a cover within a limit, or None when there is none."""
        if (
            self.problem.n_features > MOST_COUNTED_FEATURES or self.problem.at_most
        ):  # neither counts nor swaps know these
            return next(self.covers(limit, budget, most_nodes=self.most_nodes - self.n_nodes), None)
        if self.local is None:
            try:
                return next(self.covers(limit, budget, most_nodes=quick_nodes(self.problem.n_features)), None)
            except TooManyNodesError:
                self._begin_long()
        return self._counted_cover(limit, budget)

    def _begin_long(self) -> None:
        """Learn more conflicts, and prepare the local search."""
        if self.on_long is not None:
            self.learn(self.on_long())
        self.local = LocalSearch(self.problem, self.best)

    def _counted_cover(self, limit: int, budget: Budget) -> Subset | None:
        """Search within a limit by counting, and between its parts for better covers than the best so far."""
        is_compiled = self.work.compiles(0, NANOSECONDS)
        known = self._tightest()
        used = self.numbers[known].tolist()
        words, left = self.words[:, known], limit - self.base
        engine = CountedEngine(self.problem.units, self.allowed, words, left, is_compiled=is_compiled)

        def check() -> None:
            budget.check(lambda: self._status(limit, engine))

        status = None
        try:
            while status != EXHAUSTED:
                while self._is_local_due():
                    self._improve(check)
                if self.upper <= limit:  # the local search has found it
                    return self.best
                check()
                n_before = engine.n_nodes
                status, cover = engine.go_on()
                self._proof_took += self._node * (engine.n_nodes - n_before)
                if self.n_nodes + engine.n_nodes > self.most_nodes:
                    raise TooManyNodesError
                if status == FOUND:
                    self._proof_took += QUESTION
                    subset = tuple(sorted((*cover, *self.problem.include)))
                    missed = self._missed(subset)
                    if missed is None:
                        return subset
                    engine.add(missed)
                    used.extend(self.numbers[-missed.shape[1] :].tolist())
        finally:
            self.n_nodes += engine.n_nodes
        self.proof = tuple(sorted(used))
        return None

    def _tightest(self) -> np.ndarray:
        """Return the tightest conflicts known: all, or where an oracle knows the others, as many as a search needs."""
        most = max(MOST_COUNTED_CONFLICTS, MOST_COUNTED // self.problem.n_features)
        if self.oracle is None:
            most = self.words.shape[1]
        return np.argsort(bits.sizes(self.words), kind="stable")[:most]

    def _missed(self, subset: Subset) -> np.ndarray | None:
        """Ask the oracle; what the subset misses is learned by all."""
        missed = None if self.oracle is None else self.oracle(subset)
        if missed is not None:
            self.learn(missed)
        return missed

    @property
    def _node(self) -> int:
        """Return about how many nanoseconds a node of the proof takes."""
        return NODE + FEATURE * self.problem.n_features

    def _is_local_due(self) -> bool:
        """Return whether the local search has had less than its share."""
        if self.lower >= self.upper:
            return False
        beginning = BEGINNING if self.oracle is None else BEGINNING_WITH_ORACLE
        return self._local_took < beginning + self._share() * self._proof_took

    def _share(self) -> float:
        if self.upper > 2 * self.lower:
            return SHARE_WHEN_FARTHER
        if 2 * self.upper > 3 * self.lower:
            return SHARE_WHEN_FAR
        return SHARE_OF_SEVERAL if self.upper - self.lower > 2 * self.problem.step else SHARE_OF_ONE

    def _improve(self, check: Callable[[], None]) -> None:
        """Go on with the local search for a turn, or until it has found a cover of the conflicts known."""
        assert self.local is not None, "the search is a long one"
        n_before = self.local.n_looks
        # Before its first step it has weighed nothing, and what a step takes is not known.
        n_steps = max(1, TURN // (LOOK * self.local.looks_per_step)) if n_before else 1
        try:
            subset = self.local.run(self.words, self.upper - self.problem.step, n_steps, check)
        finally:
            self._local_took += LOOK * (self.local.n_looks - n_before)
        if subset is not None:
            self._local_took += QUESTION
            if self._missed(subset) is None:
                self.propose(subset)

    def _record(self) -> dict[str, float]:
        return {
            "cost": self.problem.in_costs(self.upper),
            "lower_bound": self.problem.in_costs(self.lower),
            "n_nodes": self.n_nodes,
            "n_conflicts": self.words.shape[1],
        }

    def _next_limit(self) -> int:
        """Return the lower bound itself or, where costs differ, somewhat more.

        With costs of many sizes the bound would rise by crumbs; an eighth of
        the gap makes few steps, and few searches far above the minimum.
        """
        if self.problem.has_equal_costs:
            return self.lower
        return min(self.upper - 1, self.lower + (self.upper - self.lower) // 8)

    def covers(
        self, limit: int, budget: Budget, without: Sequence[int] = (), most_nodes: float = float("inf")
    ) -> Iterator[Subset]:
        """Yield subsets within ``limit`` that cover all, each once, lazily: at the minimum, all minimum covers.

        ``without`` excludes more features. With more nodes than ``most_nodes``, `TooManyNodesError` is raised.
        """
        allowed = self.allowed & ~bits.mask(without, self.problem.n_features)
        n_known, n_numbered = len(self.numbers), self._n_numbered
        asked: deque[Judgement] = deque()
        yielded: set[Subset] = set()  # a second look, or a second engine, may come upon the same cover
        is_done = False
        while not is_done:
            engine, judged = self._engine(allowed), deque(asked)
            engine.most_nodes = most_nodes
            asked.clear()
            try:
                for subset in self._accepted(engine, limit, budget, judged, asked):
                    if subset not in yielded:
                        yielded.add(subset)
                        yield subset
                is_done = True
            except TooLongForPlainError:
                # The compiled engine walks the same tree from its root. What was learned is forgotten, to be learned
                # again in the same order, so that the search is the same as if it had been compiled from the start.
                self._words.cut(n_known)
                self._numbers.cut(n_known)
                self._n_numbered = n_numbered
                engine.n_nodes = 0
            finally:
                self.n_nodes += engine.n_nodes
        if not without:
            self.proof = tuple(int(self.numbers[c]) for c in engine.used())

    def _engine(self, allowed: np.ndarray) -> CoverEngine:
        """Return the compiled engine once the work so far would have paid for loading it, the plain one till then."""
        if not self.work.compiles(0, NANOSECONDS):
            return PlainEngine(self.problem.units, allowed, self.work, self.problem.limits)
        from fewest.cover.solver.compiled import CompiledEngine

        return CompiledEngine(self.problem.units, allowed, self.problem.limits)

    def _accepted(
        self, engine: CoverEngine, limit: int, budget: Budget, judged: deque[Judgement], asked: deque[Judgement]
    ) -> Iterator[Subset]:
        """Yield the engine's covers that the oracle accepts; add the conflicts that others miss to the engine.

        The oracle is not asked again for what it has ``judged`` of the same search; a plain engine, which may be left
        for the compiled one, keeps what it has ``asked``.
        """

        def check() -> None:
            budget.check(lambda: self._status(limit, engine))

        check()  # no engine is to find a cover in no time at all
        engine.add(self.words)
        for cover in engine.covers(limit - self.base, check):
            subset = tuple(sorted((*cover, *self.problem.include)))
            missed = self._judge(subset, judged)
            if isinstance(engine, PlainEngine):
                asked.append((subset, missed))
            if missed is None:
                yield subset
            else:
                self.learn(missed)
                engine.add(missed)
            check()

    def _judge(self, subset: Subset, judged: deque[Judgement]) -> np.ndarray | None:
        if self.oracle is None:
            return None
        if not judged:
            return self.oracle(subset)
        known, missed = judged.popleft()
        assert known == subset, "both engines find the same covers in the same order"
        return missed

    def learn(self, words: np.ndarray) -> None:
        """Add conflicts to those known."""
        still_open = bits.missed(words, self.included)
        self._numbers.add(self._n_numbered + still_open)
        self._n_numbered += words.shape[1]
        self._words.add(words[:, still_open])

    def _status(self, limit: int, engine: CoverEngine | CountedEngine) -> str:
        best, bound, tried = (self.problem.in_costs(cost) for cost in (self.upper, self.lower, limit))
        gap = (self.upper - self.lower) / max(1, self.upper)
        return (
            f"best {best}, at least {bound} (gap {gap:.0%}); is there one of {tried}? "
            f"{self.n_nodes + engine.n_nodes:,} nodes, {self.words.shape[1]:,} conflicts"
        )
