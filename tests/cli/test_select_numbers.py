"""``fewest select`` on tables of strangers: measurements, noise, names, and several smallest subsets."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine

from fewest.comparison.selection import SelectionValidation, subset_scores, validated_selection
from fewest.cover.options import MinFeaturesOptions
from fewest.cover.sample import Sample
from fewest.report.sentences import validation_sentence
from fewest.table import from_array, split_target


@pytest.fixture
def answer(fewest, tmp_path):
    """Select from a frame, and return the answer as plain data."""

    def answer(frame, *options):
        frame.to_csv(tmp_path / "data.csv", index=False)
        run = fewest("select", "data.csv", "-t", "y", "--time-limit", "none", "-f", "json", *options)
        return run, json.loads(run.out)

    return answer


def measured(n_rows=120, seed=0):
    rng = np.random.default_rng(seed)
    x, noise = rng.normal(size=n_rows), rng.normal(size=(n_rows, 3))
    y = np.where(x > 0.2, "high", "low")
    return pd.DataFrame({"n0": noise[:, 0], "x": x, "n1": noise[:, 1], "n2": noise[:, 2], "y": y})


def test_a_measurement_separates_by_interval_and_not_by_being_different(answer):
    run, found = answer(measured())
    assert (run.code, found["features"]) == (0, ["x"])
    assert found["n_cut"] == 4
    assert found["cuts"]["x"] == pytest.approx([0.2], abs=0.1)
    assert found["validation"]["mean"] > 0.95
    assert found["validation"]["is_better_than_guessing"]


def test_equality_can_be_had(answer, fewest):
    _, found = answer(measured(), "--exact-values")
    assert (len(found["features"]), found["n_cut"]) == (1, 0)  # any measurement will do
    both = fewest("select", "data.csv", "-t", "y", "--bins", "--exact-values")
    assert (both.code, "Choose one" in both.err) == (2, True)


def test_noise_is_called_noise(fewest, answer, tmp_path):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(100, 6)), columns=list("abcdef")).assign(y=rng.choice(["p", "q"], 100))
    _, found = answer(frame)
    assert not found["validation"]["is_better_than_guessing"]
    printed = fewest("select", "data.csv", "-t", "y", "--time-limit", "none", "--report", "page.html").out
    page = (tmp_path / "page.html").read_text()
    assert page.index("Nothing found that predicts y: ") < page.index("features separate the classes")
    assert printed.startswith("Nothing found that predicts y: ")
    assert "So they predict no better than guessing" in printed


def test_what_only_intervals_make_alike_is_no_contradiction(answer):
    rng = np.random.default_rng(2)
    x = rng.normal(size=150)
    frame = pd.DataFrame({"x": x, "y": np.where(x + 0.5 * rng.normal(size=150) > 0, "a", "b")})
    run, _ = answer(frame)
    assert run.code == 0
    assert "fall into the same intervals" in run.err
    assert "Correct or drop such rows" not in run.err
    frame = pd.concat([frame, frame.iloc[:1].assign(y="a"), frame.iloc[:1].assign(y="b")])
    run, _ = answer(frame)
    assert (run.code, "Correct or drop such rows" in run.err) == (1, True)


@pytest.mark.parametrize("options", [[], ["--bins"], ["--exact-values"]])
def test_certificates_of_intervals_are_true(fewest, tmp_path, options):
    wine = load_wine(as_frame=True).frame.rename(columns={"target": "y"})
    wine.to_csv(tmp_path / "wine.csv", index=False)
    fewest("select", "wine.csv", "-t", "y", "--time-limit", "none", "--certificate", "c.json", *options)
    assert fewest("verify", "c.json", "wine.csv").code == 0


def test_names_of_very_many_do_not_take_part_unless_asked_to(answer):
    frame = measured().assign(city=[f"City {k // 2}" for k in range(120)])
    run, found = answer(frame)
    assert "Not selected: city" in run.err
    assert "city" not in found["features"]
    _, found = answer(frame, "--keep", "city", "--include", "city")
    assert "city" in found["features"]


def test_of_two_smallest_subsets_the_better_one_is_the_answer(fewest, answer):
    rng = np.random.default_rng(3)
    good, y = np.repeat([0, 1], 40), np.repeat(["p", "q"], 40)
    key = rng.permutation(40).repeat(2)  # forty values of two rows each, of one class
    frame = pd.DataFrame({"key": [f"k{k}" for k in np.sort(key)], "good": good, "y": y})
    _, found = answer(frame, "--keep-all", "--all", "5")
    assert found["features"] == ["good"]
    assert found["minimum_subsets"] == [["good"], ["key"]]
    assert found["subset_scores"][0] == 1 > found["subset_scores"][1]
    shown = fewest("select", "data.csv", "-t", "y", "--keep-all", "--all", "5", "--time-limit", "none").out
    assert "100.0%  good" in shown
    fewest("select", "data.csv", "-t", "y", "--keep-all", "--certificate", "c.json", "--time-limit", "none")
    assert fewest("verify", "c.json", "data.csv").code == 0


def test_scores_are_of_rows_left_out():
    rng = np.random.default_rng(4)
    X = np.column_stack([np.arange(60) % 2, rng.integers(0, 2, 60), np.arange(60)])
    features, target = split_target(from_array(np.column_stack([X, X[:, 0]])), "x3")
    sample = Sample.from_table(features, target.values)
    scores = subset_scores(sample, [[0], [1], [2]])
    assert scores[0] == 1
    assert abs(scores[1] - 0.5) < 0.2
    assert abs(scores[2] - 0.5) < 0.2  # a number of its own for every row predicts nothing


def test_validation_selects_again_without_each_fold():
    rng = np.random.default_rng(5)
    table = from_array(np.column_stack([rng.integers(0, 2, (80, 5)), np.arange(80) % 2]))
    features, target = split_target(table, "x5")
    seen = []

    def cut(rows, classes, all_rows):
        seen.append((rows.n_rows, len(classes)))
        return all_rows

    from fewest.budget import Budget

    found = validated_selection(features, target, MinFeaturesOptions(), cut, Budget())
    assert seen == [(64, 64)] * 5
    assert len(found.scores) == 5
    (of_all,) = subset_scores(Sample.from_table(features, target.values), [range(5)])
    assert np.mean(found.of_all) == pytest.approx(of_all)  # a tree over all of them, on the same folds
    assert not found.is_better_than_guessing
    few = features.take(range(6))
    assert "fewer than 5 rows" in validated_selection(
        few, split_target(table.take(range(6)), "x5")[1], MinFeaturesOptions(), cut, Budget()
    )


@pytest.mark.parametrize(("of_all", "is_told"), [((0.9,) * 5, True), ((0.71,) * 5, False), ((), False)])
def test_who_loses_much_against_all_features_is_told(of_all, is_told):
    found = SelectionValidation((0.7, 0.68, 0.72, 0.7, 0.7), 3.0, 2, of_all=of_all).described()
    assert found["loses_much"] is is_told
    said = validation_sentence({"validation": found, "features": ["a"]})
    assert ("are not those that predict best: fewest compare" in said) == is_told
    assert ("on all features" in said) == bool(of_all)
