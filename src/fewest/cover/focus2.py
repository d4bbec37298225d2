"""FOCUS-2: branch only on the features that some uncovered conflict demands.

Almuallim and Dietterich (1994), section 5.3 and Figure 2. The step numbers
below are the figure's.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from fewest.budget import INTERRUPT, MEMORY_LIMIT, TIME_LIMIT, Budget, OutOfBudgetError
from fewest.cover.examples import Answer
from fewest.cover.greedy import irreducible_subset
from fewest.cover.kernels.conflicts import Conflicts
from fewest.cover.options import DEFAULT_MAX_MEMORY
from fewest.cover.sample import Sample
from fewest.kernels import bits

ROOT = 0
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

    The paper leaves two orders open; here the first conflict generated
    wins a tie in step 4.3, and step 4.4 goes by ascending feature, which
    reproduces the paper's Figure 3.
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
    """The state of one run, so that an interrupted one knows how far it came."""

    def __init__(self, sample: Sample, budget: Budget, max_memory: float, keep_tree: bool):
        self.sample = sample
        self.budget = budget
        self.max_memory = max_memory
        self.keep_tree = keep_tree
        self.tree = SearchTree()
        self.tests = [1, 0]  # of the subsets of each size; the empty set's was step 1
        # Pairs that may stay, of those that can be separated.
        self.slack = sample.max_uncovered - sample.n_contradictions if sample.is_tolerant else 0

    def run(self) -> Answer:
        conflicts = self.sample.conflicts(self.budget, self.max_memory)  # step 2
        node = ROOT  # steps 3 and 4.1: nodes are numbered as they enter the queue, so the next number is its front
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

        Where a tolerance allows some pairs to stay uncovered, return the tightest conflicts
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
        """Return the tree with its conflicts given by rows instead of cells."""
        by_rows = {node: self.sample.rows_of_cells(*pair) for node, pair in self.tree.conflict.items()}
        return replace(self.tree, conflict=by_rows)


@dataclass(eq=False)
class SearchTree:
    """The tree that FOCUS-2 searches, kept as its queue (Figures 2 and 3 of the paper).

    A node is a space M(A, B): all feature subsets that include A and avoid B. Nodes are numbered in the order in which
    they enter the queue, the root first, so that the children of a node have consecutive numbers. That makes A and B
    redundant: A is the path from the root, and B the older siblings of everyone on that path. Two numbers a node are
    enough.

    Attributes
    ----------
    parent, feature : array of int
        Node k was made from ``parent[k]`` by choosing ``feature[k]``; -1 for the root.
    first_child : array of int
        For every expanded node, the first of its children. Nodes are expanded in order.
    conflict : dict
        For every expanded node, if conflicts are kept, the pair of cells or rows whose conflict it branched on.
    solution : int or None
        The node whose A is sufficient; the last one.
    """

    parent: array = field(default_factory=lambda: array("q", [-1]))
    feature: array = field(default_factory=lambda: array("q", [-1]))
    first_child: array = field(default_factory=lambda: array("q"))
    conflict: dict[int, tuple[int, int]] = field(default_factory=dict)
    solution: int | None = None

    def __len__(self) -> int:
        return len(self.parent)

    def expand(self, conflict: tuple[int, int] | None) -> None:
        """Begin the children of the next node in order."""
        if conflict is not None:
            self.conflict[len(self.first_child)] = conflict
        self.first_child.append(len(self))

    def add(self, parent: int, feature: int) -> int:
        """Append a child of the node expanded last."""
        self.parent.append(parent)
        self.feature.append(feature)
        return len(self) - 1

    def space(self, node: int) -> tuple[list[int], list[int]]:
        """Return A and B of a node."""
        inside: list[int] = []
        outside: list[int] = []
        while node != ROOT:
            parent = self.parent[node]
            inside.append(self.feature[node])
            outside.extend(self.feature[self.first_child[parent] : node])
            node = parent
        return inside, outside

    def children(self, node: int) -> range:
        """Return the numbers of a node's children."""
        if node >= len(self.first_child):
            return range(0)
        is_last = node + 1 == len(self.first_child)
        return range(self.first_child[node], len(self) if is_last else self.first_child[node + 1])

    def to_text(self, names: Sequence[str] | None = None, pair: Callable[[int, int], str] | None = None) -> str:
        """Draw the tree with lines, a node a line.

        Parameters
        ----------
        names : sequence of str, optional
            Feature names; x1, x2, ... as the paper writes them otherwise.
        pair : callable, optional
            Returns the text for the two rows of a conflict; their numbers by default.
        """
        describe = pair or (lambda i, j: f"rows {i} and {j}")
        lines: list[str] = []

        def draw(node: int, lead: str, branch: str) -> None:
            lines.append(f"{lead}{branch}{self._line(node, names, describe)}")
            inner = lead + {"": "", "├── ": "│   ", "└── ": "    "}[branch]
            children = self.children(node)
            for child in children:
                draw(child, inner, "└── " if child == children[-1] else "├── ")

        draw(ROOT, "", "")
        return "\n".join(lines)

    def space_text(self, node: int, names: Sequence[str] | None = None) -> str:
        """Write the space of a node as the paper does: M(A, B)."""
        inside, outside = self.space(node)
        return f"M({_set_text(inside, names)}, {_set_text(outside, names)})"

    def _line(self, node: int, names: Sequence[str] | None, describe: Callable[[int, int], str]) -> str:
        text = self.space_text(node, names)
        if node == self.solution:
            return f"{text}  {_set_text(self.space(node)[0], names)} is sufficient"
        if node in self.conflict:
            text += f"  split by the conflict of {describe(*self.conflict[node])}"
        return text


def _set_text(features: Sequence[int], names: Sequence[str] | None) -> str:
    listed = (names[f] if names is not None else f"x{f + 1}" for f in sorted(features))
    return "{" + ", ".join(listed) + "}" if features else "∅"
