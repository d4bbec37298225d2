"""ReliefF against its peers, in one run.

    python benchmarks/relief.py --skrebate PYTHON --fast-select PYTHON
    python benchmarks/relief.py --quick     a small data set, without peers unless they are given
    python benchmarks/relief.py --growth    how ours grows with rows and features when as many rows are drawn
    python benchmarks/relief.py --table2    the paper's Table 2 beside ours

A peer is an interpreter of a virtual environment of its own that has it
(skrebate 0.8.4, fast-select 0.3): none shares ours. Every measurement is a
process of its own; seconds are the best of at least seven calls, and of all
that a second has time for, after the first, or the first where that is long;
imports are counted apart. Processor's seconds are those of all threads, which
other programs disturb less. Ours is Manhattan, as the peers are, and is shown
with Euclidean distances, too. The floors compute all distances and use none.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fewest import Relief
from fewest.datasets import make_parity

HERE = Path(__file__).parent
K = 10
OURS = "fewest"
# The paper's Table 2: relevance and deviation of every feature, without noise and with 5% noise.
TABLE_2 = {
    0.0: (
        [0.2970, 0.3075, 0.3165, -0.0740, -0.0755, -0.0860, -0.0870, -0.0935, -0.0880, -0.1085],
        [0.0589, 0.0542, 0.0511, 0.0465, 0.0663, 0.0407, 0.0500, 0.0587, 0.0671, 0.0515],
        0,
    ),
    0.05: (
        [0.1605, 0.1815, 0.1540, -0.0335, -0.0425, -0.0335, -0.0290, -0.0395, -0.0400, -0.0810],
        [0.0471, 0.0519, 0.0589, 0.0540, 0.0559, 0.0673, 0.0607, 0.0548, 0.0616, 0.0454],
        2,
    ),
}


class Instance(NamedTuple):
    """A data set, its relevant features, and who tries it."""

    name: str
    X: np.ndarray
    y: np.ndarray
    relevant: tuple[int, ...]
    contestants: tuple[str, ...]


def boolean(n_rows: int, n_features: int) -> Instance:
    """Parity of two among Boolean features."""
    X, y, relevant = make_parity(n_rows, 2, n_features - 2, random_state=0)
    contestants = (OURS, "floor-popcount", "floor-product", "fast-select", "skrebate", "mutual-information")
    return Instance(f"Boolean {n_rows:,} x {n_features:,}", X.astype(bool), y, relevant, contestants)


def numeric(n_rows: int, n_features: int) -> Instance:
    """The class depends on the sum of two numbers among many."""
    X = np.random.default_rng(0).random((n_rows, n_features))
    y = (X[:, 0] + X[:, 1] > 1).astype(int)
    return Instance(
        f"{n_rows:,} x {n_features:,}",
        X,
        y,
        (0, 1),
        (OURS, "euclidean", "floor-product", "fast-select", "skrebate", "mutual-information"),
    )


def incomplete(n_rows: int, n_features: int) -> Instance:
    """The same with a tenth of the values missing, which fast-select and scikit-learn refuse."""
    made = numeric(n_rows, n_features)
    X = np.where(np.random.default_rng(1).random(made.X.shape) < 0.1, np.nan, made.X)
    return made._replace(
        name=f"10% missing {made.name}", X=X, contestants=(OURS, "euclidean", "floor-product", "skrebate")
    )


FULL = [
    lambda: boolean(1000, 100),
    lambda: boolean(5000, 100),
    lambda: numeric(2000, 500),
    lambda: numeric(10_000, 200),
    lambda: numeric(1000, 10_000),
    lambda: incomplete(1000, 50),
]
QUICK = [lambda: boolean(400, 20), lambda: numeric(300, 10), lambda: incomplete(300, 10)]


def measured(
    interpreter: str, contestant: str, instance: Instance, cap: float, repeats: int = 7
) -> dict[str, Any] | None:
    """Run one contestant in a process of its own; None when it did not finish in time."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(Path(folder) / name) for name in ("X.npy", "y.npy")]
        np.save(paths[0], instance.X)
        np.save(paths[1], instance.y)
        command = [interpreter, str(HERE / "relief_contestants.py"), contestant, *paths, str(K)]
        n_repeats = 0 if contestant == "skrebate" else repeats
        try:
            done = subprocess.run([*command, str(n_repeats)], capture_output=True, text=True, timeout=cap)
        except subprocess.TimeoutExpired:
            return None
        if done.returncode:
            sys.exit(f"{contestant} failed on {instance.name}: {done.stderr}")
        return json.loads(done.stdout.splitlines()[-1])


def compare(instances, interpreters: dict[str, str], cap: float) -> bool:
    """Print a line an instance and a contestant; return whether ours finds what was planted."""
    times = f"{'seconds':>9}{'of CPU':>9}{'import':>8}{'first':>8}"
    heading = f"{'data':<28}{'contestant':<20}{times}{'MB':>7}{'ratio':>8}{'of CPU':>8}  on top  agreement"
    print(heading)
    is_right = True
    for make in instances:
        instance = make()
        ours: dict[str, Any] | None = None
        for contestant in instance.contestants:
            if contestant not in interpreters:
                continue
            outcome = measured(interpreters[contestant], contestant, instance, cap)
            if contestant == OURS:
                ours = outcome
                is_right &= outcome is not None and _is_on_top(outcome, instance)
            print(f"{instance.name:<28}{contestant:<20}{_told(outcome, ours, instance, cap)}", flush=True)
    return is_right


def _told(outcome: dict[str, Any] | None, ours: dict[str, Any] | None, instance: Instance, cap: float) -> str:
    base, base_processor = (ours["best"], ours["processor"]) if ours else (float("nan"), float("nan"))
    if outcome is None:
        return f"{'-':>9}{'-':>9}{'-':>8}{'-':>8}{'-':>7}{'>' + format(cap / base, '.0f'):>8}"
    line = f"{outcome['best']:>9.4f}{outcome['processor']:>9.4f}{outcome['import']:>8.2f}{outcome['first']:>8.2f}"
    line += f"{outcome['megabytes']:>7.0f}{outcome['best'] / base:>8.1f}{outcome['processor'] / base_processor:>8.1f}"
    if not any(outcome["scores"]):
        return line
    agreement = np.corrcoef(_ranks(outcome["scores"]), _ranks(ours["scores"]))[0, 1] if ours else float("nan")
    return f"{line}  {'yes' if _is_on_top(outcome, instance) else 'no':<6}  {agreement:9.3f}"


def _is_on_top(outcome: dict[str, Any], instance: Instance) -> bool:
    best = np.argsort(-np.array(outcome["scores"]))[: len(instance.relevant)]
    return set(best.tolist()) == set(instance.relevant)


def _ranks(scores: list[float]) -> np.ndarray:
    return np.argsort(np.argsort(scores))


def growth(cap: float) -> None:
    """Print how time and memory grow as the rows double, and as the features do, when 200 rows are drawn.

    The processor's seconds, of all threads together, are what other programs disturb least.
    """
    print(f"{'data':<28}{'seconds':>9}{'of processor':>14}{'grown':>8}{'MB':>8}{'MB of data':>12}")
    rows, features = (125_000, 250_000, 500_000, 1_000_000), (50, 100, 200, 400)
    for kind in ("Boolean", "numbers"):
        for sizes in ([(n, 100) for n in rows], [(100_000, p) for p in features]):
            before = None
            for n_rows, n_features in sizes:
                command = [sys.executable, __file__, "--one", kind, str(n_rows), str(n_features)]
                done = subprocess.run(command, capture_output=True, text=True, timeout=cap * 3, check=True)
                outcome = json.loads(done.stdout)
                name = f"{kind} {n_rows:,} x {n_features:,}"
                grown = f"{outcome['cpu'] / before:.2f}" if before else ""
                sizes_told = f"{outcome['megabytes']:>8.0f}{outcome['data']:>12.0f}"
                told = f"{outcome['seconds']:>9.2f}{outcome['cpu']:>14.2f}{grown:>8}{sizes_told}"
                print(f"{name:<28}{told}", flush=True)
                before = outcome["cpu"]


def one(kind: str, n_rows: int, n_features: int) -> None:
    """Measure 200 sampled rows of a data set that is made here, the best of three times."""
    import resource
    import time

    from fewest import ReliefF

    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (n_rows, n_features), dtype=np.int8).astype(bool)
    if kind == "numbers":
        X = rng.random((n_rows, n_features), dtype=np.float32)
    y = rng.integers(0, 2, n_rows)
    ReliefF(max_samples=20, n_features_to_select=1).fit(X[:20_000], y[:20_000])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    outcome = {"seconds": np.inf, "cpu": np.inf}
    for _ in range(3):
        started = time.perf_counter(), time.process_time()
        ReliefF(max_samples=200, n_features_to_select=1).fit(X, y)
        spent = {"seconds": time.perf_counter() - started[0], "cpu": time.process_time() - started[1]}
        outcome = {key: min(outcome[key], spent[key]) for key in spent}
    outcome["megabytes"] = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    outcome["data"] = X.nbytes / 1e6
    print(json.dumps(outcome))


def table_2() -> None:
    """Print relevance in the parity domain over 20 data sets beside the paper's."""
    for noise, (relevance, deviation, fooled) in TABLE_2.items():
        scores = []
        for seed in range(20):
            X, y, _ = make_parity(200, 3, 7, noise, random_state=seed)
            scores.append(Relief(max_samples=100, random_state=seed).fit(X, y).scores_)
        ours = np.array(scores)
        n_fooled = int((ours[:, 3:].max(axis=1) > ours[:, :3].min(axis=1)).sum())
        print(f"Parity(3, 7, {100 * noise:g})   Rel.     Dev.   document: Rel.     Dev.")
        for f in range(10):
            mean, dev = ours[:, f].mean(), ours[:, f].std(ddof=1)
            print(f"f{f + 1:<15}{mean:>8.4f} {dev:>8.4f}        {relevance[f]:>8.4f} {deviation[f]:>8.4f}")
        print(f"fooled          {n_fooled:>5}/20                    {fooled:>5}/20\n")


def main() -> None:
    """Run what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--skrebate", metavar="PYTHON", help="an interpreter that has skrebate")
    parser.add_argument("--fast-select", metavar="PYTHON", help="an interpreter that has fast-select")
    parser.add_argument("--quick", action="store_true", help="small data sets")
    parser.add_argument("--growth", action="store_true", help="more rows, more features")
    parser.add_argument("--table2", action="store_true", help="the paper's Table 2")
    parser.add_argument("--cap", type=float, default=120, help="seconds for each contestant")
    parser.add_argument("--skip", nargs="*", default=(), metavar="NAME", help="contestants that are left out")
    parser.add_argument("--one", nargs=3, metavar=("KIND", "ROWS", "FEATURES"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        one(options.one[0], int(options.one[1]), int(options.one[2]))
    elif options.table2:
        table_2()
    elif options.growth:
        growth(options.cap)
    else:
        ours = ("fewest", "euclidean", "floor-product", "floor-popcount", "mutual-information")
        interpreters = dict.fromkeys(ours, sys.executable)
        for peer, interpreter in (("skrebate", options.skrebate), ("fast-select", options.fast_select)):
            if interpreter is None:
                print(f"Without {peer}: no --{peer} was given.", file=sys.stderr)
            else:
                interpreters[peer] = interpreter
        interpreters = {name: each for name, each in interpreters.items() if name not in options.skip}
        if not compare(QUICK if options.quick else FULL, interpreters, options.cap):
            sys.exit("The planted features are not on top.")


if __name__ == "__main__":
    main()
