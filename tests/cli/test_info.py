"""``fewest info --compile``: every part in a process of its own, and what it says meanwhile."""

import os
import sys
from functools import partial

import pytest
from typer.testing import CliRunner

from fewest.cli import compile_kernels
from fewest.cli.app import app
from fewest.cover.solver import minimum


def test_every_part_is_compiled_and_told(monkeypatch):
    done = []
    monkeypatch.setattr(compile_kernels, "compile_all", lambda n: (done.append(p) or p for p in compile_kernels.PARTS))
    run = CliRunner().invoke(app, ["info", "--compile"])
    assert run.exit_code == 0
    assert done == list(compile_kernels.PARTS)
    assert f"{len(done)} of {len(done)} compiled: {done[-1]}" in run.stderr
    assert "Compiling once for this machine" in run.stderr
    assert "compiled" not in run.stdout


def test_parts_are_shared_out_to_processes(tmp_path):
    parts = {name: partial(os.mkdir, tmp_path / name) for name in "abc"}
    assert sorted(compile_kernels.compile_all(2, parts)) == list("abc")
    assert sorted(path.name for path in tmp_path.iterdir()) == list("abc")


def test_a_part_that_fails_ends_it():
    with pytest.raises(FileNotFoundError):
        list(compile_kernels.compile_all(1, {"a": partial(os.rmdir, "/nowhere/at/all")}))


def test_the_question_of_long_covers_comes_to_their_kernels(monkeypatch):
    """Only a search of hundreds of thousands of nodes does so by itself."""
    monkeypatch.setenv("FEWEST_COMPILE", "never")
    called = set()
    sys.setprofile(lambda frame, *_: called.add(frame.f_code.co_name))
    try:
        compile_kernels._long_covers()
    finally:
        sys.setprofile(None)
    assert {"next_counted_cover", "complete_by_two", "swap_until_covered"} <= called
    assert minimum.QUICK_NODES > 0
