"""Compile the kernels of all rooms beforehand, in several processes, each busy with other kernels.

A kernel is compiled for the types that it is called with, so a room is asked a small question of every kind that it
compiles for, with ``FEWEST_COMPILE=always``. What several questions need is compiled by the first process that comes to
it; the others wait and load it.
"""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from fewest.kernels.compile_or_not import VARIABLE


def compile_all(n_processes: int, parts: Mapping[str, Callable[[], Any]] | None = None) -> Iterator[str]:
    """Compile everything; yield the name of every part when it is done."""
    parts = PARTS if parts is None else parts
    with ProcessPoolExecutor(max(1, min(n_processes, len(parts))), get_context("spawn"), _begin) as pool:
        waiting = {pool.submit(ask): part for part, ask in parts.items()}
        try:
            for done in as_completed(waiting):
                done.result()
                yield waiting[done]
        except BaseException:  # one part failed, or nobody waits any longer
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _begin() -> None:
    os.environ[VARIABLE] = "always"
    warnings.simplefilter("ignore")  # the questions are of random labels


def _booleans(n_rows: int = 300, n_features: int = 8) -> tuple[np.ndarray, np.ndarray]:
    """Return Boolean features, and classes that are the parity of two of them."""
    rng = np.random.default_rng(0)
    X = rng.random((n_rows, n_features)) < 0.5
    return X, (X[:, 0] ^ X[:, 1]).astype(np.int64)


def _numbers(n_rows: int = 300, n_features: int = 6) -> tuple[np.ndarray, np.ndarray]:
    """Return numeric features, and what they add up to."""
    X = np.random.default_rng(0).normal(size=(n_rows, n_features))
    return X, X[:, 0] + X[:, 1]


def _relief_boolean() -> None:
    from fewest import Relief, ReliefF

    X, y = _booleans()
    ReliefF().fit(X, y)
    ReliefF(threshold="interval").fit(X, y, sample_weight=1.0 + y)
    Relief(max_samples=50, random_state=0).fit(X, y)


def _relief_numeric() -> None:
    from fewest import ReliefF
    from fewest.relief.rounded_rows import LEAST_FEATURES, LEAST_FOR_WORDS

    X, y = _numbers()
    ReliefF().fit(X, (y > 0).astype(int))
    ReliefF(metric="euclidean").fit(X, (y > 0).astype(int))
    for n_features in (LEAST_FEATURES, LEAST_FOR_WORDS):
        X, y = _numbers(n_features=n_features)
        ReliefF(n_features_to_select=1).fit(X, (y > 0).astype(int))


def _relief_regression() -> None:
    from fewest import RReliefF

    RReliefF().fit(*_numbers())


def _relief_blocks() -> None:
    import pyarrow as pa
    from pyarrow.parquet import write_table

    from fewest import ReliefF, scan

    rng = np.random.default_rng(0)
    for X in (_booleans()[0], _numbers()[0]):
        with tempfile.TemporaryDirectory() as folder:
            table = {f"x{j}": column for j, column in enumerate(X.T)} | {"y": rng.choice(["p", "q"], len(X))}
            for part in range(2):
                write_table(pa.table(table), Path(folder, f"{part}.parquet"))
            ReliefF(max_samples=50, random_state=0, threshold="interval").fit(
                scan(folder, target="y", memory=0, n_jobs=1)
            )


def _cover() -> None:
    from fewest import Focus1, MinDescription, MinFeatures, MutualInformationGreedy, SimpleGreedy, WeightedGreedy
    from fewest.cover.solver.problem import CoverProblem
    from fewest.cover.solver.proof_tree import proof_tree

    X, y = _booleans()
    noisy = np.random.default_rng(1).integers(0, 2, len(y))
    for selector in (MinFeatures(), Focus1(), MutualInformationGreedy(), SimpleGreedy(), WeightedGreedy()):
        selector.fit(X, y)
    MinFeatures(time_limit=5.0).fit(X[:60], noisy[:60])
    MinFeatures(tolerance=0.2, time_limit=5.0).fit(X[:60], noisy[:60])
    MinDescription().fit(X, y)
    numbers, sums = _numbers(100)
    MinDescription().fit(numbers, sums > 0)
    proof_tree(CoverProblem.from_sets([{0, 1}, {1, 2}, {0, 2}], 3), 2)


def _long_covers() -> None:
    """Solve a cover as if it had taken hundreds of thousands of nodes already."""
    from fewest.cover import CoverProblem, solve_cover
    from fewest.cover.solver import minimum

    rng = np.random.default_rng(0)
    conflicts = [set(rng.choice(12, 4, replace=False).tolist()) for _ in range(40)]
    before, minimum.QUICK_NODES = minimum.QUICK_NODES, 0
    try:
        solve_cover(CoverProblem.from_sets(conflicts, 12))
    finally:
        minimum.QUICK_NODES = before


def _trees() -> None:
    from fewest import CFPClassifier, FringeClassifier, GACFPClassifier, ID3Classifier

    X, y = _booleans()
    for learner in (ID3Classifier(), FringeClassifier(), CFPClassifier(), GACFPClassifier(n_generations=2)):
        learner.fit(X.astype(np.float64), y).predict(X[:9].astype(np.float64))
    numbers, sums = _numbers(100)
    CFPClassifier(vote="shares").fit(numbers, sums > 0).predict(numbers)


def _winnow() -> None:
    from scipy.sparse import csr_array

    from fewest import BalancedWinnow, Winnow1, Winnow2
    from fewest.mistakes import PackedBits

    X, y = _booleans()
    for learner in (Winnow1, Winnow2, BalancedWinnow):
        for rows in (X.astype(np.uint8), csr_array(X.astype(np.float64)), PackedBits.from_dense(X)):
            learner().fit(rows, y).predict(rows)


def _wrap(learner: str, n_classes: int = 2) -> None:
    from sklearn.linear_model import LinearRegression, LogisticRegression
    from sklearn.naive_bayes import BernoulliNB, GaussianNB

    from fewest import OrderedFS, StandardWrap

    X, y = _numbers(120)
    classes = np.digitize(y, [0.0] if n_classes == 2 else [-0.5, 0.5])
    estimators = {
        "logistic": [LogisticRegression()],
        "least squares": [LinearRegression()],
        "naive Bayes": [GaussianNB(), BernoulliNB()],
    }
    for estimator in estimators[learner]:
        for wrapper in (StandardWrap, OrderedFS):
            wrapper(estimator, random_state=0, max_features=3).fit(X, y if learner == "least squares" else classes)


def _small_samples() -> None:
    from fewest.papers.focus.small_samples import Samples

    samples = Samples([False, True, True, False], n_features=6, n_examples=20)
    samples.run("focus", 2)  # one kernel for all learners
    samples.draw(0)


# The longest first, so that no process is left with one of them at the end.
PARTS: dict[str, Callable[[], None]] = {
    "relief, numeric features": _relief_numeric,
    "wrappers of logistic regression": partial(_wrap, "logistic"),
    "relief, Boolean features": _relief_boolean,
    "wrappers of logistic regression, three classes": partial(_wrap, "logistic", 3),
    "covers": _cover,
    "covers, long searches": _long_covers,
    "small samples": _small_samples,
    "relief, regression": _relief_regression,
    "relief, rows in blocks": _relief_blocks,
    "winnow": _winnow,
    "trees and partitions": _trees,
    "wrappers of least squares": partial(_wrap, "least squares"),
    "wrappers of naive Bayes": partial(_wrap, "naive Bayes"),
}
