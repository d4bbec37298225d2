from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewest import explain_row, read_table
from fewest.exceptions import FewestError


@st.composite
def problems(draw):
    n_rows, n_features = draw(st.integers(2, 8)), draw(st.integers(1, 5))
    X = draw(
        st.lists(
            st.lists(st.integers(0, 2), min_size=n_features, max_size=n_features), min_size=n_rows, max_size=n_rows
        )
    )
    y = draw(st.lists(st.sampled_from("abc"), min_size=n_rows, max_size=n_rows))
    costs = draw(st.none() | st.lists(st.sampled_from([1, 2, 2.5]), min_size=n_features, max_size=n_features))
    return np.array(X), y, draw(st.integers(0, n_rows - 1)), costs


def naive_explanations(X, y, row, costs):
    """Return the cheapest subsets whose values no row of another class shares, but for twins, by trying them all."""
    n_features = X.shape[1]
    prices = costs or [1] * n_features
    others = [i for i in range(len(X)) if y[i] != y[row] and (X[i] != X[row]).any()]
    explaining = [
        subset
        for size in range(n_features + 1)
        for subset in combinations(range(n_features), size)
        if all((X[i, list(subset)] != X[row, list(subset)]).any() for i in others)
    ]
    least = min(sum(prices[j] for j in subset) for subset in explaining)
    return {subset for subset in explaining if sum(prices[j] for j in subset) == least}


@given(problems())
def test_explanations_are_exactly_the_cheapest(problem):
    X, y, row, costs = problem
    found = explain_row(X, y, row, costs=costs, max_alternatives=100)
    expected = naive_explanations(X, y, row, costs)
    assert {tuple(int(name[1:]) for name in names) for names in found.alternatives} == expected
    assert (found.is_optimal, found.is_complete, found.label) == (True, True, y[row])
    assert found.features == found.alternatives[0]
    twins = tuple(i for i in range(len(X)) if y[i] != y[row] and (X[i] == X[row]).all())
    assert found.twins == twins
    for names, n_sharing in zip(found.alternatives, found.n_sharing_alternatives, strict=True):
        columns = [int(name[1:]) for name in names]
        sharing = [i for i in range(len(X)) if i != row and y[i] == y[row] and (X[i, columns] == X[row, columns]).all()]
        assert n_sharing == len(sharing)
    assert found.n_sharing == max(found.n_sharing_alternatives)


@given(problems())
def test_the_nearest_rows_need_the_fewest_changes(problem):
    X, y, row, _ = problem
    found = explain_row(X, y, row, n_nearest=100)
    distances = {i: int((X[i] != X[row]).sum()) for i in range(len(X)) if y[i] != y[row] and (X[i] != X[row]).any()}
    assert {near.row: len(near.changes) for near in found.nearest} == distances
    assert [len(near.changes) for near in found.nearest] == sorted(distances.values())
    for near in found.nearest:
        changed = X[row].copy()
        for name, (before, after) in near.changes.items():
            assert changed[int(name[1:])] == before
            changed[int(name[1:])] = after
        assert (changed == X[near.row]).all()
        assert near.label == y[near.row]


WEATHER = {"outlook": ["sunny", "sunny", "rain", "rain"], "windy": ["no", "yes", "no", "yes"]}
PLAY = ["no", "no", "yes", "no"]


def weather():
    import pyarrow

    return read_table(pyarrow.table(WEATHER))


def test_a_new_row_is_of_the_class_of_the_nearest_unless_another_is_asked_for():
    found = explain_row(weather(), PLAY, {"outlook": "sunny", "windy": "no"})
    assert (found.row, found.label, found.is_label_given) == (None, "no", False)
    assert found.values == {"outlook": "sunny"}
    assert found.n_sharing == 2
    other = explain_row(weather(), PLAY, ["rain", "no"], label="no")
    assert (other.label, other.is_label_given, other.twins) == ("no", True, (2,))


def test_a_value_never_seen_explains_nothing():
    found = explain_row(weather(), PLAY, {"outlook": "snow", "windy": "yes"})
    assert found.unseen == ("outlook",)
    assert found.values == {"windy": "yes"}


def test_measurements_are_compared_by_interval_unless_exactly():
    rng = np.random.default_rng(0)
    age = rng.permutation(np.arange(40) + 0.25)
    X, y = np.column_stack([age, rng.normal(size=40)]), age > 20
    row = int(np.argmax(age))
    found = explain_row(X, y, row)
    assert (found.features, found.n_sharing) == (("x0",), int(y.sum()) - 1)
    assert found.values["x0"].startswith("> ")
    assert str(found) == f"Row {row} is {found.label}: x0 {found.values['x0']}, which no row of another class shares."
    exact = explain_row(X, y, row, exact_values=True)
    assert (exact.n_sharing, exact.alternatives) == (0, (("x0",), ("x1",)))


def test_what_is_missing_is_a_value_or_separates_nothing():
    X, y = [["a", None], ["a", "u"], ["b", "u"]], ["yes", "no", "no"]
    assert explain_row(X, y, 0).values == {"x1": "(missing)"}
    cautious = explain_row(X, y, 0, missing="cautious")
    assert (cautious.twins, cautious.values) == ((1,), {"x0": "a"})


def test_features_included_excluded_and_their_costs_count():
    X, y = [[0, 0, 0], [1, 1, 1]], ["a", "b"]
    assert explain_row(X, y, 0, include=["x2"]).alternatives == (("x2",),)
    assert explain_row(X, y, 0, exclude=[0]).alternatives == (("x1",), ("x2",))
    assert explain_row(X, y, 0, costs={"x1": 0.5}).alternatives == (("x1",),)


def test_one_class_needs_no_explanation():
    found = explain_row([[0], [1]], ["a", "a"], 1)
    assert (found.features, found.nearest, found.is_optimal) == ((), (), True)
    assert str(found) == "Row 1 is a, and there is no row of another class to tell it from."


@pytest.mark.parametrize(
    ("row", "options", "message"),
    [
        (7, {}, "There is no row 7: the data has 4 rows, counted from 0."),
        ({"outlook": "rain"}, {}, "windy"),
        (["rain"], {}, "The new row has 1 values for 2 features."),
        (0, {"label": "maybe"}, "There is no class 'maybe'. There are 'no', 'yes'."),
        (0, {"missing": "ignore"}, "missing"),
        (0, {"n_nearest": -1}, "n_nearest is -1"),
        (0, {"include": ["windy"], "exclude": ["windy"]}, "both"),
    ],
)
def test_bad_requests_are_named(row, options, message):
    with pytest.raises(FewestError, match=message):
        explain_row(weather(), PLAY, row, **options)
