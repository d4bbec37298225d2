"""mlxtend's sequential and exhaustive selectors with logistic regression; run by the interpreter that has them.

Prints a JSON object of names and fits a second. `wrappers.py` starts it.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import time

import mlxtend
import numpy as np
from mlxtend.evaluate import PredefinedHoldoutSplit
from mlxtend.feature_selection import ExhaustiveFeatureSelector, SequentialFeatureSelector
from sklearn.linear_model import LogisticRegression


def rates(X: np.ndarray, y: np.ndarray, n_selected: int) -> dict[str, float]:
    """Select as `wrappers.py` does, and all pairs of the first features."""
    n_features = X.shape[1]
    held_out = PredefinedHoldoutSplit(np.arange(len(y) * 7 // 10, len(y)))
    forwards = SequentialFeatureSelector(LogisticRegression(), k_features=n_selected, cv=held_out)
    all_pairs = ExhaustiveFeatureSelector(
        LogisticRegression(), min_features=1, max_features=2, cv=held_out, print_progress=False
    )
    n_fits = sum(n_features - k for k in range(n_selected))
    return {
        f"mlxtend {mlxtend.__version__} SFS": rate(forwards, X, y, n_fits),
        f"mlxtend {mlxtend.__version__} EFS": rate(all_pairs, X[:, :12], y, 12 + 66),
    }


def rate(selector, X: np.ndarray, y: np.ndarray, n_fits: int) -> float:
    """Return the most fits a second of three runs."""
    seconds = []
    for _ in range(3):
        started = time.perf_counter()
        with contextlib.redirect_stderr(io.StringIO()):
            selector.fit(X, y)
        seconds.append(time.perf_counter() - started)
    return n_fits / min(seconds)


if __name__ == "__main__":
    with np.load(sys.argv[1]) as data:
        print(json.dumps(rates(data["X"], data["y"], int(sys.argv[2]))))
