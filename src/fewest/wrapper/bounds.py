"""How far a wrapper's error is from the best possible: the theorems of Ng (1998), *On Feature Selection*.

L minimises training error within classes of hypotheses H_r over r features,
whose VC dimension is r_VC and whose least generalisation error, on clean
labels, is the approximation eps_g(r). Each theorem then bounds, with
probability 1 - delta, the error of the hypothesis that a wrapper ends with:

    eps_g(r) + estimation + choice + shortfall,   for every r, hence for the best r (`best_size`).

Labels wrong with probability eta < 1/2 divide every deviation by 1 - 2 eta
((A.30); lemma 18 prints 1 - eta, too little). A search that comes only within
a shortfall of the minimum adds it, measured on noisy labels divided by 1 - 2 eta
as well. Here ``validation_fraction`` is the *hold-out* fraction gamma, as in STANDARD-WRAP and ORDERED-FS;
gamma_1 of ORDERED-FS2 is a training fraction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, isfinite, log, sqrt

from fewest.bounds.counting import choose, two_to
from fewest.bounds.relation import DELTA, Bound, Quantity, require
from fewest.wrapper import different_subsets


@dataclass(frozen=True)
class WrapperBound:
    """A bound on generalisation error for one size r, as the sum of its parts."""

    size: int
    approximation: float
    estimation: float
    subset_choice: float = 0.0
    size_choice: float = 0.0
    shortfall: float = 0.0

    @property
    def excess(self) -> float:
        """How much worse than the best hypothesis of this size."""
        return self.estimation + self.subset_choice + self.size_choice + self.shortfall

    @property
    def error(self) -> float:
        """The bound itself. From 1 on it promises nothing."""
        return self.approximation + self.excess


def linear_vc(size: int) -> int:
    """Return the VC dimension of linear discriminants over r features, r + 1.

    >>> linear_vc(3)
    4
    """
    require(size >= 0, f"r = {size}", "r >= 0")
    return size + 1


def holdout_deviation(n_holdout: float, n_hypotheses: int, delta: float = 0.05) -> float:
    """Return chi = sqrt(ln(2 N / delta) / 2 m): how far N hold-out errors are from the true errors at most (A.5).

    All of them at once, with probability 1 - delta. So the true error of
    whichever hypothesis was chosen is at most its hold-out error plus chi. The
    hypotheses must not depend on the hold-out examples: where these guided the
    search, N counts all that it could have come to.

    >>> round(holdout_deviation(300, 21), 4)
    0.1059
    """
    require(n_holdout > 0, f"{n_holdout} hold-out examples", "at least one")
    require(n_hypotheses >= 1, f"N = {n_hypotheses}", "N >= 1")
    _check_delta(delta)
    return sqrt((log(2 * n_hypotheses) - log(delta)) / (2 * n_holdout))


def choice(n_holdout: float, n_hypotheses: int, delta: float = 0.05, eta: float = 0.0) -> float:
    """Return how much worse than the best of N hypotheses the one with the least hold-out error is (lemmas 9 and 18).

    That is 2 chi / (1 - 2 eta).

    >>> round(choice(300, 21), 4), round(choice(300, 2**20), 4)
    (0.2119, 0.3421)
    """
    return 2 * holdout_deviation(n_holdout, n_hypotheses, delta) / _signal(eta)


def training_deviation(n_training: float, vc_dimension: int, delta: float = 0.05, log_classes: float = 0.0) -> float:
    """Return how far training errors of hypotheses are from the true errors at most (corollary 12, (A.21)).

    That is ``2 sqrt(d / m (ln+(2 m / d) + 1) + (ln n + ln(9 / delta)) / m)``, for
    all hypotheses of n classes of VC dimension d at once. A class of dimension 0
    contributes nothing to the first term.

    >>> round(training_deviation(700, 4), 4)
    0.4318
    """
    require(n_training > 0, f"{n_training} training examples", "at least one")
    require(vc_dimension >= 0, f"VC dimension {vc_dimension}", "a dimension of 0 or more")
    require(log_classes >= 0, f"{log_classes} as the logarithm of a number of classes", "at least one class")
    _check_delta(delta)
    capacity = vc_dimension * (max(log(2 * n_training / vc_dimension), 0.0) + 1) if vc_dimension else 0.0
    return 2 * sqrt((capacity + log_classes + log(9 / delta)) / n_training)


def without_selection(
    n_examples: int,
    n_features: int,
    *,
    vc_dimension: int | None = None,
    delta: float = 0.05,
    eta: float = 0.0,
    approximation: float = 0.0,
) -> WrapperBound:
    """Bound the error of learning from all f features (theorems 13 and 19).

    ``vc_dimension`` is f_VC, by default that of linear discriminants.

    >>> round(without_selection(10_000, 20).error, 3)
    0.522
    """
    _check_features(n_features)
    dimension = linear_vc(n_features) if vc_dimension is None else vc_dimension
    estimation = 2 * training_deviation(n_examples, dimension, delta) / _signal(eta)
    return WrapperBound(n_features, approximation, estimation)


def standard_wrap(
    n_examples: int,
    n_features: int,
    size: int,
    *,
    validation_fraction: float = 0.3,
    vc_dimension: int | None = None,
    delta: float = 0.05,
    eta: float = 0.0,
    approximation: float = 0.0,
    shortfall: float = 0.0,
) -> WrapperBound:
    """Bound the error of STANDARD-WRAP, which compares all 2^f subsets on hold-out data (theorems 14 and 20, (A.34)).

    ``size`` is r and ``vc_dimension`` r_VC, by default that of linear
    discriminants. ``shortfall`` is eps_+, by how much the search missed the
    least hold-out error.

    >>> bound = standard_wrap(10_000, 20, size=3)
    >>> round(bound.estimation, 3), round(bound.subset_choice, 3)
    (0.312, 0.11)
    """
    _check_sizes(n_features, size)
    training, held_out = _parts(n_examples, validation_fraction)
    dimension = linear_vc(size) if vc_dimension is None else vc_dimension
    return WrapperBound(
        size,
        approximation,
        estimation=2 * training_deviation(training, dimension, delta / 2) / _signal(eta),
        subset_choice=choice(held_out, two_to(n_features), delta / 2, eta),
        shortfall=_shortfall(shortfall, eta),
    )


def ordered_fs(
    n_examples: int,
    n_features: int,
    size: int,
    *,
    validation_fraction: float = 0.3,
    vc_dimension: int | None = None,
    delta: float = 0.05,
    eta: float = 0.0,
    approximation: float = 0.0,
    shortfall: float = 0.0,
    exact_binomial: bool = False,
) -> WrapperBound:
    """Bound the error of ORDERED-FS, which compares f + 1 hypotheses on hold-out data (theorems 17 and 21, (A.35)).

    ``shortfall`` is eps_+(r), by how much the search missed the least
    training error of size r. ``exact_binomial`` counts the subsets of size r
    as (A.24) does, instead of by r (ln(f / r) + 1), which is more.

    >>> bound = ordered_fs(10_000, 20, size=3)
    >>> round(bound.estimation, 3), round(bound.size_choice, 3)
    (0.342, 0.07)
    """
    _check_sizes(n_features, size)
    training, held_out = _parts(n_examples, validation_fraction)
    dimension = linear_vc(size) if vc_dimension is None else vc_dimension
    subsets = log(choose(n_features, size)) if exact_binomial else log_subsets_at_most(n_features, size)
    return WrapperBound(
        size,
        approximation,
        estimation=2 * training_deviation(training, dimension, delta / 2, subsets) / _signal(eta),
        size_choice=choice(held_out, n_features + 1, delta / 2, eta),
        shortfall=_shortfall(shortfall, eta),
    )


def ordered_fs2(
    n_examples: int,
    n_features: int,
    size: int,
    *,
    split_fractions: tuple[float, float, float] = (0.5, 0.25, 0.25),
    vc_dimension: int | None = None,
    delta: float = 0.05,
    eta: float = 0.0,
    approximation: float = 0.0,
    shortfall: float = 0.0,
) -> WrapperBound:
    """Bound the error of ORDERED-FS2 against the subset F of size |F| (theorem 7).

    The paper gives orders of growth only. With delta / 3 for each of the
    three steps of its proof the constants are: for the training examples those
    of theorem 13, with F_VC; lemma 9 for choosing one of comb(f, |F|) subsets on
    the first hold-out set, and for choosing one of f + 1 sizes on the second.
    ``split_fractions`` are gamma_1 (training), gamma_2 and gamma_3; ``approximation`` is eps_g(F).

    Where L does not minimise training error, F_VC has no meaning: the error is
    then at most L's own on F plus `subset_choice` and `size_choice`.

    >>> bound = ordered_fs2(10_000, 20, size=3)
    >>> round(bound.estimation, 3), round(bound.subset_choice, 3), round(bound.size_choice, 3)
    (0.365, 0.097, 0.079)
    """
    _check_sizes(n_features, size)
    require(all(part > 0 for part in split_fractions), f"fractions {split_fractions}", "three positive fractions")
    require(
        abs(sum(split_fractions) - 1) < 1e-9,
        f"fractions {split_fractions} of sum {sum(split_fractions):g}",
        "a sum of 1",
    )
    training, first, second = (part * n_examples for part in split_fractions)
    dimension = linear_vc(size) if vc_dimension is None else vc_dimension
    return WrapperBound(
        size,
        approximation,
        estimation=2 * training_deviation(training, dimension, delta / 3) / _signal(eta),
        subset_choice=choice(first, choose(n_features, size), delta / 3, eta),
        size_choice=choice(second, n_features + 1, delta / 3, eta),
        shortfall=_shortfall(shortfall, eta),
    )


def best_size(bound: Callable[[int, float], WrapperBound], approximations: Sequence[float]) -> WrapperBound:
    """Return the least bound over sizes r, as the theorems state it, given eps_g(0), eps_g(1), ...

    (Theorems 5 and 21 print a supremum with its left side missing: it is this minimum.)

    >>> best_size(lambda r, error: ordered_fs(100_000, 20, r, approximation=error), [0.5, 0.3, 0.0, 0.0]).size
    2
    """
    require(len(approximations) > 0, "no approximation errors", "at least one size")
    return min((bound(size, error) for size, error in enumerate(approximations)), key=lambda each: each.error)


def examples_needed(excess: float, bound: Callable[[int], WrapperBound]) -> int:
    """Return the least number of examples for which a theorem promises an excess of at most this much.

    Section 3.4 gives the orders of growth: f_VC without selection, r_VC + f for
    STANDARD-WRAP, r_VC + r ln f for ORDERED-FS. All bounds fall as examples
    are added, so that halving an interval finds it.

    >>> [examples_needed(0.2, lambda m: ordered_fs(m, f, size=3)) for f in (100, 10_000)]
    [51946, 66545]
    """
    require(0 < excess < inf, f"excess {excess}", "a positive excess")
    high = 1
    while bound(high).excess > excess:
        high *= 2
        require(high < 2**200, f"an excess of {excess} is not reached with {high:.0e} examples", "fewer")
    low = high // 2  # not enough
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if bound(middle).excess <= excess else (middle, high)
    return high


def log_subsets_at_most(n_features: int, size: int) -> float:
    """Return r (ln(f / r) + 1), which is at least ln comb(f, r) (corollary 16); 0 for r = 0.

    >>> round(log_subsets_at_most(20, 3), 3), round(log(choose(20, 3)), 3)
    (8.691, 7.039)
    """
    _check_sizes(n_features, size)
    return size * (log(n_features / size) + 1) if size else 0.0


def clean_error(noisy_error: float, eta: float) -> float:
    """Return the error on clean labels of what errs so often on labels that are wrong with probability eta (A.27).

    >>> round(clean_error(0.34, 0.3), 3)
    0.1
    """
    return max(noisy_error - eta, 0.0) / _signal(eta)


def _parts(n_examples: int, validation_fraction: float) -> tuple[float, float]:
    require(n_examples >= 1, f"m = {n_examples}", "m >= 1")
    require(0 < validation_fraction < 1, f"gamma = {validation_fraction}", "0 < gamma < 1")
    return (1 - validation_fraction) * n_examples, validation_fraction * n_examples


def _signal(eta: float) -> float:
    require(0 <= eta < 0.5, f"eta = {eta}", "0 <= eta < 1/2")
    return 1 - 2 * eta


def _shortfall(shortfall: float, eta: float) -> float:
    require(isfinite(shortfall) and shortfall >= 0, f"a shortfall of {shortfall}", "one of 0 or more")
    return shortfall / _signal(eta)


def _check_delta(delta: float) -> None:
    require(0 < delta < 1, f"delta = {delta}", "0 < delta < 1")


def _check_features(n_features: int) -> None:
    require(n_features >= 1, f"f = {n_features}", "f >= 1")


def _check_sizes(n_features: int, size: int) -> None:
    _check_features(n_features)
    require(0 <= size <= n_features, f"r = {size}, f = {n_features}", "0 <= r <= f")


SOURCE = "Ng (1998)"
EXAMPLES = Quantity("m", "examples", effect=-1)
FEATURES = Quantity("f", "features", effect=1)
SIZE = Quantity("r", "features of the hypothesis compared with", low=0, effect=1)
HELD_OUT = Quantity("gamma", "share of the examples held out", is_whole=False, low=0, high=1, default="0.3")
NOISE = Quantity("eta", "share of wrong labels", is_whole=False, low=0, high=0.5, default="0")
SHORTFALL = Quantity("shortfall", "error by which the search missed the least", is_whole=False, low=0, default="0")
EXCESS = Quantity("epsilon", "error above that of the best hypothesis of r features", is_whole=False, low=0)

BOUNDS = (
    Bound(
        "without-selection",
        "After {m} examples of {f} features, a share {eta} of the labels wrong, the linear discriminant of the least "
        "training error errs, with probability 1 - {delta}, at most {epsilon} more often than the best.",
        f"{SOURCE}, theorems 13 and 19",
        Quantity("epsilon", "error above that of the best hypothesis", is_whole=False, low=0),
        (EXAMPLES, FEATURES, DELTA, NOISE),
        lambda m, f, delta, eta=0.0: without_selection(m, f, delta=delta, eta=eta).excess,
    ),
    Bound(
        "standard-wrap",
        "After {m} examples of {f} features, a share {gamma} of them held out and {eta} of the labels wrong, the "
        "linear discriminant of STANDARD-WRAP, whose search missed the least error by {shortfall}, errs, with "
        "probability 1 - {delta}, at most {epsilon} more often than the best of {r} features.",
        f"{SOURCE}, theorems 14 and 20",
        EXCESS,
        # All subsets are counted, as one number of f bits.
        (EXAMPLES, Quantity("f", "features", high=1_000_000, effect=1), SIZE, DELTA, HELD_OUT, NOISE, SHORTFALL),
        lambda m, f, r, delta, gamma=0.3, eta=0.0, shortfall=0.0: (
            standard_wrap(m, f, r, validation_fraction=gamma, delta=delta, eta=eta, shortfall=shortfall).excess
        ),
    ),
    Bound(
        "ordered-fs",
        "After {m} examples of {f} features, a share {gamma} of them held out and {eta} of the labels wrong, the "
        "linear discriminant of ORDERED-FS, whose search missed the least error by {shortfall}, errs, with "
        "probability 1 - {delta}, at most {epsilon} more often than the best of {r} features.",
        f"{SOURCE}, theorems 17 and 21",
        EXCESS,
        (EXAMPLES, FEATURES, SIZE, DELTA, HELD_OUT, NOISE, SHORTFALL),
        lambda m, f, r, delta, gamma=0.3, eta=0.0, shortfall=0.0: (
            ordered_fs(m, f, r, validation_fraction=gamma, delta=delta, eta=eta, shortfall=shortfall).excess
        ),
    ),
    Bound(
        "ordered-fs2",
        "After {m} examples of {f} features, two quarters of them held out and {eta} of the labels wrong, the "
        "linear discriminant of ORDERED-FS2 errs, with probability 1 - {delta}, at most {epsilon} more often "
        "than the best of certain {r} features.",
        f"{SOURCE}, theorem 7",
        EXCESS,
        (EXAMPLES, FEATURES, Quantity("r", SIZE.meaning, low=0), DELTA, NOISE),
        lambda m, f, r, delta, eta=0.0: ordered_fs2(m, f, r, delta=delta, eta=eta).excess,
    ),
    Bound(
        "holdout-choice",
        "The one of {N} hypotheses that errs least on {m} hold-out examples, a share {eta} of the labels wrong, errs, "
        "with probability 1 - {delta}, at most {epsilon} more often than the best of them.",
        f"{SOURCE}, lemma 9 and appendix A.5.1",
        Quantity("epsilon", "error above that of the best of them", is_whole=False, low=0),
        (Quantity("m", "hold-out examples", effect=-1), Quantity("N", "hypotheses", effect=1), DELTA, NOISE),
        lambda m, N, delta, eta=0.0: choice(m, N, delta, eta),
    ),
    *different_subsets.BOUNDS,
)
