import json
import shlex

import numpy as np
import pytest

from fewest.comparison.selectors import SELECTORS
from fewest.report.comparison_page import how_to_select


@pytest.fixture
def generated(fewest):
    assert fewest("generate", "parity", "--rows", "80", "--irrelevant", "4", "-o", "parity.csv").code == 0
    return "parity.csv"


def test_the_answer_for_people(fewest, generated, tmp_path):
    run = fewest(
        "compare", generated, "-t", "class", "--methods", "min-features,mig", "--learner", "tree", "--repeats", "1",
        "--report", "page.html",
    )  # fmt: skip
    assert run.code == 0, run.err
    assert run.out.startswith("Use min-features (the fewest that tell all apart): its 3 of 7 features predict with")
    assert run.out.splitlines()[1] == "They are: f1, f2, f3."
    assert "\n* min-features " in run.out
    assert "To run it alone: fewest select parity.csv --target class --method min-features" in run.out
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Use min-features" in page
    assert "Do the methods agree?" in page


@pytest.mark.parametrize("method", [c for c in SELECTORS.values() if c.how], ids=lambda method: method.name)
def test_the_command_that_runs_a_method_alone_works(fewest, generated, method):
    recommendation = {"how": method.how.format(n=2, tolerance=0.01, seed=0)}
    facts = {"data": generated, "target": "class", "has_measurements": True, "recommendation": recommendation}
    command = how_to_select(facts)
    if not command.startswith("fewest "):
        assert command == "fewest.ReliefThenCover()"
        return
    run = fewest(*shlex.split(command)[1:], "--format", "json")
    assert run.code in (0, 1), run.err
    assert json.loads(run.out)["command"] == command.split()[1]


@pytest.mark.parametrize("method", ["min-features", "tolerant", "wg"])
def test_the_command_reproduces_the_features_of_the_answer(fewest, tmp_path, method):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 8)).round(3)
    X[:, 4] = X[:, 0] + 0.1 * rng.normal(size=150)  # stands for the first, nearly
    y = np.where((X[:, 0] > 0.2) & (X[:, 1] > -0.3), "yes", "no")
    lines = [",".join([*map(str, row), label]) for row, label in zip(X.tolist(), y, strict=True)]
    (tmp_path / "data.csv").write_text("\n".join(["a,b,c,d,e,f,g,h,target", *lines]))
    options = ("-m", method, "-l", "neighbors", "--repeats", "1", "--format", "json")  # for whom noise is worst
    run = fewest("compare", "data.csv", "-t", "target", *options)
    recommendation = json.loads(run.out)["recommendation"]
    command = how_to_select(json.loads(run.out))
    assert recommendation["method"] == method
    again = fewest(*shlex.split(command)[1:], "--format", "json")
    assert json.loads(again.out)["features"] == recommendation["features"]


def test_the_command_reads_the_data_in_the_same_way(fewest, tmp_path):
    rng = np.random.default_rng(0)
    x, patient = rng.normal(size=(90, 3)), np.repeat(np.arange(30), 3)
    y = np.where(x[:, 0] + x[:, 1] > 0, "yes", "no")
    rows = ["".join(f"{value:.3f};".replace(".", ",") for value in row) for row in x.tolist()]
    lines = [f"{row}{who};{label};{label}" for row, who, label in zip(rows, patient, y, strict=True)]
    (tmp_path / "data.csv").write_text("\n".join(["a;b;c;patient;leak;ill", *lines]))
    read = ("--drop", "leak", "--decimal", ",", "--delimiter", ";")
    judged = ("--groups", "patient", "--scoring", "balanced_accuracy", "--repeats", "1", "-l", "logistic")
    result = json.loads(fewest("compare", "data.csv", "-t", "ill", "-m", "l1", *read, *judged, "-f", "json").out)
    command = how_to_select(result)
    assert command == (
        "fewest compare data.csv --target ill --drop leak --delimiter ';' --decimal , --groups patient --scoring "
        "balanced_accuracy --repeats 1 --learner logistic --methods l1 --seed 0"
    )
    again = json.loads(fewest(*shlex.split(command)[1:], "--format", "json").out)
    assert again["recommendation"]["features"] == result["recommendation"]["features"] == ["a", "b"]
    result["recommendation"]["how"] = "fewest select --method wg"
    assert how_to_select(result).endswith("--drop leak --delimiter ';' --decimal , --drop patient --method wg")


def test_json_carries_everything(fewest, generated):
    run = fewest(
        "compare", generated, "-t", "class", "-m", "relieff", "-l", "tree", "--repeats", "1", "--format", "json"
    )
    result = json.loads(run.out)
    assert (result["schema_version"], result["command"], result["n_folds"]) == (1, "compare", 5)
    assert [method["method"] for method in result["methods"]] == ["all", "relieff"]
    assert set(result["methods"][0]) >= {"score", "low", "high", "metrics", "n_features", "stability", "seconds"}
    assert result["agreement"]["matrix"][1][1] == pytest.approx(1.0)


def test_no_time_is_told(fewest, generated):
    run = fewest("compare", generated, "-t", "class", "-m", "wg,relieff", "-l", "tree", "--time-limit", "0")
    assert (run.code, run.out) == (2, "")
    assert "leaves no time for any method" in run.err


def test_a_method_that_does_not_exist_is_refused(fewest, generated):
    run = fewest("compare", generated, "-t", "class", "--methods", "best")
    assert (run.code, run.out) == (2, "")
    assert "'best'" in run.err


@pytest.fixture
def visits(tmp_path):
    """Write visits of patients, whose class is the patient's and whose measurements give the patient away."""
    import numpy as np

    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(30), 4)
    x, ill = rng.normal(size=30)[patient] + 0.001 * rng.normal(size=120), rng.integers(0, 2, 30)[patient]
    day, dose = rng.permutation(120), 2 * x + 0.3 * rng.normal(size=120)
    rows = [f"p{p},{d},{a:.4f},{b:.4f},{c}" for p, d, a, b, c in zip(patient, day, x, dose, ill, strict=True)]
    (tmp_path / "visits.csv").write_text("\n".join(["patient,day,x,dose,ill", *rows]) + "\n", encoding="utf-8")
    return "visits.csv"


def compared(fewest, *options):
    run = fewest("compare", *options, "--methods", "univariate", "--repeats", "1", "--format", "json")
    assert run.code in (0, 1), run.err
    return json.loads(run.out)


def test_groups_and_time_keep_rows_apart_and_are_no_features(fewest, visits):
    apart = compared(fewest, visits, "-t", "ill", "--groups", "patient", "--learner", "neighbors")
    assert apart["folds"] == "the rows of a group are never on both sides"
    assert "patient" not in {record["feature"] for record in apart["frequency"]}
    mixed = compared(fewest, visits, "-t", "ill", "--drop", "patient", "--learner", "neighbors")
    assert mixed["methods"][1]["score"] > apart["methods"][1]["score"] + 0.1
    ordered = compared(fewest, visits, "-t", "ill", "--drop", "patient", "--time", "day", "--folds", "3")
    assert (ordered["folds"], ordered["n_folds"]) == ("only earlier rows learn, and later ones judge", 3)


def test_a_numeric_target_and_a_scoring(fewest, visits):
    result = compared(fewest, visits, "-t", "dose", "--drop", "patient")
    assert (result["task"], result["scoring"]) == ("regression", "r2")
    assert result["recommendation"]["how"].startswith("fewest compare --methods univariate")
    result = compared(fewest, visits, "-t", "ill", "--drop", "patient", "--scoring", "neg_log_loss")
    assert result["scoring"] == "neg_log_loss"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--groups", "patient", "--time", "day"], "not by both"),
        (["--groups", "hospital"], "hospital"),
        (["--scoring", "best"], "scoring"),
        (["--task", "ranking"], "task"),
    ],
)
def test_options_that_mean_nothing_are_refused(fewest, visits, options, said):
    run = fewest("compare", visits, "-t", "ill", *options)
    assert (run.code, run.out) == (2, "")
    assert said in run.err


def test_a_page_about_a_numeric_target(fewest, visits, tmp_path):
    run = fewest("report", visits, "-t", "dose", "--drop", "patient", "-o", "page.html", "--time-limit", "none")
    assert run.code == 0, run.err
    assert "R2" in run.out
    assert "RMSE" in (tmp_path / "page.html").read_text(encoding="utf-8")
