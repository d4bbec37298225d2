"""Bounds on wrappers against values worked out by hand, their conditions, and what they promise by experiment."""

from itertools import combinations
from math import comb, exp, log, sqrt

import numpy as np
import pytest

from fewest.exceptions import ParameterError
from fewest.wrapper import bounds as wrappers
from fewest.wrapper.different_subsets import (
    difference_multiplier,
    different_subsets,
    log_different_subsets,
    tight_up_to,
)

DELTA = 0.1


@pytest.mark.parametrize(
    ("bound", "by_hand"),
    [
        # sqrt(ln(2 N / delta) / 2 m), for 2 N / delta = e^8 and m = 16: sqrt(8 / 32)
        (wrappers.holdout_deviation(16, 1, 2 * exp(-8)), 0.5),
        (wrappers.choice(16, 1, 2 * exp(-8)), 1.0),
        (wrappers.choice(16, 1, 2 * exp(-8), eta=0.25), 2.0),
        # ln(2 * 2^10 / 0.1) = 11 ln 2 + ln 10 = 9.927204; / 400, square root
        (wrappers.holdout_deviation(200, 1024, DELTA), 0.1575373),
        # 2 sqrt((2 (ln(2 * 1000 / 2) + 1) + ln 90) / 1000) = 2 sqrt((15.815511 + 4.499810) / 1000)
        (wrappers.training_deviation(1000, 2, DELTA), 0.2850636),
        # a class of dimension 0: 2 sqrt(ln 90 / 1000)
        (wrappers.training_deviation(1000, 0, DELTA), 0.1341613),
        # ln+ of 2 m / d < 1 is 0: 2 sqrt((30 (0 + 1) + ln 90) / 10)
        (wrappers.training_deviation(10, 30, DELTA), 3.7148251),
    ],
)
def test_deviations(bound, by_hand):
    assert bound == pytest.approx(by_hand, rel=1e-6)


def test_theorems_13_and_19_by_hand():
    # f = 1, f_VC = 2: twice the deviation above.
    assert wrappers.without_selection(1000, 1, delta=DELTA).error == pytest.approx(0.5701271, rel=1e-6)
    noisy = wrappers.without_selection(1000, 1, delta=DELTA, eta=0.3, approximation=0.05)
    assert noisy.error == pytest.approx(0.05 + 0.5701271 / 0.4, rel=1e-6)


def test_theorem_14_by_hand():
    # m = 2000, gamma = 1/2, r = 1: 4 sqrt((2 (ln 1000 + 1) + ln 180) / 1000) + 2 sqrt((12 ln 2 + ln 10) / 2000)
    bound = wrappers.standard_wrap(2000, 10, 1, validation_fraction=0.5, delta=DELTA)
    assert bound.estimation == pytest.approx(4 * sqrt((15.815511 + 5.192957) / 1000), rel=1e-6)
    assert bound.subset_choice == pytest.approx(2 * sqrt((8.317766 + 2.302585) / 2000), rel=1e-6)
    assert bound.size_choice == bound.shortfall == 0
    assert bound.error == bound.excess == pytest.approx(bound.estimation + bound.subset_choice)


def test_theorem_17_by_hand():
    # r (ln(f / r) + 1) = ln 10 + 1 = 3.302585 joins the root; 2 sqrt(ln(4 * 11 / 0.1) / 2000)
    bound = wrappers.ordered_fs(2000, 10, 1, validation_fraction=0.5, delta=DELTA)
    assert bound.estimation == pytest.approx(4 * sqrt((15.815511 + 3.302585 + 5.192957) / 1000), rel=1e-6)
    assert bound.size_choice == pytest.approx(2 * sqrt(6.086775 / 2000), rel=1e-6)
    exact = wrappers.ordered_fs(2000, 10, 1, validation_fraction=0.5, delta=DELTA, exact_binomial=True)
    assert exact.estimation == pytest.approx(4 * sqrt((15.815511 + 2.302585 + 5.192957) / 1000), rel=1e-6)
    assert exact.size_choice == bound.size_choice


def test_theorem_7_with_a_third_of_delta_a_step():
    # ln(27 / 0.1) = 5.598422; ln(6 comb(10, 1) / 0.1) = 6.396930; ln(6 * 11 / 0.1) = 6.492240
    bound = wrappers.ordered_fs2(2000, 10, 1, split_fractions=(0.5, 0.25, 0.25), delta=DELTA)
    assert bound.estimation == pytest.approx(4 * sqrt((15.815511 + 5.598422) / 1000), rel=1e-6)
    assert bound.subset_choice == pytest.approx(2 * sqrt(6.396930 / 1000), rel=1e-6)
    assert bound.size_choice == pytest.approx(2 * sqrt(6.492240 / 1000), rel=1e-6)


@pytest.mark.parametrize("theorem", [wrappers.standard_wrap, wrappers.ordered_fs, wrappers.ordered_fs2])
def test_noise_divides_and_a_shortfall_adds(theorem):
    clean, noisy = (theorem(1000, 20, 3, eta=eta, shortfall=0.02) for eta in (0.0, 0.3))
    assert clean.shortfall == 0.02
    assert clean.excess == pytest.approx(theorem(1000, 20, 3).excess + 0.02)
    assert noisy.excess == pytest.approx(clean.excess / 0.4)


def test_ordered_fs_grows_with_the_logarithm_of_the_features_and_standard_wrap_with_their_root():
    def growth(theorem, n_features):
        return theorem(1000, n_features**2, 3).excess - theorem(1000, n_features, 3).excess

    assert growth(wrappers.ordered_fs, 100) < 0.3
    assert growth(wrappers.standard_wrap, 100) > 30 * growth(wrappers.ordered_fs, 100)


def test_examples_needed_are_the_least():
    for theorem in (wrappers.standard_wrap, wrappers.ordered_fs, wrappers.ordered_fs2):
        m = wrappers.examples_needed(0.3, lambda m, theorem=theorem: theorem(m, 50, 2))
        assert theorem(m, 50, 2).excess <= 0.3 < theorem(m - 1, 50, 2).excess
    assert wrappers.examples_needed(100.0, lambda m: wrappers.ordered_fs(m, 2, 1)) == 1


def test_the_best_size_is_the_minimum_over_sizes():
    errors = [0.5, 0.2, 0.01, 0.0]
    each = [wrappers.standard_wrap(10**5, 3, r, approximation=error) for r, error in enumerate(errors)]
    best = wrappers.best_size(lambda r, error: wrappers.standard_wrap(10**5, 3, r, approximation=error), errors)
    assert best.error == min(bound.error for bound in each)
    assert best.size == 2


def test_lemma_9_holds_by_experiment():
    """Among hypotheses of known error the one chosen on hold-out data is hardly ever worse than promised."""
    rng = np.random.default_rng(0)
    errors = np.linspace(0.3, 0.5, 40)
    chosen = (rng.binomial(50, errors, (2000, 40))).argmin(axis=1)
    allowed = wrappers.choice(50, 40, 0.2)
    assert (errors[chosen] - errors.min() > allowed).mean() <= 0.2


def test_errors_on_noisy_labels():
    # (A.27): (1 - 2 * 0.3) * 0.1 + 0.3 = 0.34
    assert wrappers.clean_error(0.34, 0.3) == pytest.approx(0.1)
    assert wrappers.clean_error(0.2, 0.3) == 0


@pytest.mark.parametrize(("f", "d"), [(4, 2), (5, 3), (6, 3), (7, 4)])
def test_theorem_6_is_met_by_subsets_taken_greedily(f, d):
    words = []
    for word in range(2**f):
        if all((word ^ other).bit_count() >= d for other in words):
            words.append(word)
    assert all((a ^ b).bit_count() >= d for a, b in combinations(words, 2))
    assert len(words) >= different_subsets(f, d)


def test_theorem_6_by_hand():
    assert different_subsets(4, 2) == 8  # 8 / 1
    assert different_subsets(7, 4) == 3  # 64 / (1 + 6 + 15) = 2.9
    assert different_subsets(10, 10) == 2  # 512 / (512 - 9 - 1) = 1.02


@pytest.mark.parametrize(("f", "beta"), [(10, 0.2), (20, 0.1), (100, 0.25), (1000, 0.3), (1000, 0.9)])
def test_the_estimate_of_section_5_2_is_below_the_count(f, beta):
    assert log_different_subsets(f, beta) <= log(different_subsets(f, round(beta * f)))


def test_where_the_multiplier_changes_its_sign():
    assert difference_multiplier(1.0) == pytest.approx(log(2) - 1)
    assert difference_multiplier(tight_up_to()) == pytest.approx(0, abs=1e-12)
    assert 0.32 < tight_up_to() < 0.33


def test_corollary_16():
    for r in range(21):
        assert wrappers.log_subsets_at_most(20, r) >= log(comb(20, r))
    assert wrappers.log_subsets_at_most(20, 0) == 0


@pytest.mark.parametrize(
    ("ask", "condition"),
    [
        (lambda: wrappers.standard_wrap(100, 10, 11), "0 <= r <= f"),
        (lambda: wrappers.ordered_fs(100, 10, 1, validation_fraction=1.0), "0 < gamma < 1"),
        (lambda: wrappers.ordered_fs(100, 10, 1, eta=0.5), "0 <= eta < 1/2"),
        (lambda: wrappers.ordered_fs(100, 10, 1, delta=0.0), "0 < delta < 1"),
        (lambda: wrappers.ordered_fs(100, 10, 1, shortfall=-0.1), "one of 0 or more"),
        (lambda: wrappers.ordered_fs(0, 10, 1), "m >= 1"),
        (lambda: wrappers.ordered_fs2(100, 10, 1, split_fractions=(0.5, 0.5, 0.5)), "a sum of 1"),
        (lambda: wrappers.ordered_fs2(100, 10, 1, split_fractions=(0.5, 0.5, 0.0)), "three positive fractions"),
        (lambda: wrappers.without_selection(100, 0), "f >= 1"),
        (lambda: wrappers.holdout_deviation(10, 0), "N >= 1"),
        (lambda: wrappers.training_deviation(10, -1), "a dimension of 0 or more"),
        (lambda: wrappers.examples_needed(0.0, lambda m: wrappers.ordered_fs(m, 2, 1)), "a positive excess"),
        (lambda: different_subsets(5, 1), "1 < d <= f"),
        (lambda: difference_multiplier(0.0), "0 < beta <= 1"),
    ],
)
def test_conditions(ask, condition):
    with pytest.raises(ParameterError, match=condition.replace("(", r"\(")):
        ask()
