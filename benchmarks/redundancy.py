"""What selectors lose to all features on numeric tables whose features repeat each other.

Accuracy of five neighbors and of a forest on unseen rows, by three folds: with all features, with the ten first of
ReliefF, with what ReliefThenCover keeps, with the ten first of compare's ranking by relevance over redundancy (mrmr)
and, by an interpreter that has it, with the ten of fastcan.

python benchmarks/redundancy.py                     # five tables: about a minute
python benchmarks/redundancy.py --peers PYTHON      # fastcan as well
python benchmarks/redundancy.py --quick             # one table
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

N_KEPT = 10
Select = Callable[[np.ndarray, np.ndarray], np.ndarray]
PEER = """
import sys
import numpy as np
from fastcan import FastCan
data = np.load(sys.argv[1])
print(*FastCan(int(sys.argv[2]), verbose=0).fit(data["X"], data["y"]).get_support(indices=True).tolist())
"""


def tables() -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield numeric tables: bundled ones, and two of 166 features that are measurements of fourteen."""
    from sklearn.datasets import load_breast_cancer, load_digits

    yield "breast cancer", *load_breast_cancer(return_X_y=True)
    X, y = load_digits(return_X_y=True)
    yield "digits", X[:600], y[:600]
    yield "digits, two classes", X[:600], y[:600] >= 5
    for seed in range(2):
        yield f"166 features, seed {seed}", *repeated_measurements(seed)


def repeated_measurements(seed: int, n_rows: int = 476) -> tuple[np.ndarray, np.ndarray]:
    """Return rows of fourteen factors, each measured a dozen times; eight of them matter, four in pairs."""
    rng = np.random.default_rng(seed)
    factors = rng.normal(size=(n_rows, 14))
    loads = rng.normal(size=(14, 166)) * 0.25
    loads[np.repeat(np.arange(14), 12)[:166], np.arange(166)] = 1
    X = factors @ loads + 0.35 * rng.normal(size=(n_rows, 166))
    a, b, c, d, e, f, g, h = factors[:, :8].T
    score = a * b + c + d - 0.8 * e + 0.8 * np.abs(f) + 0.7 * g * h
    return X, score + 0.3 * rng.normal(size=n_rows) > np.median(score)


def relieff(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Keep the first of ReliefF."""
    from fewest import ReliefF

    return ReliefF(n_features_to_select=N_KEPT).fit(X, y).get_support(indices=True)


def relief_then_cover(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Keep the fewest of the relevant."""
    from fewest import ReliefThenCover

    return ReliefThenCover().fit(X, y).get_support(indices=True)


def mrmr(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Keep the first by relevance over redundancy."""
    from fewest.comparison.rankings import mrmr
    from fewest.comparison.training import Training
    from fewest.table import from_array

    return mrmr(Training(from_array(X), np.unique(y, return_inverse=True)[1]))[:N_KEPT]


def fastcan(python: str, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Keep what another interpreter's fastcan chooses."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.npz"
        np.savez(path, X=X, y=y)
        done = subprocess.run([python, "-c", PEER, path, str(N_KEPT)], capture_output=True, text=True, check=True)
    return np.array(done.stdout.split(), dtype=np.intp)


def judged(X: np.ndarray, y: np.ndarray, select: Select) -> np.ndarray:
    """Return how many features are kept, and how many unseen rows each judge has right with them, over folds."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.model_selection import StratifiedKFold
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.preprocessing import StandardScaler

    found = []
    for seen, unseen in StratifiedKFold(3, shuffle=True, random_state=0).split(X, y):
        scaler = StandardScaler().fit(X[seen])
        known, new = scaler.transform(X[seen]), scaler.transform(X[unseen])
        kept = select(known, y[seen])
        judges = KNeighborsClassifier(5), RandomForestClassifier(60, random_state=0)
        scores = [judge.fit(known[:, kept], y[seen]).score(new[:, kept], y[unseen]) for judge in judges]
        found.append([len(kept), *scores])
    return np.mean(found, axis=0)


def main() -> None:
    """Print a line for every table and selector."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", metavar="PYTHON", help="an interpreter that has fastcan")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    selectors: dict[str, Select] = {
        "all": lambda X, y: np.arange(X.shape[1]),  # noqa: ARG005 (all have one form)
        "ReliefF": relieff,
        "ReliefThenCover": relief_then_cover,
        "mrmr": mrmr,
    }
    if options.peers:
        selectors["fastcan"] = partial(fastcan, options.peers)
    print(f"{'table':26}{'selector':18}{'kept':>6}{'neighbors':>11}{'forest':>8}")
    for name, X, y in list(tables())[: 1 if options.quick else None]:
        for selector, select in selectors.items():
            n_kept, neighbors, forest = judged(X, y, select)
            print(f"{name:26}{selector:18}{n_kept:>6.1f}{neighbors:>11.3f}{forest:>8.3f}", flush=True)


if __name__ == "__main__":
    main()
