"""CFP beside scikit-learn's nearest neighbors and naive Bayes, and how its time grows.

Two kinds of data, all of it shuffled. Striped: every feature alone tells the
class, as theorems 3 to 5 ask, by ten stripes of alternating class. Overlapping:
normal distributions two standard deviations apart, so that partitions are split
all the time. Speed is in millions of feature values a second.

    python benchmarks/cfp.py             100,000 x 100, and the tables of growth
    python benchmarks/cfp.py --quick     small versions
"""

from __future__ import annotations

import argparse
from functools import partial

import numpy as np
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from timing import best_of

from fewest import CFPClassifier
from fewest.cfp.bounds import intervals, most_partitions, smallest_limit
from fewest.cfp.concept import Concept
from fewest.cfp.options import Settings

EPSILON = 0.05
# Neighbours are looked for in all rows, for so many rows only, and the time is scaled up.
MOST_QUERIES = 2_000


def striped(n_rows: int, n_features: int) -> tuple[np.ndarray, np.ndarray]:
    """Return values in [0, 1] with ten stripes of alternating class on every feature, a gap between stripes."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n_rows)
    stripe = 2 * rng.integers(0, 5, (n_rows, n_features)) + y[:, None]
    return (stripe + 0.9 * rng.random((n_rows, n_features))) / 10, y


def overlapping(n_rows: int, n_features: int) -> tuple[np.ndarray, np.ndarray]:
    """Return normal values whose mean depends on the class."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n_rows)
    return rng.normal(size=(n_rows, n_features)) + 2 * y[:, None], y


DATA = {"striped": striped, "overlapping": overlapping}


def peers(n_rows: int, n_features: int) -> None:
    """Print the time of training and of prediction, ours and the peers'."""
    print(f"{'data':<13}{'learner':<12}{'train s':>9}{'M/s':>7}{'predict s':>11}{'M/s':>8}{'accuracy':>10}{'x CFP':>8}")
    for name, make in DATA.items():
        X, y = make(2 * n_rows, n_features)
        train, test = (X[:n_rows], y[:n_rows]), (X[n_rows:], y[n_rows:])
        ours = None
        for learner in (CFPClassifier(), GaussianNB(), KNeighborsClassifier()):
            fitting = best_of(partial(learner.fit, *train))
            asked = min(n_rows, MOST_QUERIES) if isinstance(learner, KNeighborsClassifier) else n_rows
            rows = test[0][:asked]
            times = 1 if asked < n_rows else 3
            predicting = best_of(partial(learner.predict, rows), times) * n_rows / asked
            accuracy = learner.score(test[0][:asked], test[1][:asked])
            ours = ours or predicting
            values = n_rows * n_features / 1e6
            title = type(learner).__name__.removesuffix("Classifier")
            print(
                f"{name:<13}{title:<12}{fitting:>9.3f}{values / fitting:>7.1f}{predicting:>11.3f}"
                f"{values / predicting:>8.2f}{accuracy:>10.3f}{predicting / ours:>8.1f}",
                flush=True,
            )


def kernels(n_rows: int, n_features: int) -> None:
    """Print the speed of learning and voting alone, without scikit-learn's validation and the copying of columns."""
    print(f"\n{'data':<13}{'learn M/s':>11}{'vote M/s':>10}{'partitions':>12}")
    for name, make in DATA.items():
        X, y = make(n_rows, n_features)
        columns = [*np.ascontiguousarray(X.T)]
        empty = Concept.empty(0.02 * np.ptp(X, axis=0), 2, Settings())
        concept = empty.learned(columns, y, compiled=True)
        learning = best_of(partial(empty.learned, columns, y, compiled=True))
        voting = best_of(partial(concept.votes, columns, n_rows, compiled=True))
        values = n_rows * n_features / 1e6
        print(f"{name:<13}{values / learning:>11.1f}{values / voting:>10.1f}{concept.n_partitions:>12,}", flush=True)


def growth(n_rows: int, n_features: int) -> None:
    """Print how time and partitions grow when examples double, when features double and when limits halve."""
    print(f"\n{'data':<13}{'examples':>9}{'features':>9}{'1/eps':>7}{'train s':>9}{'predict s':>11}", end="")
    print(f"{'partitions':>12}{'theorem 4':>11}")
    shapes = [(n_rows * 2**k, n_features, EPSILON) for k in range(4)]
    shapes += [(n_rows, n_features * 2**k, EPSILON) for k in range(1, 4)]
    shapes += [(n_rows, n_features, EPSILON / 2**k) for k in range(1, 4)]
    for name, make in DATA.items():
        for m, n, epsilon in shapes:
            X, y = make(m, n)
            span = np.ptp(X, axis=0).max() if name == "overlapping" else 1.0
            learner = CFPClassifier(smallest_limit(epsilon) * span, inclusive=True)
            fitting, predicting = best_of(partial(learner.fit, X, y)), best_of(partial(learner.predict, X))
            print(
                f"{name:<13}{m:>9,}{n:>9}{intervals(epsilon):>7}{fitting:>9.3f}{predicting:>11.3f}"
                f"{learner.n_partitions_:>12,}{most_partitions(epsilon, n):>11,}",
                flush=True,
            )


def main() -> None:
    """Run what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small versions")
    options = parser.parse_args()
    CFPClassifier().fit(*striped(5_000, 10)).predict(striped(5_000, 10)[0])  # load and compile, before any clock runs
    n_rows, n_features = (2_000, 5) if options.quick else (100_000, 100)
    peers(n_rows, n_features)
    kernels(n_rows, n_features)
    growth(*((500, 2) if options.quick else (25_000, 25)))


if __name__ == "__main__":
    main()
