"""How many examples the MIN-FEATURES bias needs: section 4 of Almuallim and Dietterich (1994).

The document writes its bounds in the complexity s = n + 2^p of a concept with
p of n features relevant; here they are in p.
"""

from __future__ import annotations

from math import ceil, log, log2

from fewest.bounds.large import choose, choose_up_to, two_to
from fewest.exceptions import ParameterError


def complexity(n_features: int, n_relevant: int) -> int:
    """Return s(c) = n + 2^p, the bits that tell which features are relevant, and the truth table over these.

    >>> complexity(5, 2)  # x1 or x3 of five: 10100 and 0111
    9
    """
    _check(n_features, n_relevant)
    return n_features + two_to(n_relevant)


def sample_size(n_features: int, n_relevant: int, epsilon: float, delta: float) -> int:
    """Return theorem 1's sample size, rounded up: (1/ε)(ln(1/δ) + p ln n + 2^p ln 2).

    After so many examples, under any distribution, every learner of the
    MIN-FEATURES bias has an error of at most ε with probability 1 - δ, if the
    concept has at most p relevant features.

    >>> sample_size(100, 3, epsilon=0.1, delta=0.05)
    224
    """
    _check(n_features, n_relevant)
    _check_parts(epsilon, delta)
    return ceil((log(1 / delta) + n_relevant * log(n_features) + two_to(n_relevant) * log(2)) / epsilon)


def sample_size_by_counting(n_features: int, n_relevant: int, epsilon: float, delta: float) -> int:
    """Return the smaller size of the same proof with the number of subsets, comb(n, p), instead of n^p.

    >>> sample_size_by_counting(100, 3, epsilon=0.1, delta=0.05)
    206
    """
    _check(n_features, n_relevant)
    _check_parts(epsilon, delta)
    return ceil((log(1 / delta) + log(choose(n_features, n_relevant)) + two_to(n_relevant) * log(2)) / epsilon)


def vc_at_least(n_features: int, n_relevant: int) -> int:
    """Return what the VC dimension of the concepts of at most p relevant features is at least (lemma 2).

    That is the larger of (1/8) p log2 n and 2^p, rounded up, since a dimension
    is whole. `fewest.cover.shattering` makes the sets of its proof.

    >>> vc_at_least(5, 2), vc_at_least(2**60, 2)
    (4, 15)
    """
    _check(n_features, n_relevant)
    return max(ceil(n_relevant * log2(n_features) / 8), two_to(n_relevant))


def examples_needed_order(n_features: int, n_relevant: int, epsilon: float, delta: float) -> float:
    """Return (1/ε)(ln(1/δ) + ln(2^p) ln n + 2^p), of whose order any learner needs examples (theorem 3).

    The theorem leaves the constant open, so this says how the number grows,
    not what it is; `examples_at_least` does.

    >>> round(examples_needed_order(100, 3, epsilon=0.1, delta=0.05), 1)
    205.7
    """
    _check(n_features, n_relevant)
    _check_parts(epsilon, delta)
    return (log(1 / delta) + n_relevant * log(2) * log(n_features) + two_to(n_relevant)) / epsilon


def examples_at_least(n_features: int, n_relevant: int, epsilon: float, delta: float) -> float:
    """Return a number of examples that no learner can do with, under the worst distribution.

    Theorem 3 with the constant of Ehrenfeucht, Haussler, Kearns and Valiant
    (1989), (VCdim - 1) / (32 ε) for ε <= 1/8 and δ <= 1/100, and lemma 2's dimension.

    >>> examples_at_least(100, 5, epsilon=0.01, delta=0.01)
    96.875
    """
    _check(n_features, n_relevant)
    _check_parts(epsilon, delta)
    if epsilon > 1 / 8 or delta > 1 / 100:
        raise ParameterError(
            f"epsilon = {epsilon}, delta = {delta}, but the theorem holds for epsilon <= 1/8 and delta <= 1/100 only, "
            "so it gives no bound."
        )
    return (vc_at_least(n_features, n_relevant) - 1) / (32 * epsilon)


def focus1_tests(n_features: int, n_relevant: int) -> int:
    """Return how many sufficiency tests FOCUS-1 makes at most: all subsets of at most p features (section 5.3).

    >>> focus1_tests(6, 2)  # "the 22 subsets of size 0, 1 and 2"
    22
    """
    _check(n_features, n_relevant)
    return choose_up_to(n_features, n_relevant)


def _check(n_features: int, n_relevant: int) -> None:
    if n_features < 1 or not 0 <= n_relevant <= n_features:
        raise ParameterError(
            f"{n_relevant} of {n_features} features cannot be relevant, so the bound says nothing. "
            "Let n be 1 or more, and p from 0 to n."
        )


def _check_parts(epsilon: float, delta: float) -> None:
    for name, value in (("epsilon", epsilon), ("delta", delta)):
        if not 0 < value < 1:
            raise ParameterError(f"{name}={value!r} is not between 0 and 1, so the bound says nothing. Give 0.05, say.")
