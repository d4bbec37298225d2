"""The verbs together: what ``--help`` shows, and which verb has which method."""

import re
import subprocess
import sys

import pytest

from fewest.cli.app import VERBS, WITH_METHODS, function, methods


@pytest.mark.parametrize("verb", VERBS)
def test_help_shows_examples_and_groups_options(fewest, verb):
    run = fewest(verb, "--help")
    assert (run.code, run.err) == (0, "")
    assert re.search(rf"^  fewest {verb}\b", run.out, flags=re.MULTILINE)
    assert "\nOptions:\n" in run.out


@pytest.mark.parametrize("verb", VERBS)
def test_the_list_of_verbs_has_the_first_line_of_each(verb):
    assert VERBS[verb] == function(verb).__doc__.splitlines()[0]


def test_help_imports_no_verb():
    script = (
        "import atexit, sys; from fewest.cli.app import VERBS, run; sys.argv[1:] = ['--help']; "
        "atexit.register(lambda: print([verb for verb in VERBS if f'fewest.cli.{verb}' in sys.modules])); run()"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert all(re.search(rf"^  {verb} +[A-Z]", run.stdout, flags=re.MULTILINE) for verb in VERBS)
    assert run.stdout.endswith("\n[]\n")


@pytest.mark.parametrize("verb", WITH_METHODS)
def test_help_shows_a_verbs_own_options_in_panels(fewest, verb):
    help_text = fewest(verb, "--help").out
    panels = re.findall(r"^(\w.*):$", help_text, flags=re.MULTILINE)
    assert panels[:2] == ["Data", "What to find"]
    assert {"Output", "Where it runs, and how long"} < set(panels)
    assert f"<{'|'.join(methods(verb))}>" in help_text
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
