import os
import subprocess
import sys
from pathlib import Path

from fewest.cli import MEANINGS, ExitCode, exit_code_table

ROOT = Path(__file__).parents[2]


def test_every_code_has_a_meaning():
    assert list(MEANINGS) == list(ExitCode)


def test_help_shows_the_table(fewest):
    assert exit_code_table() in " ".join(fewest("--help").out.split())


def test_the_documentation_shows_the_table():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for code, meaning in MEANINGS.items():
        assert f"| {code:d} | {meaning} |" in readme


FAULTY = """
import sys
import fewest.cli.app
def run():
    raise RuntimeError("a secret\\nof two lines")
fewest.cli.app.run = run
from fewest.cli import main
main()
"""


def test_what_escapes_everything_is_one_sentence_and_a_file(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", FAULTY], capture_output=True, text=True, env={**os.environ, "TMPDIR": str(tmp_path)}
    )
    assert done.returncode == ExitCode.FAULT == 70
    assert len(done.stderr.splitlines()) == 1
    assert "this is a fault of fewest (RuntimeError), not yours" in done.stderr
    (kept,) = tmp_path.iterdir()
    assert str(kept) in done.stderr
    assert "a secret" in kept.read_text()
    assert "Traceback" in kept.read_text()
