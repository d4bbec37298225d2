"""The documentation says what the program does, and says all of it."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import fewest
from fewest.cli.app import app
from fewest.datasets import data_path

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SECONDS = re.compile(r"\d+\.\d s\b")


def console_examples():
    for block in re.findall(r"```console\n(.*?)```", README, flags=re.DOTALL):
        command, _, output = block.partition("\n")
        yield command.removeprefix("$ "), output


@pytest.fixture
def files(tmp_path):
    """Leave the files that the README speaks of where the examples run."""
    program = [sys.executable, "-m", "fewest"]
    votes = ["fewest:votes", "--target", "party"]
    for verb, option, name in (("select", "--certificate", "votes.json"), ("train", "-o", "votes.model")):
        subprocess.run([*program, verb, *votes, option, tmp_path / name], check=True, capture_output=True)
    header, *members = data_path("votes").read_text(encoding="utf-8").splitlines()
    without_party = [line.partition(",")[2] for line in (header, *members[1:4])]
    (tmp_path / "three.csv").write_text("\n".join(without_party) + "\n", encoding="utf-8")
    (tmp_path / "weather.csv").write_text("dark,windy,cold,rain\n0,1,1,no\n1,0,0,yes\n1,0,0,yes\n0,1,1,no\n1,1,0,yes\n")


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("command", "output"), list(console_examples()))
def test_readme_shows_the_real_output(command, output, tmp_path):
    program, *arguments = shlex.split(command)
    assert program == "fewest"
    command = [sys.executable, "-m", "fewest", *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=tmp_path)
    assert SECONDS.sub("", done.stdout) == SECONDS.sub("", output)


@pytest.mark.parametrize("name", sorted(set(fewest.__all__) - {"Table"}))
def test_every_public_name_is_in_the_readme_and_has_a_docstring(name):
    assert f"`{name}`" in README
    assert getattr(fewest, name).__doc__


@pytest.mark.parametrize("command", [command.callback for command in app.registered_commands])
def test_every_command_is_in_the_readme_and_its_help_has_an_example(command):
    assert f"fewest {command.__name__}" in README
    assert f"\nfewest {command.__name__} " in re.sub(r"\n +", "\n", command.__doc__)


def test_public_names_are_importable_and_listed():
    assert set(fewest.__all__) <= set(dir(fewest))
    with pytest.raises(AttributeError, match="no attribute 'Focus3'"):
        fewest.Focus3  # noqa: B018 (the access is the test)
