"""Ridge regression over typed columns: against scikit-learn, against leaving rows out, and through its file."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import Ridge

from fewest import load_model, read_table
from fewest.exceptions import ModelFileError, TargetError
from fewest.table import from_array, from_frame, split_regression_target
from fewest.wrapper.model import learn_linear


def table_of(seed=0, n_rows=60):
    rng = np.random.default_rng(seed)
    size, price = rng.normal(size=n_rows), rng.normal(10, 3, n_rows)
    kind = rng.choice(["a", "b", "c"], n_rows)
    y = 3 * size - price + np.where(kind == "b", 5.0, 0.0) + 0.1 * rng.normal(size=n_rows)
    gap = rng.random(n_rows) < 0.1
    frame = pa.table({
        "size": pa.array(size, mask=gap), "price": price, "kind": kind, "noise": rng.normal(size=n_rows), "y": y,
    })  # fmt: skip
    return split_regression_target(from_frame(frame), "y")


@settings(max_examples=30)
@given(st.integers(0, 1000), st.integers(3, 40), st.integers(1, 8))
def test_coefficients_are_those_of_scikit_learn(seed, n_rows, n_features):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_features)) * rng.uniform(0.1, 10, n_features)
    y = X @ rng.normal(size=n_features) + rng.normal(size=n_rows)
    model = learn_linear(*split_regression_target(from_array(np.column_stack([X, y])), f"x{n_features}"))
    scale = X.std(axis=0)
    peer = Ridge(alpha=model.penalty * n_rows).fit(X / scale, y)
    assert model.coefficients == pytest.approx(peer.coef_ / scale, rel=1e-6, abs=1e-8)
    assert model.predict(X) == pytest.approx(peer.predict(X / scale), rel=1e-6, abs=1e-8)


def test_left_out_rows_are_predicted_by_the_others():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(25, 3))
    y = X[:, 0] + 0.3 * rng.normal(size=25)
    model = learn_linear(*split_regression_target(from_array(np.column_stack([X, y])), "x3"))
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    for row in range(25):
        others = np.arange(25) != row
        # The scale of the terms is that of all rows, as in the shortcut.
        peer = Ridge(alpha=model.penalty * 25).fit(scaled[others], y[others])
        assert model.left_out[row] == pytest.approx(float(peer.predict(scaled[[row]])[0]), abs=1e-9)


def test_categories_gaps_and_noise():
    features, target = table_of()
    model = learn_linear(features, target)
    named = dict(zip(model.term_names, model.coefficients, strict=True))
    assert named["size"] == pytest.approx(3, abs=0.2)
    assert named["price"] == pytest.approx(-1, abs=0.1)
    assert named["kind=b"] - named["kind=a"] == pytest.approx(5, abs=0.4)
    assert abs(named["noise"]) < 0.3
    assert "kind=b" in model.export_text()
    assert model.columns_used == ["size", "price", "kind", "noise"]


def test_a_new_category_and_a_gap_add_nothing_and_the_mean():
    features, target = table_of()
    model = learn_linear(features, target)
    row = {"price": [10.0], "noise": [0.0]}
    seen = model.predict(pa.table(row | {"size": pa.array([None], pa.float64()), "kind": ["z"]}))
    mean = float(np.nanmean(features["size"].values))
    coefficients = dict(zip(model.term_names, model.coefficients, strict=True))
    assert seen[0] == pytest.approx(model.intercept + 10 * coefficients["price"] + mean * coefficients["size"])


def test_a_file_keeps_the_model(tmp_path):
    features, target = table_of()
    model = learn_linear(features, target)
    path = tmp_path / "y.model"
    model.save(path)
    again = load_model(path)
    assert again.predict(features).tolist() == model.predict(features).tolist()
    assert again.target == "y"


def test_zeros_and_ones_of_a_file_are_numbers_to_a_numeric_column(tmp_path):
    x = np.arange(10) % 2
    model = learn_linear(*split_regression_target(from_array(np.column_stack([x * 1.5, x]), ["x", "y"]), "y"))
    path = tmp_path / "new.csv"
    path.write_text("x\n0\n1\n", encoding="utf-8")
    low, high = model.predict(read_table(path))
    assert low == pytest.approx(model.intercept)
    assert high - low == pytest.approx(model.coefficients[0])


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("codes", lambda codes: codes + 7),
        ("columns", lambda columns: columns + 9),
        ("coefficients", lambda coefficients: coefficients[:-1]),
        ("coefficients", lambda coefficients: coefficients * np.nan),
        ("means", lambda means: means[:, None]),
    ],
)
def test_a_file_that_was_tampered_with_is_refused(tmp_path, monkeypatch, name, change):
    from fewest.wrapper import model as home

    model = learn_linear(*table_of())
    kept = home.save_file

    def tampered(path, document, arrays):
        kept(path, document, arrays | {name: change(arrays[name])})

    monkeypatch.setattr(home, "save_file", tampered)
    model.save(tmp_path / "bad.model")
    with pytest.raises(ModelFileError):
        load_model(tmp_path / "bad.model")


def test_an_infinite_target_is_refused_and_an_infinite_feature_is_a_gap():
    X = np.column_stack([np.arange(6.0), np.arange(6.0)])
    X[0, 0] = np.inf
    model = learn_linear(*split_regression_target(from_array(X), "x1"))
    assert np.isfinite(model.predict(X)).all()
    X[0, 1] = np.inf
    with pytest.raises(TargetError, match="holds inf"):
        learn_linear(*split_regression_target(from_array(X), "x1"))
