"""MinDescription: the subset of features with which the classes take the fewest bits to describe.

The description has two parts, as every minimum description length has: the subset is named, and then the classes of the
rows are listed, cell by cell, each cell learning its classes as it goes on (`fewest.cover.kernels.description`). Two to
the minus length is the probability of subset and classes together, so that the shortest description is the subset of
most evidence, and differences of lengths are logarithms of Bayes factors. Features that split cells by chance cost more
than they save; those that tell the classes apart, alone or only together, pay.

The search looks at all single features and all pairs, at all triples of a few hundred features, extends the best of
them one feature at a time, side by side, then adds, drops and exchanges features until nothing improves. Then it goes
for the proof: branch and bound, the most promising subset first, with the bound of `lengths_with`.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from fewest.budget import INTERRUPT, TIME_LIMIT, Budget, OutOfBudgetError
from fewest.cover.kernels.description import (
    KERNELS,
    UNIT,
    Cells,
    Planes,
    Prices,
    least_length,
    length_of,
    lengths_of_pairs,
    lengths_with,
)
from fewest.cover.options import CELLS
from fewest.kernels.compiling import Work

Columns = tuple[int, ...]
"""A subset, as ascending positions of columns; a feature may have several columns, of which a subset has one."""

# Subsets that are extended side by side, and how many sizes may pass without a shorter description.
BEAM, PATIENCE = 8, 2
# The best pairs and triples that searches start from.
N_STARTS = 32
# Values of a column that takes part in the counting of all pairs; its pairs have up to the square of it in cells.
MOST_VALUES = 16
# Nanoseconds that all pairs, and all triples, may take compiled code, and what a word, a cell and a base take it.
MOST_FOR_PAIRS, MOST_FOR_TRIPLES = 5e9, 1e9
PER_WORD, PER_CELL, PER_BASE = 0.7, 5.0, 2e6
# Pairs that are scored before the clock is looked at.
PAIRS_AT_A_TIME = 1 << 19
# Subsets whose description is at most so many bits longer than the shortest have a probability worth naming.
NEAR, MOST_KEPT = 20 * UNIT, 2000
# What a node of the proof takes beside its extensions, in extensions.
VISITS_PER_NODE = 20


@dataclass(frozen=True, eq=False)
class Coded:
    """Features as columns of codes, each with what it costs to name.

    Attributes
    ----------
    columns : ndarray of shape (n_columns, n_rows)
        Codes from 0. Every column has two values or more.
    features : ndarray of shape (n_columns,)
        The feature that each column stands for: a numeric feature has a column for every way that it is cut.
    prices : ndarray of shape (n_columns,)
        Bits, in units, for the feature (its cost) and for its cuts.
    n_candidates : int
        The number of features that subsets are chosen from, beside those included.
    include : tuple of int
        Features that are in every subset.
    is_fixed : bool
        Whether these are all columns there can be: no feature can be cut otherwise.
    """

    columns: np.ndarray
    features: np.ndarray
    prices: np.ndarray
    n_candidates: int
    include: tuple[int, ...] = ()
    is_fixed: bool = True

    @cached_property
    def names(self) -> np.ndarray:
        """Return the bits, in units, that say which features a subset has beside those included, by their number."""
        n = self.n_candidates
        factorial = np.concatenate([[0.0], np.cumsum(np.log2(np.arange(1, n + 1)))])
        ways = factorial[n] - factorial - factorial[::-1]
        return np.rint(ways * UNIT).astype(np.int64)

    def price(self, subset: Columns) -> int:
        """Return the bits, in units, that naming a subset takes."""
        return int(self.names[len(subset) - len(self.include)] + self.prices[list(subset)].sum())

    @cached_property
    def _cheapest(self) -> np.ndarray:
        """Return the least that k features cost beside the included ones, by k."""
        free = [f for f in np.unique(self.features).tolist() if f not in self.include]
        least = np.sort([int(self.prices[self.features == f].min()) for f in free])
        return np.concatenate([[0], np.cumsum(least, dtype=np.int64)])[: len(self.names)]

    def least_price(self, n_chosen: int, spent: int, n_more: int = 1) -> int:
        """Return the least price of a subset of more features than ``n_chosen``, which cost ``spent``, by so many."""
        first = n_chosen + n_more
        last = min(len(self._cheapest), len(self.names))
        if first >= last:
            return 1 << 62
        return spent + int((self.names[first:last] + self._cheapest[n_more : n_more + last - first]).min())


@dataclass(frozen=True)
class Near:
    """A subset near the shortest description: its features, its length in bits, its probability among all seen, how."""

    subset: tuple[int, ...]
    length: float
    probability: float
    model: str = CELLS


@dataclass(frozen=True, eq=False)
class Description:
    """The subset with the shortest description that was found, and what is known about it.

    Attributes
    ----------
    subset : tuple of int
        The features, ascending.
    length, lower_bound : float
        The bits of its description, and of no other fewer than this.
    is_optimal : bool
    scores : ndarray of shape (n_features,)
        The bits that each feature saves, given the rest of the subset: the logarithm, to base 2, of a Bayes factor.
    alternatives : tuple of Near
        The subset and those near it, by probability.
    inclusion : ndarray of shape (n_features,)
        The probability that a feature is in the subset, over the same.
    history : tuple of dict
        One record for every improvement.
    n_subsets : int
        The subsets whose length was computed.
    columns : tuple of int
        The columns that stand for the features; none where the description is additive.
    stopped_by : str or None
    model : str
        Whether the classes are described by cells or by a sum. The bound is for descriptions by cells where these are
        the shortest, and for all where they are not.
    """

    subset: tuple[int, ...]
    length: float
    lower_bound: float
    is_optimal: bool
    scores: np.ndarray
    alternatives: tuple[Near, ...]
    inclusion: np.ndarray
    history: tuple[dict[str, Any], ...]
    n_subsets: int
    columns: Columns
    stopped_by: str | None = None
    model: str = CELLS

    @property
    def gap(self) -> float:
        """Return how much shorter, relatively, a better description could be."""
        return 0.0 if self.is_optimal else (self.length - self.lower_bound) / self.length


@dataclass(eq=False)
class DescriptionSearch:
    """A search for the shortest description; it can be stopped at any time and knows the best so far.

    Parameters
    ----------
    coded : Coded
    classes : ndarray of shape (n_rows,)
        Class numbers from 0.
    max_row_visits : float
        Rows that the proof may look at, a row counted for every subset that it is looked at for.
    recode : callable, optional
        Given a search and a subset, returns columns to add with better cuts, as a `Coded` of these alone.
    """

    coded: Coded
    classes: np.ndarray
    max_row_visits: float = 3e7
    recode: Callable[[DescriptionSearch, Columns], Coded | None] | None = None
    budget: Budget = field(default_factory=Budget)
    work: Work = field(default_factory=lambda: Work(KERNELS))

    def __post_init__(self) -> None:
        self.n_classes = int(self.classes.max(initial=0)) + 1
        self.prices = Prices.of(len(self.classes), self.n_classes)
        self.near: dict[Columns, int] = {}
        self.history: list[dict[str, Any]] = []
        self.n_subsets = 0
        self._partitions: dict[Columns, Cells] = {}
        self._extended: dict[Columns, np.ndarray] = {}
        self._is_complete = 0  # all subsets of up to so many features beside the included ones have been seen
        first = {int(f): c for c, f in reversed(list(enumerate(self.coded.features.tolist())))}
        self.root: Columns = tuple(sorted(first[f] for f in self.coded.include if f in first))
        self.best, self.shortest = self.root, 1 << 62
        self._floor = max(0, self._least())
        self.lower = self._floor + self.coded.least_price(0, self._spent(self.root), 0)
        self.look_at(self.root, self.length(self.root))

    # ------------------------------------------------------------------ lengths

    def cells(self, subset: Columns) -> Cells:
        """Return the cells of a subset; those of recent subsets are kept."""
        if not subset:
            return self._partitions.setdefault((), Cells.one(len(self.classes)))
        if subset not in self._partitions:
            if len(self._partitions) > 200:
                self._partitions.clear()
            self._partitions[subset] = self.cells(subset[:-1]).refined(self.coded.columns[subset[-1]].astype(np.int64))
        return self._partitions[subset]

    def length(self, subset: Columns) -> int:
        """Return the bits, in units, of a whole description: of the subset and of the classes."""
        self.n_subsets += 1
        return length_of(self.cells(subset), self.classes, self.prices)[0] + self.coded.price(subset)

    def extensions(self, subset: Columns) -> np.ndarray:
        """Return the length with every column added; those of features that are in the subset count as infinite."""
        if subset in self._extended:
            return self._extended[subset]
        self.budget.check(self._status)
        tried = np.flatnonzero(~np.isin(self.coded.features, self.coded.features[list(subset)]))
        lengths = np.full(len(self.coded.columns), 1 << 62, dtype=np.int64)
        k = len(subset) - len(self.coded.include) + 1
        if k < len(self.coded.names) and len(tried):
            found = lengths_with(self.coded.columns, self.classes, self.cells(subset), self.prices, tried, self.work)[0]
            lengths[tried] = (
                found + self.coded.prices[tried] + self.coded.names[k] + self.coded.prices[list(subset)].sum()
            )
            self.n_subsets += len(tried)
            self.look_at_many(subset, lengths)
        if len(self._extended) > 400:
            self._extended.clear()
        self._extended[subset] = lengths
        return lengths

    def look_at_many(self, subset: Columns, lengths: np.ndarray) -> None:
        """Take note of the best of the subsets with one column more."""
        worth = np.flatnonzero(lengths < min(self.shortest + NEAR, 1 << 61))
        for column in worth[np.argsort(lengths[worth], kind="stable")][:N_STARTS].tolist():
            self.look_at(_with(subset, column), int(lengths[column]))

    def look_at(self, subset: Columns, length: int) -> None:
        """Take note of a subset; among equals the smaller, and then the first in order, is the best."""
        if length < self.shortest + NEAR:
            self.near[subset] = length
            if len(self.near) > 2 * MOST_KEPT:
                kept = sorted(self.near, key=lambda one: (self.near[one], len(one), one))[:MOST_KEPT]
                self.near = {one: self.near[one] for one in kept}
        if (length, len(subset), subset) < (self.shortest, len(self.best), self.best):
            if length < self.shortest:
                shown = sorted(set(self.coded.features[list(subset)].tolist()))
                self.history.append({"subset": shown, "length": length / UNIT, "n_subsets": self.n_subsets})
            self.best, self.shortest = subset, length

    def _status(self) -> str:
        return f"{self.n_subsets:,} subsets: {self.shortest / UNIT:,.1f} bits with {len(self.best)} features"

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

    def _rounds(self) -> Iterator[Columns]:
        """Yield subsets to improve: the best that are built up, then the best with every two features beside it."""
        self.extensions(self.root)
        self._is_complete = 1 if self._covers_all() else 0
        starts = self._pairs(self.root, MOST_FOR_PAIRS)
        if self._floor + self.coded.least_price(0, self._spent(self.root), 3) < self.shortest:
            starts += self._triples()
        yield from self._beam(starts)
        seen: set[Columns] = set()
        while self.best not in seen:
            while self._recoded(self.best):
                yield self.best
            seen.add(self.best)
            if self.best != self.root and self._may_improve(self.best, 2):
                yield from self._pairs(self.best, MOST_FOR_TRIPLES)[:1]

    def _may_improve(self, subset: Columns, n_more: int = 1) -> bool:
        """Return whether the bound allows a subset with so many features more, or more, to be the shortest."""
        bound = max(self._floor, length_of(self.cells(subset), self.classes, self.prices)[1])
        n_chosen = len(subset) - len(self.coded.include)
        return bound + self.coded.least_price(n_chosen, self._spent(subset), n_more) < self.shortest

    def _covers_all(self) -> bool:
        """Return whether the columns are all that subsets can be made of, each feature with one."""
        return self.coded.is_fixed and len(np.unique(self.coded.features)) == len(self.coded.features)

    def _beam(self, starts: Iterable[Columns]) -> list[Columns]:
        """Extend the best subsets of every size side by side; return the best few of all."""
        by_size: dict[int, set[Columns]] = {len(self.root): {self.root}}
        for start in starts:
            by_size.setdefault(len(start), set()).add(start)
        size, idle, shortest = len(self.root), 0, self.shortest
        while size in by_size or size < max(by_size):
            kept = heapq.nsmallest(BEAM, by_size.get(size, ()), key=lambda one: (self._known(one), one))
            longer = by_size.setdefault(size + 1, set())
            for subset in filter(self._may_improve, kept):
                lengths = self.extensions(subset)
                best = np.argsort(lengths, kind="stable")[:BEAM]
                longer.update(_with(subset, c) for c in best.tolist() if lengths[c] < 1 << 61)
                for c in best.tolist():
                    self.near.setdefault(_with(subset, c), int(lengths[c]))
            idle = 0 if self.shortest < shortest or size <= len(self.root) else idle + 1
            shortest = self.shortest
            size += 1
            if not longer or (idle > PATIENCE and size >= max(by_size)):
                break
        return sorted(self.near, key=lambda one: (self.near[one], len(one), one))[:3]

    def _known(self, subset: Columns) -> int:
        return self.near[subset] if subset in self.near else self.length(subset)

    def _climb(self, subset: Columns) -> None:
        """Add, drop or exchange a feature as long as the description becomes shorter."""
        length = self._known(subset)
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
        lengths = self.extensions(subset)
        if not len(lengths):
            return 1 << 62, subset
        column = int(lengths.argmin())
        return int(lengths[column]), _with(subset, column)

    def _drops(self, subset: Columns) -> list[tuple[int, Columns]]:
        """Return the subset without each of its features, but for those included."""
        found = []
        for column in subset:
            if int(self.coded.features[column]) not in self.coded.include:
                smaller = _without(subset, column)
                found.append((self._known(smaller), smaller))
                self.look_at(smaller, found[-1][0])
        return found

    def _recut(self, subset: Columns) -> list[tuple[int, Columns]]:
        """Return the subset with every other column of each included feature, which is exchanged for no other."""
        found = []
        for column in subset:
            feature = int(self.coded.features[column])
            if feature in self.coded.include:
                others = np.flatnonzero(self.coded.features == feature)
                for other in others[others != column].tolist():
                    renewed = _with(_without(subset, column), other)
                    found.append((self._known(renewed), renewed))
                    self.look_at(renewed, found[-1][0])
        return found

    # ------------------------------------------------------------------ pairs and triples

    def _pairs(self, base: Columns, most: float) -> list[Columns]:
        """Look at every two columns beside a subset, and return the best, those of two ways of cutting apart."""
        found = []
        for columns in self._layers(base):
            kept = self._affordable(columns, base, most)
            if len(kept) < 2:
                continue
            planes = Planes.of(self.coded.columns[kept], self.classes, self.cells(base))
            found += self._best_pairs(planes, kept, base)
            if len(kept) == len(self.coded.columns) and self._covers_all() and base == self.root:
                self._is_complete = 2
        return found

    def _layers(self, base: Columns) -> list[np.ndarray]:
        """Return sets of columns, one of each feature not in the subset: the first, the second way of cutting it."""
        counts = np.zeros(int(self.coded.features.max(initial=-1)) + 1, dtype=np.int64)
        taken = set(self.coded.features[list(base)].tolist())
        layers: list[list[int]] = []
        for column, feature in enumerate(self.coded.features.tolist()):
            if feature not in taken and int(self.coded.columns[column].max()) < MOST_VALUES:
                place = int(counts[feature])
                counts[feature] += 1
                if place == len(layers):
                    layers.append([])
                layers[place].append(column)
        single = [column for column in (layers[0] if layers else []) if counts[self.coded.features[column]] == 1]
        return [np.array(sorted({*layer, *single}), dtype=np.intp) for layer in layers[:2]]

    def _affordable(self, columns: np.ndarray, base: Columns, most: float) -> np.ndarray:
        """Return the columns, or as many as their pairs can be counted of: those that save most alone."""
        order = np.argsort(self.extensions(base)[columns], kind="stable")
        cost = self._pair_cost(columns[order], len(self.cells(base).starts) - 1)
        return np.sort(columns[order[: int(np.searchsorted(cost, most, side="right"))]])

    def _pair_cost(self, columns: np.ndarray, n_cells: int) -> np.ndarray:
        """Return the predicted nanoseconds for all pairs of the first k columns, by k - 1."""
        n_segments = n_cells * self.n_classes
        n_words = len(self.classes) / 64 + n_segments
        widths = self.coded.columns[columns].max(axis=1, initial=0).astype(np.float64)
        counted, cells = np.cumsum(widths) ** 2 / 2, np.cumsum(widths + 1) ** 2 / 2
        return PER_WORD * n_words * counted + PER_CELL * n_segments * cells

    def _best_pairs(self, planes: Planes, columns: np.ndarray, base: Columns) -> list[Columns]:
        """Return the best pairs of columns beside a subset."""
        size = len(base) - len(self.coded.include) + 2
        if size >= len(self.coded.names):
            return []
        prices = self.coded.prices[columns]
        fixed = int(self.coded.names[size] + self.coded.prices[list(base)].sum())
        best: list[tuple[int, int, int]] = []
        step = max(1, PAIRS_AT_A_TIME // len(columns))
        for start in range(0, len(columns), step):
            self.budget.check(self._status)
            part = range(start, min(start + step, len(columns)))
            lengths = lengths_of_pairs(planes, self.prices, part, self.work)
            lengths = lengths + (fixed + prices[part.start : part.stop, None] + prices)
            lengths[np.arange(len(columns)) <= np.array(part)[:, None]] = 1 << 62
            n_kept = min(N_STARTS, lengths.size)
            chosen = np.argpartition(lengths, n_kept - 1, axis=None)[:n_kept] if n_kept else np.empty(0, dtype=np.intp)
            places = np.column_stack(np.unravel_index(chosen, lengths.shape)).tolist()
            best += [(int(lengths[a, b]), a + start, b) for a, b in places]
            self.n_subsets += len(part) * len(columns) - sum(part) - len(part)
        found = []
        for length, i, j in sorted(best)[:N_STARTS]:
            if length < 1 << 61:
                subset = _with(_with(base, int(columns[i])), int(columns[j]))
                self.look_at(subset, length)
                self.near.setdefault(subset, length)
                found.append(subset)
        return found

    def _triples(self) -> list[Columns]:
        """Look at every three columns, where there are few enough, and else at those with one of the best alone.

        Where there are still fewer, at every four as well: a parity of four shows in nothing less.
        """
        found: list[Columns] = []
        for columns in self._layers(self.root):
            if len(columns) < 3:
                continue
            n_values = 1 + int(self.coded.columns[columns].max())
            cost = n_values * float(self._pair_cost(columns, len(self.cells(self.root).starts) - 1)[-1])
            n_bases = len(columns) if cost * len(columns) / 3 <= MOST_FOR_TRIPLES else int(MOST_FOR_TRIPLES / cost)
            order = np.argsort(self.extensions(self.root)[columns], kind="stable")
            planes = Planes.of(self.coded.columns[columns], self.classes, self.cells(self.root))
            found += self._beside_one(planes, columns, order[:n_bases])
            if (n_values * cost / 12 + PER_BASE / 2) * len(columns) ** 2 <= MOST_FOR_TRIPLES:
                found += self._beside_two(planes, columns)
        return sorted(set(found), key=lambda one: (self._known(one), one))[:N_STARTS]

    def _beside_one(self, planes: Planes, columns: np.ndarray, bases: np.ndarray) -> list[Columns]:
        """Return the best triples that have one of the bases, given by places among the columns."""
        found = []
        for k, base in enumerate(bases.tolist()):
            rest = np.setdiff1d(np.arange(len(columns)), bases[: k + 1])  # those with an earlier base have been seen
            if len(rest) > 1:
                beside = _within(planes, base, rest)
                found += self._best_pairs(beside, columns[rest], _with(self.root, int(columns[base])))
        return found

    def _beside_two(self, planes: Planes, columns: np.ndarray) -> list[Columns]:
        """Return the best subsets of four columns: every two, and then every two after them."""
        found = []
        for i in range(len(columns) - 3):
            beside = _within(planes, i, np.arange(i + 1, len(columns)))
            for j in range(i + 1, len(columns) - 2):
                rest = np.arange(j + 1, len(columns))
                base = _with(_with(self.root, int(columns[i])), int(columns[j]))
                found += self._best_pairs(_within(beside, j - i - 1, rest - i - 1), columns[rest], base)
        return found

    # ------------------------------------------------------------------ cuts

    def _recoded(self, subset: Columns) -> bool:
        """Cut the numeric features of a subset again, in each other's company; return whether that is shorter."""
        more = None if self.recode is None else self.recode(self, subset)
        if more is None:
            return False
        self.coded = Coded(
            np.concatenate([self.coded.columns, more.columns.astype(self.coded.columns.dtype)]),
            np.concatenate([self.coded.features, more.features]),
            np.concatenate([self.coded.prices, more.prices]),
            self.coded.n_candidates,
            self.coded.include,
            self.coded.is_fixed,
        )
        self._extended.clear()
        n_known = len(self.coded.columns) - len(more.columns)
        by_feature = {int(f): n_known + k for k, f in enumerate(more.features.tolist())}
        renewed = tuple(sorted(by_feature.get(int(self.coded.features[c]), c) for c in subset))
        before = self.shortest
        self.look_at(renewed, self.length(renewed))
        return self.shortest < before

    # ------------------------------------------------------------------ the proof

    def _spent(self, subset: Columns) -> int:
        return int(self.coded.prices[list(subset)].sum())

    def _least(self) -> int:
        """Return a length of the classes below which no subset leads, whatever it costs."""
        cells = self.cells(self.root if self.coded.is_fixed else ())
        pure = length_of(cells, self.classes, self.prices)[1]
        return max(pure, least_length(self.coded.columns, self.classes)) if self.coded.is_fixed else pure

    def _prove(self) -> None:
        """Look for shorter descriptions among all subsets, the most promising first, until none can be left."""
        spent = self._spent(self.root)
        self.lower = min(self.shortest, self._floor + self.coded.least_price(0, spent, self._is_complete + 1))
        if self.lower >= self.shortest or not self._covers_all():
            return
        # An entry: no description of a subset that has these columns and some after them is shorter than the first.
        lower = self._floor + self.coded.least_price(0, spent)
        open_nodes: list[tuple[int, Columns, int]] = [(lower, self.root, 0)]
        n_visits = 0.0
        while open_nodes and open_nodes[0][0] < self.shortest:
            self.lower = max(self.lower, min(open_nodes[0][0], self.shortest))
            bound, subset, start = heapq.heappop(open_nodes)
            rest = np.arange(start, len(self.coded.columns))
            rest = rest[~np.isin(rest, self.root)]
            n_visits += (len(rest) + VISITS_PER_NODE) * len(self.classes)
            if n_visits > self.max_row_visits:
                heapq.heappush(open_nodes, (bound, subset, start))
                return
            self.budget.check(self._status)
            for node in self._children(subset, rest):
                heapq.heappush(open_nodes, node)
        self.lower = self.shortest

    def _children(self, subset: Columns, rest: np.ndarray) -> Iterator[tuple[int, Columns, int]]:
        """Look at a subset with each of the columns, and yield those whose own extensions may be shorter."""
        n_chosen = len(subset) - len(self.coded.include)
        if n_chosen + 1 >= len(self.coded.names) or not len(rest):
            return
        lengths, bounds = lengths_with(
            self.coded.columns, self.classes, self.cells(subset), self.prices, rest, self.work
        )
        self.n_subsets += len(rest)
        spent = self._spent(subset) + self.coded.prices[rest]
        lengths += self.coded.names[n_chosen + 1] + spent
        whole = np.full(len(self.coded.columns), 1 << 62, dtype=np.int64)
        whole[rest] = lengths
        self.look_at_many(subset, whole)
        more = self.coded.least_price(n_chosen + 1, 0)
        bounds = np.maximum(bounds, self._floor) + spent + more
        for k in np.flatnonzero(bounds < self.shortest).tolist():
            yield int(bounds[k]), _with(subset, int(rest[k])), int(rest[k]) + 1

    # ------------------------------------------------------------------ the answer

    def stopped(self, stopped_by: str | None) -> Description:
        """Return what is known by now, and what ended the search."""
        n_features = int(max([*self.coded.features.tolist(), *self.coded.include, -1])) + 1
        alternatives = self._alternatives()
        inclusion = np.zeros(n_features)
        for near in alternatives:
            inclusion[list(near.subset)] += near.probability
        lower = min(self.lower, self.shortest)
        return Description(
            self._features_of(self.best),
            self.shortest / UNIT,
            lower / UNIT,
            lower == self.shortest,
            self._scores(n_features),
            alternatives,
            np.minimum(inclusion, 1.0),
            tuple(self.history),
            self.n_subsets,
            self.best,
            stopped_by,
        )

    def _features_of(self, subset: Columns) -> tuple[int, ...]:
        return tuple(sorted(self.coded.features[list(subset)].tolist()))

    def _alternatives(self) -> tuple[Near, ...]:
        """Return the subsets near the best by probability; of those with the same features the best cut counts."""
        shortest: dict[tuple[int, ...], int] = {}
        for subset, length in self.near.items():
            features = self._features_of(subset)
            if length < self.shortest + NEAR:
                shortest[features] = min(length, shortest.get(features, length))
        weights = {features: 2.0 ** ((self.shortest - length) / UNIT) for features, length in shortest.items()}
        total = sum(sorted(weights.values()))
        order = sorted(shortest, key=lambda one: (shortest[one], len(one), one))
        best = self._features_of(self.best)
        order = [best, *(one for one in order if one != best)]
        return tuple(Near(one, shortest[one] / UNIT, weights[one] / total) for one in order)

    def _scores(self, n_features: int) -> np.ndarray:
        """Return the bits that each feature saves beside the rest of the best subset."""
        scores = np.zeros(n_features)
        self.budget = Budget()  # one more pass, whatever stopped the search
        lengths = self.extensions(self.best)
        for column in np.flatnonzero(lengths < 1 << 61).tolist():
            feature, saved = self.coded.features[column], (self.shortest - int(lengths[column])) / UNIT
            is_first = scores[feature] == 0
            scores[feature] = saved if is_first else max(scores[feature], saved)
        for column in self.best:
            smaller = _without(self.best, column)
            is_included = int(self.coded.features[column]) in self.coded.include
            without = self.length(smaller) if not is_included else self._length_without_included(smaller)
            scores[self.coded.features[column]] = (without - self.shortest) / UNIT
        return scores

    def _length_without_included(self, smaller: Columns) -> int:
        """Return the length without a feature that must be included, whose name costs nothing."""
        self.n_subsets += 1
        n_free = len(smaller) - len(self.coded.include) + 1
        classes = length_of(self.cells(smaller), self.classes, self.prices)[0]
        return classes + int(self.coded.names[n_free]) + self._spent(smaller)


def _with(subset: Columns, column: int) -> Columns:
    return tuple(sorted((*subset, column)))


def _without(subset: Columns, column: int) -> Columns:
    return tuple(other for other in subset if other != column)


def _within(planes: Planes, column: int, others: Sequence[int] | np.ndarray) -> Planes:
    """Return the planes of other columns with the rows divided once more, by the values of a column.

    A segment becomes one for each value, with the bits of all other rows 0, which count for nothing.
    """
    values = range(planes.first[column], planes.first[column + 1])
    chosen = np.concatenate([np.arange(planes.first[other], planes.first[other + 1]) for other in others])
    n_words = planes.bits.shape[1]
    bits = np.concatenate([planes.bits[chosen] & planes.bits[value] for value in values], axis=1)
    segments = np.concatenate([planes.segments[:-1] + k * n_words for k in range(len(values))])
    widths = np.diff(planes.first)[others]
    return Planes(
        np.ascontiguousarray(bits),
        np.concatenate([[0], np.cumsum(widths)]),
        np.concatenate([segments, [len(values) * n_words]]),
        planes.n_classes,
    )
