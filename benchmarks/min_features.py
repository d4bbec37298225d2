"""MinFeatures against its peers, in one run.

    python benchmarks/min_features.py            all instances, peers capped at 60 s
    python benchmarks/min_features.py --quick    two small ones
    python benchmarks/min_features.py --growth   how ours grows when rows or features double

Every measurement is a process of its own, ended at the cap; ours is the best
of three. Peers get all distinct conflicts without supersets, and the making
of these is not held against them. Needs: pip install -e '.[bench]'
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from contestants import CONTESTANTS, Outcome
from instances import Instance, noise, planted

QUICK = [lambda: planted(12, 3, 60), lambda: noise(14, 30)]
FULL: list[tuple[Callable[[], Instance], list[str]]] = [
    *[(lambda m=m: planted(25, 9, m), list(CONTESTANTS)) for m in (100, 200, 300, 400, 500)],
    (lambda: planted(100, 6, 1000), list(CONTESTANTS)),
    (lambda: planted(1000, 4, 500), list(CONTESTANTS)),
    (lambda: planted(10_000, 3, 300), list(CONTESTANTS)),
    (lambda: noise(60, 100), list(CONTESTANTS)),
    (lambda: noise(60, 200), list(CONTESTANTS)),
    (lambda: planted(200, 8, 5000), ["MinFeatures"]),
    (lambda: planted(200, 5, 1_000_000), ["MinFeatures"]),
]


def _measure(pipe, contestant: str, make: Callable[[], Instance], cap: float) -> None:
    outcome = CONTESTANTS[contestant](make(), cap)
    outcome["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    pipe.send(outcome)


def measured(contestant: str, make: Callable[[], Instance], cap: float) -> Outcome | None:
    """Run one contestant on one instance in a process of its own; None when it did not finish."""
    ours, theirs = multiprocessing.get_context("fork").Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_measure, args=(theirs, contestant, make, cap))
    process.start()
    theirs.close()
    patience = 3 * cap + 120  # making the instance and its conflicts, and then the cap
    try:
        return ours.recv() if ours.poll(patience) else None
    except EOFError:
        return None
    finally:
        process.kill()
        process.join()


def best_of_three(make: Callable[[], Instance], cap: float) -> Outcome | None:
    """Measure ours three times, once if it is long."""
    runs = []
    for _ in range(3):
        outcome = measured("MinFeatures", make, cap)
        if outcome is None:
            return None
        runs.append(outcome)
        if outcome["seconds"] > 20:
            break
    return min(runs, key=lambda run: run["seconds"])


def compare(instances: list[tuple[Callable[[], Instance], list[str]]], cap: float) -> bool:
    """Print a line an instance and a contestant; return whether all who finished agree."""
    print(f"{'instance':<16}{'contestant':<13}{'size':>5}{'seconds':>10}{'MB':>8}{'ratio':>8}  remark")
    is_agreed = True
    for make, contestants in instances:
        name = make().name
        ours = best_of_three(make, cap)
        assert ours is not None, "ours always answers"
        for contestant in contestants:
            outcome = ours if contestant == "MinFeatures" else measured(contestant, make, cap)
            is_agreed &= not (outcome and outcome["solved"] and ours["solved"]) or outcome["size"] == ours["size"]
            print(f"{name:<16}{contestant:<13}{_told(outcome, ours, cap)}", flush=True)
    return is_agreed


def _told(outcome: Outcome | None, ours: Outcome, cap: float) -> str:
    if outcome is None or (not outcome["solved"] and outcome is not ours):
        return f"{'-':>5}{'':>10}{'':>8}{'>' + format(cap / ours['seconds'], '.0f'):>8}  not solved in {cap:.0f} s"
    line = f"{outcome['size']:>5}{outcome['seconds']:>10.3f}{outcome['megabytes']:>8.0f}"
    if outcome is ours:
        proof = "proven" if ours["solved"] else f"at least {ours['bound']}"
        return f"{line}{1:>8}  {proof}; {ours['n_conflicts']:,} conflicts, {ours['n_nodes']:,} nodes"
    return f"{line}{outcome['seconds'] / ours['seconds']:>8.1f}"


def growth() -> None:
    """Print how time and memory grow when rows double, and when features double."""
    print(f"{'instance':<16}{'seconds':>10}{'MB':>8}{'conflicts':>11}{'nodes':>12}")
    rows = [lambda m=m: planted(100, 5, m) for m in (10_000, 20_000, 40_000, 80_000, 160_000)]
    features = [lambda n=n: planted(n, 4, 2000) for n in (100, 200, 400, 800, 1600)]
    for make in [*rows, *features]:
        outcome = best_of_three(make, 60)
        print(
            f"{make().name:<16}{outcome['seconds']:>10.3f}{outcome['megabytes']:>8.0f}"
            f"{outcome['n_conflicts']:>11,}{outcome['n_nodes']:>12,}",
            flush=True,
        )


def main() -> None:
    """Run what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="two small instances")
    parser.add_argument("--growth", action="store_true", help="doubling rows and features")
    parser.add_argument("--cap", type=float, default=60, help="seconds for each contestant")
    options = parser.parse_args()
    if options.growth:
        growth()
        return
    quick = [(make, ["MinFeatures", "simple", "HiGHS", "Focus2"]) for make in QUICK]
    if not compare(quick if options.quick else FULL, options.cap):
        sys.exit("The contestants disagree.")


if __name__ == "__main__":
    main()
