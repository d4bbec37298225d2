"""Ten-fold accuracy of CFP, GA-CFP and other learners, with missing values left in where the learner takes them.

Numbers are numbers to every learner but ID3, which gets them cut into
intervals. Names are point partitions to CFP and ID3's values; to the others,
one column for each value. KNN and naive Bayes cannot take missing numbers, so
they get the median. Beside CFP as it comes is one whose features, all
of the same weight, divide their votes among classes. Rows are shuffled once, with a seed. GA-CFP is left out
where there are more limits to choose than a population of its size can tell anything about.

    python benchmarks/cfp_comparison.py                          the bundled votes
    python benchmarks/cfp_comparison.py zoo.csv:type:animal      a file, its target, and columns to leave out
    python benchmarks/cfp_comparison.py --quick                  votes, fewer folds and generations
    python benchmarks/cfp_comparison.py --learner CFP            one learner alone
"""

from __future__ import annotations

import argparse
import time
import warnings

import numpy as np
import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from fewest import CFPClassifier, GACFPClassifier, ID3Classifier, read_table
from fewest.datasets import load_votes
from fewest.preprocessing import IntervalDiscretizer
from fewest.table import split_target

# Limits that GA-CFP is asked to choose.
MOST_LIMITS = 200


def learners(quick: bool) -> dict[str, object]:
    """Return what to compare."""
    evolution = (
        {"population_size": 5, "n_generations": 2}
        if quick
        else {"population_size": 12, "n_generations": 12, "patience": 5}
    )
    return {
        "CFP": CFPClassifier(),
        "CFP-divided": CFPClassifier(delta=0, vote="shares"),
        "GA-CFP": GACFPClassifier(**evolution, random_state=0),
        "KNN": make_pipeline(as_numbers(SimpleImputer(strategy="median"), StandardScaler()), KNeighborsClassifier()),
        "GaussianNB": make_pipeline(as_numbers(SimpleImputer(strategy="median")), GaussianNB(var_smoothing=1e-3)),
        "DecisionTree": make_pipeline(as_numbers(), DecisionTreeClassifier(random_state=0)),
        "ID3": make_pipeline(IntervalDiscretizer(), ID3Classifier()),
    }


def as_numbers(*steps):
    """Return a transformer of names to one column a value, and of numbers by some steps."""
    names = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    numbers = make_pipeline(*steps) if steps else "passthrough"
    return make_column_transformer(
        (names, make_column_selector(dtype_exclude="number")), (numbers, make_column_selector(dtype_include="number"))
    )


def load(source: str) -> tuple[str, pd.DataFrame, np.ndarray]:
    """Read ``file:target`` or ``file:target:dropped,columns``; nothing is the bundled votes."""
    if not source:
        X, y = load_votes(return_X_y=True)
        return "votes", X.to_pandas(), np.array(y)
    path, target, *dropped = source.split(":")
    features, classes = split_target(
        read_table(path, drop=dropped[0].split(",") if dropped else ()), target, missing_target="drop"
    )
    return path.rpartition("/")[2], features.to_arrow().to_pandas(), np.array(classes.to_list())


def compare(source: str, quick: bool, only: str | None) -> None:
    """Print one line a learner."""
    name, X, y = load(source)
    order = np.random.default_rng(0).permutation(len(y))
    X, y = X.iloc[order].reset_index(drop=True), y[order]
    folds = StratifiedKFold(3 if quick else 10)
    for title, learner in learners(quick).items():
        if only is not None and title != only:
            continue
        if title == "GA-CFP" and X.shape[1] > MOST_LIMITS:
            print(f"{name:<16}{'':<14}{title:<14}left out: {X.shape[1]:,} features", flush=True)
            continue
        started = time.perf_counter()
        scores = cross_val_score(learner, X, y, cv=folds)
        seconds = time.perf_counter() - started
        shape = f"{len(y):,} x {X.shape[1]}"
        print(f"{name:<16}{shape:<14}{title:<14}{scores.mean():>9.3f}{scores.std():>7.3f}{seconds:>9.1f}", flush=True)


def main() -> None:
    """Compare on everything named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="*", metavar="FILE:TARGET[:DROPPED,...]", help="data beside the bundled votes")
    parser.add_argument("--quick", action="store_true", help="fewer folds and generations")
    parser.add_argument("--learner", choices=[*learners(quick=True)], help="this one alone")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # classes with fewer rows than folds
    print(f"{'data':<16}{'shape':<14}{'learner':<14}{'accuracy':>9}{'sd':>7}{'seconds':>9}")
    for source in ("", *options.sources):
        compare(source, options.quick, options.learner)


if __name__ == "__main__":
    main()
