"""The program where there is no home, no right to write, no assertion, and no place to keep machine code."""

import os
import shutil
import subprocess
import sys

import pytest

from fewest.cli import ExitCode

NOBODY = 65534
# Without a user's rights, but allowed to read the interpreter, which may be in somebody's home.
AS_NOBODY = [
    "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
    "--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search",
]  # fmt: skip


def run(folder, *arguments, python=(sys.executable,), before=(), **variables):
    environment = {name: value for name, value in {**os.environ, **variables}.items() if value is not None}
    command = [*before, *python, "-m", "fewest", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)


def selects(done):
    assert done.returncode == ExitCode.DONE, done.stderr
    assert "no fewer do" in done.stdout
    assert not done.stderr


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "t.csv").write_text("a,b,y\n1,0,p\n0,1,q\n1,1,p\n0,0,q\n")
    return tmp_path


@pytest.mark.parametrize("home", [None, "/nonexistent"])
def test_without_a_home(folder, home):
    selects(run(folder, "select", "t.csv", "-t", "y", HOME=home, XDG_CACHE_HOME=None))


def test_without_assertions(folder):
    selects(run(folder, "select", "t.csv", "-t", "y", python=(sys.executable, "-O")))


def test_without_a_place_for_machine_code(folder):
    """No file can be made in /proc, not even by the superuser."""
    limits = {"NUMBA_CACHE_DIR": "/proc/nowhere", "FEWEST_COMPILE": "always", "HOME": "/nonexistent"}
    done = run(folder, "select", "t.csv", "-t", "y", "-m", "focus2", **limits)
    assert done.returncode == ExitCode.DONE, done.stderr
    assert "Traceback" not in done.stderr


def can_be_nobody():
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("setpriv") is not None


@pytest.mark.skipif(not can_be_nobody(), reason="only the superuser may become somebody else, by setpriv")
def test_by_somebody_who_may_write_nowhere(folder):
    selects(run(folder, "select", "t.csv", "-t", "y", before=AS_NOBODY, HOME="/nonexistent"))
    done = run(folder, "train", "t.csv", "-t", "y", "-o", "m", before=AS_NOBODY, HOME="/nonexistent")
    assert done.returncode == ExitCode.BAD_INPUT
    assert "Permission denied" in done.stderr
    assert [path.name for path in folder.iterdir()] == ["t.csv"]
