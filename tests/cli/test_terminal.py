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
