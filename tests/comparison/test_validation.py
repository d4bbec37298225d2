import numpy as np
import pytest

from fewest.comparison.validation import accuracy_interval, corrected_error, wilson


def test_the_corrected_error_of_ten_folds():
    """Ten runs with a fifth of the rows left out: the variance of the mean counts (1/10 + 1/4), not 1/10."""
    values = np.array([0.9, 0.8] * 5)
    assert corrected_error(values, 0.25) == pytest.approx((0.35 * values.var(ddof=1)) ** 0.5)
    assert corrected_error(values[:1], 0.25) is None


def test_an_interval_is_never_narrower_than_the_rows_allow():
    always_right = accuracy_interval(np.ones(10), 0.25, 100)
    assert always_right.mean == always_right.high == 1
    assert always_right.low == pytest.approx(0.963, abs=1e-3)  # Wilson's interval for 100 of 100
    spread = accuracy_interval(np.array([0.5, 1.0, 0.5, 1.0]), 0.25, 10_000)
    assert (spread.low, spread.high) == (pytest.approx(0.75 - 3.182446 * (0.5 / 12) ** 0.5), 1.0)


def test_wilson_matches_a_textbook_example():
    assert wilson(0.8, 10) == pytest.approx((0.490, 0.943), abs=1e-3)
