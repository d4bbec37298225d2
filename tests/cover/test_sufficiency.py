import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from fewest.cover import conflicts, count_conflicts, sufficiency
from fewest.exceptions import ParameterError, TargetError, UnknownColumnError
from problems import samples, with_missing_as_value


def frame_of(rows, n_features):
    return pd.DataFrame(rows, columns=[f"f{j}" for j in range(n_features)], dtype=object)


@given(samples(missing=True), st.sampled_from(["value", "cautious"]), st.data())
def test_verdict_and_witness_match_the_definition(problem, missing, data):
    rows, classes, n_features = problem
    subset = data.draw(st.lists(st.integers(0, n_features - 1), unique=True))
    seen = rows if missing == "cautious" else with_missing_as_value(rows)
    verdict = sufficiency(frame_of(rows, n_features), classes, subset, missing=missing)
    uncovered = {frozenset(pair) for pair in naive.uncovered(seen, classes, subset)}
    assert bool(verdict) == verdict.is_sufficient == (not uncovered)
    assert verdict.n_uncovered == len(uncovered)
    assert verdict.n_contradictions == len(naive.contradictions(seen, classes))
    if uncovered:
        assert frozenset(verdict.witness) in uncovered
    else:
        assert verdict.witness is None


@given(samples(missing=True), st.booleans())
def test_conflicts_are_distinct_and_come_with_their_rows(problem, reduced):
    rows, classes, n_features = problem
    found = conflicts(frame_of(rows, n_features), classes, reduced=reduced, missing="cautious")
    sets = [frozenset(np.flatnonzero(row).tolist()) for row in found.to_array()]
    expected = {c for c in naive.all_conflicts(rows, classes) if c}
    assert set(sets) == (set(naive.minimal(list(expected))) if reduced else expected)
    assert len(sets) == len(set(sets))
    for conflict, (i, j) in zip(sets, found.rows.T.tolist(), strict=True):
        assert naive.conflict(rows[i], rows[j]) == conflict
        assert classes[i] != classes[j]


def test_the_conflicts_of_the_paper_in_its_order():
    rows = ["010100", "110010", "101111", "011000", "101001", "100101"]
    found = conflicts(np.array([list(row) for row in rows]), [1, 1, 1, 0, 0, 0])
    assert ["".join(map(str, row.astype(int))) for row in found.to_array()] == [
        "001100", "111101", "110001", "101010", "011011", "010111", "110111", "000110", "001010",
    ]  # fmt: skip


@given(samples())
def test_conflicts_are_counted_without_generating_them(problem):
    rows, classes, _ = problem
    assert count_conflicts(classes) == len(naive.all_conflicts(rows, classes))


def test_features_by_name_number_and_from_the_end():
    frame = pd.DataFrame({"a": [0, 0, 1], "b": [0, 1, 1]})
    assert sufficiency(frame, [0, 1, 1], ["b"])
    assert sufficiency(frame, [0, 1, 1], [-1])
    assert not sufficiency(frame, [0, 1, 1], ["a", "a"])
    with pytest.raises(UnknownColumnError, match="no column 'c'"):
        sufficiency(frame, [0, 1, 1], ["c"])
    with pytest.raises(ParameterError, match="no feature 2: the data has 2 features"):
        sufficiency(frame, [0, 1, 1], [2])


def test_rows_and_classes_must_match():
    with pytest.raises(ParameterError, match="There are 2 rows but 3 classes"):
        sufficiency([[0], [1]], [0, 1, 1], [0])


def test_a_mask_means_what_it_says():
    X, y = np.array([[0, 0], [0, 1], [1, 1]]), [0, 1, 1]
    assert sufficiency(X, y, np.array([False, True]))
    assert not sufficiency(X, y, [True, False])
    with pytest.raises(ParameterError, match="one entry for each feature"):
        sufficiency(X, y, [True])
    with pytest.raises(ParameterError, match="neither the name nor the position"):
        sufficiency(X, y, [1.7])


def test_lists_of_mixed_values_keep_their_types():
    nan = float("nan")
    assert not sufficiency([[nan, "a"], [1, "a"]], [0, 1], [0], missing="cautious")
    assert sufficiency([[nan, "a"], [1, "a"]], [0, 1], [0])
    assert not sufficiency([[1, "a"], [1.0, "a"]], [0, 1], [0])
    assert sufficiency([[1, "a"], ["1", "a"]], [0, 1], [0])


def test_classes_of_any_form():
    assert count_conflicts([1, "1"]) == 1
    assert count_conflicts(c for c in "abb") == 2
    assert count_conflicts(np.array([[0], [1]])) == 1
    assert count_conflicts(pd.DataFrame({"y": ["a", "b", "c"]})) == 3
    with pytest.raises(ParameterError, match="one a row"):
        count_conflicts(np.zeros((2, 2)))
    with pytest.raises(TargetError, match="1 row has no label"):
        sufficiency([[0], [1]], [0.0, float("nan")], [0])
