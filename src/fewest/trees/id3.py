"""ID3 as Almuallim and Dietterich (1994) use it in section 7: information gain, no windowing, no pruning.

What the paper leaves open is settled here. A node that holds several
classes is split even when no feature gains anything, or parity would never
be learned; features that are constant at a node are no candidates; equal
gains go to the feature of the lowest index. A node predicts its most frequent
class; of equals, the one most frequent in the node above, and so on upwards;
of equals even there, the first. Every value has a branch of its own.

The algorithm is `grow`, all nodes of a level at once. It asks its rows for the
best split of every open node, and they answer from memory (`OpenRowsInMemory`) or
from counts of blocks (`fewest.trees.blocks.OpenRowsInBlocks`): the same tree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from fewest.budget import Budget, OutOfBudgetError
from fewest.kernels.partition import refine
from fewest.trees.kernels.node_splits import split_entropies
from fewest.trees.tree import NONE, DecisionTree

# Entropies, and shares of weight, that are equal in exact arithmetic differ by less than this.
TOLERANCE = 1e-11


@dataclass(frozen=True)
class Splits:
    """How the open nodes of a level are split, and the children that this makes, by node and value.

    Attributes
    ----------
    feature : ndarray of shape (n_open,)
        What each open node tests; -1 where all features are constant.
    node, value : ndarray of shape (n_children,)
        The open node above each child, numbered from 0, and the value that leads to the child.
    counts : ndarray of shape (n_children, n_classes)
        The rows of each class in each child, or their weight.
    """

    feature: np.ndarray
    node: np.ndarray
    value: np.ndarray
    counts: np.ndarray


class OpenRows(Protocol):
    """The rows that have not come to a leaf."""

    @property
    def n_features(self) -> int:
        """Return the number of features."""

    @property
    def class_counts(self) -> np.ndarray:
        """Return the rows of each class, or their weight; asked for before any split."""

    def of_open(self, growing: Growing) -> OpenRows:
        """Return the rows of the open nodes alone; where rows in blocks are few by now, in memory."""

    def split(self, look: Callable[[], None]) -> tuple[Splits, OpenRows]:
        """Return the best split of every open node, and the rows at its children; ``look`` at the clock meanwhile."""


def grow_id3(
    codes: np.ndarray,
    classes: np.ndarray,
    n_classes: int,
    weights: np.ndarray | None = None,
    budget: Budget | None = None,
) -> DecisionTree:
    """Grow a tree from rows in memory.

    Parameters
    ----------
    codes : ndarray of shape (n_rows, n_features)
        Non-negative.
    classes : ndarray of shape (n_rows,)
        Class numbers from 0.
    n_classes : int
    weights : ndarray of shape (n_rows,), optional
        Positive.
    budget : Budget, optional
        Where it ends, the tree has the levels that are done by then, and the budget is cut.
    """
    at_root = np.zeros(len(classes), dtype=np.int64)
    rows = OpenRowsInMemory(np.ascontiguousarray(codes.T), classes.astype(np.int64), weights, at_root, n_classes)
    return grow(rows, budget)


def grow(rows: OpenRows, budget: Budget | None = None) -> DecisionTree:
    """Split level after level until no node is open: all its rows are of one class, or alike in every feature.

    Where the budget ends, the nodes of the last level stay leaves.
    """
    growing, budget = Growing(rows.class_counts), budget or Budget()

    def look() -> None:
        budget.check(lambda: f"a tree of {growing.n_nodes:,} nodes")

    try:
        while rows.n_features and growing.is_open.any():
            look()
            splits, rows = rows.of_open(growing).split(look)
            growing.add(splits)
    except OutOfBudgetError:
        pass
    return growing.tree()


class Growing:
    """A tree that grows by a level at a time; nodes of the last level that hold several classes are open.

    Parameters
    ----------
    counts : ndarray of shape (n_classes,)
        The rows of each class, all in the root.

    Attributes
    ----------
    n_nodes : int
    counts : ndarray of shape (n_last, n_classes)
        The rows of each class in each node of the last level.
    is_open : ndarray of shape (n_last,)
        Which nodes of the last level are open.
    open_nodes : ndarray of shape (n_open,)
        Their numbers in the tree.
    """

    def __init__(self, counts: np.ndarray):
        self.n_nodes = 0
        self._level_start = 0
        self._pieces: dict[str, list[np.ndarray]] = {name: [] for name in ("parent", "value", "counts", "prediction")}
        self._tests: list[tuple[np.ndarray, np.ndarray]] = []
        # The rank of every class in every node of the last level, the best first.
        self._rank = np.arange(len(counts))[None, :]
        self._add_level(counts[None, :], np.array([NONE]), np.array([NONE]), above=self._rank)

    def add(self, splits: Splits) -> None:
        """Let the open nodes test what was found, and add their children as the last level."""
        tested = splits.feature >= 0
        self._tests.append((self.open_nodes[tested], splits.feature[tested]))
        parent = self.open_nodes[splits.node]
        self._add_level(splits.counts, parent, splits.value, above=self._rank[parent - self._level_start])

    def _add_level(self, counts: np.ndarray, parent: np.ndarray, value: np.ndarray, above: np.ndarray) -> None:
        order = _preferred(counts, above)
        self._level_start = self.n_nodes
        self.n_nodes += len(counts)
        self.counts = counts
        self.is_open = (counts > 0).sum(axis=1) > 1
        self.open_nodes = self._level_start + np.flatnonzero(self.is_open)
        self._rank = np.argsort(order, axis=1)
        for name, piece in zip(self._pieces, (parent, value, counts, order[:, 0]), strict=True):
            self._pieces[name].append(piece)

    def tree(self) -> DecisionTree:
        """Return the tree so far."""
        feature = np.full(self.n_nodes, NONE, dtype=np.int64)
        for nodes, tested in self._tests:
            feature[nodes] = tested
        whole = {name: np.concatenate(pieces) for name, pieces in self._pieces.items()}
        return DecisionTree(feature=feature, **whole)


def _preferred(counts: np.ndarray, above: np.ndarray) -> np.ndarray:
    """Order the classes of every node: the most frequent first, equals as in the node above."""
    shares = np.round(counts / counts.sum(axis=1, keepdims=True) / TOLERANCE)
    return np.lexsort((above, -shares), axis=1)


@dataclass(frozen=True)
class OpenRowsInMemory:
    """The rows that have not come to a leaf, and the node that each has come to.

    Entropies come from the rows and not from counts of all values, as in blocks: counts are needed of the best
    features alone, and rows at closed nodes are gone for good.

    Attributes
    ----------
    codes : ndarray of shape (n_features, n_rows)
    classes : ndarray of shape (n_rows,)
    weights : ndarray of shape (n_rows,) or None
    groups : ndarray of shape (n_rows,)
        The node of each row: among those of the last level, or, after `of_open`, among the open ones.
    n_classes : int
    """

    codes: np.ndarray
    classes: np.ndarray
    weights: np.ndarray | None
    groups: np.ndarray
    n_classes: int

    @property
    def n_features(self) -> int:
        """Return the number of features."""
        return len(self.codes)

    @property
    def class_counts(self) -> np.ndarray:
        """Return the rows of each class, or their weight."""
        return self._counts(1)[0]

    def of_open(self, growing: Growing) -> OpenRowsInMemory:
        """Return the rows of the open nodes alone."""
        return self._of_groups(growing.is_open)

    def split(self, look: Callable[[], None]) -> tuple[Splits, OpenRowsInMemory]:
        """Return the best split of every open node, and the rows at its children."""
        entropies = split_entropies(self.codes, self.classes, self.groups, self.weights, self.n_classes, look)
        feature = best_features(entropies)
        rows = self._of_groups(feature >= 0)
        nodes = np.flatnonzero(feature >= 0)
        column = rows.codes[feature[nodes][rows.groups], np.arange(len(rows.groups))]
        children = refine(rows.groups, column)
        n_children = int(children.max(initial=NONE)) + 1
        node, value = np.empty((2, n_children), dtype=np.int64)
        node[children] = nodes[rows.groups]
        value[children] = column
        at_children = OpenRowsInMemory(rows.codes, rows.classes, rows.weights, children, self.n_classes)
        return Splits(feature, node, value, at_children._counts(n_children)), at_children

    def _counts(self, n_groups: int) -> np.ndarray:
        keys = self.groups * self.n_classes + self.classes
        return np.bincount(keys, self.weights, n_groups * self.n_classes).reshape(-1, self.n_classes)

    def _of_groups(self, wanted: np.ndarray) -> OpenRowsInMemory:
        """Return the rows of some groups, which are numbered from 0 in their order."""
        if wanted.all():
            return self
        rows = np.flatnonzero(wanted[self.groups])
        weights = None if self.weights is None else self.weights[rows]
        groups = (np.cumsum(wanted) - 1)[self.groups[rows]]
        return OpenRowsInMemory(self.codes[:, rows], self.classes[rows], weights, groups, self.n_classes)


def best_features(entropies: np.ndarray) -> np.ndarray:
    """Return the first feature that leaves the least entropy in every node, -1 if all are constant there.

    ``entropies`` is of shape (n_features, n_nodes), infinite where a feature is constant.
    """
    least = entropies.min(axis=0)
    first = (entropies <= least + TOLERANCE * np.maximum(1.0, least)).argmax(axis=0)
    return np.where(np.isinf(least), NONE, first)
