import subprocess
import sys

import pytest


class Outcome:
    """What a run of the program left behind."""

    def __init__(self, done):
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr


@pytest.fixture
def fewest(tmp_path):
    """Run the program as a user does, in a folder of its own."""

    def run(*arguments, stdin=None, **options):
        done = subprocess.run(
            [sys.executable, "-m", "fewest", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            cwd=tmp_path,
            timeout=120,
            **options,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return Outcome(done)

    return run


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
