"""How well do selected features predict? Nested, on real tables, against all features and against rivals.

In every fold each contestant selects on the training rows, a logistic regression and a random forest learn from what it
chose, and the rows left out give their balanced accuracy; the mean of the two is printed in points against all
features, with the number of features. ``select`` is the command without options; ``advice`` is what `fewest.compare`
recommends within two minutes, all features where it recommends none. The last line has the processor seconds of a
fold. What was measured is kept in ``--keep FILE``, one line a fold and contestant; the same command with the same file
goes on where it was stopped, commands for other tables or contestants may share it and run beside it, and one for all
of them prints the whole. ``--rows 300 --folds 5`` is for a quick look: the points of a table are then a matter of few
rows.

    python benchmarks/advice.py [--folder DIR] [--tables iris,wine] [--contestants all,advice,l1] [--folds 10]
        [--repeats 2] [--rows 1000] [--keep FILE] [--quick]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn import datasets
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.multiclass import OneVsRestClassifier

from fewest import compare
from fewest.budget import Budget
from fewest.comparison.learners import FeatureMatrix
from fewest.comparison.selectors import SELECTORS
from fewest.comparison.training import Training
from fewest.table import from_frame

BUNDLED = ("iris", "wine", "breast_cancer", "digits")
TARGETS = {
    "churn": "churned", "dna": "Class", "golub": "leukemia", "mushroom": "class", "soybean": "Class", "votes": "party",
    "zoo": "type",
}  # fmt: skip
# What gives the class away or names the row; a look at the data finds these, but here only selection is judged.
DROPPED = {
    "zoo": ["animal"],
    "churn": [
        "customer_id", "row_no", "signup_date", "email", "country", "monthly_charge_copy", "support_calls_dup",
        "retention_call_date", "churn_reason_code", "discount_pct",
    ],
}  # fmt: skip
Choose = Callable[[pd.DataFrame, np.ndarray, argparse.Namespace], np.ndarray]
"""From training rows and the options of the benchmark to which columns are kept."""


def everything(X: pd.DataFrame, y: np.ndarray, options: argparse.Namespace) -> np.ndarray:  # noqa: ARG001 (as all)
    """Keep all features."""
    return np.ones(X.shape[1], dtype=bool)


def select(X: pd.DataFrame, y: np.ndarray, options: argparse.Namespace) -> np.ndarray:  # noqa: ARG001
    """Run the command without options on the training rows."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "training.csv"
        X.assign(the_class=[f"class {value}" for value in y]).to_csv(path, index=False)
        command = [sys.executable, "-m", "fewest", "select", path, "--target", "the_class", "--format", "json"]
        found = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    return X.columns.isin(found["features"])


def advice(X: pd.DataFrame, y: np.ndarray, options: argparse.Namespace) -> np.ndarray:
    """Keep what `compare` recommends."""
    comparison = compare(X, y, n_repeats=options.repeats, time_limit=options.time_limit)
    return X.columns.isin(comparison.selected if comparison.recommended else X.columns)


def by_name(name: str) -> Choose:
    """Return one of the methods that `compare` knows."""

    def choose(X: pd.DataFrame, y: np.ndarray, options: argparse.Namespace) -> np.ndarray:  # noqa: ARG001
        return SELECTORS[name].timed(Training(from_frame(X), y), Budget())[0]

    return choose


def l1(X: pd.DataFrame, y: np.ndarray, options: argparse.Namespace) -> np.ndarray:  # noqa: ARG001
    """Keep what an L1 logistic regression uses, its penalty found by cross-validation."""
    matrix = FeatureMatrix(from_frame(X))
    values = matrix.of(np.ones(X.shape[1], dtype=bool), np.arange(len(X)))
    models = [
        OneVsRestClassifier(
            LogisticRegression(l1_ratio=1, C=C, solver="liblinear", class_weight="balanced", random_state=0)
        )
        for C in (0.01, 0.03, 0.1, 0.3, 1.0, 10.0)
    ]
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    scores = [cross_val_score(model, values, y, cv=folds, scoring="balanced_accuracy").mean() for model in models]
    fitted = models[int(np.argmax(scores))].fit(values, y)
    used = np.any([np.abs(one.coef_[0]) > 1e-6 for one in fitted.estimators_], axis=0)
    return np.bincount(matrix.feature[used], minlength=X.shape[1]) > 0


CONTESTANTS: dict[str, Choose] = {
    "all": everything,
    "select": select,
    "advice": advice,
    "l1": l1,
    "boruta": by_name("boruta"),
    "rfe": by_name("rfe"),
}


def judged(X: pd.DataFrame, y: np.ndarray, kept: np.ndarray, training: np.ndarray, test: np.ndarray) -> float:
    """Return the balanced accuracy with some features, the mean of two learners."""
    values = FeatureMatrix(from_frame(X)).of(kept, training)
    if not values.shape[1]:
        return 1 / len(np.unique(y))
    learners = [
        LogisticRegression(max_iter=300, class_weight="balanced"),
        RandomForestClassifier(100, class_weight="balanced", random_state=0),
    ]
    found = [clone(learner).fit(values[training], y[training]).predict(values[test]) for learner in learners]
    return float(np.mean([balanced_accuracy_score(y[test], predicted) for predicted in found]))


def tables(options: argparse.Namespace) -> list[tuple[str, pd.DataFrame, np.ndarray]]:
    """Return the tables by name, their features and their classes."""
    found = []
    for name in BUNDLED:
        bunch = getattr(datasets, f"load_{name}")(as_frame=True)
        found.append((name, bunch.data, bunch.target.to_numpy()))
    for path in sorted(Path(options.folder).glob("*.csv")) if options.folder else ():
        frame = pd.read_csv(path)
        target = TARGETS.get(path.stem, frame.columns[-1])
        features = frame.drop(columns=[target, *DROPPED.get(path.stem, [])])
        found.append((path.stem, features, pd.factorize(frame[target], sort=True)[0]))
    wanted = options.tables.split(",") if options.tables else [name for name, _, _ in found]
    return [_sampled(one, options.rows) for one in found if one[0] in wanted]


def _sampled(table: tuple[str, pd.DataFrame, np.ndarray], most: int) -> tuple[str, pd.DataFrame, np.ndarray]:
    name, X, y = table
    rows = np.sort(np.random.default_rng(0).permutation(len(X))[:most])
    rows = rows[np.bincount(y[rows])[y[rows]] >= 3]  # a class of one or two rows can be in no three folds
    return name, X.iloc[rows].reset_index(drop=True), np.unique(y[rows], return_inverse=True)[1]


class Kept:
    """What was measured before, by table, fold and contestant, in a file of JSON lines."""

    def __init__(self, path: str | None):
        self.path = None if path is None else Path(path)
        self.found: dict[tuple, tuple[float, float, float]] = {}
        if self.path is not None and self.path.exists():
            for line in self.path.read_text().splitlines():
                *key, value = json.loads(line)
                self.found[tuple(key)] = tuple(value)

    def measured(self, key: tuple, measure: Callable[[], tuple[float, float, float]]) -> tuple[float, float, float]:
        """Return what is known, or measure it and write it down."""
        if key not in self.found:
            self.found[key] = measure()
            if self.path is not None:
                with self.path.open("a") as file:
                    file.write(json.dumps([*key, self.found[key]]) + "\n")
        return self.found[key]


def measure(
    table: str, X: pd.DataFrame, y: np.ndarray, options: argparse.Namespace, kept: Kept
) -> dict[str, tuple[float, float, float]]:
    """Return the mean balanced accuracy, number of features and processor seconds of every contestant."""

    def one(name: str, training: np.ndarray, test: np.ndarray) -> tuple[float, float, float]:
        started = sum(os.times()[:4])  # with those of children, which select is
        chosen = CONTESTANTS[name](X.iloc[training], y[training], options)
        seconds = sum(os.times()[:4]) - started
        return judged(X, y, chosen, training, test), float(chosen.sum()), seconds

    found: dict[str, list[tuple[float, float, float]]] = {name: [] for name in options.contestants}
    splits = StratifiedKFold(options.folds, shuffle=True, random_state=0).split(X, y)
    for fold, (training, test) in enumerate(splits):
        for name in options.contestants:
            key = (table, len(X), options.folds, fold, name, *([options.repeats] if name == "advice" else []))
            found[name].append(kept.measured(key, partial(one, name, training, test)))
    return {name: tuple(np.mean(values, axis=0)) for name, values in found.items()}  # type: ignore[misc]


def main() -> None:
    """Print a line for every table, the means, and the worst."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", help="CSV files; the target is the last column unless it is known")
    parser.add_argument("--tables", help="only these, by name")
    parser.add_argument("--contestants", default=",".join(CONTESTANTS))
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=2, help="of the folds within compare")
    parser.add_argument("--rows", type=int, default=10_000, help="at most so many, sampled")
    parser.add_argument(
        "--time-limit", type=float, default=120.0, help="seconds for each comparison, as the command has"
    )
    parser.add_argument("--keep", metavar="FILE", help="what was measured, to go on from")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    if options.quick:
        options.tables, options.folds, options.repeats, options.rows = "iris,wine", 2, 1, 100
    options.contestants = options.contestants.split(",")
    warnings.simplefilter("ignore")
    print(f"{'table':<16}{'rows':>6}{'columns':>8}" + "".join(f"{name:>16}" for name in options.contestants))
    against: dict[str, list[tuple[float, float, float]]] = {name: [] for name in options.contestants}
    kept = Kept(options.keep)
    for name, X, y in tables(options):
        found = measure(name, X, y, options, kept)
        base = found["all"][0]
        cells = []
        for contestant, (score, n_features, seconds) in found.items():
            points = 100 * (score - base)
            against[contestant].append((points, n_features, seconds))
            cells.append(f"{100 * score if contestant == 'all' else points:>+9.1f} {n_features:>6.1f}")
        print(f"{name:<16}{len(X):>6}{X.shape[1]:>8}" + "".join(cells), flush=True)
    means = ["{:>+9.1f} {:>6.1f}".format(*np.mean(values, axis=0)[:2]) for values in against.values()]
    worst = [f"{min(points for points, *_ in values):>+9.1f}       " for values in against.values()]
    seconds = [f"{np.mean([spent for *_, spent in values]):>9.1f}       " for values in against.values()]
    print(f"{'mean':<30}" + "".join(means))
    print(f"{'worst':<30}" + "".join(worst))
    print(f"{'seconds':<30}" + "".join(seconds))


if __name__ == "__main__":
    main()
