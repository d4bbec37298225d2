"""Table I of Almuallim and Dietterich (1994), beside the paper's figures.

Sufficiency tests and seconds of FOCUS-1, FOCUS-2 and Weighted-Greedy for a
concept of 9 relevant features of 25, examples drawn uniformly with
replacement, 10 runs for each number of examples. The paper does not say
its concept; here every run draws one, a random function of 9 features at
random places. Its times are those of a workstation of its day; what can be
compared is how the three relate.

    python benchmarks/table_1.py            all sizes, 10 runs: some minutes
    python benchmarks/table_1.py --quick    a small concept, 2 runs
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

import numpy as np
from instances import planted

from fewest.cover.examples import Answer
from fewest.cover.focus1 import focus1
from fewest.cover.focus2 import focus2
from fewest.cover.sample import Sample
from fewest.cover.weighted_greedy import weighted_greedy

SEARCHES: dict[str, Callable[[Sample], Answer]] = {"FOCUS-1": focus1, "FOCUS-2": focus2, "WG": weighted_greedy}
SIZES = (100, 200, 300, 400, 500)
PUBLISHED = {
    "FOCUS-1": {
        "tests": (442189.4, 1329330.5, 2908068.9, 2665664.0, 2695393.0),
        "time": (9.74, 55.1, 211.1, 191.7, 186.1),
    },
    "FOCUS-2": {"tests": (10593.1, 9785.3, 11339.5, 8768.9, 5582.3), "time": (2.0, 7.1, 20.5, 31.9, 32.5)},
    "WG": {"tests": (8.5, 10.1, 10.7, 10.5, 11.0), "time": None},
}


def measured(n_features: int, n_relevant: int, n_rows: int, seed: int) -> dict[str, tuple[int, int, float]]:
    """Return the size of the answer, the tests and the seconds of each search on one sample."""
    instance = planted(n_features, n_relevant, n_rows, seed)
    found = {}
    for name, search in SEARCHES.items():
        sample = Sample(instance.codes, instance.classes)
        started = time.perf_counter()
        answer = search(sample)
        found[name] = (len(answer.subset), answer.n_sufficiency_tests, time.perf_counter() - started)
    return found


def main() -> None:
    """Print the table, and fail when the exact searches disagree."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="4 of 12 features, 2 runs")
    parser.add_argument("--runs", type=int, default=10)
    options = parser.parse_args()
    n_features, n_relevant = (12, 4) if options.quick else (25, 9)
    n_runs = 2 if options.quick else options.runs
    measured(20, 6, 200, seed=0)  # load and compile, before any clock runs
    print(f"{n_relevant} of {n_features} features relevant, {n_runs} runs each")
    heading = ("tests", 14), ("published", 14), ("seconds", 10), ("published", 11), ("faster", 8)
    print(f"{'examples':>8}  {'':<8}{'features':>9}" + "".join(f"{name:>{width}}" for name, width in heading))
    is_agreed = True
    for k, n_rows in enumerate(SIZES):
        runs = [measured(n_features, n_relevant, n_rows, seed) for seed in range(n_runs)]
        is_agreed &= all(run["FOCUS-1"][0] == run["FOCUS-2"][0] <= run["WG"][0] for run in runs)
        means = {name: np.mean([run[name] for run in runs], axis=0) for name in SEARCHES}
        for previous, name in zip([None, *SEARCHES], SEARCHES, strict=False):
            size, tests, seconds = means[name]
            faster = f"{means[previous][2] / seconds:.1f}x" if previous else ""
            tests_then = "" if options.quick else f"{PUBLISHED[name]['tests'][k]:,.1f}"
            time_then = f"{PUBLISHED[name]['time'][k]:.1f}" if PUBLISHED[name]["time"] and not options.quick else ""
            told = f"{n_rows:>8}  {name:<8}{size:>9.1f}{tests:>14,.1f}{tests_then:>14}"
            print(f"{told}{seconds:>10.4f}{time_then:>11}{faster:>8}", flush=True)
    if not is_agreed:
        sys.exit("FOCUS-1 and FOCUS-2 disagree on the size, or WG found fewer.")


if __name__ == "__main__":
    main()
