"""The options of STANDARD-WRAP, ORDERED-FS and ORDERED-FS2, for estimators, commands and comparisons alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import Any, ClassVar

from fewest.estimators.options import FIRST, RANDOM, check_count
from fewest.exceptions import ParameterError

STANDARD_WRAP, ORDERED_FS, ORDERED_FS2 = "standard-wrap", "ordered-fs", "ordered-fs2"
AUTO, FORWARD, BACKWARD = "auto", "forward", "backward"
FLOATING, FLOATING_BACKWARD, EXHAUSTIVE = "floating", "floating-backward", "exhaustive"
SEARCHES = (AUTO, FORWARD, BACKWARD, FLOATING, FLOATING_BACKWARD, EXHAUSTIVE)
ALL, TRAINING_PART = "all", "training"


@dataclass(frozen=True, kw_only=True)
class WrapperOptions:
    """Options that the three wrappers share: how subsets are searched, evaluated and compared.

    Parameters
    ----------
    beam_width : int
        How many subsets of each size are extended.
    search : {"auto", "forward", "backward", "floating", "floating-backward", "exhaustive"}
    cv : int, splitter or iterable, optional
        Cross-validate instead of holding out.
    scoring : str or callable, optional
        A score to maximise instead of the error to minimise.
    max_features : int, optional
        The largest number of features, included ones counted, a group as one.
    min_features_to_select : int
        The least number of features; 0 allows none, where the learner does best without any.
    include, exclude : str, int, list of these or Boolean mask, optional
        Features of every subset, and of none.
    feature_groups : list of lists of int or str, optional
        Features that enter together.
    patience : int, optional
        Stop after this many sizes without a better one.
    ties : {"random", "first"}
        Whether to choose at random among equal errors, or the one that comes up first.
    refit : {"all", "training", True, False}
        Which rows the final estimator is trained on; True is "all".
    fast : bool
        Whether to use a fast path where there is one.
    stratify : bool
        Whether to hold out the same share of every class.
    shuffle : bool
        Whether to hold out rows at random, and not the last ones.
    checkpoint : str or path, optional
        A file from which the search goes on if it is killed.
    time_limit : float, optional
        Stop after this many seconds with the best of the sizes completed.
    n_jobs : int, optional
        Workers, as joblib counts them.
    verbose : bool or callable
        Whether to show progress, or who is called with it.
    random_state : int, RandomState or None
    """

    beam_width: int = 50
    search: str = AUTO
    cv: Any = None
    scoring: Any = None
    max_features: int | None = None
    min_features_to_select: int = 1
    include: Any = None
    exclude: Any = None
    feature_groups: Sequence[Sequence[int | str]] | None = None
    patience: int | None = None
    ties: str = RANDOM
    refit: str | bool = ALL
    fast: bool = True
    stratify: bool = False
    shuffle: bool = True
    checkpoint: str | Path | None = None
    time_limit: float | None = None
    n_jobs: int | None = None
    verbose: Any = False
    random_state: Any = None

    algorithm: ClassVar[str]

    def __post_init__(self) -> None:
        """Refuse what means nothing."""
        if isinstance(self.scoring, list | tuple | set | dict):
            raise ParameterError(f"scoring={self.scoring!r} are several scores, and a search goes by one. Name one.")
        choices = {"search": SEARCHES, "refit": (ALL, TRAINING_PART, True, False), "ties": (RANDOM, FIRST)}
        for name, known in choices.items():
            if getattr(self, name) not in known:
                raise ParameterError.from_choice(name, getattr(self, name), known)
        check_count("beam_width", self.beam_width, 1)
        check_count("min_features_to_select", self.min_features_to_select, 0)
        for name, least in (("max_features", 0), ("patience", 1)):
            if getattr(self, name) is not None:
                check_count(name, getattr(self, name), least)
        if self.time_limit is not None and not (_is_real(self.time_limit) and self.time_limit >= 0):
            raise ParameterError(f"time_limit={self.time_limit!r} is no time. Give seconds, 0 or more.")

    @property
    def shares(self) -> tuple[float, ...]:
        """Return the share of the rows to train on, then those of the hold-out sets."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class StandardWrapOptions(WrapperOptions):
    """STANDARD-WRAP: hold-out data decides which features, and how many.

    Parameters
    ----------
    validation_fraction : float
        The share of the rows that are held out (gamma).
    """

    validation_fraction: float = 0.3

    algorithm: ClassVar[str] = STANDARD_WRAP

    def __post_init__(self) -> None:
        """Refuse a split that leaves one side empty."""
        super().__post_init__()
        if not _is_real(self.validation_fraction) or not 0 < self.validation_fraction < 1:
            raise ParameterError(
                f"validation_fraction={self.validation_fraction!r} leaves no rows on one side of the split. Give a "
                "share such as 0.3."
            )

    @property
    def shares(self) -> tuple[float, ...]:
        """Return the shares of the rows to train on (S') and to hold out (S'')."""
        return 1 - self.validation_fraction, self.validation_fraction


class OrderedFSOptions(StandardWrapOptions):
    """ORDERED-FS: training data decides which features of each size, hold-out data how many.

    It has no field of its own, so it needs no decorator, which would take a millisecond of every command.
    """

    algorithm: ClassVar[str] = ORDERED_FS


@dataclass(frozen=True, kw_only=True)
class OrderedFS2Options(WrapperOptions):
    """ORDERED-FS2: one hold-out set decides which features of each size, another how many.

    Parameters
    ----------
    split_fractions : tuple of three floats
        The shares of the rows to train on (gamma1) and of the two hold-out sets (gamma2, gamma3).
    """

    split_fractions: tuple[float, float, float] = (0.5, 0.25, 0.25)

    algorithm: ClassVar[str] = ORDERED_FS2

    def __post_init__(self) -> None:
        """Refuse shares that do not add up."""
        super().__post_init__()
        if (
            len(self.split_fractions) != 3
            or min(self.split_fractions) <= 0
            or abs(sum(self.split_fractions) - 1) > 1e-9
        ):
            raise ParameterError(
                f"split_fractions={self.split_fractions!r} are no three positive shares that add up to 1. "
                "Give, for training, first and second hold-out set, such as (0.5, 0.25, 0.25)."
            )

    @property
    def shares(self) -> tuple[float, ...]:
        """Return the shares of the rows to train on (S') and of the two hold-out sets (S'' and S''')."""
        return tuple(self.split_fractions)


OPTIONS: dict[str, type[WrapperOptions]] = {
    kind.algorithm: kind for kind in (StandardWrapOptions, OrderedFSOptions, OrderedFS2Options)
}


@dataclass(frozen=True, kw_only=True)
class BoundOptions:
    """Assumptions of a bound on the error of the chosen hypothesis.

    Parameters
    ----------
    delta : float
        The probability with which the bound may fail.
    eta : float
        The probability with which a label is wrong; the bound is for right ones.
    shortfall : float
        By how much a search that was not exact may have missed the least error of the chosen size (eps_+).
    """

    delta: float = 0.05
    eta: float = 0.0
    shortfall: float = 0.0

    def __post_init__(self) -> None:
        """Refuse labels that are noise only; the theorems check the rest."""
        if not 0 <= self.eta < 0.5:
            raise ParameterError(f"A label noise of {self.eta} leaves nothing to learn. Give a share below 0.5.")


def _is_real(value: object) -> bool:
    return isinstance(value, Real)
