"""Problems whose relevant features are known, for telling how well a selector finds them.

Columns stand in a random order, so that no selector is right by preferring the first.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fewest.datasets.generators import Domain, RandomState, _generator, make_led
from fewest.exceptions import ParameterError

Build = Callable[[np.random.Generator], Domain]


def make_known_truth(problem: str, *, random_state: RandomState = None) -> Domain:
    """Generate a problem whose relevant features are known, its columns in random order.

    Parameters
    ----------
    problem : str
        One of `known_truths`: ``"corral"``, ``"led-10"`` (10 % noise) or ``"epistasis-0.2"`` (heritability 0.2), say.
    random_state : int, RandomState instance or None, default=None
        What the random choices depend on. Pass an int for the same data at every call.

    Returns
    -------
    X : ndarray of shape (n_samples, n_features)
        The examples.
    y : ndarray of shape (n_samples,)
        Their classes.
    relevant : tuple of int
        The positions of the relevant features.

    See Also
    --------
    known_truths : The names of all problems.
    make_parity : One of the papers' domains.

    Examples
    --------
    >>> from fewest.datasets import make_known_truth
    >>> X, y, relevant = make_known_truth("xor-copies", random_state=0)
    >>> X.shape, len(relevant), bool((X[:, relevant].sum(axis=1) % 2 == y).all())
    ((300, 100), 2, True)
    """
    problems = {**TOGETHER, **ALONE}
    if problem not in problems:
        raise ParameterError.from_choice("problem", problem, tuple(problems))
    rng = _generator(random_state)
    X, y, relevant = problems[problem](rng)
    order = rng.permutation(X.shape[1])
    places = np.argsort(order)[list(relevant)]
    return Domain(X[:, order], y.astype(np.int64), tuple(sorted(places.tolist())))


def known_truths(kind: str | None = None) -> tuple[str, ...]:
    """Return the names of the problems that `make_known_truth` generates.

    Parameters
    ----------
    kind : {"together", "alone"}, default=None
        Only those whose features matter only jointly, or only those where they tell something singly.

    Returns
    -------
    tuple of str
        The names.

    See Also
    --------
    make_known_truth : Generate one of them.

    Examples
    --------
    >>> from fewest.datasets import known_truths
    >>> len(known_truths()), known_truths("together")[:2]
    (22, ('xor-copies', 'parity-3'))
    """
    kinds = {"together": TOGETHER, "alone": ALONE, None: {**TOGETHER, **ALONE}}
    if kind not in kinds:
        raise ParameterError.from_choice("kind", kind, ("together", "alone"))
    return tuple(kinds[kind])


def _flipped(y: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """Return two classes with a share of them, on the average, wrong."""
    return y.astype(np.int64) ^ (rng.random(len(y)) < share)


def _parity(n_rows: int, n_relevant: int, n_features: int, *, noise: float = 0.0, copies: bool = False) -> Build:
    """Return a parity; with ``copies`` every relevant feature has one that is wrong in a tenth of the rows."""

    def build(rng: np.random.Generator) -> Domain:
        X = rng.integers(0, 2, (n_rows, n_features), dtype=np.int8)
        if copies:
            wrong = rng.random((n_rows, n_relevant)) < 0.1
            X[:, n_relevant : 2 * n_relevant] = X[:, :n_relevant] ^ wrong
        y = X[:, :n_relevant].sum(axis=1) % 2
        return Domain(X, _flipped(y, noise, rng), tuple(range(n_relevant)))

    return build


def _corral(n_rows: int, n_irrelevant: int) -> Build:
    """Return CorrAL (John, Kohavi and Pfleger, 1994): (a and b) or (c and d), and a feature that is right in 75 %."""

    def build(rng: np.random.Generator) -> Domain:
        X = rng.integers(0, 2, (n_rows, 5 + n_irrelevant), dtype=np.int8)
        y = (X[:, 0] & X[:, 1]) | (X[:, 2] & X[:, 3])
        X[:, 4] = y ^ (rng.random(n_rows) < 0.25)
        return Domain(X, y, (0, 1, 2, 3))

    return build


def _led(noise: float) -> Build:
    return lambda rng: make_led(1000, noise=noise, random_state=rng)


def _monk(number: int) -> Build:
    """Return a Monk's problem (Thrun and others, 1991) with ten irrelevant features beside."""

    def build(rng: np.random.Generator) -> Domain:
        sizes = [3, 3, 2, 3, 4, 2, *rng.integers(2, 5, 10)]
        X = np.column_stack([rng.integers(1, size + 1, 432) for size in sizes]).astype(np.int8)
        if number == 1:
            return Domain(X, (X[:, 0] == X[:, 1]) | (X[:, 4] == 1), (0, 1, 4))
        if number == 2:
            return Domain(X, (X[:, :6] == 1).sum(axis=1) == 2, (0, 1, 2, 3, 4, 5))
        y = ((X[:, 4] == 3) & (X[:, 3] == 1)) | ((X[:, 4] != 4) & (X[:, 1] != 3))
        return Domain(X, _flipped(y, 0.05, rng), (1, 3, 4))

    return build


def _epistasis(heritability: float) -> Build:
    """Return two of 100 loci that matter only together: the more so, the more of the variance they explain.

    Both alleles are equally frequent. Being heterozygous at one of the two loci raises the risk, at both or none lowers
    it, by s, so that neither locus has an effect of its own; s^2 / 0.25 is the heritability.
    """

    def build(rng: np.random.Generator) -> Domain:
        X = rng.binomial(2, 0.5, (1000, 100)).astype(np.int8)
        sign = np.where((X[:, 0] == 1) != (X[:, 1] == 1), 1, -1)
        risk = 0.5 + sign * np.sqrt(heritability) / 2
        return Domain(X, rng.random(1000) < risk, (0, 1))

    return build


def _checkerboard(n_rows: int, n_squares: int, n_features: int, noise: float) -> Build:
    """Return the colours of a board of so many squares a side; two a side is an exclusive or."""

    def build(rng: np.random.Generator) -> Domain:
        X = rng.random((n_rows, n_features))
        y = np.floor(X[:, :2] * n_squares).sum(axis=1) % 2
        return Domain(X, _flipped(y, noise, rng), (0, 1))

    return build


def _madelon(rng: np.random.Generator) -> Domain:
    """Return clusters at the corners of a cube in five dimensions, each of a random class, half of them of either."""
    corner = rng.integers(0, 32, 2000)
    classes = rng.permutation(np.arange(32) % 2)
    X = rng.standard_normal((2000, 100))
    X[:, :5] += 2.0 * (2 * (corner[:, None] >> np.arange(5) & 1) - 1)
    return Domain(X, _flipped(classes[corner], 0.01, rng), (0, 1, 2, 3, 4))


def _microarray(rng: np.random.Generator) -> Domain:
    """Return few rows and many measurements, twenty of which are larger in one class."""
    X, y = rng.standard_normal((75, 1000)), np.arange(75) % 2
    X[:, :20] += 1.5 * y[:, None]
    return Domain(X, y, tuple(range(20)))


def _disjunction(n_relevant: int) -> Build:
    """Return a disjunction among 1,000 features that holds for half of the rows."""

    def build(rng: np.random.Generator) -> Domain:
        X = (rng.random((500, 1000)) < 1 - 0.5 ** (1 / n_relevant)).astype(np.int8)
        return Domain(X, X[:, :n_relevant].any(axis=1), tuple(range(n_relevant)))

    return build


def _linear(n_rows: int, weights: tuple[float, ...], n_features: int) -> Build:
    """Return classes whose log-odds are a weighted sum of normal features."""

    def build(rng: np.random.Generator) -> Domain:
        X = rng.standard_normal((n_rows, n_features))
        odds = X[:, : len(weights)] @ np.array(weights)
        return Domain(X, rng.random(n_rows) < 1 / (1 + np.exp(-odds)), tuple(range(len(weights))))

    return build


TOGETHER: dict[str, Build] = {
    "xor-copies": _parity(300, 2, 100, copies=True),
    "parity-3": _parity(500, 3, 100, noise=0.05),
    "parity-3-copies": _parity(500, 3, 50, noise=0.05, copies=True),
    "parity-4": _parity(600, 4, 30, noise=0.05),
    "monk-1": _monk(1),
    "monk-2": _monk(2),
    "epistasis-0.1": _epistasis(0.1),
    "epistasis-0.2": _epistasis(0.2),
    "epistasis-0.4": _epistasis(0.4),
    "checkerboard": _checkerboard(1000, 4, 50, 0.05),
    "xor-numeric": _checkerboard(500, 2, 100, 0.1),
    "madelon": _madelon,
}
ALONE: dict[str, Build] = {
    "corral": _corral(128, 10),
    "corral-100": _corral(400, 94),
    "led-2": _led(0.02),
    "led-10": _led(0.1),
    "led-20": _led(0.2),
    "monk-3": _monk(3),
    "microarray": _microarray,
    "disjunction-3": _disjunction(3),
    "disjunction-5": _disjunction(5),
    "linear": _linear(500, (2.0, -2.0, 1.5, -1.5, 1.0), 100),
}
