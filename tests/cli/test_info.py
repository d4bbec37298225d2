"""``fewest info --compile``: every part in a process of its own, and what it says meanwhile."""

from typer.testing import CliRunner

from fewest.cli import compile_kernels
from fewest.cli.app import app


def test_every_part_is_compiled_and_told(monkeypatch):
    done = []
    monkeypatch.setattr(compile_kernels, "compile_all", lambda n: (done.append(p) or p for p in compile_kernels.PARTS))
    run = CliRunner().invoke(app, ["info", "--compile"])
    assert run.exit_code == 0
    assert done == list(compile_kernels.PARTS)
    assert f"{len(done)} of {len(done)} compiled: {done[-1]}" in run.stderr
    assert "Compiling once for this machine" in run.stderr
    assert "compiled" not in run.stdout


def test_parts_are_shared_out_to_processes(monkeypatch):
    few = ("trees and partitions", "wrappers of naive Bayes")
    monkeypatch.setattr(compile_kernels, "PARTS", {part: compile_kernels.PARTS[part] for part in few})
    assert set(compile_kernels.compile_all(2)) == set(few)
