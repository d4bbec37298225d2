"""The greedy selectors on large data, against what the hardware could do.

MIG and SG need one pass over the data a step: the floor is the time to read
every value once, which summing them does. WG needs two matrix products over
all pairs a step: the floor is the time of these products alone, of the same
shapes and in single precision, for all steps.

    python benchmarks/greedy.py             1,000,000 x 200, and 20,000 x 1,000 for WG
    python benchmarks/greedy.py --growth    rows double, and features double
    python benchmarks/greedy.py --quick     small versions
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable

import numpy as np
from instances import Instance, planted

from fewest.cover.examples import Answer
from fewest.cover.greedy import mutual_information_greedy, simple_greedy
from fewest.cover.sample import Sample
from fewest.cover.weighted_greedy import weighted_greedy

COUNTING = {"MIG": mutual_information_greedy, "SG": simple_greedy}


def timed(search: Callable[[Sample], Answer], instance: Instance) -> tuple[float, Answer]:
    """Return the best of three times, and the answer."""
    seconds = []
    for _ in range(3):
        sample = Sample(instance.codes, instance.classes)
        started = time.perf_counter()
        answer = search(sample)
        seconds.append(time.perf_counter() - started)
    return min(seconds), answer


def one_pass(instance: Instance) -> float:
    """Return the seconds to read every value once."""
    return _best(lambda: instance.codes.T.sum(axis=1, dtype=np.int64))


def two_products(instance: Instance, answer: Answer) -> float:
    """Return the seconds of the matrix products of all steps: of the positives and negatives in every group."""
    groups = np.zeros(len(instance.classes), dtype=np.int64)
    total = 0.0
    for record in answer.history:
        pairs = sum(np.prod(np.bincount(instance.classes[groups == g], minlength=2)) for g in np.unique(groups))
        total += pairs
        groups = np.unique(groups * 2 + instance.codes[:, record["feature"]], return_inverse=True)[1]
    side = 2048
    rows = np.random.default_rng(0).random((side, instance.codes.shape[1]), dtype=np.float32)
    weights = np.random.default_rng(1).random((side, side), dtype=np.float32)
    return _best(lambda: (rows @ rows.T, weights @ rows)) * total / side**2


def _best(work: Callable[[], object]) -> float:
    seconds = []
    for _ in range(5):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def compare(n_rows: int, n_features: int, weighted_rows: int, weighted_features: int) -> None:
    """Print time, floor and memory of all three."""
    print(f"{'data':<16}{'method':<8}{'chosen':>7}{'seconds':>10}{'floor':>10}{'ratio':>8}{'MB':>8}")
    instance = planted(weighted_features, 5, weighted_rows)
    seconds, answer = timed(weighted_greedy, instance)
    _told(instance, "WG", answer, seconds, two_products(instance, answer))
    instance = planted(n_features, 5, n_rows)
    for name, search in COUNTING.items():
        seconds, answer = timed(search, instance)
        _told(instance, name, answer, seconds, one_pass(instance) * len(answer.history))


def _told(instance: Instance, name: str, answer: Answer, seconds: float, floor: float) -> None:
    shape = f"{len(instance.codes):,} x {instance.codes.shape[1]:,}"
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    chosen = len(answer.history)
    print(
        f"{shape:<16}{name:<8}{chosen:>7}{seconds:>10.3f}{floor:>10.3f}{seconds / floor:>8.1f}{megabytes:>8.0f}",
        flush=True,
    )


def growth() -> None:
    """Print how time grows when rows double, and when features double."""
    for n_rows, n_features in [(100_000, 100), (200_000, 100), (400_000, 100), (100_000, 200), (100_000, 400)]:
        instance = planted(n_features, 5, n_rows)
        for name, search in COUNTING.items():
            seconds, answer = timed(search, instance)
            _told(instance, name, answer, seconds, one_pass(instance) * len(answer.history))
    for n_rows, n_features in [(2_500, 500), (5_000, 500), (10_000, 500), (5_000, 1_000), (5_000, 2_000)]:
        instance = planted(n_features, 5, n_rows)
        seconds, answer = timed(weighted_greedy, instance)
        _told(instance, "WG", answer, seconds, two_products(instance, answer))


def main() -> None:
    """Run what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small versions")
    parser.add_argument("--growth", action="store_true", help="doubling rows and features")
    options = parser.parse_args()
    timed(simple_greedy, planted(20, 3, 1_100_000))  # load and compile, before any clock runs
    if options.growth:
        growth()
    elif options.quick:
        compare(20_000, 30, 1_000, 50)
    else:
        compare(1_000_000, 200, 20_000, 1_000)


if __name__ == "__main__":
    main()
