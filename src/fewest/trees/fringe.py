"""FRINGE: grow trees whose tests include the conjunctions found at the fringe of earlier trees.

Pagallo and Haussler (1990), as Almuallim and Dietterich (1994), section 7,
use it. The paper only names it; this is the usual description.
Grow an ID3 tree over Boolean features. For every positive leaf at depth two or
more, conjoin the last two tests on its path, each as the branch taken had it.
Add these conjunctions to the features and grow again, until nothing new
appears or enough trees were grown. The last tree is the answer.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain

import numpy as np

from fewest.budget import Budget, OutOfBudgetError
from fewest.exceptions import ParameterError, StoppedEarlyWarning
from fewest.models.boolean_features import BooleanFeatures, conjoined
from fewest.trees.id3 import grow_id3
from fewest.trees.options import DEFAULTS, FringeOptions
from fewest.trees.tree import DecisionTree

# Entries, of a byte each, of the matrix of all features on all training rows.
MOST_ENTRIES = 1 << 30


@dataclass(frozen=True)
class Fringe:
    """What FRINGE returns: the features, the last tree, and the number of trees grown."""

    features: BooleanFeatures
    tree: DecisionTree
    n_trees: int


def grow_fringe(
    codes: np.ndarray,
    classes: np.ndarray,
    n_classes: int,
    options: FringeOptions = DEFAULTS,
    budget: Budget | None = None,
) -> Fringe:
    """Grow trees over tests of the columns' values and over what their fringes suggest.

    Parameters
    ----------
    codes : ndarray of shape (n_rows, n_columns)
        Non-negative.
    classes : ndarray of shape (n_rows,)
        Class numbers from 0. Of two classes, the second is the positive one;
        of more, the leaves of every class count, since none is the concept.
    n_classes : int
    options : FringeOptions
    budget : Budget, optional
        Where it ends, the answer is the last whole tree, or what there is of the first, and the budget is cut.
    """
    budget = budget or Budget()
    features = BooleanFeatures.from_codes(codes)
    if len(features) * len(codes) > MOST_ENTRIES:
        raise ParameterError(
            f"FRINGE would make {len(features):,} tests, one for every value, on {len(codes):,} rows: more than memory "
            "is allowed for. Drop columns of mostly distinct values, or cut numeric columns into intervals first."
        )
    matrix = features.matrix(codes)
    known = {_up_to_negation(column) for column in matrix.T}
    fringe = Fringe(features, grow_id3(matrix, classes, n_classes, budget=budget), 1)

    def look() -> None:
        budget.check(lambda: f"{fringe.n_trees} trees")

    while fringe.n_trees < options.max_iter and not budget.is_cut:
        try:
            pairs, columns = _suggested(fringe.tree, matrix, known, look)
            if not pairs:
                break
            if (len(features) + len(pairs)) * len(codes) > MOST_ENTRIES:
                _warn_of_memory(fringe.n_trees, len(features) + len(pairs))
                break
            features, matrix = features.with_conjunctions(pairs), _with_columns(matrix, columns, look)
        except OutOfBudgetError:
            break
        tree = grow_id3(matrix, classes, n_classes, budget=budget)
        if not budget.is_cut:
            fringe = Fringe(features, tree, fringe.n_trees + 1)
    return fringe


def _suggested(
    tree: DecisionTree, matrix: np.ndarray, known: set[bytes], look: Callable[[], None]
) -> tuple[list[tuple[int, int, int, int]], list[np.ndarray]]:
    """Return the conjunctions at the fringe of a tree that are new, and their columns; add these to what is known."""
    pairs, columns = [], []
    for pair in fringe_of(tree):
        look()
        column = conjoined(matrix, *pair)
        # Equal or opposite columns split every node alike, and ties go to the lower index: such a twin would never be
        # tested.
        if (shape := _up_to_negation(column)) not in known:
            known.add(shape)
            pairs.append(pair)
            columns.append(column)
    return pairs, columns


def fringe_of(tree: DecisionTree) -> list[tuple[int, int, int, int]]:
    """Return the last two tests on the way to each positive leaf, with the branches taken, from left to right."""
    nodes = np.array(tree.depth_first())
    leaves = nodes[(tree.feature[nodes] < 0) & (tree.depths[nodes] >= 2)]
    if tree.n_classes == 2:
        leaves = leaves[tree.prediction[leaves] == 1]
    last = tree.parent[leaves]
    held = (tree.feature[tree.parent[last]], tree.value[last], tree.feature[last], tree.value[leaves])
    return [*dict.fromkeys(zip(*(array.tolist() for array in held), strict=True))]


def _with_columns(matrix: np.ndarray, columns: list[np.ndarray], look: Callable[[], None]) -> np.ndarray:
    """Return a matrix with more columns; one at a time, since copying gigabytes at once could not be interrupted."""
    grown = np.empty((matrix.shape[1] + len(columns), len(matrix)), dtype=np.int8)
    for k, column in enumerate(chain(matrix.T, columns)):
        look()
        grown[k] = column
    return grown.T


def _up_to_negation(column: np.ndarray) -> bytes:
    """Return the same bytes for a Boolean column and for its opposite."""
    return np.packbits(column != column[0]).tobytes()


def _warn_of_memory(n_trees: int, n_features: int) -> None:
    warnings.warn(
        f"FRINGE stopped after {n_trees} tree{'s' * (n_trees != 1)}: the next one would have {n_features:,} features, "
        "more than memory is allowed for. The tree is whole, but more trees might have found simpler tests. "
        "Use fewer rows, or fewer columns.",
        StoppedEarlyWarning,
        stacklevel=3,
    )
