"""How many files one has to read to follow a call, and how many are loaded: what the house costs its readers.

    python benchmarks/reading.py                      # this checkout
    PYTHONPATH=OTHER/src python benchmarks/reading.py  # another one

A file is visited when one of its functions runs; what runs only while modules are imported does not count.
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import FrameType

import fewest

HOME = Path(fewest.__file__).parent
MODULES = sorted(HOME.rglob("*.py"))


def visited(work: Callable[[], object]) -> list[str]:
    """Return the files of the package whose functions ran, in the order of their first call."""
    files: dict[str, None] = {}
    prefix = f"{HOME}{os.sep}"

    def trace(frame, _event, _argument):
        code = frame.f_code
        if not code.co_filename.startswith(prefix) or not code.co_flags & CO_OPTIMIZED:  # a module or a class body
            return
        name = code.co_filename.removeprefix(prefix)
        if name not in files and not is_import(frame.f_back):
            files[name] = None

    sys.settrace(trace)
    threading.settrace(trace)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            work()
    finally:
        sys.settrace(None)
        threading.settrace(None)
    return list(files)


def is_import(frame: FrameType | None) -> bool:
    """Return whether a frame was called by the import of some module."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def run(*arguments: str) -> Callable[[], object]:
    """Return a call of the program."""

    def call() -> None:
        from fewest.cli.app import run as run_app

        before, sys.argv = sys.argv, ["fewest", *arguments]
        try:
            with contextlib.suppress(SystemExit):
                run_app()
        finally:
            sys.argv = before

    return call


def fit_relieff() -> None:
    """Fit a selector to a small array."""
    import numpy as np

    from fewest import ReliefF

    X = np.random.default_rng(0).normal(size=(100, 8))
    ReliefF().fit(X, X[:, 0] * X[:, 1] > 0)


def loaded_by(name: str) -> int:
    """Count the modules of the package that a new process loads to import one name."""
    program = f"import sys; from fewest import {name}; print(sum(m.split('.')[0] == 'fewest' for m in sys.modules))"
    return int(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)


def n_importers() -> Counter[str]:
    """Count, for every module, the modules that import it."""
    names = {".".join(p.relative_to(HOME.parent).with_suffix("").parts).removesuffix(".__init__") for p in MODULES}
    counts: Counter[str] = Counter(dict.fromkeys(names, 0))
    for path in MODULES:
        imported = set()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    full = f"{node.module}.{alias.name}"
                    imported.add(full if full in names else node.module)
            elif isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
        counts.update(imported & names)
    return counts


def main() -> None:
    """Print what there is to read."""
    lengths = [len(path.read_text("utf-8").splitlines()) for path in MODULES]
    print(f"{'modules':46}{len(MODULES):6}")
    print(f"{'modules of at most 100 lines':46}{sum(n <= 100 for n in lengths):6}")
    print(f"{'modules with one importer':46}{sum(n == 1 for n in n_importers().values()):6}")
    for name in ("ReliefF", "Winnow1", "MinFeatures"):
        print(f"{f'modules loaded by `from fewest import {name}`':46}{loaded_by(name):6}")
    with tempfile.TemporaryDirectory() as folder:
        model = str(Path(folder, "votes.model"))
        calls = {
            "ReliefF.fit": fit_relieff,
            "fewest select": run("select", "fewest:votes", "--target", "party"),
            "fewest train": run("train", "fewest:votes", "--target", "party", "-o", model),
            "fewest predict": run("predict", model, "fewest:votes"),
        }
        for name, work in calls.items():
            files = visited(work)
            print(f"{f'files visited by `{name}`':46}{len(files):6}")
            if "--list" in sys.argv[1:]:
                print(*(f"    {file}" for file in files), sep="\n")


if __name__ == "__main__":
    main()
