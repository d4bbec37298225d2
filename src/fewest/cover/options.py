"""The parameters of the cover methods: their defaults and their checks, for estimators, commands and comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from numbers import Real
from typing import TYPE_CHECKING, ClassVar

from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    from fewest.table.requests import Features

Margin = float | str | Mapping[str | int, float | str]
"""One margin for all numeric columns, or one for each by name."""

MISSING_RULES = ("value", "cautious")
CONTRADICTION_RULES = ("warn", "raise")
CROSS_VALIDATED = "cv"
AUTO, CELLS, ADDITIVE = "auto", "cells", "additive"
# How classes are described: by cells, or by whichever of cells and a sum is shorter.
DESCRIPTIONS = (AUTO, CELLS)
# Bytes that listing all conflicts may take, unless somebody allows more.
DEFAULT_MAX_MEMORY = 4e9


class Method(StrEnum):
    """The searches for the fewest features, by the names that users know them by."""

    MIN_FEATURES = "min-features"
    FOCUS1 = "focus1"
    FOCUS2 = "focus2"
    MIG = "mig"
    SG = "sg"
    WG = "wg"
    MIN_DESCRIPTION = "min-description"


class Criterion(StrEnum):
    """What a tolerance is a fraction of: all pairs of different class, or those that chance would leave alike."""

    PAIRS = "pairs"
    CHANCE = "chance"


PAIRS, CHANCE = Criterion.PAIRS.value, Criterion.CHANCE.value


@dataclass(frozen=True, kw_only=True)
class CoverOptions:
    """Options of every search for a sufficient subset.

    Parameters
    ----------
    tolerance : float or "cv"
        The fraction of the pairs of rows of different class that may stay uncovered; ``"cv"`` to have it chosen.
    margin : float, str or mapping, optional
        Numeric values separate two rows only when they differ by at least this much.
    missing : {"value", "cautious"}
        Whether a missing value is one more value, or separates nothing.
    on_contradiction : {"warn", "raise"}
        What to do about rows that no feature separates though their classes differ.
    time_limit : float, optional
        Seconds.
    """

    method: ClassVar[Method]
    takes_blocks: ClassVar[bool] = False

    tolerance: float | str = 0.0
    margin: Margin | None = None
    missing: str = "value"
    on_contradiction: str = "warn"
    time_limit: float | None = None

    def __post_init__(self) -> None:
        check_tolerance(self.tolerance)
        if self.missing not in MISSING_RULES:
            raise ParameterError.from_choice("missing", self.missing, MISSING_RULES)
        if self.on_contradiction not in CONTRADICTION_RULES:
            raise ParameterError.from_choice("on_contradiction", self.on_contradiction, CONTRADICTION_RULES)
        check_time_limit(self.time_limit)

    @property
    def needs_memory(self) -> str | None:
        """Return what of these options needs all rows in memory, None if nothing does."""
        if not self.takes_blocks:
            return f"The method {self.method}"
        if self.tolerance == CROSS_VALIDATED or self.margin is not None or self.missing != "value":
            return "tolerance='cv', a margin or missing='cautious'"
        return None


class Focus1Options(CoverOptions):
    """Options of FOCUS-1."""

    method = Method.FOCUS1


@dataclass(frozen=True, kw_only=True)
class Focus2Options(CoverOptions):
    """Options of FOCUS-2: whether to keep its search tree, and how many bytes the conflicts may take."""

    method = Method.FOCUS2

    keep_trace: bool = False
    max_memory: float = DEFAULT_MAX_MEMORY

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_not_negative("max_memory", self.max_memory)


@dataclass(frozen=True, kw_only=True)
class MinFeaturesOptions(CoverOptions):
    """Options of MinFeatures: those of every search, and its own.

    Parameters
    ----------
    include, exclude : str, int, iterable of these, Boolean mask, or None
        Features that must, and that must not, be chosen, by name or position or as a mask over all features.
    costs : sequence or mapping, optional
        What features cost.
    feature_groups : list of lists of int or str, optional
        Features that enter together, and cost once: as much as the dearest of them.
    at_most : list of (int, list of int or str), optional
        Of these features, at most so many may be chosen; a group counts as one.
    any_of : list of lists of int or str, optional
        Of these features, one at least must be chosen.
    criterion : {"pairs", "chance"}
        Whether the tolerance is a fraction of all pairs of rows of different class, or of those that a subset which
        leaves as many pairs alike would leave unseparated by chance.
    """

    method = Method.MIN_FEATURES
    takes_blocks = True

    include: Features = ()
    exclude: Features = ()
    costs: Sequence[float] | Mapping[str, float] | None = None
    feature_groups: Sequence[Sequence[int | str]] | None = None
    at_most: Sequence[tuple[int, Sequence[int | str]]] | None = None
    any_of: Sequence[Sequence[int | str]] | None = None
    criterion: str = PAIRS

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.criterion not in (PAIRS, CHANCE):
            raise ParameterError.from_choice("criterion", self.criterion, (PAIRS, CHANCE))
        if self.criterion == CHANCE and (self.margin is not None or self.missing != "value"):
            raise ParameterError(
                "criterion='chance' counts rows that agree, and with a margin or missing='cautious' rows fall into no "
                "groups that do. Leave these out, or cut numeric columns into intervals first."
            )

    @property
    def needs_memory(self) -> str | None:
        """Return what of these options needs all rows in memory, None if nothing does."""
        return "criterion='chance'" if self.criterion == CHANCE else super().needs_memory


@dataclass(frozen=True, kw_only=True)
class MinDescriptionOptions:
    """Options of MinDescription: no tolerance, since noise has its price, and no margin, since numbers are cut.

    Parameters
    ----------
    include, exclude : str, int, iterable of these, Boolean mask, or None
        Features that must, and that must not, be chosen, by name or position or as a mask over all features.
    costs : sequence or mapping, optional
        Bits that each feature must save to be worth its choice, beside those of naming it.
    model : {"auto", "cells"}
        Describe the classes by cells of equal values, or, where that is shorter, by a sum of what features contribute.
    feature_groups : list of lists of int or str, optional
        Features that enter together.
    max_row_visits : float
        Work that the proof may take.
    time_limit : float, optional
        Seconds.
    """

    method: ClassVar[Method] = Method.MIN_DESCRIPTION

    include: Features = ()
    exclude: Features = ()
    costs: Sequence[float] | Mapping[str, float] | None = None
    model: str = AUTO
    feature_groups: Sequence[Sequence[int | str]] | None = None
    max_row_visits: float = 3e7
    time_limit: float | None = None

    def __post_init__(self) -> None:
        if self.model not in DESCRIPTIONS:
            raise ParameterError.from_choice("model", self.model, DESCRIPTIONS)
        _check_not_negative("max_row_visits", self.max_row_visits)
        check_time_limit(self.time_limit)


class MutualInformationGreedyOptions(CoverOptions):
    """Options of Mutual-Information-Greedy; missing values and margins are as by default."""

    method = Method.MIG
    takes_blocks = True


class SimpleGreedyOptions(CoverOptions):
    """Options of Simple-Greedy; missing values and margins are as by default."""

    method = Method.SG
    takes_blocks = True


class WeightedGreedyOptions(CoverOptions):
    """Options of Weighted-Greedy."""

    method = Method.WG


OPTIONS: dict[Method, type[CoverOptions]] = {
    options.method: options
    for options in (
        MinFeaturesOptions,
        Focus1Options,
        Focus2Options,
        MutualInformationGreedyOptions,
        SimpleGreedyOptions,
        WeightedGreedyOptions,
    )
}


def check_tolerance(tolerance: object) -> None:
    """Raise unless the tolerance is a fraction, or asks for cross-validation."""
    if isinstance(tolerance, str) and tolerance == CROSS_VALIDATED:
        return
    if isinstance(tolerance, bool) or not isinstance(tolerance, Real) or not 0 <= float(tolerance) <= 1:
        raise ParameterError(
            f"tolerance={tolerance!r} is no fraction of pairs. Give a number from 0 to 1, or 'cv' to have it chosen."
        )


def check_time_limit(time_limit: object) -> None:
    """Raise unless a time limit is a number of seconds, or None."""
    if time_limit is None:
        return
    _check_not_negative("time_limit", time_limit)
    if time_limit != time_limit:
        raise ParameterError("time_limit is NaN. Give a number of seconds, or None for no limit.")


def _check_not_negative(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ParameterError(f"{name}={value!r} is no number.")
    if value < 0:
        raise ParameterError(f"{name} == {value}, must be >= 0.")
