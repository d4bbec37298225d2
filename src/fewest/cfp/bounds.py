"""How many examples CFP needs, and what it then costs: section 3 of Güvenir and Şirin (1993).

All feature values are in [0, 1]. The lemma and the theorems are stated as the
document means them; where its words or proofs slip, the functions say so.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, log, log2

from fewest.exceptions import ParameterError


def net_sample_size(epsilon: float, delta: float, gamma: float, n_features: int) -> int:
    """Return lemma 2's sample size: the least whole number above (k/γ)(n ln 2 + ln(k/δ)), where k = ⌈1/ε⌉.

    With probability above 1 - δ so many random examples have, in every
    feature, one within ε of a random example's value, except for values of
    total probability below γ. (Definition 1 says γ where it means 1 - γ, and
    asks for one near example in d features at once, which the proof does not
    give; d does not enter the bound.) The proof takes the features for
    independent; the bound holds without that.

    >>> net_sample_size(epsilon=0.1, delta=0.05, gamma=0.1, n_features=10)
    1223
    """
    k = _checked(epsilon, delta, gamma, n_features)
    return floor(k / gamma * (n_features * log(2) + log(k / delta))) + 1


def net_sample_size_by_union(epsilon: float, delta: float, gamma: float, n_features: int) -> int:
    """Return the smaller size that the union bound gives for the same: the least above (k/γ) ln(nk/δ).

    >>> net_sample_size_by_union(epsilon=0.1, delta=0.05, gamma=0.1, n_features=10)
    761
    """
    k = _checked(epsilon, delta, gamma, n_features)
    return floor(k / gamma * log(n_features * k / delta)) + 1


def agreeing_features(n_features: int) -> int:
    """Return theorem 3's d = ⌈(n + 1)/2⌉: the features that must be learned for a majority to be right.

    Theorem 3 says, without an accuracy, that CFP then learns the concept with
    equal weights and limits of at least 2ε: `smallest_limit`.

    >>> [agreeing_features(n) for n in (1, 2, 3, 4)]
    [1, 2, 2, 3]
    """
    _check_features(n_features)
    return n_features // 2 + 1


def smallest_limit(epsilon: float) -> float:
    """Return the generalisation limit that theorems 3 to 5 ask for, 2ε.

    >>> smallest_limit(0.05)
    0.1
    """
    return 2 * _checked_part("epsilon", epsilon)


def most_partitions(epsilon: float, n_features: int) -> int:
    """Return theorem 4's n⌈1/ε⌉, the most partitions that CFP makes with limits of at least 2ε.

    This holds only if no sub-interval of length ε holds values of two
    classes. With overlapping classes, or wrong labels, every foreign example
    splits a partition, and the number grows with the examples. Undetermined
    partitions are not counted.

    >>> most_partitions(epsilon=0.1, n_features=10)
    100
    """
    _check_features(n_features)
    return n_features * intervals(epsilon)


def classification_steps(epsilon: float, n_features: int) -> float:
    """Return theorem 5's n log2⌈1/ε⌉, the order of the steps to classify an example; theorem 4's condition holds here.

    >>> classification_steps(epsilon=0.125, n_features=10)
    30.0
    """
    _check_features(n_features)
    return n_features * log2(intervals(epsilon))


def training_steps(epsilon: float, n_features: int, n_examples: int) -> float:
    """Return theorem 5's m n log2⌈1/ε⌉, the order of the steps to learn m examples.

    >>> training_steps(epsilon=0.125, n_features=10, n_examples=1000)
    30000.0
    """
    if n_examples < 0:
        raise ParameterError(f"There cannot be {n_examples} examples. Give a number from 0.")
    return n_examples * classification_steps(epsilon, n_features)


def intervals(epsilon: float) -> int:
    """Return k = ⌈1/ε⌉, the number of sub-intervals of length at most ε, from the number as it is written.

    >>> intervals(0.1), intervals(0.3)  # 1 / 0.1 as floats are stored is a little below 10
    (10, 4)
    """
    return ceil(1 / Fraction(str(float(_checked_part("epsilon", epsilon)))))


def _checked(epsilon: float, delta: float, gamma: float, n_features: int) -> int:
    _checked_part("delta", delta)
    _checked_part("gamma", gamma)
    _check_features(n_features)
    return intervals(epsilon)


def _checked_part(name: str, value: float) -> float:
    if not 0 < value < 1:
        raise ParameterError(f"{name}={value!r} is not between 0 and 1, so the bound says nothing. Give 0.05, say.")
    return value


def _check_features(n_features: int) -> None:
    if n_features < 1:
        raise ParameterError(f"There cannot be {n_features} features. Give a number from 1.")
