"""What ``fewest train`` says of rows that it has not seen, and the intervals of numeric columns."""

import json
from functools import partial

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import accuracy_score, balanced_accuracy_score

from fewest.budget import OutOfBudgetError
from fewest.cli.intervals import Intervals
from fewest.cli.options import Comparing
from fewest.cli.train_plan import Plan, TrainLearner
from fewest.cli.train_validation import cross_validated, stratified_folds
from fewest.comparison.folds import Splitting
from fewest.exceptions import StoppedEarlyWarning
from fewest.table import from_array, split_target
from fewest.table.discretize import FEW_VALUES, interval_cuts, quantile_cuts, sensible_cuts
from fewest.table.frames import table_from
from fewest.trees.model import learn_id3
from looks import Looks


@pytest.fixture
def noise(tmp_path):
    rng = np.random.default_rng(0)
    names = {f"c{j}": rng.choice(list("abcd"), 200) for j in range(3)}
    numbers = {f"x{j}": rng.normal(size=200) for j in range(3)}
    pd.DataFrame({**names, **numbers, "y": rng.choice(["p", "q"], 200)}).to_csv(tmp_path / "noise.csv", index=False)
    return "noise.csv"


def test_two_thirds_of_breast_cancer_predict_the_rest(fewest, tmp_path):
    data = load_breast_cancer(as_frame=True).frame.sample(frac=1, random_state=0)
    n_train = len(data) * 2 // 3
    data[:n_train].to_csv(tmp_path / "train.csv", index=False)
    data[n_train:].to_csv(tmp_path / "rest.csv", index=False)
    run = fewest("train", "train.csv", "-t", "target", "-l", "id3", "--cv", "0")
    assert (run.code, "30 numeric columns are cut into intervals" in run.out) == (0, True)
    run = fewest("train", "train.csv", "-t", "target", "-o", "m")
    assert (run.code, "logistic was chosen by cross-validation within these rows" in run.out) == (0, True)
    assert "On rows left out of training (cross-validation, 5 folds) its accuracy is 9" in run.out
    predicted = fewest("predict", "m", "rest.csv", "-t", "target", "-o", "told.csv")
    told = pd.read_csv(tmp_path / "told.csv")["predicted"]
    assert accuracy_score(data["target"][n_train:], told) >= 0.93
    assert predicted.err.count("values that the training data did not have") == 0


def test_a_tree_is_kept_unless_a_linear_function_is_clearly_better(fewest, tmp_path):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(160, 2))
    noise = rng.normal(size=160) / 2
    linear, together = x[:, 0] + x[:, 1] + noise > 0, (x[:, 0] > 0) ^ (x[:, 1] > 0)
    for name, y in {"linear": linear, "together": together}.items():
        table = pd.DataFrame({"a": x[:, 0], "b": x[:, 1], "y": np.where(y, "yes", "no")})
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    found = json.loads(fewest("train", "linear.csv", "-t", "y", "-o", "m", "-f", "json", "--report", "page.html").out)
    assert "With 2 of 2 features, a logistic regression predicts y" in (tmp_path / "page.html").read_text("utf-8")
    assert (found["learner"], list(found["chosen_by"])) == ("logistic", ["id3", "logistic"])
    assert found["chosen_by"]["logistic"] > found["chosen_by"]["id3"]
    assert list(found["coefficients"]["a"]) == ["no", "yes"]
    assert fewest("predict", "m", "linear.csv", "--proba").out.startswith("row,predicted,p(no),p(yes)\n0,")
    found = json.loads(fewest("train", "together.csv", "-t", "y", "--cv", "0", "-f", "json").out)
    assert found["learner"] == "id3"
    asked = json.loads(fewest("train", "linear.csv", "-t", "y", "--learner", "id3", "--cv", "0", "-f", "json").out)
    assert (asked["learner"], asked["chosen_by"]) == ("id3", None)
    refused = fewest("train", "linear.csv", "-t", "y", "--learner", "logistic", "--plot", "m.svg")
    assert (refused.code, "has weights" in refused.err) == (2, True)


def test_noise_is_called_noise(fewest, noise):
    run = fewest("train", noise, "-t", "y")
    assert run.code == 0
    assert "it predicts no better than the most frequent class" in run.out
    assert "The two differ much" in run.out
    found = json.loads(fewest("train", noise, "-t", "y", "-f", "json").out)["cross_validation"]
    assert (found["scoring"], found["n_folds"], len(found["scores"])) == ("accuracy", 5, 5)
    assert (found["is_better_than_guessing"], found["differs_much"]) == (False, True)
    assert found["training"] > 0.9 > 0.7 > found["mean"]


@pytest.mark.parametrize(("scoring", "guess"), [("balanced_accuracy", 0.5), ("roc_auc", 0.5), ("neg_log_loss", -0.69)])
def test_what_is_measured_is_chosen(fewest, noise, scoring, guess):
    found = json.loads(fewest("train", noise, "-t", "y", "--scoring", scoring, "-f", "json").out)["cross_validation"]
    assert (found["scoring"], found["baseline"]) == (scoring, pytest.approx(guess, abs=0.02))


def test_no_folds_no_cross_validation(fewest, noise, weather):
    run = fewest("train", noise, "-t", "y", "--cv", "0")
    assert (run.code, "Not cross-validated: --cv 0 asks for none." in run.out) == (0, True)
    assert "Not cross-validated: class" in fewest("train", weather, "-t", "play").out
    run = fewest("train", noise, "-t", "y", "-l", "cfp", "--time-limit", "0", "-f", "json")
    assert (run.code, json.loads(run.out)["cross_validation"]) == (0, None)


def test_a_fold_that_is_not_wholly_learned_in_time_is_left_out():
    rows = np.arange(30)
    features, classes = split_target(from_array(np.column_stack([rows, rows % 2 == 0]), ["x", "y"]), "y")
    looks = []

    def learn(table, labels, apart, seconds):
        looks.append(seconds)
        if len(looks) == 4:
            raise OutOfBudgetError
        return learn_id3(table, labels)

    with pytest.warns(StoppedEarlyWarning, match="after 3 of 5 folds"):
        found = cross_validated(learn, learn_id3(features, classes), (features, classes), None, Splitting(5), None)
    assert (len(found.scores), found.n_left_out) == (3, 2)
    plan = Plan(TrainLearner.ID3, None, Comparing(), Intervals("many"), {})
    with pytest.raises(OutOfBudgetError):
        plan.whole_model(features, classes, Splitting(5), 0.0)
    assert plan.whole_model(features, classes, Splitting(5), None).tree.depth > 0


def test_numbers_that_there_is_no_time_to_cut_have_quartiles(fewest, petals_like):
    run = fewest("train", petals_like, "-t", "y", "-l", "id3", "--time-limit", "0", "-f", "json")
    assert (run.code, json.loads(run.out)["stopped_by"]) == (3, "time limit")
    assert "The time limit ended the search for intervals, and" in run.err


def test_columns_after_the_end_of_a_budget_have_quartiles(monkeypatch):
    monkeypatch.setattr("fewest.table.discretize.CELLS_AT_A_TIME", 1)  # a column at a time
    rows = np.arange(40.0)
    features, classes = split_target(from_array(np.column_stack([rows, -rows, rows, rows > 9])), "x3")
    whole = interval_cuts(features, classes.values)
    cut = interval_cuts(features, classes.values, partial(Looks(2).is_over, lambda: "x"))
    assert [len(cut[name]) for name in ("x0", "x1", "x2")] == [1, 1, 3]
    assert [*cut] == [*whole]
    assert cut["x1"] == whole["x1"]
    assert cut["x2"].tolist() == quantile_cuts(rows, 4).tolist()


def test_exact_values_bring_equality_back(fewest, noise):
    run = fewest("train", noise, "-t", "y", "--exact-values", "--cv", "0", "--drop", "c*")
    assert (run.code, "intervals" in run.out) == (0, False)
    for options, message in (
        (["--bins"], "--bins cuts numeric columns"),
        (["-l", "cfp"], "cfp does not cut numeric columns"),
    ):
        refused = fewest("train", noise, "-t", "y", "--exact-values", *options)
        assert (refused.code, message in refused.err) == (2, True)


def test_many_numbers_in_blocks_ask_for_exact_values(fewest, noise):
    run = fewest("train", noise, "-t", "y", "--engine", "stream")
    assert (run.code, "--exact-values" in run.err) == (2, True)
    run = fewest("train", noise, "-t", "y", "--engine", "stream", "--exact-values")
    assert (run.code, "Not cross-validated: the rows are read in blocks." in run.out) == (0, True)


def test_a_wrapper_selects_among_intervals(fewest, petals_like):
    run = fewest("train", petals_like, "-t", "y", "--select", "ordered-fs", "-f", "json")
    assert (run.code, json.loads(run.out)["selected"]) == (0, ["x0"]), run.err


@pytest.fixture
def petals_like(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    frame = pd.DataFrame(X, columns=["x0", "x1", "x2"]).assign(y=np.where(X[:, 0] > 0, "p", "q"))
    frame.to_csv(tmp_path / "petals.csv", index=False)
    return "petals.csv"


# ---------------------------------------------------------------------- below the command


def test_folds_have_their_share_of_every_class():
    codes = np.repeat([0, 1, 2], [50, 7, 23])
    folds = stratified_folds(codes, 5)
    counts = np.array([np.bincount(codes[folds == fold], minlength=3) for fold in range(5)])
    assert (np.ptp(counts, axis=0) <= 1).all()
    assert np.ptp(counts.sum(axis=1)) <= 1


def column_of(y):
    (column,) = table_from(pd.DataFrame({"y": y})).columns
    return column


@pytest.mark.parametrize(
    ("scoring", "score"), [("accuracy", accuracy_score), ("balanced_accuracy", balanced_accuracy_score)]
)
def test_scores_are_those_of_scikit_learn_on_the_folds(scoring, score):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({f"c{j}": rng.choice(list("ab"), 90) for j in range(4)})
    y = np.where((X["c0"] == "a") ^ (rng.random(90) < 0.2), "yes", "no")
    table, classes = table_from(X), column_of(y)
    learn = lambda features, classes, splitting, seconds: learn_id3(features, classes)  # noqa: E731
    found = cross_validated(learn, learn_id3(table, classes), (table, classes), scoring, Splitting(4), None)
    folds = stratified_folds(classes.values.astype(int), 4)
    for fold, (ours, guess) in enumerate(zip(found.scores, found.baselines, strict=True)):
        kept, test = folds != fold, folds == fold
        model = learn_id3(table.take(kept), column_of(y[kept]))
        assert ours == pytest.approx(score(y[test], model.predict(X[test])))
        most = pd.Series(y[kept]).mode()[0]
        assert guess == pytest.approx(score(y[test], np.full(test.sum(), most)))
    assert found.training == pytest.approx(score(y, learn_id3(table, classes).predict(X)))


def test_few_values_stay_values_and_pairs_of_columns_get_quartiles():
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, (200, 2))
    frame = pd.DataFrame({"few": rng.integers(0, FEW_VALUES, 200).astype(float), "a": x[:, 0], "b": x[:, 1]})
    either = (x[:, 0] * x[:, 1] > 0).astype(int)
    cuts = sensible_cuts(table_from(frame), either)
    assert {name: len(of) for name, of in cuts.items()} == {"a": 3, "b": 3}
    by_class = sensible_cuts(table_from(frame), (x[:, 0] > 0).astype(int))
    assert {name: len(of) for name, of in by_class.items()} == {"a": 1, "b": 0}
