"""Squared errors of many small regressions at once, from sums of products: all parents in one call.

By the Schur complement, as `least_squares_numpy` derives it. A call of a linear algebra routine costs as much as a
hundred small regressions, so these are solved in loops.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled
from fewest.wrapper.kernels.layout import DEPENDENT


@compiled
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


@compiled
def _forward(factor, side):
    """Solve with the factor, in place."""
    for k in range(len(side)):
        for j in range(k):
            side[k] -= factor[k, j] * side[j]
        side[k] /= factor[k, k]


@compiled
def _backward(factor, side):
    """Solve with the transposed factor, in place."""
    for k in range(len(side) - 1, -1, -1):
        for j in range(k + 1, len(side)):
            side[k] -= factor[j, k] * side[j]
        side[k] /= factor[k, k]


@compiled
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
