"""MIN-FEATURES solved: the provably smallest, or cheapest, sufficient subset, without listing the conflicts.

Start with the few hundred tightest conflicts. Find a minimum cover of those
known; test it for sufficiency in linear time; if it fails, add the conflicts
that it misses and go on. What is sufficient and costs no more than a cover of
*some* conflicts must cost, is a minimum. The quadratic number of conflicts
never matters: the proof needs a few hundred or thousand of them.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence

import numpy as np

from fewest.budget import Budget, OutOfBudgetError
from fewest.cover.choices import Choices
from fewest.cover.examples import Answer, Examples, MissedPairs, RowPair
from fewest.cover.greedy import irreducible_subset
from fewest.cover.kernels.conflicts import first_positions, minimal, rows_to_compare, tightest_pairs
from fewest.cover.options import CHANCE
from fewest.cover.sample import Sample
from fewest.cover.solver.growing import GrowingColumns
from fewest.cover.solver.minimal import minimal_covers, substitutes
from fewest.cover.solver.minimum import MinimumCover, quick_nodes
from fewest.cover.solver.problem import CoverProblem
from fewest.cover.tolerant import TolerantCover
from fewest.estimators.options import RAISE, RETURN
from fewest.exceptions import NoSubsetError, NotProvenError, ParameterError, StoppedEarlyWarning
from fewest.kernels import bits

# Conflicts to start with. More of them make every node slower, and hardly any node unnecessary.
N_SEEDS = 400
# Words to compare in looking for them: some tenths of a second.
SEED_WORK = 20_000_000
# Conflicts to go on with where the search turns out to be long. With few features it takes in many at no great cost,
# and each that it knows saves questions about covers that miss it: more, up to so many, of so many features in all.
N_MORE_SEEDS, MOST_SEEDS, SEED_NAMES = 4096, 65_536, 12_000_000
# Of the pairs that a cover misses, look at so many and learn the tightest.
EXAMINED, LEARNED = 4096, 32
# Pairs to learn at a time in a long search, which takes in many at no great cost.
LEARNED_WHEN_LONG = 256


Costs = Sequence[float] | np.ndarray | None


class MinFeaturesSearch:
    """A search that keeps what it learns, so that it can be asked again.

    Parameters
    ----------
    sample : Examples
    costs : array-like of shape (n_features,), optional
    include : sequence of int
        Features that must be chosen.
    choices : Choices, optional
        Which features enter together, and how many of some may and must be chosen. The search knows choices only:
        ``cover`` and ``words`` are about these, answers are features.
    """

    def __init__(
        self, sample: Examples, costs: Costs = None, include: Sequence[int] = (), choices: Choices | None = None
    ):
        self.sample = sample
        self.choices = choices or Choices(sample.n_features)
        self.n_choices = len(self.choices.members)
        costs, include = self.choices.costs(costs), self.choices.of(include)
        self.n_sufficiency_tests = 0
        self.n_learned = LEARNED
        self._row_pairs = GrowingColumns(np.empty((2, 0), dtype=np.intp))
        self._words = GrowingColumns(np.empty((bits.n_words(self.n_choices), 0), dtype=np.uint64))
        self.cover: MinimumCover = self._tolerant(costs, include) if sample.is_tolerant else self._lazy(costs, include)

    @property
    def words(self) -> np.ndarray:
        """Return the conflicts generated, over choices."""
        return self._words.columns

    @property
    def row_pairs(self) -> np.ndarray:
        """Return the pair of rows of each; row -1 marks that it belongs to none."""
        return self._row_pairs.columns

    def _tolerant(self, costs: Costs, include: Sequence[int]) -> MinimumCover:
        """Prepare the search that counts the pairs which a subset leaves unseparated."""
        problem = self._problem(self._asked_sets(), costs, include)
        if self.sample.criterion == CHANCE:
            return self._chance_corrected(problem)
        return TolerantCover(problem, self.choices.coverage(self.sample.coverage()), self.sample.max_uncovered)

    def _chance_corrected(self, problem: CoverProblem) -> MinimumCover:
        """Prepare the search that counts them beside those that chance would leave."""
        from fewest.cover.chance_corrected import AlikeRows, ChanceCorrectedCover, ChanceLimit
        from fewest.cover.quick_tolerant import QuickTolerantSearch

        sample = self.sample
        assert isinstance(sample, Sample), "rows in blocks are refused"
        quick = QuickTolerantSearch(np.ones(sample.n_features), self.choices.features(problem.include))
        return ChanceCorrectedCover(
            problem,
            AlikeRows.of_all(sample, self.choices),
            ChanceLimit.of(sample),
            lambda budget: self.choices.of(quick.start(sample, budget)[0]),
        )

    def _lazy(self, costs: Costs, include: Sequence[int]) -> MinimumCover:
        """Prepare the search that generates conflicts when it needs them, and some to start with."""
        words, rows = self._distinct(self._seeds(N_SEEDS))
        kept = minimal(words)
        asked = self._asked_sets()
        # A set of which one must be taken acts as a conflict, that belongs to no pair of rows.
        no_rows = np.stack([np.full(asked.shape[1], -1), np.arange(asked.shape[1])]).astype(np.intp)
        self._remember(asked, no_rows)
        self._remember(words[:, kept], rows[:, kept])
        problem = self._problem(self.words, costs, include)
        everything = tuple(range(self.n_choices))
        start = everything if problem.allows(everything) else None
        return MinimumCover(problem, start, self._missed_by, self._more_seeds)

    def _problem(self, words: np.ndarray, costs: Costs, include: Sequence[int]) -> CoverProblem:
        return CoverProblem(words, self.n_choices, costs=costs, include=include, at_most=self.choices.limits)

    def _asked_sets(self) -> np.ndarray:
        """Return the sets of choices of which one must be taken, as words."""
        rows = np.zeros((len(self.choices.any_of), self.n_choices), dtype=bool)
        for row, some in zip(rows, self.choices.any_of, strict=True):
            row[list(self.choices.of(some))] = True
        return bits.pack(rows)

    def _more_seeds(self) -> np.ndarray:
        """Prepare for a long search: propose a good subset, return many more tight conflicts, learn more at a test."""
        self.cover.propose(self._good_subset())
        self.n_learned = LEARNED_WHEN_LONG
        words, rows = self._distinct(self._seeds(min(MOST_SEEDS, max(N_MORE_SEEDS, SEED_NAMES // self.n_choices))))
        _, copy_of = first_positions(np.concatenate([self.words, words], axis=1))
        n_known = self.words.shape[1]
        is_new = ~np.isin(copy_of[n_known:], copy_of[:n_known])
        self._remember(words[:, is_new], rows[:, is_new])
        return words[:, is_new]

    def _remember(self, words: np.ndarray, rows: np.ndarray) -> None:
        self._row_pairs.add(rows)
        self._words.add(words)

    def _seeds(self, n_seeds: int) -> MissedPairs:
        """Return the tightest of the pairs among as many rows as can be compared."""
        sample = self.sample
        most = rows_to_compare(sample.n_features, sample.largest_code, SEED_WORK)
        some, numbers = sample.some_rows(most)
        i, j = tightest_pairs(some.cell_codes, some.cell_labels, n_seeds, SEED_WORK, some.cell_numeric)
        rows = [some.rows_of_cells(a, b) for a, b in zip(i.tolist(), j.tolist(), strict=True)]
        return MissedPairs(numbers[np.array(rows, dtype=np.intp).reshape(-1, 2).T], some.separating(i, j))

    @property
    def n_nodes(self) -> int:
        """Return how many nodes the searches for covers had."""
        return self.cover.n_nodes

    @property
    def n_conflicts(self) -> int:
        """Return how many conflicts were generated."""
        return self.row_pairs.shape[1] - len(self.choices.any_of)

    @property
    def best(self) -> tuple[int, ...]:
        """Return the features of the best subset so far."""
        return self.choices.features(self.cover.best)

    def run(self, budget: Budget | None = None, most_nodes: float = float("inf")) -> Answer:
        """Search until the smallest subset is proven, or the budget or the nodes spent; calling again goes on.

        What is spent in nodes is the same on every machine: an answer that is not proven then has no ``stopped_by``.
        """
        budget = budget or Budget()
        self.cover.most_nodes = most_nodes
        stopped_by = None if self.sample.is_tolerant else self._start(budget, most_nodes)
        found = self.cover.run(budget, most_nodes=most_nodes if stopped_by is None else -1)
        if not self.cover.is_found:
            raise NoSubsetError.from_limits(is_proven=self.cover.lower == self.cover.upper)
        return Answer(
            self.best,
            found.cost,
            found.lower_bound,
            self.n_nodes if self.sample.is_tolerant else self.n_sufficiency_tests,
            tuple(self.cover.history),
            stopped_by or found.stopped_by,
        )

    def _start(self, budget: Budget, most_nodes: float) -> str | None:
        """Look for a proof that is quickly found, and else for a good subset to start from; return what stopped it."""
        stopped_by = None
        if self.cover.problem.has_equal_costs and self.cover.n_nodes == 0:
            quick = min(quick_nodes(self.n_choices), most_nodes)
            stopped_by = self.cover.run(budget, most_nodes=quick).stopped_by
        if self.cover.lower < self.cover.upper:
            self.cover.propose(self._good_subset())
        return stopped_by

    def _good_subset(self) -> tuple[int, ...]:
        problem, choices = self.cover.problem, self.choices
        prices = None if problem.has_equal_costs else problem.units
        if choices.is_plain:
            known = bits.unpack(self.words, self.n_choices)
            return irreducible_subset(self.sample, tuple(problem.include), prices, known)
        of_features = None if prices is None else prices[choices.place]
        chosen = set(choices.of(irreducible_subset(self.sample, choices.features(problem.include), of_features)))
        for some in map(choices.of, choices.any_of):
            if not chosen.intersection(some):
                chosen.add(min(some, key=lambda choice: int(problem.units[choice])))
        for choice in sorted(chosen.difference(problem.include), key=lambda choice: -int(problem.units[choice])):
            rest = chosen - {choice}
            if all(rest.intersection(choices.of(some)) for some in choices.any_of):
                chosen = chosen if len(self.sample.missed_pairs(choices.features(rest), 1)) else rest
        return tuple(sorted(chosen))

    def prefer(self, subset: tuple[int, ...]) -> None:
        """Answer with another of the subsets that `minimum_subsets` yields: its cost and its proof are the same."""
        choices = self.choices.of(subset)
        assert self.cover.problem.units_of(choices) == self.cover.upper, "it costs as much as the best"
        self.cover.best = choices

    def minimum_subsets(self, budget: Budget | None = None, *, on_interrupt: str = RETURN) -> Iterator[tuple[int, ...]]:
        """Yield every sufficient subset of the least cost, lazily, while the budget lasts.

        The search must have been proven. A listing that is cut short ends with a warning.
        """
        try:
            yield from map(self.choices.features, self.cover.covers(self.cover.upper, budget or Budget()))
        except (OutOfBudgetError, KeyboardInterrupt) as reason:
            if isinstance(reason, KeyboardInterrupt) and on_interrupt == RAISE:
                raise
            _warn_of_a_listing("smallest", reason)

    def minimal_subsets(self, budget: Budget | None = None, *, on_interrupt: str = RETURN) -> Iterator[tuple[int, ...]]:
        """Yield every sufficient subset from which nothing can be left out, lazily, while the budget lasts.

        All conflicts are generated for it, of rows in memory. A listing that is cut short ends with a warning.
        """
        budget = budget or Budget()
        try:
            problem = self._whole_problem("minimal subsets", budget)
            found = minimal_covers(problem, lambda: budget.check(lambda: "listing minimal subsets"))
            yield from map(self.choices.features, filter(problem.allows, found))
        except (OutOfBudgetError, KeyboardInterrupt) as reason:
            if isinstance(reason, KeyboardInterrupt) and on_interrupt == RAISE:
                raise
            _warn_of_a_listing("minimal", reason)

    def substitutes(self) -> dict[int, tuple[int, ...]]:
        """Return, for every selected feature, the others that could stand in its place, alone."""
        problem, best = self._whole_problem("substitutes"), set(self.cover.best)
        return {
            feature: self.choices.features(other for other in others if problem.allows(best - {choice} | {other}))
            for choice, others in substitutes(problem, self.cover.best).items()
            for feature in self.choices.members[choice]
        }

    def _whole_problem(self, what: str, budget: Budget | None = None) -> CoverProblem:
        """Return the problem of covering all conflicts, not only those that the search came upon."""
        sample = self.sample
        if not isinstance(sample, Sample):
            raise ParameterError.from_blocks(f"To list {what}")
        if sample.is_tolerant:
            raise ParameterError(f"With a tolerance there are no {what}: pairs may stay unseparated. Leave it out.")
        asked = self.cover.problem
        words = sample.conflicts(budget).words
        if self.choices.groups:
            words = bits.pack(self.choices.merged(bits.unpack(words, sample.n_features)))
        return self._problem(np.concatenate([self._asked_sets(), words], axis=1), None, tuple(asked.include))

    def core(self, budget: Budget | None = None, *, on_interrupt: str = RETURN) -> tuple[int, ...]:
        """Return the features that are in every sufficient subset of the least cost.

        When the budget is spent before that is known, `NotProvenError` is raised.
        """
        budget = budget or Budget()
        try:
            return self._core(budget)
        except (OutOfBudgetError, KeyboardInterrupt) as reason:
            if isinstance(reason, KeyboardInterrupt) and on_interrupt == RAISE:
                raise
            raise NotProvenError.from_core() from None

    def _core(self, budget: Budget) -> tuple[int, ...]:
        core = set(self.cover.best)
        for choice in self.cover.best:
            if choice in core and choice not in self.cover.problem.include:
                other = next(self.cover.covers(self.cover.upper, budget, without=[choice]), None)
                if other is not None:
                    core &= set(other)
        return self.choices.features(core)

    def proof(self) -> list[RowPair]:
        """Return the pairs of rows whose conflicts force the lower bound."""
        pairs = (tuple(self.row_pairs[:, number].tolist()) for number in self.cover.proof)
        return [(i, j) for i, j in pairs if i >= 0]

    def _missed_by(self, subset: tuple[int, ...]) -> np.ndarray | None:
        """Test a subset for sufficiency; return the tightest of the conflicts that it misses."""
        self.n_sufficiency_tests += 1
        missed = self.sample.missed_pairs(self.choices.features(subset), EXAMINED)
        if not len(missed):
            return None
        words, rows = self._distinct(missed)
        tightest = np.argsort(bits.sizes(words), kind="stable")[: self.n_learned]
        self._remember(words[:, tightest], rows[:, tightest])
        return words[:, tightest]

    def _distinct(self, pairs: MissedPairs) -> tuple[np.ndarray, np.ndarray]:
        """Return the distinct conflicts of pairs of rows, with the first pair of each."""
        words = bits.pack(self.choices.merged(pairs.features))
        first = np.sort(first_positions(words)[0])
        return np.ascontiguousarray(words[:, first]), pairs.rows[:, first]


def _warn_of_a_listing(which: str, reason: BaseException) -> None:
    by_clock = f" {StoppedEarlyWarning.BY_CLOCK}" if isinstance(reason, OutOfBudgetError) else ""
    warnings.warn(
        f"Stopped before all {which} subsets were listed; there may be more.{by_clock}",
        StoppedEarlyWarning,
        stacklevel=3,
    )
