"""ID3 over blocks: level by level, from the counts of the blocks; the same tree as from all rows in memory.

Each block lets its rows fall through the tree so far and counts, for every
node that is still to be split, the rows by value and class of every feature.
Once the rows that have not come to a leaf are few enough to be fetched, the
tree is finished with these in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from fewest.blocks.block import Block, Blocks, blocks_of
from fewest.blocks.groups import MOST_GROUPS
from fewest.blocks.store import Store
from fewest.exceptions import TooLargeError
from fewest.models.encoder import Encoder, KnownColumn
from fewest.table import Kind
from fewest.table.column import smallest_code_type
from fewest.trees.id3 import Grown, Level, finished, least_of
from fewest.trees.kernels.node_splits import entropies_of_counts
from fewest.trees.model import TreeModel
from fewest.trees.tree import NONE, DecisionTree

# Codes of rows that are fetched.
MOST_FETCHED = 1 << 25
# Counters of one pass; more nodes than these allow take more passes.
MOST_COUNTERS = 1 << 23
# Counters of one feature that make a table.
TABLE_COUNTERS = 1 << 20


def grow_id3_in_blocks(store: Store, chosen: Sequence[int], class_numbers: np.ndarray, n_classes: int) -> DecisionTree:
    """Grow a tree over the chosen features, which it numbers from 0; ``class_numbers`` are those of the store's."""
    n_values = np.array([len(store.features[f].keys) + 1 for f in chosen], dtype=np.int64)
    counts = np.zeros((1, n_classes), dtype=np.int64)
    counts[0, class_numbers] = store.class_counts
    grown = Grown(n_classes)
    grown.add(counts, np.array([NONE]), np.array([NONE]))
    node = np.zeros(1, dtype=np.intp)
    while len(node):
        counts = grown.pieces["counts"][-1]
        is_open = (counts > 0).sum(axis=1) > 1
        if not is_open.any() or not len(chosen):
            break
        view = View(grown.tree(), tuple(chosen), class_numbers, _places(node, is_open, grown.n_nodes))
        if counts[is_open].sum() * len(chosen) <= MOST_FETCHED:
            return finished(_fetched(store, view, node), grown)
        splits = _splits(store, view, n_values, counts[is_open], n_classes)
        node = _grow(grown, node[is_open], splits, n_classes)
    return grown.tree()


@dataclass(frozen=True)
class View:
    """How a block sees its rows: by the node that each has come to."""

    tree: DecisionTree
    chosen: tuple[int, ...]
    class_numbers: np.ndarray
    group_of_node: np.ndarray  # -1 for nodes that are leaves, or not wanted

    def open_rows(self, block: Block) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the codes (rows x features), classes and groups of the rows that are still to be told apart."""
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


def _places(node: np.ndarray, is_wanted: np.ndarray, n_nodes: int) -> np.ndarray:
    """Number the wanted ones of some nodes."""
    places = np.full(n_nodes, NONE, dtype=np.int64)
    places[node[is_wanted]] = np.arange(int(is_wanted.sum()))
    return places


def _fetched(store: Store, view: View, node: np.ndarray) -> Level:
    """Return the open rows as a level of all its nodes."""
    parts = list(store.engine.each(take_open, store.stacks, view))
    codes, classes, groups = (np.concatenate([part[k] for part in parts]) for k in range(3))
    open_nodes = np.flatnonzero(view.group_of_node >= 0)
    places = np.searchsorted(node, open_nodes[groups])
    return Level(np.ascontiguousarray(codes.T), classes, None, places, node)


@dataclass(frozen=True)
class Splits:
    """The best feature of every group, and the children that it makes, by group and value."""

    feature: np.ndarray
    group: np.ndarray
    value: np.ndarray
    counts: np.ndarray


def _splits(store: Store, view: View, n_values: np.ndarray, counts: np.ndarray, n_classes: int) -> Splits:
    """Find the best feature of every group, some groups at a time."""
    step = max(1, int(MOST_COUNTERS // (n_values.sum() * n_classes)))
    parts = []
    for first in range(0, len(counts), step):
        of_some = counts[first : first + step]
        tally = Tally(tuple(n_values.tolist()), len(of_some), n_classes)
        found = store.engine.fold(count_splits, merged, store.stacks, view.of_groups(first, first + step), tally)
        parts.append(_best(tally, found, of_some.sum(axis=1), first))
    return Splits(*(np.concatenate([getattr(part, name) for part in parts]) for name in vars(parts[0])))


@dataclass(frozen=True)
class Tally:
    """How rows are counted: by (value * n_groups + group) * n_classes + class, for every feature."""

    n_values: tuple[int, ...]
    n_groups: int
    n_classes: int

    @cached_property
    def starts(self) -> np.ndarray:
        """Return the first value of every feature when all are numbered through."""
        return np.concatenate([[0], np.cumsum(self.n_values)])


Counted = tuple[np.ndarray, np.ndarray]
"""Keys, ascending, and how many rows each has."""


def _best(tally: Tally, found: list[Counted], sizes: np.ndarray, first: int) -> Splits:
    """Choose each group's feature; ``first`` is the number of the first group."""
    per_value = tally.n_groups * tally.n_classes
    keys = np.concatenate([own + start * per_value for (own, _), start in zip(found, tally.starts[:-1], strict=True)])
    counts = np.concatenate([own for _, own in found])
    feature = least_of(entropies_of_counts(keys, counts, tally.starts, sizes, tally.n_classes))
    value, rest = np.divmod(keys, per_value)
    group, label = np.divmod(rest, tally.n_classes)
    of_feature = np.searchsorted(tally.starts, value, side="right") - 1
    chosen = np.flatnonzero(of_feature == feature[group])
    own_value = value[chosen] - tally.starts[of_feature[chosen]]
    children, child = np.unique(np.stack([group[chosen], own_value]), axis=1, return_inverse=True)
    by_class = np.zeros((children.shape[1], tally.n_classes), dtype=np.int64)
    by_class[child.ravel(), label[chosen]] = counts[chosen]
    return Splits(feature, children[0] + first, children[1], by_class)


def _grow(grown: Grown, node: np.ndarray, splits: Splits, n_classes: int) -> np.ndarray:
    """Add the children of a level's nodes; return their numbers."""
    tested = splits.feature >= 0
    if not tested.any():
        return np.empty(0, dtype=np.intp)
    grown.tests.append((node[tested], splits.feature[tested]))
    children = grown.n_nodes + np.arange(len(splits.group))
    grown.add(splits.counts.reshape(-1, n_classes), node[splits.group], splits.value)
    return children


# ---------------------------------------------------------------------- work over stacks


def take_open(stack: Blocks, view: View) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the codes, classes and groups of the open rows of a stack."""
    none = np.empty(0, dtype=np.int64)
    parts = [(np.empty((0, len(view.chosen)), dtype=np.int8), none, none)]
    parts += [view.open_rows(block) for block in blocks_of(stack, view.chosen)]
    codes, classes, groups = (np.concatenate([part[k] for part in parts]) for k in range(3))
    return codes, classes, groups


def count_splits(stack: Blocks, view: View, tally: Tally) -> list[Counted]:
    """Count the open rows of a stack by value, group and class of every feature."""
    n_counters = [n * tally.n_groups * tally.n_classes for n in tally.n_values]
    tables = [np.zeros(n, dtype=np.int64) if n <= TABLE_COUNTERS else None for n in n_counters]
    sparse: list[Counted] = [(np.empty(0, dtype=np.int64),) * 2 for _ in n_counters]
    for block in blocks_of(stack, view.chosen):
        codes, classes, groups = view.open_rows(block)
        inner = groups * tally.n_classes + classes
        for j, table in enumerate(tables):
            keys = codes[:, j].astype(np.int64) * (tally.n_groups * tally.n_classes) + inner
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
    keys, place = np.unique(np.concatenate([one[0], other[0]]), return_inverse=True)
    counts = np.bincount(place, np.concatenate([one[1], other[1]]), len(keys)).astype(np.int64)
    return keys, counts


def learn_id3_in_blocks(
    store: Store, chosen: Sequence[int], classes: np.ndarray, class_numbers: np.ndarray
) -> TreeModel:
    """Grow an ID3 tree over the chosen features; ``class_numbers`` are the places of the store's among ``classes``."""
    tree = grow_id3_in_blocks(store, chosen, class_numbers, len(classes))
    encoder, tree = _without_idle_numbers(store, chosen, tree)
    return TreeModel(encoder, tree, classes, target=store.target_name)


def _without_idle_numbers(store: Store, chosen: Sequence[int], tree: DecisionTree) -> tuple[Encoder, DecisionTree]:
    """Describe the columns, without numbers that only rows had that were left out for want of a label."""
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
