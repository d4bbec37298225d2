import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewest.comparison.stability import agreement, mean_agreement, stability
from naive import stability as naive


@st.composite
def subsets(draw, least=2):
    n_features = draw(st.integers(1, 8))
    row = st.lists(st.integers(0, 1), min_size=n_features, max_size=n_features)
    return draw(st.lists(row, min_size=least, max_size=8))


@given(subsets())
def test_the_index_and_its_interval_match_their_definition(chosen):
    found = stability(np.array(chosen, dtype=bool))
    expected = naive.stability(chosen)
    if expected is None:
        assert found is None
        return
    assert found.index == pytest.approx(expected)
    margin = 1.959963984540054 * naive.variance(chosen) ** 0.5
    assert found.low == pytest.approx(expected - margin)
    assert found.high == pytest.approx(min(1.0, expected + margin))


@given(subsets(least=2))
def test_agreement_is_the_correlation_of_two_masks(chosen):
    a, b = chosen[:2]
    found, expected = agreement(np.array(a, dtype=bool), np.array(b, dtype=bool)), naive.correlation(a, b)
    assert (found is None) == (expected is None)
    if expected is not None:
        assert found == pytest.approx(expected)


def test_chance_is_zero_and_sameness_is_one():
    rng = np.random.default_rng(0)
    drawn = np.array([rng.permutation(200) < 20 for _ in range(400)])
    assert abs(stability(drawn).index) < 0.01
    assert stability(np.tile(drawn[0], (5, 1))).index == 1


def test_one_subset_has_no_stability():
    assert stability(np.ones((1, 3), dtype=bool)) is None


def test_mean_agreement_leaves_out_what_is_undefined():
    whole, half = np.array([[1, 1], [1, 1]], dtype=bool), np.array([[1, 0], [1, 1]], dtype=bool)
    assert mean_agreement([whole, half]) == [[None, None], [None, pytest.approx(1.0)]]
