"""The pages of the papers and of the methods have all their parts, and show what was recorded."""

import re
import runpy
from pathlib import Path

import pytest

from fewest.papers.claims import CLAIMS

DOCS = Path(__file__).parent.parent / "docs"
METHODS = sorted(path.stem for path in (DOCS / "methods").glob("*.md") if path.stem != "index")
# The theorems of the papers say nothing about these, and their pages say so.
WITHOUT_BOUND = {"fringe", "greedy", "id3", "min_description"}
# A line of code that a wide window shows whole.
WIDEST = 88


def method_page(name):
    return (DOCS / "methods" / f"{name}.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def pages():
    pytest.importorskip("matplotlib")
    return runpy.run_path(str(DOCS / "papers" / "pages.py"))


@pytest.mark.parametrize("name", METHODS)
def test_a_method_opens_with_a_picture_and_ends_with_its_bound_and_its_experiment(name):
    text = method_page(name)
    title, picture, *_ = text.split("\n\n")
    assert title.startswith("# ")
    assert picture.startswith("![")
    assert f"(_pictures/{name}.svg)" in picture
    parts = ["**The idea.**", "```text", "**The paper", "**From question to answer.**", "**The bound.**"]
    found = [text.index(part) for part in [*parts, "**The experiment.**"]]
    assert found == sorted(found)
    _, _, question = text.partition("**From question to answer.**")
    assert re.search(r"load_\w+", question)  # a real table
    assert ">>> " in question
    assert re.search(r"\]\(\.\./papers/\w+\.md", question)


@pytest.mark.parametrize("name", METHODS)
def test_the_algorithm_is_about_ten_lines_that_fit_the_page(name):
    code = re.search(r"```text\n(.*?)```", method_page(name), flags=re.DOTALL).group(1).splitlines()
    assert 2 <= len(code) <= 11
    assert max(map(len, code)) <= WIDEST


@pytest.mark.parametrize("name", METHODS)
def test_bounds_are_commands(name):
    _, _, bound = method_page(name).partition("**The bound.**")
    assert ("$ fewest bound " in bound) is (name not in WITHOUT_BOUND)


def test_every_claim_has_a_row_of_four_cells_in_the_index(pages):
    collected = [pages["kept"](name) for name in CLAIMS if (DOCS / "papers" / name / "results.json").is_file()]
    rows = [line for line in pages["overview"](collected).splitlines() if line.startswith("| [")]
    assert len(rows) == len(collected)
    for row, results in zip(rows, collected, strict=True):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]]
        assert len(cells) == 4
        assert cells[1].replace("\\|", "|").endswith(results["claim"])
        assert cells[2:] == [pages["MARKS"][results["verdict"]], pages["MARKS"][results["words"]]]


def test_the_counter_example_to_theorem_4_exceeds_what_the_theorem_allows(pages):
    apart, within = (ax.get_title() for ax in pages["counter_example"]().axes)
    assert "2 partitions, the theorem allows 4" in apart
    assert "6 partitions, the theorem allows 4" in within
