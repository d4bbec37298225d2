from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from fewest.budget import Budget
from fewest.cover.codings import Codings
from fewest.cover.kernels.description import UNIT, Rows
from fewest.cover.min_description import DescriptionSearch
from fewest.exceptions import ParameterError
from fewest.table import from_array
from problems import codes_of, samples


def search_for(X, y, **options):
    """The search over the columns of an array, and the codings it may add to."""
    rows = Rows.single(np.unique(y, return_inverse=True)[1])
    codings = Codings.of(from_array(np.asarray(X)), rows, **options)
    return DescriptionSearch(codings.coded, rows, max_row_visits=1e6, cuts=codings), codings


def found_in(X, y, **options):
    return search_for(X, y, **options)[0].run()


@st.composite
def problems(draw):
    rows, classes, n_features = draw(samples(max_rows=24, max_features=8))
    costs = draw(st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=n_features, max_size=n_features))
    include = draw(st.sets(st.integers(0, n_features - 1), max_size=1))
    exclude = draw(st.sets(st.integers(0, n_features - 1), max_size=2)) - include
    return rows, classes, n_features, costs, tuple(include), tuple(exclude)


@given(problems())
def test_the_proven_optimum_is_that_of_enumeration(problem):
    rows, classes, n_features, costs, include, exclude = problem
    X = codes_of(rows, n_features)
    labels = np.unique(classes, return_inverse=True)[1].tolist()
    found = found_in(X, labels, costs=np.array(costs), include=include, exclude=exclude)
    candidates = [j for j in range(n_features) if j not in exclude and (j in include or len(set(X[:, j])) > 1)]
    everything = naive.shortest_descriptions(rows, labels, candidates, costs, include)
    assert found.is_optimal
    assert found.stopped_by is None
    assert found.gap == 0
    assert found.length == pytest.approx(next(iter(everything.values())), abs=1e-6)
    assert found.length == pytest.approx(everything[found.subset], abs=1e-6)
    for near in found.alternatives:
        assert near.length == pytest.approx(everything[near.subset], abs=1e-6)
    assert sum(near.probability for near in found.alternatives) == pytest.approx(1)


@given(problems(), st.integers(0, 300))
def test_bounds_hold_wherever_the_proof_ends(problem, n_visits):
    rows, classes, n_features, costs, include, exclude = problem
    labels = np.unique(classes, return_inverse=True)[1]
    search, _ = search_for(codes_of(rows, n_features), labels, costs=np.array(costs), include=include, exclude=exclude)
    search.max_row_visits = n_visits
    found = search.run()
    everything = naive.shortest_descriptions(
        rows, labels.tolist(), sorted({*search.coded.features.tolist(), *include}), costs, include
    )
    assert found.lower_bound <= min(everything.values()) + 1e-6
    assert found.is_optimal == (found.lower_bound == found.length)


@given(problems())
def test_scores_are_the_bits_that_a_feature_saves(problem):
    rows, classes, n_features, costs, _include, exclude = problem
    labels = np.unique(classes, return_inverse=True)[1].tolist()
    search, _ = search_for(codes_of(rows, n_features), labels, costs=np.array(costs), exclude=exclude)
    found = search.run()
    everything = naive.shortest_descriptions(rows, labels, search.coded.features.tolist(), costs)
    for j in set(search.coded.features.tolist()):
        without = everything[tuple(k for k in found.subset if k != j)]
        with_it = everything[tuple(sorted({*found.subset, j}))]
        assert found.scores[j] == pytest.approx(without - with_it, abs=1e-6)


def noisy(y, share, seed=1):
    return y ^ (np.random.default_rng(seed).random(len(y)) < share)


@pytest.mark.parametrize("share", [0.0, 0.1])
def test_an_exclusive_or_among_hundreds_is_found(share):
    X = np.random.default_rng(0).integers(0, 2, (300, 200)).astype(np.int8)
    found = found_in(X, noisy(X[:, 7] ^ X[:, 150], share))
    assert found.subset == (7, 150)
    assert found.is_optimal == (share == 0)
    assert found.inclusion[[7, 150]].min() > 0.99
    assert found.scores[[7, 150]].min() > 50 > 0 > np.delete(found.scores, [7, 150]).max()


def test_a_parity_of_three_is_found_under_noise():
    X = np.random.default_rng(0).integers(0, 2, (400, 40)).astype(np.int8)
    assert found_in(X, noisy(X[:, 3] ^ X[:, 20] ^ X[:, 31], 0.1)).subset == (3, 20, 31)


@pytest.mark.parametrize("share", [0.03, 0.5])
def test_noise_is_described_best_without_features(share):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X = np.column_stack([rng.normal(size=(300, 10)), rng.integers(0, 2, (300, 10))])
        assert found_in(X, np.arange(300) < share * 300).subset == ()


def test_cuts_are_chosen_in_company():
    X = np.random.default_rng(0).random((600, 40))
    search, codings = search_for(X, (X[:, 3] > 0.35) ^ (X[:, 17] > 0.6))
    found = search.run()
    assert found.subset == (3, 17)
    cuts = {feature: cuts.tolist() for c in found.columns for feature, cuts in codings.cuts[c].items()}
    assert cuts[3] == pytest.approx([0.35], abs=0.01)
    assert cuts[17] == pytest.approx([0.6], abs=0.01)


def test_being_missing_may_be_what_tells():
    X = np.random.default_rng(0).integers(0, 2, (200, 3)).astype(float)
    y = np.arange(200) % 2
    X[y == 1, 2] = np.nan
    assert found_in(X, y).subset == (2,)
    numbers = np.random.default_rng(0).random((200, 3))
    numbers[y == 1, 2] = np.nan
    assert found_in(numbers, y).subset == (2,)


def test_a_time_limit_leaves_an_answer_and_a_bound():
    X = np.random.default_rng(0).integers(0, 2, (100, 20)).astype(np.int8)
    search, _ = search_for(X, X[:, 0])
    search.known.budget = Budget(0)
    found = search.run()
    assert found.stopped_by == "time limit"
    assert found.lower_bound <= 100
    assert not found.is_optimal
    assert len(found.scores) == 20


def test_one_class_and_no_feature_need_nothing():
    assert found_in(np.ones((5, 2)), [0] * 5).subset == ()
    found = found_in(np.arange(10).reshape(5, 2), [0] * 5)
    assert (found.subset, found.length, found.is_optimal) == ((), 0.0, True)


def test_the_order_of_rows_changes_nothing():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(200, 6)), rng.integers(0, 3, (200, 6))])
    y, order = (X[:, 1] > 0).astype(int) ^ (X[:, 8] == 2), rng.permutation(200)
    one, other = found_in(X, y), found_in(X[order], y[order])
    assert (one.subset, one.length, one.lower_bound) == (other.subset, other.length, other.lower_bound)
    assert round(one.length * UNIT) == one.length * UNIT


@given(problems(), st.data())
def test_groups_enter_together(problem, data):
    rows, classes, n_features, costs, _, _ = problem
    labels = np.unique(classes, return_inverse=True)[1].tolist()
    group = data.draw(st.sets(st.integers(0, n_features - 1), min_size=1, max_size=3))
    search, codings = search_for(codes_of(rows, n_features), labels, costs=np.array(costs), groups=[sorted(group)])
    found = search.run()
    units = [
        unit for unit in naive.grouped([group], n_features) if len({tuple(row[j] for j in unit) for row in rows}) > 1
    ]
    everything = naive.shortest_descriptions_of_units(rows, labels, units, costs)
    assert found.is_optimal
    assert found.length == pytest.approx(min(everything.values()), abs=1e-6)
    assert found.length == pytest.approx(everything[codings.members(found.subset)], abs=1e-6)


def test_a_feature_is_in_one_group():
    with pytest.raises(ParameterError, match="in two feature groups"):
        search_for(np.eye(3, dtype=int), [0, 1, 0], groups=[[0, 1], [1, 2]])


# ---------------------------------------------------------------------- pairs of finely cut features


def test_a_ring_is_found_among_many():
    X = np.random.default_rng(0).random((600, 120))
    y = np.abs(np.hypot(X[:, 17] - 0.5, X[:, 60] - 0.5) - 0.35) < 0.06
    assert found_in(X, y).subset == (17, 60)


@given(problems())
def test_the_interplay_is_what_pairs_save_beyond_both_alone(problem):
    rows, classes, n_features, costs, include, exclude = problem
    X = codes_of(rows, n_features)
    labels = np.unique(classes, return_inverse=True)[1].tolist()
    search, codings = search_for(X, labels, costs=np.array(costs), include=include, exclude=exclude)
    search.joint.pairs(search.root, 1e12)
    paid = {j: 0.0 if j in include else costs[j] for j in range(n_features)}

    def bits(*more):
        described = naive.description_of_classes(rows, labels, sorted({*include, *more}))
        return described + sum(paid[j] for j in more)

    features = [j for j in sorted(set(codings.coded.features.tolist())) if j not in include]
    beyond = sorted(bits(i, j) - min(bits(i), bits()) - min(bits(j), bits()) for i, j in combinations(features, 2))
    found = [bits(i, j) - min(bits(i), bits()) - min(bits(j), bits()) for i, j in search.joint.interplay]
    assert found == pytest.approx(beyond[: len(found)], abs=1e-6)
    assert len(found) == (min(16, len(beyond)) if len(codings.coded.names) > 2 else 0)
