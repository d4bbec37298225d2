"""Rare classes, several classes, numeric targets: what `compare` says about each."""

import numpy as np
import pytest

from fewest import compare
from fewest.exceptions import ParameterError


def rare_class(n_rows=500, share=0.1, seed=0):
    """Make a class that two of six columns make likelier."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 6))
    value = X[:, 1] + X[:, 3] + 0.7 * rng.normal(size=n_rows)
    return X, value > np.quantile(value, 1 - share)


def test_a_rare_class_is_judged_by_its_ranking():
    X, y = rare_class()
    comparison = compare(X, np.where(y, "yes", "no"), methods=["univariate", "l1"], n_repeats=1)
    result = comparison.result
    assert (result["scoring"], result["positive"]) == ("roc_auc", "yes")
    assert comparison.selected == ["x1", "x3"]
    assert [metric["name"] for metric in result["metrics"]] == [
        "roc_auc", "accuracy", "balanced_accuracy", "average_precision", "neg_log_loss",
    ]  # fmt: skip
    baselines = {metric["name"]: metric["baseline"] for metric in result["metrics"]}
    assert baselines == pytest.approx(
        {"roc_auc": 0.5, "accuracy": 0.9, "balanced_accuracy": 0.5, "average_precision": 0.1, "neg_log_loss": -0.325},
        abs=0.001,
    )
    chosen = next(m for m in result["methods"] if m["method"] == comparison.recommended)
    assert all(chosen["metrics"][name]["mean"] > baselines[name] for name in baselines if name != "accuracy")
    assert chosen["metrics"]["balanced_accuracy"]["mean"] > 0.85


def test_one_row_in_a_hundred_still_gets_an_answer():
    X, y = rare_class(1500, 0.01)
    comparison = compare(X, y, methods=["univariate"], n_repeats=1)
    assert comparison.selected == ["x1", "x3"]
    chosen = comparison.result["methods"][1]
    assert chosen["high"] - chosen["low"] > 0.02


def test_predictions_for_unseen_rows_draw_the_curves():
    X, y = rare_class(300)
    unseen = compare(X, y, methods=["univariate"], n_repeats=2).result["unseen"]
    assert unseen["rows"] == list(range(300))  # each once, whatever the repeats
    assert unseen["actual"] == y.astype(int).tolist()
    assert np.sum(unseen["confusion"]) == 300
    assert np.sum(unseen["confusion"], axis=1).tolist() == [270, 30]
    assert [len(unseen["probabilities"]), len(unseen["probabilities"][0])] == [2, 300]
    roc, recall = unseen["roc"], unseen["precision_recall"]["recall"]
    assert (roc["false_positive_rate"][0], roc["true_positive_rate"][-1]) == (0.0, 1.0)
    assert np.trapezoid(roc["true_positive_rate"], roc["false_positive_rate"]) > 0.9
    assert recall == sorted(recall)


def test_the_scoring_that_is_asked_for_decides():
    X, y = rare_class(300)
    result = compare(X, y, methods=["l1"], scoring="f1", n_repeats=1).result
    assert (result["scoring"], result["metrics"][0]["label"], result["why_scoring"]) == (
        "f1", "f1", "Judged by f1, as asked for.",
    )  # fmt: skip
    with pytest.raises(ParameterError, match="does not score"):
        compare(X, np.arange(300) % 3, scoring="f1")


def test_several_classes_of_unequal_size():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 5))
    y = np.searchsorted([-0.5, 1.2], X[:, 2] + 0.2 * rng.normal(size=400))
    comparison = compare(X, np.array(["low", "mid", "high"])[y], methods=["univariate", "mrmr"], n_repeats=1)
    assert comparison.result["scoring"] == "balanced_accuracy"
    assert comparison.selected == ["x2"]
    assert np.shape(comparison.result["unseen"]["confusion"]) == (3, 3)
    assert "roc" not in comparison.result["unseen"]


def test_a_numeric_target_is_regressed_on():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 6))
    y = 2 * X[:, 0] - X[:, 5] + 0.3 * rng.normal(size=200)
    comparison = compare(X, y, n_repeats=1)
    result = comparison.result
    assert (result["task"], result["scoring"], result["learners"]) == (
        "regression",
        "r2",
        ["ridge", "tree", "neighbors"],
    )
    assert comparison.selected == ["x0", "x5"]
    assert result["not_run"] == ["min-features", "tolerant", "wg"]
    assert [metric["label"] for metric in result["metrics"]] == ["R2", "RMSE", "MAE"]
    assert result["metrics"][0]["baseline"] == pytest.approx(0, abs=0.05)
    assert "R2 0.9" in result["recommendation"]["sentence"]
    assert len(result["unseen"]["predicted"]) == 200
    assert "<iframe" in comparison._repr_html_()


def test_a_sparse_sum_is_left_to_methods_that_see_sums():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 30))
    y = X[:, :4] @ [3, 2, 1.5, 1] + 1.5 * rng.normal(size=150)
    comparison = compare(X, y, methods=["relieff", "univariate", "l1", "ordered-fs"], n_repeats=1)
    assert comparison.recommended in ("univariate", "l1", "ordered-fs")
    assert {"x0", "x1", "x2", "x3"} <= set(comparison.selected)
    assert len(comparison.selected) <= 6


def test_the_task_can_be_forced():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), rng.integers(1, 4, 60)
    assert compare(X, y, methods=["l1"], n_repeats=1).result["task"] == "classification"
    assert compare(X, y, methods=["l1"], task="regression", n_repeats=1).result["task"] == "regression"
    assert compare(X, y / 2, methods=["l1"], task="classification", n_repeats=1).result["classes"] == [
        "0.5",
        "1",
        "1.5",
    ]
    with pytest.raises(ParameterError, match="task"):
        compare(X, y, task="ranking")
    with pytest.raises(ParameterError, match="the target is numeric"):
        compare(X, y, methods=["wg"], task="regression")


def test_curves_mark_how_many_features_are_enough():
    X, y = rare_class()
    curves = compare(X, y, methods=["univariate", "wg"], n_repeats=1).result["curves"]
    assert [curve["method"] for curve in curves] == ["univariate"]
    assert (curves[0]["numbers"], curves[0]["chosen"]) == ([1, 2, 3, 4, 5, 6], 2)
    assert len(curves[0]["scores"]) == len(curves[0]["errors"]) == 6
