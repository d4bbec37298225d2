"""What the verbs say of the data before they use it, and what they leave out."""

import json

import numpy as np
import pytest

VERBS = {
    "select": ["--method", "mig", "--bins"],
    "rank": [],
    "wrap": ["--estimator", "nb"],
    "train": [],
    "compare": ["--methods", "wg", "--folds", "2", "--repeats", "1"],
}
SAID = (
    "fewest: warning: Possible leak: reason is filled exactly where gone is 1. If it is not known before gone is, "
    "whatever is found with it is worthless: leave it out with --drop reason.\n"
    "fewest: note: Left out: customer (names the rows); land (one value only); calls_dup (repeats calls). --keep "
    "customer brings that one back, --keep-all all of them.\n"
)


@pytest.fixture
def customers(write):
    rng = np.random.default_rng(0)
    lines = ["customer,land,calls,calls_dup,plan,reason,gone"]
    for i, (calls, plan) in enumerate(zip(rng.integers(0, 4, 150), rng.integers(0, 3, 150), strict=True)):
        gone = int(calls + (rng.random() < 0.2) > 2)
        lines.append(f"K{i:04},AT,{calls},{calls},{'abc'[plan]},{['price', 'service'][i % 2] if gone else ''},{gone}")
    return write("customers.csv", "\n".join(lines) + "\n")


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_says_what_it_leaves_out(fewest, customers, verb):
    run = fewest(verb, customers, "-t", "gone", *VERBS[verb], "--format", "json")
    assert run.err.startswith(SAID)
    result = json.loads(run.out)
    screening = result["screening"]
    assert (screening["leaks"], screening["left_out"]) == (["reason"], ["customer", "land", "calls_dup"])
    assert result["n_features"] == 3
    assert SAID.splitlines()[1].removeprefix("fewest: note: ") in result["notes"]


@pytest.mark.parametrize("verb", ["select", "rank", "train"])
def test_columns_are_brought_back(fewest, customers, verb):
    run = fewest(verb, customers, "-t", "gone", *VERBS[verb], "--keep", "cust*", "--format", "json")
    result = json.loads(run.out)
    assert (result["screening"]["left_out"], result["n_features"]) == (["land", "calls_dup"], 4)
    assert "Kept all the same: customer has a different value in every row." in run.err
    run = fewest(verb, customers, "-t", "gone", *VERBS[verb], "--keep-all", "--format", "json")
    result = json.loads(run.out)
    assert (result["screening"]["left_out"], result["n_features"]) == ([], 6)


def test_keep_names_columns_that_are_there(fewest, customers):
    run = fewest("select", customers, "-t", "gone", "--keep", "custmer")
    assert run.code == 2
    assert "There is no column 'custmer'" in run.err


def test_an_included_column_is_not_left_out(fewest, customers):
    run = fewest("select", customers, "-t", "gone", "--include", "calls_dup", "--format", "json")
    result = json.loads(run.out)
    assert result["screening"]["left_out"] == ["customer", "land", "calls"]
    assert "calls_dup" in result["features"]


def test_costs_of_what_is_left_out_do_not_matter(fewest, customers, write):
    costs = write("costs.csv", "customer,1\ncalls,2\n")
    assert fewest("select", customers, "-t", "gone", "--costs", costs).code == 0


def test_when_all_is_left_out_there_is_an_error(fewest, customers):
    run = fewest("rank", customers, "-t", "gone", "--drop", "calls*", "--drop", "plan", "--drop", "reason")
    assert run.code == 2
    assert "No column is left to predict gone with. Left out: customer" in run.err


def test_a_clean_table_is_not_talked_about(fewest):
    run = fewest("select", "fewest:votes", "-t", "party", "--format", "json")
    assert run.err == ""
    assert json.loads(run.out)["screening"] == {
        "leaks": [],
        "alarms": [],
        "left_out": [],
        "findings": [],
        "sentences": [],
    }


def test_rows_in_blocks_are_looked_at_by_the_first(fewest, customers):
    run = fewest("select", customers, "-t", "gone", "--engine", "stream", "--format", "json")
    assert run.err.startswith(SAID)
    assert json.loads(run.out)["n_features"] == 3


def test_sufficient_only_mentions(fewest, customers):
    run = fewest("sufficient", customers, "-t", "gone", "--features", "customer,reason")
    assert run.code == 0
    assert "Possible leak: reason" in run.err
    assert "customer has a different value in every row: that it tells rows apart means nothing." in run.err


def test_a_certificate_of_what_is_left_holds(fewest, customers):
    run = fewest("select", customers, "-t", "gone", "--certificate", "proof.json")
    assert run.code == 0
    assert fewest("verify", "proof.json", customers).code == 0


def test_a_page_begins_with_the_leaks(fewest, customers, tmp_path):
    fewest("rank", customers, "-t", "gone", "--report", "page.html")
    page = (tmp_path / "page.html").read_text()
    alarm, answer = page.index("Possible leak: reason is filled"), page.index('id="answer"')
    assert alarm < answer
    assert "What the data looks like" in page
    assert '<th scope="row">customer</th><td>key</td><td>has a different value in every row</td><td>left out' in page


def test_what_a_leak_predicts_is_doubted_where_it_is_stated(fewest, customers):
    doubt = "That means nothing if reason gives it away."
    assert fewest("select", customers, "-t", "gone").out.rstrip().endswith(doubt)
    assert doubt not in fewest("select", customers, "-t", "gone", "--drop", "reason").out
