import os
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

import fewest
from fewest.budget import work_clock
from fewest.cli.app import run
from fewest.exceptions import ParameterError
from fewest.kernels import compile_or_not
from fewest.kernels.compile_or_not import (
    COMPILING,
    FROM_PYTHON,
    LOADING,
    VARIABLE,
    Work,
    answered_once,
    compiles,
    compiles_faster,
    is_kept,
    repeated,
)

KERNELS = "fewest.cover.kernels.subsets"


@pytest.fixture(params=[True, False], ids=["kept", "not kept"])
def kept(request, monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(compile_or_not, "is_kept", lambda _: request.param)
    return request.param


@pytest.mark.parametrize(
    ("asked", "n_times"), [(answered_once, 1), (nullcontext, FROM_PYTHON)], ids=["program", "python"]
)
def test_the_decision_depends_on_the_work_and_on_what_the_machine_keeps(kept, asked, n_times):
    loading = LOADING / n_times
    seconds = (0, loading, 1.1 * loading, COMPILING, 1.1 * COMPILING, 0)
    with asked(), repeated(1):
        assert [compiles(each, KERNELS) for each in seconds] == [False, False, kept, kept, True, False]


def test_what_compiles_longer_than_most_pays_later(kept):
    assert [compiles(each * COMPILING, KERNELS, 2 * COMPILING) for each in (1.1, 2.1)] == [kept, True]


def test_of_two_kernels_that_which_compiles_long_is_taken_where_it_is_kept_or_pays(monkeypatch, kept):
    assert [compiles_faster(each * COMPILING, KERNELS) for each in (0, 1.1)] == [kept, True]
    for choice in ("always", "never"):
        monkeypatch.setenv(VARIABLE, choice)
        assert compiles_faster(0, KERNELS) == (choice == "always")


def test_work_adds_up_and_no_other_counts(kept):
    pays_from = LOADING / FROM_PYTHON if kept else COMPILING
    work, other = Work(KERNELS), Work(KERNELS)
    assert [work.compiles(1e9 * pays_from, 0.6) for _ in range(3)] == [False, True, True]
    assert not other.compiles(1e9 * pays_from, 0.6)


def test_what_is_taken_to_grow_is_not_taken_to_be_repeated_as_well(kept):
    work = Work(KERNELS, from_python=1)
    assert [work.compiles(1e9 * LOADING, 0.6) for _ in range(2)] == [False, kept]
    with repeated(2):
        assert Work(KERNELS, from_python=1).compiles(1e9 * LOADING, 0.6) == kept


def test_what_is_repeated_pays_for_loading_but_not_for_compiling(kept):
    with repeated(4), repeated(5):
        assert compiles(LOADING / 19, KERNELS) == kept
        assert not compiles(LOADING / 21, KERNELS)
        assert compiles(0.9 * COMPILING, KERNELS) == kept
    assert not compiles(LOADING / 19, KERNELS)


def test_the_program_answers_once(kept, monkeypatch):
    asked = []
    monkeypatch.setattr(work_clock, "on_compiling", None)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr("fewest.cli.app.app", lambda **_: asked.append(compiles(0.9 * LOADING, KERNELS)))
    run()
    assert asked == [False]
    assert compiles(0.9 * LOADING, KERNELS) == kept


@pytest.mark.parametrize(("choice", "compiled"), [("always", True), ("never", False)])
def test_a_variable_overrides_it(monkeypatch, kept, choice, compiled):
    monkeypatch.setenv(VARIABLE, choice)
    assert compiles(0, KERNELS) is compiles(1e9, KERNELS) is compiled


def test_an_unknown_choice_is_refused(monkeypatch):
    monkeypatch.setenv(VARIABLE, "perhaps")
    with pytest.raises(ParameterError, match="always"):
        compiles(0, KERNELS)


COMPILED_ONCE = """
import sys
import numpy as np
from fewest.kernels.compile_or_not import compiles, is_kept

print("numba" in sys.modules, compiles(2.0, "fewest.kernels.split_mix"))
from fewest.kernels.split_mix import mixed
mixed.compiled(np.uint64(7))
print(is_kept("fewest.kernels.split_mix"), compiles(2.0, "fewest.kernels.split_mix"))
"""


def test_a_process_finds_what_another_has_kept_but_not_what_it_compiles_itself(tmp_path):
    environment = {k: v for k, v in os.environ.items() if k != VARIABLE} | {"NUMBA_CACHE_DIR": str(tmp_path)}
    found = [
        subprocess.run(
            [sys.executable, "-c", COMPILED_ONCE], capture_output=True, text=True, check=True, env=environment
        ).stdout
        for _ in range(2)
    ]
    assert found == ["False False\nFalse False\n", "False True\nTrue True\n"]


def test_machine_code_is_looked_for_beside_the_source_and_in_the_cache_of_the_user(monkeypatch, tmp_path):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(fewest, "__file__", str(tmp_path / "fewest" / "__init__.py"))
    source = tmp_path / "fewest" / "room" / "kernels" / "sums.py"
    python = f"py{sys.version_info.major}{sys.version_info.minor}{sys.abiflags}"
    folders = list(compile_or_not._kept_in(source))
    assert folders[0] == source.parent / "__pycache__"
    assert folders[1].is_relative_to(tmp_path / "cache" / "numba")
    assert not is_kept.__wrapped__("fewest.room.kernels.sums")  # there is no source
    write(source)
    for folder in folders:
        for other in (f"sum.add-3.{python}.nbi", "sums.add-3.py27.nbi", f"sums.add-3.{python}.1.nbc"):
            write(folder / other)
        assert not is_kept.__wrapped__("fewest.room.kernels.sums")
        index = write(folder / f"sums.add-3.{python}.nbi")
        assert is_kept.__wrapped__("fewest.room.kernels.sums")
        assert is_kept.__wrapped__("fewest.room.kernels.sums:add")
        assert not is_kept.__wrapped__("fewest.room.kernels.sums:ad")
        os.utime(index, (0, 0))  # older than the source
        assert not is_kept.__wrapped__("fewest.room.kernels.sums")


def write(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("", encoding="utf-8")
    return path


def test_every_decision_names_kernels_that_are_there():
    named = {line for path in Path(fewest.__file__).parent.rglob("*.py") for line in _kernels_named(path)}
    assert len(named) >= 10
    for name in named:
        module = Path(fewest.__file__).parent.joinpath(*name.split(".")[1:]).with_suffix(".py")
        assert "compil" in module.read_text("utf-8"), name


def _kernels_named(path: Path) -> list[str]:
    words = path.read_text("utf-8").split('"')[1::2]
    return [word for word in words if word.startswith("fewest.") and ".kernels." in f"{word}." and " " not in word]


INTERRUPTED_IMPORT = """
import builtins, signal, sys
from fewest.kernels.compile_or_not import compiles

importing = builtins.__import__

def interrupted(name, *arguments):
    if name == "numba.core.types":  # somewhere in the middle of numba
        builtins.__import__ = importing
        signal.raise_signal(signal.SIGINT)
    return importing(name, *arguments)

builtins.__import__ = interrupted
try:
    compiles(100.0, "fewest.kernels.intrinsics")
except KeyboardInterrupt:
    from numba import njit
    print("whole", njit(lambda x: x + 1)(1))
"""


def test_an_interrupt_waits_until_numba_is_imported():
    run = subprocess.run([sys.executable, "-c", INTERRUPTED_IMPORT], capture_output=True, text=True, timeout=600)
    assert (run.stdout, run.returncode) == ("whole 2\n", 0), run.stderr
