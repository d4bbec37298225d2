"""Least squares and ridge regression on many subsets, from sums of products alone."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext

import numpy as np

from fewest.blocks.threads import serial_products
from fewest.wrapper.examples import Examples
from fewest.wrapper.kernels.layout import Moves, Products
from fewest.wrapper.kernels.least_squares import Stack, children_errors, errors_of_stacks, solved_stacks
from fewest.wrapper.splits import TRAINING

# Features whose products fit into memory: a part takes 8 bytes for every pair.
MOST_FEATURES = 6000
# Up to this size loops are faster than linear algebra routines.
FEW = 20
# Numbers of the work of one regression in NumPy besides one for every feature: calls, shared with few others.
WORK_OF_ONE = 10
# Multiplications that one thread is done with before another has started.
FEW_PRODUCTS = 1 << 26
# Multiplications that cost less than finding out, step by step, which are needed.
FEWER_PRODUCTS = 1 << 22


class Sums:
    """X'X, X'y and y'y of some rows; of X'X the diagonal, and the rows of features that have been parents.

    A search that adds one feature at a time needs the products of few features with all others.
    """

    def __init__(self, X: np.ndarray, y: np.ndarray, weights: np.ndarray | None) -> None:
        self._X, self._weights = X, weights
        n_features = X.shape[1]
        cross, norm = y @ X if weights is None else (weights * y) @ X, float(y @ y)
        self.total = float(len(y))
        diagonal = np.einsum("ij,ij->j", X, X)
        if weights is not None:
            norm, self.total = float(weights @ y**2), float(weights.sum())
            diagonal = np.einsum("i,ij,ij->j", weights, X, X)
        self.products = Products(np.empty((n_features, n_features)), cross, norm)
        np.fill_diagonal(self.products.gram, diagonal)
        self._is_known = np.zeros(n_features, dtype=bool)
        if X.size * n_features <= FEWER_PRODUCTS:
            self.add_rows(np.arange(n_features))

    def add_rows(self, features: np.ndarray) -> None:
        """Multiply these features with all."""
        if self._is_known[features].all():
            return
        new = np.unique(features)
        new = new[~self._is_known[new]]
        self._is_known[new] = True
        some = self._X if len(new) == self._X.shape[1] else self._X[:, new]
        some = some if self._weights is None else some * self._weights[:, None]
        with serial_products() if some.size * self._X.shape[1] < FEW_PRODUCTS else nullcontext():
            self.products.gram[new] = some.T @ self._X


class LeastSquaresModel:
    """Least squares on centred data, from sums of products."""

    is_threaded = False  # sums of products are shared, and computed on all cores
    kernels = "fewest.wrapper.kernels.least_squares"

    def __init__(self, fold: dict[str, Examples], estimator) -> None:
        self.penalty = float(getattr(estimator, "alpha", 0.0))
        train = fold[TRAINING]
        centre, level = np.zeros(train.X.shape[1]), 0.0
        if estimator.fit_intercept:
            centre = np.average(train.X, axis=0, weights=train.weights)
            level = float(np.average(train.y, weights=train.weights))
        self.sums = {
            part: Sums(each.X - centre, each.y.astype(np.float64) - level, each.weights) for part, each in fold.items()
        }
        self._single: tuple[Moves, list[Stack]] | None = None

    def n_steps(self, n_children: int, size: int) -> int:
        """Return how many numbers NumPy goes through for children of ``size`` features; 0 where loops would not pay."""
        return n_children * (WORK_OF_ONE + size) if size - 1 <= FEW else 0

    def losses(self, moves: Moves, part: str, compiles: bool = False) -> np.ndarray:
        """Return mean squared errors; NaN where features depend on each other, and the solution is not unique."""
        learned, judged = self.sums[TRAINING], self.sums[part]
        for sums in (learned, judged):
            sums.add_rows(moves.parents)
        losses = np.empty(moves.n_children)
        if compiles and moves.size - 1 <= FEW:
            children_errors.compiled(learned.products, judged.products, self.penalty, moves, losses)
        else:
            errors_of_stacks(self._solved(moves), judged.products, losses)
        return losses / judged.total

    def _solved(self, moves: Moves) -> Iterable[Stack]:
        """Fit the children; a single one, which is judged on one part after the other, is fitted once."""
        if moves.n_children > 1:
            return solved_stacks(self.sums[TRAINING].products, self.penalty, moves)
        if self._single is None or self._single[0] is not moves:
            self._single = moves, list(solved_stacks(self.sums[TRAINING].products, self.penalty, moves))
        return self._single[1]


def is_batchable(estimator, examples: Examples) -> bool:
    """Return whether `LeastSquaresModel` computes what the estimator does."""
    return (
        not estimator.positive
        and np.ndim(getattr(estimator, "alpha", 0.0)) == 0
        and examples.y.ndim == 1
        and examples.y.dtype.kind in "iufb"
        and examples.X.shape[1] <= MOST_FEATURES
    )
