import os
import subprocess
import sys

import pytest

from fewest.cli import main

# pyarrow imports pandas, if there is one, as soon as it converts a Python object: so it is asked to convert none.
HEAVY = ["numba", "sklearn", "scipy", "matplotlib", "pandas"]


@pytest.mark.parametrize(
    ("arguments", "heavy"),
    [
        (["--help"], ["numpy", "pyarrow", "numba", "sklearn", "matplotlib", "rich", "pandas"]),
        (["select", "fewest:votes", "--target", "party"], HEAVY),
        (
            ["train", "fewest:votes", "--target", "party", "--select", "wg"],
            HEAVY,
        ),
        (
            ["train", "fewest:votes", "--target", "party", "-l", "fringe"],
            HEAVY,
        ),
        (
            ["train", "fewest:votes", "--target", "party", "-l", "cfp"],
            HEAVY,
        ),
        (["predict", "nowhere.model", "fewest:votes"], HEAVY),
        (
            ["stream", "fewest:votes", "--target", "party"],
            HEAVY,
        ),
        (["bound"], ["pyarrow", "numba", "sklearn", "scipy", "matplotlib"]),
        (["select", "nowhere.csv", "--target", "party"], HEAVY),
    ],
)
def test_commands_import_only_what_they_need(arguments, heavy):
    """Start-up time is made of imports, and imports can be counted where seconds cannot."""
    program = (
        "import sys\n"
        f"sys.argv = ['fewest', *{arguments!r}]\n"
        "from fewest.cli import _exit_code\n"
        "_exit_code()\n"
        f"print([name for name in {heavy!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert done.stderr.splitlines()[-1] == "[]"


def test_no_help_imports_what_a_command_needs():
    program = (
        "import sys\n"
        "from fewest.cli import _exit_code\n"
        "from fewest.cli.app import VERBS\n"
        "for verb in VERBS:\n"
        "    sys.argv = ['fewest', verb, '--help']\n"
        "    assert _exit_code() == 0\n"
        f"    loaded = [name for name in {['numpy', 'pyarrow', *HEAVY]!r} if name in sys.modules]\n"
        "    assert not loaded, (verb, loaded)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_importing_the_package_is_cheap():
    program = "import sys, fewest; print(sorted({'numpy', 'sklearn', 'pyarrow'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "[]\n"


def test_version(fewest):
    import fewest as package

    assert fewest("--version").out == f"fewest {package.__version__}\n"


@pytest.mark.parametrize("wanted", [None, "3"])
def test_matrix_products_run_on_one_thread_unless_more_are_asked_for(wanted, monkeypatch):
    found = []
    for library in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
        monkeypatch.setenv(library, wanted or "")
        if wanted is None:
            monkeypatch.delenv(library)
    monkeypatch.setattr("fewest.cli._worked", lambda: found.append(os.environ["OPENBLAS_NUM_THREADS"]) or 0)
    monkeypatch.setattr("fewest.cli.is_limited", lambda: False)
    monkeypatch.setattr("gc.set_threshold", lambda *_: None)
    monkeypatch.setattr(os, "_exit", lambda _: None)
    main()
    assert found == [wanted or "1"]
