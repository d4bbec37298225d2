"""One contestant on one data set, in whatever interpreter has it.

    python relief_contestants.py NAME X.npy y.npy K REPEATS

Prints a JSON object: the seconds of its imports, of the first call in the
process and of the best of the others, of the processor's time too, the memory that another call takes beyond
the data, and the scores. Calls are repeated at least so often, and for a second.
"""

from __future__ import annotations

import ctypes
import json
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import numpy as np


def fewest(X: np.ndarray, y: np.ndarray, k: int) -> np.ndarray:
    """Run ours on all cores."""
    from fewest import ReliefF

    return ReliefF(n_neighbors=k, n_features_to_select=1, n_jobs=-1).fit(X, y).scores_


def euclidean(X: np.ndarray, y: np.ndarray, k: int) -> np.ndarray:
    """Run ours with Euclidean distances, whose squares matrix products compute."""
    from fewest import ReliefF

    return ReliefF(n_neighbors=k, n_features_to_select=1, metric="euclidean", n_jobs=-1).fit(X, y).scores_


def skrebate(X: np.ndarray, y: np.ndarray, k: int) -> np.ndarray:
    """Run skrebate on all cores."""
    from skrebate import ReliefF

    with np.errstate(all="ignore"):
        return ReliefF(n_neighbors=k, n_jobs=-1).fit(X.astype(float), y).feature_importances_


def fast_select(X: np.ndarray, y: np.ndarray, k: int) -> np.ndarray:
    """Run fast-select on all cores."""
    from fast_select import ReliefF

    return ReliefF(n_neighbors=k, n_features_to_select=1, backend="cpu").fit(X, y).feature_importances_


def mutual_information(X: np.ndarray, y: np.ndarray, k: int) -> np.ndarray:  # noqa: ARG001 (it has other neighbors)
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
    "euclidean": euclidean,
    "skrebate": skrebate,
    "fast-select": fast_select,
    "mutual-information": mutual_information,
    "floor-product": product_floor,
    "floor-popcount": popcount_floor,
}


MODULES = {
    "fewest": "fewest.relief.estimators",
    "euclidean": "fewest.relief.estimators",
    "skrebate": "skrebate",
    "fast-select": "fast_select",
    "mutual-information": "sklearn.feature_selection",
}


def _megabytes(call: Callable[[], object]) -> float:
    """Return how far one more call raises the memory of a process that has what does not depend on the data."""
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    before = _status("VmRSS")
    call()
    return (_status("VmHWM") - before) / 1024


def _status(field: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field))


def main() -> None:
    """Measure."""
    name, X_path, y_path, k, repeats = sys.argv[1:]
    X, y = np.load(X_path), np.load(y_path)
    run = CONTESTANTS[name]
    started = time.perf_counter()
    import_module(MODULES.get(name, "numpy"))
    importing = time.perf_counter() - started
    seconds, processor = [], []
    while len(seconds) <= int(repeats) or (int(repeats) and sum(seconds[1:]) < 1):
        started, processor_started = time.perf_counter(), time.process_time()
        scores = run(X, y, int(k))
        seconds.append(time.perf_counter() - started)
        processor.append(time.process_time() - processor_started)
    outcome = {
        "import": importing,
        "first": seconds[0],
        "best": min(seconds),
        "processor": min(processor),
        "megabytes": _megabytes(lambda: run(X, y, int(k))) if int(repeats) else float("nan"),
        "scores": np.asarray(scores, dtype=float).tolist(),
    }
    print(json.dumps(outcome))


if __name__ == "__main__":
    main()
