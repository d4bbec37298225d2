"""Neighbors that are sought without a feature, against the same done naively, and the test that rests upon them."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.datasets import load_breast_cancer

from fewest import ReliefF, RReliefF
from fewest.budget import Budget, OutOfBudgetError
from fewest.relief import left_out
from fewest.relief.left_out import left_out_search
from fewest.relief.options import ReliefFOptions, RReliefFOptions
from fewest.relief.relevance import ChanceTest, EveryTest
from fewest.relief.relief import RunningRelevance
from fewest.relief.rows import ArrayRows, EncodedRows
from naive.relief import without_each

N_NOISE, ALPHA = 20, 0.05


@st.composite
def samples(draw):
    """Draw rows of numbers, texts and gaps, and two classes: too few rows for gaps to tell the class."""
    n_rows, n_features = draw(st.integers(3, 8)), draw(st.integers(1, 4))
    value = st.one_of(st.none(), st.integers(0, 3))
    columns = draw(
        st.lists(st.lists(value, min_size=n_rows, max_size=n_rows), min_size=n_features, max_size=n_features)
    )
    nominal = np.array(draw(st.lists(st.booleans(), min_size=n_features, max_size=n_features)))
    return columns, nominal, draw(st.lists(st.integers(0, 1), min_size=n_rows, max_size=n_rows))


@settings(max_examples=40)
@pytest.mark.parametrize("compiling", ["never", "always"])
@given(samples(), st.integers(1, 3))
def test_neighbors_without_each_feature_are_those_found_naively(compiling, sample, k):
    columns, nominal, classes = sample
    if len(set(classes)) < 2:
        return
    values = np.array(columns, dtype=np.float64).T
    exact = [
        [None if v is None else str(v) if is_text else Fraction(v) for v in column]
        for column, is_text in zip(columns, nominal, strict=True)
    ]
    options = ReliefFOptions(n_neighbors=k)
    search = left_out_search(
        EncodedRows(values, nominal), np.array(classes), None, RunningRelevance(options).factors, options
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FEWEST_COMPILE", compiling)
        search.refine(np.arange(len(values)), np.ones(len(values)), None, None)
    assert_allclose(search.found.scores, without_each(list(zip(*exact, strict=True)), classes, k), atol=1e-6)


def test_gaps_are_part_of_what_numpy_is_predicted_to_take():
    values, classes, options = np.random.default_rng(0).random((60, 8)), np.arange(60) % 2, ReliefFOptions()
    seconds = []
    for n_gaps in (0, 1, 8):
        values[0, :n_gaps] = np.nan
        source = EncodedRows(values, np.zeros(8, dtype=bool))
        seconds.append(left_out_search(source, classes, None, RunningRelevance(options).factors, options)._seconds(60))
    assert seconds[0] < seconds[1] < seconds[2]


@st.composite
def searches(draw):
    """Draw a search over more rows than are near: of numbers, nominal codes and gaps, weighed or not."""
    rng, n_rows = np.random.default_rng(draw(st.integers(0, 2**32))), draw(st.integers(4, 60))
    is_nominal = np.array(draw(st.lists(st.booleans(), min_size=1, max_size=6)))
    X = np.where(is_nominal, rng.integers(0, 3, (n_rows, len(is_nominal))), rng.normal(size=(n_rows, len(is_nominal))))
    if draw(st.booleans()):  # many ties
        X = np.round(X)
    if draw(st.booleans()):
        X[rng.random(X.shape) < 0.2] = np.nan
    weights = rng.choice([0.25, 1.0, 1.5, 3.0], n_rows) if draw(st.booleans()) else None
    options = {
        "n_neighbors": draw(st.integers(1, 12)),
        "metric": draw(st.sampled_from(["manhattan", "euclidean"])),
        "neighborhood": draw(st.sampled_from(["nearest", "multisurf"])),
    }
    if draw(st.booleans()):
        return EncodedRows(X, is_nominal), rng.normal(size=n_rows), weights, RReliefFOptions(**options)
    return (
        EncodedRows(X, is_nominal),
        rng.integers(0, draw(st.integers(2, 4)), n_rows),
        weights,
        ReliefFOptions(**options),
    )


@given(searches())
def test_numpy_and_compiled_code_add_up_the_same_bits(search):
    source, target, weights, options = search
    found = []
    for choice in ("never", "always"):
        sums = left_out_search(source, target, weights, RunningRelevance(options).factors, options)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("FEWEST_COMPILE", choice)
            sums.refine(np.arange(source.n_rows), np.linspace(0.1, 2, source.n_rows), None, None)
        found.append(sums.found)
    for name in ("scores", "by_chance"):
        np.testing.assert_array_equal(*(getattr(each, name) for each in found))


@pytest.mark.parametrize("kind", [ReliefF, RReliefF])
@pytest.mark.parametrize("options", [{}, {"neighborhood": "multisurf"}, {"metric": "euclidean"}])
def test_compiled_tests_are_those_of_numpy(kind, options, monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 5))
    X[:, 0], X[rng.random(X.shape) < 0.1] = X[:, 0] > 0, np.nan
    y, weights = np.arange(40) % 5 < 2, rng.integers(1, 3, 40)
    found = []
    for choice in ("never", "always"):
        monkeypatch.setenv("FEWEST_COMPILE", choice)
        found.append(kind(**options).fit(X, y, sample_weight=weights).pvalues_)
    assert_allclose(*found, atol=1e-5)


def beside_relevant(seed):
    """Return a table of 30 measurements, most of them relevant, with columns of noise."""
    X, y = load_breast_cancer(return_X_y=True)
    return np.hstack([X[:200], np.random.default_rng(seed).normal(size=(200, N_NOISE))]), y[:200]


def test_irrelevant_features_pass_no_more_often_beside_relevant_ones(monkeypatch):
    monkeypatch.setenv("FEWEST_COMPILE", "always")
    tested, by_targets = [], []
    for seed in range(4):
        X, y = beside_relevant(seed)
        tested.append(ReliefF().fit(X, y).pvalues_[-N_NOISE:] <= ALPHA)
        with monkeypatch.context() as patch:
            patch.setattr("fewest.relief.relief._left_out", lambda *_: None)
            by_targets.append(ReliefF().fit(X, y).pvalues_[-N_NOISE:] <= ALPHA)
    n = np.size(tested)
    most = ALPHA * n + 3 * np.sqrt(n * ALPHA * (1 - ALPHA))
    assert np.sum(tested) <= most < np.sum(by_targets)


def test_features_that_matter_together_pass_beside_others_and_their_copies():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 14))
    X[:, 12] = X[:, 0] + 0.1 * rng.normal(size=300)
    y = (X[:, 0] * X[:, 1] > 0) ^ (rng.random(300) < 0.05)
    found = ReliefF().fit(X, y)
    assert {0, 1, 12} <= set(found.get_support(indices=True).tolist())
    assert found.support_.sum() <= 4
    np.testing.assert_array_equal(found.support_, found.scores_ >= found.threshold_)


def test_a_value_that_most_of_a_rare_class_share_with_many_others_is_relevant():
    rng = np.random.default_rng(0)
    y = np.arange(600) % 8 == 0
    X = rng.normal(size=(600, 6))
    X[:, 2] = np.where(rng.random(600) < np.where(y, 0.95, 0.5), 0, rng.integers(1, 3, 600))
    relevant = ReliefF(categorical_features=[2]).fit(X, y).pvalues_ < ALPHA / 6
    assert relevant.tolist() == [False, False, True, False, False, False]


def test_a_feature_passes_all_tests_or_is_not_kept():
    scores, zeros = np.array([0.5, 0.5, 0.5]), np.zeros(3)
    one, other = ChanceTest(zeros, np.array([0.1, 0.1, 9.0]), 19.0), ChanceTest(zeros, np.array([0.1, 9.0, 0.1]), 19.0)
    both = EveryTest((one, other))
    np.testing.assert_array_equal(both.pvalues(scores) <= ALPHA, [True, False, False])
    np.testing.assert_array_equal(scores >= both.threshold(ALPHA), [True, False, False])


def test_where_time_is_over_the_rows_so_far_decide(monkeypatch):
    X, y = beside_relevant(0)
    options, budget = ReliefFOptions(), Budget()
    search = left_out_search(ArrayRows(X), y, None, RunningRelevance(options).factors, options)
    assert search.found is None

    def late(*_):
        raise OutOfBudgetError

    monkeypatch.setattr(budget, "check", late)
    with pytest.raises(OutOfBudgetError):
        search.refine(np.arange(200), np.ones(200), None, budget)
    some = left_out_search(ArrayRows(X), y, None, RunningRelevance(options).factors, options)
    some.refine(np.arange(left_out.TOGETHER), np.ones(left_out.TOGETHER), None, None)
    np.testing.assert_array_equal(search.found.scores, some.found.scores)


def test_of_very_many_comparisons_some_rows_serve_the_test(monkeypatch):
    X, y = beside_relevant(0)
    options = ReliefFOptions()
    monkeypatch.setattr(left_out, "MOST_COMPARISONS", 0)
    monkeypatch.setattr(left_out, "FEWEST_SAMPLED", 32)
    found = []
    for n_rows in (200, 32):
        search = left_out_search(ArrayRows(X), y, None, RunningRelevance(options).factors, options)
        search.refine(np.arange(n_rows), np.ones(n_rows), None, None)
        found.append(search.found.scores)
    np.testing.assert_array_equal(*found)
