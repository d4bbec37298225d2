"""STANDARD-WRAP, ORDERED-FS and ORDERED-FS2 of Ng (1998): split the rows, search subsets, choose one.

All three train a learner on S', search subsets by its error on one part of the rows, and choose among the best of each
size by its error on another part. They differ in which parts these are (`ROLES`).

ORDERED-FS with cross-validation: what a size is worth is judged on rows that had no say in which features of that size
were chosen. So every fold searches by its own training rows, its hold-out rows judge what it found, and the mean over
the folds decides on the size; a search by the training rows of all folds decides which features.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from math import inf
from typing import Any

import numpy as np

from fewest.budget import Budget
from fewest.exceptions import FailedFitsWarning, FewFeaturesWarning, StoppedEarlyWarning
from fewest.kernels.compile_or_not import Work
from fewest.table.requests import included_and_excluded, positions
from fewest.wrapper.evaluators.batched import BatchEvaluator
from fewest.wrapper.evaluators.fast_paths import fast_path, linear_vc_dimension
from fewest.wrapper.evaluators.generic import Failures, GenericEvaluator, Learner, fold_examples
from fewest.wrapper.examples import Examples
from fewest.wrapper.options import (
    AUTO,
    EXHAUSTIVE,
    FIRST,
    FLOATING,
    FORWARD,
    ORDERED_FS,
    ORDERED_FS2,
    STANDARD_WRAP,
    WrapperOptions,
)
from fewest.wrapper.result import SearchFacts, WrapperResult
from fewest.wrapper.search.checkpoint import Journal, Remembering, fingerprint, split_fingerprint
from fewest.wrapper.search.searches import (
    beam_search,
    exhaustive_search,
    floating_search,
    n_beam_candidates,
    n_beam_subsets,
    n_subsets,
)
from fewest.wrapper.search.subset_search import Evaluator, Step, SubsetPath, SubsetSearch
from fewest.wrapper.search.subsets import SubsetSpace
from fewest.wrapper.splits import (
    HOLDOUT,
    SECOND,
    TRAINING,
    Fold,
    Roles,
    cross_validation_folds,
    holdout_fold,
    with_second_holdout,
)

ROLES = {
    STANDARD_WRAP: Roles(guide=HOLDOUT, judge=HOLDOUT),
    ORDERED_FS: Roles(guide=TRAINING, judge=HOLDOUT),
    ORDERED_FS2: Roles(guide=HOLDOUT, judge=SECOND),
}


def wrap(
    learner: Learner,
    examples: Examples,
    options: WrapperOptions,
    groups=None,
    names: Sequence[str] = (),
    work: Work | None = None,
) -> WrapperResult:
    """Choose the features with which a learner does best, as the algorithm of the options has it.

    Parameters
    ----------
    learner : Learner
        What `Learner.of` returns of a scikit-learn estimator.
    examples : Examples
    options : StandardWrapOptions, OrderedFSOptions or OrderedFS2Options
        Their type is the algorithm.
    groups : array-like, optional
        Rows of one group stay on one side of every split.
    names : sequence of str
        The names of the features, where options use them.
    work : Work, optional
        Shared by several searches that decide together whether to compile.

    Returns
    -------
    WrapperResult

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from fewest.datasets import make_linear_threshold
    >>> from fewest.wrapper.options import OrderedFSOptions
    >>> X, y, relevant = make_linear_threshold(200, irrelevant=9, noise=0.25, random_state=0)
    >>> wrap(Learner.of(LogisticRegression()), Examples(X, y), OrderedFSOptions(random_state=0)).features
    (0,)
    """
    rng = options.random_state
    rng = rng if isinstance(rng, np.random.RandomState) else np.random.RandomState(rng)
    folds = _folds(learner, examples, options, groups, rng)
    seed = None if options.ties == FIRST else int(rng.randint(2**31))
    space = _space(examples.X.shape[1], options, names)
    kind = _kind(space, options)
    budget = Budget(options.time_limit, options.verbose if callable(options.verbose) else None)
    searches = _Searches(learner, examples, options, seed, work)
    if options.cv is not None and options.algorithm == ORDERED_FS:
        by_size = _judged_by_size(searches, folds, space, budget)
        reached = replace(space, most_units=max(by_size.losses))
        path, evaluator = searches.path(folds, reached, budget, None, options.checkpoint)
        path = by_size.judging(path)
    else:
        path, evaluator = searches.path(folds, space, budget, options.patience, options.checkpoint)
    _warn_of_failures(evaluator.failures, path, learner, names)
    _warn_of_stop(path)
    chosen = _chosen(path, space, options.min_features_to_select)
    return WrapperResult(
        algorithm=options.algorithm,
        n_features_in=space.n_features,
        features=space.features(chosen.units),
        training_error=chosen.measured.training,
        holdout_error=chosen.measured.holdout,
        history=tuple(_record(step, space, options.algorithm) for step in path.steps),
        n_subsets_evaluated=path.n_evaluated,
        search=kind,
        evaluation=evaluator.name,
        stopped_by=path.stopped_by,
        folds=folds,
        facts=_facts(path, chosen, space, folds, options.algorithm),
        why_no_bound=_why_no_bound(
            learner, folds, is_plain=groups is None and examples.weights is None and options.shuffle
        ),
        vc_dimension=linear_vc_dimension(learner.estimator),
    )


@dataclass(frozen=True)
class _BySize:
    """The mean hold-out loss of what every fold found by itself, by number of units."""

    losses: dict[int, float]
    n_evaluated: int
    stopped_by: str | None

    def judging(self, path: SubsetPath) -> SubsetPath:
        """Return the path with these losses in the place of those of its own subsets."""
        steps = [
            replace(step, measured=step.measured._replace(holdout=loss, judged=loss))
            for step in path.steps
            if (loss := self.losses.get(len(step.units))) is not None
        ]
        return SubsetPath(tuple(steps), path.n_evaluated + self.n_evaluated, path.stopped_by or self.stopped_by)


def _judged_by_size(searches: _Searches, folds: list[Fold], space: SubsetSpace, budget: Budget) -> _BySize:
    """Search in every fold by its own training rows; the sizes that all folds have reached are judged."""
    paths, options = [], searches.options
    for number, fold in enumerate(folds):
        share = budget.part(1 / (len(folds) - number + 1))  # the search by all folds has its share, too
        checkpoint = None if options.checkpoint is None else f"{options.checkpoint}.fold{number}"
        paths.append(searches.path([fold], space, share, options.patience, checkpoint)[0])
    found = [{len(step.units): step.judged for step in path.steps} for path in paths]
    common = set.intersection(*(set(losses) for losses in found))
    return _BySize(
        {size: float(np.mean([losses[size] for losses in found])) for size in sorted(common)},
        sum(path.n_evaluated for path in paths),
        next((path.stopped_by for path in paths if path.stopped_by), None),
    )


@dataclass(frozen=True)
class _Searches:
    """The learner, the examples and the options that all searches of one call share."""

    learner: Learner
    examples: Examples
    options: WrapperOptions
    seed: int | None
    work: Work | None

    def path(
        self, folds: list[Fold], space: SubsetSpace, budget: Budget, patience: int | None, checkpoint: Any
    ) -> tuple[SubsetPath, BatchEvaluator | GenericEvaluator]:
        """Search by these folds, going on from a checkpoint if there is one; also return who evaluated."""
        options = self.options
        with ExitStack() as stack:
            evaluator = _evaluator(self.learner, self.examples, folds, space, options, self.work, budget)
            stack.enter_context(evaluator)
            remembered: Evaluator = evaluator
            if checkpoint is not None:
                identity = _identity(self.learner, self.examples, folds, self.seed, options)
                journal = Journal(checkpoint, identity)
                stack.callback(journal.close)
                remembered = Remembering(evaluator, journal)
            search = SubsetSearch(space, remembered, self.seed, patience, budget, evaluator.block)
            return _searched(search, _kind(space, options), options.beam_width), evaluator


def _space(n_features: int, options: WrapperOptions, names: Sequence[str]) -> SubsetSpace:
    """Return the subsets that may be chosen; features are given by name, by position or by a mask."""
    columns = list(names) if len(names) else [f"feature {j}" for j in range(n_features)]
    included, excluded = included_and_excluded(columns, options.include, options.exclude)
    groups = [positions(columns, group) for group in options.feature_groups or ()]
    return SubsetSpace.of(n_features, groups, included, options.max_features, excluded)


def _chosen(path: SubsetPath, space: SubsetSpace, n_wanted: int) -> Step:
    """Return the best subset of enough features; warn where one of fewer was judged better, or there is no other."""
    least = min(max(0, n_wanted - len(space.included)), space.most_units)
    chosen, freely = path.best(least), path.best()
    if len(chosen.units) < least:
        message = (
            f"No subset of at least {n_wanted} features could be judged, so that one of fewer is kept. Give the search "
            "more time, or min_features_to_select=0 to allow any."
        )
    elif chosen is not freely:
        n_better = len(space.features(freely.units))
        message = (
            f"The estimator errs no more with {n_better or 'no'} feature{'' if n_better == 1 else 's'} "
            f"({freely.judged:.4g}) than with the best subset of at least {n_wanted} ({chosen.judged:.4g}), which is "
            f"kept since min_features_to_select={n_wanted}. Give {n_better} to allow fewer."
        )
    else:
        return chosen
    warnings.warn(message, FewFeaturesWarning, stacklevel=4)
    return chosen


def _folds(learner: Learner, examples: Examples, options: WrapperOptions, groups, rng) -> list[Fold]:
    """Split the rows into those to train on and the hold-out sets of the algorithm."""
    y, shuffle = examples.y, options.shuffle
    if options.cv is None:
        return [holdout_fold(options.shares, y, groups, rng, stratify=options.stratify, shuffle=shuffle)]
    if options.algorithm == ORDERED_FS2:
        share = options.shares[-1]
        return with_second_holdout(
            lambda some: learner.splitter(options.cv, some), share, y, groups, rng, shuffle=shuffle
        )
    splitter = learner.splitter(options.cv, examples.y)
    return cross_validation_folds(splitter, examples.X, examples.y, groups)


def _evaluator(
    learner: Learner,
    examples: Examples,
    folds: list[Fold],
    space: SubsetSpace,
    options: WrapperOptions,
    work: Work | None,
    budget: Budget,
) -> BatchEvaluator | GenericEvaluator:
    """Return the fast path for this type of estimator, if there is one, or an evaluator that fits clones."""
    parts, roles = fold_examples(examples, folds), ROLES[options.algorithm]
    if options.fast and (found := fast_path(learner, examples)) is not None:
        return BatchEvaluator(found, learner, parts, space, roles, options.n_jobs, _expected(space, options), work)
    return GenericEvaluator(learner, parts, space, roles, options.n_jobs, budget)


def _expected(space: SubsetSpace, options: WrapperOptions) -> list[tuple[int, int]]:
    """Return how many candidates of which number of features the search is sure to propose, for every level.

    With patience, as many levels as it would wait for; with a time limit, as if there were none.
    """
    kind, n_units = _kind(space, options), len(space.units)
    most = space.most_units if options.patience is None else min(options.patience, space.most_units)
    if kind == EXHAUSTIVE:
        counts = [space.n_subsets(level) for level in range(1, most + 1)]
    else:
        counts = n_beam_candidates(n_units, most, 1 if kind.startswith(FLOATING) else options.beam_width)
    sizes = (
        range(1, most + 1) if kind in (EXHAUSTIVE, FORWARD, FLOATING) else range(n_units - 1, n_units - 1 - most, -1)
    )
    return [(count, max(size, 1) + len(space.included)) for count, size in zip(counts, sizes, strict=True)]


def _kind(space: SubsetSpace, options: WrapperOptions) -> str:
    """Return the search to run: exhaustive where that costs no more than the beam search does."""
    if options.search != AUTO:
        return options.search
    return EXHAUSTIVE if n_subsets(space) <= n_beam_subsets(space, options.beam_width) else FORWARD


def _searched(search: SubsetSearch, kind: str, beam: int) -> SubsetPath:
    if kind == EXHAUSTIVE:
        return exhaustive_search(search)
    if kind.startswith(FLOATING):
        return floating_search(search, forward=kind == FLOATING)
    return beam_search(search, beam, forward=kind == FORWARD)


def _identity(
    learner: Learner, examples: Examples, folds: list[Fold], seed: int | None, options: WrapperOptions
) -> dict[str, Any]:
    """Return what a checkpoint must have in common with the search that goes on from it."""
    compared = (
        "beam_width",
        "search",
        "scoring",
        "max_features",
        "include",
        "exclude",
        "feature_groups",
        "ties",
        "fast",
    )
    return {
        "algorithm": options.algorithm,
        "data": fingerprint(examples),
        "split": split_fingerprint(folds),
        "seed": seed,
        "estimator": repr(learner.estimator),
        **{name: repr(getattr(options, name)) for name in compared},
    }


def _record(step: Step, space: SubsetSpace, algorithm: str) -> dict[str, Any]:
    """Return the best subset of a size as an entry of the history."""
    features = space.features(step.units)
    record: dict[str, Any] = {
        "n_features": len(features),
        "features": features,
        "training_error": step.measured.training,
        "holdout_error": step.measured.holdout,
        "n_subsets": step.n_tried,
        "is_exhaustive": step.is_exhaustive,
    }
    if algorithm == ORDERED_FS2:
        record["second_holdout_error"] = step.measured.judged
    return record


def _facts(path: SubsetPath, chosen: Step, space: SubsetSpace, folds: list[Fold], algorithm: str) -> SearchFacts:
    first = folds[0]
    return SearchFacts(
        algorithm=algorithm,
        n_training=len(first.training),
        n_holdout=len(first.holdout),
        n_second=len(first.second),
        n_units=len(space.units),
        n_levels=space.most_units + 1,
        n_subsets=n_subsets(space),
        size=len(chosen.units),
        error=chosen.measured.judged,
        is_exact=len(path.steps) == space.most_units + 1 and all(step.is_exhaustive for step in path.steps),
    )


def _why_no_bound(learner: Learner, folds: list[Fold], *, is_plain: bool) -> str | None:
    """Return what keeps the theorems from applying."""
    if len(folds) > 1:
        return "they hold for hold-out data, not for cross-validation"
    if not learner.is_classifier or learner.scorer is not None:
        return "they hold for the error rate of classifiers, not for other scores"
    if not is_plain:
        return "they hold for independent rows that count alike, not for groups or weights"
    return None


def _warn_of_failures(failures: Failures, path: SubsetPath, learner: Learner, names: Sequence[str]) -> None:
    """Warn of subsets that the learner failed on; where it failed on all of them, raise its own error."""
    if not failures.subsets:
        return
    failures.raise_if_nothing_was_learned()
    first = next(iter(failures.subsets))
    if path.best().judged == inf:  # there is nothing to choose from
        failures.try_again(first)
    shown = ", ".join(f"feature {feature}" if not len(names) else repr(names[feature]) for feature in first)
    warnings.warn(
        f"{type(learner.estimator).__name__} failed on {len(failures.subsets):,} subsets of the features, so that "
        f"these were left out of the search. The first was {shown or 'that of no feature'}: {failures.reason}",
        FailedFitsWarning,
        stacklevel=4,
    )


def _warn_of_stop(path: SubsetPath) -> None:
    if path.stopped_by is None:
        return
    warnings.warn(
        f"The search was stopped by the {path.stopped_by} after {len(path.steps)} sizes and "
        f"{path.n_evaluated:,} subsets; the best of these is kept. {StoppedEarlyWarning.BY_CLOCK}",
        StoppedEarlyWarning,
        stacklevel=4,
    )
