"""How a concept is learned and voted on, where the document leaves a choice."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from numbers import Real
from typing import Any

from fewest.cfp.kernels.growth import Rules
from fewest.exceptions import ParameterError

CHOICES = {
    "between": ("merge", "nearer"),
    "end_points": ("all", "points"),
    "silence": ("neutral", "wrong"),
    "vote": ("winner", "shares"),
}


@dataclass(frozen=True)
class Settings:
    """The choices of `CFPClassifier`, which documents them."""

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
        return asdict(self) | {"delta": float(self.delta), "inclusive": bool(self.inclusive)}
