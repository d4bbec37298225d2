"""FOCUS-1: try all subsets by increasing size.

Almuallim and Dietterich (1994), section 5.3. Inside one size the order is
lexicographic. A subset shares the work of its prefix with all subsets that
begin alike, and all last features of a prefix are tested together; the tests
are counted as if made one by one.
"""

from __future__ import annotations

from math import comb
from typing import Any, Protocol

import numpy as np

from fewest.budget import INTERRUPT, TIME_LIMIT, Budget, OutOfBudgetError
from fewest.cover.examples import Answer, Coverage
from fewest.cover.greedy import irreducible_subset
from fewest.cover.kernels.conflicts import minimal
from fewest.cover.sample import Sample
from fewest.kernels import bits
from fewest.kernels.compile_or_not import Work
from fewest.kernels.partition import in_mixed_groups, mixed_pairs, refine

# What a test takes NumPy, its share of the prefix included, and what more for every cell.
NANOSECONDS, NANOSECONDS_PER_CELL = 20_000.0, 20.0
# Rows that compiled code may visit between two looks at the clock: some tenths of a second.
ROWS_PER_CALL = 50_000_000

# Keys to test all last features of a prefix at once; past this, one after the other.
MOST_KEYS = 1 << 22

State = tuple[np.ndarray, np.ndarray]


def focus1(sample: Sample, budget: Budget | None = None) -> Answer:
    """Find the lexicographically first of the smallest sufficient subsets."""
    if sample.needs_no_feature:
        return Answer.from_tests((), [1], lower_bound=0)
    search = _Search(sample, budget or Budget())
    try:
        return search.run()
    except OutOfBudgetError:
        return search.stopped(TIME_LIMIT)
    except KeyboardInterrupt:
        return search.stopped(INTERRUPT)


class _Search:
    """The state of one run, so that an interrupted one knows how far it came."""

    def __init__(self, sample: Sample, budget: Budget):
        self.sample = sample
        self.budget = budget
        self.work = Work("fewest.cover.kernels.subsets")
        self.tests = [1]  # of the subsets of each size; the empty set's was made already

    def run(self) -> Answer:
        tester = self._tester()
        for size in range(1, self.sample.n_features + 1):
            self.tests.append(0)
            if isinstance(tester, _Partitioning) and self._compiles(size):
                subset = self._compiled_level()
            else:
                subset = self._level(tester, tester.root, (), size)
            if subset is not None:
                return Answer.from_tests(subset, self.tests, lower_bound=len(subset))
        raise AssertionError("All features together separate every pair of cells.")  # pragma: no cover

    def _compiles(self, size: int) -> bool:
        """Return whether compiled code should test all subsets of a size."""
        n_tests = min(comb(self.sample.n_features, size), 1 << 62)
        return self.work.compiles(n_tests, NANOSECONDS + NANOSECONDS_PER_CELL * len(self.sample.cell_labels))

    def _tester(self) -> _Tester:
        if self.sample.is_tolerant:
            return _Tolerating(self.sample.coverage(self.budget), self.sample.max_uncovered)
        return _Covering(self.sample, self.budget) if self.sample.is_pairwise else _Partitioning(self.sample)

    def _level(self, tester: _Tester, state: Any, prefix: tuple[int, ...], remaining: int) -> tuple[int, ...] | None:
        """Test the subsets that extend ``prefix`` by ``remaining`` later features."""
        start = prefix[-1] + 1 if prefix else 0
        if remaining == 1:
            self.budget.check(self._status)
            completing = np.flatnonzero(tester.completes(state, start))
            if len(completing):
                self.tests[-1] += int(completing[0]) + 1
                return (*prefix, start + int(completing[0]))
            self.tests[-1] += self.sample.n_features - start
            return None
        for feature in range(start, self.sample.n_features - remaining + 1):
            subset = self._level(tester, tester.extend(state, feature), (*prefix, feature), remaining - 1)
            if subset is not None:
                return subset
        return None

    def _compiled_level(self) -> tuple[int, ...] | None:
        """Test the subsets of one size in compiled code, some at a time."""
        from fewest.cover.kernels.subsets import scan_subsets

        columns = np.ascontiguousarray(self.sample.cell_codes.T)
        most_tests = max(1, ROWS_PER_CALL // columns.shape[1])
        subset = np.arange(len(self.tests) - 1)
        n_tests, is_found, is_done = 0, False, False
        while not (is_found or is_done):
            self.budget.check(self._status)
            n_tests, is_found, is_done = scan_subsets(columns, self.sample.cell_labels, subset, most_tests)
            self.tests[-1] += n_tests
        return tuple(subset.tolist()) if is_found else None

    def _status(self) -> str:
        return f"FOCUS-1: subsets of {len(self.tests) - 1} features, {sum(self.tests):,} tests"

    def stopped(self, reason: str) -> Answer:
        subset = irreducible_subset(self.sample)
        return Answer.from_tests(subset, self.tests, lower_bound=max(1, len(self.tests) - 1), stopped_by=reason)


class _Tester(Protocol):
    """Tests all subsets with a common prefix, of which it keeps a state, for the price of one."""

    @property
    def root(self) -> Any:
        """The state of the empty prefix."""

    def extend(self, state: Any, feature: int) -> Any:
        """Return the state of the prefix with one more feature."""

    def completes(self, state: Any, start: int) -> np.ndarray:
        """Return for each feature from ``start`` on whether it makes the prefix sufficient."""


class _Partitioning:
    """Sufficiency by partition (Figure 1): the state of a prefix is the mixed rows and their groups."""

    def __init__(self, sample: Sample):
        self.codes = sample.cell_codes
        self.labels = sample.cell_labels
        self.n_values = int(self.codes.max(initial=0)) + 1
        self.root = (np.arange(len(self.codes)), np.zeros(len(self.codes), dtype=np.int64))

    def extend(self, state: State, feature: int) -> State:
        rows, groups = state
        groups = refine(groups, self.codes[rows, feature])
        mixed = in_mixed_groups(groups, self.labels[rows])
        return rows[mixed], groups[mixed]

    def completes(self, state: State, start: int) -> np.ndarray:
        """Test all last features in a few passes.

        Every (feature, group, value) remembers the label of one of its rows;
        a row with another label shows that feature to be insufficient.
        """
        rows, groups = state
        n_features = self.codes.shape[1] - start
        n_keys = (int(groups.max(initial=0)) + 1) * self.n_values
        if n_keys * n_features > MOST_KEYS:
            return np.array([self._completes_alone(state, feature) for feature in range(start, start + n_features)])
        keys = groups[:, None] * self.n_values + self.codes[rows, start:]
        keys += np.arange(n_features) * n_keys
        remembered = np.empty(n_features * n_keys, dtype=np.int64)
        labels = np.broadcast_to(self.labels[rows, None], keys.shape)
        remembered[keys] = labels
        return (remembered[keys] == labels).all(axis=0)

    def _completes_alone(self, state: State, feature: int) -> bool:
        rows, groups = state
        return not len(mixed_pairs(refine(groups, self.codes[rows, feature]), self.labels[rows])[0])


class _Covering:
    """Sufficiency by conflicts, for values that separate nothing: the state of a prefix is what it leaves uncovered."""

    def __init__(self, sample: Sample, budget: Budget):
        conflicts = sample.conflicts(budget)
        conflicts = conflicts.take(minimal(conflicts.words, lambda: budget.check(lambda: "reducing conflicts")))
        self.covered = bits.pack(bits.unpack(conflicts.words, conflicts.n_features).T)  # conflicts' words x features
        self.root = bits.mask(range(len(conflicts)), len(conflicts))

    def extend(self, state: np.ndarray, feature: int) -> np.ndarray:
        return state & ~self.covered[:, feature]

    def completes(self, state: np.ndarray, start: int) -> np.ndarray:
        return ~(state[:, None] & ~self.covered[:, start:]).any(axis=0)


class _Tolerating:
    """Sufficiency up to a maximum of uncovered pairs: the state of a prefix is what it leaves uncovered."""

    def __init__(self, coverage: Coverage, max_uncovered: int):
        self.max_uncovered = max_uncovered
        self.root = coverage

    def extend(self, state: Coverage, feature: int) -> Coverage:
        return state.extended(feature)

    def completes(self, state: Coverage, start: int) -> np.ndarray:
        return state.uncovered_after()[start:] <= self.max_uncovered
