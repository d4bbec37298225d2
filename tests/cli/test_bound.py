import json

import pytest

from fewest.bounds.catalogue import all_bounds

BOUNDS = all_bounds()


def test_bounds_are_listed(fewest):
    lines = fewest("bound").out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(BOUNDS)
    listed = json.loads(fewest("bound", "--format", "json").out)
    assert [entry["name"] for entry in listed["bounds"]] == list(BOUNDS)


def test_a_bound_is_explained(fewest):
    outcome = fewest("bound", "winnow1")
    assert outcome.code == 0
    assert "--theta" in outcome.out
    assert "by default n / 2" in outcome.out


def test_the_number_and_the_sentence(fewest):
    out = fewest("bound", "min-features", "--n", 100, "--p", 3, "--epsilon", "0.1", "--delta=0.05").out
    assert out.startswith("m = 224\n\nWith 100 features")
    asked = ("bound", "min-features", "--n", 100, "--p", 3, "--m", 1000, "--delta", 0.05, "--format", "json")
    answer = json.loads(fewest(*asked).out)
    assert (answer["asked"], round(answer["value"], 6)) == ("epsilon", 0.022356)


def test_a_sweep_is_printed_and_drawn(fewest, tmp_path):
    out = fewest("bound", "winnow1", "--k", 5, "--sweep", "n=10:1000:3", "--plot", "winnow.svg").out
    assert [line.split()[0] for line in out.splitlines()] == ["n", "10", "100", "1,000"]
    assert "<svg" in (tmp_path / "winnow.svg").read_text()
    lines = fewest("bound", "cfp-limit", "--sweep", "epsilon=0.1:0.3:3", "--format", "jsonl").out.splitlines()
    assert [json.loads(line)["value"] for line in lines] == pytest.approx([0.2, 0.4, 0.6])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["max-features"], "is not known"),
        (["min-features", "--n", "100"], "4 are missing"),
        (["min-features", "--n"], "needs one value"),
        (["min-features", "--n", "3", "--n", "4"], "needs one value"),
        (["min-features", "100"], "no option"),
        (["min-features", "--n", "many"], "not a whole number"),
        (["winnow1", "--k", "5", "--sweep", "n"], "no range"),
        (["winnow1", "--k", "5", "--sweep", "n=10:1"], "first end"),
        (["winnow1", "--k", "5", "--sweep", "q=1:10"], "is not known"),
        (["winnow1", "--k", "5", "--n", "9", "--plot", "x.svg"], "needs --sweep"),
    ],
)
def test_mistakes_are_explained(fewest, arguments, told):
    outcome = fewest("bound", *arguments)
    assert outcome.code == 2
    assert told in outcome.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("different-subsets", "--f", 100_000, "--d", 5), "N = 2.9971e+30088"),
        (("focus1-tests", "--n", 50_000, "--p", 25_000), "e+15051"),
    ],
)
def test_numbers_beyond_reading_are_rounded(fewest, arguments, told):
    run = fewest("bound", *arguments)
    assert (run.code, told in run.out) == (0, True), run.out + run.err
    value = json.loads(fewest("bound", *arguments, "--format", "json").out)["value"]
    assert value in run.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("min-features", "--n", 10**10, "--p", 10**9, "--epsilon", 0.1, "--delta", 0.1),
        ("focus1-tests", "--n", 10**9, "--p", 10**8),
        ("different-subsets", "--f", 10**15, "--d", 10**6),
        ("focus1-tests", "--n", 4 * 10**6, "--p", 2 * 10**6),
    ],
)
def test_numbers_beyond_calculating_are_refused(fewest, arguments):
    run = fewest("bound", *arguments)
    assert (run.code, "larger than any number that could be written down" in run.err) == (2, True), run.err


def test_a_curve_leaves_out_what_no_axis_has(fewest, tmp_path):
    run = fewest("bound", "focus1-tests", "--n", 5000, "--sweep", "p=10:2000", "--plot", "curve.svg")
    assert run.code == 0, run.err
    assert "<svg" in (tmp_path / "curve.svg").read_text(encoding="utf-8")


def test_conditions_on_huge_numbers_are_checked(fewest):
    huge = ("bound", "dnf-vc", "--n", 10**9, "--k", 10**8, "--l", 3)
    assert fewest(*huge, "--m", 2 * 10**8).out.startswith("d = 600,000,000")
    assert "comb(m, k) >= l" in fewest(*huge, "--m", 10**8).err
