"""Build the package, install its wheel into a bare environment, and try it there.

python tools/wheel.py

In an environment of its own, in build/wheel, with nothing but what the wheel asks for: every public name is imported,
the commands of README are run, and what an extra is missing for names that extra.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
HOME = ROOT / "build" / "wheel"
QUIET = ["--quiet", "--disable-pip-version-check"]

NAMES = """
import fewest
from importlib import import_module
for home in ("", ".bounds", ".comparison", ".cover", ".datasets", ".mistakes", ".plot", ".preprocessing", ".report"):
    module = import_module("fewest" + home)
    for name in module.__all__:
        getattr(module, name)
from fewest.exceptions import MissingExtraError
from fewest.datasets import make_parity
X, y, _ = make_parity(60, random_state=0)
selector = fewest.ReliefF().fit(X, y)
try:
    fewest.plot.plot_relevance(selector)
except MissingExtraError as error:
    assert 'pip install "fewest[plot]"' in str(error), error
else:
    raise SystemExit("matplotlib is here, so this environment is not bare.")
"""


def run(*command: object, **options: object) -> subprocess.CompletedProcess:
    """Run a command, or end with what it complained about."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, env=bare, **options)  # type: ignore[call-overload]
    if done.returncode != 0:
        raise SystemExit(f"{shlex.join(str(part) for part in command)}\n{done.stdout}{done.stderr}")
    return done


def build() -> Path:
    """Build source distribution and wheel, and return the wheel."""
    shutil.rmtree(HOME, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", HOME / "dist", ROOT)
    (wheel,) = (HOME / "dist").glob("*.whl")
    return wheel


def check_contents(wheel: Path) -> None:
    """Raise unless the wheel holds types, data and licences, and a README without dead links."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = (archive.read(name).decode() for name in names if name.endswith("METADATA"))
    wanted = ("fewest/py.typed", "fewest/__init__.pyi", "fewest/datasets/votes.csv", "LICENSE", "LICENSE-DATA.md")
    missing = [end for end in wanted if not any(name.endswith(end) for name in names)]
    if missing:
        raise SystemExit(f"The wheel lacks {', '.join(missing)}.")
    if dead := re.findall(r"\]\((?!https?:|#)[^)]*\)", metadata):
        raise SystemExit(f"README has links that lead nowhere on a package index: {', '.join(dead)}")


def install(wheel: Path) -> Path:
    """Install the wheel where nothing else is, and return the Python there."""
    home = HOME / "bare"
    run(sys.executable, "-m", "venv", home)
    run(home / "bin" / "python", "-m", "pip", "install", *QUIET, wheel)
    return home / "bin" / "python"


def commands() -> list[list[str]]:
    """Return the commands whose output README shows, and one that it does not."""
    shown = re.findall(r"```console\n\$ (fewest .*)\n", (ROOT / "README.md").read_text("utf-8"))
    return [shlex.split(line)[1:] for line in shown] + [["--version"], ["info"], ["generate", "parity", "-o", "p.csv"]]


def main() -> None:
    """Build, install, try, and print what it weighs."""
    wheel = build()
    check_contents(wheel)
    python = install(wheel)
    clean = HOME / "work"
    clean.mkdir()
    run(python, "-I", "-c", NAMES, cwd=clean)
    for arguments in commands():
        run(python.parent / "fewest", *arguments, cwd=clean)
        print(f"ran fewest {shlex.join(arguments)}")
    run(python, "-I", "-m", "fewest", "--help", cwd=clean)
    freeze = run(python, "-m", "pip", "list", "--format=freeze", "--disable-pip-version-check").stdout.split()
    site = next((HOME / "bare" / "lib").glob("python*/site-packages"))
    sizes = {path.name: _size(path) for path in site.iterdir()}
    print(f"{wheel.name}: {wheel.stat().st_size / 1e3:.0f} kB; its environment: {sum(sizes.values()) / 1e6:.0f} MB")
    for name, size in sorted(sizes.items(), key=lambda item: -item[1])[:10]:
        print(f"  {size / 1e6:6.0f} MB  {name}")
    print("  " + ", ".join(freeze))


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in [path, *path.rglob("*")] if file.is_file() and not file.is_symlink())


if __name__ == "__main__":
    main()
