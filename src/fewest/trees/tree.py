"""A decision tree as plain arrays: what a learner returns, a file holds and a plot shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from fewest.kernels.entropy import size_times_entropy

ROOT = 0
NONE = -1


@dataclass(frozen=True, eq=False)
class DecisionTree:
    """A decision tree: nodes level by level, the children of a node side by side in the order of their values.

    In that order ``parent`` and ``value`` ascend together, so that looking up
    a child is a binary search and no table of nodes by values is needed.

    Attributes
    ----------
    parent, value : ndarray of shape (n_nodes,)
        Where a node hangs, and the code of the branch that leads to it; -1 for the root.
    feature : ndarray of shape (n_nodes,)
        What a node tests; -1 for a leaf.
    counts : ndarray of shape (n_nodes, n_classes)
        The training rows of each class, or their weight.
    prediction : ndarray of shape (n_nodes,)
        The class of a row that ends in this node.
    """

    parent: np.ndarray
    value: np.ndarray
    feature: np.ndarray
    counts: np.ndarray
    prediction: np.ndarray

    def __len__(self) -> int:
        return len(self.parent)

    # ------------------------------------------------------------------ rows

    def apply(self, codes: np.ndarray) -> np.ndarray:
        """Return the node in which each row of a code matrix ends.

        That is a leaf, or the last node on the way when a value has no
        branch there: no training row of that node had it.
        """
        node = np.zeros(len(codes), dtype=np.intp)
        moving = np.arange(len(codes))
        while len(moving):
            moving = moving[self.feature[node[moving]] >= 0]
            child = self._children_by_value(node[moving], codes[moving, self.feature[node[moving]]])
            moving, child = moving[child >= 0], child[child >= 0]
            node[moving] = child
        return node

    def predict(self, codes: np.ndarray) -> np.ndarray:
        """Return the class number of each row."""
        return self.prediction[self.apply(codes)]

    def distribution(self, codes: np.ndarray) -> np.ndarray:
        """Return the share of every class among the training rows of the node in which each row ends."""
        return self.shares[self.apply(codes)]

    @cached_property
    def shares(self) -> np.ndarray:
        """Return the share of every class among the training rows of every node."""
        return self.counts / self.counts.sum(axis=1, keepdims=True)

    def _children_by_value(self, nodes: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Return the child that each value leads to, -1 where there is none."""
        wanted = nodes * self._n_values + values
        position = np.searchsorted(self._branches, wanted)
        found = (values >= 0) & (values < self._n_values) & (position < len(self._branches))
        found[found] = self._branches[position[found]] == wanted[found]
        return np.where(found, position + 1, NONE)

    @cached_property
    def _n_values(self) -> int:
        return int(self.value.max()) + 1

    @cached_property
    def _branches(self) -> np.ndarray:
        """Return one ascending number for every branch; that of node k + 1 is at k."""
        return self.parent[1:].astype(np.int64) * self._n_values + self.value[1:]

    # ------------------------------------------------------------------ shape

    @property
    def n_classes(self) -> int:
        """Return the number of classes."""
        return self.counts.shape[1]

    @property
    def n_leaves(self) -> int:
        """Return the number of leaves."""
        return int((self.feature < 0).sum())

    @cached_property
    def depth(self) -> int:
        """Return the number of tests on the longest path."""
        return int(self.depths.max())

    @cached_property
    def depths(self) -> np.ndarray:
        """Return the number of tests above each node."""
        depths = np.zeros(len(self), dtype=np.intp)
        first, last, above = 0, 1, 0
        while first < last:  # nodes come level by level, and so do their parents
            depths[first:last] = above
            first, last, above = last, int(np.searchsorted(self.parent[1:], last)) + 1, above + 1
        return depths

    def gains(self, n_features: int) -> np.ndarray:
        """Return the information, in bits of all training rows together, that the tests of each feature gain."""
        entropies = size_times_entropy(self.counts)
        below = np.bincount(self.parent[1:], entropies[1:], len(self))
        inner = self.feature >= 0
        gained = np.maximum(entropies - below, 0.0)[inner]  # rounding may leave less than nothing
        return np.bincount(self.feature[inner], gained, n_features)

    @property
    def features_used(self) -> np.ndarray:
        """Return the features that some node tests, ascending."""
        return np.unique(self.feature[self.feature >= 0])

    def depth_first(self) -> list[int]:
        """Return all nodes, each before its children and these by value."""
        starts = np.searchsorted(self.parent[1:], np.arange(len(self) + 1)) + 1
        visited, waiting = [], [0]
        while waiting:
            node = waiting.pop()
            visited.append(node)
            waiting.extend(range(int(starts[node + 1]) - 1, int(starts[node]) - 1, -1))
        return visited

    def children(self, node: int) -> range:
        """Return the numbers of a node's children."""
        first, last = np.searchsorted(self.parent[1:], [node, node + 1])
        return range(int(first) + 1, int(last) + 1)

    # ------------------------------------------------------------------ text

    def to_text(self, names: Sequence[str], values: Sequence[Sequence[str]], classes: Sequence[str]) -> str:
        """Draw the tree with lines, a node a line; leaves show how many training rows of each class they hold.

        Parameters
        ----------
        names : sequence of str
            Of the features.
        values : sequence of sequences of str
            For every feature, what its codes stand for.
        classes : sequence of str
        """
        lines: list[str] = []
        pending = [(ROOT, "", "")]  # a stack, since a tree may be deeper than Python's
        while pending:
            node, lead, branch = pending.pop()
            lines.append(f"{lead}{branch}{self._line(node, names, values, classes)}")
            inner = lead + {"": "", "├── ": "│   ", "└── ": "    "}[branch]
            children = self.children(node)
            pending += [(c, inner, "└── " if c == children[-1] else "├── ") for c in reversed(children)]
        return "\n".join(lines)

    def branch_text(self, node: int, values: Sequence[Sequence[str]]) -> str:
        """Return the value that leads to a node."""
        tested = int(self.feature[self.parent[node]])
        return values[tested][int(self.value[node])]

    def count_text(self, node: int, classes: Sequence[str]) -> str:
        """Return the rows in a node: their number, or, if they are of several classes, that of each."""
        present = np.flatnonzero(self.counts[node]).tolist()
        if len(present) == 1:
            return f"{self.counts[node, present[0]]:g}"
        return ", ".join(f"{self.counts[node, c]:g} {classes[c]}" for c in present)

    def _line(self, node: int, names: Sequence[str], values: Sequence[Sequence[str]], classes: Sequence[str]) -> str:
        branch = "" if node == ROOT else f"{self.branch_text(node, values)}: "
        if self.feature[node] >= 0:
            return f"{branch}{names[self.feature[node]]}?"
        return f"{branch}{classes[self.prediction[node]]} ({self.count_text(node, classes)})"

    # ------------------------------------------------------------------ files

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Return the arrays by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray], n_features: int, n_classes: int) -> DecisionTree:
        """Return the tree of stored arrays; raise ValueError or KeyError when they are no such tree."""
        tree = cls(*(arrays[field.name] for field in fields(cls)))
        n_nodes = len(tree.parent)
        whole = (tree.parent, tree.value, tree.feature, tree.prediction)
        if not n_nodes or any(array.shape != (n_nodes,) or array.dtype.kind != "i" for array in whole):
            raise ValueError("the arrays of the tree do not fit each other")
        if tree.counts.shape != (n_nodes, n_classes) or tree.counts.dtype.kind not in "if":
            raise ValueError("the counts do not fit the classes")
        if not (np.isfinite(tree.counts).all() and (tree.counts >= 0).all() and tree.counts.any(axis=1).all()):
            raise ValueError("a node has no examples, or fewer")
        above = np.arange(n_nodes)
        if tree.parent.max() >= n_nodes:
            raise ValueError("the nodes do not form a tree")
        tests = np.bincount(tree.parent[1:], minlength=n_nodes) > 0 if tree.parent[1:].min(initial=0) >= 0 else above
        if (
            (tree.parent[1:] >= above[1:]).any()
            or tree.value[1:].min(initial=0) < 0
            or (np.diff(tree._branches) <= 0).any()
            or ((tree.feature >= 0) != tests).any()
            or tree.feature.max() >= n_features
            or not 0 <= tree.prediction.min() <= tree.prediction.max() < n_classes
        ):
            raise ValueError("the nodes do not form a tree")
        return tree
