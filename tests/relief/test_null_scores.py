"""What chance alone would give a feature, and the relevance beyond it."""

import warnings

import numpy as np
import pandas as pd
import pytest

from fewest import ReliefF, RReliefF, make_report
from fewest.plot import plot_relevance
from fewest.relief.options import ReliefFOptions
from fewest.relief.relevance import Relevance, relevance_records


@pytest.fixture(scope="module")
def rare():
    """Noise of few values and a driver that is a measurement, with 4% positives."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [480, 20])
    columns = {f"noise{j}": pd.Categorical(rng.choice(list("abc"), 500)) for j in range(4)}
    return pd.DataFrame({**columns, "driver": rng.normal(size=500) + 2.5 * y}), pd.Series(y, name="y")


@pytest.fixture(scope="module")
def fitted(rare):
    return ReliefF(random_state=0).fit(*rare)


def test_the_driver_is_first_beyond_chance_though_noise_scores_more(rare, fitted):
    driver = rare[0].columns.get_loc("driver")
    noise = np.delete(np.arange(5), driver)
    assert (fitted.scores_[noise] > fitted.scores_[driver]).any()
    beyond = fitted.scores_ - fitted.null_scores_
    assert beyond.argmax() == driver
    assert np.abs(beyond[noise]).max() < fitted.null_scores_[noise].min() / 2


def test_bars_begin_at_chance_with_the_kept_on_top(fitted):
    ax = plot_relevance(fitted)
    assert ax.get_yticklabels()[0].get_text() == "driver"
    assert ax.patches[0].get_width() == pytest.approx((fitted.scores_ - fitted.null_scores_).max())
    assert "beyond chance" in ax.get_xlabel()


def test_the_page_draws_beyond_chance_and_names_both_numbers(rare, fitted):
    report = make_report(fitted, *rare)
    section = next(each for each in report.page["sections"] if each["kind"] == "relevance")
    assert section["records"][0]["feature"] == "driver"
    for record in section["records"]:
        assert record["beyond"] == pytest.approx(record["relevance"] - record["by_chance"])
        assert section["scale"]["low"] <= record["beyond"] <= section["scale"]["high"]
    assert " by chance, p " in report._repr_html_()


def test_without_permutations_there_is_none(rare):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for selector in (ReliefF(n_features_to_select=1), ReliefF(threshold="interval"), ReliefF(threshold=0.1)):
            assert selector.set_params(random_state=0).fit(*rare).null_scores_ is None


def test_a_regression_has_it_too():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 4))
    fitted = RReliefF(random_state=0).fit(X, X[:, 2])
    assert (fitted.scores_ - fitted.null_scores_).argmax() == 2


def test_by_hand_it_is_the_mean_over_the_permutations():
    by_chance = np.array([[0.1, 0.3], [0.3, 0.5]])
    found = Relevance(np.array([0.6, 0.5]), np.full(2, 0.1), 10, 10, by_chance)
    np.testing.assert_allclose(found.null_scores(ReliefFOptions()), [0.2, 0.4])
    pooled = found.null_scores(ReliefFOptions(step=0.5))
    np.testing.assert_allclose(pooled, [0.3, 0.3])


def test_records_are_by_relevance_beyond_chance_the_kept_first():
    scores, chance = np.array([0.5, 0.4, 0.3]), np.array([0.5, 0.1, 0.2])
    records = relevance_records("abc", scores, scores, np.array([False, False, True]), None, chance)
    assert [record["feature"] for record in records] == ["c", "b", "a"]
    records = relevance_records("abc", scores, scores, np.array([False, False, True]))
    assert [record["feature"] for record in records] == ["c", "a", "b"]


def test_what_is_kept_because_something_must_be_is_the_best_beyond_chance():
    by_chance = np.array([[0.1, 0.5], [0.3, 0.7], [0.2, 0.6]])
    found = Relevance(np.array([0.25, 0.6]), np.full(2, 0.1), 10, 10, by_chance)
    assert found.order.tolist() == [1, 0]
    assert found.support(ReliefFOptions(min_features_to_select=1)).tolist() == [True, False]
