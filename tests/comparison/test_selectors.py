from dataclasses import replace

import numpy as np
import pytest

from fewest.budget import Budget, OutOfBudgetError
from fewest.comparison import selectors
from fewest.comparison.curves import curve_of, numbers_to_try
from fewest.comparison.metrics import ACCURACY
from fewest.comparison.selectors import SELECTORS, usual_methods
from fewest.comparison.training import Problem, Training
from fewest.cover.min_features import MinFeaturesSearch
from fewest.table import from_array
from fewest.table.discretize import has_many_values, in_intervals, quantile_cuts


def training_on(X, y):
    return Training(from_array(X), np.asarray(y, dtype=np.int64))


def test_the_smallest_number_that_predicts_best_is_found():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (400, 12)).astype(float)
    training = training_on(X, X[:, 0] != X[:, 1])
    curve = curve_of(training, lambda part: np.arange(12))
    assert curve.chosen == 2
    assert curve.scores[curve.numbers.index(2)] == pytest.approx(1.0)
    assert curve_of(training, lambda part: np.r_[5, 6, 7, 0, 1, 2:5, 8:12]).chosen == 5


def test_a_number_within_one_standard_error_of_the_best_will_do():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 10))
    y = X[:, 0] + 0.1 * X[:, 1] + 0.3 * rng.normal(size=300) > 0
    curve = curve_of(training_on(X, y), lambda part: np.arange(10))
    assert curve.chosen == 1
    assert 0.005 < max(curve.scores) - curve.scores[0] < 0.011


def test_the_ranking_never_sees_the_rows_that_judge_it():
    rng = np.random.default_rng(0)
    X = np.column_stack([np.arange(60), rng.normal(size=(60, 3))])
    seen = []

    def rank(part):
        seen.append(part.table.columns[0].values.tolist())
        return np.arange(4)

    assert curve_of(training_on(X, rng.integers(0, 2, 60)), rank).chosen in (1, 2, 3, 4)
    assert [len(rows) for rows in seen] == [40, 40, 40]
    assert sorted(row for rows in seen for row in rows) == sorted(list(range(60)) * 2)  # each is left out once


def test_few_features_are_all_tried():
    assert numbers_to_try(1) == [1]
    assert numbers_to_try(7) == [1, 2, 3, 4, 5, 6, 7]
    assert numbers_to_try(2000)[-1] == 100
    assert curve_of(training_on(np.eye(9)[:, :1], [1] + [0] * 8), lambda part: np.array([0])).chosen == 1


def test_only_numbers_of_many_values_are_cut():
    X = np.column_stack([np.arange(40) % 4, np.arange(40) + 0.5])
    table = from_array(X)
    assert [has_many_values(column) for column in table] == [False, True]
    cut = in_intervals(table, (np.arange(40) > 25).astype(np.int64))
    assert cut.columns[0] is table.columns[0]
    assert cut.columns[1].labels == ("<= 26", "> 26")


def test_where_the_classes_suggest_no_cut_quarters_of_the_rows_do():
    """Exclusive-or of two signs: each column alone says nothing, and still the two together must."""
    X = np.random.default_rng(0).normal(size=(200, 2))
    cut = in_intervals(from_array(X), ((X[:, 0] > 0) ^ (X[:, 1] > 0)).astype(np.int64))
    assert [len(column.labels) for column in cut] == [4, 4]
    assert np.bincount(cut.columns[0].values).tolist() == [50, 50, 50, 50]


def test_quantile_cuts_lie_between_values():
    assert quantile_cuts(np.array([1.0, 2, 3, 4]), 2).tolist() == [2.5]
    assert quantile_cuts(np.array([0.0] * 90 + [1.0] * 10), 4).tolist() == [0.5]
    assert quantile_cuts(np.zeros(5), 4).tolist() == []


def test_the_wrapper_tries_the_most_promising_of_many_features(monkeypatch):
    monkeypatch.setattr("fewest.comparison.selectors.MOST_TRIED", 3)
    X = np.random.default_rng(0).normal(size=(120, 9))
    mask, _ = SELECTORS["ordered-fs"].timed(training_on(X, X[:, 7] > 0), Budget())
    assert 7 in np.flatnonzero(mask)
    assert mask.sum() <= 3


def test_the_shortest_description_sees_what_matters_only_together():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 2, (200, 6)), rng.normal(size=(200, 6))])
    y = (X[:, 2] > 0) ^ (X[:, 8] > 0) ^ (rng.random(200) < 0.05)
    assert SELECTORS["min-description"].choose(training_on(X, y), Budget()) == (2, 8)


def test_the_shortest_description_takes_part_where_a_table_is_small():
    assert "min-description" in usual_methods(100 * 20, 3)
    assert "min-description" not in usual_methods(1000 * 20, 3)
    assert not {"min-description", "min-features"} & {*usual_methods(100 * 20, 0)}  # a numeric target


@pytest.mark.filterwarnings("ignore:The search was stopped")
def test_a_wrapper_that_was_stopped_has_no_answer():
    X = np.random.default_rng(0).normal(size=(60, 5))
    with pytest.raises(OutOfBudgetError):
        SELECTORS["ordered-fs"].choose(training_on(X, X[:, 1] > 0), Budget(0.0))


def test_a_curve_keeps_what_orders_rows_beside_what_gives_them_their_labels():
    rng = np.random.default_rng(0)
    label, sure = rng.integers(0, 2, 800), rng.integers(0, 2, 800)
    y = label ^ (rng.random(800) < np.where(sure, 0.0, 0.16))  # the more probable class is always that of the first
    training = training_on(np.column_stack([label, sure, rng.integers(0, 2, (800, 2))]), y)
    assert training.metric is ACCURACY
    assert curve_of(training, lambda part: np.arange(4)).chosen == 2
    labels_only = replace(training, problem=Problem(training.task, ACCURACY), _kept={})
    assert curve_of(labels_only, lambda part: np.arange(4)).chosen == 1


@pytest.mark.parametrize("name", ["min-features", "tolerant"])
def test_no_proof_is_sought_beyond_so_many_nodes(name, monkeypatch):
    monkeypatch.setattr(selectors, "MOST_NODES", 3)
    monkeypatch.setattr(selectors, "MOST_COUNTED", 1)
    answers = []
    run = MinFeaturesSearch.run
    monkeypatch.setattr(MinFeaturesSearch, "run", lambda *given: answers.append(run(*given)) or answers[-1])
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (60, 18)), rng.integers(0, 2, 60)
    budget = Budget()
    chosen = SELECTORS[name].choose(training_on(X, y), budget)
    assert len(chosen) == answers[-1].cost
    assert not answers[-1].is_optimal
    assert not budget.is_cut
