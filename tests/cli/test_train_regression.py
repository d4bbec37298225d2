"""A numeric target through ``train`` and ``predict``."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes
from sklearn.metrics import mean_absolute_error, r2_score


@pytest.fixture
def diabetes(tmp_path):
    data = load_diabetes(as_frame=True).frame.sample(frac=1, random_state=0)
    data[:300].to_csv(tmp_path / "train.csv", index=False)
    data[300:].to_csv(tmp_path / "rest.csv", index=False)
    return data


def test_a_numeric_target_is_learned_and_predicted(fewest, diabetes, tmp_path):
    run = fewest("train", "train.csv", "-t", "target", "-o", "m", "--report", "page.html")
    assert run.code == 0
    assert "A linear function of 10 of 10 features predicts target" in run.out
    assert "by always answering the mean" in run.out
    assert "R2" in (tmp_path / "page.html").read_text(encoding="utf-8")
    told = fewest("predict", "m", "rest.csv", "-t", "target", "-o", "told.csv")
    predicted, actual = pd.read_csv(tmp_path / "told.csv")["predicted"], diabetes["target"][300:]
    assert r2_score(actual, predicted) > 0.4
    assert f"R2 {r2_score(actual, predicted):.3f}" in told.err
    assert f"MAE {mean_absolute_error(actual, predicted):.4g}" in told.err


@pytest.mark.parametrize(("method", "needed"), [("rrelieff", {"bmi"}), ("ordered-fs", {"bmi", "s5"})])
def test_features_are_selected_for_a_numeric_target(fewest, diabetes, method, needed):
    found = json.loads(fewest("train", "train.csv", "-t", "target", "--select", method, "-f", "json").out)
    assert found["learner"] == "linear"
    assert needed <= set(found["selected"]) < set(diabetes.columns) - {"target"}
    validated = found["cross_validation"]
    assert validated["scoring"] == "r2"
    assert validated["is_better_than_guessing"]
    assert validated["training"] > validated["mean"] > 0.25


def test_the_error_decides_if_asked_for(fewest, diabetes):
    asked = ("train", "train.csv", "-t", "target", "--scoring", "neg_mean_absolute_error", "-f", "json")
    found = json.loads(fewest(*asked).out)["cross_validation"]
    assert found["baseline"] < found["mean"] < 0


def test_noise_is_no_better_than_the_mean(fewest, tmp_path):
    rng = np.random.default_rng(0)
    pd.DataFrame(rng.normal(size=(80, 5)), columns=list("abcdy")).to_csv(tmp_path / "noise.csv", index=False)
    assert "it predicts no better than the mean" in fewest("train", "noise.csv", "-t", "y").out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--select", "wg"], "wg separates classes"),
        (["--learner", "id3"], "looks like a regression target"),
        (["--learner", "linear", "--task", "classification"], "Drop one of them"),
        (["--plot", "x.svg"], "--plot draws trees"),
        (["--bins"], "--bins is for learners of nominal values"),
        (["--scoring", "accuracy"], "scoring"),
        (["--task", "guess"], "task"),
    ],
)
def test_what_is_for_classes_is_refused(fewest, diabetes, options, words):
    run = fewest("train", "train.csv", "-t", "target", *options)
    assert (run.code, words in run.err) == (2, True), run.err


def test_classes_are_refused_by_what_predicts_numbers(fewest, write):
    data = write("n.csv", "a,y\n1,red\n2,blue\n3,red\n4,blue\n")
    run = fewest("train", data, "-t", "y", "--learner", "linear")
    assert (run.code, "nominal" in run.err) == (2, True)


def test_predicting_refuses_what_is_about_classes(fewest, diabetes, write):
    fewest("train", "train.csv", "-t", "target", "-o", "m", "--cv", "0")
    for option in (["--proba"], ["--abstain", "?"]):
        run = fewest("predict", "m", "rest.csv", *option)
        assert (run.code, "about classes" in run.err) == (2, True)
    assert fewest("predict", "m", "rest.csv").out.startswith("row,predicted\n0,")


def test_integers_with_few_values_are_numbers_if_asked_for(fewest, write):
    rows = "".join(f"{k % 7},{2 * (k % 7)}\n" for k in range(40))
    data = write("few.csv", f"x,y\n{rows}")
    assert "A tree" in fewest("train", data, "-t", "y").out
    assert "A linear function" in fewest("train", data, "-t", "y", "--task", "regression").out
