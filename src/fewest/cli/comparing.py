"""When two rows count as separated, and how many pairs need not be: what ``select`` and ``train`` have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    from fewest.cover.options import Margin


@dataclass(frozen=True)
class Comparing:
    """The options that say how rows are compared."""

    missing: str = "value"
    margin: Margin | None = None
    tolerance: float | str = 0.0

    @classmethod
    def parse(cls, missing: str, margins: Sequence[str] | None, tolerance: str) -> Comparing:
        """Understand the options, or raise."""
        return cls(missing, parse_margin(margins), parse_tolerance(tolerance))

    def options(self) -> dict[str, Any]:
        """Return them by the names that the options of every cover method have."""
        return asdict(self)


def parse_margin(margins: Sequence[str] | None) -> Margin | None:
    """Return one margin for all numeric columns, or one each by name."""
    if not margins:
        return None
    if len(margins) == 1 and "=" not in margins[0]:
        return margins[0]
    named: dict[str | int, float | str] = {}
    for assignment in margins:
        name, equals, margin = assignment.rpartition("=")
        if not equals:
            raise ParameterError(f"--margin {assignment} names no column, such as age={assignment}, but others do.")
        named[name] = margin
    return named


def parse_tolerance(text: str) -> float | str:
    """Return the tolerance as a number, or ``cv``."""
    from fewest.cover.options import check_tolerance

    try:
        tolerance: float | str = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        tolerance = text
    check_tolerance(tolerance)
    return tolerance
