"""How many irrelevant features are kept, where classes are as unequal as they like: an experiment that can fail."""

import warnings

import numpy as np
import pytest

from fewest import Relief, ReliefF, RReliefF, scan
from fewest.budget import TIME_LIMIT, Budget, OutOfBudgetError
from fewest.exceptions import FewSelectedWarning, IntervalWarning
from fewest.relief.matrix_space import MatrixSpace
from fewest.relief.options import N_PERMUTATIONS, ReliefFOptions
from fewest.relief.relief import rank_features
from fewest.relief.rows import ArrayRows

N_ROWS, N_FEATURES, N_SEEDS, ALPHA = 150, 20, 8, 0.05


def noise(kind, rng):
    X = rng.normal(size=(N_ROWS, N_FEATURES))
    if kind == "boolean":
        return (X > 0.5).astype(float)
    if kind == "mixed with gaps":
        X[:, ::2] = X[:, ::2] > 0
        X[rng.random(X.shape) < 0.1] = np.nan
    return X


def n_kept(selector, kind, share, seeds=range(N_SEEDS)):
    """Count the irrelevant features that are kept in all runs together."""
    kept = 0
    for seed in seeds:
        rng = np.random.default_rng(seed)
        y = np.arange(N_ROWS) < share * N_ROWS
        kept += int(selector.set_params(random_state=seed).fit(noise(kind, rng), y).support_.sum())
    return kept


@pytest.fixture(autouse=True)
def _compile(monkeypatch):
    monkeypatch.setenv("FEWEST_COMPILE", "always")


@pytest.mark.parametrize(
    ("kind", "share"),
    [("numeric", 0.5), ("numeric", 0.1), ("numeric", 0.04), ("boolean", 0.1), ("mixed with gaps", 0.1)],
)
def test_permutations_keep_the_level_at_every_share_of_the_classes(kind, share):
    n = N_SEEDS * N_FEATURES
    most = ALPHA * n + 3 * np.sqrt(n * ALPHA * (1 - ALPHA))
    for selector in (ReliefF, Relief):
        assert n_kept(selector(alpha=ALPHA, correction=None, min_features_to_select=0), kind, share) <= most


def test_an_interval_does_not_where_classes_are_unequal():
    kept = n_kept(ReliefF(threshold="interval", correction=None, min_features_to_select=0), "numeric", 0.1)
    assert kept > 0.5 * N_SEEDS * N_FEATURES


@pytest.mark.parametrize("kind", [ReliefF, RReliefF])
def test_permutations_still_find_features_that_matter_together(kind):
    X = np.random.default_rng(0).normal(size=(400, 12))
    y = X[:, 3] * X[:, 7] > 0.7
    assert 0.1 < y.mean() < 0.25
    found = kind().fit(X, y if kind is ReliefF else np.abs(X[:, 3] - X[:, 7]))
    assert {3, 7} <= set(found.get_support(indices=True).tolist())
    assert found.support_.sum() <= 3


@pytest.mark.parametrize("share", [0.5, 0.1])
def test_nothing_is_kept_of_noise_by_default(share):
    kept = [
        n_kept(ReliefF(min_features_to_select=0, random_state=seed), "numeric", share, [seed]) for seed in range(20)
    ]
    assert sum(n > 0 for n in kept) <= 3


def test_p_values_decide_with_the_correction_that_is_asked_for():
    X = np.random.default_rng(0).normal(size=(150, 20))
    y = X[:, 3] + 0.5 * X[:, 7] > 0.5
    each, share, any_ = (ReliefF(correction=c).fit(X, y) for c in (None, "fdr", "bonferroni"))
    for selector in (each, share, any_):
        np.testing.assert_array_equal(selector.support_, selector.scores_ >= selector.threshold_)
        np.testing.assert_array_equal(selector.pvalues_, each.pvalues_)
    np.testing.assert_array_equal(each.support_, each.pvalues_ <= 0.05)
    np.testing.assert_array_equal(any_.support_, each.pvalues_ <= 0.05 / 20)
    ordered = np.sort(each.pvalues_)
    n_kept_of_all = int(np.flatnonzero(ordered <= 0.05 * np.arange(1, 21) / 20)[-1]) + 1
    assert share.support_.sum() == n_kept_of_all
    assert share.support_[3]
    assert ReliefF(n_features_to_select=1).fit(X, y).pvalues_ is None
    assert ReliefF(threshold=0.1).fit(X, y).pvalues_ is None


@pytest.mark.parametrize("kind", [ReliefF, Relief])
@pytest.mark.parametrize("data", ["numeric", "boolean"])
def test_compiled_permutations_are_those_of_numpy(kind, data, monkeypatch):
    X, y = noise(data, np.random.default_rng(0))[:60, :6], np.arange(60) % 5 < 2
    found = []
    for choice in ("never", "always"):
        monkeypatch.setenv("FEWEST_COMPILE", choice)
        found.append(kind(random_state=0).fit(X, y).threshold_)
    np.testing.assert_allclose(*found, atol=1e-5)


def test_equal_permutations_by_the_quick_way_and_one_after_the_other(monkeypatch):
    from fewest.relief.relief import RunningRelevance

    X, y = noise("numeric", np.random.default_rng(0))[:60, :6], np.arange(60) % 5 < 2
    options = ReliefFOptions(max_samples=None)
    quick = rank_features(ArrayRows(X), y.astype(int), options)
    monkeypatch.setattr(RunningRelevance, "_chance", lambda *_: None)
    slow = rank_features(ArrayRows(X), y.astype(int), options)
    # Each permutes rows in another order, so that the permutations are others, and what follows nearly the same.
    np.testing.assert_allclose(quick.threshold, slow.threshold, atol=0.03)


def test_intervals_take_over_where_the_target_cannot_be_permuted(tmp_path):
    X, y = np.random.default_rng(0).normal(size=(60, 3)), np.arange(60) % 5 == 0
    selector = ReliefF(min_features_to_select=0).fit(X, y)
    with pytest.warns(IntervalWarning, match="partial_fit cannot be ranked by permuted targets"):
        selector.partial_fit(X, y)
    interval = ReliefF(threshold="interval", min_features_to_select=0).fit(X, y).partial_fit(X, y)
    np.testing.assert_array_equal(selector.threshold_, interval.threshold_)
    path = tmp_path / "data.csv"
    path.write_text("a,y\n" + "".join(f"{a},{b}\n" for a, b in zip(X[:, 0], "nnnnp" * 12, strict=True)))
    with pytest.warns(IntervalWarning, match="Rows in blocks"):
        selector.fit(scan(path, target="y"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ReliefF(min_features_to_select=0).fit(X, np.arange(60) % 2).partial_fit(X, np.arange(60) % 2)


def test_without_time_for_all_rows_chance_rests_upon_the_same(monkeypatch):
    def late(*_):
        raise OutOfBudgetError

    X, y = np.random.default_rng(0).normal(size=(60, 3)), np.arange(60) % 2
    budget = Budget()
    monkeypatch.setattr(budget, "check", late)
    monkeypatch.setattr(MatrixSpace, "size_of_batches", staticmethod(lambda *_: 8))
    ranking = rank_features(ArrayRows(X), y, ReliefFOptions(min_features_to_select=0), budget=budget)
    assert (ranking.stopped_by, ranking.n_sampled) == (TIME_LIMIT, 8)
    assert np.isfinite(ranking.threshold).all()
    assert (
        ReliefFOptions().n_permutations == N_PERMUTATIONS > ReliefFOptions(n_features_to_select=1).n_permutations == 0
    )


def test_with_one_class_nothing_is_relevant():
    X = np.random.default_rng(0).normal(size=(30, 3))
    with pytest.warns(FewSelectedWarning):
        assert (ReliefF().fit(X, np.zeros(30)).pvalues_ == 1).all()


def test_being_missing_is_relevant_where_it_goes_with_the_class():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(120, 6)), np.arange(120) % 4 == 0
    X[~y, 2] = np.nan  # filled for one class only
    X[rng.random(120) < 0.3, 4] = np.nan
    selector = ReliefF().fit(X, y)
    assert selector.get_support(indices=True).tolist() == [2]
    assert selector.scores_[2] > 0.5
    assert abs(ReliefF(missing="class", n_features_to_select=1).fit(X, y).scores_[2]) < 0.1
