"""How many examples the MIN-FEATURES bias needs: section 4 of Almuallim and Dietterich (1994).

The paper writes its bounds in the complexity s = n + 2^p of a concept with
p of n features relevant; here they are in p.
"""

from __future__ import annotations

from math import ceil, log, log2

from fewest.bounds.counting import choose, choose_up_to, two_to
from fewest.bounds.quantities import DELTA, DIMENSION, EPSILON, EXAMPLES, Quantity, check_share, features, share
from fewest.bounds.relation import Bound, require
from fewest.exceptions import ParameterError


def complexity(n_features: int, n_relevant: int) -> int:
    """Return s(c) = n + 2^p, the bits that name the relevant features and the truth table over these.

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
    _check_shares(epsilon, delta)
    return ceil((log(1 / delta) + n_relevant * log(n_features) + two_to(n_relevant) * log(2)) / epsilon)


def sample_size_by_counting(n_features: int, n_relevant: int, epsilon: float, delta: float) -> int:
    """Return the smaller size of the same proof with the number of subsets, comb(n, p), instead of n^p.

    >>> sample_size_by_counting(100, 3, epsilon=0.1, delta=0.05)
    206
    """
    _check(n_features, n_relevant)
    _check_shares(epsilon, delta)
    return ceil((log(1 / delta) + log(choose(n_features, n_relevant)) + two_to(n_relevant) * log(2)) / epsilon)


def vc_at_least(n_features: int, n_relevant: int) -> int:
    """Return what the VC dimension of the concepts of at most p relevant features is at least (lemma 2).

    That is the larger of (1/8) p log2 n and 2^p, rounded up, since a dimension
    is whole. `fewest.cover.shattering` builds the sets of its proof.

    >>> vc_at_least(5, 2), vc_at_least(2**60, 2)
    (4, 15)
    """
    _check(n_features, n_relevant)
    return max(ceil(n_relevant * log2(n_features) / 8), two_to(n_relevant))


def examples_needed_order(n_features: int, n_relevant: int, epsilon: float, delta: float) -> float:
    """Return (1/ε)(ln(1/δ) + ln(2^p) ln n + 2^p), of whose order any learner needs examples (theorem 3).

    The theorem leaves the constant open, so this is how the number grows,
    not what it is; `examples_at_least` is.

    >>> round(examples_needed_order(100, 3, epsilon=0.1, delta=0.05), 1)
    205.7
    """
    _check(n_features, n_relevant)
    _check_shares(epsilon, delta)
    return (log(1 / delta) + n_relevant * log(2) * log(n_features) + two_to(n_relevant)) / epsilon


def examples_at_least(n_features: int, n_relevant: int, epsilon: float, delta: float) -> float:
    """Return a number of examples that no learner can do with, under the worst distribution.

    Theorem 3 with the constant of Ehrenfeucht, Haussler, Kearns and Valiant
    (1989), (VCdim - 1) / (32 ε) for ε <= 1/8 and δ <= 1/100, and lemma 2's dimension.

    >>> examples_at_least(100, 5, epsilon=0.01, delta=0.01)
    96.875
    """
    _check(n_features, n_relevant)
    _check_shares(epsilon, delta)
    require(
        epsilon <= 1 / 8 and delta <= 1 / 100,
        f"epsilon = {epsilon}, delta = {delta}",
        "epsilon <= 1/8 and delta <= 1/100",
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


def _check_shares(epsilon: float, delta: float) -> None:
    check_share("epsilon", epsilon)
    check_share("delta", delta)


SOURCE = "Almuallim and Dietterich (1994)"
RELEVANT = Quantity("p", "relevant features at most", low=0, effect=1)

BOUNDS = (
    Bound(
        "min-features",
        "With {n} features, at most {p} of them relevant, {m} examples are enough for any learner of the MIN-FEATURES "
        "bias to have an error of at most {epsilon} with probability 1 - {delta}, under any distribution.",
        f"{SOURCE}, theorem 1",
        EXAMPLES,
        (features(), RELEVANT, EPSILON, DELTA),
        lambda n, p, epsilon, delta: sample_size(n, p, epsilon, delta),
    ),
    Bound(
        "min-features-counted",
        "With {n} features, at most {p} of them relevant, {m} examples are enough for any learner of the MIN-FEATURES "
        "bias to have an error of at most {epsilon} with probability 1 - {delta}: theorem 1, but with the subsets "
        "counted exactly.",
        f"{SOURCE}, proof of theorem 1",
        EXAMPLES,
        (features(), RELEVANT, EPSILON, DELTA),
        lambda n, p, epsilon, delta: sample_size_by_counting(n, p, epsilon, delta),
    ),
    Bound(
        "min-features-vc",
        "The concepts of at most {p} relevant features out of {n} have a VC dimension of at least {d}.",
        f"{SOURCE}, lemma 2",
        DIMENSION,
        (features(), RELEVANT),
        lambda n, p: vc_at_least(n, p),
    ),
    Bound(
        "min-features-needed",
        "With {n} features, at most {p} of them relevant, no learner can promise an error of at most {epsilon} with "
        "probability 1 - {delta} after fewer than {m} examples.",
        f"{SOURCE}, theorem 3, with the constant of Ehrenfeucht et al. (1989)",
        Quantity("m", "examples", is_whole=False),
        (features(), RELEVANT, share("epsilon", EPSILON.meaning, high=1 / 8), share("delta", DELTA.meaning, effect=0)),
        lambda n, p, epsilon, delta: examples_at_least(n, p, epsilon, delta),
    ),
    Bound(
        "min-features-order",
        "With {n} features, at most {p} of them relevant, an error of {epsilon} with probability 1 - {delta} takes "
        "examples of the order of {m}; the constant is not known.",
        f"{SOURCE}, theorem 3",
        Quantity("m", "examples, up to a constant", is_whole=False),
        (features(), RELEVANT, EPSILON, DELTA),
        lambda n, p, epsilon, delta: examples_needed_order(n, p, epsilon, delta),
    ),
    Bound(
        "focus1-tests",
        "FOCUS-1 makes at most {tests} sufficiency tests when {p} of {n} features are enough.",
        f"{SOURCE}, section 5.3",
        Quantity("tests", "sufficiency tests"),
        (features(), RELEVANT),
        lambda n, p: focus1_tests(n, p),
    ),
)
