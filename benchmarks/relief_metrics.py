"""Manhattan and Euclidean distances in the Relief family: which finds the relevant features, and what each costs.

    python benchmarks/relief_metrics.py            # ten seeds
    python benchmarks/relief_metrics.py --quick

On data whose relevant features are known, the mean rank of these among all features is printed: 1.5 is best where two
are relevant. Processor times are those of the same fits on numeric data, one after the other.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

from fewest import ReliefF, RReliefF
from fewest.datasets import make_led, make_linear_threshold, make_parity

METRICS = ("manhattan", "euclidean")
Problem = tuple[np.ndarray, np.ndarray, list[int]]


def mixed_epistasis(rng: np.random.Generator, n_rows: int = 800, n_features: int = 40) -> Problem:
    """Two genotypes (0, 1, 2) matter only together, among genotypes and numeric values; one label in five is wrong."""
    genotypes = rng.binomial(2, 0.4, (n_rows, n_features // 2)).astype(float)
    numeric = rng.normal(size=(n_rows, n_features - n_features // 2))
    y = ((genotypes[:, 0] == 1) ^ (genotypes[:, 1] == 1)) ^ (rng.random(n_rows) < 0.2)
    return np.hstack([genotypes, numeric]), y.astype(int), [0, 1]


def mixed_interaction(rng: np.random.Generator, n_rows: int = 800, n_features: int = 40) -> Problem:
    """A genotype and a numeric value matter only together; one label in five is wrong."""
    X, _, _ = mixed_epistasis(rng, n_rows, n_features)
    y = ((X[:, 0] >= 1) ^ (X[:, -1] > 0)) ^ (rng.random(n_rows) < 0.2)
    return X, y.astype(int), [0, n_features - 1]


def product(rng: np.random.Generator) -> Problem:
    """Return two numeric features whose signs matter together, among 30."""
    X = rng.normal(size=(500, 30))
    return X, (X[:, 0] * X[:, 1] > 0).astype(int), [0, 1]


def ring(rng: np.random.Generator) -> Problem:
    """Return two numeric features whose distance from the middle matters, among 30."""
    X = rng.random((500, 30)) - 0.5
    return X, (np.hypot(X[:, 0], X[:, 1]) < 0.4).astype(int), [0, 1]


def heavy_tails(rng: np.random.Generator) -> Problem:
    """Return the signs' product again, with values far out in every feature."""
    X = rng.standard_t(2, size=(500, 30))
    return X, (X[:, 0] * X[:, 1] > 0).astype(int), [0, 1]


def friedman(rng: np.random.Generator) -> Problem:
    """Friedman's first regression: five of 20 features."""
    X = rng.random((500, 20))
    y = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2 + 10 * X[:, 3] + 5 * X[:, 4]
    return X, y + rng.normal(size=500), [0, 1, 2, 3, 4]


def sparse_linear(rng: np.random.Generator) -> Problem:
    """Return a regression on three of 30 normal features."""
    X = rng.normal(size=(500, 30))
    return X, X[:, :3] @ [2.0, 1.0, 0.5] + 0.5 * rng.normal(size=500), [0, 1, 2]


def made(make: Callable, **options) -> Callable[[np.random.Generator], Problem]:
    """Return a generator of this library as a problem."""

    def problem(rng: np.random.Generator) -> Problem:
        X, y, relevant = make(random_state=int(rng.integers(2**31)), **options)
        return np.asarray(X, dtype=float), np.asarray(y), list(relevant)

    return problem


PROBLEMS = {
    "epistasis among genotypes and numbers": mixed_epistasis,
    "genotype and number together": mixed_interaction,
    "parity of 3 among 30": made(make_parity, n_samples=300, relevant=3, irrelevant=27, noise=0.1),
    "LED, 17 irrelevant": made(make_led, n_samples=300, noise=0.1),
    "linear threshold, 5 of 30": made(make_linear_threshold, n_samples=400, relevant=5, irrelevant=25),
    "product of two numbers": product,
    "product, heavy tails": heavy_tails,
    "ring": ring,
    "Friedman 1 (regression)": friedman,
    "sparse linear (regression)": sparse_linear,
}


def mean_rank(metric: str, problem: Problem) -> float:
    """Return the mean rank of the relevant features, 1 being the most relevant."""
    X, y, relevant = problem
    selector = RReliefF if y.dtype.kind == "f" else ReliefF
    order = selector(metric=metric, n_features_to_select=1).fit(X, y).selection_order_
    return float(np.mean([1 + order.tolist().index(f) for f in relevant]))


def seconds(metric: str, X: np.ndarray, y: np.ndarray) -> float:
    """Return the processor time of a fit."""
    started = time.process_time()
    ReliefF(metric=metric, n_features_to_select=1, n_jobs=1).fit(X, y)
    return time.process_time() - started


def main() -> None:
    """Print ranks, then times."""
    is_quick = "--quick" in sys.argv[1:]
    n_seeds = 2 if is_quick else 10
    print(f"{'mean rank of the relevant features':42}{'manhattan':>14}{'euclidean':>14}{'best':>7}")
    for name, problem in PROBLEMS.items():
        ranks = np.array([[mean_rank(m, problem(np.random.default_rng(s))) for m in METRICS] for s in range(n_seeds)])
        shown = [
            f"{mean:.2f} ±{error:.2f}" for mean, error in zip(ranks.mean(0), ranks.std(0) / n_seeds**0.5, strict=True)
        ]
        best = (1 + len(problem(np.random.default_rng(0))[2])) / 2
        print(f"{name:42}{shown[0]:>14}{shown[1]:>14}{best:7.1f}")
    print(f"\n{'processor seconds, numeric rows x features':42}{'manhattan':>14}{'euclidean':>14}{'ratio':>7}")
    for n_rows, n_features in ((300, 20),) if is_quick else ((2_000, 20), (2_000, 500), (5_000, 100), (10_000, 50)):
        rng = np.random.default_rng(0)
        X, y = rng.random((n_rows, n_features)), rng.integers(0, 2, n_rows)
        both = [min(seconds(metric, X, y) for _ in range(3)) for metric in METRICS]
        print(f"{f'{n_rows:,} x {n_features}':42}{both[0]:14.2f}{both[1]:14.2f}{both[0] / both[1]:7.2f}")


if __name__ == "__main__":
    main()
