"""FOCUS-2: branch only on the features that some uncovered conflict demands.

Almuallim and Dietterich (1994), section 5.3 and Figure 2. The step numbers
below are the figure's.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fewest.budget import INTERRUPT, MEMORY_LIMIT, TIME_LIMIT, Budget, OutOfBudgetError
from fewest.cover.answer import Answer
from fewest.cover.incumbent import irreducible_subset
from fewest.cover.kernels.conflicts import Conflicts
from fewest.cover.sample import DEFAULT_MAX_MEMORY, Sample
from fewest.cover.search_tree import ROOT, SearchTree
from fewest.kernels import bits

# What a node of the tree takes: its parent, its feature, its first child.
BYTES_PER_NODE = 24


def focus2(
    sample: Sample,
    budget: Budget | None = None,
    *,
    keep_tree: bool = False,
    max_memory: float = DEFAULT_MAX_MEMORY,
) -> Answer:
    """Find a smallest sufficient subset by breadth-first search over spaces of subsets.

    The document leaves two orders open; here the first conflict generated
    wins a tie in step 4.3, and step 4.4 goes by ascending feature, which
    reproduces the document's Figure 3.
    """
    if sample.needs_no_feature:  # step 1 is the test of the empty set
        return Answer.from_tests((), [1], lower_bound=0)
    search = _Search(sample, budget or Budget(), max_memory, keep_tree)
    try:
        answer = search.run()
    except OutOfBudgetError:
        answer = search.stopped(TIME_LIMIT)
    except KeyboardInterrupt:
        answer = search.stopped(INTERRUPT)
    return replace(answer, tree=search.tree_of_rows()) if keep_tree else answer


class _Search:
    """The state of one run, so that an interrupted one can say how far it came."""

    def __init__(self, sample: Sample, budget: Budget, max_memory: float, keep_tree: bool):
        self.sample = sample
        self.budget = budget
        self.max_memory = max_memory
        self.keep_tree = keep_tree
        self.tree = SearchTree()
        self.tests = [1, 0]  # of the subsets of each size; the empty set's was step 1
        # Pairs that may stay, of those that can be separated.
        self.slack = sample.allowance - sample.n_contradictions if sample.is_tolerant else 0

    def run(self) -> Answer:
        conflicts = self.sample.conflicts(self.budget, self.max_memory)  # step 2
        node = ROOT  # steps 3 and 4.1: the queue is the tree's own order
        while not self._expand(node, conflicts):
            self.budget.check(self._status)
            if len(self.tree) * BYTES_PER_NODE > self.max_memory:
                return self.stopped(MEMORY_LIMIT)
            node += 1
        subset = tuple(sorted(self.tree.space(len(self.tree) - 1)[0]))
        return Answer.from_tests(subset, self.tests, lower_bound=len(subset))

    def _expand(self, node: int, conflicts: Conflicts) -> bool:
        """Carry out steps 4.2 to 4.4 for one space; return whether a child is sufficient."""
        inside, outside = self.tree.space(node)
        if len(inside) + 1 == len(self.tests):  # the first space of its size: no smaller subset is sufficient
            self.tests.append(0)
        n_features = conflicts.n_features
        uncovered = bits.missed(conflicts.words, bits.mask(inside, n_features))
        demands = conflicts.words[:, uncovered]
        allowed = demands & ~bits.mask(outside, n_features)[:, None]
        multiplicity = conflicts.multiplicity[uncovered]
        tightest = self._tightest(bits.sizes(allowed), multiplicity)  # step 4.3
        self.tree.expand(tuple(conflicts.rows[:, uncovered[tightest[0]]].tolist()) if self.keep_tree else None)
        completing = self._completing(demands, multiplicity)  # step 4.4.1 for all children at once
        for x in bits.members(np.bitwise_or.reduce(allowed[:, tightest], axis=1)):
            self.tests[-1] += 1
            child = self.tree.add(node, x)
            if x in completing:
                self.tree.solution = child
                return True
        return False

    def _tightest(self, sizes: np.ndarray, multiplicity: np.ndarray) -> np.ndarray:
        """Return the conflict that the fewest features cover, the first among equals.

        Where a tolerance lets some pairs stay, return the tightest conflicts
        that cannot all stay: one of their features must be chosen.
        """
        if not self.slack:
            return np.array([sizes.argmin()])
        order = np.argsort(sizes, kind="stable")
        return order[: int(np.searchsorted(np.cumsum(multiplicity[order]), self.slack, side="right")) + 1]

    def _completing(self, demands: np.ndarray, multiplicity: np.ndarray) -> set[int]:
        """Return the features that cover every conflict still uncovered, or enough of them."""
        if not self.slack:
            return set(bits.members(np.bitwise_and.reduce(demands, axis=1)))
        left = multiplicity.sum() - multiplicity @ bits.unpack(demands, self.sample.n_features)
        return set(np.flatnonzero(left <= self.slack).tolist())

    def _status(self) -> str:
        return (
            f"FOCUS-2: subsets of {len(self.tests) - 1} features, {sum(self.tests):,} tests, {len(self.tree):,} spaces"
        )

    def stopped(self, reason: str) -> Answer:
        subset = irreducible_subset(self.sample)
        return Answer.from_tests(subset, self.tests, lower_bound=len(self.tests) - 1, stopped_by=reason)

    def tree_of_rows(self) -> SearchTree:
        """Return the tree with its conflicts told by rows instead of cells."""
        by_rows = {node: self.sample.rows_of_cells(*pair) for node, pair in self.tree.conflict.items()}
        return replace(self.tree, conflict=by_rows)
