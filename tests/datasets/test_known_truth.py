import numpy as np
import pytest

from fewest.datasets import known_truths, make_known_truth
from fewest.exceptions import ParameterError


@pytest.mark.parametrize("problem", known_truths())
def test_problems_are_the_same_for_the_same_seed_and_have_two_classes(problem):
    X, y, relevant = make_known_truth(problem, random_state=1)
    again = make_known_truth(problem, random_state=1)
    assert np.array_equal(X, again.X)
    assert relevant == again.relevant
    assert len(X) == len(y)
    assert len(np.unique(y)) >= 2
    assert 0 <= min(relevant) <= max(relevant) < X.shape[1]
    assert relevant != make_known_truth(problem, random_state=2).relevant or problem.startswith("monk-2")


def test_columns_are_shuffled_with_their_truth():
    X, y, relevant = make_known_truth("corral", random_state=3)
    a, b, c, d = (X[:, j] for j in relevant)
    pairings = [(a & b) | (c & d), (a & c) | (b & d), (a & d) | (b & c)]
    assert any(np.array_equal(one, y) for one in pairings)


def test_loci_of_epistasis_have_no_effect_alone():
    X, y, relevant = make_known_truth("epistasis-0.4", random_state=0)
    rates = [y[X[:, j] == value].mean() for j in relevant for value in range(3)]
    assert np.allclose(rates, 0.5, atol=0.1)
    is_one = (X[:, relevant] == 1).sum(axis=1) == 1
    assert y[is_one].mean() - y[~is_one].mean() > 0.5


def test_unknown_problems_are_refused():
    with pytest.raises(ParameterError, match="problem"):
        make_known_truth("corall")
    with pytest.raises(ParameterError, match="kind"):
        known_truths("apart")
