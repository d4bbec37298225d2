"""Features that matter only together: all pairs of columns beside a subset, and all triples of as many as time allows.

An exclusive or shows in none of its features alone, so that no step that adds one feature can begin to find it. The
rows of two values at once are counted by popcount, which looks at all pairs of thousands of Boolean columns in seconds.

Pairs that save more together than both do alone matter together, whatever else the classes depend on: `interplay`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from fewest.cover.described_subsets import NEAR, DescribedSubsets
from fewest.cover.description import INFINITE, Coded, Columns, with_column
from fewest.cover.kernels.description import Planes, length_of, lengths_of_pairs, lengths_with, n_powers_of

# The best pairs and triples that searches start from, and the pairs that are kept for what they save together.
N_STARTS, N_INTERPLAY = 32, 16
# Values of a column that takes part in the counting of all pairs; its pairs have up to the square of it in cells.
MOST_VALUES = 16
# Nanoseconds that all pairs, and all triples, may take compiled code, and what a word, a cell and a base take it.
MOST_FOR_PAIRS, MOST_FOR_TRIPLES = 5e9, 1e9
PER_WORD, PER_CELL, PER_BASE = 0.7, 5.0, 2e6
# Pairs that are scored before the clock is looked at.
PAIRS_AT_A_TIME = 1 << 19


class JointFeatures:
    """The best of the subsets with two features more, or three or four.

    Parameters
    ----------
    known : DescribedSubsets
        Takes note of what is found.
    """

    def __init__(self, known: DescribedSubsets):
        self.known = known
        self.root = known.root
        self.has_all_pairs = False  # whether all pairs beside the included features have been seen
        self.interplay: list[tuple[int, int]] = []  # features that save most together, beyond what both save alone

    @property
    def coded(self) -> Coded:
        """Return the columns, to which some may have been added."""
        return self.known.coded

    def pairs(self, base: Columns, most: float) -> list[Columns]:
        """Look at every two columns beside a subset, and return the best, those of two ways of cutting apart."""
        found = []
        for number, columns in enumerate(self._layers(base)):
            kept = self._affordable(columns, base, most)
            if len(kept) < 2:
                continue
            planes = Planes.of(self.coded.columns[kept], self.known.rows, self.known.cells(base))
            alone = self._alone(self.coded, kept) if base == self.root and number == 0 else None
            found += self._best_pairs(planes, kept, base, alone)
            if len(kept) == len(self.coded.columns) and self.coded.covers_all and base == self.root:
                self.has_all_pairs = True
        return found

    def finest_pairs(self, finest: Coded, keep: Callable[[Coded, np.ndarray], Coded], most: float) -> list[Columns]:
        """Look at every two of the finest columns, and return the best, whose columns subsets may have from now on.

        Those that come near to paying are kept: cut again in company, they may.
        """
        few = np.flatnonzero(finest.columns.max(axis=1, initial=0) < MOST_VALUES)
        few = few[~np.isin(finest.features[few], self.coded.include)]
        alone = self._alone(finest, few)
        order = np.argsort(alone, kind="stable")
        cost = self._pair_cost(finest.columns[few[order]], len(self.known.cells(self.root).starts) - 1)
        chosen = np.sort(order[: int(np.searchsorted(cost, most, side="right"))])
        if len(chosen) < 2 or len(self.coded.names) < 3:
            return []
        kept = few[chosen]
        planes = Planes.of(finest.columns[kept], self.known.rows, self.known.cells(self.root))
        fixed = int(self.coded.names[2] + self.coded.spent(self.root))
        best, together = self._shortest_pairs(planes, finest.prices[kept], fixed, alone[chosen])
        self.interplay = [(int(finest.features[kept[i]]), int(finest.features[kept[j]])) for i, j in together]
        best = [one for one in best if one[0] < self.known.known_length(self.root) + NEAR]
        used = np.unique([place for _, i, j in best for place in (i, j)]).astype(np.intp)
        first = len(self.coded.columns)
        self.known.add_columns(keep(finest, kept[used]))
        number = {int(place): first + k for k, place in enumerate(used)}
        renumbered = [(length, (number[i], number[j])) for length, i, j in best]
        return self._noted(renumbered, self.root)

    def _alone(self, coded: Coded, columns: np.ndarray) -> np.ndarray:
        """Return the bits of the classes with each column beside the included features, its price with them."""
        cells, prices = self.known.cells(self.root), self.known.prices
        found = lengths_with(coded.columns, self.known.rows, cells, prices, columns, self.known.work)[0]
        return found + coded.prices[columns]

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
        order = np.argsort(self.known.extensions(base)[columns], kind="stable")
        cost = self._pair_cost(self.coded.columns[columns[order]], len(self.known.cells(base).starts) - 1)
        return np.sort(columns[order[: int(np.searchsorted(cost, most, side="right"))]])

    def _pair_cost(self, columns: np.ndarray, n_cells: int) -> np.ndarray:
        """Return the predicted nanoseconds for all pairs of the first k columns, by k - 1."""
        rows = self.known.rows
        n_segments = n_cells * rows.n_classes * n_powers_of(rows)
        n_words = int(np.bitwise_count(rows.copies).sum()) / 64 + n_segments
        widths = columns.max(axis=1, initial=0).astype(np.float64)
        counted, cells = np.cumsum(widths) ** 2 / 2, np.cumsum(widths + 1) ** 2 / 2
        return PER_WORD * n_words * counted + PER_CELL * n_segments * cells

    def _best_pairs(
        self, planes: Planes, columns: np.ndarray, base: Columns, alone: np.ndarray | None = None
    ) -> list[Columns]:
        """Return the best pairs of columns beside a subset; those that save most together become the interplay."""
        size = len(base) - len(self.coded.include) + 2
        if size >= len(self.coded.names):
            return []
        fixed = int(self.coded.names[size] + self.coded.spent(base))
        best, together = self._shortest_pairs(planes, self.coded.prices[columns], fixed, alone)
        if alone is not None:
            features = self.coded.features[columns]
            self.interplay = [(int(features[i]), int(features[j])) for i, j in together]
        return self._noted([(length, (int(columns[i]), int(columns[j]))) for length, i, j in best], base)

    def _shortest_pairs(
        self, planes: Planes, prices: np.ndarray, fixed: int, alone: np.ndarray | None
    ) -> tuple[list[tuple[int, int, int]], list[tuple[int, int]]]:
        """Return the shortest pairs, with lengths, and, given the bits of each alone, those that save most beyond.

        What saves nothing alone counts as none at all there: two columns of noise do not matter together because each
        costs more than both.
        """
        n_columns = planes.n_columns
        without = length_of(self.known.cells(self.root), self.known.rows, self.known.prices)[0]
        best: list[tuple[int, int, int]] = []
        together: list[tuple[int, int, int]] = []
        step = max(1, PAIRS_AT_A_TIME // n_columns)
        for start in range(0, n_columns, step):
            self.known.budget.check(self.known.status)
            part = range(start, min(start + step, n_columns))
            lengths = lengths_of_pairs(planes, self.known.prices, part, self.known.work)
            lengths = lengths + (fixed + prices[part.start : part.stop, None] + prices)
            lengths[np.arange(n_columns) <= np.array(part)[:, None]] = INFINITE
            best += _least(lengths, start, N_STARTS)
            if alone is not None:
                saved = np.minimum(alone, without)
                together += _least(lengths - saved[part.start : part.stop, None] - saved, start, N_INTERPLAY)
            self.known.n_subsets += len(part) * n_columns - sum(part) - len(part)
        best = [one for one in sorted(best)[:N_STARTS] if one[0] < 1 << 61]
        return best, [(i, j) for length, i, j in sorted(together)[:N_INTERPLAY] if length < 1 << 60]

    def _noted(self, pairs: Iterable[tuple[int, tuple[int, int]]], base: Columns) -> list[Columns]:
        """Take note of pairs of columns beside a subset, and return them with it."""
        found = []
        for length, (i, j) in pairs:
            subset = with_column(with_column(base, i), j)
            self.known.look_at(subset, length)
            self.known.near.setdefault(subset, length)
            found.append(subset)
        return found

    def triples(self) -> list[Columns]:
        """Look at every three columns, where there are few enough, and else at those with one of the best alone.

        Where there are still fewer, at every four as well: a parity of four shows in nothing less.
        """
        found: list[Columns] = []
        for columns in self._layers(self.root):
            if len(columns) < 3:
                continue
            n_values = 1 + int(self.coded.columns[columns].max())
            n_cells = len(self.known.cells(self.root).starts) - 1
            cost = n_values * float(self._pair_cost(self.coded.columns[columns], n_cells)[-1])
            n_bases = len(columns) if cost * len(columns) / 3 <= MOST_FOR_TRIPLES else int(MOST_FOR_TRIPLES / cost)
            order = np.argsort(self.known.extensions(self.root)[columns], kind="stable")
            planes = Planes.of(self.coded.columns[columns], self.known.rows, self.known.cells(self.root))
            found += self._beside_one(planes, columns, order[:n_bases])
            if (n_values * cost / 12 + PER_BASE / 2) * len(columns) ** 2 <= MOST_FOR_TRIPLES:
                found += self._beside_two(planes, columns)
        return sorted(set(found), key=lambda one: (self.known.known_length(one), one))[:N_STARTS]

    def _beside_one(self, planes: Planes, columns: np.ndarray, bases: np.ndarray) -> list[Columns]:
        """Return the best triples that have one of the bases, given by places among the columns."""
        found = []
        for k, base in enumerate(bases.tolist()):
            rest = np.setdiff1d(np.arange(len(columns)), bases[: k + 1])  # those with an earlier base have been seen
            if len(rest) > 1:
                beside = _within(planes, base, rest)
                found += self._best_pairs(beside, columns[rest], with_column(self.root, int(columns[base])))
        return found

    def _beside_two(self, planes: Planes, columns: np.ndarray) -> list[Columns]:
        """Return the best subsets of four columns: every two, and then every two after them."""
        found = []
        for i in range(len(columns) - 3):
            beside = _within(planes, i, np.arange(i + 1, len(columns)))
            for j in range(i + 1, len(columns) - 2):
                rest = np.arange(j + 1, len(columns))
                base = with_column(with_column(self.root, int(columns[i])), int(columns[j]))
                found += self._best_pairs(_within(beside, j - i - 1, rest - i - 1), columns[rest], base)
        return found


def _least(lengths: np.ndarray, start: int, n: int) -> list[tuple[int, int, int]]:
    """Return the least entries of a matrix with their rows, from ``start``, and columns."""
    n_kept = min(n, lengths.size)
    chosen = np.argpartition(lengths, n_kept - 1, axis=None)[:n_kept] if n_kept else np.empty(0, dtype=np.intp)
    places = np.column_stack(np.unravel_index(chosen, lengths.shape)).tolist()
    return [(int(lengths[a, b]), a + start, b) for a, b in places]


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
        planes.n_powers,
    )
