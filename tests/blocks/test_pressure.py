"""A disk that is full, while blocks go to temporary files or an answer is written, is reported in words."""

import resource
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest


@pytest.fixture
def data(tmp_path):
    X = np.random.default_rng(0).integers(0, 2, (20_000, 30)).astype(bool)
    table = pa.table({**{f"f{j}": X[:, j] for j in range(30)}, "y": np.where(X[:, 1] | X[:, 2], "yes", "no")})
    pyarrow.parquet.write_table(table, tmp_path / "data.parquet")
    return tmp_path / "data.parquet"


def with_small_files():
    """Let no file grow beyond some bytes, as on a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))


PROGRAM = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); import fewest.cli; fewest.cli.main()"


def run(folder, *arguments):
    command = [sys.executable, "-B", "-c", PROGRAM, *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, cwd=folder, timeout=600, preexec_fn=with_small_files
    )  # fmt: skip


def test_a_certificate_that_finds_no_room_leaves_the_old_one(tmp_path):
    (tmp_path / "old.json").write_text("kept")
    done = run(tmp_path, "select", "fewest:votes", "-t", "party", "--certificate", "old.json", "--time-limit", "none")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "File too large" in done.stderr
    assert (tmp_path / "old.json").read_text() == "kept"
    assert [path.name for path in tmp_path.iterdir()] == ["old.json"]


def test_blocks_that_find_no_room_end_in_a_sentence(data, tmp_path):
    code = "import fewest.blocks.memory as m; m.available_memory = lambda: 0.0; " + PROGRAM
    command = [sys.executable, "-B", "-c", code, "select", str(data), "-t", "y", "--engine", "stream"]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path, timeout=600, preexec_fn=with_small_files
    )  # fmt: skip
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "TMPDIR" in done.stderr
