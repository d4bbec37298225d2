"""GA-CFP: generalisation limits and the weight adjustment rate, evolved by SciPy's differential evolution.

The paper only names its genetic algorithm, so crossover and mutation are SciPy's. A chromosome holds, on logarithmic
scales, the limit of every numeric feature as a part of its range, and delta; its fitness is the cross-validated
accuracy. The limits are steps on their scale, so that what a feature learns with one is computed once: no feature
depends on another.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from fewest.budget import INTERRUPT
from fewest.cfp.concept import Concept
from fewest.cfp.feature import KERNELS, SECONDS_A_VALUE, FeaturePartitions
from fewest.cfp.kernels.locate import NONE
from fewest.cfp.model import PartitionModel
from fewest.cfp.options import GACFPOptions, Settings
from fewest.exceptions import StoppedEarlyWarning
from fewest.kernels.compile_or_not import compiles
from fewest.table import Kind, Table

# A gene of 0 and of 1: the limit as a part of the range, and delta in percent.
LIMITS = (0.0004, 1.0)
DELTAS = (0.01, 10.0)
# Steps from the lowest limit to the highest; half of them lead to 2%, the limit of CFP as it comes.
STEPS = 32
# The most predictions that are kept; then all are dropped.
MOST_KEPT = 50_000_000


@dataclass(frozen=True)
class Generation:
    """The best chromosome after a generation: its cross-validated accuracy, limits and delta."""

    number: int
    accuracy: float
    limits: np.ndarray
    delta: float


@dataclass(frozen=True)
class Evolved:
    """What GA-CFP returns: a model with the best limits and delta, and the best chromosome of each generation."""

    model: PartitionModel
    history: list[Generation]
    stopped_by: str | None = None


def evolve(
    table: Table,
    labels: np.ndarray,
    classes: np.ndarray,
    options: GACFPOptions,
    rng: np.random.Generator,
    on_generation: Callable[[Generation], None] | None = None,
) -> Evolved:
    """Evolve limits and delta on a table, and learn all examples in their order with the best.

    ``classes`` number the classes, whose ``labels`` are given; ``rng`` chooses the folds and the chromosomes.
    """
    settings = options.cfp_options(limit="100%")
    start = PartitionModel.start(table, labels, settings)
    is_numeric = np.array([column.kind is Kind.NUMERIC for column in table])
    evolution = Evolution(
        start.values(table.columns),
        classes.astype(np.int32),
        len(labels),
        np.where(is_numeric, start.concept.limits, 0.0),
        settings,
        stratified_folds(classes, min(options.cv, len(classes)), rng),
    )
    history, stopped_by = evolution.run(options, rng, on_generation)
    best = history[-1]
    chosen = options.cfp_options(best.delta, best.limits)
    return Evolved(PartitionModel.start(table, labels, chosen).learned(table, classes), history, stopped_by)


@dataclass(frozen=True)
class Evolution:
    """The data to evolve on: the values of all features in the order of the examples, their classes, and the folds.

    Parameters
    ----------
    columns : sequence of ndarray
    classes : ndarray
    n_classes : int
    spans : ndarray of shape (n_features,)
        The range of every feature; 0 for nominal ones, which have no limit to choose.
    settings : Settings
        Everything but delta is taken from it.
    folds : ndarray of shape (n_rows,)
        The fold in which each example is tested.
    """

    columns: Sequence[np.ndarray]
    classes: np.ndarray
    n_classes: int
    spans: np.ndarray
    settings: Settings
    folds: np.ndarray

    def run(
        self,
        options: GACFPOptions,
        rng: np.random.Generator,
        on_generation: Callable[[Generation], None] | None = None,
    ) -> tuple[list[Generation], str | None]:
        """Evolve until nothing has improved for ``patience`` generations; return the best of each, and what stopped it.

        The first individual is CFP as it comes, so the result is no worse.
        """
        from scipy.optimize import differential_evolution

        history: list[Generation] = []
        stopped_by = None

        def after_generation(intermediate_result) -> bool:
            limits, delta = self.decoded(intermediate_result.x)
            history.append(Generation(len(history) + 1, 1 - float(intermediate_result.fun), limits, delta))
            if on_generation is not None:
                on_generation(history[-1])
            recent = history[-options.patience - 1 :]
            is_stuck = len(recent) > options.patience and recent[0].accuracy == recent[-1].accuracy
            return history[-1].accuracy == 1 or is_stuck

        # With an atol below 0 patience alone decides: many chromosomes share an accuracy long before the best is found.
        n_genes = len(self.evolving) + 1
        first = rng.random((options.population_size, n_genes))
        first[0] = self._as_it_comes(n_genes)
        try:
            differential_evolution(
                self.error, [(0.0, 1.0)] * n_genes, maxiter=options.n_generations, init=first, seed=rng, tol=0.0,
                atol=-1.0, polish=False, callback=after_generation,
            )  # fmt: skip
        except KeyboardInterrupt:
            if not history:
                raise
            stopped_by = INTERRUPT
            warnings.warn(
                f"The evolution was interrupted after {len(history)} generations. The best of them is used.",
                StoppedEarlyWarning,
                stacklevel=3,
            )
        return history, stopped_by

    @property
    def evolving(self) -> np.ndarray:
        """Return the features whose limit is chosen."""
        return np.flatnonzero(self.spans > 0)

    def decoded(self, genes: np.ndarray) -> tuple[np.ndarray, float]:
        """Return the limits and delta that a chromosome stands for."""
        limits = np.zeros(len(self.spans))
        limits[self.evolving] = self.spans[self.evolving] * _on_scale(LIMITS, np.rint(genes[:-1] * STEPS) / STEPS)
        return limits, float(_on_scale(DELTAS, genes[-1]))

    def _as_it_comes(self, n_genes: int) -> np.ndarray:
        genes = np.full(n_genes, 0.5)
        genes[-1] = _off_scale(DELTAS, Settings.delta)
        return genes

    def error(self, genes: np.ndarray) -> float:
        """Return the part of the examples that is predicted wrong by what the other folds taught."""
        limits, delta = self.decoded(genes)
        settings = replace(self.settings, delta=delta)
        n_wrong = 0
        for fold, (train, test) in enumerate(self._parts):
            learned = [self._learned(fold, j, limit) for j, limit in enumerate(limits.tolist())]
            counts = np.bincount(self.classes[train], minlength=self.n_classes)
            concept = Concept(tuple(known for known, _ in learned), limits, counts, settings)
            guesses = [predicted for _, predicted in learned]
            decided = concept.decide_by(partial(_of_rows, guesses), concept.count(guesses, len(test)))
            n_wrong += int((np.where(decided == NONE, concept.majority, decided) != self.classes[test]).sum())
        return n_wrong / len(self.classes)

    @cached_property
    def _parts(self) -> list[tuple[np.ndarray, np.ndarray]]:
        folds = np.unique(self.folds)
        return [(np.flatnonzero(self.folds != k), np.flatnonzero(self.folds == k)) for k in folds]

    @cached_property
    def _known(self) -> dict[tuple[int, int, float], tuple[FeaturePartitions, np.ndarray]]:
        return {}

    def _learned(self, fold: int, j: int, limit: float) -> tuple[FeaturePartitions, np.ndarray]:
        """Return how often a feature is right in all other folds, and what it then predicts in this one."""
        if (fold, j, limit) not in self._known:
            train, test = self._parts[fold]
            learned = FeaturePartitions.empty().learned(
                self.columns[j][train],
                self.classes[train],
                limit,
                self.settings.rules,
                compiled=self._is_worth_compiling,
            )
            if len(self._known) * len(test) > MOST_KEPT:
                self._known.clear()
            guesses = learned.predict(self.columns[j][test], self.settings.end_points)
            record = replace(FeaturePartitions.empty(), right=learned.right, wrong=learned.wrong)
            self._known[fold, j, limit] = record, guesses
        return self._known[fold, j, limit]

    @property
    def _is_worth_compiling(self) -> bool:
        """Return whether a few dozen evaluations are."""
        return compiles(100 * len(self.classes) * len(self.columns) * SECONDS_A_VALUE, KERNELS)


def _of_rows(guesses: Sequence[np.ndarray], rows: np.ndarray) -> list[np.ndarray]:
    return [guess[rows] for guess in guesses]


def stratified_folds(classes: np.ndarray, n_folds: int, rng: np.random.Generator) -> np.ndarray:
    """Deal the examples of every class out to the folds, shuffled."""
    shuffled = rng.permutation(len(classes))
    by_class = shuffled[np.argsort(classes[shuffled], kind="stable")]
    folds = np.empty(len(classes), dtype=np.int64)
    folds[by_class] = np.arange(len(classes)) % n_folds
    return folds


def _on_scale(ends: tuple[float, float], gene):
    return ends[0] * (ends[1] / ends[0]) ** gene


def _off_scale(ends: tuple[float, float], value: float) -> float:
    return float(np.log(value / ends[0]) / np.log(ends[1] / ends[0]))
