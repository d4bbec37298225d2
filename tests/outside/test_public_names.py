"""Public names: few at the top, the rest in namespaces, loaded when asked for, known to type checkers."""

import subprocess
import sys
from importlib import import_module
from typing import Self, get_type_hints

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


FITTED = sorted(name for name, found in public_objects().items() if hasattr(found, "fit"))


@pytest.fixture(scope="module")
def revealed(tmp_path_factory):
    """Return what mypy says of a program that uses the public names."""
    mypy = pytest.importorskip("mypy.api")
    program = tmp_path_factory.mktemp("types") / "program.py"
    lines = [
        "import fewest",
        "from fewest.cover import sufficiency",
        "from fewest.datasets import make_parity",
        "reveal_type(make_parity(n_samples=5).relevant)",
        "reveal_type(fewest.cover.CoverProblem)",
        "fewest.cover.no_such_name",
        "X, y, _ = make_parity(n_samples=5)",
        *(f"def of_{name.replace('.', '_')}(it: {name}): reveal_type(it.fit(X, y))" for name in FITTED),
    ]
    program.write_text("\n".join(lines) + "\n")
    return mypy.run([str(program), "--no-incremental", "--follow-imports=silent", "--check-untyped-defs"])[0]


@pytest.mark.thorough
def test_type_checkers_see_the_names(revealed):
    assert 'Revealed type is "tuple[int, ...]"' in revealed
    assert "CoverProblem" in revealed
    assert 'Module has no attribute "no_such_name"' in revealed


@pytest.mark.thorough
@pytest.mark.parametrize("name", FITTED)
def test_type_checkers_see_that_fit_returns_the_estimator(name, revealed):
    found = public_objects()[name]
    assert f'Revealed type is "{found.__module__}.{found.__qualname__}"' in revealed
    learning = [getattr(found, method) for method in ("fit", "partial_fit") if hasattr(found, method)]
    assert {get_type_hints(method).get("return") for method in learning} == {Self}
