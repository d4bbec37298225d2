"""Relief, ReliefF and RReliefF: sample rows, find their neighbors, sum how features differ, rank the features.

The same code runs on rows in memory and in blocks (`Examples`): blocks only narrow down which rows can be neighbors.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from fewest.blocks.store import Store
from fewest.blocks.threads import in_order, n_workers, serial_products
from fewest.budget import INTERRUPT, TIME_LIMIT, Budget, OutOfBudgetError
from fewest.exceptions import IntervalWarning, ParameterError, StoppedEarlyWarning, TooLargeError
from fewest.kernels.compile_or_not import repeated
from fewest.kernels.split_mix import fractions, states
from fewest.relief.chance import ChanceSums, Part, PermutedClasses, PermutedTarget, permutations
from fewest.relief.kernels.layout import Measured, Neighbors, Rows, Rule, Sampled
from fewest.relief.left_out import LeftOut, LeftOutSearch, even_weights, left_out_search
from fewest.relief.matrix_space import MatrixSpace
from fewest.relief.multisurf import nearer_than_usual
from fewest.relief.options import AUTO, INTERVAL, MANHATTAN, MULTISURF, NEAREST, RANDOM, SKIP, RelevanceOptions
from fewest.relief.relevance import Evidence, MeanSums, RegressionSums, Relevance, Sums, history_step
from fewest.relief.rows import ArrayRows, ChosenColumns, RowSource, TableRows
from fewest.relief.space import Candidates, Examples, RowsInMemory, Space, examples_in_blocks, is_large
from fewest.table import Table
from fewest.table.target import refuse_far_values

# Classes are equal enough for intervals if the rarest has this share of what it would have among equal ones.
EQUAL_ENOUGH = 0.8

Updates = Callable[[Sampled, Neighbors], tuple[np.ndarray, ...]]
"""Takes sampled rows and their neighbors; returns what they add to the sums."""


@dataclass(frozen=True, eq=False)
class Ranking:
    """The relevance of every feature, and which features are kept.

    Attributes
    ----------
    scores : ndarray of shape (n_features,)
        The relevance, in [-1, 1].
    standard_errors : ndarray of shape (n_features,)
        NaN after a single row.
    threshold : float or ndarray of shape (n_features,)
        The relevance that kept features reach; that of the last one, if their number was given.
    pvalues : ndarray of shape (n_features,) or None
        The probability that an irrelevant feature scores as much, where the threshold is that of a test.
    null_scores : ndarray of shape (n_features,) or None
        What an irrelevant feature in the place of each would score on average, where permutations show it.
    support : bool ndarray of shape (n_features,)
        Which features are kept.
    order : ndarray of shape (n_features,)
        All features, the most relevant first.
    n_sampled : int
        How many rows were sampled, in all calls that this rests upon.
    history : tuple of dict
        ``n_sampled`` and ``scores`` after 1, 2, 4, 8, ... rows, and at the end.
    stopped_by : str or None
        What ended the search before all rows were sampled: the time limit or an interrupt.
    """

    scores: np.ndarray
    standard_errors: np.ndarray
    threshold: float | np.ndarray
    pvalues: np.ndarray | None
    null_scores: np.ndarray | None
    support: np.ndarray
    order: np.ndarray
    n_sampled: int
    history: tuple[dict[str, Any], ...]
    stopped_by: str | None = None


def rank_features(
    features: Table | Store | RowSource,
    target: np.ndarray | None,
    options: RelevanceOptions,
    *,
    seed: int = 0,
    budget: Budget | None = None,
) -> Ranking:
    """Give every feature a relevance by Relief, ReliefF or RReliefF, whichever the options belong to.

    Parameters
    ----------
    features : Table, Store, ArrayRows or SparseRows
        A store holds the target as well.
    target : ndarray of shape (n_rows,), or None for a store
        Codes of classes from 0 on, or, for RReliefF, floats.
    options : ReliefOptions, ReliefFOptions or RReliefFOptions
    seed : int
        What random choices depend on.
    budget : Budget, optional
        When its time is over, or an interrupt comes after some rows, the answer rests upon the rows so far. Without
        a budget an interrupt is raised.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.relief.options import ReliefFOptions
    >>> from fewest.relief.rows import ArrayRows
    >>> X = np.random.default_rng(0).integers(0, 2, (200, 8))
    >>> ranking = rank_features(ArrayRows(X), X[:, 2] ^ X[:, 5], ReliefFOptions(n_features_to_select=2))
    >>> ranking.order[:2], ranking.n_sampled
    (array([2, 5]), 200)
    """
    return refine_ranking(RunningRelevance(options, seed), features, target, budget=budget)


def refine_ranking(
    running: RunningRelevance,
    features: Table | Store | RowSource,
    target: np.ndarray | None,
    weights: np.ndarray | None = None,
    *,
    budget: Budget | None = None,
) -> Ranking:
    """Sample more rows, of the same data or of other, and return the ranking by all rows sampled so far.

    A row of weight w counts as w copies of itself; the other parameters are those of `rank_features`.
    """
    options, stopped_by = running.options, None
    if options.step == AUTO:
        return _iterated_where_it_pays(running, features, target, weights, budget)
    if weights is not None and options.ties == RANDOM:
        raise ParameterError(
            "Rows of unequal weight cannot be chosen at random among ties. Use ties='average' with sample_weight."
        )
    if options.n_permutations and (isinstance(features, Store) or running.n_sampled):
        options = running.options = replace(options, threshold=INTERVAL)
        _warn_of_interval(features, target, is_batch=not isinstance(features, Store))
    _refuse_what_needs_memory(running, features)
    source = TableRows(features) if isinstance(features, Table) else features
    if options.is_regression and target is not None:
        refuse_far_values("y", target)
    n_features = source.n_features if isinstance(source, Store) else len(source.is_nominal)
    for name in ("n_features_to_select", "min_features_to_select"):
        if (wanted := getattr(options, name)) is not None and wanted > n_features:
            raise ParameterError.from_too_many(name, wanted, n_features)
    # With rounds, every permutation of the target is a ranking of its own.
    n_rankings = 1 if options.step is None else 1 + options.n_permutations
    try:
        with serial_products(), repeated(n_rankings):  # a row for every sampled one: threads would wait for each other
            relevance = _measure(running, source, target, weights, budget)
            if options.n_permutations and running.chance is None:
                relevance = replace(relevance, by_chance=_by_chance(running, source, target, weights, budget))
        if options.n_permutations and options.step is None and not isinstance(source, Store):
            relevance = replace(relevance, left_out=_left_out(running, source, target, weights, budget))
    except (OutOfBudgetError, KeyboardInterrupt) as reason:
        is_interrupt = isinstance(reason, KeyboardInterrupt)
        if not running.n_sampled or (is_interrupt and budget is None):
            raise
        relevance, stopped_by = running.recorded(), INTERRUPT if is_interrupt else TIME_LIMIT
        if not is_interrupt:
            _warn_of_the_clock(relevance.n_sampled)
    return Ranking(
        relevance.scores,
        relevance.standard_errors,
        relevance.threshold(options),
        relevance.pvalues(options),
        relevance.null_scores(options),
        relevance.support(options),
        relevance.order,
        relevance.n_sampled,
        tuple(running.history),
        stopped_by,
    )


def _iterated_where_it_pays(running: RunningRelevance, features, target, weights, budget: Budget | None) -> Ranking:
    """Rank in one round and, where that finds nothing, in many; keep what the chosen ranking rests upon."""
    from fewest.relief.turf import iterated_where_it_pays

    _refuse_what_needs_memory(running, features)
    rankings: list[tuple[Ranking, RunningRelevance]] = []

    def ranked(options: RelevanceOptions) -> Ranking:
        own = RunningRelevance(options, running.seed)
        rankings.append((refine_ranking(own, features, target, weights, budget=budget), own))
        return rankings[-1][0]

    found = iterated_where_it_pays(ranked, running.options)
    own = next(own for ranking, own in rankings if ranking is found)
    running.sums, running.evidence, running.history = own.sums, own.evidence, own.history
    return found


def _warn_of_the_clock(n_sampled: int) -> None:
    warnings.warn(
        f"The time limit ended the ranking, which rests upon the {n_sampled:,} rows sampled until then. "
        f"{StoppedEarlyWarning.BY_CLOCK}",
        StoppedEarlyWarning,
        stacklevel=4,
    )


def _refuse_what_needs_memory(running: RunningRelevance, features: Table | Store | RowSource) -> None:
    """Raise for options that ask for distances between all rows, or for all rows again."""
    options = running.options
    if isinstance(features, Store) and options.neighborhood == MULTISURF:
        raise ParameterError.from_blocks("neighborhood='multisurf'")
    if options.step is not None:
        if isinstance(features, Store):
            raise ParameterError.from_blocks("step")
        if running.n_sampled:
            raise ParameterError("step drops features, which later batches cannot bring back. Call fit instead.")


def _warn_of_interval(features: Table | Store | RowSource, target, *, is_batch: bool) -> None:
    """Warn that classes are too unequal for intervals, where these take the place of permutations."""
    if isinstance(features, Store):
        counts = np.asarray(features.class_counts) if features.labels else np.ones(1)
    else:
        counts = np.unique(target, return_counts=True)[1] if target.dtype.kind != "f" else np.ones(1)
    counts = counts[counts > 0]
    if len(counts) and counts.min() * len(counts) < EQUAL_ENOUGH * counts.sum():
        warnings.warn(IntervalWarning.from_reason(is_batch), stacklevel=6)


def _by_chance(
    running: RunningRelevance, source: Store | RowSource, target, weights, budget: Budget | None
) -> np.ndarray:
    """Rank the features by permuted targets one after the other, where distances depend on the target as well."""
    found, options = [], replace(running.options, threshold=INTERVAL)
    for order in permutations(len(target), running.options.n_permutations):
        permuted = RunningRelevance(options, running.seed)
        found.append(_measure(permuted, source, target[order], weights, budget).scores)
    return np.array(found)


def _left_out(running: RunningRelevance, source: RowSource, target, weights, budget: Budget | None) -> LeftOut | None:
    """Measure relevance by neighbors that are sought without the feature in question; None without two classes."""
    options = running.options
    if not options.is_regression and len(np.unique(target)) < 2:
        return None
    running.left_out = left_out_search(source, target, weights, running.factors, options)
    rows = sampled_rows(source.n_rows, 0, options, running.seed)
    each = np.ones(source.n_rows) if weights is None else weights.astype(np.float64)
    if not options.is_regression:
        each = even_weights(np.unique(target, return_inverse=True)[1], each)
    running.left_out.refine(rows, each[rows], options.n_jobs, budget)
    return running.left_out.found


def _measure(running: RunningRelevance, source: Store | RowSource, target, weights, budget: Budget | None) -> Relevance:
    """Sample rows and measure the relevance of all features; with a ``step``, again and again of fewer."""
    options = running.options
    relevance = _refine(running, source, target, weights, budget)
    if options.step is None or isinstance(source, Store):
        return relevance
    from fewest.relief.turf import FEWEST_LEFT, iterated_relevance

    everything, single = relevance, replace(options, threshold=INTERVAL)

    def measured(left: np.ndarray) -> Relevance:
        if len(left) == len(source.is_nominal):
            return everything
        return _refine(RunningRelevance(single, running.seed), ChosenColumns(source, left), target, weights, budget)

    n_left = min(options.n_features_to_select or FEWEST_LEFT, len(source.is_nominal))
    return iterated_relevance(measured, len(source.is_nominal), options.share_dropped, n_left)


def _refine(running: RunningRelevance, source: Store | RowSource, target, weights, budget: Budget | None) -> Relevance:
    """Sample rows once more: in blocks where they are in blocks or too many, in memory otherwise."""
    if isinstance(source, Store):
        return running.refine(examples_in_blocks(source, running.options), budget)
    is_simple = weights is None and not running.options.n_permutations and running.options.neighborhood == NEAREST
    if is_simple and isinstance(source, ArrayRows) and is_large(source, running.options):
        from fewest.relief.blocks.passes import RowsInBlocks, array_store

        try:
            return running.refine(RowsInBlocks(array_store(source, target, running.options.n_jobs)), budget)
        except TooLargeError:  # too many rows tie; nothing has been added yet
            pass
    return running.refine(RowsInMemory(source, target, weights), budget)


@dataclass
class RunningRelevance:
    """Sums of differences to neighbors, over all rows sampled so far: relevance surer with every call of `refine`."""

    options: RelevanceOptions
    seed: int = 0
    sums: Sums | None = None
    evidence: Evidence = field(default_factory=Evidence)
    history: list[dict[str, Any]] = field(default_factory=list)
    chance: ChanceSums | None = None
    left_out: LeftOutSearch | None = None

    def refine(self, examples: Examples, budget: Budget | None = None) -> Relevance:
        """Sample rows, and add how they differ from their neighbors.

        Classes are Figure 1 of Kira and Rendell (1992) with one neighbor, or Kononenko (1994) with several of each
        class; a regression target is RReliefF of Robnik-Šikonja and Kononenko (1997), every neighbor with the same
        influence. Raises `OutOfBudgetError` when time is over; `recorded` returns what is known then.
        """
        options, first = self.options, self.n_sampled
        if self.sums is None:
            self.sums = (RegressionSums if options.is_regression else MeanSums)(examples.n_features)
        rows = sampled_rows(examples.n_rows, first, options, self.seed)
        self.evidence.turn_to(examples.name, examples.n_rows, first)
        if not options.is_regression and examples.n_classes < 2:  # without misses, nothing is relevant
            self._add(examples.weights_of(rows), np.zeros((len(rows), examples.n_features), dtype=np.float32))
            return self.recorded()
        n_done, self.chance = 0, None
        for candidates in examples.candidates(Sampled(rows, tie_seeds(self.seed, first, len(rows))), options):
            updates = self._regression_updates if options.is_regression else self._class_updates
            with closing(self._batches(candidates, updates(candidates))) as batches:
                for weights, sums, by_chance in batches:
                    self._add(weights, *sums)
                    if by_chance is not None:
                        self._add_chance(weights, by_chance)
                    n_done += len(weights)
                    if budget is not None and n_done < len(rows):
                        budget.check(partial("{:,} of {:,} rows sampled".format, n_done, len(rows)))
        return self.recorded()

    @property
    def n_sampled(self) -> int:
        """Return how many rows have been sampled so far."""
        return 0 if self.sums is None else self.sums.n_sampled

    def recorded(self) -> Relevance:
        """Return the relevance so far, and add it to the history."""
        assert self.sums is not None
        relevance = self.sums.relevance().limited_to(self.evidence.n_rows(self.n_sampled))
        if not self.history or self.history[-1]["n_sampled"] != relevance.n_sampled:
            self.history.append(history_step(self.sums))
        if self.chance is None:
            return relevance
        left_out = None if self.left_out is None else self.left_out.found
        return replace(relevance, by_chance=self.chance.scores(self.options.is_regression), left_out=left_out)

    def _class_updates(self, candidates: Candidates) -> Updates:
        """Return how a neighbor counts: minus its difference for a hit, plus for a miss, by the classes' priors."""
        space, class_of = candidates.space, candidates.rows.class_of
        factors, n_classes = self.factors(candidates.priors).ravel(), len(candidates.priors)

        def updates(sampled: Sampled, found: Neighbors) -> tuple[np.ndarray, ...]:
            pairs = np.repeat(class_of[sampled.rows] * n_classes, np.diff(found.starts))
            pairs += class_of.take(found.rows[: len(pairs)])
            found.weights[: len(pairs)] *= factors.take(pairs)
            return (space.differences(sampled.rows, found, self.options.is_squared),)

        return updates

    def factors(self, priors: np.ndarray) -> np.ndarray:
        """Return the factor of a neighbor by the class of the sampled row and its own: P(c) / (1 - P(own class))."""
        n_classes = len(priors)
        if self.options.pools_misses:
            factors = np.ones((n_classes, n_classes))
        else:
            others = 1 - priors[:, None]
            factors = np.divide(priors, others, out=np.zeros((n_classes, n_classes)), where=others > 0)
        np.fill_diagonal(factors, -1)
        return factors.astype(np.float32)

    def _regression_updates(self, candidates: Candidates) -> Updates:
        """Return the mean differences of the target, of the features, and of both together (see `RegressionSums`)."""
        space, target = candidates.space, candidates.target

        def updates(sampled: Sampled, found: Neighbors) -> tuple[np.ndarray, ...]:
            n_sampled, n_found = len(sampled.rows), int(found.starts[-1])
            own, others = np.repeat(sampled.rows, np.diff(found.starts)), found.rows[:n_found]
            apart = np.abs(target[own] - target[others])
            shares = found.weights[:n_found].astype(np.float64)
            c = np.bincount(np.repeat(np.arange(n_sampled), np.diff(found.starts)), shares * apart, n_sampled)
            b = space.differences(sampled.rows, found, self.options.is_squared)
            joint = Neighbors(found.starts, others, (shares * apart).astype(np.float32))
            return c, space.differences(sampled.rows, joint, self.options.is_squared), b

        return updates

    def _batches(
        self, candidates: Candidates, updates: Updates
    ) -> Generator[tuple[np.ndarray, Sequence[np.ndarray], Part | None], None, None]:
        """Look up batches of sampled rows on threads; yield their weights, updates and what chance adds, in order."""
        space, rows, sampled, size = candidates.space, candidates.rows, candidates.sampled, candidates.batch_size
        options, n_sampled = self.options, len(sampled.rows)
        is_random, skips_identical = options.ties == RANDOM, options.identical == SKIP
        rule = Rule(float(options.n_neighbors), is_random, options.pools_misses, skips_identical)
        chance = self._chance(candidates)

        def work(first: int) -> tuple[list[tuple[np.ndarray, ...]], Part | None]:
            own = rows._replace(weights=rows.weights.copy())  # compiled code takes copies off there while it works
            stop = min(first + size, n_sampled)
            batch, weights = (
                Sampled(sampled.rows[first:stop], sampled.seeds[first:stop]),
                candidates.weights[first:stop],
            )
            measured = space.measured(batch.rows)
            if options.neighborhood == MULTISURF:
                found = [(batch, _nearer_than_usual(space, measured, batch, own, rule, options))]
            else:
                found = list(_neighbors(space, measured, batch, own, rule))
            if isinstance(chance, PermutedTarget):
                parts = [updates(*part) for part in found]
                at, by_chance = 0, []
                for (some, near), (*_, differences) in zip(found, parts, strict=True):
                    by_chance.append(chance.part(some, weights[at : at + len(some.rows)], near, differences))
                    at += len(some.rows)
                return parts, Part(*(np.sum(sums, axis=0) for sums in zip(*by_chance, strict=True)))
            of_classes = None if chance is None else chance.part(measured, batch, weights, own, rule)
            return [updates(*part) for part in found], of_classes

        starts = range(0, n_sampled, size)
        n_threads = n_workers(options.n_jobs)
        with space.products(n_sampled, n_threads):
            results = in_order(work, starts, min(n_threads, len(starts)) or 1)
            for start, (parts, by_chance) in zip(starts, results, strict=True):
                # As one, however little memory there was: sums of floats depend on what is added at a time.
                together = parts[0] if len(parts) == 1 else [np.concatenate(part) for part in zip(*parts, strict=True)]
                yield candidates.weights[start : start + size], together, by_chance

    def _chance(self, candidates: Candidates) -> PermutedClasses | PermutedTarget | None:
        """Return the permuted target, unless weights or what is expected in place of missing values go with it."""
        options, space = self.options, candidates.space
        if not options.n_permutations or space.depends_on_classes or (candidates.rows.weights != 1).any():
            return None
        if options.step is not None or (options.neighborhood == MULTISURF and not options.is_regression):
            return None
        if options.is_regression:
            return PermutedTarget(candidates, options)
        return PermutedClasses(candidates, self.factors(candidates.priors), options)

    def _add_chance(self, weights: np.ndarray, part: Part) -> None:
        if self.chance is None:
            self.chance = ChanceSums.of_nothing(*part.updates.shape)
        self.chance.add(weights, part)

    def _add(self, weights: np.ndarray, *updates: np.ndarray) -> None:
        """Add sampled rows to the sums, and note what is known after 1, 2, 4, 8, ... of them."""
        sums, at, n_rows = self.sums, 0, len(weights)
        assert sums is not None
        while at < n_rows:
            checkpoint = 1 << sums.n_sampled.bit_length()
            until = min(n_rows, at + checkpoint - sums.n_sampled)
            sums.add(weights[at:until], *[update[at:until] for update in updates])
            if sums.n_sampled == checkpoint:
                self.history.append(history_step(sums))
            at = until


def _neighbors(
    space: Space, measured: Measured, sampled: Sampled, rows: Rows, rule: Rule
) -> Iterator[tuple[Sampled, Neighbors]]:
    """Yield the neighbors of a batch of sampled rows, in as many parts as there is room for."""
    while len(sampled.rows):
        found, n_done = space.nearest(measured, sampled, rows, rule)
        done = Sampled(sampled.rows[:n_done], sampled.seeds[:n_done])
        yield done, Neighbors(found.starts[: n_done + 1], found.rows, found.weights)
        sampled = Sampled(sampled.rows[n_done:], sampled.seeds[n_done:])
        measured = measured.part(slice(n_done, None))


def _nearer_than_usual(
    space: Space, measured: Measured, batch: Sampled, rows: Rows, rule: Rule, options: RelevanceOptions
) -> Neighbors:
    assert isinstance(space, MatrixSpace), "bits have no distances"
    distances = space.distances(measured, batch.rows).astype(np.float64)
    return nearer_than_usual(distances if options.metric == MANHATTAN else np.sqrt(distances), batch, rows, rule)


def sampled_rows(n_rows: int, first: int, options: RelevanceOptions, seed: int) -> np.ndarray:
    """Return the next rows to sample, after ``first`` of them, in an order that goes on where it stopped.

    With replacement each is taken from all rows; else from those not yet sampled in this round. Where every row is
    sampled once there is nothing to choose: the order is shuffled alike for every seed, so that seeds do not differ in
    the rounding of sums.
    """
    if options.max_samples is None:
        return np.random.default_rng(0).permutation(n_rows)
    numbers = np.arange(first, first + options.n_sampled(n_rows))
    if options.replace:
        return (fractions(states(seed, numbers)) * n_rows).astype(np.int64)
    rounds = numbers // n_rows
    shuffled = {r: np.random.default_rng([seed, r]).permutation(n_rows) for r in np.unique(rounds).tolist()}
    return np.array([shuffled[r][t] for r, t in zip(rounds.tolist(), (numbers % n_rows).tolist(), strict=True)])


def tie_seeds(seed: int, first: int, n_sampled: int) -> np.ndarray:
    """Return the seeds of the random choices among ties, one a sampled row."""
    return states(seed + 1, np.arange(first, first + n_sampled))
