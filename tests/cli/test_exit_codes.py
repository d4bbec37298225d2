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
