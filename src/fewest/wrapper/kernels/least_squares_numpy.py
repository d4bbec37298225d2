"""Linear systems with one unknown more, by linear algebra: all children of a parent from one factorization of it.

The solution of A b = c over the parent's features P is known. With a feature
j added, by the Schur complement, the new solution is b + t_j (e_j - B_j), where

    B = A_PP^-1 A_PJ,   s_j = A_jj - A_jP B_j,   t_j = (c_j - A_jP b) / s_j.

So one solve with many right sides serves all children, and whatever is
quadratic or linear in the solution follows without fitting anyone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

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
