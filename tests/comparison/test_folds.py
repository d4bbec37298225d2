import numpy as np
import pytest
from sklearn.model_selection import LeaveOneGroupOut, TimeSeriesSplit

from fewest import compare
from fewest.comparison.folds import Splitting, group_codes
from fewest.comparison.metrics import Task
from fewest.comparison.training import Problem, Training
from fewest.exceptions import ParameterError
from fewest.table import from_array

CLASSES = np.arange(60) % 2
TASK = Task.of(CLASSES, 2)


def test_every_row_is_left_out_once_a_repeat():
    parts = Splitting(5, 2).outer(CLASSES, TASK, 0)
    assert len(parts) == 10
    assert sorted(np.concatenate([test for _, test in parts[:5]]).tolist()) == list(range(60))
    assert all(CLASSES[test].mean() == 0.5 for _, test in parts)


@pytest.mark.parametrize("task", [TASK, Task(0)])
def test_the_rows_of_a_group_are_never_on_both_sides(task):
    groups = np.repeat(np.arange(15), 4)
    target = CLASSES if task.n_classes else CLASSES.astype(float)
    splitting = Splitting(5, 1, groups)
    for training, test in splitting.outer(target, task, 0):
        assert not set(groups[training]) & set(groups[test])
        within = splitting.take(training)
        for learning, judging in within.inner(target[training], task, 0):
            assert not set(within.groups[learning]) & set(within.groups[judging])


def test_later_rows_never_teach():
    splitting = Splitting(4, 2, None, is_ordered=True)
    parts = splitting.outer(CLASSES, TASK, 0)
    assert len(parts) == 4
    for training, test in [*parts, *splitting.inner(CLASSES[:40], TASK, 0)]:
        assert training.max() < test.min()


def test_within_a_fold_groups_are_respected_as_well():
    groups = np.repeat(np.arange(20), 3)
    problem = Problem(TASK, Problem.of(CLASSES).metric, Splitting(5, 1, groups))
    training = Training(from_array(np.arange(60.0)[:, None]), CLASSES, 0, problem)
    for part, test in training.inner:
        assert not set(groups[part.rows]) & set(groups[test])


def test_splitters_of_scikit_learn_are_taken():
    rng = np.random.default_rng(0)
    X = np.column_stack([np.arange(80), rng.normal(size=(80, 2))])
    y = (X[:, 1] > 0).astype(int)
    options = {"methods": ["univariate"], "learners": ["tree"]}
    by_group = compare(X, y, cv=LeaveOneGroupOut(), groups=np.repeat(["a", "b", "c", "d"], 20), **options).result
    assert (by_group["n_folds"], by_group["folds"]) == (4, "the rows of a group are never on both sides")
    by_time = compare(X, y, cv=TimeSeriesSplit(3), **options).result
    assert (by_time["n_folds"], by_time["folds"]) == (3, "only earlier rows learn, and later ones judge")
    assert compare(X, y, cv=4, **options).result["n_folds"] == 4


def test_a_group_that_gives_itself_away_misleads_nobody():
    """Rows of a patient are nearly alike, and the class is the patient's: only groups show that nothing is learned."""
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(40), 5)
    X = rng.normal(size=(40, 6))[patient] + 0.01 * rng.normal(size=(200, 6))
    y = rng.integers(0, 2, 40)[patient]
    options = {"methods": ["univariate"], "learners": ["neighbors"], "n_repeats": 1}
    assert compare(X, y, **options).result["methods"][0]["score"] > 0.95
    apart = compare(X, y, groups=patient, **options)
    assert apart.recommended is None


@pytest.mark.parametrize(("groups", "said"), [(["a"] * 60, "of one group"), (["a", "b"], "groups of shape")])
def test_groups_that_are_none_are_refused(groups, said):
    with pytest.raises(ParameterError, match=said):
        group_codes(groups, 60)
