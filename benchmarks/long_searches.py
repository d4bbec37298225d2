"""Searches that are not over at once: the best subset and the bound at any moment, here and in another checkout.

    python benchmarks/long_searches.py                          tables made from seeds
    python benchmarks/long_searches.py --beside ../before       the same, by the code of another checkout, too
    python benchmarks/long_searches.py --table FILE TARGET      a CSV of Boolean or nominal features, too
    python benchmarks/long_searches.py --pace FOLDER            hitting-set instances (*.hgr), too
    python benchmarks/long_searches.py --only wide              those whose name holds a word

Every search is a process of its own, which has solved something small before and so measures no compiling. Seconds are
of processor time, so that other processes slow nothing down. Shown are the best and the bound after 3 and 30 seconds
and at the end, which the cap is at the latest; how long the last best took; and how long the whole.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from instances import Instance, noise, planted, splices, wide

HERE = Path(__file__).resolve()
TABLES: tuple[Callable[[], Instance], ...] = (
    *(partial(planted, 25, 9, n_rows) for n_rows in (100, 200, 300, 400, 500)),  # of Table I of the paper: not long
    partial(noise, 40, 120),
    splices,
    wide,
    partial(planted, 200, 8, 5000),
)
MOMENTS = (3, 30)
Moment = tuple[float, str, str]
"""Seconds, and the best and the bound then."""


def read_table(path: Path, target: str) -> Instance:
    """Read a table whose values are all discrete."""
    with path.open(newline="") as file:
        header, *rows = csv.reader(file)
    columns = dict(zip(header, zip(*rows, strict=True), strict=True))
    numbered = {name: np.unique(values, return_inverse=True)[1] for name, values in columns.items()}
    classes = numbered.pop(target)
    codes = np.asfortranarray(np.stack(list(numbered.values()), axis=1), dtype=np.int8)
    return Instance(path.stem, codes, classes.astype(np.int64), None)


def read_sets(path: Path) -> tuple[int, list[list[int]]]:
    """Read an instance of the PACE challenge: ``p hs VERTICES SETS``, then a set of numbers from 1 a line."""
    lines = [line.split() for line in path.read_text().splitlines() if line.strip() and not line.startswith("c")]
    return int(lines[0][2]), [[int(vertex) - 1 for vertex in line] for line in lines[1:]]


def search_here(instance: Instance | Path, cap: float) -> dict[str, object]:
    """Search in this process, by whatever ``fewest`` it has; older checkouts have other names."""
    try:
        from fewest.budget import Budget, OutOfBudgetError
        from fewest.cover.min_features import MinFeaturesSearch
        from fewest.cover.sample import Sample
        from fewest.cover.solver import CoverProblem, solve_cover
    except ImportError:
        import fewest.solvers.compiled  # noqa: F401 (ours is to use it from the start)
        from fewest.search.min_features import MinFeaturesSearch  # type: ignore[no-redef]
        from fewest.search.sample import Sample  # type: ignore[no-redef]
        from fewest.solvers.budget import Budget, OutOfBudgetError  # type: ignore[no-redef]
        from fewest.solvers.minimum import solve_cover  # type: ignore[no-redef]
        from fewest.solvers.problem import CoverProblem  # type: ignore[no-redef]

    class Clock(Budget):
        """A limit of processor time that notes what is known at any moment."""

        def __init__(self, cap: float):
            super().__init__()
            self.started, self.cap = time.process_time(), cap
            self.moments: list[Moment] = []

        def check(self, status: Callable[[], str]) -> None:
            seconds = time.process_time() - self.started
            best, bound = status().split(" (")[0].removeprefix("best ").split(", at least ")
            if not self.moments or self.moments[-1][1:] != (best, bound):
                self.moments.append((seconds, best, bound))
            if seconds > self.cap:
                raise OutOfBudgetError

    def searched(instance: Instance | Path, cap: float) -> tuple[float, list[Moment]]:
        if isinstance(instance, Path):
            n_features, sets = read_sets(instance)
            problem = CoverProblem.from_sets(sets, n_features=n_features)
            clock = Clock(cap)
            cover = solve_cover(problem, clock)
            best, bound = cover.cost, cover.lower_bound
        else:
            sample = Sample(instance.codes, instance.classes)
            clock = Clock(cap)
            answer = MinFeaturesSearch(sample).run(clock)
            best, bound = len(answer.subset), answer.lower_bound
        end = time.process_time() - clock.started
        if [str(best), str(bound)] != list(clock.moments[-1][1:]):
            clock.moments.append((end, str(best), str(bound)))
        return end, clock.moments

    searched(noise(40, 120), cap)
    end, moments = searched(instance, cap)
    return {"end": end, "moments": moments}


def measured(checkout: Path, arguments: list[str]) -> dict | None:
    """Search in a process that has a checkout's package; None where that fails."""
    environment = os.environ | {"PYTHONPATH": str(checkout / "src"), "FEWEST_COMPILE": "always"}
    done = subprocess.run([sys.executable, str(HERE), *arguments], env=environment, capture_output=True, text=True)
    if done.returncode:
        print(done.stderr.strip()[-300:], file=sys.stderr)
        return None
    return json.loads(done.stdout)


def line_of(found: dict) -> str:
    """Return the best and the bound at the moments and at the end, when the last best was found, and the end."""
    moments, end = found["moments"], found["end"]
    cells = []
    for most in (*MOMENTS, end):
        known = [moment for moment in moments if moment[0] <= most]
        cells.append(f"{known[-1][1]} / {known[-1][2]}" if known and most <= end else "")
    best_at = next(seconds for seconds, best, _ in moments if best == moments[-1][1])
    is_proven = moments[-1][1] == moments[-1][2]
    return (
        "".join(f"{cell:>11}" for cell in cells) + f"{best_at:>10.3f}{end:>10.3f}{'' if is_proven else '  not proven'}"
    )


def main() -> None:
    """Print a line a search and checkout."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--beside", type=Path, help="another checkout")
    parser.add_argument("--table", nargs=2, metavar=("FILE", "TARGET"), help="a table to search, too")
    parser.add_argument("--pace", type=Path, help="a folder of hitting-set instances to solve, too")
    parser.add_argument("--only", default="", help="a part of the names of what to search")
    parser.add_argument("--cap", type=float, default=60, help="seconds for each search")
    parser.add_argument("--quick", action="store_true", help="a small table only")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    instances: dict[str, Callable[[], Instance | Path]] = {}
    for make in (partial(noise, 30, 60),) if options.quick else TABLES:
        instances[make().name] = make
    if options.table:
        instances[Path(options.table[0]).stem] = lambda: read_table(Path(options.table[0]), options.table[1])
    for path in sorted(options.pace.glob("*.hgr")) if options.pace else ():
        instances[path.stem] = partial(Path, path)
    if options.measure:
        print(json.dumps(search_here(instances[options.only](), options.cap)))
        return
    checkouts = {"here": HERE.parent.parent} | ({"beside": options.beside.resolve()} if options.beside else {})
    heads = (*(f"at {moment} s" for moment in MOMENTS), "at the end", "best (s)", "end (s)")
    print(f"{'best / bound':<24}{'':<7}" + "".join(f"{head:>{11 if 'at' in head else 10}}" for head in heads))
    arguments = [*(("--table", *options.table) if options.table else ()), "--cap", str(options.cap)]
    arguments += ["--pace", str(options.pace)] if options.pace else []
    arguments += ["--quick"] if options.quick else []
    for name in instances:
        if options.only not in name:
            continue
        for which, checkout in checkouts.items():
            found = measured(checkout, [*arguments, "--only", name, "--measure"])
            print(f"{name:<24}{which:<7}" + (line_of(found) if found else "  failed"), flush=True)


if __name__ == "__main__":
    main()
