"""Evaluation of many subsets at once by a model that knows how to share their work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan
from typing import Protocol

import numpy as np

from fewest.blocks.threads import in_order, n_workers
from fewest.wrapper.data import Examples, constant_of
from fewest.wrapper.evaluators.generic import Failures, Learner, Recalling, Roles, has, loss_or_nan, mean_loss
from fewest.wrapper.evaluators.moves import Moves, as_moves
from fewest.wrapper.search.candidates import Candidates
from fewest.wrapper.search.path import Measured
from fewest.wrapper.search.space import SubsetSpace
from fewest.wrapper.splits import PARTS, TRAINING, Fold


class BatchModel(Protocol):
    """A learner on the training rows of one fold, for any subset of the features; NaN is what it cannot say."""

    is_threaded: bool
    """Whether several threads may ask at a time, and gain from it."""

    def losses(self, moves: Moves, part: str) -> np.ndarray:
        """Return the mean loss on a part of the fold for every child."""


class BatchEvaluator(Recalling):
    """Evaluates with one batch model a fold, and as any other learner where there is no feature."""

    block = 1 << 14
    # Children for which another thread is worth starting.
    many = 64

    def __init__(
        self,
        name: str,
        make: Callable[[dict[str, Examples]], BatchModel],
        learner: Learner,
        folds: Sequence[dict[str, Examples]],
        space: SubsetSpace,
        roles: Roles,
        n_jobs: int | None = None,
    ) -> None:
        self.n_threads = n_workers(n_jobs)
        self.name, self.learner, self.folds, self.space, self.roles = name, learner, folds, space, roles
        self.failures = Failures(learner, folds, roles)
        models = [make(fold) for fold in folds]
        self.judges = {part: [pair for pair in zip(models, folds, strict=True) if has(pair[1], part)] for part in PARTS}

    def __enter__(self) -> BatchEvaluator:
        return self

    def __exit__(self, *error) -> None:
        return None

    def losses(self, candidates: Candidates) -> np.ndarray:
        """Return what guides the search."""
        losses = np.empty(len(candidates))
        for places, moves in as_moves(candidates, self.space):
            losses[places] = self._mean(moves, self.roles.guide)
        unsaid = np.flatnonzero(np.isnan(losses))
        self.failures.n_learned += len(losses) - len(unsaid)
        if len(unsaid):
            subsets = [self.space.features(candidates.subset(int(i))) for i in unsaid]
            fitted = np.array([loss_or_nan(self.learner, self.folds, each, self.roles.guide) for each in subsets])
            losses[unsaid] = self.failures.noted(fitted, subsets)
        return losses

    def measure(self, subset: tuple[int, ...]) -> Measured:
        """Return training error, hold-out error, and what guides and judges."""
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
            return np.full(1 if moves is None else len(moves), np.nan)
        return found[0] if len(found) == 1 else np.mean(found, axis=0)

    def _losses(self, model: BatchModel, moves: Moves, part: str) -> np.ndarray:
        """Ask the model, on as many threads as there are jobs."""
        n_shares = min(self.n_threads, len(moves) // self.many)
        if n_shares <= 1 or not model.is_threaded:
            return model.losses(moves, part)
        shares = moves.shares(n_shares)
        return np.concatenate(list(in_order(lambda share: model.losses(share, part), shares, n_shares)))

    def _constant_loss(self, fold: dict[str, Examples], part: str) -> np.ndarray:
        """Return the mean loss without features."""
        constant, judged = constant_of(fold[TRAINING], self.learner.is_classifier), fold[part]
        return np.array([mean_loss(constant, judged.y, judged.weights, self.learner.is_classifier)])


def fold_examples(examples: Examples, folds: Sequence[Fold]) -> list[dict[str, Examples]]:
    """Return the examples of every part of every fold."""
    return [{part: examples.rows(fold.rows(part)) for part in PARTS if len(fold.rows(part))} for fold in folds]
