"""The verbs together: what ``--help`` shows, and which verb has which method."""

import inspect
import re
import subprocess
import sys

import pytest

from fewest.cli.app import RENAMED, VERBS, WITH_METHODS, function, methods, spread
from fewest.cli.engines import EngineName, Where
from fewest.cli.options import Parsing


@pytest.mark.parametrize("verb", VERBS)
def test_help_shows_examples_and_groups_options(fewest, verb):
    run = fewest(verb, "--help")
    assert (run.code, run.err) == (0, "")
    assert re.search(rf"^  fewest {verb}\b", run.out, flags=re.MULTILINE)
    assert "\nOptions:\n" in run.out


@pytest.mark.parametrize("verb", VERBS)
def test_the_list_of_verbs_has_the_first_line_of_each(verb):
    assert VERBS[verb] == function(verb).__doc__.splitlines()[0]


def test_a_group_of_options_is_spread_over_the_verb_and_gathered_again():
    got = []

    def verb(data: str, *, where: Where, limit: int = 1, parsing: Parsing) -> None:
        got.append((data, where, limit, parsing))

    run = spread(verb)
    names = ["data", "engine", "scheduler", "workers", "limit"]
    assert list(inspect.signature(run).parameters)[:6] == [*names, "kinds"]
    defaults = {name: each.default for name, each in inspect.signature(run).parameters.items() if name != "data"}
    run(data="a.csv", **defaults | {"workers": 2, "encoding": "latin-1"})
    assert got == [("a.csv", Where(EngineName.AUTO, None, 2), 1, Parsing(encoding="latin-1"))]


def test_help_imports_no_verb():
    script = (
        "import atexit, sys; from fewest.cli.app import VERBS, run; sys.argv[1:] = ['--help']; "
        "atexit.register(lambda: print([verb for verb in VERBS if f'fewest.cli.{verb}' in sys.modules])); run()"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    for verb, line in VERBS.items():  # whole: a line that is cut says nothing
        assert re.search(rf"^  {verb} +{re.escape(line.removesuffix('.'))}", run.stdout, flags=re.MULTILINE)
    assert run.stdout.endswith("\n[]\n")


@pytest.mark.parametrize("verb", WITH_METHODS)
def test_help_shows_a_verbs_own_options_in_panels(fewest, verb):
    help_text = fewest(verb, "--help").out
    panels = re.findall(r"^(\w.*):$", help_text, flags=re.MULTILINE)
    assert panels[:2] == ["Data", "What to find"]
    assert {"Output", "Where it runs, and how long"} < set(panels)
    listed = re.escape("|".join(methods(verb)))
    assert re.search(rf"--method (<{listed}>|\[{listed}\])", help_text)  # older versions of typer have brackets
    own = {"select": "--certificate", "rank": "--neighbors", "wrap": "--validation-fraction"}
    assert {option for option in own.values() if option in help_text} == {own[verb]}


@pytest.mark.parametrize(
    ("verb", "option", "method", "right"),
    [
        ("select", ["--method", "relieff"], "relieff", "rank"),
        ("select", ["--method=ordered-fs"], "ordered-fs", "wrap"),
        ("select", ["-m", "rrelieff", "--neighbours", "3"], "rrelieff", "rank"),
        ("rank", ["-mwg"], "wg", "select"),
        ("wrap", ["-m", "relief"], "relief", "rank"),
    ],
)
def test_a_method_of_another_verb_is_shown_the_way(fewest, verb, option, method, right):
    run = fewest(verb, "fewest:votes", "-t", "party", *option)
    assert (run.code, run.out) == (2, "")
    assert f"{method} is a method of `fewest {right}`, not of `fewest {verb}`" in run.err
    assert f"`fewest {right} DATA --target COL --method {method}`" in run.err


@pytest.mark.parametrize(
    ("verb", "typed", "sentence"),
    [
        ("select", ["--forbid", "crime"], "--forbid is now --exclude. Run `fewest select` with --exclude instead."),
        ("wrap", ["--forbid=crime"], "--forbid is now --exclude. Run `fewest wrap` with --exclude instead."),
        ("rank", ["--samples", "9"], "--samples is now --max-samples. Run `fewest rank` with --max-samples instead."),
        ("rank", ["--neighbours", "3"], "--neighbours is now --neighbors. Run `fewest rank` with --neighbors instead."),
        ("select", ["--n-features", "3"], "of `fewest rank`, and `fewest select` has neither."),
        ("wrap", ["--holdout", "0.3"], "--holdout is now --validation-fraction. Run `fewest wrap` with"),
        ("wrap", ["--beam", "3"], "--beam is now --beam-width. Run `fewest wrap` with"),
        (
            "train",
            ["--alpha", "2"],
            "--alpha is now --update-factor of `fewest stream`, and `fewest train` has neither.",
        ),
        ("stream", ["--alpha=2"], "--alpha is now --update-factor. Run `fewest stream` with --update-factor instead."),
    ],
)
def test_an_option_of_the_past_answers_with_its_name_of_today(fewest, verb, typed, sentence):
    run = fewest(verb, "fewest:votes", "-t", "party", *typed)
    assert (run.code, run.out) == (2, "")
    assert sentence in run.err
    assert run.err.count("\n") == 1


@pytest.mark.parametrize("former", RENAMED)
def test_the_option_that_took_its_place_is_there(fewest, former):
    for verb in RENAMED[former].verbs:
        options = re.findall(r"--[\w-]+", fewest(verb, "--help").out)
        assert RENAMED[former].name in options
        assert former not in options


def test_an_option_that_one_verb_still_has_is_not_explained_there(fewest):
    run = fewest("rank", "fewest:votes", "-t", "party", "--threshold", "permutation", "--alpha", "0.05")
    assert run.code == 0


def test_the_parameters_of_a_theorem_are_its_own(fewest):
    assert "is now" not in fewest("bound", "winnow1", "--alpha", "2").err
