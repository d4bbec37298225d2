"""The quantities that bounds relate: their names, meanings and ranges, and those that several bounds share."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, nan

from fewest.exceptions import ParameterError


@dataclass(frozen=True)
class Quantity:
    """One number of a bound.

    Parameters
    ----------
    name : str
        As the command line spells it.
    meaning : str
        After "n:", what it counts or measures.
    low, high : float
        For whole numbers the ends; for others those of the open interval.
    effect : {-1, 0, 1}
        Whether the result falls, or grows, as this grows; 0 if it may do either, so that it is never solved for.
    default : str
        What is taken if it is not given, in words; "" if it must be given.
    """

    name: str
    meaning: str
    is_whole: bool = True
    low: float = 1
    high: float = inf
    effect: int = 0
    default: str = ""

    def read(self, value: object) -> float:
        """Return a number of the right kind, from a number or its text."""
        kind = "a whole number" if self.is_whole else "a number"
        try:
            if self.is_whole and str(value).lstrip("+-").isdigit():
                return int(str(value))  # of any size
            number = float(value)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            number = nan
        if not isfinite(number) or (self.is_whole and number != int(number)):
            raise ParameterError(f"{self.name}={value!r} is not {kind}. It is {self.meaning}: give {kind}.")
        return int(number) if self.is_whole else number


def share(name: str, meaning: str, effect: int = -1, high: float = 1.0) -> Quantity:
    """Return a quantity between 0 and 1, or a smaller upper end."""
    return Quantity(name, meaning, is_whole=False, low=0.0, high=high, effect=effect)


def features(effect: int = 1) -> Quantity:
    """Return n, the number of features."""
    return Quantity("n", "features", effect=effect)


EPSILON = share("epsilon", "the error allowed")
DELTA = share("delta", "the probability of failing")
EXAMPLES = Quantity("m", "examples")
DIMENSION = Quantity("d", "VC dimension")


def check_share(name: str, value: float) -> float:
    """Return a value between 0 and 1, and refuse any other."""
    if not 0 < value < 1:
        raise ParameterError(f"{name}={value!r} is not between 0 and 1, so the bound says nothing. Give 0.05, say.")
    return value
