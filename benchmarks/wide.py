"""Tables of very many columns: processor time to read them, and the memory of the process; and to select features.

python benchmarks/wide.py            # 4 rows of 1,000,000 columns, which are read only, and 20 rows of 100,000
python benchmarks/wide.py --quick    # 3 rows of 2,000 columns
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
# Of fewer rows there are no folds to validate a selection with.
FEWEST_TO_SELECT = 20
READ = """
import resource, sys, time
from fewest import read_table
import fewest.table.files
started = time.process_time()
table = read_table(sys.argv[1])
print(len(table.columns), round(time.process_time() - started, 2), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def write_table(path: Path, n_rows: int, n_columns: int, style: str) -> None:
    """Write zeros and ones, or numbers of three decimals, and a class."""
    rng = np.random.default_rng(0)
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join([*(f"x{j}" for j in range(n_columns)), "y"]) + "\n")
        for i in range(n_rows):
            row = rng.integers(0, 2, n_columns) if style == "%d" else rng.normal(size=n_columns)
            file.write(",".join([*(style % value for value in row), "ab"[i % 2]]) + "\n")


def seconds_to_select(path: Path) -> float:
    """Return the processor time of the program, imports included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = os.environ | {"PYTHONPATH": str(SOURCE)}
    command = [sys.executable, "-m", "fewest", "select", str(path), "--target", "y"]
    subprocess.run(command, env=environment, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print a line a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    sizes = [(3, 2_000)] if parser.parse_args().quick else [(4, 1_000_000), (20, 100_000)]
    print(f"{'rows':>6}{'columns':>10}{'values':>9}{'seconds':>9}{'MB':>7}{'select':>9}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "wide.csv")
        for n_rows, n_columns in sizes:
            for values, style in (("bits", "%d"), ("numbers", "%.3f")):
                write_table(path, n_rows, n_columns, style)
                done = subprocess.run([sys.executable, "-c", READ, path], capture_output=True, text=True, check=True)
                found, seconds, memory = done.stdout.split()
                megabytes = int(memory) >> (20 if sys.platform == "darwin" else 10)  # of bytes there, of kilobytes here
                shown = f"{n_rows:6}{int(found) - 1:10,}{values:>9}{float(seconds):9.2f}{megabytes:7,}"
                if n_rows >= FEWEST_TO_SELECT:
                    shown += f"{seconds_to_select(path):9.2f}"
                print(shown, flush=True)


if __name__ == "__main__":
    main()
