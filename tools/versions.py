"""Run the tests against the lowest and the newest versions that pyproject.toml allows.

python tools/versions.py                              # both, all tests
python tools/versions.py lowest tests/outside         # one of them, some tests

Each set is installed into an environment of its own, in build/versions, which is kept for the next time.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
HOME = ROOT / "build" / "versions"
SETS = ("lowest", "newest")
# Tools of the tests may be newer: the package does not run on them.
RUN_ON = {"numpy", "scipy", "pandas", "polars", "dask", "distributed", "matplotlib"}


def lowest_versions(project: dict) -> list[str]:
    """Return the lowest version of everything that the package runs on, each as a constraint."""
    extras = project["optional-dependencies"]
    optional = [wish for extra in ("plot", "dask", "test") for wish in extras[extra]]
    found = [_lowest(wish) for wish in project["dependencies"]]
    found += [_lowest(wish) for wish in optional if _name(wish) in RUN_ON]
    return found


def _name(wish: str) -> str:
    return re.match(r"[\w.-]+", wish)[0]  # type: ignore[index]


def _lowest(wish: str) -> str:
    lower = re.search(r">=\s*([\w.]+)", wish)
    if lower is None:
        raise SystemExit(f"{wish!r} has no lower bound, so there is no lowest version to test.")
    return f"{_name(wish)}=={lower[1]}"


def environment(which: str) -> Path:
    """Return the Python of an environment with the lowest or the newest versions, installed if need be."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    home = HOME / which
    python = home / "bin" / "python"
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    wishes = ["--editable", f"{ROOT}[test]"]
    if which == "lowest":
        constraints = home / "constraints.txt"
        constraints.write_text("\n".join(lowest_versions(project)) + "\n", "utf-8")
        wishes += ["--constraint", str(constraints)]
    else:
        wishes += ["--upgrade", "--upgrade-strategy", "eager"]
    subprocess.run([*pip, *wishes], check=True)
    return python


def main(arguments: list[str]) -> int:
    """Install and test each set that is asked for; return how many failed."""
    asked = [which for which in arguments if which in SETS] or list(SETS)
    tests = [argument for argument in arguments if argument not in SETS]
    failed = 0
    for which in asked:
        python = environment(which)
        versions = "import sklearn, numpy, fewest; print(sklearn.__version__, numpy.__version__, fewest.__file__)"
        shown = subprocess.run([python, "-c", versions], check=True, capture_output=True, text=True).stdout.split()
        print(f"== {which}: scikit-learn {shown[0]}, NumPy {shown[1]}", flush=True)
        workers = [] if tests else ["-n", "auto", "--maxprocesses", "8"]
        failed += subprocess.run([python, "-m", "pytest", "-q", *workers, *tests], cwd=ROOT).returncode != 0
    return failed


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
