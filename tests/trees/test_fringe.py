import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from fewest.budget import Budget
from fewest.exceptions import ParameterError, StoppedEarlyWarning
from fewest.models.boolean_features import BooleanFeatures
from fewest.trees import fringe
from fewest.trees.fringe import grow_fringe
from fewest.trees.id3 import grow_id3
from fewest.trees.options import FringeOptions
from looks import Looks
from problems import codes_of, samples
from trees.test_id3 import nested


def grown(problem, max_trees=10):
    rows, classes, n_features = problem
    return grow_fringe(codes_of(rows, n_features), np.array(classes), max(classes) + 1, FringeOptions(max_trees))


PROBLEMS = st.one_of(
    samples(max_rows=24, max_values=2, max_features=6, max_classes=2),
    samples(max_rows=16, max_values=3, max_features=4),
)


@given(PROBLEMS, st.sampled_from([1, 2, 10]))
def test_step_by_step_as_described(problem, max_trees):
    rows, classes, _ = problem
    conjunctions, tree, n_trees = naive.fringe(naive.boolean_tests(rows), classes, max_trees)
    found = grown(problem, max_trees)
    pairs = [((a, va), (b, vb)) for a, va, b, vb in found.features.conjunctions()]
    assert (pairs, nested(found.tree), found.n_trees) == (conjunctions, tree, n_trees)


@given(PROBLEMS)
def test_tests_are_true_where_the_column_has_the_value(problem):
    rows, _, n_features = problem
    codes = codes_of(rows, n_features)
    matrix = BooleanFeatures.from_codes(codes).matrix(codes)
    assert [tuple(row) for row in matrix.tolist()] == naive.boolean_tests(rows)


@given(PROBLEMS)
def test_all_features_together_explain_what_can_be_explained(problem):
    rows, classes, n_features = problem
    codes, found = codes_of(rows, n_features), grown(problem)
    predicted = found.tree.predict(found.features.matrix(codes))
    by_row = {}
    for row, label in zip(rows, classes, strict=True):
        by_row.setdefault(row, []).append(label)
    for row, label in zip(rows, predicted.tolist(), strict=True):
        most = max(by_row[row].count(c) for c in by_row[row])
        assert by_row[row].count(label) == most


def test_two_conjunctions_come_to_be_two_tests():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (400, 8)).astype(np.int8)
    classes = ((codes[:, 0] & codes[:, 1]) | (codes[:, 2] & codes[:, 3])).astype(np.int64)
    found = grow_fringe(codes, classes, 2)
    names = found.features.names([f"x{j}" for j in range(8)])
    tested = {names[feature] for feature in found.tree.features_used}
    assert tested == {"x0 & x1", "x2 & x3"} or len(found.tree) == 5
    assert (found.tree.predict(found.features.matrix(codes)) == classes).all()


def test_names_are_flat_and_negations_in_parentheses():
    features = BooleanFeatures.from_codes(np.array([[0, 0, 0], [1, 1, 1]]))
    features = features.with_conjunctions([(0, 0, 1, 1), (0, 1, 1, 1), (3, 1, 2, 1), (4, 0, 2, 1), (5, 0, 0, 0)])
    assert features.names(["x1", "x3", "colour = red"]) == [
        "x1",
        "x3",
        "colour = red",
        "~x1 & x3",
        "x1 & x3",
        "~x1 & x3 & colour = red",
        "~(x1 & x3) & colour = red",
        "~(~x1 & x3 & colour = red) & ~x1",
    ]


def test_one_column_of_one_value_and_none_at_all():
    for codes in (np.zeros((3, 1), dtype=np.int8), np.empty((3, 0), dtype=np.int8)):
        found = grow_fringe(codes, np.array([0, 1, 1]), 2)
        assert (len(found.features), found.n_trees) == (0, 1)
        assert found.tree.predict(found.features.matrix(codes)).tolist() == [1, 1, 1]


def test_memory_is_limited(monkeypatch):
    rng = np.random.default_rng(0)
    codes, classes = rng.integers(0, 2, (100, 6)).astype(np.int8), rng.integers(0, 2, 100)
    monkeypatch.setattr(fringe, "MOST_ENTRIES", 700)
    with pytest.warns(StoppedEarlyWarning, match="stopped after 1 tree"):
        assert grow_fringe(codes, classes, 2).n_trees == 1
    monkeypatch.setattr(fringe, "MOST_ENTRIES", 500)
    with pytest.raises(ParameterError, match="6 tests, one for every value, on 100 rows"):
        grow_fringe(codes, classes, 2)


@pytest.mark.parametrize(("name", "wrong"), [("first", 2), ("second", -1), ("column", 5), ("value", 0.5)])
def test_stored_arrays_that_make_no_sense_are_refused(name, wrong):
    features = BooleanFeatures.from_codes(np.array([[0, 0], [1, 1]])).with_conjunctions([(0, 1, 1, 0)])
    arrays = features.to_arrays()
    assert BooleanFeatures.from_arrays(arrays, 2).conjunctions() == [(0, 1, 1, 0)]
    with pytest.raises(ValueError, match="the features"):
        BooleanFeatures.from_arrays({**arrays, name: np.array([wrong] * len(arrays[name]))}, 2)


def test_a_budget_that_ends_leaves_whole_levels_of_the_first_tree_and_then_whole_trees():
    rng = np.random.default_rng(0)
    codes, classes = rng.integers(0, 3, (60, 4)).astype(np.int8), rng.integers(0, 2, 60)
    grown = [grow_fringe(codes, classes, 2, FringeOptions(n)) for n in range(1, 11)]
    first, sizes, numbers = grown[0].tree, set(), set()
    for n_looks in range(10_000):
        budget = Looks(n_looks)
        found = grow_fringe(codes, classes, 2, budget=budget)
        n_nodes = len(found.tree)
        if found.n_trees == 1:
            sizes.add(n_nodes)
            inner = found.tree.feature >= 0
            assert (found.tree.counts == first.counts[:n_nodes]).all()
            assert (found.tree.prediction == first.prediction[:n_nodes]).all()
            assert (found.tree.feature[inner] == first.feature[:n_nodes][inner]).all()
            assert inner.sum() == len(set(first.parent[:n_nodes].tolist()) - {-1})
        numbers.add(found.n_trees)
        expected = grown[found.n_trees - 1]
        assert found.n_trees == 1 or (found.tree.counts == expected.tree.counts).all()
        assert found.features.conjunctions() == expected.features.conjunctions()
        if not budget.is_cut:
            break
    assert not budget.is_cut
    assert sizes == set(np.cumsum(np.bincount(first.depths)).tolist())
    assert numbers == set(range(1, found.n_trees + 1))
    assert found.n_trees > 2


def test_without_time_a_tree_is_a_leaf_of_the_most_frequent_class():
    budget = Budget(0.0)
    tree = grow_id3(np.array([[0], [1], [0]]), np.array([0, 1, 1]), 2, budget=budget)
    assert (len(tree), tree.prediction.tolist(), budget.is_cut) == (1, [1], True)
