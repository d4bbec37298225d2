"""The share of irrelevant features that the Relief family keeps at alpha=0.05, where classes are unequal.

python benchmarks/relief_level.py            # ten seeds
python benchmarks/relief_level.py --quick
"""

from __future__ import annotations

import sys

import numpy as np

from fewest import Relief, ReliefF

SHARES = (0.5, 0.3, 0.1, 0.03)


def kept(kind: type, threshold: str, share: float, n_seeds: int, n_rows: int) -> float:
    """Return the share of 20 normal features kept that have nothing to do with the class."""
    found = []
    for seed in range(n_seeds):
        X, y = np.random.default_rng(seed).normal(size=(n_rows, 20)), np.arange(n_rows) < share * n_rows
        selector = kind(threshold=threshold, min_features_to_select=0, random_state=seed)
        found.append(selector.fit(X, y).support_.mean())
    return float(np.mean(found))


def main() -> None:
    """Print a line for every share of the rarer class."""
    n_seeds, n_rows = (1, 100) if "--quick" in sys.argv[1:] else (10, 300)
    columns = [(kind, threshold) for kind in (ReliefF, Relief) for threshold in ("interval", "permutation")]
    print(f"{'positives':12}" + "".join(f"{f'{kind.__name__}, {name}':>22}" for kind, name in columns))
    for share in SHARES:
        shown = [kept(kind, threshold, share, n_seeds, n_rows) for kind, threshold in columns]
        print(f"{share:<12.0%}" + "".join(f"{value:22.3f}" for value in shown))


if __name__ == "__main__":
    main()
