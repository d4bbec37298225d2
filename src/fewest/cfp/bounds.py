"""How many examples CFP needs, and what it then costs: section 3 of Güvenir and Şirin (1993).

All feature values are in [0, 1]. The lemma and the theorems are stated as the
paper means them; where its words or proofs slip, the functions say so.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, log, log2

from fewest.bounds.relation import DELTA, EPSILON, EXAMPLES, Bound, Quantity, check_share, features, share
from fewest.exceptions import ParameterError


def net_sample_size(epsilon: float, delta: float, gamma: float, n_features: int) -> int:
    """Return lemma 2's sample size: the least whole number above (k/γ)(n ln 2 + ln(k/δ)), where k = ⌈1/ε⌉.

    With probability above 1 - δ this number of random examples has, in every
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
    return 2 * check_share("epsilon", epsilon)


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
    return ceil(1 / Fraction(str(float(check_share("epsilon", epsilon)))))


def _checked(epsilon: float, delta: float, gamma: float, n_features: int) -> int:
    check_share("delta", delta)
    check_share("gamma", gamma)
    _check_features(n_features)
    return intervals(epsilon)


def _check_features(n_features: int) -> None:
    if n_features < 1:
        raise ParameterError(f"There cannot be {n_features} features. Give a number from 1.")


SOURCE = "Güvenir and Şirin (1993)"
LENGTH = share("epsilon", "the length of an interval")
LEFT_OUT = share("gamma", "the probability left out")

BOUNDS = (
    Bound(
        "cfp-examples",
        "{m} examples with {n} features have, with probability above 1 - {delta}, in every feature one within "
        "{epsilon} of a random example's value, except for values of probability below {gamma}.",
        f"{SOURCE}, lemma 2",
        EXAMPLES,
        (features(), EPSILON, DELTA, LEFT_OUT),
        lambda n, epsilon, delta, gamma: net_sample_size(epsilon, delta, gamma, n),
    ),
    Bound(
        "cfp-examples-union",
        "{m} examples with {n} features have, with probability above 1 - {delta}, in every feature one within "
        "{epsilon} of a random example's value, except for values of probability below {gamma}, by the union bound.",
        f"{SOURCE}, after the proof of lemma 2",
        EXAMPLES,
        (features(), EPSILON, DELTA, LEFT_OUT),
        lambda n, epsilon, delta, gamma: net_sample_size_by_union(epsilon, delta, gamma, n),
    ),
    Bound(
        "cfp-majority",
        "Of {n} features, {d} must be learned for the vote to be right.",
        f"{SOURCE}, theorem 3",
        Quantity("d", "features that must agree"),
        (features(),),
        lambda n: agreeing_features(n),
    ),
    Bound(
        "cfp-limit",
        "To learn within {epsilon}, CFP needs a generalisation limit of at least {D}.",
        f"{SOURCE}, theorem 3",
        Quantity("D", "generalisation limit", is_whole=False, low=0),
        (share("epsilon", "the length of an interval", effect=1),),
        lambda epsilon: smallest_limit(epsilon),
    ),
    Bound(
        "cfp-partitions",
        "With limits of at least 2 epsilon, CFP makes at most {partitions} partitions of {n} features, if no interval "
        "of length {epsilon} holds values of two classes.",
        f"{SOURCE}, theorem 4",
        Quantity("partitions", "partitions"),
        (features(), LENGTH),
        lambda n, epsilon: most_partitions(epsilon, n),
    ),
    Bound(
        "cfp-classification",
        "To classify an example of {n} features, CFP takes steps of the order of {steps}, with intervals of {epsilon}.",
        f"{SOURCE}, theorem 5",
        Quantity("steps", "steps, up to a constant", is_whole=False, low=0),
        (features(), LENGTH),
        lambda n, epsilon: classification_steps(epsilon, n),
    ),
    Bound(
        "cfp-training",
        "To learn {m} examples of {n} features, CFP takes steps of the order of {steps}, with intervals of {epsilon}.",
        f"{SOURCE}, theorem 5",
        Quantity("steps", "steps, up to a constant", is_whole=False, low=0),
        (Quantity("m", "examples", effect=1), features(), LENGTH),
        lambda m, n, epsilon: training_steps(epsilon, n, m),
    ),
)
