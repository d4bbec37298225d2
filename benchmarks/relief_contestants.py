"""One contestant on one data set, in whatever interpreter has it.

    python relief_contestants.py NAME X.npy y.npy K REPEATS

Prints a JSON object: the seconds of its imports, of the first call in the
process and of the best of the others, the memory that calls take beyond the data, and the scores.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from importlib import import_module

import numpy as np


def fewest(X: np.ndarray, y: np.ndarray, k: int) -> np.ndarray:
    """Run ours."""
    from fewest import ReliefF

    return ReliefF(n_neighbors=k, n_features=1).fit(X, y).scores_


def skrebate(X: np.ndarray, y: np.ndarray, k: int) -> np.ndarray:
    """Run skrebate on all cores."""
    from skrebate import ReliefF

    with np.errstate(all="ignore"):
        return ReliefF(n_neighbors=k, n_jobs=-1).fit(X.astype(float), y).feature_importances_


def fast_select(X: np.ndarray, y: np.ndarray, k: int) -> np.ndarray:
    """Run fast-select on all cores."""
    from fast_select import ReliefF

    return ReliefF(n_neighbors=k, n_features_to_select=1, backend="cpu").fit(X, y).feature_importances_


def mutual_information(X: np.ndarray, y: np.ndarray, k: int) -> np.ndarray:  # noqa: ARG001 (it has other neighbours)
    """Run scikit-learn's score of one feature at a time."""
    from sklearn.feature_selection import mutual_info_classif

    return mutual_info_classif(X, y, discrete_features=bool(X.dtype.kind in "bi"), random_state=0)


def product_floor(X: np.ndarray, y: np.ndarray, k: int) -> np.ndarray:  # noqa: ARG001 (distances only)
    """Compute all squared distances by single-precision matrix products, and use none."""
    X = np.nan_to_num(X).astype(np.float32)
    norms = np.einsum("ij,ij->i", X, X)
    for start in range(0, len(X), 512):
        products = (-2 * X[start : start + 512]) @ X.T
        products += norms
    return np.zeros(X.shape[1])


def popcount_floor(X: np.ndarray, y: np.ndarray, k: int) -> np.ndarray:  # noqa: ARG001 (distances only)
    """Count all differences of bits, and use none."""
    from relief_floor import count_all

    from fewest.kernels.bits import pack

    count_all(pack(X.astype(bool)))
    return np.zeros(X.shape[1])


CONTESTANTS: dict[str, Callable[[np.ndarray, np.ndarray, int], np.ndarray]] = {
    "fewest": fewest,
    "skrebate": skrebate,
    "fast-select": fast_select,
    "mutual-information": mutual_information,
    "floor-product": product_floor,
    "floor-popcount": popcount_floor,
}


MODULES = {
    "fewest": "fewest.selection",
    "skrebate": "skrebate",
    "fast-select": "fast_select",
    "mutual-information": "sklearn.feature_selection",
}


def main() -> None:
    """Measure."""
    name, X_path, y_path, k, repeats = sys.argv[1:]
    X, y = np.load(X_path), np.load(y_path)
    run = CONTESTANTS[name]
    started = time.perf_counter()
    import_module(MODULES.get(name, "numpy"))
    importing = time.perf_counter() - started
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = []
    for _ in range(1 + int(repeats)):
        started = time.perf_counter()
        scores = run(X, y, int(k))
        seconds.append(time.perf_counter() - started)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    outcome = {
        "import": importing,
        "first": seconds[0],
        "best": min(seconds),
        "megabytes": (after - before) / 1024,
        "scores": np.asarray(scores, dtype=float).tolist(),
    }
    print(json.dumps(outcome))


if __name__ == "__main__":
    main()
