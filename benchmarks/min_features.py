"""MinFeatures against its peers, in one run.

    python benchmarks/min_features.py            all instances, peers capped at 60 s
    python benchmarks/min_features.py --quick    two small ones
    python benchmarks/min_features.py --growth   how ours grows when rows or features double

Every measurement is a process of its own, ended at the cap; ours is the best
of three. Peers get all distinct conflicts without supersets, and the making
of these is not held against them; the lazy ones start, as ours does, from the
examples, and learn the conflicts that their own answers miss. Needs: pip install -e '.[bench]', and
pip install --pre python-sat, of which there are only pre-releases. What takes long is in `long_searches.py`.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from contestants import FROM_CONFLICTS, FROM_EXAMPLES, Outcome, explicit_conflicts
from instances import Instance, noise, planted

from fewest.cover.kernels.conflicts import Conflicts

ALL = [*FROM_EXAMPLES, *FROM_CONFLICTS]
OURS = ["MinFeatures"]
FULL: list[tuple[Callable[[], Instance], list[str]]] = [
    *[(lambda m=m: planted(25, 9, m), ALL) for m in (100, 200, 300, 400, 500)],
    (lambda: planted(100, 6, 1000), ALL),
    (lambda: planted(1000, 4, 500), ALL),
    (lambda: planted(10_000, 3, 300), ALL),
    (lambda: noise(60, 100), ALL),
    (lambda: noise(60, 200), ALL),
    (lambda: planted(200, 8, 5000), OURS),
    (lambda: planted(200, 5, 1_000_000), OURS),
]
QUICK = [
    (lambda: planted(12, 3, 60), ["MinFeatures", "Focus2", "simple", "HiGHS"]),
    (lambda: noise(14, 30), ["MinFeatures", "Focus2", "simple", "HiGHS"]),
]
# Time to import, compile and solve a tiny instance before the clock starts.
WARM_UP_SECONDS = 600


def _measure(pipe, contestant: str, instance: Instance, conflicts: Conflicts | None, cap: float) -> None:
    """Solve a tiny instance, say so, then solve the real one and send what came out."""
    os.environ["FEWEST_COMPILE"] = "always"  # ours is to use compiled code from the start

    tiny = noise(20, 40)
    if contestant in FROM_EXAMPLES:
        solve, data, tiny_data = FROM_EXAMPLES[contestant], instance, tiny
    else:
        solve, data, tiny_data = FROM_CONFLICTS[contestant], conflicts, explicit_conflicts(tiny, cap)
    solve(tiny_data, cap)
    pipe.send("ready")
    started = time.perf_counter()
    outcome = solve(data, cap)
    outcome["seconds"] = time.perf_counter() - started
    outcome["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    pipe.send(outcome)


def measured(contestant: str, instance: Instance, conflicts: Conflicts | None, cap: float) -> Outcome | None:
    """Run one contestant on one instance in a process of its own; None when it did not finish."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_measure, args=(theirs, contestant, instance, conflicts, cap))
    process.start()
    theirs.close()
    try:
        if ours.poll(WARM_UP_SECONDS) and ours.recv() == "ready" and ours.poll(1.1 * cap + 10):
            return ours.recv()
        return None
    except EOFError:
        return None
    finally:
        process.kill()
        process.join()


def best_of_three(instance: Instance, cap: float) -> Outcome:
    """Measure ours three times, once if it is long."""
    runs = []
    for _ in range(3):
        outcome = measured("MinFeatures", instance, None, cap)
        if outcome is None:
            sys.exit(f"MinFeatures gave no answer for {instance.name}.")
        runs.append(outcome)
        if outcome["seconds"] > 20:
            break
    return min(runs, key=lambda run: run["seconds"])


def compare(instances: list[tuple[Callable[[], Instance], list[str]]], cap: float) -> bool:
    """Print a line an instance and a contestant; return whether all who finished agree."""
    print(f"{'instance':<16}{'contestant':<13}{'size':>5}{'seconds':>10}{'MB':>8}{'ratio':>8}  remark")
    is_agreed = True
    for make, contestants in instances:
        instance = make()
        ours = best_of_three(instance, cap)
        started = time.perf_counter()
        conflicts = explicit_conflicts(instance, cap) if set(contestants) & set(FROM_CONFLICTS) else None
        listing = time.perf_counter() - started
        for contestant in contestants:
            outcome = ours if contestant == "MinFeatures" else measured(contestant, instance, conflicts, cap)
            is_agreed &= not (outcome and outcome["solved"] and ours["solved"]) or outcome["size"] == ours["size"]
            line = f"{instance.name:<16}{contestant:<13}{_told(outcome, ours, cap)}"
            if contestant in FROM_CONFLICTS and outcome and outcome["solved"]:
                whole = (outcome["seconds"] + listing) / ours["seconds"]
                line += f"  {whole:.0f} with the {listing:.2f} s that listing the conflicts took"
            print(line, flush=True)
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
        instance = make()
        outcome = best_of_three(instance, 60)
        print(
            f"{instance.name:<16}{outcome['seconds']:>10.3f}{outcome['megabytes']:>8.0f}"
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
    if not compare(QUICK if options.quick else FULL, options.cap):
        sys.exit("The contestants disagree.")


if __name__ == "__main__":
    main()
