import numpy as np

from fewest.comparison.selectors import NUMBERS, Training, best_number, in_intervals, is_measured
from fewest.table import from_array


def training_on(X, y):
    return Training(from_array(X), np.asarray(y, dtype=np.int64))


def test_the_smallest_number_that_predicts_best_is_found():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (150, 12)).astype(float)
    training = training_on(X, X[:, 0] != X[:, 1])
    assert best_number(training, lambda part: np.arange(12)) == 2
    assert best_number(training, lambda part: np.r_[5, 6, 7, 0, 1, 2:5, 8:12]) == 5


def test_the_ranking_never_sees_the_rows_that_judge_it():
    rng = np.random.default_rng(0)
    X = np.column_stack([np.arange(60), rng.normal(size=(60, 3))])
    seen = []

    def rank(part):
        seen.append(part.table.columns[0].values.tolist())
        return np.arange(4)

    assert best_number(training_on(X, rng.integers(0, 2, 60)), rank) in NUMBERS
    assert [len(rows) for rows in seen] == [40, 40, 40]
    assert sorted(row for rows in seen for row in rows) == sorted(list(range(60)) * 2)  # each is left out once


def test_few_features_are_all_tried():
    assert best_number(training_on(np.eye(9)[:, :1], [1] + [0] * 8), lambda part: np.array([0])) == 1


def test_only_numbers_of_many_values_are_cut():
    X = np.column_stack([np.arange(40) % 4, np.arange(40) + 0.5])
    table = from_array(X)
    assert [is_measured(column) for column in table] == [False, True]
    cut = in_intervals(table, (np.arange(40) > 25).astype(np.int64))
    assert cut.columns[0] is table.columns[0]
    assert cut.columns[1].labels == ("<= 26", "> 26")
