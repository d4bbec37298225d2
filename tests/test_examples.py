"""The notebook of the guide runs from top to bottom, and the gallery is what a practitioner asks."""

import runpy
from collections import defaultdict
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


def test_the_notebook_of_the_guide_runs_from_top_to_bottom(tmp_path, capsys):
    """As the notebook that people download: its cells in order, in one namespace, as the gallery converts it."""
    gallery = pytest.importorskip("sphinx_gallery.notebook")
    blocks = pytest.importorskip("sphinx_gallery.py_source_parser").split_code_and_text_blocks
    _, cells = blocks(str(EXAMPLES / "plot_0_guide.py"))
    config = defaultdict(bool, first_notebook_cell=None, last_notebook_cell=None)  # all else is off
    notebook = gallery.jupyter_notebook(cells, config, str(tmp_path))
    names = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), "cell", "exec"), names)
    printed = capsys.readouterr().out
    assert "435 rows, 16 columns" in printed
    assert "9 columns, proven: True" in printed
    assert "right on 135 others" in printed


@pytest.mark.parametrize("name", ["plot_6_is_this_leak_real", "plot_c_cheapest_tests"])
def test_examples_run(name, capsys):
    runpy.run_path(str(EXAMPLES / f"{name}.py"))
    assert capsys.readouterr().out


def test_there_are_a_dozen_and_each_begins_with_its_question():
    examples = sorted(EXAMPLES.glob("plot_*.py"))
    assert len(examples) >= 12
    for path in examples:
        title, rule = path.read_text(encoding="utf-8").splitlines()[1:3]
        assert len(title) == len(rule), path.name


def test_each_shows_a_picture():
    """The gallery shows it in small; without one it would show the maker's mark."""
    for path in sorted(EXAMPLES.glob("plot_*.py")):
        assert "plt.show()" in path.read_text(encoding="utf-8"), path.name
