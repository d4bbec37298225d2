import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from fewest.cover.kernels import differences as kernel
from fewest.cover.kernels.differences import agreeing_pairs, differences, pack_rows, unseparated_pairs
from fewest.kernels.bits import mask, unpack
from problems import codes_of, samples


@given(samples(), st.data())
def test_agreeing_pairs_are_uncovered_and_exist_when_any_is(problem, data):
    rows, classes, n_features = problem
    subset = data.draw(st.lists(st.integers(0, n_features - 1), unique=True))
    i, j = agreeing_pairs(codes_of(rows, n_features), np.array(classes), subset)
    uncovered = {frozenset(pair) for pair in naive.uncovered(rows, classes, subset)}
    found = {frozenset(pair) for pair in zip(i.tolist(), j.tolist(), strict=True)}
    assert found <= uncovered
    assert bool(found) == bool(uncovered)


@given(samples(max_rows=30, max_values=5), st.data())
def test_agreeing_pairs_are_the_same_however_often_rows_are_numbered_anew(problem, data):
    rows, classes, n_features = problem
    subset = data.draw(st.lists(st.integers(0, n_features - 1), unique=True))
    arguments = codes_of(rows, n_features), np.array(classes), subset
    found = []
    for most_keys in (1, 6, 1 << 62):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(kernel, "FIRST_KEYS", min(most_keys, 1 << 12))
            patch.setattr(kernel, "MOST_KEYS", most_keys)
            found.append([some.tolist() for some in agreeing_pairs(*arguments)])
    assert found[0] == found[1] == found[2]


@given(st.one_of(samples(), samples(missing=True)), st.data())
def test_unseparated_pairs_are_separable_and_exist_when_any_is(problem, data):
    rows, classes, n_features = problem
    subset = data.draw(st.lists(st.integers(0, n_features - 1), unique=True))
    packed = pack_rows(codes_of(rows, n_features))
    i, j = unseparated_pairs(packed, np.array(classes), mask(subset, n_features))
    hopeless = {frozenset(pair) for pair in naive.contradictions(rows, classes)}
    expected = {frozenset(pair) for pair in naive.uncovered(rows, classes, subset)} - hopeless
    found = {frozenset(pair) for pair in zip(i.tolist(), j.tolist(), strict=True)}
    assert found <= expected
    assert bool(found) == bool(expected)


@given(st.one_of(samples(max_values=2), samples(max_values=9), samples(max_values=5, missing=True)))
def test_differences_are_the_conflicts(problem):
    rows, _, n_features = problem
    packed = pack_rows(codes_of(rows, n_features))
    for i in range(len(rows)):
        found = unpack(differences(packed, i, slice(None)), n_features)
        assert [frozenset(np.flatnonzero(row).tolist()) for row in found] == [naive.conflict(rows[i], r) for r in rows]
