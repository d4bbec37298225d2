"""Squared errors of many regressions at once, from sums of products: linear systems with one unknown more.

The solution of A b = c over the parent's features P is known. With a feature
j added, by the Schur complement, the new solution is b + t_j (e_j - B_j), where

    B = A_PP^-1 A_PJ,   s_j = A_jj - A_jP B_j,   t_j = (c_j - A_jP b) / s_j.

So one solve with many right sides serves all children, and whatever is
quadratic or linear in the solution follows without fitting anyone. A call of a linear algebra routine costs as much as
a hundred small regressions, so `children_errors`, compiled, solves small systems in loops, and its NumPy twin those of
all parents in one stack.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from fewest.kernels.compile_or_not import compilable
from fewest.wrapper.kernels.layout import DEPENDENT, Moves, Products

# Numbers that a stack of systems holds at a time: 8 MB.
STACK = 1 << 20


class OneMore(NamedTuple):
    """The parents' solutions and, for every child, B, s, t and whether it is independent of its parent."""

    base: np.ndarray  # (n_parents, size, n_sides)
    combined: np.ndarray  # (n_parents, size, n_children)
    rest: np.ndarray  # (n_parents, n_children)
    steps: np.ndarray  # (n_parents, n_children, n_sides)
    is_regular: np.ndarray  # (n_parents, n_children)


def one_more(matrix: np.ndarray, sides: np.ndarray, penalty: float, parents: np.ndarray, added: np.ndarray) -> OneMore:
    """Solve for all children of some parents, a row of features to add for each.

    ``matrix`` is symmetric, ``sides`` has a column for every right side.
    """
    size = parents.shape[1]
    across = matrix[parents[:, :, None], added[:, None, :]]
    within = matrix[parents[:, :, None], parents[:, None, :]]
    whole = matrix[added, added] + penalty
    within[:, np.arange(size), np.arange(size)] += penalty
    is_regular = _are_independent(within)
    within[~is_regular] = np.eye(size)
    solved = np.linalg.solve(within, np.concatenate([across, sides[parents]], axis=2))
    combined, base = solved[:, :, : added.shape[1]], solved[:, :, added.shape[1] :]
    rest = whole - np.einsum("psj,psj->pj", across, combined)
    is_regular = is_regular[:, None] & (rest > DEPENDENT * whole)
    steps = (sides[added] - across.transpose(0, 2, 1) @ base) / np.where(is_regular, rest, 1.0)[:, :, None]
    return OneMore(base, combined, rest, steps, is_regular)


def _are_independent(matrices: np.ndarray) -> np.ndarray:
    """Return for every matrix of a stack whether no pivot of its Cholesky factor vanishes."""
    try:
        factors = np.linalg.cholesky(matrices)
    except np.linalg.LinAlgError:
        if len(matrices) == 1:
            return np.zeros(1, dtype=bool)
        halves = np.array_split(matrices, 2)  # to find those that have none
        return np.concatenate([_are_independent(half) for half in halves])
    pivots, diagonals = (np.diagonal(each, axis1=1, axis2=2) for each in (factors, matrices))
    return np.all(pivots**2 > DEPENDENT * diagonals, axis=1)


class Stack(NamedTuple):
    """Some parents, the features added to each, which of these are children and where they stand, and the solutions."""

    parents: np.ndarray
    added: np.ndarray
    is_child: np.ndarray
    positions: slice
    solved: OneMore


def solved_stacks(learned: Products, penalty: float, moves: Moves) -> Iterator[Stack]:
    """Fit all children; arguments as for `children_errors`."""
    for parents, added, is_child, positions in moves.stacks(STACK // moves.size):
        solved = one_more(learned.gram, learned.cross[:, None], penalty, parents, added)
        yield Stack(parents, added, is_child, positions, solved)


def children_errors_numpy(
    learned: Products, judged: Products, penalty: float, moves: Moves, errors: np.ndarray
) -> None:
    """Set ||y - X b||^2 of every child on some rows; arguments as for `children_errors`."""
    errors_of_stacks(solved_stacks(learned, penalty, moves), judged, errors)


def errors_of_stacks(stacks: Iterable[Stack], judged: Products, errors: np.ndarray) -> None:
    """Set ||y - X b||^2 on some rows of every child that was fitted."""
    for parents, added, is_child, positions, solved in stacks:
        errors[positions] = _squared_errors(solved, judged, parents, added)[is_child]


def _squared_errors(solved: OneMore, judged: Products, parents: np.ndarray, added: np.ndarray) -> np.ndarray:
    """Return the errors on the rows of some products; NaN where a child is not regular."""
    base, combined, step = solved.base[:, :, 0], solved.combined, solved.steps[:, :, 0]
    across = judged.gram[parents[:, :, None], added[:, None, :]]
    within = judged.gram[parents[:, :, None], parents[:, None, :]]
    cross = judged.cross[parents]
    image = np.einsum("pst,pt->ps", within, base)
    start = judged.norm + np.einsum("ps,ps->p", base, image - 2 * cross)
    slope = np.einsum("psj,ps->pj", across, base) - np.einsum("psj,ps->pj", combined, image - cross)
    bend = judged.gram[added, added] + np.einsum("psj,psj->pj", combined, within @ combined - 2 * across)
    errors = np.maximum(start[:, None] + 2 * step * (slope - judged.cross[added]) + step**2 * bend, 0.0)
    return np.where(solved.is_regular, errors, np.nan)


@compilable()
def _factor(matrix, penalty, parent, factor):
    """Compute the Cholesky factor of the parent's features; return whether they are independent."""
    for k in range(len(parent)):
        for j in range(k + 1):
            total = matrix[parent[k], parent[j]] + (penalty if j == k else 0.0)
            whole = total
            for i in range(j):
                total -= factor[k, i] * factor[j, i]
            if j < k:
                factor[k, j] = total / factor[j, j]
            elif total <= DEPENDENT * whole:
                return False
            else:
                factor[k, k] = np.sqrt(total)
    return True


@compilable()
def _forward(factor, side):
    """Solve with the factor, in place."""
    for k in range(len(side)):
        for j in range(k):
            side[k] -= factor[k, j] * side[j]
        side[k] /= factor[k, k]


@compilable()
def _backward(factor, side):
    """Solve with the transposed factor, in place."""
    for k in range(len(side) - 1, -1, -1):
        for j in range(k + 1, len(side)):
            side[k] -= factor[j, k] * side[j]
        side[k] /= factor[k, k]


@compilable()
def children_errors(learned, judged, penalty, moves, errors):
    """Set ||y - X b||^2 of every child on some rows, NaN where its features are not independent.

    Parameters
    ----------
    learned, judged : Products
        Of the rows that b is fitted to, and of those that it is judged by.
    penalty : float
        Added to the diagonal of X'X.
    moves : Moves
    errors : float64 array of shape (n_children,), set
    """
    matrix, sides = learned.gram, learned.cross
    gram, cross, norm = judged.gram, judged.cross, judged.norm
    parents, starts, added = moves.parents, moves.starts, moves.added
    size = parents.shape[1]
    factor, base, image, combined = np.zeros((size, size)), np.empty(size), np.empty(size), np.empty(size)
    for p in range(len(parents)):
        parent = parents[p]
        if not _factor(matrix, penalty, parent, factor):
            for c in range(starts[p], starts[p + 1]):
                errors[c] = np.nan
            continue
        for k in range(size):
            base[k] = sides[parent[k]]
        _forward(factor, base)
        _backward(factor, base)
        start = norm
        for k in range(size):
            image[k] = 0.0
            for j in range(size):
                image[k] += gram[parent[k], parent[j]] * base[j]
            start += base[k] * (image[k] - 2 * cross[parent[k]])
        for c in range(starts[p], starts[p + 1]):
            feature = added[c]
            whole = matrix[feature, feature] + penalty
            rest, step = whole, sides[feature]
            for k in range(size):
                combined[k] = matrix[parent[k], feature]
                step -= combined[k] * base[k]
            _forward(factor, combined)
            for k in range(size):
                rest -= combined[k] * combined[k]
            if not rest > DEPENDENT * whole:
                errors[c] = np.nan
                continue
            _backward(factor, combined)
            step /= rest
            slope, bend = -cross[feature], gram[feature, feature]
            for k in range(size):
                across = gram[parent[k], feature]
                slope += across * base[k] - combined[k] * (image[k] - cross[parent[k]])
                inner = -2 * across
                for j in range(size):
                    inner += gram[parent[k], parent[j]] * combined[j]
                bend += combined[k] * inner
            errors[c] = max(start + 2 * step * slope + step * step * bend, 0.0)
