import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import naive
from fewest.blocks.threads import _controller
from fewest.budget import Budget
from fewest.cover.additive import SPREADS, AdditiveSearch
from fewest.cover.codings import Codings
from fewest.cover.describe import additive_search, describe_classes
from fewest.cover.kernels.description import UNIT, Rows
from fewest.cover.logistic_evidence import SPREAD_OF_CONSTANT, fitted
from fewest.cover.options import MinDescriptionOptions
from fewest.cover.sum_parts import Terms, joint_parts, terms_of
from fewest.exceptions import ParameterError
from fewest.table import Column, Kind, from_array

VALUES = st.integers(-2, 2).map(float)


@st.composite
def sums(draw):
    """Terms of rows, two classes of which some row has each, and a spread."""
    n_terms = draw(st.integers(1, 3))
    rows = draw(st.lists(st.tuples(*[VALUES] * n_terms), min_size=2, max_size=12))
    classes = draw(st.lists(st.integers(0, 1), min_size=len(rows), max_size=len(rows)))
    assume(len(set(classes)) == 2)
    return rows, classes, draw(st.sampled_from([1.0, 4.0]))


def of_classes(X, y, model="auto", **options):
    y = np.unique(y, return_inverse=True)[1]
    classes = Column("y", Kind.NOMINAL, y, tuple(range(int(y.max()) + 1)))
    return describe_classes(
        from_array(np.asarray(X)), classes, MinDescriptionOptions(model=model, **options)
    ).description


@given(sums())
def test_evidence_is_that_of_plain_newton_steps(problem):
    rows, classes, spread = problem
    found = fitted(np.array(rows), np.eye(2)[[1 - label for label in classes]], spread)
    expected = naive.additive_description_of_classes(rows, classes, spread, SPREAD_OF_CONSTANT)
    assert found.bits == pytest.approx(expected, abs=1e-4)


@given(sums(), st.data())
def test_evidence_and_terms_count_copies(problem, data):
    rows, classes, spread = problem
    copies = np.array(data.draw(st.lists(st.integers(1, 5), min_size=len(rows), max_size=len(rows))))
    every = np.repeat(np.arange(len(rows)), copies)
    X, members = np.array(rows), np.eye(2)[classes]
    merged, listed = fitted(X, members * copies[:, None], spread), fitted(X[every], members[every], spread)
    assert merged.bits == pytest.approx(listed.bits, abs=1e-5)
    for column in X.T:
        own = Column("x", Kind.NUMERIC, np.where(column == -2, np.nan, column))
        codes = Column("x", Kind.NOMINAL, column.astype(np.int8) % 3, tuple("abc"))
        for one in (own, codes):
            repeated = Column("x", one.kind, one.values[every], one.labels)
            assert terms_of(one, copies)[every] == pytest.approx(terms_of(repeated, np.ones(len(every))), abs=1e-9)


@pytest.mark.parametrize("effect", [0.0, 1.0, 3.0])
def test_evidence_is_near_the_integral_over_all_weights(effect):
    rng = np.random.default_rng(0)
    x = rng.normal(size=30)
    y = (rng.random(30) < 1 / (1 + np.exp(-effect * x))).astype(int)
    found = fitted(x[:, None], np.eye(2)[y], 1.0).bits
    assert found == pytest.approx(naive.additive_description_by_quadrature(x, y, 1.0, SPREAD_OF_CONSTANT), abs=0.1)


@given(sums(), st.randoms(use_true_random=False))
def test_names_of_classes_and_the_order_of_rows_change_nothing(problem, random):
    rows, classes, spread = problem
    three = [label if k % 3 else 2 for k, label in enumerate(classes)]
    order, renamed = list(range(len(rows))), [0, 1, 2]
    random.shuffle(order)
    random.shuffle(renamed)
    one = fitted(np.array(rows), np.eye(3)[three], spread)
    other = fitted(np.array(rows)[order], np.eye(3)[np.array(renamed)[three]][order], spread)
    assert one.bits == pytest.approx(other.bits, abs=1e-5)
    assert one.probabilities.sum(axis=1) == pytest.approx(1)


def test_only_the_order_of_numbers_counts():
    x = np.random.default_rng(0).normal(size=50)
    x[3] = np.nan
    terms = [terms_of(Column("x", Kind.NUMERIC, values), np.ones(50)) for values in (x, np.exp(x))]
    assert terms[0] == pytest.approx(terms[1])
    assert terms[0].shape == (50, 2)  # and whether it is missing
    assert terms[0].mean(axis=0) == pytest.approx(0)
    assert terms[0].std(axis=0) == pytest.approx(1)


def test_categories_have_indicators_and_many_of_them_none():
    few = Column("few", Kind.NOMINAL, np.array([0, 1, 2, 0, -1] * 4, dtype=np.int8), tuple("abc"))
    assert terms_of(few, np.ones(20)).shape == (20, 3)
    many = Column("many", Kind.NOMINAL, np.arange(20, dtype=np.int8), tuple(map(str, range(20))))
    assert terms_of(many, np.ones(len(many))) is None
    constant = Column("constant", Kind.NUMERIC, np.ones(20))
    assert terms_of(constant, np.ones(20)).shape == (20, 0)


def linear(seed=0, n_rows=400, n_features=40, weights=(2.0, -2.0, 1.5, -1.5, 1.0)):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_features))
    return X, rng.random(n_rows) < 1 / (1 + np.exp(-X[:, : len(weights)] @ weights))


def test_effects_that_add_up_are_found_all():
    X, y = linear()
    found = of_classes(X, y)
    assert (found.subset, found.model) == ((0, 1, 2, 3, 4), "additive")
    assert found.scores[:5].min() > 0 > found.scores[5:].max()
    assert found.inclusion[:5].min() > 0.9
    assert not found.is_optimal
    assert found.lower_bound < found.length
    assert found.alternatives[0].subset == found.subset
    assert sum(near.probability for near in found.alternatives) == pytest.approx(1)
    by_cells = of_classes(X, y, model="cells")
    assert by_cells.model == "cells"
    assert len(by_cells.subset) < 5
    assert found.length < by_cells.length


def test_products_of_small_matrices_start_no_threads(monkeypatch):
    n_threads = set()

    def watched(*arguments):
        n_threads.update(one["num_threads"] for one in _controller().info() if one["user_api"] == "blas")
        return fitted(*arguments)

    monkeypatch.setattr("fewest.cover.additive.fitted", watched)
    of_classes(*linear(n_rows=60, n_features=5))
    assert n_threads == {1}


def test_the_scores_of_selected_features_are_differences_of_lengths():
    X, y = linear(n_features=8)
    classes = y.astype(np.int64)
    search = additive_search(Codings.of(from_array(X), Rows.single(classes)), Budget())
    search.run()
    scores = search.scores()
    for j in search.best:
        without = tuple(k for k in search.best if k != j)
        lengths = [search.length(without, spread) for spread in SPREADS]
        assert scores[j] == pytest.approx((min(lengths) - search.shortest) / UNIT)


def test_what_matters_only_together_is_described_by_cells():
    X = np.random.default_rng(0).integers(0, 2, (300, 20))
    found = of_classes(X, X[:, 3] ^ X[:, 8])
    assert (found.subset, found.model, found.is_optimal) == ((3, 8), "cells", True)


def test_noise_adds_up_to_nothing():
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X = np.column_stack([rng.normal(size=(200, 20)), rng.integers(0, 3, (200, 20))])
        assert of_classes(X, np.arange(200) % 3, max_row_visits=0).subset == ()


def test_included_features_are_in_every_sum():
    X, y = linear(n_features=10)
    found = of_classes(X, y, include=[7], exclude=[0])
    assert found.model == "additive"
    assert 7 in found.subset
    assert 0 not in found.subset
    assert all(7 in near.subset for near in found.alternatives)


def test_a_time_limit_leaves_an_answer():
    X, y = linear(n_rows=60, n_features=6)
    with pytest.warns(match="Stopped by the time limit"):
        found = of_classes(X, y, time_limit=0)
    assert found.stopped_by == "time limit"
    assert found.lower_bound <= found.length


def test_another_model_is_refused():
    with pytest.raises(ParameterError, match="model"):
        MinDescriptionOptions(model="tree")


@given(sums())
def test_the_bound_holds_for_all_sums(problem):
    rows, classes, _ = problem
    terms = Terms(np.array(rows), np.arange(len(rows[0])))
    names = np.zeros(len(rows[0]) + 1, dtype=np.int64)
    search = AdditiveSearch(terms, Rows.single(np.array(classes)), names, np.full(len(rows[0]), UNIT))
    search.run()
    assert all(length >= search.least_length for length in search.lengths.values())


# ---------------------------------------------------------------------- joint parts


def ring_or_sum(seed=0, n_rows=500, n_features=8):
    """Rows in a ring of features 0 and 1, or with a large sum of 2 and 3: no cells of four features are few enough."""
    X = np.random.default_rng(seed).random((n_rows, n_features))
    in_ring = np.abs(np.hypot(X[:, 0] - 0.5, X[:, 1] - 0.5) - 0.35) < 0.08
    return X, (in_ring | (X[:, 2] + X[:, 3] > 1.4)).astype(np.int64)


def joined_search(X, y, pairs, **options):
    codings = Codings.of(from_array(np.asarray(X)), Rows.single(y), **options)
    search = additive_search(codings, Budget())
    search.join(joint_parts(codings, pairs, 1e7))
    return search


def test_a_sum_takes_together_what_matters_together():
    X, y = ring_or_sum()
    found = of_classes(X, y)
    assert (found.subset, found.model) == ((0, 1, 2, 3), "additive")
    assert found.joint[0] == (0, 1)
    assert found.scores[:4].min() > 10 > 0 > found.scores[4:].max()
    assert found.length < of_classes(X, y, model="cells").length


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 1)), min_size=4, max_size=12), st.data())
def test_the_length_with_a_joint_part_is_that_of_its_cells_as_terms(rows, data):
    classes = data.draw(st.lists(st.integers(0, 1), min_size=len(rows), max_size=len(rows)))
    X = np.array(rows)
    assume(all(len(set(column)) > 1 for column in X.T) and len(set(classes)) == 2)
    y = np.array(classes)
    search = joined_search(X, y, [(0, 1)])
    number = next(number for number, part in search.joint.items() if part.features == (0, 1))
    cells = sorted({row[:2] for row in rows})
    joint = np.array([[float(row[:2] == cell) for cell in cells] for row in rows])
    single = (X[:, 2] - X[:, 2].mean()) / X[:, 2].std()
    terms = np.column_stack([single, joint - joint.mean(axis=0)]).tolist()
    bits = naive.additive_description_of_classes(terms, [1 - label for label in classes], 1.0, SPREAD_OF_CONSTANT)
    # A bit for the kind, which spread, a bit for each feature, one for the joint part, and which two it joins.
    expected = bits + 1 + np.log2(3) + 3 + 1 + np.log2(3) + int(search.names[3]) / UNIT
    assert search.length((2, number), 1.0) / UNIT == pytest.approx(expected, abs=1e-3)


def test_a_feature_counts_once_in_a_sum():
    X, y = ring_or_sum()
    search = joined_search(X, y, [(0, 1), (1, 2)])
    halves, quarters = [number for number, part in search.joint.items() if part.features == (0, 1)][:2]
    other = next(number for number, part in search.joint.items() if part.features == (1, 2))
    assert search._with_part((0, 3), halves) == (3, halves)
    assert search._with_part((3, halves), quarters) == (3, quarters)
    assert search._with_part((3, halves), other) == (3, halves, other)
    assert search.features_of((3, halves, other)) == (0, 1, 2, 3)


def test_an_included_feature_stays_when_its_joint_part_goes():
    X, y = ring_or_sum()
    search = joined_search(X, y, [(0, 1)], include=[1])
    part = next(iter(search.joint))
    assert search._without_part((2, part), part) == (1, 2)
    assert 1 in search.features_of(search.best)


def test_joint_parts_take_no_more_room_than_there_is():
    X, y = ring_or_sum()
    codings = Codings.of(from_array(X), Rows.single(y))
    every = joint_parts(codings, [(0, 1), (1, 2)], 1e7)
    first = [(0, 1)] * 3 + [(0,)] * 2 + [(1,)] * 2  # halves are the feature itself, but for a term more
    assert [part.features for part in every] == first + [(1, 2)] * 3 + [(2,)] * 2
    assert [len(part.cuts[0]) for part in every[:3]] == [1, 3, 7]
    room = sum(part.terms.size for part in every[: len(first)])
    assert [part.features for part in joint_parts(codings, [(0, 1), (1, 2)], room)] == first
    assert joint_parts(codings, [(0, 1)], 0) == []


def test_categories_join_as_they_are():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 3, (60, 2))
    parts = joint_parts(Codings.of(from_array(X), Rows.single(X[:, 0] % 2)), [(0, 1)], 1e7)
    assert [(part.features, part.terms.shape[1], part.price) for part in parts] == [
        ((0, 1), 9, 0),
        ((0,), 3, 0),
        ((1,), 3, 0),
    ]


def test_what_no_rank_says_of_one_feature_brings_no_other_along():
    rng = np.random.default_rng(0)
    X = rng.integers(1, 5, (400, 12))
    y = (X[:, 2] == X[:, 6]) | (X[:, 9] == 1)
    found = of_classes(X, y)
    assert found.subset == (2, 6, 9)


def test_a_part_that_is_better_alone_makes_no_sum():
    rng = np.random.default_rng(0)
    for seed in range(3):
        X = np.random.default_rng(seed).integers(0, 2, (300, 30))
        search = joined_search(X, (X[:, 3] ^ X[:, 8]) ^ (rng.random(300) < 0.2), [(3, 8)])
        assert search.best == ()
        assert search.lengths == {}
