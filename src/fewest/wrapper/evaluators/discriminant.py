"""Linear discriminants on many subsets, from class means and the scatter within classes."""

from __future__ import annotations

from functools import cache

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from fewest.wrapper.evaluators.least_squares import MOST_FEATURES
from fewest.wrapper.examples import Examples
from fewest.wrapper.kernels.layout import Moves
from fewest.wrapper.kernels.least_squares import STACK, one_more
from fewest.wrapper.kernels.naive_bayes import first_of_best
from fewest.wrapper.splits import TRAINING

# scikit-learn leaves out directions whose spread is below ``tol``; nearer than this to that, let it decide.
SAFETY = 100.0
# The part of a variance that rounding may leave of none.
ROUNDING = 1e-24


class DiscriminantModel:
    """Class c scores x' S^-1 mu_c - mu_c' S^-1 mu_c / 2 + log prior; S^-1 mu_c grows by a feature at a time."""

    is_threaded = False
    kernels = ""

    def __init__(self, fold: dict[str, Examples], estimator) -> None:
        train = fold[TRAINING]
        self.classes, codes = np.unique(train.y, return_inverse=True)
        counts = np.bincount(codes)
        self.centre = train.X.mean(axis=0)
        X = train.X - self.centre
        self.means = np.array([X[codes == c].mean(axis=0) for c in range(len(self.classes))])
        within = X - self.means[codes]
        self.scatter = within.T @ within / max(1, len(X) - (len(self.classes) if _is_unbiased() else 0))
        # A feature that is the same in all rows of a class has no spread there, whatever rounding leaves of it.
        is_constant = np.diag(self.scatter) <= ROUNDING * (X**2).mean(axis=0)
        self.scatter[is_constant] = self.scatter[:, is_constant] = 0.0
        self.priors = counts / counts.sum() if estimator.priors is None else np.asarray(estimator.priors)
        self.floor = SAFETY * estimator.tol**2
        self.parts = {part: (examples.X - self.centre, self._codes(examples.y)) for part, examples in fold.items()}

    def _codes(self, y: np.ndarray) -> np.ndarray:
        """Return the number of every row's class, -1 for one that training has not seen."""
        codes = np.minimum(np.searchsorted(self.classes, y), len(self.classes) - 1)
        return np.where(self.classes[codes] == y, codes, -1)

    def n_steps(self, n_children: int, size: int) -> int:  # noqa: ARG002 (other models need them)
        """Return that there is nothing to compile."""
        return 0

    def losses(self, moves: Moves, part: str, compiles: bool = False) -> np.ndarray:  # noqa: ARG002 (nothing to compile)
        """Return error rates; NaN where features depend on each other."""
        losses = np.empty(moves.n_children)
        X, codes = self.parts[part]
        for parents, added, is_child, positions in moves.stacks(STACK // (len(X) + moves.size)):
            losses[positions] = self._errors(parents, added, X, codes)[is_child]
        return losses

    def _errors(self, parents: np.ndarray, added: np.ndarray, X: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """Return the error rate of every parent, a row each, with each of the features added to it."""
        solved = one_more(self.scatter, self.means.T, 0.0, parents, added)
        own, new = X.T[parents].transpose(0, 2, 1), X.T[added].transpose(0, 2, 1)
        fresh = new - own @ solved.combined  # what each feature adds to the parent's
        of_parents = self.means.T[parents]  # (n_parents, size, n_classes)
        means = self.means.T[added] - solved.combined.transpose(0, 2, 1) @ of_parents
        scores = own @ solved.base
        level = np.log(self.priors) - 0.5 * np.einsum("psc,psc->pc", of_parents, solved.base)
        offset = level[:, None, :] - 0.5 * solved.steps * means
        every = np.empty((len(self.classes), *fresh.shape))
        for c in range(len(self.classes)):
            np.multiply(fresh, solved.steps[:, None, :, c], out=every[c])
            every[c] += scores[:, :, [c]]
            every[c] += offset[:, None, :, c]
        errors = (first_of_best(every) != codes[:, None]).mean(axis=1)
        floor = self.floor * np.diag(self.scatter)[added]
        is_sure = solved.is_regular & (solved.rest > floor) & self._are_safe(parents)[:, None]
        return np.where(is_sure, errors, np.nan)

    def _are_safe(self, parents: np.ndarray) -> np.ndarray:
        """Return for each parent whether no direction of its features comes near to being left out."""
        if not parents.shape[1]:
            return np.ones(len(parents), dtype=bool)
        spread = np.sqrt(np.diag(self.scatter))[parents]
        has_spread = spread.all(axis=1)
        spread[~has_spread] = 1.0
        correlation = self.scatter[parents[:, :, None], parents[:, None, :]]
        correlation /= spread[:, :, None] * spread[:, None, :]
        return has_spread & (np.linalg.eigvalsh(correlation)[:, 0] > self.floor)


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
