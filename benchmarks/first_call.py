"""Every verb and method on a fresh machine: processor time of the first call, of the second, and their ratio.

    python benchmarks/first_call.py            # 5,000 x 50 Boolean and numeric features
    python benchmarks/first_call.py rank       # the commands that hold a word
    python benchmarks/first_call.py --quick    # two of them on 60 x 6

Every command has a cache folder of its own for compiled code, empty before its first call, and every import one for
bytecode. Calls are whole processes, imports included.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

SOURCE = Path(__file__).resolve().parent.parent / "src"

# The words after a verb; "bits.csv" has Boolean features, "numbers.csv" numeric ones. A command uses what one before it
# wrote, so the models and the certificate come first.
COMMANDS = (
    *(f"select bits.csv -t y -m {method}" for method in ("min-features", "focus1", "focus2", "mig", "sg", "wg")),
    "select bits.csv -t y -m min-description",
    "select bits.csv -t y --tolerance 0.01",
    "select bits.csv -t y --certificate bits.json",
    "select numbers.csv -t y",
    "verify bits.json bits.csv",
    *(
        f"rank {file} -t y -m {method} --time-limit none"
        for method in ("relieff", "relief")
        for file in ("bits.csv", "numbers.csv")
    ),
    "rank numbers.csv -t x0 -m rrelieff --time-limit none",
    *(
        f"wrap numbers.csv -t y -m {method} --seed 0 --max-features 5"
        for method in ("ordered-fs", "standard-wrap", "ordered-fs2")
    ),
    *(
        f"wrap {file} -t {target} --estimator {estimator} --seed 0 --max-features 3"
        for estimator, file, target in (
            ("nb", "numbers.csv", "y"),
            ("nb", "bits.csv", "y"),
            ("lda", "numbers.csv", "y"),
            ("id3", "bits.csv", "y"),
            ("ridge", "numbers.csv", "x0"),
        )
    ),
    *(
        f"wrap numbers.csv -t y --estimator {name} --seed 0 --max-features 1 --time-limit none"
        for name in ("knn", "tree")
    ),
    "compare bits.csv -t y --methods min-features,wg",
    "compare numbers.csv -t y --methods relieff,univariate",
    "compare fewest:votes -t party",
    "report fewest:votes -t party -o votes.html",
    "report numbers.csv -t y -o numbers.html",
    "sufficient bits.csv -t y --features x0,x1,x2",
    "explain bits.csv -t y --row 3",
    "explain numbers.csv -t y --row 3",
    *(
        f"train {file} -t {target} --learner {learner} -o {learner}.model"
        for learner, file, target in (
            ("id3", "bits.csv", "y"),
            ("fringe", "bits.csv", "y"),
            ("winnow1", "bits.csv", "y"),
            ("winnow2", "bits.csv", "y"),
            ("balanced", "bits.csv", "y"),
            ("cfp", "numbers.csv", "y"),
            ("logistic", "numbers.csv", "y"),
            ("linear", "numbers.csv", "x0"),
        )
    ),
    *(
        f"predict {learner}.model {file}"
        for learner, file in (
            ("id3", "bits.csv"),
            ("winnow2", "bits.csv"),
            ("cfp", "numbers.csv"),
            ("logistic", "numbers.csv"),
        )
    ),
    *(f"stream bits.csv -t y --learner {learner} -o said.csv" for learner in ("winnow1", "winnow2", "balanced")),
    "generate parity --rows 5000 --seed 0",
    "bound winnow1 --n 1000 --k 3",
    "info",
)
IMPORTS = (
    "import fewest",
    "from fewest import ReliefF",
    "from fewest import MinFeatures",
    "from fewest import Winnow2",
    "from fewest import StandardWrap",
    "from fewest import compare",
    "from fewest import make_report",
)
QUICK = (COMMANDS[0], "rank numbers.csv -t y -m relieff", IMPORTS[0])


def write_tables(folder: Path, n_rows: int, n_features: int) -> None:
    """Write two tables: the class is the parity of three Boolean features, or the sign of a sum of two numbers."""
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2, (n_rows, n_features))
    numbers = rng.normal(size=(n_rows, n_features))
    header = ",".join([*(f"x{j}" for j in range(n_features)), "y"])
    for name, X, y, style in (
        ("bits.csv", bits, bits[:, :3].sum(axis=1) % 2, "%d"),
        ("numbers.csv", numbers, numbers[:, 0] + numbers[:, 1] > 0, "%.4f"),
    ):
        words = np.where(y, "yes", "no")
        rows = (",".join([*(style % value for value in row), word]) for row, word in zip(X, words, strict=True))
        (folder / name).write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")


def seconds(words: list[str], folder: Path, variable: str, kept: Path) -> float:
    """Return the processor time of a Python, child processes included; it must not fail for bad usage."""
    environment = os.environ | {"PYTHONPATH": str(SOURCE), variable: str(kept)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, *words], env=environment, cwd=folder, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode == 2 or b"Traceback" in done.stderr:
        raise SystemExit(f"{words}: {done.stderr.decode()}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print a line a command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("word", nargs="?", default="", help="a part of the commands to measure")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    print(f"{'first':>8}{'second':>8}{'ratio':>7}  command")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_tables(folder, *((60, 6) if options.quick else (5_000, 50)))
        seconds(["-c", IMPORTS[-1]], folder, "NUMBA_CACHE_DIR", folder)  # for commands, bytecode is kept
        for number, command in enumerate(QUICK if options.quick else COMMANDS + IMPORTS):
            if options.word not in command:
                continue
            if command in IMPORTS:
                words, variable = ["-c", command], "PYTHONPYCACHEPREFIX"
            else:
                words, variable, command = ["-m", "fewest", *command.split()], "NUMBA_CACHE_DIR", f"fewest {command}"
            first, second = (seconds(words, folder, variable, folder / f"kept-{number}") for _ in range(2))
            print(f"{first:8.2f}{second:8.2f}{first / second:7.2f}  {command}", flush=True)


if __name__ == "__main__":
    main()
