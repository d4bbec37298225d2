"""Standard streams that are closed or full, and files that the disk has no room for."""

import os
import resource
import subprocess
import sys

import pytest

from fewest.cli import ExitCode


def run(folder, arguments, **options):
    command = [sys.executable, "-m", "fewest", *arguments]
    return subprocess.run(command, cwd=folder, capture_output="stdout" not in options, timeout=600, **options)


def shell(folder, line):
    """Run a line of shell, in which ``fewest`` is the program."""
    program = f'fewest() {{ {sys.executable} -m fewest "$@"; }}; {line}'
    return subprocess.run(["sh", "-c", program], cwd=folder, capture_output=True, text=True, timeout=600)


@pytest.mark.parametrize(
    "arguments", ["select weather.csv -t play", "stream s.csv -t y", "generate parity", "bound winnow1 -f json"]
)
def test_an_answer_without_a_standard_output_is_an_error(tmp_path, weather, arguments):
    (tmp_path / "s.csv").write_text("a,y\n1,1\n")
    done = shell(tmp_path, f"fewest {arguments} >&-")
    assert done.returncode == ExitCode.BAD_INPUT
    assert "Standard output is closed" in done.stderr or "bound" in arguments


@pytest.mark.parametrize("where", ["2>/dev/full", "2>&-"])
def test_an_error_that_nobody_hears_keeps_its_code(tmp_path, where):
    assert shell(tmp_path, f"fewest select nowhere.csv -t y {where}").returncode == ExitCode.BAD_INPUT


def test_a_standard_input_that_is_closed(tmp_path):
    for verb in ("select", "stream"):
        done = shell(tmp_path, f"fewest {verb} - -t y <&-")
        assert done.returncode == ExitCode.BAD_INPUT
        assert "standard input is closed" in done.stderr


def limited_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))


@pytest.mark.parametrize("name", ["x.parquet", "x.csv"])
def test_a_file_that_the_disk_has_no_room_for(tmp_path, name):
    done = run(tmp_path, ["generate", "parity", "--rows", "5000", "-o", name], preexec_fn=limited_files)
    assert done.returncode == ExitCode.BAD_INPUT
    assert os.strerror(27).encode() in done.stderr  # as a full disk would be called by its own name
    assert not list(tmp_path.iterdir())
