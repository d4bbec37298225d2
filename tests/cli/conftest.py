import subprocess
import sys

import pytest

from warm import run_warm

SECONDS = 600  # something hangs; a slow machine that compiles everything again is not meant
LIMITED = ("compare", "rank", "report", "select", "train", "verify", "wrap")  # verbs with a time limit


class Outcome:
    """What a run of the program left behind."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def fewest(tmp_path):
    """Run the program as a user does, in a folder of its own."""

    def run(*arguments, stdin=None, **options):
        arguments = _without_default_limit([str(argument) for argument in arguments])
        if options:
            outcome = Outcome(*_run_cold(arguments, tmp_path, options))
        else:
            outcome = Outcome(*run_warm(arguments, tmp_path, SECONDS, stdin=stdin))
        assert "Traceback" not in outcome.err, outcome.err
        return outcome

    return run


def _without_default_limit(arguments):
    """Take away the default time limit, so that no answer depends on how busy the machine is."""
    if arguments and arguments[0] in LIMITED and "--time-limit" not in arguments:
        return [*arguments, "--time-limit", "none"]
    return arguments


def _run_cold(arguments, folder, options):
    """Run the program in other circumstances."""
    done = subprocess.run(
        [sys.executable, "-m", "fewest", *arguments],
        capture_output=True,
        encoding="utf-8",
        cwd=folder,
        timeout=SECONDS,
        **options,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def write(tmp_path):
    """Write a file for the program to read."""

    def write(name, text):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return name

    return write


WEATHER = """outlook,windy,humidity,play
sunny,yes,80,no
rain,yes,80,no
sunny,no,70,yes
rain,no,80,yes
"""


@pytest.fixture
def weather(write):
    return write("weather.csv", WEATHER)
