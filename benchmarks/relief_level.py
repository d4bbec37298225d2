"""The share of irrelevant features that ReliefF keeps where classes are unequal, by every test and kind of columns.

python benchmarks/relief_level.py            # ten seeds
python benchmarks/relief_level.py --quick
python benchmarks/relief_level.py --beside   # noise beside the features of two real tables, most of them relevant
"""

from __future__ import annotations

import sys

import numpy as np

from fewest import ReliefF

SHARES, N_FEATURES = (0.5, 0.3, 0.1, 0.03, 0.01), 20
KINDS = ("numeric", "boolean", "mixed, gaps")


def noise(kind: str, n_rows: int, rng: np.random.Generator) -> np.ndarray:
    """Return features that have nothing to do with any class."""
    X = rng.normal(size=(n_rows, N_FEATURES))
    if kind == "boolean":
        return (X > 0.5).astype(np.float64)
    if kind == "mixed, gaps":
        X[:, ::2] = X[:, ::2] > 0
        X[rng.random(X.shape) < 0.1] = np.nan
    return X


def levels(kind: str, share: float, n_seeds: int, n_rows: int) -> tuple[float, float, float]:
    """Return the share of features kept by intervals, by permutations, and of runs that keep any by default."""
    interval, permutation, default = [], [], []
    for seed in range(n_seeds):
        X, y = noise(kind, n_rows, np.random.default_rng(seed)), np.arange(n_rows) < share * n_rows
        options = {"min_features_to_select": 0, "random_state": seed}
        interval.append(ReliefF(threshold="interval", correction=None, **options).fit(X, y).support_.mean())
        tested = ReliefF(**options).fit(X, y)
        permutation.append((tested.pvalues_ <= tested.alpha).mean())
        default.append(tested.support_.any())
    return float(np.mean(interval)), float(np.mean(permutation)), float(np.mean(default))


def beside(correction: str, name: str, n_seeds: int) -> tuple[float, float]:
    """Return how many of a table's own features are kept on average, and of 40 irrelevant ones added to them."""
    from sklearn import datasets

    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    X, y = X[:300], y[:300]
    kept = []
    for seed in range(n_seeds):
        added = np.random.default_rng(seed).normal(size=(len(X), 40))
        support = ReliefF(correction=correction, random_state=seed).fit(np.hstack([X, added]), y).support_
        kept.append((support[: X.shape[1]].sum(), support[X.shape[1] :].sum()))
    own, irrelevant = np.mean(kept, axis=0)
    return float(own), float(irrelevant)


def main() -> None:
    """Print a line for every kind of columns and share of the rarer class, or for every table."""
    if "--beside" in sys.argv[1:]:
        print(f"{'table':16}{'correction':>12}{'own kept':>10}{'noise kept of 40':>18}")
        for name in ("wine", "breast_cancer"):
            for correction in ("fdr", "bonferroni"):
                own, irrelevant = beside(correction, name, 10)
                print(f"{name:16}{correction:>12}{own:>10.1f}{irrelevant:>18.1f}", flush=True)
        return
    n_seeds, n_rows = (1, 100) if "--quick" in sys.argv[1:] else (10, 300)
    print(f"{'columns':14}{'positives':>10}{'interval':>10}{'permutation':>13}{'runs keeping any':>18}")
    for kind in KINDS:
        for share in SHARES:
            shown = levels(kind, share, n_seeds, n_rows)
            print(f"{kind:14}{share:>10.0%}{shown[0]:>10.3f}{shown[1]:>13.3f}{shown[2]:>18.2f}", flush=True)


if __name__ == "__main__":
    main()
