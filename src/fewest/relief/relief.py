"""Relief, ReliefF and RReliefF: sample rows, find their neighbors, sum how features differ.

The same code runs on rows in memory and in blocks (`Examples`): blocks only narrow down which rows can be neighbors.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from fewest.blocks.threads import in_order, n_workers
from fewest.budget import Budget
from fewest.kernels.split_mix import fractions, states
from fewest.relief.kernels.layout import Neighbors, Rows, Rule, Sampled
from fewest.relief.options import RANDOM, SKIP, RelevanceOptions
from fewest.relief.relevance import MeanSums, RegressionSums, Relevance, Sums, history_step
from fewest.relief.space import Candidates, Examples, Space

Updates = Callable[[Sampled, Neighbors], tuple[np.ndarray, ...]]
"""What sampled rows and their neighbors add to the sums."""


@dataclass
class RelevanceSearch:
    """Relevance that grows more certain with every call of `refine`."""

    options: RelevanceOptions
    seed: int = 0
    sums: Sums | None = None
    evidence: Evidence = field(default_factory=lambda: Evidence())
    history: list[dict[str, Any]] = field(default_factory=list)

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
        n_done = 0
        for candidates in examples.candidates(Sampled(rows, tie_seeds(self.seed, first, len(rows))), options):
            updates = self._regression_updates if options.is_regression else self._class_updates
            with closing(self._batches(candidates, updates(candidates))) as batches:
                for weights, sums in batches:
                    self._add(weights, *sums)
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
        if not self.history or self.history[-1]["n_samples"] != relevance.n_sampled:
            self.history.append(history_step(self.sums))
        return relevance

    def _class_updates(self, candidates: Candidates) -> Updates:
        """Return how a neighbor counts: minus its difference for a hit, plus for a miss, by the classes' priors."""
        space, class_of = candidates.space, candidates.rows.class_of
        factors, n_classes = self._factors(candidates.priors).ravel(), len(candidates.priors)

        def updates(sampled: Sampled, found: Neighbors) -> tuple[np.ndarray, ...]:
            pairs = np.repeat(class_of[sampled.rows] * n_classes, np.diff(found.starts))
            pairs += class_of.take(found.rows[: len(pairs)])
            found.weights[: len(pairs)] *= factors.take(pairs)
            return (space.differences(sampled.rows, found, self.options.is_squared),)

        return updates

    def _factors(self, priors: np.ndarray) -> np.ndarray:
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
    ) -> Generator[tuple[np.ndarray, Sequence[np.ndarray]], None, None]:
        """Look up batches of sampled rows on threads; yield their weights and updates in order."""
        space, rows, sampled, size = candidates.space, candidates.rows, candidates.sampled, candidates.batch_size
        options, n_sampled = self.options, len(sampled.rows)
        is_random, skips_identical = options.ties == RANDOM, options.identical == SKIP
        rule = Rule(float(options.n_neighbors), is_random, options.pools_misses, skips_identical)

        def work(first: int) -> list[tuple[np.ndarray, ...]]:
            own = rows._replace(weights=rows.weights.copy())  # compiled code takes copies off there while it works
            stop = min(first + size, n_sampled)
            batch = Sampled(sampled.rows[first:stop], sampled.seeds[first:stop])
            return [updates(*part) for part in _neighbors(space, batch, own, rule)]

        starts = range(0, n_sampled, size)
        n_threads = n_workers(options.n_jobs)
        with space.products(n_sampled, n_threads):
            for start, parts in zip(starts, in_order(work, starts, min(n_threads, len(starts)) or 1), strict=True):
                # As one, whatever room there was: sums of floats depend on what is added at a time.
                together = parts[0] if len(parts) == 1 else [np.concatenate(part) for part in zip(*parts, strict=True)]
                yield candidates.weights[start : start + size], together

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


def _neighbors(space: Space, sampled: Sampled, rows: Rows, rule: Rule) -> Iterator[tuple[Sampled, Neighbors]]:
    """Yield the neighbors of a batch of sampled rows, in as many parts as there is room for."""
    while len(sampled.rows):
        found, n_done = space.nearest(sampled, rows, rule)
        done = Sampled(sampled.rows[:n_done], sampled.seeds[:n_done])
        yield done, Neighbors(found.starts[: n_done + 1], found.rows, found.weights)
        sampled = Sampled(sampled.rows[n_done:], sampled.seeds[n_done:])


def sampled_rows(n_rows: int, first: int, options: RelevanceOptions, seed: int) -> np.ndarray:
    """Return the rows sampled as number ``first`` and following, in an order that goes on where it stopped.

    With replacement each is taken from all rows; else from those not yet sampled in this round. Every row once, if
    their number is not given, is always the same shuffled order.
    """
    if options.n_samples is None:
        return np.random.default_rng(0).permutation(n_rows)
    numbers = np.arange(first, first + options.n_samples)
    if options.replace:
        return (fractions(states(seed, numbers)) * n_rows).astype(np.int64)
    rounds = numbers // n_rows
    shuffled = {r: np.random.default_rng([seed, r]).permutation(n_rows) for r in np.unique(rounds).tolist()}
    return np.array([shuffled[r][t] for r, t in zip(rounds.tolist(), (numbers % n_rows).tolist(), strict=True)])


def tie_seeds(seed: int, first: int, n_samples: int) -> np.ndarray:
    """Return the seeds of the random choices among ties, one a sampled row."""
    return states(seed + 1, np.arange(first, first + n_samples))


@dataclass
class Evidence:
    """How many rows have been seen: those that are sampled again add no certainty about other data.

    It keeps the rows of every data set that was sampled from, and how often these were sampled.
    """

    known: dict[str, tuple[int, int]] = field(default_factory=dict)
    current: str | None = None
    since: int = 0

    def turn_to(self, data: str, n_rows: int, n_sampled: int) -> None:
        """Count rows for the data of that name from now on, when so many rows have been sampled in all."""
        self._settle(n_sampled)
        self.known.setdefault(data, (n_rows, 0))
        self.current = data

    def n_rows(self, n_sampled: int) -> int:
        """Return how many distinct rows can be among the sampled ones, when these are so many in all."""
        self._settle(n_sampled)
        return sum(min(pair) for pair in self.known.values())

    def _settle(self, n_sampled: int) -> None:
        """Count what was sampled from the current data."""
        if self.current is not None:
            n_rows, before = self.known[self.current]
            self.known[self.current] = n_rows, before + n_sampled - self.since
        self.since = n_sampled
