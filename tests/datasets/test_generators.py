import numpy as np
import pytest

import fewest
from fewest import MinFeatures
from fewest.datasets import make_led, make_linear_threshold, make_parity
from fewest.exceptions import ParameterError


def test_led_shows_digits_and_few_segments_separate_them():
    X, y, relevant = make_led(500, noise=0.0, random_state=0)
    assert X.shape == (500, 24)
    assert relevant == tuple(range(7))
    assert MinFeatures().fit(X[:, :7], y).support_.sum() == 5
    assert MinFeatures().fit(X[:, :7], y == 6).get_support(indices=True).tolist() == [2, 4]
    assert MinFeatures().fit(X[:, :7], y == 2).get_support(indices=True).tolist() == [5]


def test_led_noise_negates_a_tenth_of_the_segments():
    clean, noisy = (make_led(5000, noise=noise, random_state=0) for noise in (0.0, 0.1))
    assert (clean.y == noisy.y).all()
    assert (clean.X[:, :7] != noisy.X[:, :7]).mean() == pytest.approx(0.1, abs=0.01)


def test_parity_noise_negates_exactly_that_share_of_each_relevant_feature_after_labelling():
    clean, noisy = (make_parity(200, 3, 7, noise, random_state=4) for noise in (0.0, 0.05))
    assert (clean.y == noisy.y).all()
    assert (clean.X != noisy.X).sum(axis=0).tolist() == [10, 10, 10] + [0] * 7
    assert (clean.X[:, :3].sum(axis=1) % 2 == clean.y).all()


@pytest.mark.parametrize(("relevant", "offset"), [(1, 0.2), (3, 0.0)])
def test_linear_thresholds_are_the_two_concepts_of_the_thesis(relevant, offset):
    X, y, which = make_linear_threshold(400, relevant=relevant, irrelevant=6, noise=0.0, random_state=1)
    assert which == tuple(range(relevant))
    np.testing.assert_array_equal(y, X[:, :relevant].sum(axis=1) + offset > 0)
    other = make_linear_threshold(400, relevant=relevant, irrelevant=6, noise=0.0, offset=-1.0, random_state=1)
    np.testing.assert_array_equal(other.y, X[:, :relevant].sum(axis=1) - 1 > 0)


def test_linear_threshold_inputs_are_normal_and_labels_wrong_with_probability_eta():
    clean, noisy = (make_linear_threshold(20_000, irrelevant=3, noise=noise, random_state=2) for noise in (0.0, 0.3))
    np.testing.assert_array_equal(clean.X, noisy.X)
    assert (clean.y != noisy.y).mean() == pytest.approx(0.3, abs=0.01)
    np.testing.assert_allclose(np.cov(clean.X.T), np.eye(4), atol=0.04)
    np.testing.assert_allclose(clean.X.mean(axis=0), 0, atol=0.03)


def test_a_seed_makes_the_same_data():
    one, same, later = (make_parity(20, random_state=state) for state in _states())
    np.testing.assert_array_equal(one.X, same.X)
    assert (one.X != later.X).any()
    np.testing.assert_array_equal(make_led(20, random_state=3).X, make_led(20, random_state=3).X)


def _states():
    """Yield scikit-learn's random states: two alike, and the second in its next state."""
    second = np.random.RandomState(7)
    yield from (np.random.RandomState(7), second, second)


def test_old_names_say_where_the_new_ones_are():
    with pytest.raises(AttributeError, match=r"fewest\.parity is now fewest\.datasets\.make_parity"):
        fewest.parity  # noqa: B018 (the access is the test)


@pytest.mark.parametrize(
    "make",
    [
        lambda: make_parity(0),
        lambda: make_parity(5, noise=2),
        lambda: make_led(5, digit=10),
        lambda: make_linear_threshold(5, relevant=0),
        lambda: make_linear_threshold(5, offset=np.inf),
    ],
)
def test_impossible_data_is_refused(make):
    with pytest.raises(ParameterError):
        make()
