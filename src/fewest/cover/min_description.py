"""MinDescription: the subset of features with which the classes take the fewest bits to describe.

What a description is, `fewest.cover.description` says. Features that split cells by chance cost more than they save;
those that tell the classes apart, alone or only together, pay.

The search looks at all single features and all pairs, at all triples of a few hundred features, extends the best of
them one feature at a time, side by side, then adds, drops and exchanges features until nothing improves. Then it goes
for the proof: branch and bound, the most promising subset first, with the bound of `lengths_with`.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from typing import Protocol

import numpy as np

from fewest.budget import INTERRUPT, TIME_LIMIT, Budget, OutOfBudgetError
from fewest.cover.described_subsets import DescribedSubsets
from fewest.cover.description import INFINITE, Coded, Columns, Description, with_column, without_column
from fewest.cover.joint_features import MOST_FOR_PAIRS, MOST_FOR_TRIPLES, JointFeatures
from fewest.cover.kernels.description import Rows, least_length, length_of, lengths_with

# Subsets that are extended side by side, and how many sizes may pass without a shorter description.
BEAM, PATIENCE = 8, 2
# What a node of the proof takes beside its extensions, in extensions.
VISITS_PER_NODE = 20


class Cuts(Protocol):
    """Other ways to cut numeric features: `fewest.cover.codings.Codings`."""

    def recode(self, known: DescribedSubsets, subset: Columns) -> Coded | None:
        """Return columns with better cuts in the company of a subset, as a `Coded` of these alone."""

    def finest(self) -> Coded | None:
        """Return a column for every feature, numeric ones cut finely, to look at pairs of them."""

    def keep(self, finest: Coded, chosen: np.ndarray) -> Coded:
        """Return those of the finest columns that subsets may have."""


class DescriptionSearch:
    """A search for the shortest description; it can be stopped at any time and knows the best so far.

    Parameters
    ----------
    coded : Coded
    rows : Rows
    max_row_visits : float
        Distinct rows that the proof may look at, counted for every subset that they are looked at for.
    cuts : Cuts, optional
        Other ways to cut numeric features.
    budget : Budget, optional
    """

    def __init__(
        self,
        coded: Coded,
        rows: Rows,
        max_row_visits: float = 3e7,
        cuts: Cuts | None = None,
        budget: Budget | None = None,
    ):
        self.known = DescribedSubsets(coded, rows, budget or Budget())
        self.joint = JointFeatures(self.known)
        self.max_row_visits, self.cuts = max_row_visits, cuts
        self._floor = max(0, self._least())
        self.lower = self._floor + self.coded.least_price(0, self.coded.spent(self.root), 0)

    @property
    def coded(self) -> Coded:
        """Return the columns, to which some may have been added."""
        return self.known.coded

    @property
    def root(self) -> Columns:
        """Return the columns that every subset has."""
        return self.known.root

    # ------------------------------------------------------------------ the search

    def run(self) -> Description:
        """Search, and prove if that is possible within the work allowed."""
        stopped_by = None
        try:
            for start in self._rounds():
                self._climb(start)
            self._prove()
        except OutOfBudgetError:
            stopped_by = TIME_LIMIT
        except KeyboardInterrupt:
            stopped_by = INTERRUPT
        return self.stopped(stopped_by)

    def stopped(self, stopped_by: str | None) -> Description:
        """Return what is known by now, and what ended the search."""
        return self.known.description(self.lower, stopped_by)

    def _rounds(self) -> Iterator[Columns]:
        """Yield subsets to improve: the best that are built up, then the best with every two features beside it."""
        self.known.extensions(self.root)
        starts = self.joint.pairs(self.root, MOST_FOR_PAIRS)
        finest = None if self.cuts is None else self.cuts.finest()
        if finest is not None and self.cuts is not None:
            starts += self.joint.finest_pairs(finest, self.cuts.keep, MOST_FOR_PAIRS)
        if self._floor + self.coded.least_price(0, self.coded.spent(self.root), 3) < self.known.shortest:
            starts += self.joint.triples()
        yield from self._beam(starts)
        seen: set[Columns] = set()
        while self.known.best not in seen:
            while self._recoded(self.known.best):
                yield self.known.best
            seen.add(self.known.best)
            if self.known.best != self.root and self._may_improve(self.known.best, 2):
                yield from self.joint.pairs(self.known.best, MOST_FOR_TRIPLES)[:1]

    def _may_improve(self, subset: Columns, n_more: int = 1) -> bool:
        """Return whether the bound allows a subset with so many features more, or more, to be the shortest."""
        bound = max(self._floor, length_of(self.known.cells(subset), self.known.rows, self.known.prices)[1])
        n_chosen = len(subset) - len(self.coded.include)
        return bound + self.coded.least_price(n_chosen, self.coded.spent(subset), n_more) < self.known.shortest

    def _beam(self, starts: Iterable[Columns]) -> list[Columns]:
        """Extend the best subsets of every size side by side; return the best few of all."""
        by_size: dict[int, set[Columns]] = {len(self.root): {self.root}}
        for start in starts:
            by_size.setdefault(len(start), set()).add(start)
        size, idle, shortest = len(self.root), 0, self.known.shortest
        while size in by_size or size < max(by_size):
            kept = heapq.nsmallest(BEAM, by_size.get(size, ()), key=lambda one: (self.known.known_length(one), one))
            longer = by_size.setdefault(size + 1, set())
            for subset in filter(self._may_improve, kept):
                lengths = self.known.extensions(subset)
                best = np.argsort(lengths, kind="stable")[:BEAM]
                longer.update(with_column(subset, c) for c in best.tolist() if lengths[c] < 1 << 61)
                for c in best.tolist():
                    self.known.near.setdefault(with_column(subset, c), int(lengths[c]))
            idle = 0 if self.known.shortest < shortest or size <= len(self.root) else idle + 1
            shortest = self.known.shortest
            size += 1
            if not longer or (idle > PATIENCE and size >= max(by_size)):
                break
        return self.known.nearest(3)

    def _climb(self, subset: Columns) -> None:
        """Add, drop or exchange a feature as long as the description becomes shorter."""
        length = self.known.known_length(subset)
        while True:
            dropped = self._drops(subset)
            best = min([self._best_extension(subset), *dropped, *self._recut(subset)])
            if best[0] >= length:
                exchanged = (self._best_extension(smaller) for _, smaller in dropped)
                best = min(exchanged, default=(length, subset))
            if best[0] >= length:
                return
            length, subset = best

    def _best_extension(self, subset: Columns) -> tuple[int, Columns]:
        lengths = self.known.extensions(subset)
        if not len(lengths):
            return INFINITE, subset
        column = int(lengths.argmin())
        return int(lengths[column]), with_column(subset, column)

    def _drops(self, subset: Columns) -> list[tuple[int, Columns]]:
        """Return the subset without each of its features, but for those included."""
        found = []
        for column in subset:
            if int(self.coded.features[column]) not in self.coded.include:
                smaller = without_column(subset, column)
                found.append((self.known.known_length(smaller), smaller))
                self.known.look_at(smaller, found[-1][0])
        return found

    def _recut(self, subset: Columns) -> list[tuple[int, Columns]]:
        """Return the subset with every other column of each included feature, which is exchanged for no other."""
        found = []
        for column in subset:
            feature = int(self.coded.features[column])
            if feature in self.coded.include:
                others = np.flatnonzero(self.coded.features == feature)
                for other in others[others != column].tolist():
                    renewed = with_column(without_column(subset, column), other)
                    found.append((self.known.known_length(renewed), renewed))
                    self.known.look_at(renewed, found[-1][0])
        return found

    # ------------------------------------------------------------------ cuts

    def _recoded(self, subset: Columns) -> bool:
        """Cut the numeric features of a subset again, in each other's company; return whether that is shorter."""
        more = None if self.cuts is None else self.cuts.recode(self.known, subset)
        if more is None:
            return False
        self.known.add_columns(more)
        n_known = len(self.coded.columns) - len(more.columns)
        by_feature = {int(f): n_known + k for k, f in enumerate(more.features.tolist())}
        renewed = tuple(sorted(by_feature.get(int(self.coded.features[c]), c) for c in subset))
        before = self.known.shortest
        self.known.look_at(renewed, self.known.length(renewed))
        return self.known.shortest < before

    # ------------------------------------------------------------------ the proof

    def _least(self) -> int:
        """Return a length of the classes below which no subset leads, whatever it costs."""
        cells = self.known.cells(self.root if self.coded.is_fixed else ())
        pure = length_of(cells, self.known.rows, self.known.prices)[1]
        return max(pure, least_length(self.coded.columns, self.known.rows)) if self.coded.is_fixed else pure

    def _prove(self) -> None:
        """Look for shorter descriptions among all subsets, the most promising first, until none can be left."""
        spent = self.coded.spent(self.root)
        n_seen = 2 if self.joint.has_all_pairs else int(self.coded.covers_all)  # all subsets of up to so many features
        self.lower = min(self.known.shortest, self._floor + self.coded.least_price(0, spent, n_seen + 1))
        if self.lower >= self.known.shortest or not self.coded.covers_all:
            return
        # An entry: no description of a subset that has these columns and some after them is shorter than the first.
        lower = self._floor + self.coded.least_price(0, spent)
        open_nodes: list[tuple[int, Columns, int]] = [(lower, self.root, 0)]
        n_visits = 0.0
        while open_nodes and open_nodes[0][0] < self.known.shortest:
            self.lower = max(self.lower, min(open_nodes[0][0], self.known.shortest))
            bound, subset, start = heapq.heappop(open_nodes)
            rest = np.arange(start, len(self.coded.columns))
            rest = rest[~np.isin(rest, self.root)]
            n_visits += (len(rest) + VISITS_PER_NODE) * len(self.known.rows.classes)
            if n_visits > self.max_row_visits:
                heapq.heappush(open_nodes, (bound, subset, start))
                return
            self.known.budget.check(self.known.status)
            for node in self._children(subset, rest):
                heapq.heappush(open_nodes, node)
        self.lower = self.known.shortest

    def _children(self, subset: Columns, rest: np.ndarray) -> Iterator[tuple[int, Columns, int]]:
        """Look at a subset with each of the columns, and yield those whose own extensions may be shorter."""
        n_chosen = len(subset) - len(self.coded.include)
        if n_chosen + 1 >= len(self.coded.names) or not len(rest):
            return
        lengths, bounds = lengths_with(
            self.coded.columns, self.known.rows, self.known.cells(subset), self.known.prices, rest, self.known.work
        )
        self.known.n_subsets += len(rest)
        spent = self.coded.spent(subset) + self.coded.prices[rest]
        lengths += self.coded.names[n_chosen + 1] + spent
        whole = np.full(len(self.coded.columns), INFINITE, dtype=np.int64)
        whole[rest] = lengths
        self.known.look_at_many(subset, whole)
        more = self.coded.least_price(n_chosen + 1, 0)
        bounds = np.maximum(bounds, self._floor) + spent + more
        for k in np.flatnonzero(bounds < self.known.shortest).tolist():
            yield int(bounds[k]), with_column(subset, int(rest[k])), int(rest[k]) + 1
