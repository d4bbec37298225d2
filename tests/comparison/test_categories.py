"""Columns of many categories must not win by chance."""

import numpy as np
import pandas as pd
import pytest

from fewest.budget import Budget
from fewest.comparison.categories import OTHERS, without_rare_categories
from fewest.comparison.metrics import Task
from fewest.comparison.rankings import univariate_scores
from fewest.comparison.selectors import SELECTORS
from fewest.comparison.training import Training
from fewest.table import from_frame


@pytest.fixture(scope="module")
def shops():
    """Two rare positives in a hundred, of which the calls know something and the city nothing."""
    rng = np.random.default_rng(0)
    calls = rng.poisson(2, 1200)
    chance = 0.02 * np.exp(0.6 * (calls - 2.5))
    frame = pd.DataFrame({"calls": calls.astype(float), "city": [f"city {k}" for k in rng.integers(0, 300, 1200)]})
    return from_frame(frame), (rng.random(1200) < chance).astype(np.int64)


def test_rare_categories_share_a_value_and_missing_ones_stay_missing():
    city = ["Rome"] * 200 + ["Oslo"] * 30 + [None] + [f"village {k}" for k in range(69)]
    table = from_frame(pd.DataFrame({"city": city, "kind": ["a", "b", "c"] * 100}))
    target = (np.arange(300) % 2).astype(np.int64)
    found = without_rare_categories(table, target, Task(2))
    assert found.columns[0].labels == ("Oslo", "Rome", OTHERS)
    assert found.columns[0].to_list()[199:202] == ["Rome", "Oslo", "Oslo"]
    assert found.columns[0].to_list()[230:232] == [None, OTHERS]
    assert found.columns[1] is table.columns[1]
    rare = (np.arange(300) % 100 == 0).astype(np.int64)  # of 30 rows a third of one is positive by chance
    assert without_rare_categories(table, rare, Task(2)).columns[0].labels == ("Rome", OTHERS)


def test_few_categories_stay_as_they_are():
    table = from_frame(pd.DataFrame({"kind": ["a", "b", "c"] * 10}))
    assert without_rare_categories(table, np.arange(30) % 2, Task(2)) is table


@pytest.mark.parametrize("method", ["tolerant", "univariate", "information", "mrmr", "l1"])
def test_a_city_does_not_win_by_chance(shops, method):
    table, target = shops
    training = Training(without_rare_categories(table, target, Task.of(target, 2)), target)
    mask, _ = SELECTORS[method].timed(training, Budget())
    assert mask.tolist() == [True, False]


def test_the_largest_of_many_indicators_is_not_taken_at_its_word():
    """Forty categories of noise against one column of noise: the many do not win more often."""
    wins = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        frame = pd.DataFrame({"x": rng.normal(size=400), "kind": [f"k{k}" for k in rng.integers(0, 40, 400)]})
        scores = univariate_scores(Training(from_frame(frame), rng.integers(0, 2, 400)))
        wins += scores[1] > scores[0]
    assert wins <= 15
