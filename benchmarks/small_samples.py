"""Complete learner runs a second on small Boolean samples, beside scikit-learn's tree on the same samples.

    python benchmarks/small_samples.py            a few seconds a line
    python benchmarks/small_samples.py --quick    few samples, and a check that who has seen everything errs nowhere

A run draws a sample, selects features, grows ID3 and counts the instances
that it misclassifies. *floor* is the time that drawing alone takes, as a share
of the whole run. *ratio* is how many of our runs fit into one
``DecisionTreeClassifier.fit`` on such a sample, which neither draws nor
selects nor scores. *learned* is the share of samples after which at least 90%
of all instances are classified correctly. One core; the best of five, in processor time.
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from fewest.papers.focus.small_samples import Samples

LEARNERS = ["id3", "mig", "sg", "wg", "focus", "fringe"]
PLACES = [(8, 40), (12, 200), (12, 2236)]
CONCEPTS = {
    "parity": [i.bit_count() % 2 for i in range(8)],
    "x1x2+x3": [int(i & 3 == 3 or i & 4 == 4) for i in range(8)],
}


def seconds_a_run(samples: Samples, learner: str, seconds: float) -> float:
    """Return the processor time of one run, the best of five batches."""
    started = time.process_time()
    samples.run(learner, 20)
    n_samples = int(min(100_000, max(20, seconds * 20 / (time.process_time() - started + 1e-7))))
    best = np.inf
    for k in range(5):
        started = time.process_time()
        samples.run(learner, n_samples, first=k * n_samples)
        best = min(best, (time.process_time() - started) / n_samples)
    return best


def seconds_of_a_peer(samples: Samples, n_fits: int) -> float:
    """Return the processor time of fitting scikit-learn's tree, the best of a few samples."""
    best = np.inf
    for number in range(n_fits):
        rows, classes, _ = samples.draw(number)
        tree = DecisionTreeClassifier(criterion="entropy", random_state=0)
        started = time.process_time()
        tree.fit(rows, classes)
        best = min(best, time.process_time() - started)
    return best


def n_wrong_after_everything(concept: list[int]) -> int:
    """Count the errors of those who have seen every instance: there must be none, scikit-learn's tree included."""
    samples = Samples(concept, 8, 256, replacement=False)
    rows, classes, _ = samples.draw(0)
    peer = DecisionTreeClassifier(criterion="entropy", random_state=0).fit(rows, classes)
    ours = sum(int(samples.run(learner, 20).misclassified.sum()) for learner in LEARNERS)
    return ours + int((peer.predict(rows) != classes).sum())


def compare(places: list[tuple[int, int]], seconds: float, n_fits: int) -> None:
    """Print a line a concept, a size, a way of drawing and a learner."""
    header = f"{'concept':<12}{'n':>3}{'m':>6}  {'drawn':<8}{'learner':<9}"
    print(header + f"{'runs/s':>12}{'floor':>7}{'ratio':>8}{'learned':>9}")
    for name, concept in CONCEPTS.items():
        for n_features, n_examples in places:
            for replacement in (True, False):
                samples = Samples(concept, n_features, n_examples, 1, replacement)
                drawing = seconds_a_run(samples, "draw", seconds)
                peer = seconds_of_a_peer(samples, n_fits)
                for learner in LEARNERS:
                    ours = seconds_a_run(samples, learner, seconds)
                    wrong = samples.run(learner, n_fits).misclassified
                    learned = (wrong <= 0.1 * 2**n_features).mean()
                    drawn = "with" if replacement else "without"
                    print(
                        f"{name:<12}{n_features:>3}{n_examples:>6}  {drawn:<8}{learner:<9}"
                        f"{1 / ours:>12,.0f}{drawing / ours:>7.0%}{peer / ours:>8.0f}{learned:>9.0%}",
                        flush=True,
                    )


def main() -> None:
    """Run what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few samples, and a check")
    options = parser.parse_args()
    started = time.process_time()
    Samples([0, 1], 2, 2).run("id3", 1)
    print(f"Compiled or loaded in {time.process_time() - started:.1f} s.", file=sys.stderr)
    if options.quick:
        compare(PLACES[:1], 0.01, 20)
        if n_wrong_after_everything(CONCEPTS["parity"]):
            sys.exit("Somebody who has seen every instance errs.")
        return
    compare(PLACES, 0.2, 200)


if __name__ == "__main__":
    main()
