"""The options of Relief, ReliefF and RReliefF: parameters, defaults and checks, for estimators and commands alike."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, log1p
from numbers import Integral, Real
from typing import Any, ClassVar

from fewest.blocks.threads import n_workers
from fewest.estimators.options import AVERAGE, RANDOM, check_count
from fewest.exceptions import ParameterError

AUTO, INTERVAL, PERMUTATION = "auto", "interval", "permutation"
FDR, BONFERRONI = "fdr", "bonferroni"
# Rankings by permuted targets, from whose mean and spread a threshold follows.
N_PERMUTATIONS = 20
# The share that iterated rankings drop where none is given: Moore and White's tenth.
USUAL_STEP = 0.1
SKIP, COUNT = "skip", "count"
EUCLIDEAN, MANHATTAN = "euclidean", "manhattan"
EXPECTED, CLASS = "expected", "class"
NEAREST, MULTISURF = "nearest", "multisurf"


@dataclass(frozen=True, kw_only=True)
class RelevanceOptions:
    """What the three methods have in common: which rows are sampled, who is a neighbor, which features are kept.

    Parameters
    ----------
    n_features_to_select : int, optional
        Keep that many of the most relevant features instead of using a threshold.
    min_features_to_select : int
        Keep that many of the most relevant where fewer reach the threshold; 0 allows none.
    threshold : float, "permutation", "interval" or "auto"
        Keep the features of at least this relevance; the words derive it from ``alpha``.
    alpha : float
        The probability of an error: of what kind, ``correction`` says.
    correction : {"fdr", "bonferroni"} or None
        Whether ``alpha`` is the share of irrelevant features among those that are kept, the probability that any is
        kept, or that each is.
    max_samples : int or float, optional
        How many rows to sample, or which share of them; None for every row once.
    replace : bool
        Whether a row can be sampled more than once.
    ties : {"random", "average"}
        Whether rows at the distance of the last neighbor are chosen at random, or all count, each with its share.
    identical : {"skip", "count"}
        Whether other rows at distance 0 can be neighbors.
    metric : {"manhattan", "euclidean"}
        Whether the distance of two rows is the sum of their differences, or the root of the sum of the squares.
    missing : {"expected", "class"}
        Whether a missing value differs from others by what is expected over all rows, or over those of its class.
    step : float or "auto", optional
        Drop this share of the least relevant features, look for neighbors again without them, and so on; "auto" does
        so where nothing is relevant without.
    n_jobs : int or None
        Threads, as scikit-learn counts them.
    """

    n_features_to_select: int | None = None
    min_features_to_select: int = 1
    threshold: float | str = PERMUTATION
    alpha: float = 0.05
    correction: str | None = FDR
    max_samples: int | float | None = None
    replace: bool = False
    ties: str = AVERAGE
    identical: str = COUNT
    metric: str = MANHATTAN
    missing: str = EXPECTED
    step: float | str | None = None
    n_jobs: int | None = None

    n_neighbors: ClassVar[int]
    neighborhood: ClassVar[str] = NEAREST
    # Whether the rows of all other classes compete for being the near-miss, or each class has its own.
    pools_misses: ClassVar[bool] = False
    # Whether differences of numeric values are squared before they are summed.
    is_squared: ClassVar[bool] = False
    is_regression: ClassVar[bool] = False
    named_thresholds: ClassVar[tuple[str, ...]] = (PERMUTATION, INTERVAL, AUTO)

    def __post_init__(self) -> None:
        """Refuse what means nothing."""
        if self.n_features_to_select is not None:
            check_count("n_features_to_select", self.n_features_to_select)
        check_count("min_features_to_select", self.min_features_to_select, least=0)
        self._check_samples()
        check_count("n_neighbors", self.n_neighbors)
        if not _is_real(self.alpha) or not 0 < self.alpha < 1:
            raise ParameterError(f"alpha={self.alpha!r} is no probability. Give a number between 0 and 1.")
        self._check_threshold()
        for name, choices in (
            ("ties", (RANDOM, AVERAGE)),
            ("identical", (SKIP, COUNT)),
            ("metric", (MANHATTAN, EUCLIDEAN)),
            ("missing", (EXPECTED, CLASS)),
            ("correction", (FDR, BONFERRONI, None)),
            ("neighborhood", (NEAREST, MULTISURF)),
        ):
            if getattr(self, name) not in choices:
                raise ParameterError.from_choice(name, getattr(self, name), choices)
        self._check_step()
        n_workers(self.n_jobs)  # raises if that is no number of threads

    def _check_threshold(self) -> None:
        if not _is_real(self.threshold):
            if self.threshold not in self.named_thresholds:
                raise ParameterError.from_choice("threshold", self.threshold, (*self.named_thresholds, "a number"))
        elif self.threshold != self.threshold:
            raise ParameterError("threshold is NaN, which no relevance reaches. Give a number, or 'permutation'.")

    def _check_step(self) -> None:
        share: Any = self.step
        if share == AUTO:
            if self.n_features_to_select is None and self.threshold != PERMUTATION:
                raise ParameterError(
                    f"step='auto' iterates where a test finds nothing, and threshold={self.threshold!r} is none "
                    "that takes account of the rounds. Give step a number, or leave threshold at 'permutation'."
                )
        elif share is not None and not (_is_real(share) and 0 < share < 1):
            raise ParameterError(
                f"step={self.step!r} is no share of the features. Give a number between 0 and 1, or 'auto'."
            )

    @property
    def n_permutations(self) -> int:
        """Return how often the target is permuted and all features are ranked by that."""
        return N_PERMUTATIONS if self.threshold == PERMUTATION and self.n_features_to_select is None else 0

    def n_rounds(self, n_features: int) -> int:
        """Return how often neighbors are sought, about, until few of this many features are left."""
        return 1 if self.step is None else 1 + int(log(max(1, n_features)) / -log1p(-self.share_dropped))

    @property
    def share_dropped(self) -> float:
        """Return the share of the features that a round drops, where there are rounds."""
        return USUAL_STEP if self.step in (None, AUTO) else float(self.step)

    def _check_samples(self) -> None:
        samples: Any = self.max_samples
        if samples is not None and (isinstance(samples, Integral) or not _is_real(samples)):
            check_count("max_samples", samples)
        elif samples is not None and not 0 < samples <= 1:
            raise ParameterError(
                f"max_samples={self.max_samples!r} is no share of the rows. Give one in (0, 1], or a number of rows."
            )

    def n_sampled(self, n_rows: int) -> int:
        """Return how many of ``n_rows`` rows are sampled; a share is at least one row."""
        samples: Any = self.max_samples
        if samples is None:
            return n_rows
        return int(samples) if isinstance(samples, Integral) else max(1, round(n_rows * samples))


@dataclass(frozen=True, kw_only=True)
class ReliefOptions(RelevanceOptions):
    """Relief of Kira and Rendell (1992), Figure 1: one near-hit and one near-miss, chosen at random among ties."""

    replace: bool = True
    ties: str = RANDOM
    identical: str = SKIP
    metric: str = EUCLIDEAN

    n_neighbors: ClassVar[int] = 1
    pools_misses: ClassVar[bool] = True
    is_squared: ClassVar[bool] = True


@dataclass(frozen=True, kw_only=True)
class ReliefFOptions(RelevanceOptions):
    """ReliefF of Kononenko (1994): ``n_neighbors`` near-hits, and as many near-misses of each other class."""

    n_neighbors: int = 10  # type: ignore[misc]  # a parameter here, and always 1 in Relief
    neighborhood: str = NEAREST  # type: ignore[misc]  # as well


@dataclass(frozen=True, kw_only=True)
class RReliefFOptions(ReliefFOptions):
    """RReliefF of Robnik-Šikonja and Kononenko (1997): ReliefF's neighbors, whatever the class, for a regression."""

    is_regression: ClassVar[bool] = True
    # Chebyshev's bound is about a mean of updates in [-1, 1]; the relevance here is a ratio of means.
    named_thresholds: ClassVar[tuple[str, ...]] = (PERMUTATION, INTERVAL)


def _is_real(value: object) -> bool:
    return isinstance(value, Real)
