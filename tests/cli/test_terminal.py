"""What people see at a terminal, and what pipes get."""

import json
import os
import subprocess
import sys

import pytest

ESCAPE = "\x1b["


def at_terminal(folder, *arguments, **environment):
    """Run the program with a terminal for its output."""
    pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "fewest", *arguments]
    variables = {**os.environ, "TERM": "xterm", **environment}
    if "NO_COLOR" not in environment:
        variables.pop("NO_COLOR", None)
    process = subprocess.Popen(command, stdout=theirs, stderr=subprocess.DEVNULL, cwd=folder, env=variables)
    os.close(theirs)
    told = b""
    try:
        while block := os.read(ours, 4096):
            told += block
    except OSError:  # Linux tells the end of a terminal this way
        pass
    os.close(ours)
    assert process.wait(timeout=300) == 0
    return told.decode().replace("\r\n", "\n")


@pytest.fixture
def relevance(weather):
    return ("rank", weather, "--target", "play", "--method", "relieff", "--n-features-to-select", "1")


def test_a_terminal_gets_colour_and_blocks(relevance, tmp_path):
    told = at_terminal(tmp_path, *relevance)
    assert ESCAPE in told
    assert "█" in told


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_who_wants_no_colour_gets_what_a_pipe_gets(relevance, fewest, tmp_path, environment):
    told = at_terminal(tmp_path, *relevance, **environment)
    assert ESCAPE not in told
    piped = fewest(*relevance).out
    assert ESCAPE not in piped
    assert told.splitlines()[1:] == piped.splitlines()[1:]  # the first line tells the time


def test_info_names_versions_cores_and_engines(fewest):
    import fewest as package

    run = fewest("info")
    assert run.out.startswith("fewest ")
    assert package.__version__ in run.out
    found = json.loads(fewest("info", "--format", "json").out)
    assert found["cores"] >= 1
    assert found["engines"][0] == "threads"
    assert {"numpy", "scikit-learn", "pyarrow"} <= set(found["libraries"])
    assert found["extras"]["drawings (--plot, plot_...)"]["is_installed"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_learn_commands_and_options(fewest, shell):
    run = fewest(env={**os.environ, "_FEWEST_COMPLETE": f"source_{shell}", "SHELL": f"/bin/{shell}"})
    assert "_FEWEST_COMPLETE" in run.out


def test_completion_offers_the_commands(fewest):
    variables = {**os.environ, "_FEWEST_COMPLETE": "complete_bash", "COMP_WORDS": "fewest se", "COMP_CWORD": "1"}
    assert "select" in fewest(env=variables).out


EVIL = ["ev\x1b]0;title\x07il", "b\u202eack", "c\x01d", "t\x9b5m"]


@pytest.fixture
def evil(tmp_path):
    """Return a table whose names and values are full of controls, and its target."""
    rows = [["x\x1b[2J" if k % 3 else "y\x9b31m", str(k % 2), str(k // 4 % 2), f"A\x1b[{k % 2}m"] for k in range(24)]
    path = tmp_path / "evil.csv"
    path.write_text("\n".join(",".join(row) for row in [EVIL, *rows]) + "\n", encoding="utf-8")
    return path, EVIL[-1]


@pytest.mark.parametrize(
    "arguments",
    [
        ("select", "--explain"),
        ("sufficient", "--features", EVIL[2]),
        ("sufficient", "--features", EVIL[0], "--format", "json"),
        ("rank", "--drop", "no\x1b[1msuch"),
        ("train", "--show"),
        ("select", "--format", "json"),
    ],
    ids=str,
)
def test_no_name_or_value_reaches_the_terminal_raw(fewest, evil, arguments):
    verb, *options = arguments
    run = fewest(verb, evil[0], "--target", evil[1], *options)
    said = run.out + run.err
    assert said
    assert [letter for letter in said if not letter.isprintable() and letter != "\n"] == []
    if "json" in arguments:
        assert json.loads(run.out)["target"] == evil[1]  # escaped, not replaced


def test_our_own_styles_are_kept_at_a_terminal_and_those_of_data_are_not(evil, tmp_path):
    told = at_terminal(tmp_path, "select", str(evil[0]), "--target", evil[1], "--explain")
    assert ESCAPE + "1m" in told
    assert ESCAPE + "2J" not in told
    assert "\x07" not in told


def test_drawings_of_such_names_are_valid_xml(fewest, evil, tmp_path):
    from xml.dom.minidom import parse

    run = fewest("rank", evil[0], "--target", evil[1], "--plot", tmp_path / "p.svg")
    assert run.code == 0
    assert "Glyph" not in run.err
    assert parse(str(tmp_path / "p.svg")).documentElement.tagName == "svg"


def test_pages_about_such_names_show_them_without_controls(fewest, evil, tmp_path):
    assert fewest("select", evil[0], "--target", evil[1], "--report", "p.html").code == 0
    page = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert "ev·]0;title·il" in page
    assert "b·ack" in page
    assert [letter for letter in page if not letter.isprintable() and letter not in "\n\t"] == []


def test_predictions_in_a_pipe_are_the_labels_as_they_are(fewest, evil, tmp_path):
    """What looks like a style is a part of them there, as it is in a file."""
    options = ("--target", evil[1], "-l", "id3", "--keep-all", "--cv", "0", "-o", "m")
    assert fewest("train", evil[0], *options).code == 0
    piped = fewest("predict", "m", evil[0])
    assert fewest("predict", "m", evil[0], "-o", "p.csv").code == 0
    assert piped.out == (tmp_path / "p.csv").read_text(encoding="utf-8")
    assert {line.split(",")[1] for line in piped.out.splitlines()[1:]} == {"A\x1b[0m", "A\x1b[1m"}
