"""The package: what an extra is missing for, the README of a package index, and the tools."""

import re
import subprocess
import sys
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import fewest

ROOT = Path(__file__).parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def tool(name):
    """Import one of the scripts in tools."""
    spec = spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("missing", "program", "extra"),
    [
        ("matplotlib", "fewest.plot.plot_relevance(fewest.ReliefF().fit(X, y))", "plot"),
        ("matplotlib", "fewest.plot.plot_partitions(fewest.CFPClassifier().fit(X, y))", "plot"),
        ("matplotlib", "fewest.plot.plot_tree(fewest.ID3Classifier().fit(X, y))", "plot"),
        ("distributed", "import fewest.blocks.on_dask", "dask"),
    ],
)
def test_what_is_missing_for_want_of_an_extra_names_it(missing, program, extra):
    program = (
        f"import sys; sys.modules[{missing!r}] = None\nimport fewest\n"
        "X, y, _ = fewest.datasets.make_parity(40, random_state=0)\n"
        f"try:\n    {program}\nexcept ImportError as error:\n    print(error)\n"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert f'which is not installed. Install it with: pip install "fewest[{extra}]"' in said


def test_everything_has_a_lower_bound_and_no_extra_a_pre_release():
    wishes = [
        *PROJECT["dependencies"],
        *(wish for extra in PROJECT["optional-dependencies"].values() for wish in extra),
    ]
    foreign = [wish for wish in wishes if not wish.startswith("fewest[")]
    assert all(re.fullmatch(r"[\w-]+(\[[\w,]+\])?>=[\d.]+", wish) for wish in foreign)


def test_the_lowest_versions_are_those_of_all_that_the_package_runs_on():
    lowest = tool("versions").lowest_versions(PROJECT)
    assert {"scikit-learn==1.6", "matplotlib==3.9", "dask==2025.1"} <= set(lowest)
    assert {wish.split(">=")[0] for wish in PROJECT["dependencies"]} <= {each.split("==")[0] for each in lowest}


def test_the_readme_of_an_index_has_no_relative_link():
    text = (ROOT / "README.md").read_text("utf-8")
    for source in (None, "https://example.org/fewest"):
        page = tool("readme").for_an_index(text, source)
        assert not re.findall(r"\]\((?!https?:|#)", page)
        assert "the tour" in page
        assert "pip install fewest" in page
    assert "(https://example.org/fewest/blob/main/docs/tour.md)" in page


def test_the_version_is_the_same_everywhere():
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"version: {fewest.__version__}\n" in citation
