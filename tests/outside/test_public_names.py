"""Public names: few at the top, the rest in namespaces, loaded when asked for, known to type checkers."""

import subprocess
import sys
from importlib import import_module

import pytest

import fewest
from outside.public import NAMESPACES, namespaces, public_objects

HEAVY = ("numpy", "pyarrow", "sklearn", "numba", "matplotlib", "dask", "scipy")


def test_the_top_holds_about_thirty_names_and_six_namespaces():
    assert namespaces() == ["bounds", "cover", "datasets", "mistakes", "plot", "preprocessing"]
    assert len(fewest.__all__) - len(namespaces()) <= 32


@pytest.mark.parametrize("home", NAMESPACES)
def test_names_are_listed_and_are_what_the_module_gives(home):
    module = import_module(home)
    assert set(module.__all__) <= set(dir(module))
    for name in module.__all__:
        assert getattr(module, name).__name__.rpartition(".")[2] == name
    with pytest.raises(AttributeError, match=f"module '{home}' has no attribute 'Focus3'"):
        module.Focus3  # noqa: B018 (the access is the test)


def test_no_public_name_is_that_of_a_module_beside_it():
    """A module that is imported takes the place of the function, from then on."""
    hidden = [name for name in public_objects() if _is_a_module(name)]
    assert not hidden


def _is_a_module(name):
    try:
        import_module(name)
    except ModuleNotFoundError:
        return False
    return True


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("parity", "datasets.make_parity"),
        ("load_votes", "datasets.load_votes"),
        ("plot_tree", "plot.plot_tree"),
        ("bound", "bounds.bound"),
        ("opt", "mistakes.opt"),
        ("sufficiency", "cover.sufficiency"),
        ("Monomials", "preprocessing.Monomials"),
        ("Table", "table.Table"),
    ],
)
def test_a_name_that_moved_says_where_it_is(was, now):
    with pytest.raises(AttributeError, match=rf"fewest\.{was} is now fewest\.{now}\. Import it from there\."):
        getattr(fewest, was)


def test_importing_the_package_and_its_namespaces_loads_nothing_heavy():
    code = f"import sys, fewest; [getattr(fewest, n) for n in {namespaces()}]; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not set(HEAVY) & set(loaded)
    assert {"fewest.cover", "fewest.plot"} <= set(loaded)
    assert not [name for name in loaded if name.startswith("fewest.cover.")]


def test_type_checkers_see_the_names(tmp_path):
    mypy = pytest.importorskip("mypy.api")
    (tmp_path / "program.py").write_text(
        "import fewest\n"
        "from fewest.cover import sufficiency\n"
        "from fewest.datasets import make_parity\n"
        "reveal_type(make_parity(n_samples=5).relevant)\n"
        "reveal_type(fewest.cover.CoverProblem)\n"
        "fewest.cover.no_such_name\n"
    )
    out, _, _ = mypy.run([str(tmp_path / "program.py"), "--no-incremental", "--follow-imports=silent"])
    assert 'Revealed type is "tuple[int, ...]"' in out
    assert "CoverProblem" in out
    assert 'Module has no attribute "no_such_name"' in out
