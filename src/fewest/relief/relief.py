"""Relief, ReliefF and RReliefF: draw rows, find their neighbours, add up how features differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from fewest.blocks.threads import in_order, n_workers
from fewest.budget import Budget
from fewest.relief.draws import drawn_rows, lots
from fewest.relief.evidence import Evidence, name_of
from fewest.relief.kernels.layout import Draw, Found, Rows, Rule
from fewest.relief.layout import even_blocks
from fewest.relief.relevance import MeanTally, RegressionTally, Relevance, record
from fewest.relief.rows import Source
from fewest.relief.space import Space, make_space

Updates = Callable[[Draw, Found], tuple[np.ndarray, ...]]
"""What drawn rows and their neighbours add to the tally."""


@dataclass(frozen=True)
class Drawing:
    """How rows are drawn: how many (None: every row once), from all or from the rest, by which seed."""

    n_samples: int | None = None
    replace: bool = False
    seed: int = 0


@dataclass(frozen=True)
class Neighbourhood:
    """Who is a neighbour.

    ``n_neighbors`` of each class, or, with ``pools_misses``, of the own class
    and of all others together; ``ties`` is "random" or "average",
    ``identical`` "skip" or "count".
    """

    n_neighbors: int = 10
    ties: str = "average"
    identical: str = "count"
    pools_misses: bool = False
    is_squared: bool = False

    def rule(self) -> Rule:
        """Return it in the kernels' words."""
        return Rule(float(self.n_neighbors), self.ties == "random", self.pools_misses, self.identical == "skip")


@dataclass
class RelevanceSearch:
    """Relevance that grows more certain with every call of `classify` or `regress`.

    `classify` is Relief and ReliefF, `regress` is RReliefF.
    """

    drawing: Drawing
    neighbourhood: Neighbourhood
    n_jobs: int | None = -1
    tally: Any = None
    evidence: Evidence = field(default_factory=Evidence)
    history: list[dict[str, Any]] = field(default_factory=list)

    def classify(
        self, source: Source, classes: np.ndarray, weights: np.ndarray | None = None, budget: Budget | None = None
    ) -> Relevance:
        """Draw rows and see how they differ from neighbours of their own and of other classes.

        Figure 1 of Kira and Rendell (1992) with one neighbour; Kononenko
        (1994) with several of each class, a miss of class c counting for
        P(c) / (1 - P(own class)).
        """
        self.tally = self.tally or MeanTally(len(source.is_name))
        rows, space, drawn, weights = self._prepared(source, classes, weights)
        self.evidence.turn_to(name_of(source, classes), source.n_rows, self.n_drawn)
        if len(rows.starts) <= 2:  # one class: there are no misses, and nothing is relevant to nothing
            self.add(weights, np.zeros((len(weights), len(source.is_name)), dtype=np.float32))
            return self.recorded()
        priors = np.add.reduceat(rows.weights, rows.starts[:-1]) / rows.weights.sum()
        self.classify_drawn(space, rows, drawn, weights, priors, budget)
        return self.recorded()

    def classify_drawn(
        self,
        space: Space,
        rows: Rows,
        drawn: Draw,
        weights: np.ndarray,
        priors: np.ndarray,
        budget: Budget | None = None,
        size: int | None = None,
    ) -> None:
        """Add drawn rows, given where their neighbours are and how frequent the classes are."""
        factors, n_classes = self._factors(priors).ravel(), len(priors)

        def updates(draw: Draw, found: Found) -> tuple[np.ndarray, ...]:
            pairs = np.repeat(rows.class_of[draw.rows] * n_classes, np.diff(found.starts))
            pairs += rows.class_of.take(found.rows[: len(pairs)])
            found.weights[: len(pairs)] *= factors.take(pairs)
            return (space.differences(draw.rows, found, self.neighbourhood.is_squared),)

        self._tallied(space, rows, drawn, weights, updates, budget, size)

    def regress(
        self, source: Source, target: np.ndarray, weights: np.ndarray | None = None, budget: Budget | None = None
    ) -> Relevance:
        """Draw rows and see whether features differ from neighbours just when the target does.

        RReliefF of Robnik-Šikonja and Kononenko (1997), every neighbour with the same influence.
        """
        self.tally = self.tally or RegressionTally(len(source.is_name))
        rows, space, drawn, weights = self._prepared(source, np.zeros(source.n_rows, dtype=np.int64), weights)
        self.evidence.turn_to(name_of(source, target), source.n_rows, self.n_drawn)
        spread = target.max(initial=-np.inf) - target.min(initial=np.inf)
        self.regress_drawn(space, rows, drawn, weights, in_units(target, spread), budget)
        return self.recorded()

    def regress_drawn(
        self,
        space: Space,
        rows: Rows,
        drawn: Draw,
        weights: np.ndarray,
        target: np.ndarray,
        budget: Budget | None = None,
        size: int | None = None,
    ) -> None:
        """Add drawn rows, given where their neighbours are, and the target in units of its range."""

        def updates(draw: Draw, found: Found) -> tuple[np.ndarray, ...]:
            n_drawn, n_found = len(draw.rows), int(found.starts[-1])
            own, others = np.repeat(draw.rows, np.diff(found.starts)), found.rows[:n_found]
            apart = np.abs(target[own] - target[others])
            shares = found.weights[:n_found].astype(np.float64)
            c = np.bincount(np.repeat(np.arange(n_drawn), np.diff(found.starts)), shares * apart, n_drawn)
            b = space.differences(draw.rows, found, self.neighbourhood.is_squared)
            joint = Found(found.starts, others, (shares * apart).astype(np.float32))
            return c, space.differences(draw.rows, joint, self.neighbourhood.is_squared), b

        self._tallied(space, rows, drawn, weights, updates, budget, size)

    def _prepared(self, source: Source, classes: np.ndarray, weights: np.ndarray | None):
        """Sort rows by class, lay them out, and draw."""
        order = np.argsort(classes, kind="stable")
        starts = np.append(0, np.cumsum(np.bincount(classes, minlength=1))).astype(np.int64)
        starts = np.append(starts[:-1][np.diff(starts) > 0], starts[-1])
        class_of = np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))
        first, seed = self.n_drawn, self.drawing.seed
        original = drawn_rows(source.n_rows, first, self.drawing.n_samples, seed, self.drawing.replace)
        position = np.empty(len(order), dtype=np.int32)
        position[order] = np.arange(len(order))
        sorted_weights = np.ones(len(order)) if weights is None else weights[order].astype(np.float64)
        space = make_space(source, order, sorted_weights, starts, len(original))
        alone = (np.full(source.n_rows, -1, np.int32), np.empty(0, np.int32), np.zeros(1, np.int64))
        twins = space.twins() if self.neighbourhood.identical == "skip" else alone
        rows = Rows(starts, class_of, sorted_weights, *twins)
        draw = Draw(position[original].astype(np.int64), lots(seed, first, len(original)))
        own = np.ones(len(original)) if weights is None else weights[original].astype(np.float64)
        return rows, space, draw, own

    def _tallied(
        self,
        space: Space,
        rows: Rows,
        draw: Draw,
        weights: np.ndarray,
        updates: Updates,
        budget: Budget | None,
        size: int | None = None,
    ) -> None:
        """Run blocks of drawn rows, of the given size, on threads, and add what they find, in order."""
        rule, n_drawn = self.neighbourhood.rule(), len(draw.rows)
        size = size or even_blocks(n_drawn, space.block_size)

        def work(first: int) -> list[tuple[np.ndarray, ...]]:
            own = rows._replace(weights=rows.weights.copy())  # compiled code hides rows there while it works
            stop = min(first + size, n_drawn)
            found = _neighbours(space, own, Draw(draw.rows[first:stop], draw.seeds[first:stop]), rule)
            return [updates(*part) for part in found]

        starts = range(0, n_drawn, size)
        at = 0
        n_threads = n_workers(self.n_jobs)
        with space.products(n_drawn, n_threads):
            for parts in in_order(work, starts, min(n_threads, len(starts)) or 1):
                # As one, whatever room there was: sums of floats depend on what is added at a time.
                together = parts[0] if len(parts) == 1 else [np.concatenate(part) for part in zip(*parts, strict=True)]
                self.add(weights[at : at + len(together[0])], *together)
                at += len(together[0])
                if budget is not None and at < n_drawn:
                    budget.check(partial("{:,} of {:,} rows drawn".format, at, n_drawn))

    def _factors(self, priors: np.ndarray) -> np.ndarray:
        """Return what a neighbour counts for, by the class of the drawn row and its own."""
        n_classes = len(priors)
        if self.neighbourhood.pools_misses:
            factors = np.ones((n_classes, n_classes))
        else:
            others = 1 - priors[:, None]
            factors = np.divide(priors, others, out=np.zeros((n_classes, n_classes)), where=others > 0)
        np.fill_diagonal(factors, -1)
        return factors.astype(np.float32)

    @property
    def n_drawn(self) -> int:
        """Return how many rows have been drawn."""
        return 0 if self.tally is None else self.tally.n_drawn

    def add(self, *updates: np.ndarray) -> None:
        """Add drawn rows to the tally, and note what is known after 1, 2, 4, 8, ... of them."""
        at, n_rows = 0, len(updates[0])
        while at < n_rows:
            checkpoint = 1 << self.tally.n_drawn.bit_length()
            until = min(n_rows, at + checkpoint - self.tally.n_drawn)
            self.tally.add(*[update[at:until] for update in updates])
            if self.tally.n_drawn == checkpoint:
                self.history.append(record(self.tally))
            at = until

    def recorded(self) -> Relevance:
        """Return what is known now, and note it."""
        relevance = self.tally.relevance().told_by(self.evidence.n_rows(self.n_drawn))
        if not self.history or self.history[-1]["n_samples"] != relevance.n_drawn:
            self.history.append(record(self.tally))
        return relevance


def in_units(target: np.ndarray, spread: float) -> np.ndarray:
    """Return a target in units of its range; zeros if it never differs."""
    return (target / spread if spread > 0 else np.zeros(len(target))).astype(np.float64)


def _neighbours(space: Space, rows: Rows, draw: Draw, rule: Rule) -> Iterator[tuple[Draw, Found]]:
    """Yield the neighbours of a block of drawn rows, in as many parts as there is room for."""
    while len(draw.rows):
        found, n_done = space.nearest(draw, rows, rule)
        yield Draw(draw.rows[:n_done], draw.seeds[:n_done]), Found(found.starts[: n_done + 1], *found[1:])
        draw = Draw(draw.rows[n_done:], draw.seeds[n_done:])
