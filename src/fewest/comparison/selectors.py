"""The selectors that are compared, each as a function from training rows to the features it chooses."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.budget import INTERRUPT, Budget
from fewest.comparison.learners import N_INNER, FeatureMatrix, folds, learners, predicted
from fewest.cover.cross_validated_tolerance import cross_validated_tolerance
from fewest.cover.examples import Answer
from fewest.cover.options import OPTIONS, Method, MinFeaturesOptions, SimpleGreedyOptions
from fewest.cover.sample import Sample
from fewest.cover.select import search_by
from fewest.exceptions import ParameterError
from fewest.table import Column, Kind, Table
from fewest.table.discretize import cut_columns, interval_cuts

if TYPE_CHECKING:
    from fewest.relief.relief import Ranking

ALL = "all"
# A wrapper's search: narrow, and ended by a few sizes that are no better.
BEAM, PATIENCE = 5, 3
# Numbers of most relevant features to choose from, and the learner that chooses.
NUMBERS, JUDGE = (1, 2, 3, 5, 10, 20, 50, 100), "neighbours"
# Numeric columns of more values than this are cut into intervals for methods that only ask whether values are equal.
MOST_VALUES = 10


@dataclass(frozen=True, eq=False)
class Training:
    """The part of the data that a selector may see: training rows and their classes, encoded once for all selectors."""

    table: Table
    classes: np.ndarray
    seed: int = 0

    @cached_property
    def sample(self) -> Sample:
        """Return the rows as discrete values, numeric columns cut into intervals that these very rows suggest."""
        return Sample.from_table(in_intervals(self.table, self.classes), self.classes)

    @cached_property
    def seconds_for_sample(self) -> float:
        """Return the seconds that encoding the sample took; every method that uses it is charged with them."""
        started = time.perf_counter()
        _ = self.sample
        return time.perf_counter() - started

    @cached_property
    def matrix(self) -> np.ndarray:
        """Return the rows as floats, categories as their codes, for selectors of other libraries."""
        columns = [np.where(column.is_missing, np.nan, column.values) for column in self.table]
        return np.column_stack(columns) if columns else np.empty((self.table.n_rows, 0))


def in_intervals(table: Table, classes: np.ndarray) -> Table:
    """Return the table with numeric columns of many values cut into intervals."""
    measured = tuple(column for column in table if is_measured(column))
    return cut_columns(table, interval_cuts(Table(measured, table.n_rows), classes))


def is_measured(column: Column) -> bool:
    """Return whether a column is numeric with so many values that being equal means little."""
    return column.kind is Kind.NUMERIC and len(np.unique(column.values[~column.is_missing])) > MOST_VALUES


Choose = Callable[[Training, Budget], Sequence[int]]
Rank = Callable[[Training], np.ndarray]


@dataclass(frozen=True)
class Selector:
    """A method by its name, what it does in a few words, how it chooses features, and how to run it alone."""

    name: str
    idea: str
    choose: Choose
    is_discrete: bool = False
    how: str | None = None

    def timed(self, training: Training, budget: Budget) -> tuple[np.ndarray, float]:
        """Return the mask of the features chosen, and the seconds that took."""
        before = training.seconds_for_sample if self.is_discrete else 0.0
        started = time.perf_counter()
        chosen = list(self.choose(training, budget))
        seconds = time.perf_counter() - started + before
        mask = np.zeros(len(training.table.columns), dtype=bool)
        mask[chosen] = True
        return mask, seconds


def everything(training: Training, budget: Budget) -> Sequence[int]:  # noqa: ARG001 (the signature is everybody's)
    """Choose all features: what every method has to compete with."""
    return range(len(training.table.columns))


def sufficient(method: str, training: Training, budget: Budget) -> Sequence[int]:
    """Search a subset that separates all rows of different class."""
    return _subset(search_by(OPTIONS[Method(method)](), training.sample, budget))


def tolerant(training: Training, budget: Budget) -> Sequence[int]:
    """Search the fewest features that separate as many pairs of rows as cross-validation finds worth it."""
    validated = cross_validated_tolerance(training.sample, partial(search_by, SimpleGreedyOptions()), budget)
    sample = replace(training.sample, tolerance=validated.tolerance)
    return _subset(search_by(MinFeaturesOptions(), sample, budget))


def _subset(answer: Answer) -> Sequence[int]:
    """Return what a search found; who interrupts a comparison means all of it."""
    if answer.stopped_by == INTERRUPT:
        raise KeyboardInterrupt
    return answer.subset


def relevant(method: str, training: Training, budget: Budget) -> Sequence[int]:
    """Keep the features whose relevance is larger than chance explains."""
    return np.flatnonzero(ranking_by(method, training, budget).support).tolist()


def ranking_by(method: str, training: Training, budget: Budget) -> Ranking:
    """Return the relevance of every feature, judged by as many rows as there is time for."""
    from fewest.relief.options import ReliefFOptions, ReliefOptions
    from fewest.relief.relief import rank_features

    options = (ReliefOptions if method == "relief" else ReliefFOptions)(n_jobs=-1)
    ranking = rank_features(training.table, training.classes, options, seed=training.seed, budget=budget)
    if ranking.stopped_by == INTERRUPT:
        raise KeyboardInterrupt  # who interrupts a comparison means all of it
    return ranking


def relevant_then_fewest(training: Training, budget: Budget) -> Sequence[int]:
    """Search the fewest of the relevant features, as `ReliefThenCover` does."""
    kept = list(relevant("relieff", training, budget.part(0.5)))
    found = _subset(search_by(MinFeaturesOptions(), training.sample.restricted(kept), budget))
    return [kept[j] for j in found]


def most_relevant(training: Training, budget: Budget) -> Sequence[int]:
    """Keep the most relevant features, as many as cross-validation within the training rows finds worth it."""

    def ranked(part: Training) -> np.ndarray:
        return ranking_by("relieff", part, budget.part(0.25)).order

    order = ranked(training)
    return order[: best_number(training, ranked)].tolist()


def best_number(training: Training, rank: Rank) -> int:
    """Return how many features of a ranking to keep: what predicts best within the training rows, the fewest of equals.

    Features are ranked again in every fold, by the rows that then learn: a
    ranking that has seen the rows it is judged by would flatter itself.
    """
    classes = training.classes
    n_features = len(training.table.columns)
    tried = [n for n in NUMBERS if n < n_features] or [n_features]
    matrix, judge = FeatureMatrix(training.table), learners([JUDGE], training.seed)[JUDGE]
    n_right = np.zeros(len(tried), dtype=np.int64)
    for rows, held_out in folds(classes, N_INNER, 1, training.seed):
        order = rank(Training(training.table.take(rows), classes[rows], training.seed))
        n_right += [_n_right(matrix, judge, order[:n], classes, rows, held_out) for n in tried]
    return tried[int(n_right.argmax())]


def _n_right(
    matrix: FeatureMatrix, judge: Any, kept: np.ndarray, classes: np.ndarray, rows: np.ndarray, test: np.ndarray
) -> int:
    mask = np.zeros(int(matrix.feature.max(initial=-1)) + 1, dtype=bool)
    mask[kept] = True
    return int((predicted(judge, matrix.of(mask, rows), classes, rows, test) == classes[test]).sum())


def wrapped(training: Training, budget: Budget) -> Sequence[int]:
    """Keep what naive Bayes needs, by ORDERED-FS: training rows decide which features, a part held out how many."""
    from sklearn.naive_bayes import GaussianNB

    from fewest.wrapper.options import OrderedFSOptions
    from fewest.wrapper.tables import Numbers, wrap_numbers

    matrix = FeatureMatrix(training.table)
    X = matrix.of(np.ones(len(training.table.columns), dtype=bool), np.arange(training.table.n_rows))
    parts = [np.flatnonzero(matrix.feature == j).tolist() for j in range(len(training.table.columns))]
    options = OrderedFSOptions(beam=BEAM, patience=PATIENCE, time_limit=budget.seconds_left, random_state=training.seed)
    return wrap_numbers(GaussianNB(), Numbers(X, parts), training.classes, options).features


# In the order of preference among equals: what is proven first, and what is simple before what is not.
SELECTORS = {
    selector.name: selector
    for selector in (
        Selector(ALL, "no selection", everything),
        Selector(
            "min-features", "the fewest that tell all apart", partial(sufficient, Method.MIN_FEATURES), True,
            "fewest select --method min-features",
        ),
        Selector(
            "tolerant", "the fewest, noise allowed", tolerant, True,
            "fewest select --method min-features --tolerance cv",
        ),
        Selector(
            "wg", "greedy, conflicts weighted", partial(sufficient, Method.WG), True, "fewest select --method wg"
        ),
        Selector(
            "sg", "greedy, conflicts counted", partial(sufficient, Method.SG), True, "fewest select --method sg",
        ),
        Selector(
            "mig", "greedy, mutual information", partial(sufficient, Method.MIG), True, "fewest select --method mig"
        ),
        Selector(
            "relieff", "relevance, several near rows", partial(relevant, "relieff"), False,
            "fewest rank --method relieff",
        ),
        Selector(
            "relief", "relevance, nearest rows", partial(relevant, "relief"), False,
            "fewest rank --method relief",
        ),
        Selector(
            "relief+cv", "the most relevant, as few as do", most_relevant, False,
            "fewest rank --method relieff --n-features-to-select {n}",
        ),
        Selector(
            "relief+fewest", "the fewest of the relevant", relevant_then_fewest, True, "fewest.ReliefThenCover()",
        ),
        Selector(
            "ordered-fs", "what naive Bayes needs", wrapped, False,
            f"fewest wrap --method ordered-fs --estimator nb --beam {BEAM} --patience {PATIENCE}",
        ),
        Selector("focus1", "the fewest, subsets by size", partial(sufficient, Method.FOCUS1), True,
                   "fewest select --method focus1"),
        Selector("focus2", "the fewest, along conflicts", partial(sufficient, Method.FOCUS2), True,
                   "fewest select --method focus2"),
    )
}  # fmt: skip
# FOCUS-1 and FOCUS-2 find what min-features finds, more slowly; who wants to see it names them.
USUAL = tuple(name for name in SELECTORS if not name.startswith("focus"))


def selectors(methods: Sequence[str] | Mapping[str, Any] | None) -> list[Selector]:
    """Return selectors by name, all features first; a mapping brings those of other libraries."""
    if methods is None:
        methods = USUAL
    wanted = methods if isinstance(methods, Mapping) else dict.fromkeys(methods)
    found = {ALL: SELECTORS[ALL]}
    for name, selector in wanted.items():
        if selector is not None:
            found[name] = Selector(name, type(selector).__name__, partial(_fitted, selector))
        elif name in SELECTORS:
            found[name] = SELECTORS[name]
        else:
            raise ParameterError.from_choice("method", name, tuple(SELECTORS))
    return list(found.values())


def _fitted(selector: Any, training: Training, budget: Budget) -> Sequence[int]:  # noqa: ARG001 (sklearn knows none)
    """Fit a copy of any scikit-learn selector on floats."""
    from sklearn.base import clone

    return clone(selector).fit(training.matrix, training.classes).get_support(indices=True)
