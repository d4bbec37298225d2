import csv
import io
import json
import os
import shutil
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import fewest as package
from fewest.datasets import load_votes


@pytest.fixture
def model(fewest, weather):
    assert fewest("train", weather, "-t", "play", "-o", "play.model").code == 0
    return "play.model"


def records(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_a_tree_is_grown_told_and_shown(fewest, weather):
    run = fewest("train", weather, "--target", "play", "--show")
    assert (run.code, run.err) == (0, "")
    first, *rest = run.out.splitlines()
    assert first.startswith(
        "A tree of 2 leaves and depth 1 predicts play right for 4 of 4 training rows, 100.0% (id3, "
    )
    assert rest == [
        "", "Not cross-validated: class 'no' has only 2 rows, and cross-validation takes 3 of each.",
        "", "It tests 1 of 3 features:", "", "  windy", "", "windy?", "├── no: yes (2)", "└── yes: no (2)",
    ]  # fmt: skip


@pytest.mark.parametrize("learner", ["id3", "fringe"])
@pytest.mark.parametrize("method", [None, "min-features", "focus1", "focus2", "mig", "sg", "wg"])
def test_every_learner_after_every_selector(fewest, weather, learner, method):
    select = [] if method is None else ["--select", method]
    run = fewest("train", weather, "-t", "play", "--learner", learner, *select, "-o", "m", "-f", "json")
    result = json.loads(run.out)
    assert (run.code, result["schema_version"], result["accuracy"], result["features_used"]) == (0, 1, 1.0, ["windy"])
    assert result["selected"] == (None if method is None else ["windy"])
    run = fewest("predict", "m", weather, "--target", "play")
    assert [record["predicted"] for record in records(run.out)] == ["no", "no", "yes", "yes"]
    assert "4 of 4 rows are predicted right (100.0%)" in run.err


def test_one_line_of_json(fewest, weather):
    (record,) = fewest("train", weather, "-t", "play", "--show", "-f", "jsonl").out.splitlines()
    result = json.loads(record)
    assert result["tree"] == ["windy?", "├── no: yes (2)", "└── yes: no (2)"]
    assert (result["n_nodes"], result["n_leaves"], result["depth"], result["model"]) == (3, 2, 1, None)


def test_drawings(fewest, weather, tmp_path):
    assert fewest("train", weather, "-t", "play", "--plot", "tree.svg").code == 0
    assert "<svg" in (tmp_path / "tree.svg").read_text(encoding="utf-8")
    run = fewest("train", weather, "-t", "play", "--plot", "tree.docx")
    assert (run.code, "Cannot draw into 'tree.docx'" in run.err) == (2, True)


@pytest.mark.parametrize("words", [("yes", "no"), ("1", "0"), ("True", "False")])
def test_a_winnow_that_python_saved_predicts_too(fewest, write, words, tmp_path):
    X = np.eye(6, dtype=bool)
    package.Winnow1().fit(pd.DataFrame(X, columns=list("abcdef")), np.where(X[:, 4], "good", "bad")).save(
        tmp_path / "m"
    )
    yes, no = words
    write("new.csv", f"f,e,d,c,b,a,z\n{no},{yes},{no},{no},{no},{no},7\n{yes},{no},{no},{no},{no},{yes},8\n")
    run = fewest("predict", "m", "new.csv")
    assert (run.code, run.out, run.err) == (0, "row,predicted\n0,good\n1,bad\n", "")


def test_predictions_need_neither_the_target_nor_the_order_nor_the_rest(fewest, model, write):
    write("new.csv", "pressure,humidity,windy,outlook\n1,80,no,rain\n2,75,yes,sunny\n")
    run = fewest("predict", model, "new.csv")
    assert (run.code, run.out) == (0, "row,predicted\n0,yes\n1,no\n")


def test_probabilities_files_and_pipes(fewest, write, tmp_path):
    write("noisy.csv", "größe,class\ns,ja\ns,ja\ns,ja\ns,nein\nl,nein\n")
    assert fewest("train", "noisy.csv", "-t", "class", "-o", "m").code == 0
    expected = "row,predicted,p(ja),p(nein)\n0,ja,0.75,0.25\n1,nein,0,1\n"
    assert fewest("predict", "m", "-", "--proba", stdin="größe\ns\nl\n").out == expected
    run = fewest("predict", "m", "-", "--proba", "-o", "out.csv", stdin="größe\ns\nl\n")
    assert (run.code, run.out) == (0, "")
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == expected


def test_a_reader_that_leaves_is_no_mistake(fewest, write, tmp_path):
    write("many.csv", "a,class\n" + "x,p\ny,q\n" * 30_000)
    assert fewest("train", "many.csv", "-t", "class", "-o", "m").code == 0
    command = f"{sys.executable} -m fewest predict m many.csv | head -n 2"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("row,predicted\n0,p\n", "")


def test_unseen_values_are_counted(fewest, model, write):
    write("new.csv", "outlook,windy,humidity\nhail,no,80\nrain,maybe,80\nrain,,80\n")
    run = fewest("predict", model, "new.csv")
    assert [record["predicted"] for record in records(run.out)] == ["yes", "no", "no"]
    assert "note: 2 rows have values that the training data did not have" in run.err


def test_accuracy_counts_what_is_labelled(fewest, model, write):
    write("new.csv", "outlook,windy,humidity,truth\nrain,no,80,yes\nrain,no,80,sometimes\nrain,yes,80,\n")
    run = fewest("predict", model, "new.csv", "--target", "truth")
    assert "1 of 2 rows are predicted right (50.0%), 1 without a class not counted" in run.err


def test_what_does_not_fit_is_named(fewest, model, write):
    write("new.csv", "outlook,humidity\nrain,damp\n")
    run = fewest("predict", model, "new.csv")
    assert (run.code, run.out) == (2, "")
    assert "lacks the column 'windy'" in run.err
    assert "'humidity' was numeric when the model was trained and is nominal now" in run.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["predict", "nowhere.model", "weather.csv"], "There is no model 'nowhere.model'"),
        (["predict", "weather.csv", "weather.csv"], "'weather.csv' is no model"),
        (["predict", "play.model", "nowhere.csv"], "There is no file 'nowhere.csv'"),
        (["predict", "play.model", "weather.csv", "-t", "plays"], "Did you mean 'play'?"),
        (["predict", "play.model", "weather.csv", "-o", "no/where.csv"], "its folder does not exist"),
        (["train", "weather.csv", "-t", "play", "-o", "no/where"], "its folder does not exist"),
        (["train", "weather.csv", "-t", "play", "--learner", "c4.5"], "'c4.5' is not one of"),
        (["train", "weather.csv", "-t", "play", "--time-limit", "soon"], "is no time"),
    ],
)
def test_mistakes(fewest, model, arguments, message):
    run = fewest(*arguments)
    assert (run.code, run.out) == (2, "")
    assert message in run.err


def test_selection_out_of_time_is_told_by_the_exit_code(fewest):
    run = fewest("train", "fewest:votes", "-t", "party", "--select", "focus1", "--time-limit", "0", "-o", "m")
    assert run.code == 3
    assert "Stopped by the time limit" in run.err
    assert fewest("predict", "m", "fewest:votes").code == 0


@pytest.mark.parametrize("learner", ["id3", "fringe", "winnow2", "logistic", "id3 in blocks", "winnow2 in blocks"])
def test_learning_out_of_time_keeps_what_was_learned(fewest, learner):
    name, *blocks = learner.split(" in ")
    options = ("-l", name, *(("--engine", "stream") if blocks else ()))
    run = fewest("train", "fewest:votes", "-t", "party", *options, "--time-limit", "0", "-o", "m", "-f", "json")
    found = json.loads(run.out)
    assert (run.code, found["stopped_by"], found["cross_validation"]) == (3, "time limit", None)
    assert f"The time limit ended {name}, and the model is what was learned by then" in run.err
    assert "up to the clock" in " ".join(found["notes"])
    assert found["accuracy"] > 0.6  # what is most frequent, at the least
    assert fewest("predict", "m", "fewest:votes").code == 0
    assert fewest("train", "fewest:votes", "-t", "party", *options, "--time-limit", "none", "--cv", "0").code == 0


def test_one_class_and_nothing_but_the_target(fewest, write):
    write("one.csv", "a,class\n1,x\n2,x\n")
    run = fewest("train", "one.csv", "-t", "class", "--select", "wg", "-o", "m")
    assert (run.code, "It tests none of 1 features" in run.out) == (0, True)
    assert fewest("predict", "m", "one.csv").out == "row,predicted\n0,x\n1,x\n"
    write("bare.csv", "class\nx\ny\ny\n")
    assert fewest("train", "bare.csv", "-t", "class", "-o", "m").code == 0
    assert fewest("predict", "m", "bare.csv").out == "row,predicted\n0,y\n1,y\n2,y\n"


def test_the_command_and_the_library_share_models(fewest, tmp_path):
    assert fewest("train", "fewest:votes", "-t", "party", "-o", "cli.model").code == 0
    X, y = load_votes(return_X_y=True)
    package.ID3Classifier().fit(X, y).save(tmp_path / "library.model")
    assert package.load_model(tmp_path / "cli.model").predict(X).tolist() == y
    assert fewest("predict", "library.model", "fewest:votes").out == fewest("predict", "cli.model", "fewest:votes").out


def test_an_interrupted_copy_is_refused(fewest, model, tmp_path):
    shutil.copy(tmp_path / model, tmp_path / "cut.model")
    with (tmp_path / "cut.model").open("r+b") as file:
        file.truncate(500)
    run = fewest("predict", "cut.model", "weather.csv")
    assert (run.code, "damaged or cut short" in run.err) == (2, True)


def test_relief_selects_for_a_tree(fewest):
    fewest("generate", "parity", "-n", "300", "--seed", "1", "-o", "parity.csv")
    done = fewest("train", "parity.csv", "-t", "class", "--select", "relieff", "--format", "json")
    result = json.loads(done.out)
    assert (done.code, result["selected"], result["accuracy"]) == (0, ["f1", "f2", "f3"], 1.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--select", "rrelieff"], "such as relieff"),
        (["--select", "relief", "--tolerance", "0.1"], "not for relief"),
    ],
)
def test_selections_that_do_not_fit_are_refused(fewest, options, message):
    done = fewest("train", "fewest:votes", "-t", "party", *options)
    assert (done.code, message in done.err) == (2, True)


def test_feature_partitions_are_told_shown_and_drawn(fewest, write, tmp_path):
    write("f.csv", "f1,f2,class\n1,7,+\n2,8,+\n3,5,-\n4,6,-\n")
    run = fewest("train", "f.csv", "-t", "class", "-l", "cfp", "--limit", "2", "--show", "--plot", "f.svg", "-o", "m")
    assert (run.code, run.err) == (0, "")
    first, *rest = run.out.splitlines()
    assert first.startswith("4 partitions predict class right for 4 of 4 training rows, 100.0% (cfp, ")
    assert "  [1, 2]  +  (2)" in rest
    assert "class +: (1 ≤ f1 & f1 ≤ 2 & f2 < 5) or" in rest
    assert "<svg" in (tmp_path / "f.svg").read_text(encoding="utf-8")
    run = fewest("predict", "m", "-", "--proba", stdin="f2,f1\n7,1\n,3.5\n0,0\n")
    assert run.out == "row,predicted,p(+),p(-)\n0,+,1,0\n1,-,0,1\n2,+,0.5,0.5\n"
    assert "Nothing decides about 1 row: the most frequent class is given" in run.err
    run = fewest("predict", "m", "-", "--abstain", "?", stdin="f2,f1\n7,1\n,3.5\n0,0\n")
    assert (run.out, run.err) == ("row,predicted\n0,+\n1,-\n2,?\n", "")


def test_feature_partitions_as_json_and_after_a_selector(fewest, weather):
    run = fewest("train", weather, "-t", "play", "-l", "cfp", "--select", "wg", "-o", "m", "--show", "-f", "json")
    result = json.loads(run.out)
    assert (result["selected"], result["features_used"], result["n_partitions"]) == (["windy"], ["windy"], 2)
    assert (result["delta"], result["limits"], result["accuracy"]) == (2.0, {"windy": 0.0}, 1.0)
    assert result["rules"][0] == "class no: (windy = yes)"
    assert [r["predicted"] for r in records(fewest("predict", "m", weather).out)] == ["no", "no", "yes", "yes"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["-l", "cfp", "--bins"], "--bins is for learners of nominal values"),
        (["--limit", "2"], "--limit, --delta and --vote are for --learner cfp"),
        (["-l", "cfp", "--limit", "near"], "A generalisation limit of 'near' is no distance"),
        (["-l", "cfp", "--vote", "loud"], "vote='loud' is not known"),
        (["-l", "cfp", "--delta", "100"], "delta=100.0 is no percentage"),
    ],
)
def test_options_of_another_learner(fewest, weather, options, words):
    run = fewest("train", weather, "-t", "play", *options)
    assert (run.code, words in run.err) == (2, True)


def test_text_after_many_numeric_values_restarts_a_file_and_ends_a_pipe(fewest, write, tmp_path):
    write("old.csv", "a,class\n1,p\nx,q\n1.0,q\n")
    assert fewest("train", "old.csv", "-t", "class", "-o", "m").code == 0
    write("new-0.csv", "a\n1\n1.0\n")
    write("new-1.csv", "a\nx\n")
    expected = "row,predicted\n0,p\n1,q\n2,q\n"
    write("new.csv", "a\n1\n1.0\nx\n")
    assert fewest("predict", "m", "new.csv").out == expected
    run = fewest("predict", "m", "new-*.csv", "-o", "out.csv")
    assert (run.code, run.err) == (0, "")
    assert (tmp_path / "out.csv").read_text() == expected
    n_files = 2 * os.cpu_count() + 4  # more than are under way when the first is written
    for number in range(n_files):
        write(f"digits-{number:03}.csv", "a\n1\n0\n")
    write("digits-x.csv", "a\n5\nx\n")
    write("digits.csv", "a,class\n1,p\n0,q\n01,q\n")
    assert fewest("train", "digits.csv", "-t", "class", "-o", "m").code == 0
    run = fewest("predict", "m", "digits-*.csv")
    assert run.code == 2
    assert run.out.startswith("row,predicted\n0,p\n1,q\n2,p\n")
    assert "Write them to a file (-o FILE)" in run.err
    assert fewest("predict", "m", "digits-*.csv", "--kind", "a=nominal").code == 0


def test_no_model_is_cut_short_unasked(fewest, monkeypatch):
    monkeypatch.setattr("fewest.cli.train.DEFAULT_LIMIT", "0")
    command = ("train", "fewest:votes", "-t", "party", "-l", "id3", "--cv", "0", "-f", "json")
    unasked, asked = fewest(*command), fewest(*command, "--time-limit", "0")
    assert (unasked.code, json.loads(unasked.out)["stopped_by"]) == (0, None)
    assert (asked.code, json.loads(asked.out)["stopped_by"]) == (3, "time limit")
