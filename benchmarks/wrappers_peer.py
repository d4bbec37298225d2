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
    found = {}
    started = time.perf_counter()
    SequentialFeatureSelector(LogisticRegression(), k_features=n_selected, cv=held_out).fit(X, y)
    n_fits = sum(n_features - k for k in range(n_selected))
    found[f"mlxtend {mlxtend.__version__} SFS"] = n_fits / (time.perf_counter() - started)
    few = X[:, :12]
    started = time.perf_counter()
    with contextlib.redirect_stderr(io.StringIO()):
        ExhaustiveFeatureSelector(
            LogisticRegression(), min_features=1, max_features=2, cv=held_out, print_progress=False
        ).fit(few, y)
    found[f"mlxtend {mlxtend.__version__} EFS"] = (12 + 66) / (time.perf_counter() - started)
    return found


if __name__ == "__main__":
    with np.load(sys.argv[1]) as data:
        print(json.dumps(rates(data["X"], data["y"], int(sys.argv[2]))))
