"""ID3 over blocks: level by level, from the counts of the blocks; the same tree as from all rows in memory.

Each block lets its rows fall through the tree so far and counts, for every
node that is still to be split, the rows by value and class of every feature.
Once the rows that have not come to a leaf are few enough to be fetched, they
are, and the tree is finished with these in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from fewest.blocks.block import Block, Blocks, blocks_of
from fewest.blocks.groups import MOST_GROUPS
from fewest.blocks.store import Store
from fewest.budget import Budget
from fewest.exceptions import TooLargeError
from fewest.models.encoder import Encoder, KnownColumn
from fewest.table import Kind
from fewest.table.column import smallest_code_type
from fewest.trees.id3 import Growing, OpenRowsInMemory, Splits, best_features, grow
from fewest.trees.kernels.node_splits import entropies_of_counts
from fewest.trees.model import TreeModel
from fewest.trees.tree import NONE, DecisionTree

# Codes of rows that are fetched.
MOST_FETCHED = 1 << 25
# Counters of one pass; more nodes than these allow take more passes.
MOST_COUNTERS = 1 << 23
# Counters of one feature that make a table.
TABLE_COUNTERS = 1 << 20


def learn_id3_in_blocks(
    store: Store,
    chosen: Sequence[int],
    classes: np.ndarray,
    class_numbers: np.ndarray,
    budget: Budget | None = None,
) -> TreeModel:
    """Grow an ID3 tree over the chosen features of a store.

    ``classes`` are the labels of the tree's classes, and ``class_numbers`` the numbers in it of the store's. Where the
    budget ends, the tree has the levels that are done by then, and the budget is cut.
    """
    tree = grow(OpenRowsInBlocks(store, tuple(chosen), class_numbers, len(classes)), budget)
    encoder, tree = _without_unused_values(store, chosen, tree)
    return TreeModel(encoder, tree, classes, target=store.target_name)


def _without_unused_values(store: Store, chosen: Sequence[int], tree: DecisionTree) -> tuple[Encoder, DecisionTree]:
    """Describe the columns without the numeric values that only rows without a label had."""
    columns, value = [], tree.value.copy()
    tested = np.where(tree.parent >= 0, tree.feature[tree.parent], -1)  # by the node above
    for j, f in enumerate(chosen):
        column = store.features[f]
        labels = column.labels
        if column.kind is Kind.NUMERIC and not store.used[f][:-1].all():
            used = np.append(store.used[f][:-1], True)
            labels = tuple(label for label, occurs in zip(labels, used[:-1], strict=True) if occurs)
            value[tested == j] = (np.cumsum(used) - 1)[value[tested == j]]
        columns.append(KnownColumn(column.name, column.kind.value, labels))
    return Encoder(tuple(columns)), replace(tree, value=value)


# ---------------------------------------------------------------------- what ID3 asks


@dataclass(frozen=True)
class OpenRowsInBlocks:
    """The rows of a store, seen by the node that each has come to.

    Attributes
    ----------
    store : Store
    chosen : tuple of int
        The features to look at; the tree numbers them from 0.
    class_numbers : ndarray
        What the tree calls the store's classes.
    n_classes : int
    view : View, optional
        The open nodes, once there are some.
    sizes : ndarray, optional
        The rows of each.
    """

    store: Store
    chosen: tuple[int, ...]
    class_numbers: np.ndarray
    n_classes: int
    view: View | None = None
    sizes: np.ndarray | None = None

    @property
    def n_features(self) -> int:
        """Return the number of features."""
        return len(self.chosen)

    @property
    def class_counts(self) -> np.ndarray:
        """Return the rows of each class."""
        counts = np.zeros(self.n_classes, dtype=np.int64)
        counts[self.class_numbers] = self.store.class_counts
        return counts

    def of_open(self, growing: Growing) -> OpenRowsInBlocks | OpenRowsInMemory:
        """Return the rows of the open nodes alone; those few that memory holds are fetched."""
        group_of_node = np.full(growing.n_nodes, NONE, dtype=np.int64)
        group_of_node[growing.open_nodes] = np.arange(len(growing.open_nodes))
        view = View(growing.tree(), self.chosen, self.class_numbers, group_of_node)
        sizes = growing.counts[growing.is_open].sum(axis=1)
        if sizes.sum() * self.n_features <= MOST_FETCHED:
            parts = list(self.store.engine.each(take_open, self.store.stacks, view))
            codes, classes, groups = (np.concatenate([part[k] for part in parts]) for k in range(3))
            return OpenRowsInMemory(np.ascontiguousarray(codes.T), classes, None, groups, self.n_classes)
        return replace(self, view=view, sizes=sizes)

    def split(self, look: Callable[[], None]) -> tuple[Splits, OpenRowsInBlocks]:
        """Return the best split of every open node, counted for as many nodes at a time as there are counters."""
        assert self.view is not None  # since `of_open`
        assert self.sizes is not None
        n_values = tuple(len(self.store.features[f].keys) + 1 for f in self.chosen)
        step = max(1, MOST_COUNTERS // (sum(n_values) * self.n_classes))
        parts = []
        for first in range(0, len(self.sizes), step):
            look()
            sizes = self.sizes[first : first + step]
            layout = Counters(n_values, len(sizes), self.n_classes)
            view = self.view.of_groups(first, first + step)
            found = self.store.engine.fold(count_splits, merged, self.store.stacks, view, layout)
            parts.append(_best_splits(layout, found, sizes, first))
        return Splits(*(np.concatenate([getattr(part, name) for part in parts]) for name in vars(parts[0]))), self


@dataclass(frozen=True)
class View:
    """A view of blocks by a tree that grows: the node that each row has come to."""

    tree: DecisionTree
    chosen: tuple[int, ...]
    class_numbers: np.ndarray
    group_of_node: np.ndarray  # -1 for nodes that are leaves, or not wanted

    def open_rows(self, block: Block) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the codes (rows x features), classes and groups of the rows that are at open nodes."""
        columns = [block.codes(f) for f in self.chosen]
        kind = np.result_type(np.int8, *(smallest_code_type(int(column.max(initial=0)) + 1) for column in columns))
        codes = np.empty((block.n_rows, len(columns)), dtype=kind, order="F")
        for j, column in enumerate(columns):
            codes[:, j] = column
        groups = self.group_of_node[self.tree.apply(codes)]
        rows = np.flatnonzero(groups >= 0)
        return codes[rows], self.class_numbers[block.classes[rows]], groups[rows]

    def of_groups(self, first: int, last: int) -> View:
        """Return the view of some groups alone, numbered from 0."""
        wanted = (self.group_of_node >= first) & (self.group_of_node < last)
        groups = np.where(wanted, self.group_of_node - first, NONE)
        return View(self.tree, self.chosen, self.class_numbers, groups)


@dataclass(frozen=True)
class Counters:
    """How rows are counted, for every feature: by (value * n_groups + group) * n_classes + class."""

    n_values: tuple[int, ...]
    n_groups: int
    n_classes: int

    @cached_property
    def starts(self) -> np.ndarray:
        """Return the first value of every feature when all are numbered through."""
        return np.concatenate([[0], np.cumsum(self.n_values)])


Counted = tuple[np.ndarray, np.ndarray]
"""Keys, ascending, and how many rows each has."""


def _best_splits(layout: Counters, found: list[Counted], sizes: np.ndarray, first: int) -> Splits:
    """Choose the feature of every group; ``first`` is the number of the first group among the open nodes."""
    per_value = layout.n_groups * layout.n_classes
    keys = np.concatenate([own + start * per_value for (own, _), start in zip(found, layout.starts[:-1], strict=True)])
    counts = np.concatenate([own for _, own in found])
    feature = best_features(entropies_of_counts(keys, counts, layout.starts, sizes, layout.n_classes))
    value, rest = np.divmod(keys, per_value)
    group, label = np.divmod(rest, layout.n_classes)
    of_feature = np.searchsorted(layout.starts, value, side="right") - 1
    chosen = np.flatnonzero(of_feature == feature[group])
    own_value = value[chosen] - layout.starts[of_feature[chosen]]
    children, child = np.unique(np.stack([group[chosen], own_value]), axis=1, return_inverse=True)
    by_class = np.zeros((children.shape[1], layout.n_classes), dtype=np.int64)
    by_class[child.ravel(), label[chosen]] = counts[chosen]
    return Splits(feature, children[0] + first, children[1], by_class)


# ---------------------------------------------------------------------- work over stacks


def take_open(stack: Blocks, view: View) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the codes, classes and groups of the open rows of a stack."""
    none = np.empty(0, dtype=np.int64)
    parts = [(np.empty((0, len(view.chosen)), dtype=np.int8), none, none)]
    parts += [view.open_rows(block) for block in blocks_of(stack, view.chosen)]
    codes, classes, groups = (np.concatenate([part[k] for part in parts]) for k in range(3))
    return codes, classes, groups


def count_splits(stack: Blocks, view: View, layout: Counters) -> list[Counted]:
    """Count the open rows of a stack by value, group and class of every feature."""
    n_counters = [n * layout.n_groups * layout.n_classes for n in layout.n_values]
    tables = [np.zeros(n, dtype=np.int64) if n <= TABLE_COUNTERS else None for n in n_counters]
    sparse: list[Counted] = [(np.empty(0, dtype=np.int64),) * 2 for _ in n_counters]
    for block in blocks_of(stack, view.chosen):
        codes, classes, groups = view.open_rows(block)
        inner = groups * layout.n_classes + classes
        for j, table in enumerate(tables):
            keys = codes[:, j].astype(np.int64) * (layout.n_groups * layout.n_classes) + inner
            if table is None:
                sparse[j] = _added(sparse[j], np.unique(keys, return_counts=True))
            else:
                table += np.bincount(keys, minlength=len(table))
    return [
        other if table is None else (np.flatnonzero(table), table[table > 0])
        for table, other in zip(tables, sparse, strict=True)
    ]


def merged(one: list[Counted], other: list[Counted]) -> list[Counted]:
    """Add the counts of two parts."""
    found = [_added(a, b) for a, b in zip(one, other, strict=True)]
    n_keys = sum(len(keys) for keys, _ in found)
    if n_keys > MOST_GROUPS:
        raise TooLargeError.from_size(
            "The combinations of node, value and class", n_keys, MOST_GROUPS, "Drop columns of many values."
        )
    return found


def _added(one: Counted, other: Counted) -> Counted:
    keys, key = np.unique(np.concatenate([one[0], other[0]]), return_inverse=True)
    counts = np.bincount(key, np.concatenate([one[1], other[1]]), len(keys)).astype(np.int64)
    return keys, counts
