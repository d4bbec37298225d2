"""Generate examples of the papers' artificial domains, whose relevant features are known.

LED displays and parities are those of Kira and Rendell (1992), linear thresholds those of Ng (1998).
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from fewest.exceptions import ParameterError

MOST = 1 << 40  # rows, or columns

# Kira and Rendell (1992), Table 1, from 0 to 9. There the last segment of 9 is printed as off; the repository's
# generator, which gave their data, has it on.
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


RandomState: TypeAlias = int | np.random.RandomState | np.random.Generator | np.random.SeedSequence | None


class Domain(NamedTuple):
    """Examples, their classes, and the positions of the relevant features.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The examples.
    y : ndarray of shape (n_samples,)
        Their classes.
    relevant : tuple of int
        The positions of the relevant features.

    See Also
    --------
    make_led : Digits of a display with seven segments.
    make_parity : Examples whose class is the exclusive or of some features.
    make_linear_threshold : Examples on two sides of a hyperplane.

    Examples
    --------
    >>> from fewest.datasets import make_parity
    >>> domain = make_parity(5, relevant=2, irrelevant=1, random_state=0)
    >>> domain.X.shape, domain.y.shape, domain.relevant
    ((5, 3), (5,), (0, 1))
    """

    X: np.ndarray
    y: np.ndarray
    relevant: tuple[int, ...]


def make_led(
    n_samples: int = 100,
    digit: int | None = None,
    irrelevant: int = 17,
    noise: float = 0.1,
    random_state: RandomState = None,
) -> Domain:
    """Generate digits as seven segments show them, with irrelevant features beside.

    Kira and Rendell (1992), section 3.1. Each segment is wrong with
    probability ``noise``, independently.

    Parameters
    ----------
    n_samples : int, default=100
        Number of rows.
    digit : int, default=None
        Give two classes: this digit (1) and all others (0). By default the class is the digit.
    irrelevant : int, default=17
        Number of features besides the segments, 0 or 1 with equal probability.
    noise : float, default=0.1
        The probability that a segment shows the opposite of what it should.
    random_state : int, RandomState instance or None, default=None
        What the random choices depend on. Pass an int for the same data at every call.

    Returns
    -------
    X : ndarray of shape (n_samples, 7 + irrelevant), int8
        The segments, then the irrelevant features, 0 or 1.
    y : ndarray of shape (n_samples,)
        The digit shown, or whether it is ``digit``.
    relevant : tuple of int
        The seven segments; the fewest that separate the digit '6' from all others are the third and the fifth.

    See Also
    --------
    make_parity : Examples whose class is the exclusive or of some features.
    make_linear_threshold : Examples on two sides of a hyperplane.

    References
    ----------
    K. Kira and L. A. Rendell, "A practical approach to feature selection", ICML, 1992.

    Examples
    --------
    >>> from fewest.datasets import make_led
    >>> X, y, relevant = make_led(4, noise=0, irrelevant=2, random_state=0)
    >>> y, relevant
    (array([8, 6, 5, 2]), (0, 1, 2, 3, 4, 5, 6))
    >>> X[1]
    array([1, 1, 0, 1, 1, 1, 1, ...], dtype=int8)
    """
    _check_counts(n_samples=n_samples, irrelevant=irrelevant)
    _check_noise(noise)
    if digit is not None and not 0 <= digit <= 9:
        raise ParameterError(f"digit={digit} is no digit. Give one from 0 to 9.")
    rng = _generator(random_state)
    y = rng.integers(0, 10, n_samples)
    shown = SEGMENTS[y] ^ (rng.random((n_samples, 7)) < noise)
    X = np.hstack([shown, rng.integers(0, 2, (n_samples, irrelevant), dtype=np.int8)]).astype(np.int8)
    return Domain(X, y if digit is None else (y == digit).astype(np.int64), tuple(range(7)))


def make_parity(
    n_samples: int = 100,
    relevant: int = 3,
    irrelevant: int = 7,
    noise: float = 0.0,
    random_state: RandomState = None,
) -> Domain:
    """Generate examples of Parity(relevant, irrelevant, noise).

    Kira and Rendell (1992), section 3.2: the class is the exclusive or of the
    relevant features. Then, "for each relevant feature, r% of the instances
    have a negated value": exactly that share, rounded, chosen at random.

    Parameters
    ----------
    n_samples : int, default=100
        Number of rows.
    relevant : int, default=3
        Number of relevant features, which come first.
    irrelevant : int, default=7
        Number of features that have nothing to do with the class.
    noise : float, default=0.0
        The share of rows, for each relevant feature, that have it negated; 0.05 is the paper's r = 5.
    random_state : int, RandomState instance or None, default=None
        What the random choices depend on. Pass an int for the same data at every call.

    Returns
    -------
    X : ndarray of shape (n_samples, relevant + irrelevant), int8
        The features, 0 or 1 with equal probability.
    y : ndarray of shape (n_samples,)
        The exclusive or of the relevant features before noise, 0 or 1.
    relevant : tuple of int
        The positions of the relevant features.

    See Also
    --------
    make_led : Digits of a display with seven segments.
    make_linear_threshold : Examples on two sides of a hyperplane.

    References
    ----------
    K. Kira and L. A. Rendell, "A practical approach to feature selection", ICML, 1992.

    Examples
    --------
    >>> from fewest.datasets import make_parity
    >>> X, y, relevant = make_parity(200, relevant=2, irrelevant=8, random_state=0)
    >>> relevant, bool((X[:, 0] ^ X[:, 1] == y).all())
    ((0, 1), True)
    >>> X, y, relevant = make_parity(200, relevant=2, irrelevant=8, noise=0.05, random_state=0)
    >>> round(float((X[:, 0] ^ X[:, 1] != y).mean()), 2)  # 0.095 to be expected: one of the two is wrong
    0.1
    """
    _check_counts(n_samples=n_samples, relevant=relevant, irrelevant=irrelevant)
    _check_noise(noise)
    rng = _generator(random_state)
    X = rng.integers(0, 2, (n_samples, relevant + irrelevant), dtype=np.int8)
    y = X[:, :relevant].sum(axis=1) % 2
    for feature in range(relevant):
        negated = rng.permutation(n_samples)[: round(noise * n_samples)]
        X[negated, feature] ^= 1
    return Domain(X, y.astype(np.int64), tuple(range(relevant)))


def make_linear_threshold(
    n_samples: int = 100,
    relevant: int = 1,
    irrelevant: int = 19,
    noise: float = 0.3,
    offset: float | None = None,
    random_state: RandomState = None,
) -> Domain:
    """Generate examples whose class is 1 where the sum of the relevant features plus an offset exceeds 0.

    Ng (1998), section 4.2: all features are independent and normal, of mean 0
    and variance 1, and each label is wrong with probability ``noise`` (eta).
    Its two concepts are x1 + 0.2 > 0, with one relevant feature, and
    x1 + x2 + x3 > 0, with three. Errors are measured there on clean labels.

    Parameters
    ----------
    n_samples : int, default=100
        Number of rows.
    relevant : int, default=1
        Number of relevant features, which come first.
    irrelevant : int, default=19
        Number of features that have nothing to do with the class.
    noise : float, default=0.3
        A label is wrong with this probability. The same seed with other noise gives the same examples.
    offset : float, default=None
        By default 0.2 for one relevant feature and 0 for more, as in the paper.
    random_state : int, RandomState instance or None, default=None
        What the random choices depend on. Pass an int for the same data at every call.

    Returns
    -------
    X : ndarray of shape (n_samples, relevant + irrelevant)
        The features, independent and standard normal.
    y : ndarray of shape (n_samples,)
        The labels, 0 or 1.
    relevant : tuple of int
        The positions of the relevant features.

    See Also
    --------
    make_led : Digits of a display with seven segments.
    make_parity : Examples whose class is the exclusive or of some features.

    References
    ----------
    A. Y. Ng, "On feature selection: learning with exponentially many irrelevant features as training examples",
    ICML, 1998.

    Examples
    --------
    >>> from fewest.datasets import make_linear_threshold
    >>> X, y, relevant = make_linear_threshold(1000, relevant=3, irrelevant=2, random_state=0)
    >>> relevant, X.shape
    ((0, 1, 2), (1000, 5))
    >>> round(float((y != (X[:, :3].sum(axis=1) > 0)).mean()), 2)
    0.3
    """
    _check_counts(n_samples=n_samples, relevant=relevant, irrelevant=irrelevant)
    _check_noise(noise)
    offset = (0.2 if relevant == 1 else 0.0) if offset is None else offset
    if not np.isfinite(offset):
        raise ParameterError(f"offset={offset} puts every example on one side. Give a finite number.")
    rng = _generator(random_state)
    X = rng.standard_normal((n_samples, relevant + irrelevant))
    clean = X[:, :relevant].sum(axis=1) + offset > 0
    wrong = rng.random(n_samples) < noise
    return Domain(X, (clean ^ wrong).astype(np.int64), tuple(range(relevant)))


def _generator(random_state: RandomState) -> np.random.Generator:
    """Return NumPy's generator for any ``random_state`` that scikit-learn takes, and for what NumPy takes."""
    if isinstance(random_state, np.random.RandomState):
        random_state = random_state.randint(np.iinfo(np.int32).max)
    return np.random.default_rng(random_state)


def _check_counts(**counts: int) -> None:
    """Raise for impossible numbers of rows and features."""
    for name, count in counts.items():
        if count < 0 or (name in ("n_samples", "relevant") and count == 0):
            raise ParameterError(f"{name}={count} gives no data. Give a positive number.")
        if count > MOST:
            raise ParameterError(f"{name}={count:.1e} is more than any memory holds. Give a smaller number.")


def _check_noise(noise: float) -> None:
    """Raise unless the noise is a share of the values."""
    if not 0 <= noise <= 1:
        raise ParameterError(f"noise={noise} is no share of the values. Give a number from 0 to 1, such as 0.05.")
