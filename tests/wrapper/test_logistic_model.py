"""The logistic regression that ``fewest train`` keeps, against scikit-learn's, and in files."""

import threading

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from fewest import load_model
from fewest.blocks.threads import _controller
from fewest.budget import Budget
from fewest.exceptions import ModelFileError
from fewest.table import from_array, from_frame, split_regression_target, split_target
from fewest.wrapper import logistic_model as home
from fewest.wrapper.logistic_model import fit_logistic, learn_logistic
from fewest.wrapper.model import learn_linear
from looks import Looks


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_probabilities_are_those_of_scikit_learn(n_classes):
    rng = np.random.default_rng(n_classes)
    X = rng.normal(size=(120, 4)) * [1, 10, 0.1, 1] + 3
    y = np.digitize(X[:, 0] + X[:, 1] / 10 + rng.normal(size=120), np.linspace(1, 5, n_classes - 1))
    y = np.unique(y, return_inverse=True)[1]
    scaled = StandardScaler().fit_transform(X)
    # Of two classes scikit-learn penalises the difference of the coefficients, which is half of what both are here.
    C = 2.0 if y.max() == 1 else 1.0
    expected = LogisticRegression(C=C, tol=1e-10, max_iter=10_000).fit(scaled, y).predict_proba(scaled)
    model = learn_logistic(*split_target(from_array(np.column_stack([X, y])), "x4"))
    np.testing.assert_allclose(model.predict_proba(X), expected, atol=1e-4)


def test_its_products_start_no_threads(monkeypatch):
    n_threads = set()

    def watched(*given):
        n_threads.update(one["num_threads"] for one in _controller().info() if one["user_api"] == "blas")
        return fit_logistic(*given)

    monkeypatch.setattr(home, "fit_logistic", watched)
    learn_logistic(*table_of())
    assert n_threads == {1}


def test_wide_and_constant_columns_are_no_trouble():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(12, 40)), np.ones(12)])
    y = np.arange(12) % 2
    slopes, intercepts = fit_logistic(X - X.mean(axis=0), np.eye(2)[y])
    assert np.isfinite(slopes).all()
    assert np.abs(slopes.sum(axis=1)).max() < 1e-8  # what one class gains, the other loses
    assert np.abs(intercepts).max() < 1
    model = learn_logistic(*split_target(from_array(np.column_stack([X, y])), "x41"))
    assert (model.predict(X) == y).all()
    assert "x40" not in model.columns_used


def table_of():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(1)
    x = rng.normal(size=60)
    frame = pandas.DataFrame({"x": x, "kind": rng.choice(list("abc"), 60), "y": np.where(x > 0, "yes", "no")})
    frame.loc[3, "x"] = np.nan
    return split_target(from_frame(frame), "y")


def test_a_model_survives_its_file(tmp_path):
    features, classes = table_of()
    model = learn_logistic(features, classes)
    model.save(tmp_path / "m")
    again = load_model(tmp_path / "m")
    np.testing.assert_array_equal(again.predict_proba(features), model.predict_proba(features))
    assert again.predict(features).tolist() == model.predict(features).tolist()
    assert (again.predict(features) == np.array(classes.labels)[classes.values]).mean() > 0.95
    assert again.export_text() == model.export_text()
    assert "kind=a" in model.export_text()


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("codes", lambda codes: codes + 7),
        ("columns", lambda columns: columns + 9),
        ("coefficients", lambda coefficients: coefficients[:-1]),
        ("coefficients", lambda coefficients: coefficients * np.nan),
        ("intercepts", lambda intercepts: intercepts[:1]),
    ],
)
def test_a_file_that_was_tampered_with_is_refused(tmp_path, monkeypatch, name, change):
    model = learn_logistic(*table_of())
    kept = home.save_file

    def tampered(path, document, arrays):
        kept(path, document, arrays | {name: change(arrays[name])})

    monkeypatch.setattr(home, "save_file", tampered)
    model.save(tmp_path / "bad.model")
    with pytest.raises(ModelFileError):
        load_model(tmp_path / "bad.model")


@pytest.mark.parametrize("shape", [(30, 4), (4, 30)])
@pytest.mark.parametrize("target", ["class", "number"])
def test_what_may_take_long_is_done_by_another_thread_so_that_ctrl_c_is_heard(monkeypatch, shape, target):
    threads = []

    def seen(function):
        def run(*arguments, **more):
            threads.append(threading.current_thread())
            return function(*arguments, **more)

        return run

    for name in ("svd", "eigh"):
        monkeypatch.setattr(np.linalg, name, seen(getattr(np.linalg, name)))
    X = np.random.default_rng(0).normal(size=shape)
    y = np.arange(len(X)) % 2 if target == "class" else np.arange(len(X)) / 7
    table = from_array(np.column_stack([X, y]))
    if target == "class":
        learn_logistic(*split_target(table, table.names[-1]))
    else:
        learn_linear(*split_regression_target(table, table.names[-1]))
    assert threads
    assert threading.main_thread() not in threads


@pytest.mark.parametrize("n_steps", [1, 2, 7])
def test_a_budget_that_ends_leaves_the_coefficients_of_the_last_step(monkeypatch, n_steps):
    budget = Looks(n_steps)
    cut = learn_logistic(*table_of(), budget)
    assert budget.is_cut
    whole = Looks(10_000)
    done = learn_logistic(*table_of(), whole)
    assert not whole.is_cut
    monkeypatch.setattr(home, "MOST_STEPS", n_steps)
    expected = learn_logistic(*table_of())
    assert (cut.coefficients == expected.coefficients).all()
    assert (cut.intercepts == expected.intercepts).all()
    assert (cut.coefficients != done.coefficients).any()


def test_without_any_step_classes_are_as_frequent_as_they_are():
    features, classes = table_of()
    budget = Budget(0.0)
    model = learn_logistic(features, classes, budget)
    assert budget.is_cut
    np.testing.assert_allclose(model.predict_proba(features)[7], np.bincount(classes.values) / 60)
