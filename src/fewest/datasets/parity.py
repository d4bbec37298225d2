"""The parity domain: the class is whether an odd number of the relevant features are on."""

from __future__ import annotations

import numpy as np

from fewest.datasets.domain import Domain, check_counts, check_noise


def parity(
    n: int, relevant: int = 3, irrelevant: int = 7, noise: float = 0.0, random_state: int | None = None
) -> Domain:
    """Draw examples of Parity(relevant, irrelevant, noise).

    Kira and Rendell (1992), section 3.2: the class is the exclusive or of the
    relevant features. Then, "for each relevant feature, r% of the instances
    have a negated value": exactly that share, rounded, chosen at random.

    Parameters
    ----------
    n : int
        Rows.
    relevant : int, default=3
        They come first.
    irrelevant : int, default=7
    noise : float, default=0
        The share of rows, for each relevant feature, that have it negated; 0.05 is the document's r = 5.
    random_state : int, optional

    Returns
    -------
    X : ndarray of shape (n, relevant + irrelevant), int8
    y : ndarray of shape (n,)
    relevant : tuple of int

    Examples
    --------
    >>> X, y, relevant = parity(200, relevant=2, irrelevant=8, random_state=0)
    >>> relevant, bool((X[:, 0] ^ X[:, 1] == y).all())
    ((0, 1), True)
    >>> X, y, relevant = parity(200, relevant=2, irrelevant=8, noise=0.05, random_state=0)
    >>> round(float((X[:, 0] ^ X[:, 1] != y).mean()), 2)  # 0.095 to be expected: one of the two is wrong
    0.1
    """
    check_counts(n=n, relevant=relevant, irrelevant=irrelevant)
    check_noise(noise)
    rng = np.random.default_rng(random_state)
    X = rng.integers(0, 2, (n, relevant + irrelevant), dtype=np.int8)
    y = X[:, :relevant].sum(axis=1) % 2
    for feature in range(relevant):
        negated = rng.permutation(n)[: round(noise * n)]
        X[negated, feature] ^= 1
    return Domain(X, y.astype(np.int64), tuple(range(relevant)))
