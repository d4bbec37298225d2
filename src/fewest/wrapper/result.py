"""What a wrapper has found, and how much of its hold-out error may be luck: the bounds of Ng (1998) for that search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb, log
from typing import Any

import numpy as np

from fewest.exceptions import ParameterError
from fewest.wrapper.bounds import WrapperBound, choice, clean_error, holdout_deviation, training_deviation
from fewest.wrapper.options import ORDERED_FS, ORDERED_FS2, STANDARD_WRAP, BoundOptions
from fewest.wrapper.splits import Fold


@dataclass(frozen=True)
class SearchFacts:
    """The numbers of a search that its bounds depend on.

    Attributes
    ----------
    algorithm : {"standard-wrap", "ordered-fs", "ordered-fs2"}
    n_training, n_holdout, n_second : int
        Rows of the three parts; the last is 0 but for ORDERED-FS2.
    n_units, n_levels : int
        Features (or groups) to choose from, and the sizes that were allowed.
    n_subsets : int
        The subsets that the search could have come to.
    size : int
        How many units the chosen subset has.
    error : float
        The error that made it the choice.
    is_exact : bool
        Whether every subset of every size was tried.
    """

    algorithm: str
    n_training: int
    n_holdout: int
    n_second: int
    n_units: int
    n_levels: int
    n_subsets: int
    size: int
    error: float
    is_exact: bool

    @property
    def n_compared(self) -> int:
        """Count the hypotheses among which the last hold-out set chose.

        STANDARD-WRAP's hold-out data also guided the search, so all subsets count that it could have come
        to, tried or not; the others compare one hypothesis a size.
        """
        return self.n_subsets if self.algorithm == STANDARD_WRAP else self.n_levels

    @property
    def n_judging(self) -> int:
        """Count the rows of the last hold-out set."""
        return self.n_second or self.n_holdout


@dataclass(frozen=True)
class SearchBound:
    """What is known, with probability 1 - delta, about the error on new data of the hypothesis that was chosen.

    Attributes
    ----------
    facts : SearchFacts
    delta, eta : float
        The probability of being wrong, and of a wrong label.
    deviation : float
        How far the hold-out errors of all hypotheses compared are from their true errors at most (A.5).
    error_at_most : float
        The chosen hypothesis's error on new data with right labels: hold-out error plus deviation.
    theorem : WrapperBound or None
        How far it is from the best hypothesis of its size (theorems 7, 14, 17 and 19 to 21), for error-minimising
        learners of known VC dimension. The theorems are worst cases, and often promise nothing: 1 or more.
    """

    facts: SearchFacts
    delta: float
    eta: float
    deviation: float
    error_at_most: float
    theorem: WrapperBound | None

    def __str__(self) -> str:
        facts = self.facts
        compared = f"{facts.n_compared:,}" if facts.n_compared < 10**15 else f"{float(facts.n_compared):.1e}"
        could = "could have been" if facts.algorithm == STANDARD_WRAP and not facts.is_exact else "were"
        noise = f", if {self.eta:.0%} of the labels are wrong" if self.eta else ""
        text = (
            f"{compared} {'hypothesis' if facts.n_compared == 1 else 'hypotheses'} {could} compared on "
            f"{facts.n_judging:,} hold-out rows, so the chosen one's error of {facts.error:.3f} may be too low by "
            f"{self.deviation:.3f}: with probability {1 - self.delta:.0%} it is at most "
            f"{min(self.error_at_most, 1):.3f} on new data{noise}."
        )
        if self.error_at_most >= 1:
            text += " That promises nothing: give more hold-out rows, or compare fewer hypotheses."
        return text


def search_bound(
    facts: SearchFacts,
    options: BoundOptions | None = None,
    vc_dimension: Callable[[int], int] | None = None,
) -> SearchBound:
    """Bound the error of the hypothesis that a search has chosen.

    ``vc_dimension`` returns the VC dimension of the learner's hypotheses over a number of features; without it there
    is no ``theorem``.
    """
    options = BoundOptions() if options is None else options
    deviation = holdout_deviation(facts.n_judging, facts.n_compared, options.delta)
    theorem = None if vc_dimension is None else _theorem(facts, options, vc_dimension(facts.size))
    error = clean_error(facts.error + deviation, options.eta)
    return SearchBound(facts, options.delta, options.eta, deviation, error, theorem)


def _theorem(facts: SearchFacts, options: BoundOptions, vc_dimension: int) -> WrapperBound:
    """Put the numbers of this search into the theorem of its algorithm."""
    n_steps = 3 if facts.algorithm == ORDERED_FS2 else 2
    eta = options.eta
    share, signal = options.delta / n_steps, 1 - 2 * eta
    n_alike = comb(facts.n_units, facts.size)
    classes = log(n_alike) if facts.algorithm == ORDERED_FS else 0.0
    subset_choice = size_choice = 0.0
    if facts.algorithm == STANDARD_WRAP:
        subset_choice = choice(facts.n_holdout, facts.n_subsets, share, eta)
    else:
        size_choice = choice(facts.n_judging, facts.n_levels, share, eta)
    if facts.algorithm == ORDERED_FS2:
        subset_choice = choice(facts.n_holdout, n_alike, share, eta)
    return WrapperBound(
        facts.size,
        approximation=0.0,
        estimation=2 * training_deviation(facts.n_training, vc_dimension, share, classes) / signal,
        subset_choice=subset_choice,
        size_choice=size_choice,
        shortfall=options.shortfall / signal,
    )


@dataclass(frozen=True)
class WrapperResult:
    """The result of a wrapper.

    Attributes
    ----------
    algorithm : {"standard-wrap", "ordered-fs", "ordered-fs2"}
    n_features_in : int
        Features to choose from.
    features : tuple of int
        The features chosen.
    training_error, holdout_error : float
        Of the learner with these features.
    history : tuple of dict
        For every size the best subset: ``n_features``, ``features``, ``training_error``, ``holdout_error``, for
        ORDERED-FS2 ``second_holdout_error``, ``n_subsets`` tried, and whether these were all (``is_exhaustive``).
    n_subsets_evaluated : int
    search, evaluation : str
        The search and the evaluator that were used.
    stopped_by : str or None
        What ended the search early.
    folds : list of Fold
        Rows for training and for testing.
    facts : SearchFacts
    why_no_bound : str or None
        What keeps the theorems from applying, if anything does.
    vc_dimension : callable or None
        From a number of features to the VC dimension of the learner's hypotheses, where that is known.
    """

    algorithm: str
    n_features_in: int
    features: tuple[int, ...]
    training_error: float
    holdout_error: float
    history: tuple[dict[str, Any], ...]
    n_subsets_evaluated: int
    search: str
    evaluation: str
    stopped_by: str | None
    folds: list[Fold]
    facts: SearchFacts
    why_no_bound: str | None
    vc_dimension: Callable[[int], int] | None

    @property
    def support(self) -> np.ndarray:
        """Return the mask of the features chosen."""
        mask = np.zeros(self.n_features_in, dtype=bool)
        mask[list(self.features)] = True
        return mask

    def bound(
        self, options: BoundOptions | None = None, vc_dimension: Callable[[int], int] | None = None
    ) -> SearchBound:
        """Bound the error on new data of the hypothesis that was chosen; raise where the theorems do not apply."""
        if self.why_no_bound:
            raise ParameterError(f"The bounds of Ng (1998) do not apply here: {self.why_no_bound}.")
        return search_bound(self.facts, options, vc_dimension or self.vc_dimension)
