"""Least squares and ridge regression on many subsets, from sums of products alone."""

from __future__ import annotations

import numpy as np

from fewest.kernels.one_more import one_more, squared_errors
from fewest.selection.wrapper.compiling import is_much
from fewest.selection.wrapper.data import Examples, weights_of
from fewest.selection.wrapper.moves import Moves
from fewest.selection.wrapper.splits import TRAINING

# Features whose products fit into memory: a part takes 8 bytes for every pair.
MOST_FEATURES = 6000
# Up to this size loops are faster than linear algebra routines.
FEW = 40
# What one regression is to count as, when it comes to whether to compile.
MUCH_FOR_ONE = 1000


class LeastSquaresModel:
    """Regressions on centred data; what is left of the rows are X'X, X'y and y'y of every part."""

    def __init__(self, fold: dict[str, Examples], estimator) -> None:
        self.penalty = float(getattr(estimator, "alpha", 0.0))
        train, weights = fold[TRAINING], weights_of(fold[TRAINING])
        centre, level = np.zeros(train.X.shape[1]), 0.0
        if estimator.fit_intercept:
            centre, level = np.average(train.X, axis=0, weights=weights), np.average(train.y, weights=weights)
        self.sums = {}
        for part, examples in fold.items():
            weights = weights_of(examples)
            X, y = examples.X - centre, examples.y.astype(np.float64) - level
            weighted = X * weights[:, None]
            self.sums[part] = (weighted.T @ X, weighted.T @ y, float(weights @ y**2), float(weights.sum()))

    def losses(self, moves: Moves, part: str) -> np.ndarray:
        """Return mean squared errors; NaN where features depend on each other, and the solution is not unique."""
        matrix, sides = self.sums[TRAINING][:2]
        gram, cross, norm, total = self.sums[part]
        losses = np.empty(len(moves))
        if moves.parents.shape[1] <= FEW and is_much(len(moves), 1, MUCH_FOR_ONE):
            from fewest.kernels.least_squares import children_errors

            place = (moves.parents, moves.starts, moves.added)
            children_errors(matrix, sides, self.penalty, gram, cross, norm, *place, losses)
            return losses / total
        for parent, added, places in moves.each():
            solved = one_more(matrix, sides[:, None], self.penalty, parent, added)
            losses[places] = squared_errors(solved, gram, cross, norm, parent, added) / total
        return losses


def is_batchable(estimator, examples: Examples) -> bool:
    """Return whether the estimator is one that `LeastSquaresModel` stands for."""
    return (
        not estimator.positive
        and np.ndim(getattr(estimator, "alpha", 0.0)) == 0
        and examples.y.ndim == 1
        and examples.y.dtype.kind in "iufb"
        and examples.X.shape[1] <= MOST_FEATURES
    )
