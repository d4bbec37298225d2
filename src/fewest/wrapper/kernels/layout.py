"""What the fits of many subsets take: the rows, the subsets, and what is known of the model.

Kernels, compiled or not, take these as arguments, so that this module is free of numba.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

# Classes that a plane separates have no maximum of the likelihood without a penalty: stop where no residual is larger.
PERFECT = 1e-4
# A linear predictor that is 0, on the border of the classes, comes out as what rounding leaves of it.
BORDER = 1e-10
# A feature that the parent's explain up to this part of itself has no regression coefficient of its own.
DEPENDENT = 1e-9


class Moves(NamedTuple):
    """Parents of one size, and the features that are added to each of them, one at a time.

    Attributes
    ----------
    parents : int64 array of shape (n_parents, size)
    starts : int64 array of shape (n_parents + 1,)
        Children of parent p add ``added[starts[p]:starts[p + 1]]``.
    added : int64 array of shape (n_children,)
    """

    parents: np.ndarray
    starts: np.ndarray
    added: np.ndarray

    @property
    def n_children(self) -> int:
        """Return how many subsets these are."""
        return len(self.added)

    @property
    def size(self) -> int:
        """Return how many features each of them has."""
        return self.parents.shape[1] + 1

    def each(self) -> Iterator[tuple[np.ndarray, np.ndarray, slice]]:
        """Yield every parent that has children, with what is added to it and the positions of its children."""
        for p, parent in enumerate(self.parents):
            positions = slice(int(self.starts[p]), int(self.starts[p + 1]))
            if positions.stop > positions.start:
                yield parent, self.added[positions], positions

    def parent_of_child(self) -> np.ndarray:
        """Return the number of the parent of every child."""
        return np.repeat(np.arange(len(self.parents)), np.diff(self.starts))

    def children(self) -> np.ndarray:
        """Return the features of every child, the one added last."""
        return np.column_stack([self.parents[self.parent_of_child()], self.added])

    def shares(self, n_shares: int) -> list[Moves]:
        """Cut the children, as they follow each other, into shares of about the same number, at least one."""
        bounds = np.linspace(0, self.n_children, min(n_shares, self.n_children) + 1).astype(np.int64)
        return [self._part(int(a), int(b)) for a, b in pairwise(bounds)]

    def _part(self, start: int, stop: int) -> Moves:
        first = int(np.searchsorted(self.starts, start, side="right")) - 1
        last = int(np.searchsorted(self.starts, stop, side="left"))
        return Moves(
            self.parents[first:last],
            np.clip(self.starts[first : last + 1], start, stop) - start,
            self.added[start:stop],
        )

    def stacks(self, most: int) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray, slice]]:
        """Yield parents with children, so many children at a time, such that they can be handled in one array.

        Each time the parents, the features added to them, one row a parent, which of these are children, and the
        positions of these. A parent with fewer children than others has its last one repeated, which is none.
        """
        counts = np.diff(self.starts)
        own = np.flatnonzero(counts)
        n_parents = max(1, most // max(1, int(counts.max(initial=0))))
        for first in range(0, len(own), n_parents):
            some = own[first : first + n_parents]
            starts, n_added = self.starts[some], counts[some]
            slots = np.arange(n_added.max())
            added = self.added[starts[:, None] + np.minimum(slots, n_added[:, None] - 1)]
            positions = slice(int(starts[0]), int(starts[-1] + n_added[-1]))
            yield self.parents[some], added, slots < n_added[:, None], positions

    @classmethod
    def of_subset(cls, features: tuple[int, ...]) -> Moves:
        """Return the move that ends in a subset that is not empty."""
        parents = np.array([features[:-1]], dtype=np.int64).reshape(1, len(features) - 1)
        return cls(parents, np.array([0, 1]), np.array(features[-1:], dtype=np.int64))


class Rows(NamedTuple):
    """The rows that models are fitted to or judged by.

    Attributes
    ----------
    columns : float64 array of shape (n_features, n_rows)
    target : array of shape (n_rows,)
        For logistic regression of two classes 0.0 or 1.0; else the number of a class, -1 for one not seen in training.
    weight : float64 array of shape (n_rows,)
    """

    columns: np.ndarray
    target: np.ndarray
    weight: np.ndarray


class Penalised(NamedTuple):
    """The form of a logistic regression.

    Attributes
    ----------
    penalty : float
        Half of it times the squared coefficients is added to the loss; the intercept is not penalised.
    intercept : int
        1 with an intercept, 0 without.
    """

    penalty: float
    intercept: int


class Products(NamedTuple):
    """Sums of products of some rows, from which squared errors follow: X'X, X'y and y'y."""

    gram: np.ndarray
    cross: np.ndarray
    norm: float


class Gaussians(NamedTuple):
    """Normal densities of every feature in every class.

    Attributes
    ----------
    prior : float64 array of shape (n_classes,)
        Logarithms.
    mean, variance : float64 arrays of shape (n_classes, n_features)
    spread : float64 array of shape (n_features,)
        The largest of a subset's features is added to its variances, as scikit-learn does.
    """

    prior: np.ndarray
    mean: np.ndarray
    variance: np.ndarray
    spread: np.ndarray


class LogOdds(NamedTuple):
    """Log probabilities of Boolean features: a feature x adds ``offset + slope * x`` to the score of a class.

    Attributes
    ----------
    prior : float64 array of shape (n_classes,)
        Logarithms.
    offset, slope : float64 arrays of shape (n_classes, n_features)
    """

    prior: np.ndarray
    offset: np.ndarray
    slope: np.ndarray
