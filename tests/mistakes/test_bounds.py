"""Bounds against values worked out by hand, and the conditions of their theorems."""

from math import inf, isinf, log

import numpy as np
import pytest

from fewest.exceptions import ParameterError
from fewest.mistakes import bounds as mistakes
from fewest.mistakes.separation import Separation


@pytest.mark.parametrize(
    ("bound", "by_hand"),
    [
        (mistakes.halving(64), 6),
        (mistakes.halving(1), 0),
        (mistakes.optimal_at_most(64), 6),
        (mistakes.optimal_at_most(63), 5),
        (mistakes.optimal_at_most(2**200 - 1), 199),
        (mistakes.optimal(-1), -1),
        (mistakes.optimal(3), 3),
        (mistakes.optimal_at_least(2), 2),
        # alpha k (log_alpha theta + 1) + n / theta: 2 * 3 * (9 + 1) + 2, and 3 * 2 * (log_3 9 + 1) + 90 / 9
        (mistakes.winnow1(1024, 3), 62),
        (mistakes.winnow1(90, 2, alpha=3, theta=9), 28),
        (mistakes.winnow1(10, 1, alpha=2, theta=0.5), 20),
        # k floor(log2(n / k)); k / 8 (1 + log2(n / k))
        (mistakes.disjunctions_at_least(64, 4), 16),
        (mistakes.disjunctions_at_least(7, 2, exactly=True), 2),
        (mistakes.disjunctions_at_least(8, 8), 1),
        (mistakes.disjunctions_at_least(8, 8, exactly=True), 0),
        (mistakes.disjunctions_at_least(1, 1), 0),
        # (8 / delta^2) (n / theta) + (5 / delta + 14 ln theta / delta^2) sum mu
        (mistakes.winnow2(100, Separation.disjunction(2)), 8 + (5 + 14 * log(100)) * 2),
        (mistakes.winnow2(100, Separation.r_of_k(2, 6), theta=50), 64 + (10 + 56 * log(50)) * 3),
        (mistakes.winnow2(5, Separation(0.5, 2.0), theta=1), 160 + 20),
        # k l floor(log2(n / m)), m = 3 since comb(3, 2) = 3
        (mistakes.monotone_dnf_vc_at_least(24, 2, 3), 18),
        (mistakes.monotone_dnf_vc_at_least(24, 2, 3, m=6), 12),
        (mistakes.monotone_dnf_vc_at_least(8, 1, 1), 3),
        (mistakes.queries(5.9), 6),
    ],
)
def test_values(bound, by_hand):
    assert bound == pytest.approx(by_hand)


def test_thresholds_of_r_of_k_read_as_expected():
    for r, k, n in [(1, 1, 10), (2, 5, 100), (3, 3, 1000)]:
        bound = mistakes.winnow2(n, Separation.r_of_k(r, k))
        assert bound == pytest.approx(8 * r**2 + 5 * k + 14 * k * r * log(n))


def test_the_corrected_theorem_9_dominates_what_its_lemmas_give():
    for delta in (0.05, 0.3, 0.7, 1.0):
        for theta in (1.0, 10.0, 1e6):
            n, mu = 1000, 4.0
            from_lemmas = (8 - 2 * delta**2) / (delta**2 * (1 + delta)) * n / theta + (4 + delta) / (
                delta * (1 + delta)
            ) * (1 + log(theta) / log(1 + delta / 2)) * mu
            assert from_lemmas <= mistakes.winnow2(n, Separation(delta, mu), theta)


def test_balanced_bound_is_infinite_for_a_bold_factor():
    assert isinf(mistakes.balanced_winnow(10, 0.1, alpha=2))
    assert mistakes.whole(mistakes.balanced_winnow(10, 0.1, alpha=2)) is None
    assert mistakes.whole(2.5) == 2
    best = ((1 + 0.1) / (1 - 0.1)) ** 0.5
    assert all(
        mistakes.balanced_winnow(10, 0.1, best) <= mistakes.balanced_winnow(10, 0.1, best * f) for f in (0.97, 1.03)
    )


@pytest.mark.parametrize(
    "broken",
    [
        lambda: mistakes.halving(0),
        lambda: mistakes.optimal_at_most(0),
        lambda: mistakes.optimal(-2),
        lambda: mistakes.optimal_at_least(-1),
        lambda: mistakes.winnow1(10, 0),
        lambda: mistakes.winnow1(10, 11),
        lambda: mistakes.winnow1(10, 2, alpha=1),
        lambda: mistakes.winnow1(10, 2, alpha=2, theta=0.49),
        lambda: mistakes.winnow1(10, 2, theta=inf),
        lambda: mistakes.disjunctions_at_least(4, 5),
        lambda: mistakes.winnow2(10, Separation(1, 1), theta=0.9),
        lambda: mistakes.winnow2(0, Separation(1, 1), theta=1),
        lambda: mistakes.balanced_winnow(10, 0, 2),
        lambda: mistakes.balanced_winnow(10, 0.5, 1),
        lambda: mistakes.monotone_dnf_vc_at_least(4, 5, 1),
        lambda: mistakes.monotone_dnf_vc_at_least(4, 2, 7),
        lambda: mistakes.monotone_dnf_vc_at_least(8, 2, 3, m=2),
        lambda: mistakes.queries(inf),
    ],
)
def test_conditions(broken):
    with pytest.raises(ParameterError, match="the theorem holds for"):
        broken()


def test_separations():
    assert Separation.disjunction(3) == Separation.r_of_k(1, 3) == Separation(1.0, 3.0)
    assert Separation.r_of_k(2, 4).holds_for([0.5] * 4 + [0], lambda x: sum(x[:4]) >= 2, 5)
    assert not Separation(0.6, 2.0).holds_for([0.5] * 4, lambda x: sum(x) >= 2, 4)
    rows = np.array([[1, 0], [0, 1], [1, 1], [0, 0]])
    assert Separation.from_weights([1, 0.5], rows, [1, 0, 1, 0]) == Separation(0.5, 1.5)
    for wrong in (
        lambda: Separation(0, 1),
        lambda: Separation(1.1, 1),
        lambda: Separation(1, -1),
        lambda: Separation.r_of_k(3, 2),
        lambda: Separation.from_threshold([1, -1], 1),
        lambda: Separation.from_weights([0.5, 0.5], rows, [1, 0, 1, 0]),
    ):
        with pytest.raises(ParameterError):
            wrong()
