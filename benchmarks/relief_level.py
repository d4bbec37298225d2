"""The share of irrelevant features that ReliefF keeps where classes are unequal, by every test and kind of columns.

python benchmarks/relief_level.py            # ten seeds
python benchmarks/relief_level.py --quick
python benchmarks/relief_level.py --auto     # iterating where one round finds nothing, in place of the default
python benchmarks/relief_level.py --beside   # noise beside the features of four real tables, most of them relevant
python benchmarks/relief_level.py --wide     # what is kept of 75 rows x 4,000 features, 20 of them relevant
python benchmarks/relief_level.py --cost     # processor time with the test and without
"""

from __future__ import annotations

import sys
import time

import numpy as np

from fewest import MinDescription, ReliefF

SHARES, N_FEATURES = (0.5, 0.3, 0.1, 0.03, 0.01), 20
KINDS = ("numeric", "boolean", "nominal", "mixed, gaps")


def noise(kind: str, n_rows: int, rng: np.random.Generator) -> np.ndarray:
    """Return features that have nothing to do with any class."""
    X = rng.normal(size=(n_rows, N_FEATURES))
    if kind == "boolean":
        return (X > 0.5).astype(np.float64)
    if kind == "nominal":  # five categories, some rare
        return np.digitize(X, [-1.5, -0.5, 0.5, 1.5]).astype(np.float64)
    if kind == "mixed, gaps":
        X[:, ::2] = X[:, ::2] > 0
        X[rng.random(X.shape) < 0.1] = np.nan
    return X


def levels(kind: str, share: float, n_seeds: int, n_rows: int, step: str | None = None) -> tuple[float, float, float]:
    """Return the share of features kept by intervals, by permutations, and of runs that keep any by default."""
    interval, permutation, default = [], [], []
    for seed in range(n_seeds):
        X, y = noise(kind, n_rows, np.random.default_rng(seed)), np.arange(n_rows) < share * n_rows
        options = {"min_features_to_select": 0, "random_state": seed}
        if kind == "nominal":
            options["categorical_features"] = range(N_FEATURES)
        interval.append(ReliefF(threshold="interval", correction=None, **options).fit(X, y).support_.mean())
        tested = ReliefF(step=step, **options).fit(X, y)
        permutation.append((tested.pvalues_ <= tested.alpha).mean())
        default.append(tested.support_.any())
    return float(np.mean(interval)), float(np.mean(permutation)), float(np.mean(default))


TABLES = ("wine", "breast_cancer", "iris", "digits")
NOISE = ("alone", "in groups")


def beside(name: str, kind: str, n_seeds: int) -> list[float]:
    """Return how many features are kept on average beside each other: a table's own, and 40 irrelevant ones.

    Irrelevant features are normal, each alone or in four groups whose members have a correlation of 0.5. Returns own
    and irrelevant ones by the false discovery rate, both by Bonferroni, and the share of irrelevant p-values to 0.05.
    """
    from sklearn import datasets

    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    X, y, n_own = X[:300], y[:300], X.shape[1]
    kept = []
    for seed in range(n_seeds):
        rng = np.random.default_rng(seed)
        added = rng.normal(size=(len(X), 40))
        if kind == "in groups":
            added = (added + np.tile(rng.normal(size=(len(X), 4)), 10)) / np.sqrt(2)
        found = ReliefF(random_state=seed).fit(np.hstack([X, added]), y)
        support, strict = found.support_, found.pvalues_ <= found.alpha / len(found.pvalues_)
        counts = [part.sum() for mask in (support, strict) for part in np.split(mask, [n_own])]
        kept.append([*counts, (found.pvalues_[n_own:] <= found.alpha).mean()])
    return np.mean(kept, axis=0).tolist()


def print_beside(n_seeds: int) -> None:
    """Print a line for every table, kind of noise and correction."""
    print(f"{'table':16}{'noise':12}{'correction':>12}{'own kept':>10}{'noise kept of 40':>18}{'each at 0.05':>14}")
    for name in TABLES:
        for kind in NOISE:
            own, irrelevant, strict_own, strict_irrelevant, share = beside(name, kind, n_seeds)
            for correction, counts in (
                ("fdr", (own, irrelevant)),
                ("bonferroni", (strict_own, strict_irrelevant)),
            ):
                line = f"{name:16}{kind:12}{correction:>12}{counts[0]:>10.1f}{counts[1]:>18.1f}"
                print(f"{line}{share:>14.3f}", flush=True)


def print_wide(n_seeds: int) -> None:
    """Print how many features are kept of a few rows of very many, and how many of these are irrelevant."""
    selectors = {
        "ReliefF": lambda seed: ReliefF(min_features_to_select=0, random_state=seed),
        "ReliefF, bonferroni": lambda seed: ReliefF(
            min_features_to_select=0, correction="bonferroni", random_state=seed
        ),
        "MinDescription": lambda _: MinDescription(max_row_visits=0),
    }
    print(f"{'75 x 4,000':22}{'kept':>8}{'irrelevant':>12}{'share':>8}")
    for name, selector in selectors.items():
        kept = []
        for seed in range(n_seeds):
            X, y = np.random.default_rng(seed).normal(size=(75, 4000)), np.arange(75) % 2
            X[:, :20] += 1.5 * y[:, None]
            support = selector(seed).fit(X, y).support_
            kept.append((support.sum(), support[20:].sum()))
        n_kept, n_irrelevant = np.mean(kept, axis=0)
        print(f"{name:22}{n_kept:>8.1f}{n_irrelevant:>12.1f}{n_irrelevant / max(n_kept, 1):>8.1%}", flush=True)


def print_cost() -> None:
    """Print the processor time of a fit with the test and without, the best of three."""
    print(f"{'rows':>6}{'features':>10}{'without':>10}{'with':>10}{'ratio':>8}")
    for n_rows, n_features in ((300, 20), (300, 70), (1000, 50), (1000, 300), (3000, 50), (100, 4000)):
        X, y = np.random.default_rng(0).normal(size=(n_rows, n_features)), np.arange(n_rows) % 2
        seconds = []
        for threshold in ("interval", "permutation"):
            times = []
            for _ in range(4):  # the first one compiles
                started = time.process_time()
                ReliefF(threshold=threshold, min_features_to_select=0).fit(X, y)
                times.append(time.process_time() - started)
            seconds.append(min(times[1:]))
        without, tested = seconds
        print(f"{n_rows:>6,}{n_features:>10,}{without:>10.2f}{tested:>10.2f}{tested / without:>8.1f}", flush=True)


def main() -> None:
    """Print a line for every kind of columns and share of the rarer class, or for every table."""
    if "--cost" in sys.argv[1:]:
        print_cost()
        return
    if "--wide" in sys.argv[1:]:
        print_wide(10)
        return
    if "--beside" in sys.argv[1:]:
        print_beside(10)
        return
    n_seeds, n_rows = (1, 100) if "--quick" in sys.argv[1:] else (10, 300)
    print(f"{'columns':14}{'positives':>10}{'interval':>10}{'permutation':>13}{'runs keeping any':>18}")
    for kind in KINDS:
        for share in SHARES:
            shown = levels(kind, share, n_seeds, n_rows, "auto" if "--auto" in sys.argv[1:] else None)
            print(f"{kind:14}{share:>10.0%}{shown[0]:>10.3f}{shown[1]:>13.3f}{shown[2]:>18.2f}", flush=True)


if __name__ == "__main__":
    main()
