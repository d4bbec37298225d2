"""``fewest wrap``."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from fewest.cli.wrap import Method, WrapLearner, run_wrapper, wrapper_options
from fewest.comparison.folds import Splitting
from fewest.table import from_frame, split_target
from fewest.wrapper import tables
from fewest.wrapper.options import OrderedFS2Options, OrderedFSOptions, WrapperOptions


@pytest.fixture
def halves(fewest, tmp_path):
    run = fewest("generate", "linear-threshold", "--irrelevant", 5, "--noise", 0.1, "-n", 200, "-o", "halves.csv")
    assert run.code == 0
    return "halves.csv"


def test_ordered_fs_keeps_what_matters_and_says_how_much_may_be_luck(fewest, halves, tmp_path):
    run = fewest(
        "wrap", halves, "-t", "class", "-m", "ordered-fs", "--estimator", "logistic",
        "--validation-fraction", 0.3, "--beam-width", 50,
        "--plot", "sizes.svg",
    )  # fmt: skip
    assert run.code == 0
    assert re.match(r"\d of 6 features (is|are) kept to predict class: hold-out error 0\.\d+ \(ordered-fs, ", run.out)
    assert "\n  f1\n" in run.out
    assert run.out.count("<- chosen") == 1
    assert "7 hypotheses were compared on 60 hold-out rows" in run.out
    assert "hold-out error" in (tmp_path / "sizes.svg").read_text()


def test_features_of_pure_noise_are_doubted_and_those_that_matter_are_not(fewest, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (200, 6))
    for name, classes in {"noise.csv": rng.integers(0, 2, 200), "told.csv": X[:, 2]}.items():
        pd.DataFrame(X, columns=list("abcdef")).assign(y=classes).to_csv(tmp_path / name, index=False)
    told = fewest("wrap", "told.csv", "-t", "y", "--keep-all", "-f", "json")
    assert json.loads(told.out)["doubt"] is None
    noise = fewest("wrap", "noise.csv", "-t", "y")
    chosen = re.match(r"(None|\d)", noise.out)[0]
    assert (
        chosen == "None" or "there may be nothing in these features" in noise.out.split("\n")[2]
    )  # before their names


@pytest.mark.parametrize("learner", ["nb", "lda", "tree", "knn", "id3"])
def test_every_learner_takes_names_and_missing_values(fewest, learner):
    run = fewest(
        "wrap", "fewest:votes", "-t", "party", "-m", "standard-wrap", "--estimator", learner,
        "--max-features", 2, "--beam-width", 1, "-f", "json",
    )  # fmt: skip
    found = json.loads(run.out)
    assert found["estimator"] == learner
    assert [record["n_features"] for record in found["history"]] == [0, 1, 2]
    assert found["features"][0] in ("physician-fee-freeze", "adoption-of-the-budget-resolution")
    assert found["holdout_error"] < 0.1
    assert found["bound"]["n_compared"] == str(1 + 16 + 120)


def test_regression_targets(fewest, tmp_path):
    rows = [f"{i / 2},{i % 7},{3 * i + i % 2}" for i in range(40)]
    (tmp_path / "line.csv").write_text("a,b,c\n" + "\n".join(rows) + "\n")
    found = json.loads(
        fewest("wrap", "line.csv", "-t", "c", "-m", "ordered-fs", "--estimator", "linear", "-f", "json").out
    )
    assert "a" in found["features"]
    assert found["bound"] is None
    assert found["evaluation"] == "least-squares"


@pytest.mark.parametrize(
    ("learner", "classes", "n_jobs"),
    [("nb", "xyz", -1), ("logistic", "xy", -1), ("logistic", "xyz", -1), ("tree", "xy", None)],
)
def test_learners_that_share_their_work_on_threads_use_all_cores(monkeypatch, learner, classes, n_jobs):
    asked, search = [], tables.wrap
    monkeypatch.setattr(tables, "wrap", lambda *given: (asked.append(given[2].n_jobs), search(*given))[1])
    frame = pd.DataFrame({"a": range(30), "b": [i % 7 for i in range(30)], "c": list(classes) * (30 // len(classes))})
    options = wrapper_options(Method.ORDERED_FS, WrapLearner(learner), max_features=1)
    run_wrapper(WrapLearner(learner), *split_target(from_frame(frame), "c"), options, Splitting())
    assert asked == [n_jobs]


def test_ordered_fs2_has_two_shares_and_jsonl_has_a_line_a_size(fewest, halves):
    run = fewest("wrap", halves, "-t", "class", "-m", "ordered-fs2", "--split-fractions", "0.5,0.3,0.2", "-f", "jsonl")
    records = [json.loads(line) for line in run.out.splitlines()]
    assert [record["n_features"] for record in records] == list(range(7))
    assert all("second_holdout_error" in record for record in records)


def test_included_features_stay(fewest, halves):
    found = json.loads(fewest("wrap", halves, "-t", "class", "-m", "ordered-fs", "--include", "f4", "-f", "json").out)
    assert all("f4" in record["features"] for record in found["history"])


def test_a_checkpoint_is_gone_on_from(fewest, halves, tmp_path):
    options = ("wrap", halves, "-t", "class", "-m", "standard-wrap", "--checkpoint", "search.journal", "-f", "json")
    first = json.loads(fewest(*options).out)
    size = (tmp_path / "search.journal").stat().st_size
    again = json.loads(fewest(*options).out)
    assert (again["features"], again["history"]) == (first["features"], first["history"])
    assert (tmp_path / "search.journal").stat().st_size == size
    other = fewest(*options, "--beam-width", 2)
    assert other.code == 2
    assert "that of another search (other: beam_width)" in other.err


def test_a_time_limit_answers_with_the_sizes_so_far(fewest, halves):
    run = fewest("wrap", halves, "-t", "class", "-m", "standard-wrap", "--estimator", "knn", "--time-limit", "0")
    assert run.code == 3
    assert "stopped by the time limit" in run.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-m", "ordered-fs", "--validation-fraction", "1"), "--validation-fraction=1.0 leaves no rows"),
        (("-m", "ordered-fs", "--split-fractions", "0.5,0.2,0.3"), "Give --validation-fraction 0.3"),
        (("-m", "ordered-fs2", "--split-fractions", "a half"), "are no numbers"),
        (("-m", "ordered-fs2", "--validation-fraction", "0.3"), "Give --split-fractions 0.5,0.25,0.25"),
        (("-m", "ordered-fs2", "--split-fractions", "0.5,0.5"), "--split-fractions=(0.5, 0.5) are no three"),
        (("-m", "ordered-fs", "--label-noise", "0.5"), "leaves nothing to learn"),
        (("-m", "ordered-fs", "--search", "sideways"), "search='sideways' is not known"),
        (("-m", "ordered-fs", "--tolerance", "0.1"), "No such option: --tolerance"),
        (("-m", "ordered-fs", "--threshold", "0.1"), "No such option: --threshold"),
        (("-m", "ordered-fs", "--core"), "No such option: --core"),
        (("-m", "wg", "--beam-width", "3"), "wg is a method of `fewest select`, not of `fewest wrap`"),
        (("-m", "ordered-fs", "--plot", "x.xyz"), "x.xyz"),
        (("-m", "ordered-fs", "--include", "nobody"), "nobody"),
    ],
)
def test_requests_that_cannot_be_met(fewest, halves, options, message):
    run = fewest("wrap", halves, "-t", "class", *options)
    assert run.code == 2
    assert message in run.err
    assert "Traceback" not in run.err


def test_a_tree_is_trained_on_what_a_wrapper_keeps(fewest):
    assert fewest("generate", "parity", "--rows", 80, "--relevant", 2, "--irrelevant", 2, "-o", "p.csv").code == 0
    run = fewest("train", "p.csv", "-t", "class", "--select", "ordered-fs2", "-f", "json")
    found = json.loads(run.out)
    assert run.code == 0
    assert found["select"] == "ordered-fs2"
    assert found["selected"] == ["f1", "f2"]
    refused = fewest("train", "fewest:votes", "-t", "party", "--select", "ordered-fs", "--learner", "cfp")
    assert refused.code == 2
    assert "asks a tree" in refused.err


def test_one_class_is_no_stack_trace(fewest, tmp_path):
    (tmp_path / "one.csv").write_text("a,class\n1,x\n2,x\n")
    run = fewest("wrap", "one.csv", "-t", "class", "-m", "ordered-fs")
    assert run.code == 2
    assert "Every row has the same class" in run.err
    assert "Traceback" not in run.err


@pytest.mark.parametrize("learner", ["logistic", "lda", "nb", "tree", "knn"])
@pytest.mark.parametrize("n_rows", [2, 3])
def test_few_rows_are_no_stack_trace(fewest, tmp_path, learner, n_rows):
    (tmp_path / "few.csv").write_text("".join(["a,b,class\n", "1,2,x\n", "2,3,y\n", "4,4,x\n"][: n_rows + 1]))
    run = fewest("wrap", "few.csv", "-t", "class", "--estimator", learner)
    assert run.code in (0, 2)
    assert run.code == 0 or "Give more rows, or another estimator." in " ".join(run.err.split())
    assert "Traceback" not in run.err


def test_infinite_values_are_refused_by_name(fewest, tmp_path):
    (tmp_path / "inf.csv").write_text("a,b,class\n1,2,x\ninf,3,y\n2,4,x\n3,1,y\n4,4,x\n5,9,y\n")
    run = fewest("wrap", "inf.csv", "-t", "class")
    assert run.code == 2
    assert "The column a has infinite values" in run.err
    assert fewest("wrap", "inf.csv", "-t", "class", "--drop", "a").code == 0


def test_help_shows_the_defaults_of_the_options(fewest):
    shown = " ".join(fewest("wrap", "--help").out.split())
    assert f"Subsets of each size to extend. [default: {WrapperOptions.beam_width};" in shown
    assert f"The share of the rows that are held out ({OrderedFSOptions.validation_fraction})." in shown
    shares = ",".join(map(str, OrderedFS2Options.split_fractions))
    assert f"both parts held out ({shares})." in shown


@pytest.fixture
def rare(tmp_path):
    """One row in twelve is of the class that x speaks for, never more probable than not; a name a row beside it."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=360)
    is_rare = rng.random(360) < 0.3 / (1 + np.exp(-3 * (x - 1)))
    names = [f"town {k}" for k in rng.integers(0, 150, 360)]
    frame = pd.DataFrame({"x": x, "noise": rng.normal(size=360), "town": names, "y": np.where(is_rare, "a", "b")})
    frame.to_csv(tmp_path / "rare.csv", index=False)
    return "rare.csv"


def test_a_rare_class_is_judged_by_a_score_and_accuracy_by_option(fewest, rare):
    run = fewest("wrap", rare, "-t", "y", "--report", "page.html", "--plot", "sizes.svg")
    assert "to predict y: hold-out roc_auc 0.9" in run.out
    assert "Not selected: town, with so many categories" in run.err
    found = json.loads(fewest("wrap", rare, "-t", "y", "-f", "json").out)
    assert (found["scoring"], found["features"][0], found["bound"]) == ("roc_auc", "x", None)
    assert found["holdout_error"] < -0.7
    by_error = json.loads(fewest("wrap", rare, "-t", "y", "--scoring", "accuracy", "-f", "json").out)
    assert (by_error["scoring"], by_error["bound"] is not None) == (None, True)
    assert 0 <= by_error["holdout_error"] < 0.2


def test_the_page_and_the_drawing_of_a_score(fewest, rare, tmp_path):
    fewest("wrap", rare, "-t", "y", "--scoring", "average_precision", "--report", "page.html", "--plot", "sizes.svg")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "what the learner scores with it (average_precision)" in page
    assert "With them, logistic scores 0." in page
    assert (tmp_path / "sizes.svg").stat().st_size > 1000


def test_a_score_that_does_not_exist_is_refused(fewest, rare):
    run = fewest("wrap", rare, "-t", "y", "--scoring", "best")
    assert (run.code, "scoring" in run.err) == (2, True)
