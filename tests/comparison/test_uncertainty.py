import numpy as np
import pytest

from fewest.comparison.metrics import ACCURACY, BALANCED_ACCURACY, LOG_LOSS, ROC_AUC
from fewest.comparison.uncertainty import corrected_error, score_interval, wilson


def test_the_corrected_error_of_ten_folds():
    """Ten runs with a fifth of the rows left out: the variance of the mean counts (1/10 + 1/4), not 1/10."""
    values = np.array([0.9, 0.8] * 5)
    assert corrected_error(values, 0.25) == pytest.approx((0.35 * values.var(ddof=1)) ** 0.5)
    assert corrected_error(values[:1], 0.25) is None


def test_folds_without_a_score_are_left_aside():
    assert corrected_error(np.array([0.9, np.nan, 0.8]), 0.25) == corrected_error(np.array([0.9, 0.8]), 0.25)
    assert score_interval(np.array([0.9, np.nan]), 0.25, ROC_AUC, np.array([50, 50])).mean == 0.9


def test_an_interval_is_never_narrower_than_the_rows_allow():
    always_right = score_interval(np.ones(10), 0.25, ACCURACY, np.array([50, 50]))
    assert always_right.mean == always_right.high == 1
    assert always_right.low == pytest.approx(0.963, abs=1e-3)  # Wilson's interval for 100 of 100
    spread = score_interval(np.array([0.5, 1.0, 0.5, 1.0]), 0.25, ACCURACY, np.array([5000, 5000]))
    assert (spread.low, spread.high) == (pytest.approx(0.75 - 3.182446 * (0.5 / 12) ** 0.5), 1.0)


def test_few_rows_of_a_class_widen_the_interval():
    equal, rare = (score_interval(np.full(5, 0.8), 0.25, m, np.array(c)) for m, c in (
        (BALANCED_ACCURACY, [500, 500]), (BALANCED_ACCURACY, [990, 10]))
    )  # fmt: skip
    assert rare.high - rare.low > 3 * (equal.high - equal.low)
    area = score_interval(np.full(5, 0.8), 0.25, ROC_AUC, np.array([990, 10]))
    assert area.high - area.low == pytest.approx(2 * 1.96 * 0.085, abs=0.01)  # Hanley and McNeil's error
    perfect = score_interval(np.ones(5), 0.25, ROC_AUC, np.array([27, 11]))
    assert perfect.high == 1
    assert perfect.low == pytest.approx(0.915, abs=0.01)  # with the error of 0.958
    loss = score_interval(np.full(5, -0.3), 0.25, LOG_LOSS, np.array([50, 50]))
    assert (loss.low, loss.high) == pytest.approx((-0.3, -0.3))


def test_wilson_matches_a_textbook_example():
    assert wilson(0.8, 10) == pytest.approx((0.490, 0.943), abs=1e-3)
