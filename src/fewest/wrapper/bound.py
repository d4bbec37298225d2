"""How much of a hold-out score may be luck: the thesis's bounds for a search that was made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb, log

from fewest.wrapper.bounds import WrapperBound, choice, clean_error, holdout_deviation, training_deviation


@dataclass(frozen=True)
class SearchFacts:
    """What the bounds need to know of a search.

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
        return self.n_subsets if self.algorithm == "standard-wrap" else self.n_levels

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
        How far the hold-out errors of all hypotheses compared are from the truth at most (A.5).
    error_at_most : float
        The chosen hypothesis's error on new data with right labels: hold-out error plus deviation.
    theorem : WrapperBound or None
        How far it is from the best hypothesis of its size (theorems 7, 14, 17 and 19 to 21), for error-minimising
        learners of known VC dimension. The theorems are worst cases, and often say nothing: 1 or more.
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
        could = "could have been" if facts.algorithm == "standard-wrap" and not facts.is_exact else "were"
        noise = f", if {self.eta:.0%} of the labels are wrong" if self.eta else ""
        said = (
            f"{compared} {'hypothesis' if facts.n_compared == 1 else 'hypotheses'} {could} compared on "
            f"{facts.n_judging:,} hold-out rows, so the chosen one's error of {facts.error:.3f} may be too low by "
            f"{self.deviation:.3f}: with probability {1 - self.delta:.0%} it is at most "
            f"{min(self.error_at_most, 1):.3f} on new data{noise}."
        )
        if self.error_at_most >= 1:
            said += " That says nothing: give more hold-out rows, or compare fewer hypotheses."
        return said


def search_bound(
    facts: SearchFacts,
    delta: float = 0.05,
    eta: float = 0.0,
    shortfall: float = 0.0,
    vc_dimension: Callable[[int], int] | None = None,
) -> SearchBound:
    """Bound the error of what a search has chosen.

    Parameters
    ----------
    facts : SearchFacts
    delta : float
        The probability with which the bound may fail.
    eta : float
        The probability with which a label is wrong.
    shortfall : float
        By how much a search that was not exact may have missed the least error of the chosen size (eps_+).
    vc_dimension : callable, optional
        From a number of features to the VC dimension of the learner's hypotheses.
    """
    deviation = holdout_deviation(facts.n_judging, facts.n_compared, delta)
    theorem = None
    if vc_dimension is not None:
        theorem = _theorem(facts, delta, eta, shortfall, vc_dimension(facts.size))
    return SearchBound(facts, delta, eta, deviation, clean_error(facts.error + deviation, eta), theorem)


def _theorem(facts: SearchFacts, delta: float, eta: float, shortfall: float, vc_dimension: int) -> WrapperBound:
    """Put the numbers of this search into the theorem of its algorithm."""
    n_steps = 3 if facts.algorithm == "ordered-fs2" else 2
    share, signal = delta / n_steps, 1 - 2 * eta
    n_alike = comb(facts.n_units, facts.size)
    classes = log(n_alike) if facts.algorithm == "ordered-fs" else 0.0
    subset_choice = size_choice = 0.0
    if facts.algorithm == "standard-wrap":
        subset_choice = choice(facts.n_holdout, facts.n_subsets, share, eta)
    else:
        size_choice = choice(facts.n_judging, facts.n_levels, share, eta)
    if facts.algorithm == "ordered-fs2":
        subset_choice = choice(facts.n_holdout, n_alike, share, eta)
    return WrapperBound(
        facts.size,
        approximation=0.0,
        estimation=2 * training_deviation(facts.n_training, vc_dimension, share, classes) / signal,
        subset_choice=subset_choice,
        size_choice=size_choice,
        shortfall=shortfall / signal,
    )
