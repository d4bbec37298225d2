"""The parameters of CFP and GA-CFP, their defaults and their checks.

The paper has no defaults; these are the program's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from numbers import Real
from typing import Any

import numpy as np

from fewest.cfp.kernels.growth import Rules
from fewest.estimators.options import check_count
from fewest.exceptions import ParameterError

CHOICES = {
    "between": ("merge", "nearer"),
    "end_points": ("all", "points"),
    "silence": ("neutral", "wrong"),
    "vote": ("winner", "shares"),
}

Limit = float | str | Sequence[float | str] | np.ndarray
"""A generalisation limit: a number in a feature's unit, a text such as ``"2%"`` or ``"0.5 sd"``, or one for each."""


@dataclass(frozen=True)
class Settings:
    """How a concept is learned and voted on, where the paper leaves a choice; `CFPClassifier` documents the fields."""

    delta: float = 2.0
    inclusive: bool = False
    between: str = "merge"
    end_points: str = "all"
    silence: str = "neutral"
    vote: str = "winner"

    def __post_init__(self) -> None:
        for option, choices in CHOICES.items():
            if getattr(self, option) not in choices:
                raise ParameterError.from_choice(option, getattr(self, option), choices)
        delta: Any = self.delta
        if isinstance(delta, bool) or not isinstance(delta, Real) or not 0 <= float(delta) < 100:
            raise ParameterError(
                f"delta={self.delta!r} is no percentage by which a weight can fall and still be a weight. "
                "Give a number from 0, which keeps all weights equal, to below 100."
            )

    @property
    def rules(self) -> Rules:
        """Return the choices in the form that kernels take."""
        return Rules(bool(self.inclusive), self.between == "merge", self.end_points == "all", self.silence == "wrong")

    def to_record(self) -> dict[str, Any]:
        """Return plain data, for a model file."""
        kept = {field.name: getattr(self, field.name) for field in fields(Settings)}
        return kept | {"delta": float(self.delta), "inclusive": bool(self.inclusive)}


@dataclass(frozen=True)
class CFPOptions(Settings):
    """The options of `CFPClassifier`: the settings that a concept keeps, and the limit, which depends on the data."""

    limit: Limit = "2%"


DEFAULTS = CFPOptions()


@dataclass(frozen=True)
class GACFPOptions:
    """The options of `GACFPClassifier`; evolution chooses the limits and delta."""

    population_size: int = 20
    n_generations: int = 30
    patience: int = 8
    cv: int = 3
    inclusive: bool = Settings.inclusive
    between: str = Settings.between
    end_points: str = Settings.end_points
    silence: str = Settings.silence

    def __post_init__(self) -> None:
        for name, least in (("population_size", 5), ("n_generations", 1), ("patience", 1), ("cv", 2)):
            check_count(name, getattr(self, name), least)
        self.cfp_options()

    def cfp_options(self, delta: float = Settings.delta, limit: Limit = CFPOptions.limit) -> CFPOptions:
        """Return CFP's options with a delta and limits that evolution chose."""
        return CFPOptions(delta, self.inclusive, self.between, self.end_points, self.silence, limit=limit)
