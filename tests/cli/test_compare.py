import json
import shlex

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
    assert "\n* min-features " in run.out
    assert "To run it alone: fewest select parity.csv --target class --method min-features" in run.out
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Use min-features" in page
    assert "Do the methods agree?" in page


@pytest.mark.parametrize("method", [c for c in SELECTORS.values() if c.how], ids=lambda method: method.name)
def test_the_command_that_runs_a_method_alone_works(fewest, generated, method):
    recommendation = {"how": method.how.format(n=2, tolerance=0.01)}
    facts = {"data": generated, "target": "class", "has_measurements": True, "recommendation": recommendation}
    command = how_to_select(facts)
    if not command.startswith("fewest "):
        assert command == "fewest.ReliefThenCover()"
        return
    run = fewest(*shlex.split(command)[1:], "--format", "json")
    assert run.code in (0, 1), run.err
    assert json.loads(run.out)["command"] == command.split()[1]


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
