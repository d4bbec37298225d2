"""How many irrelevant features are kept, where classes are as unequal as they like: an experiment that can fail."""

import numpy as np
import pytest

from fewest import Relief, ReliefF, RReliefF, scan
from fewest.budget import TIME_LIMIT, Budget, OutOfBudgetError
from fewest.exceptions import FewSelectedWarning, ParameterError
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


def n_kept(selector, kind, share):
    """Count the irrelevant features that are kept in all runs together."""
    kept = 0
    for seed in range(N_SEEDS):
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
        assert n_kept(selector(threshold="permutation", alpha=ALPHA, min_features_to_select=0), kind, share) <= most


def test_an_interval_does_not_where_classes_are_unequal():
    kept = n_kept(ReliefF(threshold="interval", alpha=ALPHA, min_features_to_select=0), "numeric", 0.1)
    assert kept > 0.5 * N_SEEDS * N_FEATURES


@pytest.mark.parametrize("kind", [ReliefF, RReliefF])
def test_permutations_still_find_features_that_matter_together(kind):
    X = np.random.default_rng(0).normal(size=(400, 12))
    y = X[:, 3] * X[:, 7] > 0.7
    assert 0.1 < y.mean() < 0.25
    found = kind(threshold="permutation", alpha=0.001).fit(X, y if kind is ReliefF else np.abs(X[:, 3] - X[:, 7]))
    assert {3, 7} <= set(found.get_support(indices=True).tolist())
    assert found.support_.sum() <= 3


def test_one_answer_in_memory_is_all_that_permutations_give(tmp_path):
    X, y = np.random.default_rng(0).normal(size=(60, 3)), np.arange(60) % 2
    selector = ReliefF(threshold="permutation", min_features_to_select=0).fit(X, y)
    with pytest.raises(ParameterError, match="neither rows in blocks nor a second batch"):
        selector.partial_fit(X, y)
    path = tmp_path / "data.csv"
    path.write_text("a,y\n" + "".join(f"{a},{b}\n" for a, b in zip(X[:, 0], "np" * 30, strict=True)))
    with pytest.raises(ParameterError, match="neither rows in blocks"):
        selector.fit(scan(path, target="y"))


def test_without_time_for_permutations_nothing_is_relevant(monkeypatch):
    from fewest.relief import relief

    def late(*_):
        raise OutOfBudgetError

    monkeypatch.setattr(relief, "_by_chance", late)
    X, y = np.random.default_rng(0).normal(size=(60, 3)), np.arange(60) % 2
    options = ReliefFOptions(threshold="permutation", min_features_to_select=0)
    ranking = rank_features(ArrayRows(X), y, options, budget=Budget())
    assert (ranking.stopped_by, ranking.support.any()) == (TIME_LIMIT, False)
    assert options.n_permutations == N_PERMUTATIONS > ReliefFOptions().n_permutations == 0
    monkeypatch.setattr(relief, "_by_chance", lambda *_: np.full((20, 3), 1.0))
    with pytest.warns(FewSelectedWarning):
        ReliefF(threshold="permutation").fit(X, y)
