"""ID3 as Almuallim and Dietterich (1994) use it in section 7: information gain, no windowing, no pruning.

What the document leaves open is settled here. A node that holds several
classes is split even when no feature gains anything, or parity would never
be learned; features that are constant at a node are no candidates; equal
gains go to the feature of the lowest index. A node predicts its most frequent
class; of equals, the one most frequent in the node above, and so on upwards;
of equals even there, the first. Every value has a branch of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fewest.kernels.partition import refine
from fewest.trees.kernels.node_splits import split_entropies
from fewest.trees.tree import NONE, DecisionTree

# Entropies, and shares of weight, that are equal in exact arithmetic differ by less than this.
TOLERANCE = 1e-11


def grow_id3(codes: np.ndarray, classes: np.ndarray, n_classes: int, weights: np.ndarray | None = None) -> DecisionTree:
    """Grow a tree, all nodes of a level at once.

    Parameters
    ----------
    codes : ndarray of shape (n_rows, n_features)
        Non-negative.
    classes : ndarray of shape (n_rows,)
        Class numbers from 0.
    n_classes : int
    weights : ndarray of shape (n_rows,), optional
        Positive.
    """
    level = Level(
        codes=np.ascontiguousarray(codes.T),
        classes=classes.astype(np.int64),
        weights=weights,
        groups=np.zeros(len(classes), dtype=np.int64),
        node=np.zeros(1, dtype=np.intp),
    )
    grown = Grown(n_classes)
    grown.add(level.counts(n_classes), parent=np.array([NONE]), value=np.array([NONE]))
    return finished(level, grown)


@dataclass(frozen=True)
class Level:
    """The rows that have not come to a leaf, and the node that each has come to."""

    codes: np.ndarray  # by feature
    classes: np.ndarray
    weights: np.ndarray | None
    groups: np.ndarray  # numbered from 0
    node: np.ndarray  # the number in the tree of every group

    def counts(self, n_classes: int) -> np.ndarray:
        """Count the rows of each class in each group, or add their weights."""
        keys = self.groups * n_classes + self.classes
        return np.bincount(keys, self.weights, len(self.node) * n_classes).reshape(-1, n_classes)

    def of_groups(self, wanted: np.ndarray) -> Level:
        """Return the level with the rows of some groups only, numbered anew."""
        if wanted.all():
            return self
        rows = np.flatnonzero(wanted[self.groups])
        return Level(
            self.codes[:, rows],
            self.classes[rows],
            None if self.weights is None else self.weights[rows],
            (np.cumsum(wanted) - 1)[self.groups[rows]],
            self.node[wanted],
        )


class Grown:
    """The tree so far, in pieces: one a level."""

    def __init__(self, n_classes: int):
        self.n_classes = n_classes
        self.n_nodes = 0
        self.level_start = 0
        self.pieces: dict[str, list[np.ndarray]] = {name: [] for name in ("parent", "value", "counts", "prediction")}
        self.tests: list[tuple[np.ndarray, np.ndarray]] = []
        self.rank = np.arange(n_classes)[None, :]  # of every class in every node of the last level, the best first

    def add(self, counts: np.ndarray, parent: np.ndarray, value: np.ndarray) -> None:
        """Add the nodes of a level, given the rows of each class in each."""
        above = self.rank[parent - self.level_start] if self.n_nodes else self.rank
        order = _preferred(counts, above)
        self.level_start = self.n_nodes
        self.n_nodes += len(counts)
        self.rank = np.argsort(order, axis=1)
        for name, piece in zip(self.pieces, (parent, value, counts, order[:, 0]), strict=True):
            self.pieces[name].append(piece)

    def tree(self) -> DecisionTree:
        """Return the tree so far."""
        feature = np.full(self.n_nodes, NONE, dtype=np.int64)
        for nodes, tested in self.tests:
            feature[nodes] = tested
        whole = {name: np.concatenate(pieces) for name, pieces in self.pieces.items()}
        return DecisionTree(feature=feature, **whole)


def finished(level: Level, grown: Grown) -> DecisionTree:
    """Split level after level until all rows have come to a leaf."""
    while len(level.groups):
        level = _split(level, grown)
    return grown.tree()


def _preferred(counts: np.ndarray, above: np.ndarray) -> np.ndarray:
    """Order the classes of every node: the most frequent first, equals as in the node above."""
    shares = np.round(counts / counts.sum(axis=1, keepdims=True) / TOLERANCE)
    return np.lexsort((above, -shares), axis=1)


def _split(level: Level, grown: Grown) -> Level:
    """Split the impure nodes of a level, let go of the rows of all others, and return the next level."""
    counts = grown.pieces["counts"][-1]
    level = level.of_groups((counts > 0).sum(axis=1) > 1)
    feature = _best_features(level, grown.n_classes)
    level = level.of_groups(feature >= 0)
    feature = feature[feature >= 0]
    if not len(level.groups):
        return level
    grown.tests.append((level.node, feature))
    column = level.codes[feature[level.groups], np.arange(len(level.groups))]
    groups = refine(level.groups, column)
    n_groups = int(groups.max()) + 1
    parent = np.empty(n_groups, dtype=np.intp)
    value = np.empty(n_groups, dtype=np.int64)
    parent[groups] = level.node[level.groups]
    value[groups] = column
    children = replace(level, groups=groups, node=grown.n_nodes + np.arange(n_groups))
    grown.add(children.counts(grown.n_classes), parent, value)
    return children


def _best_features(level: Level, n_classes: int) -> np.ndarray:
    """Return, for every group, the first of the features that leave the least entropy; -1 if all are constant."""
    if not len(level.codes) or not len(level.groups):
        return np.full(len(level.node), NONE, dtype=np.int64)
    entropies = split_entropies(level.codes, level.classes, level.groups, level.weights, n_classes)
    return least_of(entropies)


def least_of(entropies: np.ndarray) -> np.ndarray:
    """Return the first feature that leaves the least entropy in every group, -1 if all are constant there."""
    least = entropies.min(axis=0)
    first = (entropies <= least + TOLERANCE * np.maximum(1.0, least)).argmax(axis=0)
    return np.where(np.isinf(least), NONE, first)
