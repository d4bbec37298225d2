"""The selectors that are compared, each as a function from training rows to the features it chooses.

All relevant features are those that are more important than the best of shuffled copies, again and again: Kursa and
Rudnicki (2010), *Feature selection with the Boruta package*, Journal of Statistical Software 36(11).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.budget import INTERRUPT, Budget, OutOfBudgetError, work_clock
from fewest.comparison import rankings
from fewest.comparison.curves import Curve, Rank, curve_of
from fewest.comparison.rankings import forest_importances
from fewest.comparison.training import Training
from fewest.cover.examples import Answer
from fewest.cover.options import OPTIONS, Method, SimpleGreedyOptions
from fewest.cover.select import search_by
from fewest.exceptions import ParameterError
from fewest.table import Column, Kind

if TYPE_CHECKING:
    from fewest.cover.sample import Sample
    from fewest.relief.relief import Ranking

N_ROUNDS, N_TREES, DEPTH = 25, 50, 7
# The probability that an irrelevant feature is confirmed, or a relevant one rejected, over all features and rounds.
ALPHA = 0.05


def shadow_selection(training: Training, budget: Budget) -> list[int]:
    """Return the features that beat their shuffled copies more often than a coin would.

    In every round a forest learns from the features and a shuffled copy of each; a feature that is more
    important than every copy scores. Features that score too rarely leave, those that do
    often are confirmed, both by a binomial test with Bonferroni's correction. Undecided
    ones at the end count as irrelevant.
    """
    return np.flatnonzero(training.shared("shadows", partial(_confirmed, training, budget))).tolist()


def _confirmed(training: Training, budget: Budget) -> np.ndarray:
    from scipy.stats import binom

    n_features = len(training.table.columns)
    rng = np.random.default_rng(training.seed)
    n_hits, is_open = np.zeros(n_features, dtype=np.int64), np.ones(n_features, dtype=bool)
    is_confirmed = np.zeros(n_features, dtype=bool)
    for n_rounds in range(1, N_ROUNDS + 1):
        n_hits += _hits(training, is_open | is_confirmed, rng)
        level = ALPHA / n_features
        is_often = binom.sf(n_hits - 1, n_rounds, 0.5) < level
        is_rare = binom.cdf(n_hits, n_rounds, 0.5) < level
        is_confirmed |= is_open & is_often
        is_open &= ~(is_often | is_rare)
        if not is_open.any():
            break
        if budget.seconds_left == 0:
            budget.cut()
            break
    return is_confirmed


def _hits(training: Training, is_kept: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return which features are more important than the best of the shuffled copies, in one forest."""
    kept = np.flatnonzero(is_kept)
    matrix = training.matrix
    X = training.standardized[:, matrix.columns_of(kept)]
    widths = np.diff(matrix.starts)[kept]
    starts = np.r_[0, np.cumsum(widths)]
    shuffled = np.column_stack([X[rng.permutation(len(X)), a:b] for a, b in pairwise(starts)])
    importances = forest_importances(
        np.column_stack([X, shuffled]), training, int(rng.integers(1 << 30)), N_TREES, max_depth=DEPTH
    )
    by_feature = np.add.reduceat(importances, np.r_[starts[:-1], starts[-1] + starts[:-1]])
    real, shadow = by_feature[: len(kept)], by_feature[len(kept) :]
    hits = np.zeros(len(is_kept), dtype=np.int64)
    hits[kept] = real > shadow.max()
    return hits


ALL = "all"
# A wrapper's search: narrow, and ended by a few sizes that are no better.
BEAM, PATIENCE = 5, 3
# A ranking has no answer before its curve is drawn: it may take so many times a method's share of the time.
PATIENT = 4.0
# Rows that Relief samples at most, where its estimators take all, in a fold, and within a fold of a fold, where only
# the order matters.
MOST_SAMPLED, MOST_SAMPLED_WITHIN = 200, 100
# Methods that sample.
SAMPLING = ("relieff", "relief", "relief+cv", "relief+fewest")
# Rows that a wrapper learns from, and features that it tries: those with the largest F statistics. Fewer where a score
# needs every learner itself.
MOST_WRAPPED, MOST_TRIED, MOST_TRIED_SCORED = 1500, 100, 25

# Methods that keep the first of their order, and the key of how many in what is shared about training rows.
RANKINGS = ("relief+cv", "univariate", "information", "mrmr", "l1", "forest", "rfe")
NUMBER = "number"
# Nodes of a search for the fewest features, which take seconds; a tolerance is counted on all values at every node.
MOST_NODES, MOST_COUNTED = 100_000, 10**9

Choose = Callable[[Training, Budget], Sequence[int]]


@dataclass(frozen=True)
class Selector:
    """A method by its name, what it does in a few words, how it chooses features, and how to run it alone.

    ``is_discrete`` methods compare values for equality, and classes only. On all rows ``choose_finally``, if given,
    takes the place of ``choose``, with what would take too long in every fold.
    """

    name: str
    idea: str
    choose: Choose
    is_discrete: bool = False
    how: str | None = None
    choose_finally: Choose | None = None

    def on_all_rows(self) -> Selector:
        """Return the method as it chooses once, on all rows."""
        return self if self.choose_finally is None else replace(self, choose=self.choose_finally)

    def timed(self, training: Training, budget: Budget) -> tuple[np.ndarray, float]:
        """Return the mask of the features chosen, and the seconds that took."""
        before = training.seconds_for_sample if self.is_discrete else 0.0
        started = work_clock()
        chosen = list(self.choose(training, budget))
        seconds = work_clock() - started + before
        mask = np.zeros(len(training.table.columns), dtype=bool)
        mask[chosen] = True
        return mask, seconds

    def curve(self, training: Training) -> Curve | None:
        """Return the score against the number of features that decided, if this method has one."""
        return training.shared(("curve", self.name), lambda: None)

    def command(self, training: Training, n_features: int) -> str | None:
        """Return how to run it alone with what it found out on these rows; None for those of other libraries."""
        if self.name == ALL or self.name not in SELECTORS:
            return None
        if self.how is None or training.task.is_regression:
            return f"fewest compare --methods {self.name} --seed {training.seed}"
        sampled = f" --max-samples {MOST_SAMPLED}" if training.table.n_rows > MOST_SAMPLED else ""
        is_sampled = self.name in SAMPLING and self.how.startswith("fewest rank")
        how = self.how.format(n=n_features, tolerance=training.shared("tolerance", lambda: 0.0), seed=training.seed)
        return how + (f"{sampled} --seed {training.seed}" if is_sampled else "")


def everything(training: Training, budget: Budget) -> Sequence[int]:  # noqa: ARG001 (the signature is everybody's)
    """Choose all features: what every method has to compete with."""
    return range(len(training.table.columns))


def sufficient(method: str, training: Training, budget: Budget) -> Sequence[int]:
    """Search a subset that separates all rows of different class."""
    if method == Method.MIN_FEATURES:
        return _fewest(training.sample, budget)
    return _subset(search_by(OPTIONS[Method(method)](), training.sample, budget))


def best_smallest(training: Training, budget: Budget) -> Sequence[int]:
    """Search the fewest features that separate all rows of different class, of several the best predicting ones."""
    from fewest.comparison.selection import best_predicting
    from fewest.cover.min_features import MinFeaturesSearch

    search = MinFeaturesSearch(training.sample)
    answer = search.run(budget, most_nodes=MOST_NODES)
    found = _subset(answer)
    subsets = best_predicting(search, training.sample, budget)[0] if answer.is_optimal else []
    return subsets[0] if subsets else found


def _fewest(sample: Sample, budget: Budget) -> Sequence[int]:
    """Search the fewest features without seeking a proof that takes long: what is judged is how they predict."""
    from fewest.cover.min_features import MinFeaturesSearch

    most_nodes = MOST_COUNTED // (sample.n_rows * sample.n_features) if sample.is_tolerant else MOST_NODES
    return _subset(MinFeaturesSearch(sample).run(budget, most_nodes))


def _subset(answer: Answer) -> Sequence[int]:
    """Return what a search found; who interrupts a comparison means all of it."""
    if answer.stopped_by == INTERRUPT:
        raise KeyboardInterrupt
    return answer.subset


def ranked(name: str, rank: Rank, training: Training, budget: Budget, rank_within: Rank | None = None) -> Sequence[int]:
    """Keep the first features of a ranking, as few as predict about as well within the training rows.

    ``rank_within``, if given, is the quicker ranking by which their number is found.
    """
    return list(rank(training))[: _number_to_keep(name, rank_within or rank, training, budget)]


def _number_to_keep(name: str, rank: Rank, training: Training, budget: Budget) -> int:
    """Return the number of features that was decided before, or else the one that the curve of the ranking shows."""
    curve = partial(curve_of, training, rank, budget.part(PATIENT))
    return training.shared((NUMBER, name), lambda: training.shared(("curve", name), curve).chosen)


def tolerant(training: Training, budget: Budget) -> Sequence[int]:
    """Search the fewest features that separate all but as many pairs of rows as cross-validation finds worth leaving.

    The greedy path shows, within the training rows, after how many features the rest of the pairs is not worth more.
    """

    def path(part: Training) -> list[int]:
        found = search_by(SimpleGreedyOptions(), part.sample, budget)
        _refuse_stopped(found.stopped_by)
        return [int(step["feature"]) for step in found.history]

    curve = training.shared(("curve", "tolerant"), partial(curve_of, training, path, budget.part(PATIENT)))
    sample = training.sample
    left = sample.n_uncovered(path(training)[: curve.chosen])
    tolerance = ceil(1e5 * left / max(1, sample.n_pairs)) / 1e5
    training.shared("tolerance", lambda: tolerance)
    return _fewest(replace(sample, tolerance=tolerance), budget)


def shortest_description(training: Training, budget: Budget) -> Sequence[int]:
    """Search the features with which the classes take the fewest bits to describe; a proof would change nothing."""
    from fewest.cover.describe import describe_classes
    from fewest.cover.options import MinDescriptionOptions

    present, codes = np.unique(training.target, return_inverse=True)
    classes = Column("the class", Kind.NOMINAL, codes, tuple(present.tolist()))
    options = MinDescriptionOptions(max_row_visits=0.0, time_limit=budget.seconds_left)
    found = describe_classes(training.table, classes, options).description
    _refuse_stopped(found.stopped_by)
    return found.subset


def _refuse_stopped(stopped_by: str | None) -> None:
    """Raise where a search has only the answer that it had time for; who interrupts a comparison means all of it."""
    if stopped_by == INTERRUPT:
        raise KeyboardInterrupt
    if stopped_by is not None:
        raise OutOfBudgetError


def relevant(method: str, training: Training, budget: Budget) -> Sequence[int]:
    """Keep the features whose relevance is larger than chance explains."""
    return np.flatnonzero(ranking_by(method, training, budget).support).tolist()


def ranking_by(method: str, training: Training, budget: Budget, n_samples: int = MOST_SAMPLED) -> Ranking:
    """Return the relevance of every feature, judged by as many rows as there is time for."""
    return training.shared((method, n_samples), partial(_ranking_by, method, training, budget, n_samples))


def _ranking_by(method: str, training: Training, budget: Budget, n_samples: int) -> Ranking:
    from fewest.relief.options import ReliefFOptions, ReliefOptions, RReliefFOptions
    from fewest.relief.relief import rank_features

    kinds = {"relief": ReliefOptions, "relieff": ReliefFOptions, "rrelieff": RReliefFOptions}
    kind = kinds["rrelieff" if training.task.is_regression else method]
    sampled = n_samples if n_samples < training.table.n_rows else None
    options = kind(max_samples=sampled, min_features_to_select=0, n_jobs=-1)
    if n_samples == MOST_SAMPLED_WITHIN:  # only the order matters, which needs no permutation
        options = replace(options, threshold="interval")
    ranking = rank_features(training.table, training.target, options, seed=training.seed, budget=budget)
    if ranking.stopped_by == INTERRUPT:
        raise KeyboardInterrupt  # who interrupts a comparison means all of it
    return ranking


def most_relevant(training: Training, budget: Budget) -> Sequence[int]:
    """Keep the most relevant features by ReliefF (RReliefF for numeric targets), as few as predict about as well."""

    def in_fold(part: Training) -> np.ndarray:
        return ranking_by("relieff", part, budget.part(0.25), MOST_SAMPLED_WITHIN).order

    n_kept = _number_to_keep("relief+cv", in_fold, training, budget)
    return ranking_by("relieff", training, budget).order[:n_kept].tolist()


def relevant_then_fewest(training: Training, budget: Budget) -> Sequence[int]:
    """Search the fewest of the relevant features, as `ReliefThenCover` does."""
    kept = list(relevant("relieff", training, budget.part(0.5)))
    found = _fewest(training.sample.restricted(kept), budget)
    return [kept[j] for j in found]


def wrapped(training: Training, budget: Budget) -> Sequence[int]:
    """Keep what naive Bayes (ridge regression) needs, by ORDERED-FS: training rows decide which, others how many."""
    from sklearn.linear_model import Ridge
    from sklearn.naive_bayes import GaussianNB

    from fewest.wrapper.options import OrderedFSOptions
    from fewest.wrapper.tables import Numbers, wrap_numbers

    # Naive Bayes answers with the more probable class: where one is rare, its ranking is what can be judged. Scores
    # have no fast path, so that the search is greedy then.
    scoring = None if training.task.is_regression or training.task.is_balanced else training.metric.name
    matrix = training.matrix
    kept = np.sort(rankings.univariate(training)[: MOST_TRIED if scoring is None else MOST_TRIED_SCORED])
    columns, widths = matrix.columns_of(kept), np.diff(matrix.starts)[kept]
    ends = np.cumsum(widths).tolist()
    parts = [list(range(end - width, end)) for end, width in zip(ends, widths.tolist(), strict=True)]
    options = OrderedFSOptions(
        beam_width=BEAM if scoring is None else 1,
        patience=PATIENCE,
        scoring=scoring,
        stratify=scoring is not None,  # or else rows held out may have one class, and no such score
        min_features_to_select=0,
        time_limit=budget.seconds_left,
        random_state=training.seed,
    )
    learner = Ridge() if training.task.is_regression else GaussianNB()
    rows = np.random.default_rng(training.seed).permutation(training.table.n_rows)[:MOST_WRAPPED]
    if not training.task.is_regression and len(np.unique(training.target[rows])) < training.task.n_classes:
        rows = np.arange(training.table.n_rows)
    numbers = Numbers(training.standardized[np.ix_(rows, columns)], parts)
    found = wrap_numbers(learner, numbers, training.target[rows], options)
    _refuse_stopped(found.stopped_by)
    return kept[list(found.features)].tolist()


def _ranked(name: str, rank: Rank) -> Choose:
    return partial(ranked, name, rank)


# In the order of preference among equals: what is proven first, and what is simple before what is not.
SELECTORS = {
    selector.name: selector
    for selector in (
        Selector(ALL, "no selection", everything),
        Selector(
            "min-features", "the fewest that tell all apart", partial(sufficient, Method.MIN_FEATURES), True,
            "fewest select --method min-features", best_smallest,
        ),
        Selector(
            "tolerant", "the fewest, noise allowed", tolerant, True,
            "fewest select --method min-features --tolerance {tolerance}",
        ),
        Selector(
            "min-description", "the shortest description", shortest_description, False,
            "fewest select --method min-description",
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
            "ordered-fs", "what a simple learner needs", wrapped, False,
            f"fewest wrap --method ordered-fs --estimator nb --beam-width {BEAM} --patience {PATIENCE}"
            " --seed {seed}",
        ),
        Selector("univariate", "the best F statistics", _ranked("univariate", rankings.univariate)),
        Selector("information", "the most mutual information", _ranked("information", rankings.information)),
        Selector("mrmr", "relevant, not redundant", _ranked("mrmr", rankings.mrmr)),
        Selector("l1", "first on the lasso's path", _ranked("l1", rankings.l1)),
        Selector(
            "forest", "importance in random trees",
            partial(ranked, "forest", rankings.forest,
                    rank_within=partial(rankings.forest, n_trees=rankings.N_TREES_WITHIN)),
        ),
        Selector("rfe", "last to be eliminated", _ranked("rfe", rankings.elimination)),
        Selector("boruta", "better than shuffled copies", shadow_selection),
        Selector("focus1", "the fewest, subsets by size", partial(sufficient, Method.FOCUS1), True,
                   "fewest select --method focus1"),
        Selector("focus2", "the fewest, along conflicts", partial(sufficient, Method.FOCUS2), True,
                   "fewest select --method focus2"),
    )
}  # fmt: skip
# What runs unless methods are named. The others find what one of these finds, more slowly, or grow many forests.
ON_DEMAND = ("min-description", "sg", "mig", "relief", "relief+fewest", "rfe", "boruta", "focus1", "focus2")
USUAL = tuple(name for name in SELECTORS if name not in ON_DEMAND)
# Rows x features x classes up to which "min-description" runs, too: its search is thorough.
MOST_DESCRIBED = 10_000
# Of the rest, those that make no sense of a numeric target.
FOR_CLASSES = tuple(name for name, one in SELECTORS.items() if one.is_discrete or name in ("relief", "min-description"))


def usual_methods(n_cells: int, n_classes: int) -> list[str]:
    """Return what runs on a table of so many cells unless methods are named; ``n_classes`` is 0 for numeric targets."""
    is_small = n_cells * n_classes <= MOST_DESCRIBED
    named = [name for name in SELECTORS if name in USUAL or (is_small and name == "min-description")]
    return [name for name in named if n_classes or name not in FOR_CLASSES]


def selectors(methods: Sequence[str] | Mapping[str, Any], *, is_regression: bool = False) -> list[Selector]:
    """Return selectors by name, all features first; a mapping brings those of other libraries."""
    wanted = methods if isinstance(methods, Mapping) else dict.fromkeys(methods)
    found = {ALL: SELECTORS[ALL]}
    for name, selector in wanted.items():
        if selector is not None:
            found[name] = Selector(name, type(selector).__name__, partial(_fitted, selector))
        elif name not in SELECTORS:
            raise ParameterError.from_choice("method", name, tuple(SELECTORS))
        elif is_regression and name in FOR_CLASSES:
            raise ParameterError(
                f"{name} separates rows of different class, and the target is numeric. Leave it out, or cut the "
                "target into classes first."
            )
        else:
            found[name] = SELECTORS[name]
    return list(found.values())


def _fitted(selector: Any, training: Training, budget: Budget) -> Sequence[int]:  # noqa: ARG001 (sklearn knows none)
    """Fit a copy of any scikit-learn selector on floats."""
    from sklearn.base import clone

    return clone(selector).fit(training.floats, training.target).get_support(indices=True)
