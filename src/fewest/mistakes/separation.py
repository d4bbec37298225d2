"""The classes F(X, delta) that Winnow2 learns: linearly separable with room between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from fewest.exceptions import ParameterError


@dataclass(frozen=True)
class Separation:
    """Weights mu >= 0 with ``mu·x >= 1`` on positive and ``mu·x <= 1 - delta`` on negative instances.

    What the bound of theorem 9 needs to know of them: their sum and delta.

    Parameters
    ----------
    delta : float
        The gap, more than 0 and at most 1.
    total : float
        The sum of the weights mu.

    Examples
    --------
    >>> from fewest.mistakes import Separation
    >>> Separation.r_of_k(2, 5)
    Separation(delta=0.5, total=2.5)
    >>> Separation.from_threshold([3, 2, 2], 4)
    Separation(delta=0.25, total=1.75)
    """

    delta: float
    total: float

    def __post_init__(self) -> None:
        if not (0 < self.delta <= 1 and 0 <= self.total < float("inf")):
            raise ParameterError(
                f"delta={self.delta} and a sum of weights of {self.total} describe no class F(X, delta). Let delta be "
                "more than 0 and at most 1, and the weights be 0 or more."
            )

    @classmethod
    def disjunction(cls, n_literals: int) -> Separation:
        """Return that of the disjunctions of at most ``n_literals`` monotone literals: mu = 1 for each, delta = 1."""
        return cls(1.0, float(n_literals))

    @classmethod
    def r_of_k(cls, r: int, k: int) -> Separation:
        """Return that of the functions which are true when at least r of k features are: mu = 1 / r for each."""
        if not 1 <= r <= k:
            raise ParameterError(f"r={r} of k={k} features is no threshold function. Let 1 <= r <= k.")
        return cls(1 / r, k / r)

    @classmethod
    def from_threshold(cls, weights: Sequence[int], threshold: int) -> Separation:
        """Return that of ``weights·x >= threshold``, in whole numbers: mu = weights / threshold, delta = 1 / it."""
        if threshold < 1 or any(weight < 0 or weight != int(weight) for weight in weights) or threshold % 1:
            raise ParameterError(
                "A threshold function has whole weights of 0 or more and a whole threshold of 1 or more here. Multiply "
                "them by a common factor, or name delta and the sum of the weights."
            )
        return cls(1 / threshold, sum(weights) / threshold)

    @classmethod
    def from_weights(cls, mu: Sequence[float], X: object, y: object) -> Separation:
        """Return the widest gap that weights leave on the instances X of the classes y, 0 and 1."""
        sums, labels = np.asarray(X, dtype=float) @ np.asarray(mu, dtype=float), np.asarray(y, dtype=bool)
        if min(mu, default=0) < 0 or sums[labels].min(initial=1.0) < 1 or sums[~labels].max(initial=-1.0) >= 1:
            raise ParameterError(
                "The weights do not separate: all must be 0 or more, with a sum of at least 1 on every positive "
                "instance and of less than 1 on every negative one. Multiply them, or choose others."
            )
        return cls(min(1.0, float(1 - sums[~labels].max(initial=0.0))), float(sum(mu)))

    def holds_for(self, mu: Sequence[float], function, n_features: int) -> bool:
        """Return whether weights prove that a function of all instances of n features is in the class."""
        instances = list(product((0, 1), repeat=n_features))
        sums = [sum(m * x for m, x in zip(mu, instance, strict=True)) for instance in instances]
        slack = 1e-12
        return all(
            total >= 1 - slack if function(instance) else total <= 1 - self.delta + slack
            for total, instance in zip(sums, instances, strict=True)
        ) and bool(min(mu) >= 0 and sum(mu) <= self.total + slack)
