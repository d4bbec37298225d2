"""The LED display domain: which digit do seven segments, some of them faulty, show?"""

from __future__ import annotations

import numpy as np

from fewest.datasets.domain import Domain, check_counts, check_noise
from fewest.exceptions import ParameterError

# Kira and Rendell (1992), Table 1, from 0 to 9. There the last segment of 9 is printed as off; the repository's
# generator, which made their data, has it on.
SEGMENTS = np.array(
    [
        [1, 1, 1, 0, 1, 1, 1],
        [0, 0, 1, 0, 0, 1, 0],
        [1, 0, 1, 1, 1, 0, 1],
        [1, 0, 1, 1, 0, 1, 1],
        [0, 1, 1, 1, 0, 1, 0],
        [1, 1, 0, 1, 0, 1, 1],
        [1, 1, 0, 1, 1, 1, 1],
        [1, 0, 1, 0, 0, 1, 0],
        [1, 1, 1, 1, 1, 1, 1],
        [1, 1, 1, 1, 0, 1, 1],
    ],
    dtype=np.int8,
)


def led(
    n: int, digit: int | None = None, irrelevant: int = 17, noise: float = 0.1, random_state: int | None = None
) -> Domain:
    """Draw digits as seven segments shows them, beside features that mean nothing.

    Kira and Rendell (1992), section 3.1. Each segment is wrong with
    probability ``noise``, independently.

    Parameters
    ----------
    n : int
        Rows.
    digit : int, optional
        Make it two classes: this digit (1) and all others (0). By default the class is the digit.
    irrelevant : int, default=17
        Features besides the segments, 0 or 1 with equal probability.
    noise : float, default=0.1
    random_state : int, optional

    Returns
    -------
    X : ndarray of shape (n, 7 + irrelevant), int8
    y : ndarray of shape (n,)
    relevant : tuple of int
        The seven segments; the fewest that tell the digit '6' are the third and the fifth.

    Examples
    --------
    >>> X, y, relevant = led(4, noise=0, irrelevant=2, random_state=0)
    >>> y, relevant
    (array([8, 6, 5, 2]), (0, 1, 2, 3, 4, 5, 6))
    >>> X[1]
    array([1, 1, 0, 1, 1, 1, 1, ...], dtype=int8)
    """
    check_counts(n=n, irrelevant=irrelevant)
    check_noise(noise)
    if digit is not None and not 0 <= digit <= 9:
        raise ParameterError(f"digit={digit} is no digit. Give one from 0 to 9.")
    rng = np.random.default_rng(random_state)
    y = rng.integers(0, 10, n)
    shown = SEGMENTS[y] ^ (rng.random((n, 7)) < noise)
    X = np.hstack([shown, rng.integers(0, 2, (n, irrelevant), dtype=np.int8)]).astype(np.int8)
    return Domain(X, y if digit is None else (y == digit).astype(np.int64), tuple(range(7)))
