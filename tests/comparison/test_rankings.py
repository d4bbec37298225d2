import numpy as np
import pytest
from sklearn.metrics import mutual_info_score

from fewest.budget import Budget
from fewest.comparison import rankings
from fewest.comparison.metrics import R2, Task
from fewest.comparison.selectors import shadow_selection
from fewest.comparison.training import N_BINS, Problem, Training
from fewest.table import from_array, from_frame
from fewest.table.discretize import quantile_cuts

RANKINGS = {
    "univariate": rankings.univariate,
    "information": rankings.information,
    "mrmr": rankings.mrmr,
    "l1": rankings.l1,
    "forest": rankings.forest,
    "rfe": rankings.elimination,
}


@pytest.fixture(scope="module")
def planted():
    """Make a table whose second and fifth column decide, the fifth less; the third copies the second, nearly."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 8))
    X[:, 2] = X[:, 1] + 0.3 * rng.normal(size=300)
    return X, X[:, 1] + 0.7 * X[:, 4] + 0.3 * rng.normal(size=300)


@pytest.mark.parametrize("name", RANKINGS)
@pytest.mark.parametrize("kind", ["two classes", "three classes", "rare class", "numbers"])
def test_what_was_planted_comes_first(name, kind, planted):
    X, value = planted
    if kind == "numbers":
        training = Training(from_array(X), value, problem=Problem(Task(0), R2))
    else:
        cuts = {"two classes": [50], "three classes": [33, 67], "rare class": [92]}[kind]
        training = Training(from_array(X), np.searchsorted(np.percentile(value, cuts), value))
    order = np.asarray(RANKINGS[name](training))
    assert sorted(order.tolist()) == list(range(8))
    assert 4 in order[:3]
    assert order[0] in (1, 2, 4)
    assert {1, 2} & set(order[:2].tolist())  # a near-copy is as good as what it copies


def test_what_repeats_another_waits_in_mrmr(planted):
    X, value = planted
    training = Training(from_array(X), (value > 0).astype(np.int64))
    assert rankings.univariate(training)[:3].tolist() == [1, 2, 4]
    assert rankings.mrmr(training)[:2].tolist() == [1, 4]
    assert rankings.l1(training)[:2].tolist() == [1, 4]


@pytest.mark.parametrize("cuts", [[50], [33, 67]])
def test_the_lasso_ranks_where_least_angles_fail(cuts, planted, monkeypatch):
    def fails(X, y, **options):
        raise ValueError("shapes (364,29) and (28,) not aligned: 29 (dim 1) != 28 (dim 0)")

    X, value = planted
    training = Training(from_array(X), np.searchsorted(np.percentile(value, cuts), value))
    usual = rankings.l1(training)
    monkeypatch.setattr("sklearn.linear_model.lars_path", fails)
    assert rankings.l1(training)[:2].tolist() == usual[:2].tolist() == [1, 4]
    assert sorted(rankings.l1(training).tolist()) == list(range(8))


@pytest.mark.parametrize("name", RANKINGS)
def test_the_indicators_of_a_category_rise_and_fall_together(name):
    import pandas

    rng = np.random.default_rng(1)
    city = rng.choice(["a", "b", "c", "d"], 200)
    frame = pandas.DataFrame({"x": rng.normal(size=200), "city": city, "z": rng.normal(size=200)})
    training = Training(from_frame(frame), np.isin(city, ["a", "b"]).astype(np.int64))
    order = np.asarray(RANKINGS[name](training))
    assert sorted(order.tolist()) == [0, 1, 2]
    assert order[0] == 1


def test_mutual_information_is_that_of_scikit_learn_less_what_chance_finds():
    rng = np.random.default_rng(0)
    codes, b = rng.integers(0, 4, (500, 3)), rng.integers(0, 3, 500)
    codes[:, 2] = 2 * (b > 0)  # with a value that does not occur
    expected = [mutual_info_score(a, b) - n_free / 1000 for a, n_free in zip(codes.T, (6, 6, 2), strict=True)]
    assert rankings.mutual_information(codes, b) == pytest.approx(expected)


def test_bins_are_the_quantile_intervals_of_every_column_by_itself():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=40), rng.integers(0, 3, 40), np.zeros(40), rng.integers(0, 9, 40)]).astype(
        float
    )
    X[:, 3] = np.where(X[:, 3] > 5, 5, X[:, 3])  # many rows have the largest value
    X[rng.random(X.shape) < 0.1] = np.nan
    bins = Training(from_array(X), np.arange(40) % 2).bins
    for values, found in zip(X.T, bins.T, strict=True):
        known = ~np.isnan(values)
        wanted = np.searchsorted(quantile_cuts(values[known], N_BINS), values[known])
        pairs = set(zip(found[known].tolist(), wanted.tolist(), strict=True))
        assert len(pairs) == len(set(wanted.tolist())) == len(set(found[known].tolist()))
        assert not set(found[~known].tolist()) & set(found[known].tolist())


def test_only_what_beats_shuffled_copies_is_confirmed(planted):
    X, value = planted
    training = Training(from_array(X), (value > 0).astype(np.int64))
    found = shadow_selection(training, Budget())
    assert {1, 4} <= set(found) <= {1, 2, 4}
    noise = Training(from_array(X), np.random.default_rng(5).integers(0, 2, 300))
    assert shadow_selection(noise, Budget()) == []


def test_shuffled_copies_see_interactions():
    X = np.random.default_rng(2).integers(0, 2, (400, 6))
    assert shadow_selection(Training(from_array(X), X[:, 1] ^ X[:, 4]), Budget()) == [1, 4]
