"""Iterated Relief and MultiSURF's neighborhood, against what their papers say, done naively."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from fewest import ReliefF, RReliefF
from fewest.datasets import make_parity
from fewest.exceptions import ParameterError
from fewest.kernels import compile_or_not
from fewest.relief.options import N_PERMUTATIONS
from naive.relief import multisurf


def parity(n_rows, n_features, seed=0):
    X = np.random.default_rng(seed).integers(0, 2, (n_rows, n_features))
    return X, X[:, 1] ^ X[:, 4]


@st.composite
def samples(draw):
    n_rows, n_features = draw(st.integers(2, 9)), draw(st.integers(1, 4))
    rows = draw(
        st.lists(
            st.lists(st.integers(0, 4), min_size=n_features, max_size=n_features), min_size=n_rows, max_size=n_rows
        )
    )
    return np.array(rows), np.array(draw(st.lists(st.integers(0, 2), min_size=n_rows, max_size=n_rows)))


@settings(max_examples=60)
@given(samples(), st.sampled_from(["manhattan", "euclidean"]), st.booleans())
def test_multisurf_is_what_its_paper_says(sample, metric, is_boolean):
    X, y = sample
    if is_boolean:
        X = X % 2
    found = ReliefF(neighborhood="multisurf", threshold=0.0, min_features_to_select=0, metric=metric).fit(X, y)
    assert_allclose(found.scores_, multisurf(X, y, power=1 if metric == "manhattan" else 2), atol=1e-5)


@pytest.mark.parametrize("compile_or_not", ["never", "always"])
def test_multisurf_is_the_same_with_and_without_a_compiler(compile_or_not, monkeypatch):
    monkeypatch.setenv("FEWEST_COMPILE", compile_or_not)
    X = np.random.default_rng(0).normal(size=(60, 5))
    y = (X[:, 0] * X[:, 3] > 0).astype(int)
    found = ReliefF(neighborhood="multisurf").fit(X, y)
    assert_allclose(found.scores_, multisurf(X, y), atol=1e-5)
    assert set(found.selection_order_[:2].tolist()) == {0, 3}


def test_a_row_of_weight_two_is_two_rows_to_multisurf():
    X, y = parity(30, 6)
    weights = np.ones(30)
    weights[:5] = 2
    twice = ReliefF(neighborhood="multisurf", threshold=0.0).fit(np.vstack([X, X[:5]]), np.append(y, y[:5]))
    weighted = ReliefF(neighborhood="multisurf", threshold=0.0).fit(X, y, sample_weight=weights)
    assert_allclose(weighted.scores_, twice.scores_, atol=1e-5)


def naive_rounds(X, y, step, n_left):
    """The features in each round of TuRF, the last round last."""
    left, rounds = list(range(X.shape[1])), []
    while True:
        scores = ReliefF(threshold=0.0, min_features_to_select=0).fit(X[:, left], y).scores_
        rounds.append((left, scores))
        n_dropped = min(max(1, int(step * len(left))), len(left) - n_left)
        if n_dropped <= 0:
            return rounds
        best = sorted(range(len(left)), key=lambda k: (-scores[k], k))[: len(left) - n_dropped]
        left = sorted(left[k] for k in best)


@pytest.mark.parametrize(("step", "n_left"), [(0.5, 2), (0.2, 3), (0.01, 4)])
def test_iterated_scores_are_those_of_the_last_round_that_a_feature_sees(step, n_left):
    X, y = parity(80, 12)
    found = ReliefF(step=step, n_features_to_select=n_left).fit(X, y)
    rounds = naive_rounds(X, y, step, n_left)
    kept, scores = rounds[-1]
    assert np.flatnonzero(found.support_).tolist() == kept
    assert_allclose(found.scores_[kept], scores, atol=1e-6)
    # Who is dropped earlier does not score above who stays.
    for (before, _), (after, _) in pairwise(rounds):
        dropped = sorted(set(before) - set(after))
        assert found.scores_[dropped].max() < found.scores_[after].min()


def test_among_many_irrelevant_features_rounds_find_what_one_round_does_not():
    problems = [parity(150, 500, seed) for seed in range(4)]

    def n_found(**options):
        return sum(ReliefF(n_features_to_select=2, **options).fit(X, y).support_[[1, 4]].all() for X, y in problems)

    assert n_found(step=0.3) > n_found() + 1


def test_the_test_of_iterated_scores_keeps_what_matters_and_no_noise():
    X, y = parity(120, 30)
    found = ReliefF(step=0.3).fit(X, y)
    assert np.flatnonzero(found.support_).tolist() == [1, 4]
    assert found.pvalues_[[1, 4]].max() < 0.01
    noise = ReliefF(step=0.3, min_features_to_select=0).fit(X, np.random.default_rng(5).permutation(y))
    assert noise.support_.sum() == 0


def test_a_regression_can_be_iterated_and_have_that_neighborhood():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(120, 40))
    y = X[:, 7] + 0.1 * rng.normal(size=120)
    for options in ({"step": 0.3}, {"neighborhood": "multisurf"}):
        found = RReliefF(**options).fit(X, y)
        assert found.selection_order_[0] == 7
        assert found.support_[7]


def test_auto_iterates_where_one_round_finds_nothing():
    X, y, relevant = make_parity(200, relevant=3, irrelevant=77, random_state=0)
    options = {"min_features_to_select": 0, "random_state": 0}
    assert not ReliefF(**options).fit(X, y).support_.any()
    found = ReliefF(step="auto", **options).fit(X, y)
    assert np.flatnonzero(found.support_).tolist() == list(relevant)
    iterated = ReliefF(step=0.1, **options).fit(X, y)
    assert_allclose(found.scores_, iterated.scores_)
    assert_allclose(found.pvalues_, iterated.pvalues_)


@pytest.mark.parametrize(("step", "times"), [(None, {None}), (0.5, {1 + N_PERMUTATIONS})])
def test_iterated_rankings_by_permuted_targets_are_repetitions(step, times, monkeypatch):
    """What decides whether to load machine code: a round is short, and there are hundreds of them."""
    seen = []
    monkeypatch.setattr("fewest.relief.space.compiles", lambda *_: seen.append(compile_or_not._TIMES.get()))
    X, y = parity(40, 30)
    ReliefF(step=step).fit(X, y)
    assert set(seen) == times
    assert len(seen) > 1 or step is None


def test_auto_is_one_round_at_half_the_level_where_that_finds_something():
    X = np.random.default_rng(0).normal(size=(150, 12))
    y = (X[:, 3] > 0).astype(int)
    found = ReliefF(step="auto").fit(X, y)
    plain = ReliefF(alpha=0.025).fit(X, y)
    assert found.support_[3]
    assert found.support_.tolist() == plain.support_.tolist()
    assert_allclose(found.scores_, plain.scores_)
    assert_allclose(found.threshold_, plain.threshold_)
    assert [step["n_sampled"] for step in found.history_] == [step["n_sampled"] for step in plain.history_]


def test_auto_keeps_no_noise():
    rng = np.random.default_rng(0)
    kept = [
        ReliefF(step="auto", min_features_to_select=0).fit(rng.normal(size=(80, 15)), np.arange(80) < n).support_.sum()
        for n in (8, 24, 40)
        for _ in range(3)
    ]
    assert kept == [0] * 9


def test_auto_iterates_if_the_number_is_given():
    X, y = parity(150, 300)
    found = ReliefF(step="auto", n_features_to_select=2).fit(X, y)
    assert_allclose(found.scores_, ReliefF(step=0.1, n_features_to_select=2).fit(X, y).scores_)


def test_what_cannot_be_is_refused():
    X, y = parity(20, 5)
    for step in (0, 1, -0.1, "half"):
        with pytest.raises(ParameterError, match="no share of the features"):
            ReliefF(step=step).fit(X, y)
    with pytest.raises(ParameterError, match="leave threshold at 'permutation'"):
        ReliefF(step="auto", threshold="interval").fit(X, y)
    with pytest.raises(ParameterError, match="Call fit instead"):
        ReliefF(step="auto").partial_fit(X, y).partial_fit(X, y)
    with pytest.raises(ParameterError, match="neighborhood"):
        ReliefF(neighborhood="near").fit(X, y)
    with pytest.raises(ParameterError, match="Call fit instead"):
        ReliefF(step=0.5).partial_fit(X, y).partial_fit(X, y)
