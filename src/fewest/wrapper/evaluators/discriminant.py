"""Linear discriminants on many subsets, from class means and the scatter within classes."""

from __future__ import annotations

from functools import cache

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from fewest.wrapper.evaluators.least_squares import MOST_FEATURES
from fewest.wrapper.examples import Examples
from fewest.wrapper.kernels.layout import Moves
from fewest.wrapper.kernels.least_squares import one_more
from fewest.wrapper.splits import TRAINING

# scikit-learn leaves out directions whose spread is below ``tol``; nearer than this to that, let it decide.
SAFETY = 100.0


class DiscriminantModel:
    """Class c scores x' S^-1 mu_c - mu_c' S^-1 mu_c / 2 + log prior; S^-1 mu_c grows by a feature at a time."""

    is_threaded = False

    def __init__(self, fold: dict[str, Examples], estimator) -> None:
        train = fold[TRAINING]
        self.classes, codes = np.unique(train.y, return_inverse=True)
        counts = np.bincount(codes)
        self.centre = train.X.mean(axis=0)
        X = train.X - self.centre
        self.means = np.array([X[codes == c].mean(axis=0) for c in range(len(self.classes))])
        within = X - self.means[codes]
        self.scatter = within.T @ within / max(1, len(X) - (len(self.classes) if _is_unbiased() else 0))
        self.priors = counts / counts.sum() if estimator.priors is None else np.asarray(estimator.priors)
        self.floor = SAFETY * estimator.tol**2
        self.parts = {part: (examples.X - self.centre, examples.y) for part, examples in fold.items()}

    def n_steps(self, n_children: int, size: int) -> int:  # noqa: ARG002 (other models need them)
        """Return that there is nothing to compile."""
        return 0

    def losses(self, moves: Moves, part: str, compiles: bool = False) -> np.ndarray:  # noqa: ARG002 (nothing to compile)
        """Return error rates; NaN where features depend on each other."""
        losses = np.empty(moves.n_children)
        for parent, added, positions in moves.each():
            losses[positions] = self._errors(parent, added, *self.parts[part])
        return losses

    def _errors(self, parent: np.ndarray, added: np.ndarray, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        solved = one_more(self.scatter, self.means.T, 0.0, parent, added)
        if not self._is_safe(parent):
            return np.full(len(added), np.nan)
        fresh = X[:, added] - X[:, parent] @ solved.combined  # what each feature adds to the parent's
        means = self.means[:, added] - self.means[:, parent] @ solved.combined
        scores = X[:, parent] @ solved.base
        level = np.log(self.priors) - 0.5 * np.einsum("cp,pc->c", self.means[:, parent], solved.base)
        best = np.full(fresh.shape, -np.inf)
        predicted = np.zeros(fresh.shape, dtype=np.intp)
        for c in range(len(self.classes)):
            step = solved.steps[:, c]
            score = scores[:, [c]] + fresh * step + (level[c] - 0.5 * step * means[c])
            predicted[score > best] = c
            np.maximum(best, score, out=best)
        errors = (self.classes[predicted] != y[:, None]).mean(axis=0)
        spread = np.diag(self.scatter)[added]
        rest = spread - np.einsum("ij,ij->j", self.scatter[np.ix_(parent, added)], solved.combined)
        return np.where(solved.is_regular & (rest > self.floor * spread), errors, np.nan)

    def _is_safe(self, parent: np.ndarray) -> bool:
        """Return whether no direction of the parent's features comes near to being left out."""
        if not len(parent):
            return True
        spread = np.sqrt(np.diag(self.scatter)[parent])
        if not spread.all():
            return False
        correlation = self.scatter[np.ix_(parent, parent)] / np.outer(spread, spread)
        return bool(np.linalg.eigvalsh(correlation)[0] > self.floor)


@cache
def _is_unbiased() -> bool:
    """Return whether this release of scikit-learn divides the scatter by n - k instead of n, as some do.

    Two classes of two, at a distance of 4, with a sum of squares of 4: S is 2 or 1, and the coefficient 4 / S.
    """
    fitted = LinearDiscriminantAnalysis().fit([[-1.0], [1.0], [3.0], [5.0]], [0, 0, 1, 1])
    return bool(fitted.coef_[0, 0] < 3)


def is_batchable(estimator, examples: Examples) -> bool:
    """Return whether `DiscriminantModel` computes what the estimator does."""
    return (
        estimator.solver == "svd"
        and estimator.shrinkage is None
        and estimator.covariance_estimator is None
        and examples.weights is None
        and examples.X.shape[1] <= MOST_FEATURES
    )
