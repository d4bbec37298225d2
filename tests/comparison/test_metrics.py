import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as peers

from fewest.comparison.metrics import (
    ACCURACY,
    BALANCED_ACCURACY,
    FOR_CLASSES,
    LOG_LOSS,
    ROC_AUC,
    Task,
    baseline,
    labels_of,
    metrics_for,
    why,
)
from fewest.exceptions import ParameterError


@st.composite
def answered(draw):
    """Draw true classes, each at least once, and probabilities with ties."""
    n_classes = draw(st.integers(2, 4))
    actual = np.array([*range(n_classes), *draw(st.lists(st.integers(0, n_classes - 1), min_size=2, max_size=20))])
    seed = draw(st.integers(0, 10_000))
    answers = np.random.default_rng(seed).integers(1, 5, (len(actual), n_classes)).astype(float)
    return actual, answers / answers.sum(axis=1, keepdims=True)


@given(answered())
def test_metrics_are_those_of_scikit_learn(problem):
    actual, answers = problem
    n_classes = answers.shape[1]
    shares = np.bincount(actual) / len(actual)
    task = Task(n_classes, 1 if n_classes == 2 else None)
    found = {metric.name: metric.score(actual, answers, shares, task) for metric in FOR_CLASSES}
    of_one = [(actual == k, answers[:, k]) for k in ([1] if n_classes == 2 else range(n_classes))]
    assert found["accuracy"] == pytest.approx(peers.accuracy_score(actual, answers.argmax(axis=1)))
    assert found["balanced_accuracy"] == pytest.approx(
        peers.balanced_accuracy_score(actual, labels_of(answers, shares))
    )
    assert found["roc_auc"] == pytest.approx(np.mean([peers.roc_auc_score(*one) for one in of_one]))
    assert found["average_precision"] == pytest.approx(np.mean([peers.average_precision_score(*one) for one in of_one]))
    assert found["neg_log_loss"] == pytest.approx(-peers.log_loss(actual, answers))


@given(st.lists(st.tuples(st.floats(-5, 5), st.floats(-5, 5)), min_size=3, max_size=12))
def test_errors_of_numeric_values_are_those_of_scikit_learn(pairs):
    actual, answers = np.array(pairs).T
    actual[0] = actual[1] + 1
    found = [metric.score(actual, answers, np.array([0.0]), Task(0)) for metric in metrics_for(Task(0))]
    assert found == pytest.approx(
        [
            peers.r2_score(actual, answers),
            -peers.root_mean_squared_error(actual, answers),
            -peers.mean_absolute_error(actual, answers),
        ]
    )


def task_of(*counts):
    return Task.of(np.repeat(np.arange(len(counts)), counts), len(counts))


@pytest.mark.parametrize(
    ("counts", "name"),
    [((60, 40), "accuracy"), ((88, 12), "roc_auc"), ((40, 40, 40), "accuracy"), ((80, 30, 10), "balanced_accuracy")],
)
def test_the_metric_that_decides_depends_on_the_classes(counts, name):
    assert metrics_for(task_of(*counts))[0].name == name
    assert len(metrics_for(task_of(*counts))) == 5


def test_the_rare_class_is_the_positive_one():
    assert task_of(88, 12).positive == 1
    assert task_of(12, 88).positive == 0
    assert task_of(50, 50).positive == 1


def test_guessing_gets_what_is_known_about_it():
    task = task_of(90, 10)
    actual, shares = np.repeat([0, 1], [90, 10]), np.array([0.9, 0.1])
    found = {metric.name: baseline(metric, actual, shares, task) for metric in FOR_CLASSES}
    assert found == {
        "accuracy": 0.9, "balanced_accuracy": 0.5, "roc_auc": 0.5, "average_precision": pytest.approx(0.1),
        "neg_log_loss": pytest.approx(0.9 * np.log(0.9) + 0.1 * np.log(0.1)),
    }  # fmt: skip
    assert baseline(metrics_for(Task(0))[0], np.array([1.0, 2, 3]), np.array([2.0]), Task(0)) == 0


def test_any_scorer_of_scikit_learn_decides():
    first = metrics_for(task_of(90, 10), "f1")[0]
    actual, answers = np.array([0, 0, 0, 1]), np.array([[0.95, 0.05], [0.8, 0.2], [0.95, 0.05], [0.6, 0.4]])
    assert (first.name, first.score(actual, answers, np.array([0.9, 0.1]), task_of(90, 10))) == ("f1", 2 / 3)
    assert metrics_for(Task(0), "neg_median_absolute_error")[0].label == "median absolute error"
    assert metrics_for(task_of(5, 5), peers.make_scorer(peers.matthews_corrcoef))[0].score(
        np.array([0, 1]), np.eye(2), np.array([0.5, 0.5]), task_of(5, 5)
    ) == pytest.approx(1.0)


def test_a_positive_class_may_be_the_first():
    task = task_of(10, 90)
    first = metrics_for(task, "recall")[0]
    answers = np.array([[0.3, 0.7], [0.0, 1.0], [0.0, 1.0]])
    assert first.score(np.array([0, 1, 1]), answers, np.array([0.1, 0.9]), task) == 1.0


@pytest.mark.parametrize(("counts", "scoring"), [((5, 5), "best"), ((5, 5, 5), "precision"), ((5, 5), "r3")])
def test_a_scoring_that_means_nothing_is_refused(counts, scoring):
    with pytest.raises(ParameterError, match="scoring"):
        metrics_for(task_of(*counts), scoring)


def test_why_is_said():
    rare = task_of(90, 10)
    assert "reward ignoring it" in why(metrics_for(rare)[0], None, rare)
    assert why(ACCURACY, "accuracy", rare) == "Judged by accuracy, as asked for."


def test_two_points_may_be_given_up_at_most():
    assert ACCURACY.largest_loss(0.9, 0.5) == 0.02
    assert ACCURACY.largest_loss(0.98, 0.5) == pytest.approx(0.005)  # nor a quarter more errors
    assert ACCURACY.largest_loss(1.0, 0.5) == 0
    assert ACCURACY.largest_loss(1.0, 0.5, np.array([11, 27])) == pytest.approx(0.25 / 40)  # as if one of 40 were wrong
    assert ROC_AUC.largest_loss(1.0, 0.5, np.array([11, 27])) == pytest.approx(0.25 / 13)
    assert BALANCED_ACCURACY.largest_loss(1.0, 0.5, np.array([10, 40])) == pytest.approx(0.25 / 34)  # 16 + 16 rows
    assert ACCURACY.largest_loss(0.9, 0.5, np.array([11, 27])) == 0.02
    assert LOG_LOSS.largest_loss(-0.3, -0.7) == pytest.approx(0.016)


@given(answered(), st.sampled_from(FOR_CLASSES))
def test_guessing_is_the_best_of_all_answers_that_know_no_feature(problem, metric):
    actual, _ = problem
    n_classes = actual.max() + 1
    task, shares = Task.of(actual, n_classes), np.random.default_rng(0).dirichlet(np.ones(n_classes))
    guesses = [np.tile(one, (len(actual), 1)) for one in (shares, *np.eye(n_classes))]
    expected = max(metric.score(actual, guess, shares, task) for guess in guesses)
    assert baseline(metric, actual, shares, task) == pytest.approx(expected)
