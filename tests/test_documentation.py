"""The documentation says what the program does, and says all of it."""

import json
import re
import shlex
from pathlib import Path

import pytest

from fewest.cli.app import VERBS, function
from fewest.datasets.bundled import data_path
from outside.public import public_objects
from warm import run_warm

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
TOUR = (ROOT / "docs" / "tour.md").read_text(encoding="utf-8")
METHODS = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs" / "methods").glob("*.md")))
TIMES = re.compile(r"\d+\.\d s\b")
SECONDS = 600  # something hangs


def console_examples():
    for block in re.findall(r"```console\n(.*?)```", README + TOUR + METHODS, flags=re.DOTALL):
        command, _, output = block.partition("\n")
        yield command.removeprefix("$ "), output


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Make a folder with the files that README and tour speak of, where the examples run."""
    folder = tmp_path_factory.mktemp("readme")
    for arguments in (
        "select fewest:votes --target party --certificate votes.json",
        "train fewest:votes --target party --select wg -o votes.model",
        "generate parity --noise 0.05 -o parity.csv",
        "generate linear-threshold --rows 300 --relevant 3 --irrelevant 5 --noise 0.1 -o halves.csv",
    ):
        assert run_warm(arguments.split(), folder, SECONDS)[0] == 0
    header, *members = data_path("votes").read_text(encoding="utf-8").splitlines()
    without_party = [line.partition(",")[2] for line in (header, *members[1:4])]
    (folder / "three.csv").write_text("\n".join(without_party) + "\n", encoding="utf-8")
    weather = ["dark,windy,cold,rain", "0,1,1,no", "1,0,0,yes", "1,0,0,yes", "0,1,1,no", "1,1,0,yes"]
    (folder / "weather.csv").write_text("\n".join(weather) + "\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize(("command", "output"), list(console_examples()))
def test_examples_show_the_real_output(command, output, folder):
    program, *arguments = shlex.split(command)
    assert program == "fewest"
    _, out, _ = run_warm(arguments, folder, SECONDS)
    assert TIMES.sub("", out) == TIMES.sub("", output)


def test_the_readme_counts_the_verdicts_that_are_recorded():
    recorded = json.loads((ROOT / "src" / "fewest" / "papers" / "recorded.json").read_text(encoding="utf-8"))
    verdicts = [one["verdict"] for name, one in recorded.items() if not name.startswith("beyond-")]
    sentence = re.search(r"of (\d+) claims.*?(\d+) hold,\s(\d+) do not, and (\d+) \w+ not decided", README, re.DOTALL)
    counts = [verdicts.count(verdict) for verdict in ("holds", "does not hold", "not decided")]
    assert [int(number) for number in sentence.groups()] == [len(verdicts), *counts]


def reference():
    """Return the public names that the reference lists, each under its module."""
    blocks = re.findall(
        r"currentmodule:: (\S+)\n\n.*?\n\n(.*?)```", (ROOT / "docs" / "api.md").read_text("utf-8"), flags=re.DOTALL
    )
    return {f"{module}.{name}" for module, names in blocks for name in names.split()}


@pytest.mark.parametrize("name", sorted(public_objects()))
def test_every_public_name_is_in_the_reference_and_has_a_docstring(name):
    assert name in reference()
    assert public_objects()[name].__doc__


def test_the_reference_lists_public_names_only():
    assert reference() - set(public_objects()) == {"fewest.table.Table"}  # what read_table returns


@pytest.mark.parametrize("name", [name for name, it in public_objects().items() if hasattr(it, "fit")])
def test_every_estimator_has_a_page_that_explains_it(name):
    assert f"`{name.removeprefix('fewest.')}`" in METHODS or f"`{name}`" in METHODS


@pytest.mark.parametrize("command", [function(verb) for verb in VERBS])
def test_every_command_is_in_the_readme_and_its_help_has_an_example(command):
    assert f"`fewest {command.__name__}" in README
    assert f"\nfewest {command.__name__} " in re.sub(r"\n +", "\n", command.__doc__)


PAGES_OF_PATHS = ("CONTRIBUTING.md", "docs/map.md", "docs/algorithms.md")


@pytest.mark.parametrize("page", PAGES_OF_PATHS)
def test_paths_on_the_pages_about_the_source_exist(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    paths = {path for path in re.findall(r"`([\w./]+/[\w./]*)`", text) if not path.startswith("build")}
    homes = (ROOT, ROOT / "src" / "fewest")
    gone = [path for path in paths if not any((home / path).exists() for home in homes)]
    assert not [path for path in gone if not list((ROOT / "src" / "fewest").glob(f"*/{path}"))]  # a door of some room


def test_the_map_shows_every_folder_and_module_of_the_house():
    drawn = re.search(r"```text\n(.*?)```", (ROOT / "docs" / "map.md").read_text(encoding="utf-8"), flags=re.DOTALL)[1]
    inside = (path for path in (ROOT / "src" / "fewest").iterdir() if not path.name.startswith("_"))
    names = {path.stem for path in inside if path.is_dir() or path.suffix == ".py"}
    assert names <= set(re.findall(r"\w+", drawn))
