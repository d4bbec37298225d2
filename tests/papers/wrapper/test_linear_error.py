"""The probability that two thresholds disagree, against sampling and by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewest.papers.wrapper.errors import disagreement

X = np.random.default_rng(0).standard_normal((200_000, 3))
numbers = st.sampled_from([-1.5, -1.0, -0.3, 0.0, 0.2, 1.0, 2.0])
thresholds = st.tuples(st.tuples(numbers, numbers, numbers), numbers)


@given(thresholds, thresholds)
def test_it_is_how_often_a_sample_disagrees(one, other):
    signs = [X @ np.array(weights) + offset > 0 for weights, offset in (one, other)]
    assert disagreement(*one, *other) == pytest.approx(np.mean(signs[0] != signs[1]), abs=0.006)


def test_by_hand():
    assert disagreement([1, 1], 0.0, [1, 0], 0.0) == pytest.approx(0.25)  # 45 degrees of 180
    assert disagreement([1, 0], 0.0, [-2, 0], 0.0) == pytest.approx(1.0)
    assert disagreement([3, 0], 0.6, [1, 0], 0.2) == pytest.approx(0.0)
    assert disagreement([0, 0], 1.0, [1, 0], 0.2) == pytest.approx(0.42074, abs=1e-5)  # 1 - Phi(0.2)
    assert disagreement([0], -1.0, [0], 1.0) == 1.0
