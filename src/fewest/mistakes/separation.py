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

    See Also
    --------
    bound : The bounds by name; ``bound("winnow2", ...)`` needs what is here.
    Winnow2 : The classifier, whose ``separation`` sets its update factor and bounds its mistakes.

    References
    ----------
    Littlestone, N. (1988). Learning quickly when irrelevant attributes abound: a new linear-threshold algorithm.
    Machine Learning 2, 285-318.

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
        """Return that of the disjunctions of at most ``n_literals`` monotone literals: mu = 1 for each, delta = 1.

        Parameters
        ----------
        n_literals : int
            How many features a disjunction has at the most, k in the paper.

        Returns
        -------
        Separation
            With a delta of 1 and a sum of k.

        Examples
        --------
        >>> Separation.disjunction(3)
        Separation(delta=1.0, total=3.0)
        """
        return cls(1.0, float(n_literals))

    @classmethod
    def r_of_k(cls, r: int, k: int) -> Separation:
        """Return that of the functions which are true when at least r of k features are: mu = 1 / r for each.

        Parameters
        ----------
        r : int
            How many features must be true.
        k : int
            How many features are counted.

        Returns
        -------
        Separation
            With a delta of 1 / r and a sum of k / r.

        Examples
        --------
        >>> Separation.r_of_k(1, 3) == Separation.disjunction(3)
        True
        """
        if not 1 <= r <= k:
            raise ParameterError(f"r={r} of k={k} features is no threshold function. Let 1 <= r <= k.")
        return cls(1 / r, k / r)

    @classmethod
    def from_threshold(cls, weights: Sequence[int], threshold: int) -> Separation:
        """Return that of ``weights·x >= threshold``, in whole numbers: mu = weights / threshold, delta = 1 / it.

        Parameters
        ----------
        weights : sequence of int
            The weight of every feature, 0 or more.
        threshold : int
            What the sum must reach, 1 or more.

        Returns
        -------
        Separation
            With a delta of 1 / threshold.

        Examples
        --------
        >>> Separation.from_threshold([1, 1, 1], 2) == Separation.r_of_k(2, 3)
        True
        """
        if threshold < 1 or any(weight < 0 or weight != int(weight) for weight in weights) or threshold % 1:
            raise ParameterError(
                "A threshold function has whole weights of 0 or more and a whole threshold of 1 or more here. Multiply "
                "them by a common factor, or name delta and the sum of the weights."
            )
        return cls(1 / threshold, sum(weights) / threshold)

    @classmethod
    def from_weights(cls, mu: Sequence[float], X: object, y: object) -> Separation:
        """Return the widest gap that weights leave on the instances X of the classes y, 0 and 1.

        Parameters
        ----------
        mu : sequence of float
            The weight of every feature, 0 or more.
        X : array-like of shape (n_samples, n_features)
            Boolean instances.
        y : array-like of shape (n_samples,)
            The class of each, 0 or 1.

        Returns
        -------
        Separation
            With the largest delta that these instances allow.

        Raises
        ------
        ParameterError
            If the weights do not separate the classes.

        Examples
        --------
        >>> Separation.from_weights([0.5, 0.5, 0.5], [[1, 1, 0], [1, 0, 0]], [1, 0])
        Separation(delta=0.5, total=1.5)
        """
        sums, labels = np.asarray(X, dtype=float) @ np.asarray(mu, dtype=float), np.asarray(y, dtype=bool)
        if min(mu, default=0) < 0 or sums[labels].min(initial=1.0) < 1 or sums[~labels].max(initial=-1.0) >= 1:
            raise ParameterError(
                "The weights do not separate: all must be 0 or more, with a sum of at least 1 on every positive "
                "instance and of less than 1 on every negative one. Multiply them, or choose others."
            )
        return cls(min(1.0, float(1 - sums[~labels].max(initial=0.0))), float(sum(mu)))

    def holds_for(self, mu: Sequence[float], function, n_features: int) -> bool:
        """Return whether weights prove that a function of all instances of n features is in the class.

        Parameters
        ----------
        mu : sequence of float
            The weight of every feature.
        function : callable
            It takes a tuple of ``n_features`` zeros and ones and returns what counts as true or false.
        n_features : int
            The number of features, n in the paper; all 2^n instances are tried.

        Returns
        -------
        bool
            Whether the weights are 0 or more, add up to no more than ``total``, and leave a gap of ``delta``.

        Examples
        --------
        >>> Separation.r_of_k(2, 3).holds_for([0.5, 0.5, 0.5], lambda x: sum(x) >= 2, 3)
        True
        """
        instances = list(product((0, 1), repeat=n_features))
        sums = [sum(m * x for m, x in zip(mu, instance, strict=True)) for instance in instances]
        slack = 1e-12
        return all(
            total >= 1 - slack if function(instance) else total <= 1 - self.delta + slack
            for total, instance in zip(sums, instances, strict=True)
        ) and bool(min(mu) >= 0 and sum(mu) <= self.total + slack)
