"""Evaluation of many subsets at once, by models whose fits of neighboring subsets share their work."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Protocol

import numpy as np

from fewest.blocks.threads import in_order, n_workers
from fewest.kernels.compile_or_not import COMPILING, FROM_PYTHON, Work, compiles
from fewest.wrapper.evaluators.generic import Failures, Learner, Recalling, has, loss_or_nan, mean_loss
from fewest.wrapper.examples import Examples, constant_of
from fewest.wrapper.kernels.layout import Moves
from fewest.wrapper.search.subset_search import Measured
from fewest.wrapper.search.subsets import Candidates, SubsetSpace
from fewest.wrapper.splits import PARTS, TRAINING, Roles

# What NumPy takes for one number of the work that models predict.
NANOSECONDS = 100.0
# Seconds from which on it pays to compile those kernels that take half a minute.
LONG_COMPILING = {"fewest.wrapper.kernels.logistic": 20.0}
# How often a call from Python is taken to be made around learners of which a search takes milliseconds: who tries one
# tries many.
OFTEN = {"fewest.wrapper.kernels.naive_bayes": 50}


class BatchModel(Protocol):
    """A learner on the training rows of one fold, for any subset of the features; NaN is what it cannot fit."""

    is_threaded: bool
    """Whether several threads may ask at a time, and gain from it."""
    kernels: str
    """The module of its compiled kernels; empty if it has none."""

    def n_steps(self, n_children: int, size: int) -> int:
        """Return how many numbers NumPy goes through for children of ``size`` features; 0 if none is compiled."""

    def losses(self, moves: Moves, part: str, compiles: bool = False) -> np.ndarray:
        """Return the mean loss on a part of the fold for every child, by compiled kernels or those in NumPy."""


@dataclass(frozen=True)
class FastPath:
    """A way to evaluate many subsets at once: its name, and what returns the model of a fold."""

    name: str
    model: Callable[[dict[str, Examples]], BatchModel]


def as_moves(candidates: Candidates, space: SubsetSpace) -> Iterator[tuple[np.ndarray, Moves | None]]:
    """Yield candidates as moves, with their positions; the empty subset, which no move leads to, with None.

    Where a single feature is added, children share their parents. Any other
    candidate is the child of itself without its last feature.
    """
    if candidates.adds and not space.has_groups:
        feature = np.array([unit[0] for unit in space.units], dtype=np.int64)
        always = np.tile(np.array(space.included, dtype=np.int64), (len(candidates.parents), 1))
        parents = np.hstack([always, feature[candidates.parents]])
        starts = np.searchsorted(candidates.parent, np.arange(len(parents) + 1))
        yield np.arange(len(candidates)), Moves(parents, starts, feature[candidates.unit])
        return
    subsets = [space.features(subset) for subset in candidates.subsets()]
    sizes = np.array([len(subset) for subset in subsets])
    for size in np.unique(sizes):
        positions = np.flatnonzero(sizes == size)
        if size == 0:
            yield positions, None
            continue
        whole = np.array([subsets[i] for i in positions], dtype=np.int64)
        moves = Moves(whole[:, :-1], np.arange(len(positions) + 1), np.ascontiguousarray(whole[:, -1]))
        yield positions, moves


class BatchEvaluator(Recalling):
    """Evaluates with one batch model a fold; what a model cannot fit, and no feature at all, as any other learner.

    Kernels are compiled where the candidates that the search is sure to propose (``expected``, as pairs of their
    number and size) would take NumPy long, or once the work, which several searches may share, has added up to that.
    """

    block = 1 << 14
    # Children for which another thread is worth starting.
    many = 64

    def __init__(
        self,
        path: FastPath,
        learner: Learner,
        folds: Sequence[dict[str, Examples]],
        space: SubsetSpace,
        roles: Roles,
        n_jobs: int | None = None,
        expected: Sequence[tuple[int, int]] = (),
        work: Work | None = None,
    ) -> None:
        self.n_threads = n_workers(n_jobs)
        self.name, self.learner, self.folds, self.space, self.roles = path.name, learner, folds, space, roles
        self.failures = Failures(learner, folds, roles)
        models = [path.model(fold) for fold in folds]
        self.judges = {part: [pair for pair in zip(models, folds, strict=True) if has(pair[1], part)] for part in PARTS}
        guides = [model for model, _ in self.judges[roles.guide]]
        steps = sum(model.n_steps(count, size) for model in guides for count, size in expected)
        kernels = models[0].kernels
        compiling, from_python = LONG_COMPILING.get(kernels, COMPILING), OFTEN.get(kernels, FROM_PYTHON)
        self.is_long = compiles(steps * NANOSECONDS * 1e-9, kernels, compiling, from_python)
        self.work = Work(kernels, compiling, from_python) if work is None else work

    def __enter__(self) -> BatchEvaluator:
        return self

    def __exit__(self, *error) -> None:
        return None

    def losses(self, candidates: Candidates) -> np.ndarray:
        """Return the loss that guides the search, for every candidate."""
        losses = np.empty(len(candidates))
        for positions, moves in as_moves(candidates, self.space):
            losses[positions] = self._mean(moves, self.roles.guide)
        unfitted = np.flatnonzero(np.isnan(losses))
        self.failures.n_learned += len(losses) - len(unfitted)
        if len(unfitted):
            subsets = [self.space.features(candidates.subset(int(i))) for i in unfitted]
            fitted = np.array([loss_or_nan(self.learner, self.folds, each, self.roles.guide) for each in subsets])
            losses[unfitted] = self.failures.noted(fitted, subsets)
        return losses

    def measure(self, subset: tuple[int, ...]) -> Measured:
        """Return training error, hold-out error, and the losses that guide and judge."""
        features = self.space.features(subset)
        moves = Moves.of_subset(features) if features else None
        means = {part: float(self._mean(moves, part)[0]) for part in PARTS}
        for part in PARTS:
            if isnan(means[part]) and self.judges[part]:
                means[part] = loss_or_nan(self.learner, self.folds, features, part)
        return self.failures.measured(features, means)

    def _mean(self, moves: Moves | None, part: str) -> np.ndarray:
        """Return the mean over the folds that have the part."""
        found = [
            self._constant_loss(fold, part) if moves is None else self._losses(model, moves, part)
            for model, fold in self.judges[part]
        ]
        if not found:
            return np.full(1 if moves is None else moves.n_children, np.nan)
        return found[0] if len(found) == 1 else np.mean(found, axis=0)

    def _losses(self, model: BatchModel, moves: Moves, part: str) -> np.ndarray:
        """Ask the model, on as many threads as there are jobs; their number does not change which kernels run."""
        is_compiled = self.work.compiles(model.n_steps(moves.n_children, moves.size), NANOSECONDS) or self.is_long
        n_shares = min(self.n_threads, moves.n_children // self.many)
        if n_shares <= 1 or not model.is_threaded:
            return model.losses(moves, part, is_compiled)
        shares = moves.shares(n_shares)
        return np.concatenate(list(in_order(lambda share: model.losses(share, part, is_compiled), shares, n_shares)))

    def _constant_loss(self, fold: dict[str, Examples], part: str) -> np.ndarray:
        """Return the mean loss without features."""
        if self.learner.scorer is not None:
            fitted = self.learner.fitted(fold[TRAINING], ())
            return np.array([self.learner.loss(fitted, fold[part], ())])
        constant, judged = constant_of(fold[TRAINING], self.learner.is_classifier), fold[part]
        return np.array([mean_loss(constant, judged.y, judged.weights, self.learner.is_classifier)])
