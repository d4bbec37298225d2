"""Counting FOCUS-1's tests without making them gives what making them gives."""

import numpy as np
import pytest

from fewest.cover.focus1 import focus1
from fewest.cover.sample import Sample
from fewest.papers.focus.table_1 import draw_sample
from fewest.papers.focus.table_1 import tests_of_focus1 as counted


@pytest.mark.parametrize("run", range(8))
@pytest.mark.parametrize("positive", [0.1, 0.5])
def test_tests_are_counted_as_if_made(run, positive):
    X, y = draw_sample({"features": 9, "relevant": 4, "examples": 15 + 5 * run, "run": run, "positive": positive})
    answer = focus1(Sample(X, y))
    assert counted(X, y) == (len(answer.subset), answer.n_sufficiency_tests)


def test_all_features_are_counted_too():
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.int8)
    y = X[:, 0] ^ X[:, 1]
    assert counted(X, y) == (2, focus1(Sample(X, y)).n_sufficiency_tests)
