"""Lemma 2 and theorems 3 to 5, by hand and by experiment."""

import numpy as np
import pytest

from fewest import CFPClassifier
from fewest.cfp.bounds import (
    agreeing_features,
    classification_steps,
    intervals,
    most_partitions,
    net_sample_size,
    net_sample_size_by_union,
    smallest_limit,
    training_steps,
)
from fewest.exceptions import ParameterError


def test_lemma_2_by_hand():
    # k = 2: (2 / 0.5) * (1 ln 2 + ln(2 / 0.5)) = 4 * (0.693147 + 1.386294) = 8.3178, so 9 examples.
    assert net_sample_size(0.5, 0.5, 0.5, 1) == 9
    # k = 10: (10 / 0.1) * (10 ln 2 + ln(10 / 0.05)) = 100 * (6.931472 + 5.298317) = 1222.98.
    assert net_sample_size(0.1, 0.05, 0.1, 10) == 1223
    # The union bound: 100 * ln(10 * 10 / 0.05) = 100 * 7.600902 = 760.09.
    assert net_sample_size_by_union(0.1, 0.05, 0.1, 10) == 761
    assert net_sample_size_by_union(0.1, 0.05, 0.1, 1) <= net_sample_size(0.1, 0.05, 0.1, 1)


def test_the_rest_by_hand():
    assert [agreeing_features(n) for n in range(1, 7)] == [1, 2, 2, 3, 3, 4]
    assert smallest_limit(0.25) == 0.5
    assert most_partitions(0.25, 3) == 12
    assert most_partitions(0.3, 3) == 12
    assert classification_steps(0.25, 3) == 6
    assert training_steps(0.25, 3, 100) == 600


@pytest.mark.parametrize(("epsilon", "k"), [(0.1, 10), (0.01, 100), (0.2, 5), (0.3, 4), (1 / 3, 4), (0.49, 3)])
def test_sub_intervals_are_counted_exactly(epsilon, k):
    """1/3 as a float is a little less than a third, so four intervals of that length are needed."""
    assert intervals(epsilon) == k


def test_the_net_of_lemma_2_is_one():
    """With so many examples, hardly ever is a likely sub-interval of some feature empty."""
    epsilon, delta, gamma, n_features = 0.2, 0.1, 0.2, 3
    m = net_sample_size(epsilon, delta, gamma, n_features)
    rng = np.random.default_rng(0)
    failures = 0
    for _ in range(200):
        held = np.floor(rng.random((m, n_features)) / epsilon).astype(int)
        failures += any(len(np.unique(held[:, f])) < intervals(epsilon) for f in range(n_features))
    assert failures / 200 < delta


def test_theorem_4_holds_where_classes_do_not_interleave_and_fails_where_they_do():
    epsilon, n_features = 0.05, 4
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 2000)
    apart = y[:, None] * 0.5 + rng.random((2000, n_features)) * 0.45
    limit = smallest_limit(epsilon)
    assert CFPClassifier(limit, inclusive=True).fit(apart, y).n_partitions_ <= most_partitions(epsilon, n_features)
    mixed = rng.random((2000, n_features))
    assert CFPClassifier(limit, inclusive=True).fit(mixed, y).n_partitions_ > 10 * most_partitions(epsilon, n_features)


@pytest.mark.parametrize(
    "arguments", [(0, 0.1, 0.1, 1), (0.1, 1, 0.1, 1), (0.1, 0.1, -1, 1), (0.1, 0.1, float("nan"), 1)]
)
def test_parts_that_are_none(arguments):
    with pytest.raises(ParameterError, match="is not between 0 and 1"):
        net_sample_size(*arguments)


def test_counts_that_are_none():
    with pytest.raises(ParameterError, match="cannot be 0 features"):
        most_partitions(0.1, 0)
    with pytest.raises(ParameterError, match="cannot be -1 examples"):
        training_steps(0.1, 1, -1)
