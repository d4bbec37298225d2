"""Winnow models: from raw data to a file and back, and files that make none."""

import numpy as np
import pandas as pd
import pytest

from fewest import load_model
from fewest.exceptions import ModelFileError
from fewest.mistakes.model import learn_winnow
from fewest.models.files import load_file, save_file
from fewest.table import split_target
from fewest.table.discretize import interval_cuts
from fewest.table.frames import from_frame


@pytest.fixture
def mixed():
    rng, n = np.random.default_rng(0), 200
    frame = pd.DataFrame(
        {
            "colour": rng.choice(["red", "green", "blue"], n),
            "size": rng.normal(size=n),
            "ripe": rng.choice(["no", "yes"], n),
        }
    )
    frame["good"] = np.where((frame["colour"] == "red") | (frame["size"] > 1), "good", "bad")
    return split_target(from_frame(frame), "good")


def trained(mixed, kind="winnow2"):
    features, classes = mixed
    return learn_winnow(features, classes, kind, interval_cuts(features, classes.values))[0]


@pytest.mark.parametrize("kind", ["winnow1", "winnow2", "balanced"])
def test_a_model_comes_back_as_it_was(kind, mixed, tmp_path):
    features, classes = mixed
    model = trained(mixed, kind)
    assert model.answers(features).predicted.tolist() == classes.values.tolist()
    model.save(tmp_path / "model")
    again = load_model(tmp_path / "model")
    assert (again.target, again.export_text()) == ("good", model.export_text())
    assert again.answers(features).predicted.tolist() == classes.values.tolist()
    again.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "model").read_bytes()


@pytest.fixture
def saved(mixed, tmp_path):
    trained(mixed).save(tmp_path / "model")
    return tmp_path / "model"


@pytest.mark.parametrize(
    "change",
    [
        {"rule": {"kind": "winnow3", "alpha": 2, "theta": 1}},
        {"rule": {"kind": "winnow2", "alpha": 0.5, "theta": 1}},
        {"rule": None},
        {"positive": 7},
        {"classes": {"type": "<U4", "labels": ["bad", "good", "ugly"]}},
        {"columns": []},
        {"columns": None},
    ],
)
def test_headers_that_make_no_model(saved, change):
    header, arrays = load_file(saved)
    save_file(saved, {**header, **change}, arrays)
    with pytest.raises(ModelFileError, match="damaged"):
        load_model(saved)


@pytest.mark.parametrize(
    ("name", "spoil"),
    [
        ("exponents", lambda array: array[:, 1:]),
        ("exponents", lambda array: array.T),
        ("exponents", lambda array: array.astype(float)),
        ("exponents", lambda array: array.astype(np.int64) + (1 << 40)),
        ("exponents", lambda array: np.concatenate([array, array])),
        ("features.value", lambda array: array + 9),
        ("features.value", lambda array: array - 9),
        ("features.column", lambda array: array - 9),
    ],
)
def test_arrays_that_make_no_model(saved, name, spoil):
    header, arrays = load_file(saved)
    save_file(saved, header, {**arrays, name: spoil(arrays[name])})
    with pytest.raises(ModelFileError, match="damaged"):
        load_model(saved)


@pytest.mark.parametrize("kind", ["winnow1", "winnow2", "balanced"])
def test_boolean_columns_may_speak_for_a_class_by_being_false(kind):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.random((200, 6)) < 0.5, columns=list("abcdef"))
    features = from_frame(X)
    classes = from_frame(pd.DataFrame({"y": np.where(~X["a"] | X["b"], "yes", "no")}))["y"]
    model = learn_winnow(features, classes, kind)[0]
    assert (model.predict(X) == np.where(~X["a"] | X["b"], "yes", "no")).all()
    if kind != "balanced":
        heaviest = sorted(zip(model.weights[0], model.test_names, strict=True))[-2:]
        assert {name for _, name in heaviest} == {"a = False", "b = True"}
