"""Squared errors of many regressions at once, from sums of products: linear systems with one unknown more.

The solution of A b = c over the parent's features P is known. With a feature
j added, by the Schur complement, the new solution is b + t_j (e_j - B_j), where

    B = A_PP^-1 A_PJ,   s_j = A_jj - A_jP B_j,   t_j = (c_j - A_jP b) / s_j.

So one solve with many right sides serves all children, and whatever is
quadratic or linear in the solution follows without fitting anyone. `one_more` and `squared_errors` do this by linear
algebra. A call of such a routine costs as much as a hundred small regressions, so `children_errors`, compiled, solves
these in loops.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from fewest.kernels.compiling import compilable
from fewest.wrapper.kernels.layout import DEPENDENT, Products


class OneMore(NamedTuple):
    """The parent's solution and, for every child, B, t and whether it is independent of the parent."""

    base: np.ndarray  # (size, n_sides)
    combined: np.ndarray  # (size, n_children)
    steps: np.ndarray  # (n_children, n_sides)
    is_regular: np.ndarray  # (n_children,)


def one_more(matrix: np.ndarray, sides: np.ndarray, penalty: float, parent: np.ndarray, added: np.ndarray) -> OneMore:
    """Solve for all children of a parent; ``matrix`` is symmetric, ``sides`` has a column for every right side."""
    across = matrix[np.ix_(parent, added)]
    diagonal = matrix[added, added] + penalty
    base, combined = np.empty((0, sides.shape[1])), across
    if len(parent):
        within = matrix[np.ix_(parent, parent)] + penalty * np.eye(len(parent))
        try:
            factor = cho_factor(within, lower=True)
        except LinAlgError:
            factor = None
        if factor is None or (np.diag(factor[0]) ** 2 <= DEPENDENT * np.diag(within)).any():
            nothing = np.zeros((len(parent), len(added))), np.zeros((len(added), sides.shape[1]))
            return OneMore(np.zeros((len(parent), sides.shape[1])), *nothing, np.zeros(len(added), dtype=bool))
        base, combined = cho_solve(factor, sides[parent]), cho_solve(factor, across)
    rest = diagonal - np.einsum("ij,ij->j", across, combined)
    is_regular = rest > DEPENDENT * diagonal
    steps = (sides[added] - across.T @ base) / np.where(is_regular, rest, 1.0)[:, None]
    return OneMore(base, combined, steps, is_regular)


def squared_errors(solved: OneMore, judged: Products, parent: np.ndarray, added: np.ndarray) -> np.ndarray:
    """Return ||y - X b||^2 of every child on the rows of some products; NaN where a child is not regular."""
    gram, cross, norm = judged
    base, combined, step = solved.base[:, 0], solved.combined, solved.steps[:, 0]
    within, across = gram[np.ix_(parent, parent)], gram[np.ix_(parent, added)]
    image = within @ base
    start = norm - 2 * base @ cross[parent] + base @ image
    slope = across.T @ base - combined.T @ image - cross[added] + combined.T @ cross[parent]
    bend = gram[added, added] - 2 * np.einsum("ij,ij->j", across, combined)
    bend += np.einsum("ij,ij->j", combined, within @ combined)
    errors = np.maximum(start + 2 * step * slope + step**2 * bend, 0.0)
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
