"""Wrappers against scikit-learn's and mlxtend's sequential selectors: fits a second, on the same split.

All select forwards by hold-out score, one feature at a time, with a fixed
split of the rows; in a beam of 50 ours extends fifty subsets of each size.
mlxtend has an environment of its own; name its interpreter:

    python benchmarks/wrappers.py                       ours and scikit-learn's
    python benchmarks/wrappers.py --mlxtend PYTHON      mlxtend's as well
    python benchmarks/wrappers.py --claim               error against irrelevant features, as in the thesis's chapter 4
    python benchmarks/wrappers.py --quick               small versions

Ratios are to scikit-learn's SequentialFeatureSelector in the same run, the best of three. Peers, and our
generic path, choose three of 20 features, or one of the first hundred: more would take longer, not less a fit.
Ours select ten, but at most half of them, or three in a beam of 50.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from fewest import StandardWrap
from fewest.datasets import make_linear_threshold
from fewest.papers.wrapper.errors import ALL, ORDERED, STANDARD, measure

SIZES = {
    "--quick": [(8, 60)],
    "full": [(20, 100), (100, 100), (1000, 100), (20, 10_000), (100, 10_000), (1000, 10_000)],
}
MOST_FOR_PEERS = 100
LEARNERS = {
    "logistic": LogisticRegression(),
    "three classes": LogisticRegression(),
    "least squares": LinearRegression(),
    "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
}


def split_of(n_rows: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Hold out three rows of ten."""
    cut = n_rows * 7 // 10
    return [(np.arange(cut), np.arange(cut, n_rows))]


def rate(work: Callable[[], int]) -> float:
    """Return the most fits a second of three runs; ``work`` returns how many it made."""
    rates = []
    for _ in range(3):
        started = time.perf_counter()
        n_fits = work()
        rates.append(n_fits / (time.perf_counter() - started))
    return max(rates)


def theirs(estimator, X: np.ndarray, y: np.ndarray, n_selected: int) -> tuple[float, list[int]]:
    """Return fits a second, and the choice, of scikit-learn's selector."""
    n_features = X.shape[1]
    scoring = None if hasattr(estimator, "predict_proba") else "neg_mean_squared_error"
    selector = SequentialFeatureSelector(
        estimator, n_features_to_select=n_selected, cv=split_of(len(y)), scoring=scoring
    )
    n_fits = sum(n_features - k for k in range(n_selected))
    found = rate(lambda: (selector.fit(X, y), n_fits)[1])
    return found, sorted(selector.get_support(indices=True).tolist())


def ours(estimator, X: np.ndarray, y: np.ndarray, n_selected: int, beam: int, fast: bool) -> tuple[float, list[int]]:
    """Return fits a second of ours, and its best subset of that size."""
    selector = StandardWrap(
        estimator,
        cv=split_of(len(y)),
        beam_width=beam,
        search="forward",
        max_features=n_selected,
        ties="first",
        refit=False,
        fast=fast,
    )
    if fast:
        selector.fit(X, y)  # loads and compiles
    found = rate(lambda: selector.fit(X, y).n_subsets_evaluated_)
    return found, sorted(selector.history_[n_selected]["features"])


def mlxtend_rates(python: str, X: np.ndarray, y: np.ndarray, n_selected: int) -> dict[str, float]:
    """Let mlxtend's own interpreter select."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "data.npz")
        np.savez(path, X=X, y=y)
        script = Path(__file__).with_name("wrappers_peer.py")
        done = subprocess.run([python, script, path, str(n_selected)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def target_of(learner: str, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return what to learn: a class, one of three, or a numeric target."""
    target = X[:, :3].sum(axis=1) + np.random.default_rng(0).random(len(X))
    if learner == "three classes":
        return np.digitize(target, np.quantile(target, [1 / 3, 2 / 3]))
    return target if learner == "least squares" else y


def show(data: str, learner: str, name: str, fits: float, peer: float) -> None:
    """Print a line."""
    print(f"{data:<18}{learner:<16}{name:<24}{fits:>12,.0f}{fits / peer:>10.1f}x", flush=True)


def compare(n_features: int, n_rows: int, mlxtend: str | None) -> None:
    """Time everybody on data of one size."""
    data = f"{n_rows:,} x {n_features:,}"
    X, y, _ = make_linear_threshold(n_rows, relevant=3, irrelevant=n_features - 3, noise=0.1, random_state=0)
    n_selected = 3 if n_features <= 20 else 1
    few = X[:, :MOST_FOR_PEERS]
    for learner, estimator in LEARNERS.items():
        if learner == "three classes" and n_features > MOST_FOR_PEERS:
            continue
        target = target_of(learner, X, y)
        peer, chosen = theirs(estimator, few, target, n_selected)
        show(data, learner, "scikit-learn SFS", peer, peer)
        found, same = ours(estimator, few, target, n_selected, 1, fast=False)
        show(data, learner, "fewest, generic", found, peer)
        if same != chosen:
            warnings.warn(f"{learner} on {data}: {same} is not {chosen}", stacklevel=1)
        if learner == "tree":
            continue
        for beam, depth in ((1, min(10, n_features // 2)), (50, 3)):
            found, _ = ours(estimator, X, target, depth, beam, fast=True)
            show(data, learner, f"fewest, beam {beam}", found, peer)
        if learner == "logistic" and mlxtend is not None:
            for name, fits in mlxtend_rates(mlxtend, few, y, n_selected).items():
                show(data, learner, name, fits, peer)


def claim(sizes: list[int], n_trials: int, n_rows: int) -> None:
    """Print what the three algorithms of the thesis err on clean labels as irrelevant features are added."""
    names = [ALL, STANDARD, ORDERED]
    heading = "".join(f"{name:>22}" for name in names)
    print(f"{'features':>9}{'examples':>10}{'trials':>8}{heading}")
    for n_features in sizes:
        unit = {"examples": n_rows, "features": n_features, "relevant": 1, "max_features": None, "algorithms": names}
        cells = ""
        for errors in measure({**unit, "first": 0, "trials": n_trials}).values():
            cells += f"{np.mean(errors):>13.3f} ± {np.std(errors, ddof=1) / np.sqrt(n_trials):.3f}"
        print(f"{n_features:>9}{n_rows:>10}{n_trials:>8}{cells}", flush=True)


def main() -> None:
    """Run what the options ask for."""
    os.environ.setdefault("FEWEST_COMPILE", "always")  # rates are those of a search that goes on for long
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small versions")
    parser.add_argument("--claim", action="store_true", help="error against irrelevant features")
    parser.add_argument("--trials", type=int, default=40, help="of each number of features (the thesis has 200)")
    parser.add_argument("--mlxtend", metavar="PYTHON", help="an interpreter that has mlxtend")
    options = parser.parse_args()
    if options.claim or options.quick:
        claim([3, 12] if options.quick else [5, 10, 20, 30, 40], 20 if options.quick else options.trials, 100)
        if options.claim:
            return
    print(f"{'data':<18}{'learner':<16}{'who':<24}{'fits/s':>12}{'':>3}to scikit-learn's")
    for n_features, n_rows in SIZES["--quick" if options.quick else "full"]:
        compare(n_features, n_rows, options.mlxtend)
    if options.mlxtend is None:
        print("mlxtend is left out: name its interpreter with --mlxtend")


if __name__ == "__main__":
    main()
