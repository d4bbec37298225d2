"""Other libraries' selectors on the problems of `known_truth.py`; run by the interpreter that has them.

Left to themselves: Boruta, abess. Told the number of relevant features: mRMR, fastcan, and ReliefF and MultiSURF of
skrebate. Reads a folder of ``problem.seed.npz`` (X, y, n_relevant), prints a line of JSON for every method and problem.
All problems come with their first seed, then all with their second; a method that has had so many seconds of processor
time begins no other.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from pathlib import Path

import numpy as np


def boruta(X: np.ndarray, y: np.ndarray, n_relevant: int, seed: int) -> np.ndarray:  # noqa: ARG001 (all have one form)
    """Keep what beats shuffled copies of all features."""
    from boruta import BorutaPy
    from sklearn.ensemble import RandomForestClassifier

    forest = RandomForestClassifier(max_depth=5, random_state=seed)
    return BorutaPy(forest, n_estimators="auto", max_iter=50, random_state=seed).fit(X, y).support_


def abess(X: np.ndarray, y: np.ndarray, n_relevant: int, seed: int) -> np.ndarray:  # noqa: ARG001
    """Keep the best subset of a (multinomial) logistic regression, its size by its information criterion."""
    from abess import LogisticRegression, MultinomialRegression

    if y.max() == 1:
        return np.asarray(LogisticRegression().fit(X, y).coef_).ravel() != 0
    return (np.asarray(MultinomialRegression().fit(X, y).coef_) != 0).any(axis=1)


def mrmr(X: np.ndarray, y: np.ndarray, n_relevant: int, seed: int) -> np.ndarray:  # noqa: ARG001
    """Keep the most relevant and least redundant, as many as are."""
    import pandas as pd
    from mrmr import mrmr_classif

    frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(X.shape[1])])
    chosen = mrmr_classif(frame, pd.Series(y), n_relevant, show_progress=False, n_jobs=1)
    return frame.columns.isin(chosen)


def skrebate_relieff(X: np.ndarray, y: np.ndarray, n_relevant: int, seed: int) -> np.ndarray:  # noqa: ARG001
    """Keep the first of skrebate's ReliefF."""
    from skrebate import ReliefF

    return best(ReliefF(n_neighbors=10).fit(X, y).feature_importances_, n_relevant)


def skrebate_multisurf(X: np.ndarray, y: np.ndarray, n_relevant: int, seed: int) -> np.ndarray:  # noqa: ARG001
    """Keep the first of skrebate's MultiSURF."""
    from skrebate import MultiSURF

    return best(MultiSURF().fit(X, y).feature_importances_, n_relevant)


def fastcan(X: np.ndarray, y: np.ndarray, n_relevant: int, seed: int) -> np.ndarray:  # noqa: ARG001
    """Keep those of most canonical correlation together."""
    from fastcan import FastCan

    members = np.eye(int(y.max()) + 1)[y][:, 1:]
    return FastCan(n_relevant, verbose=0).fit(X, members).get_support()


def best(scores: np.ndarray, n_kept: int) -> np.ndarray:
    """Return the mask of the highest scores."""
    return np.isin(np.arange(len(scores)), np.argsort(-scores, kind="stable")[:n_kept])


METHODS = {
    "Boruta": boruta,
    "abess": abess,
    "mRMR, told": mrmr,
    "skrebate ReliefF, told": skrebate_relieff,
    "skrebate MultiSURF, told": skrebate_multisurf,
    "fastcan, told": fastcan,
}


def main() -> None:
    """Run methods on a folder, each for so many seconds: those that the third argument names, or all."""
    chosen = sys.argv[3].split(";") if len(sys.argv) > 3 else list(METHODS)
    runs = sorted((int(path.name.rsplit(".", 2)[1]), path) for path in Path(sys.argv[1]).glob("*.npz"))
    for method in chosen:
        began = time.process_time()
        for n_done, (seed, path) in enumerate(runs):
            if time.process_time() - began > float(sys.argv[2]):
                print(f"{method}: {n_done} of {len(runs)} runs within {sys.argv[2]} s", file=sys.stderr, flush=True)
                break
            print(json.dumps(run(method, path, seed)), flush=True)


def run(method: str, path: Path, seed: int) -> dict:
    """Return what a method keeps of one problem; a failure counts as no answer."""
    with np.load(path) as data:
        X, y, n_relevant = data["X"].astype(np.float64), data["y"], int(data["n_relevant"])
    started, problem = time.process_time(), path.name.rsplit(".", 2)[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            kept = np.flatnonzero(METHODS[method](X, y, n_relevant, seed)).tolist()
        except (ArithmeticError, ValueError, RuntimeError) as error:
            print(f"{method} on {problem}: {error}", file=sys.stderr)
            kept = []
    seconds = time.process_time() - started
    return {"method": method, "problem": problem, "seed": seed, "kept": kept, "seconds": seconds}


if __name__ == "__main__":
    main()
