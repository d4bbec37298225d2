"""Linear thresholds: on which side of a plane through a few of the features does an example lie?"""

from __future__ import annotations

import numpy as np

from fewest.datasets.domain import Domain, check_counts, check_noise
from fewest.exceptions import ParameterError


def linear_threshold(
    n: int,
    relevant: int = 1,
    irrelevant: int = 19,
    noise: float = 0.3,
    offset: float | None = None,
    random_state: int | None = None,
) -> Domain:
    """Draw examples whose class is 1 where the sum of the relevant features plus an offset exceeds 0.

    Ng (1998), section 4.2: all features are independent and normal, of mean 0
    and variance 1, and each label is wrong with probability ``noise`` (eta).
    Its two concepts are x1 + 0.2 > 0, with one relevant feature, and
    x1 + x2 + x3 > 0, with three. Errors are measured there on clean labels.

    Parameters
    ----------
    n : int
        Rows.
    relevant : int, default=1
        They come first.
    irrelevant : int, default=19
    noise : float, default=0.3
        A label is wrong with this probability. The same seed with other noise draws the same examples.
    offset : float, optional
        By default 0.2 for one relevant feature and 0 for more, as in the document.
    random_state : int, optional

    Returns
    -------
    X : ndarray of shape (n, relevant + irrelevant)
    y : ndarray of shape (n,)
    relevant : tuple of int

    Examples
    --------
    >>> X, y, relevant = linear_threshold(1000, relevant=3, irrelevant=2, random_state=0)
    >>> relevant, X.shape
    ((0, 1, 2), (1000, 5))
    >>> round(float((y != (X[:, :3].sum(axis=1) > 0)).mean()), 2)
    0.3
    """
    check_counts(n=n, relevant=relevant, irrelevant=irrelevant)
    check_noise(noise)
    offset = (0.2 if relevant == 1 else 0.0) if offset is None else offset
    if not np.isfinite(offset):
        raise ParameterError(f"offset={offset} puts every example on one side. Give a finite number.")
    rng = np.random.default_rng(random_state)
    X = rng.standard_normal((n, relevant + irrelevant))
    clean = X[:, :relevant].sum(axis=1) + offset > 0
    wrong = rng.random(n) < noise
    return Domain(X, (clean ^ wrong).astype(np.int64), tuple(range(relevant)))
