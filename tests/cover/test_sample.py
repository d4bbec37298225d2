import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import naive
from fewest.cover.greedy import irreducible_subset
from fewest.cover.kernels.differences import agreeing_pairs, agreeing_pairs_without_each
from fewest.cover.sample import Sample
from fewest.cover.select import needed_for
from problems import codes_of, samples

any_samples = st.one_of(samples(), samples(missing=True), samples(max_values=2, max_features=3))


def sample_of(problem):
    rows, classes, n_features = problem
    return Sample(codes_of(rows, n_features), np.array(classes))


@given(any_samples, st.data())
def test_witness_is_a_separable_pair_that_the_subset_does_not_separate(problem, data):
    rows, classes, n_features = problem
    subset = data.draw(st.lists(st.integers(0, n_features - 1), unique=True))
    witness = sample_of(problem).witness(subset)
    assert (witness is None) == naive.is_sufficient(rows, classes, subset)
    if witness is not None:
        i, j = witness
        separating = naive.conflict(rows[i], rows[j])
        assert classes[i] != classes[j]
        assert separating
        assert not separating & set(subset)


@given(any_samples, st.data())
def test_uncovered_pairs_are_counted(problem, data):
    rows, classes, n_features = problem
    subset = data.draw(st.lists(st.integers(0, n_features - 1), unique=True))
    assert sample_of(problem).n_uncovered(subset) == len(naive.uncovered(rows, classes, subset))


@given(any_samples)
def test_contradictions_are_counted_and_shown(problem):
    rows, classes, _ = problem
    sample = sample_of(problem)
    expected = naive.contradictions(rows, classes)
    assert sample.n_contradictions == len(expected)
    if expected:
        assert tuple(sorted(sample.contradiction)) in {tuple(sorted(pair)) for pair in expected}
    else:
        assert sample.contradiction is None


@given(any_samples)
def test_irreducible_subset_is_sufficient_and_needs_each_feature(problem):
    rows, classes, _ = problem
    sample = sample_of(problem)
    subset = irreducible_subset(sample)
    assert naive.is_sufficient(rows, classes, subset)
    for feature, (i, j) in needed_for(sample, subset).items():
        assert classes[i] != classes[j]
        assert naive.conflict(rows[i], rows[j]) & set(subset) == {feature}


@given(samples(), st.data())
def test_pairs_left_by_all_but_one_are_those_of_each_by_itself(problem, data):
    rows, classes, n_features = problem
    subset = data.draw(st.lists(st.integers(0, n_features - 1), unique=True))
    codes, labels = codes_of(rows, n_features), np.array(classes)
    alone = [agreeing_pairs(codes, labels, subset[:k] + subset[k + 1 :]) for k in range(len(subset))]
    found = agreeing_pairs_without_each(codes, labels, subset)
    assert [[part.tolist() for part in pairs] for pairs in found] == [
        [part.tolist() for part in pairs] for pairs in alone
    ]


def test_needed_for_marks_a_feature_that_is_not_needed():
    sample = Sample(np.array([[0, 0], [1, 1]], dtype=np.int8), np.array([0, 1]))
    assert needed_for(sample, [0, 1]) == {0: None, 1: None}
    assert needed_for(sample, [0]) == {0: (0, 1)}
