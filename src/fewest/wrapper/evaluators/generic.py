"""Evaluation of subsets by fitting clones of any scikit-learn estimator, on joblib or on a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from math import ceil, isnan
from typing import Any

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs, parallel_config
from joblib.parallel import get_active_backend
from sklearn import config_context, get_config
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils import check_X_y
from sklearn.utils.multiclass import check_classification_targets

from fewest.budget import Budget, Result
from fewest.exceptions import ParameterError, UndefinedScoreError
from fewest.wrapper.examples import Examples
from fewest.wrapper.search.subset_search import Measured
from fewest.wrapper.search.subsets import Candidates, SubsetSpace
from fewest.wrapper.splits import HOLDOUT, PARTS, TRAINING, Fold, Roles

# Candidates of a task and tasks of a worker: large enough to be worth sending, small enough to look at the clock.
TASK, TASKS = 8, 4
LOG_LOSS = "neg_log_loss"
# What an estimator raises that cannot learn from some features, or predict some rows.
FAILURES = (ArithmeticError, LookupError, ValueError)


@dataclass(frozen=True)
class Learner:
    """A scikit-learn estimator, and how its errors are counted.

    Attributes
    ----------
    estimator : classifier or regressor
    is_classifier : bool
    scorer : callable or None
        What is maximised; None for the error rate, or the mean squared error, to minimise.
    is_log_loss : bool
        Whether that is minus the logarithmic loss.
    """

    estimator: Any
    is_classifier: bool
    scorer: Callable | None = None
    is_log_loss: bool = False

    @classmethod
    def of(cls, estimator: Any, scoring: Any = None) -> Learner:
        """Check that an estimator can be wrapped, and return it with its score."""
        if isinstance(estimator, type) or not hasattr(estimator, "fit"):
            raise ParameterError(f"estimator={estimator!r} cannot be fitted. Give a classifier or a regressor.")
        if not is_classifier(estimator) and not is_regressor(estimator):
            raise ParameterError(
                f"{type(estimator).__name__} is neither a classifier nor a regressor, so its errors cannot be "
                "counted. Wrap one that is."
            )
        # These two scores are minus the errors that are counted without one.
        default = "accuracy" if is_classifier(estimator) else "neg_mean_squared_error"
        scorer = None if scoring is None or scoring == default else check_scoring(estimator, scoring=scoring)
        is_log_loss = isinstance(scoring, str) and scoring == LOG_LOSS
        return cls(estimator, is_classifier(estimator), scorer, is_log_loss)

    def validated(self, X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Check features that are numbers, and targets, by scikit-learn's rules."""
        X, y = check_X_y(X, y, dtype=None, ensure_min_samples=2, estimator=self.estimator)
        if self.is_classifier:
            check_classification_targets(y)
        return X, y

    def splitter(self, cv: Any, y: np.ndarray) -> Any:
        """Return the splitter that a number of folds, a splitter or given splits stand for."""
        return check_cv(cv, y, classifier=self.is_classifier)

    def fitted(self, examples: Examples, features: Sequence[int]):
        """Train a clone on these features; without features, a constant: the majority class, or the mean."""
        if not len(features):
            weights = {} if examples.weights is None else {"sample_weight": examples.weights}
            constant = DummyClassifier(strategy="prior") if self.is_classifier else DummyRegressor()
            return constant.fit(np.zeros((len(examples), 1)), examples.y, **weights)
        return clone(self.estimator).fit(examples.columns(features), examples.y, **examples.fit_params)

    def loss(self, fitted, examples: Examples, features: Sequence[int]) -> float:
        """Return the error rate, the mean squared error, or minus the score."""
        X = examples.columns(features) if len(features) else np.zeros((len(examples), 1))
        if self.scorer is not None:
            score = float(self.scorer(fitted, X, examples.y, **examples.score_params))
            if isnan(score):
                raise UndefinedScoreError.from_scorer(self.scorer, len(features))
            return -score
        return mean_loss(fitted.predict(X), examples.y, examples.weights, self.is_classifier)


def mean_loss(predicted: np.ndarray, y: np.ndarray, weights: np.ndarray | None, is_classifier: bool) -> float:
    """Return the share of wrong classes, or the mean squared error, by weight."""
    losses = predicted != y if is_classifier else (np.asarray(predicted, dtype=np.float64) - y) ** 2
    return float(np.average(losses, weights=weights))


def fold_examples(examples: Examples, folds: Sequence[Fold]) -> list[dict[str, Examples]]:
    """Return the examples of every part of every fold."""
    return [{part: examples.rows(fold.rows(part)) for part in PARTS if len(fold.rows(part))} for fold in folds]


class Recalling:
    """An evaluator that takes note of the failures among losses computed before, by another that was stopped."""

    space: SubsetSpace
    failures: Failures

    def recall(self, candidates: Candidates, losses: np.ndarray) -> None:
        """Take note of losses that were computed before."""
        self.failures.recall(losses, lambda i: self.space.features(candidates.subset(i)))

    def recall_measured(self, subset: tuple[int, ...], measured: Measured) -> None:
        """Take note of all losses of a subset that were computed before."""
        self.failures.recall_measured(self.space.features(subset), measured)


class GenericEvaluator(Recalling):
    """Fits clones of the estimator, a few at a time on every worker; a fit is given up when the time is over.

    Where joblib is configured to use Dask (``joblib.parallel_config("dask")``), the examples are sent to the cluster
    once, such that a worker that dies takes none with it.
    """

    name = "generic"

    def __init__(
        self,
        learner: Learner,
        folds: Sequence[dict[str, Examples]],
        space: SubsetSpace,
        roles: Roles,
        n_jobs: int | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.learner, self.folds, self.space, self.roles = learner, folds, space, roles
        self.budget = Budget()  # that of the first measurement, without which there is no answer
        self._search_budget, self._config = budget or self.budget, get_config()
        self.failures = Failures(learner, folds, roles)
        self._crew = active_crew()
        self.n_workers = effective_n_jobs(n_jobs) if self._crew is None else len(self._crew)
        # Alone, nothing is sent, and one fit may take seconds: the clock is looked at after every candidate.
        self.block = 1 if self.n_workers == 1 and self._crew is None else TASK * TASKS * self.n_workers
        self._parallel = Parallel(n_jobs=n_jobs)

    def __enter__(self) -> GenericEvaluator:
        if self._crew is not None:
            self._kept = self._crew.keep((self.learner, self.folds))
        elif self.n_workers > 1:
            self._parallel.__enter__()  # workers, and the data they were sent, are kept
        return self

    def __exit__(self, *error) -> None:
        if self._crew is not None:
            self._crew.cancel()
            del self._kept
        elif self.n_workers > 1:
            self._parallel.__exit__(*error)

    def losses(self, candidates: Candidates) -> np.ndarray:
        """Return the loss that guides the search, for every candidate."""
        subsets = [self.space.features(subset) for subset in candidates.subsets()]
        return self.failures.noted(self._in_time(lambda: self._losses_of(subsets)), subsets)

    def _losses_of(self, subsets: list) -> np.ndarray:
        if len(subsets) == 1 or (self.n_workers == 1 and self._crew is None):
            return _losses(self.learner, self.folds, subsets, self.roles.guide)
        size = min(TASK, ceil(len(subsets) / self.n_workers))
        tasks = [subsets[start : start + size] for start in range(0, len(subsets), size)]
        if self._crew is not None:
            found = self._crew.run(_losses_of_kept, tasks, self._kept, self.roles.guide)
        else:
            found = self._parallel(delayed(_losses)(self.learner, self.folds, task, self.roles.guide) for task in tasks)
        return np.concatenate(found)

    def _in_time(self, work: Callable[[], Result]) -> Result:
        """Do work in another thread, with scikit-learn's settings of this one; raise when the time is over."""

        def configured() -> Result:
            with config_context(**self._config):
                return work()

        return self.budget.wait_for(configured)

    def measure(self, subset: tuple[int, ...]) -> Measured:
        """Return training error, hold-out error, and the losses that guide and judge."""
        features = self.space.features(subset)
        means = self._in_time(lambda: {part: loss_or_nan(self.learner, self.folds, features, part) for part in PARTS})
        self.budget = self._search_budget
        return self.failures.measured(features, means)


def active_crew() -> Any:
    """Return the workers of the Dask cluster that joblib is configured to use, None without one."""
    backend, _ = get_active_backend()
    if type(backend).__name__ != "DaskDistributedBackend":
        return None
    from fewest.blocks.on_dask import Crew

    return Crew(backend.client)


def fitted_on(client: Any) -> AbstractContextManager:
    """Fit on the workers of a Dask cluster while the context lasts."""
    return parallel_config("dask", client=client)


def _losses_of_kept(subsets: list, kept: tuple[Learner, Sequence[dict[str, Examples]]], part: str) -> np.ndarray:
    """Return the mean loss on one part for every subset, given what was sent to the cluster."""
    return _losses(*kept, subsets, part)


def _losses(learner: Learner, folds: Sequence[dict[str, Examples]], subsets: list, part: str) -> np.ndarray:
    """Return the mean loss on one part for every subset."""
    return np.array([loss_or_nan(learner, folds, features, part) for features in subsets])


def loss_or_nan(learner: Learner, folds: Sequence[dict[str, Examples]], features, part: str) -> float:
    """Return the mean loss on one part, NaN where the estimator fails.

    Some cannot learn from a constant feature, for example. Data of a wrong type is the user's mistake, and raises.
    """
    try:
        return mean_part_losses(learner, folds, features, (part,))[part]
    except UndefinedScoreError:  # a mistake in what is asked for, not of some features
        raise
    except FAILURES:  # the search may go on with other subsets; see Failures
        return float("nan")


class Failures:
    """The subsets that the estimator could not learn from, or that it could not be judged by."""

    def __init__(self, learner: Learner, folds: Sequence[dict[str, Examples]], roles: Roles):
        self.learner, self.folds, self.roles = learner, folds, roles
        self.n_learned = 0
        self.subsets: dict[tuple[int, ...], str] = {}  # and the part of the data on which each failed

    def noted(self, losses: np.ndarray, subsets: Sequence) -> np.ndarray:
        """Keep the subsets without a loss; if of several none was ever learned, raise what the estimator raises."""
        self.recall(losses, lambda i: subsets[i])
        if len(losses) > 1 or len(self.subsets) >= TASK * TASKS:
            self.raise_if_nothing_was_learned()
        return losses

    def raise_if_nothing_was_learned(self) -> None:
        """Raise what the estimator raises, if it failed on every subset so far."""
        if self.subsets and not self.n_learned:
            self.try_again(next(iter(self.subsets)))

    def recall(self, losses: np.ndarray, subset: Callable[[int], Sequence[int]]) -> None:
        """Keep the subsets without a loss; ``subset`` returns the one of a position."""
        failed = np.flatnonzero(np.isnan(losses)).tolist()
        self.n_learned += len(losses) - len(failed)
        self.subsets |= {tuple(subset(i)): self.roles.guide for i in failed}

    def measured(self, features: Sequence[int], means: dict[str, float]) -> Measured:
        """Return all losses of a subset, and keep it if it cannot be compared with others."""
        found = Measured(means[TRAINING], means[HOLDOUT], means[self.roles.guide], means[self.roles.judge])
        self.recall_measured(features, found)
        return found

    def recall_measured(self, features: Sequence[int], found: Measured) -> None:
        """Keep a subset that cannot be compared with others."""
        for part, loss in ((self.roles.judge, found.judged), (self.roles.guide, found.guiding)):
            if isnan(loss):
                self.subsets[tuple(features)] = part

    def try_again(self, features: Sequence[int]) -> None:
        """Fail once more, and raise."""
        mean_part_losses(self.learner, self.folds, features, (self.subsets[tuple(features)],))

    @property
    def reason(self) -> str:
        """Return the error that the estimator raises for the first of them."""
        try:
            self.try_again(next(iter(self.subsets)))
        except FAILURES as error:
            return f"{type(error).__name__}: {error}"
        return "its error is NaN"


def has(fold: dict[str, Examples], part: str) -> bool:
    """Return whether a part of a fold is to be measured; training rows are, where there is hold-out data."""
    return part in fold and (part != TRAINING or HOLDOUT in fold)


def mean_part_losses(learner: Learner, folds: Sequence[dict[str, Examples]], features, parts) -> dict[str, float]:
    """Return the mean loss on every part over the folds that have it."""
    collected: dict[str, list[float]] = {part: [] for part in parts}
    for fold in folds:
        wanted = [part for part in parts if has(fold, part)]
        if wanted:
            fitted = learner.fitted(fold[TRAINING], features)
            for part in wanted:
                collected[part].append(learner.loss(fitted, fold[part], features))
    return {part: float(np.mean(losses)) if losses else float("nan") for part, losses in collected.items()}
