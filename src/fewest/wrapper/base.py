"""What the three wrappers have in common: split, search, refit, store."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from contextlib import ExitStack
from copy import deepcopy
from math import inf
from numbers import Integral, Real
from typing import ClassVar

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, is_classifier, is_regressor
from sklearn.metrics import check_scoring, get_scorer
from sklearn.model_selection import GroupShuffleSplit, check_cv
from sklearn.utils import Bunch, check_random_state, check_scalar, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    check_array,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from fewest.budget import Budget
from fewest.cover.base import _shown_progress
from fewest.estimators.input import as_frame, checked_weights, is_frame
from fewest.estimators.selector import KeepsFeatures
from fewest.exceptions import FailedFitsWarning, ParameterError, StoppedEarlyWarning
from fewest.wrapper.bound import SearchBound, SearchFacts, search_bound
from fewest.wrapper.data import Examples, array_rules, n_rows
from fewest.wrapper.evaluators.batched import BatchEvaluator, fold_examples
from fewest.wrapper.evaluators.fast import fast_path, linear_vc_dimension
from fewest.wrapper.evaluators.generic import GenericEvaluator, Learner, Roles, is_default_score
from fewest.wrapper.identity import fingerprint, split_fingerprint
from fewest.wrapper.predicting import PredictingMixin
from fewest.wrapper.search.beam import SubsetSearch, beam_search
from fewest.wrapper.search.exhaustive import exhaustive_search, n_beam_subsets, n_subsets
from fewest.wrapper.search.floating import floating_search
from fewest.wrapper.search.journal import Journal, Remembering
from fewest.wrapper.search.path import SubsetPath
from fewest.wrapper.search.space import SubsetSpace
from fewest.wrapper.splits import Fold

SEARCHES = ("auto", "forward", "backward", "floating", "floating-backward", "exhaustive")
REFITS = ("all", "training", False)


class Wrapper(KeepsFeatures, PredictingMixin, MetaEstimatorMixin, BaseEstimator):
    """A selector that chooses features by the errors of an estimator; a subclass says which errors decide what."""

    _algorithm: ClassVar[str]
    _roles: ClassVar[Roles]

    def __init__(
        self,
        estimator,
        *,
        beam=50,
        search="auto",
        cv=None,
        scoring=None,
        max_features=None,
        include=None,
        feature_groups=None,
        patience=None,
        ties="random",
        refit="all",
        fast=True,
        stratify=False,
        checkpoint=None,
        time_limit=None,
        n_jobs=None,
        verbose=False,
        random_state=None,
    ):
        self.estimator = estimator
        self.beam = beam
        self.search = search
        self.cv = cv
        self.scoring = scoring
        self.max_features = max_features
        self.include = include
        self.feature_groups = feature_groups
        self.patience = patience
        self.ties = ties
        self.refit = refit
        self.fast = fast
        self.stratify = stratify
        self.checkpoint = checkpoint
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    @abstractmethod
    def _folds(self, X, y: np.ndarray, groups, rng) -> list[Fold]:
        """Split the rows."""

    def fit(self, X, y, **params):
        """Choose features by how well the estimator does with them.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
            What the estimator takes.
        y : array-like of shape (n_samples,)
        **params
            ``groups`` keeps rows of one group on one side of every split. ``sample_weight`` goes to the estimator,
            and weighs its errors. Everything else goes to the estimator's ``fit``. With
            metadata routing enabled the estimator, the splitter and the scorer get what they request.

        Returns
        -------
        self
        """
        self._check_parameters()
        X, y = self._validated(X, y)
        fit_params, score_params, groups = self._routed(X, params)
        rng = check_random_state(self.random_state)
        folds = self._folds(X, y, groups, rng)
        seed = None if self.ties == "first" else int(rng.randint(2**31))
        examples = Examples(X, y, fit_params, score_params, self._weights(fit_params, X))
        space = self._space()
        path = self._searched(examples, folds, space, seed)
        self._store(path, space, folds, is_plain=groups is None and examples.weights is None)
        self._refit(examples, folds)
        return self

    # ------------------------------------------------------------------ the parts of fit

    def _check_parameters(self) -> None:
        if isinstance(self.estimator, type) or not hasattr(self.estimator, "fit"):
            raise ParameterError(f"estimator={self.estimator!r} cannot be fitted. Give a classifier or a regressor.")
        if isinstance(self.scoring, list | tuple | set | dict):
            raise ParameterError(f"scoring={self.scoring!r} are several scores, and a search goes by one. Name one.")
        for name, choices in (("search", SEARCHES), ("refit", REFITS), ("ties", ("random", "first"))):
            if getattr(self, name) not in choices:
                raise ParameterError.from_choice(name, getattr(self, name), choices)
        check_scalar(self.beam, "beam", Integral, min_val=1)
        for name, least in (("max_features", 0), ("patience", 1)):
            if getattr(self, name) is not None:
                check_scalar(getattr(self, name), name, Integral, min_val=least)
        if self.time_limit is not None:
            check_scalar(self.time_limit, "time_limit", Real, min_val=0)
        if not is_classifier(self.estimator) and not is_regressor(self.estimator):
            raise ParameterError(
                f"{type(self.estimator).__name__} is neither a classifier nor a regressor, so its errors cannot be "
                "counted. Wrap one that is."
            )

    def _validated(self, X, y):
        """Check what can be checked without knowing the estimator; keep frames as they are."""
        X = as_frame(X)
        if is_frame(X):
            validate_data(self, X, y, skip_check_array=True)
            y = column_or_1d(check_array(y, ensure_2d=False, dtype=None), warn=True)
            check_consistent_length(X, y)
        else:
            X, y = validate_data(self, X, y, ensure_min_samples=2, **array_rules(self))
        if is_classifier(self.estimator):
            check_classification_targets(y)
        return X, np.asarray(y)

    def _routed(self, X, params: dict) -> tuple[dict, dict, object]:
        """Return what goes to the estimator's fit, to the scorer, and the groups for the splitter."""
        from sklearn import get_config

        params = {name: value for name, value in params.items() if value is not None}
        if get_config()["enable_metadata_routing"]:
            routed: Bunch = process_routing(self, "fit", **params)
            groups = routed.splitter.split.get("groups")
            return dict(routed.estimator.fit), dict(routed.get("scorer", Bunch(score={})).score), groups
        groups = params.pop("groups", None)
        if groups is not None and len(groups) != n_rows(X):
            raise ParameterError(f"There are {len(groups)} groups for {n_rows(X)} rows. Give one for every row.")
        return params, {}, groups

    def _weights(self, fit_params: dict, X) -> np.ndarray | None:
        return checked_weights(fit_params.get("sample_weight"), n_rows(X))

    def _space(self) -> SubsetSpace:
        groups = [self._positions(group) for group in self.feature_groups or ()]
        return SubsetSpace.of(self.n_features_in_, groups, self._positions(self.include or ()), self.max_features)

    def _positions(self, features) -> list[int]:
        """Return the numbers of features that are given by number or by name."""
        names = list(getattr(self, "feature_names_in_", ()))
        if any(isinstance(feature, bool | np.bool_) for feature in features):
            raise ParameterError("Features are given by number or name, not by a mask. Use np.flatnonzero(mask).")
        unknown = [feature for feature in features if isinstance(feature, str) and feature not in names]
        if unknown:
            raise ParameterError(f"There is no feature {unknown[0]!r}. Give names of columns, or numbers from 0.")
        return [names.index(feature) if isinstance(feature, str) else int(feature) for feature in features]

    def _named(self, features: tuple[int, ...]) -> str:
        """Return features by name, where they have names."""
        if not features:
            return "that of no feature"
        names = getattr(self, "feature_names_in_", None)
        return ", ".join(f"feature {feature}" if names is None else repr(names[feature]) for feature in features)

    def _learner(self) -> Learner:
        is_default = is_default_score(self.scoring, is_classifier(self.estimator))
        scorer = None if is_default else check_scoring(self.estimator, scoring=self.scoring)
        return Learner(self.estimator, is_classifier(self.estimator), scorer)

    def _evaluator(self, examples: Examples, folds: list[Fold], space: SubsetSpace):
        """Return what evaluates subsets: a fast path for this type of estimator, if there is one, or fits of clones."""
        learner, parts = self._learner(), fold_examples(examples, folds)
        if self.fast and (found := fast_path(learner, self.scoring, examples)) is not None:
            return BatchEvaluator(found.name, found.make, learner, parts, space, self._roles, self.n_jobs)
        return GenericEvaluator(learner, parts, space, self._roles, self.n_jobs)

    def _searched(self, examples: Examples, folds: list[Fold], space: SubsetSpace, seed: int | None) -> SubsetPath:
        with ExitStack() as stack:
            on_progress = self.verbose
            if not callable(on_progress):
                on_progress = stack.enter_context(_shown_progress(self.verbose))
            evaluator = stack.enter_context(self._evaluator(examples, folds, space))
            self.evaluation_ = evaluator.name
            remembered = evaluator
            if self.checkpoint is not None:
                journal = Journal(self.checkpoint, self._identity(examples, folds, seed))
                stack.callback(journal.close)
                remembered = Remembering(evaluator, journal)
            budget = Budget(self.time_limit, on_progress)
            search = SubsetSearch(space, remembered, seed, self.patience, budget, evaluator.block)
            path = self._run(search)
        failures = evaluator.failures
        if failures.subsets:
            first = next(iter(failures.subsets))
            if path.best.judged == inf:  # there is nothing to choose from
                failures.try_again(first)
            warnings.warn(
                f"{type(self.estimator).__name__} failed on {len(failures.subsets):,} subsets of the features, so that "
                f"these were left out of the search. The first was {self._named(first)}: {failures.reason}",
                FailedFitsWarning,
                stacklevel=3,
            )
        if path.stopped_by is not None:
            warnings.warn(
                f"The search was stopped by the {path.stopped_by} after {len(path.steps)} sizes and "
                f"{path.n_evaluated:,} subsets; the best of these is kept.",
                StoppedEarlyWarning,
                stacklevel=3,
            )
        return path

    def _run(self, search: SubsetSearch) -> SubsetPath:
        kind = self.search
        if kind == "auto":  # exact where that costs no more than the beam search does
            cheap = n_subsets(search.space) <= n_beam_subsets(search.space, self.beam)
            kind = "exhaustive" if cheap else "forward"
        self.search_ = kind
        if kind == "exhaustive":
            return exhaustive_search(search)
        if kind.startswith("floating"):
            return floating_search(search, forward=kind == "floating")
        return beam_search(search, self.beam, forward=kind == "forward")

    def _identity(self, examples: Examples, folds: list[Fold], seed: int | None) -> dict:
        """Say what a checkpoint must have in common with the search that goes on from it."""
        options = ("beam", "search", "scoring", "max_features", "include", "feature_groups", "ties", "fast")
        return {
            "algorithm": self._algorithm,
            "data": fingerprint(examples),
            "split": split_fingerprint(folds),
            "seed": seed,
            "estimator": repr(self.estimator),
            **{name: repr(getattr(self, name)) for name in options},
        }

    def _store(self, path: SubsetPath, space: SubsetSpace, folds: list[Fold], *, is_plain: bool) -> None:
        chosen = path.best
        selected = space.features(chosen.units)
        self.support_ = np.zeros(space.n_features, dtype=bool)
        self.support_[list(selected)] = True
        self.n_features_ = len(selected)
        self.history_ = [self._record(step, space) for step in path.steps]
        self.n_subsets_evaluated_ = path.n_evaluated
        self.stopped_by_ = path.stopped_by
        self.folds_ = folds
        self.training_error_, self.holdout_error_ = chosen.measured.training, chosen.measured.holdout
        self._no_bound = self._why_no_bound(folds, is_plain)
        self._facts = SearchFacts(
            self._algorithm,
            len(folds[0].training),
            len(folds[0].holdout),
            len(folds[0].second),
            len(space.units),
            space.most_units + 1,
            n_subsets(space),
            len(chosen.units),
            chosen.measured.judged,
            len(path.steps) == space.most_units + 1 and all(step.is_exhaustive for step in path.steps),
        )
        self.bound_ = None if self._no_bound else self.bound()

    def _record(self, step, space: SubsetSpace) -> dict:
        features = space.features(step.units)
        record = {
            "n_features": len(features),
            "features": features,
            "training_error": step.measured.training,
            "holdout_error": step.measured.holdout,
            "n_subsets": step.n_tried,
            "is_exhaustive": step.is_exhaustive,
        }
        if self._algorithm == "ordered-fs2":
            record["second_holdout_error"] = step.measured.judged
        return record

    def _why_no_bound(self, folds: list[Fold], is_plain: bool) -> str | None:
        """Return what keeps the theorems from applying."""
        if len(folds) > 1:
            return "they hold for hold-out data, not for cross-validation"
        if not is_classifier(self.estimator) or not is_default_score(self.scoring, is_classifier=True):
            return "they hold for the error rate of classifiers, not for other scores"
        if not is_plain:
            return "they hold for independent rows that count alike, not for groups or weights"
        return None

    def _refit(self, examples: Examples, folds: list[Fold]) -> None:
        if self.refit is False:
            self.__dict__.pop("estimator_", None)
            return
        kept = examples if self.refit == "all" else examples.rows(folds[-1].training)
        self.estimator_ = self._learner().fitted(kept, np.flatnonzero(self.support_).tolist())
        if hasattr(self.estimator_, "classes_"):
            self.classes_ = self.estimator_.classes_

    # ------------------------------------------------------------------ what a fitted wrapper offers

    def bound(self, delta=0.05, eta=0.0, shortfall=0.0, vc_dimension=None) -> SearchBound:
        """Bound the error on new data of the hypothesis that was chosen.

        Ng (1998): the hypothesis is the one trained on the training part,
        which ``refit="training"`` keeps. ``print`` says it in words.

        Parameters
        ----------
        delta : float, default=0.05
            The bound holds with probability 1 - delta.
        eta : float, default=0
            The probability with which a label is wrong; the bound is for right ones.
        shortfall : float, default=0
            By how much the search may have missed the least error, eps_+; 0 where every subset was tried.
        vc_dimension : callable, optional
            From a number of features to the VC dimension of the estimator's hypotheses; known for linear classifiers.

        Returns
        -------
        SearchBound
        """
        check_is_fitted(self)
        if self._no_bound:
            raise ParameterError(f"The bounds of Ng (1998) do not apply here: {self._no_bound}.")
        if vc_dimension is None:
            vc_dimension = linear_vc_dimension(self.estimator)
        return search_bound(self._facts, delta, eta, shortfall, vc_dimension)

    def get_metadata_routing(self):
        """Return who gets which of the parameters of ``fit``."""
        router = MetadataRouter(owner=type(self).__name__)
        router.add(estimator=self.estimator, method_mapping=MethodMapping().add(caller="fit", callee="fit"))
        splitter = GroupShuffleSplit() if self.cv is None else check_cv(self.cv)
        router.add(splitter=splitter, method_mapping=MethodMapping().add(caller="fit", callee="split"))
        if self.scoring is not None:
            scorer = get_scorer(self.scoring) if isinstance(self.scoring, str) else self.scoring
            if hasattr(scorer, "get_metadata_routing"):
                router.add(scorer=scorer, method_mapping=MethodMapping().add(caller="fit", callee="score"))
        return router

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.estimator_type = inner.estimator_type
        tags.classifier_tags = deepcopy(inner.classifier_tags)
        tags.regressor_tags = deepcopy(inner.regressor_tags)
        for each in (tags.classifier_tags, tags.regressor_tags):
            if each is not None:
                each.poor_score = True  # of few rows some are held out, and few features may be kept
        tags.target_tags.required = True
        tags.input_tags = deepcopy(inner.input_tags)
        tags.input_tags.pairwise = False
        return tags
