import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import naive
from fewest.budget import Budget
from fewest.cover.additive import SPREAD_OF_CONSTANT, AdditiveSearch, Terms, fitted, terms_of
from fewest.cover.codings import Codings
from fewest.cover.describe import additive_search, describe_classes
from fewest.cover.kernels.description import UNIT
from fewest.cover.options import MinDescriptionOptions
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
    terms = [terms_of(Column("x", Kind.NUMERIC, values)) for values in (x, np.exp(x))]
    assert terms[0] == pytest.approx(terms[1])
    assert terms[0].shape == (50, 2)  # and whether it is missing
    assert terms[0].mean(axis=0) == pytest.approx(0)
    assert terms[0].std(axis=0) == pytest.approx(1)


def test_categories_have_indicators_and_many_of_them_none():
    few = Column("few", Kind.NOMINAL, np.array([0, 1, 2, 0, -1] * 4, dtype=np.int8), tuple("abc"))
    assert terms_of(few).shape == (20, 3)
    many = Column("many", Kind.NOMINAL, np.arange(20, dtype=np.int8), tuple(map(str, range(20))))
    assert terms_of(many) is None
    constant = Column("constant", Kind.NUMERIC, np.ones(20))
    assert terms_of(constant).shape == (20, 0)


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


def test_the_scores_of_selected_features_are_differences_of_lengths():
    X, y = linear(n_features=8)
    classes = y.astype(np.int64)
    search = additive_search(Codings.of(from_array(X), classes), classes, Budget())
    search.run()
    scores = search.scores()
    for j in search.best:
        without = tuple(k for k in search.best if k != j)
        lengths = [search.length(without, spread) for spread in (1.0, 4.0)]
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
    search = AdditiveSearch(terms, np.array(classes), names, np.full(len(rows[0]), UNIT))
    search.run()
    assert all(length >= search.least_length for length in search.lengths.values())
