"""A bound as a relation between quantities: give all but one, and the one left out is calculated.

A quantity has a name, a meaning and a range; those that several bounds share stand here too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from math import exp, inf, isfinite, log, log2, nan

from fewest.exceptions import ParameterError

# Whole numbers are looked for up to here; what still fits is as good as any number.
LARGEST = 10**18
# Digits in which a whole number is written out.
MOST_DIGITS = 60
# Halvings of an interval of reals: more than a float resolves.
HALVINGS = 120
# How close to the ends of an open interval a real number is looked for.
CLOSEST = 1e-300


@dataclass(frozen=True)
class Answer:
    """What a bound gives: the quantity asked for, its value, all values, and the sentence."""

    name: str
    asked: str
    value: float
    values: Mapping[str, float]
    sentence: str
    source: str


@dataclass(frozen=True)
class Bound:
    """A theorem that can be asked.

    Parameters
    ----------
    name : str
    sentence : str
        What it states, with the quantities in braces.
    source : str
    result : Quantity
        What ``calculate`` returns.
    parameters : tuple of Quantity
        What it is given, by name.
    calculate : callable

    Examples
    --------
    >>> from fewest.bounds.catalogue import all_bounds
    >>> bound = all_bounds()["min-features"]
    >>> bound.ask(n=100, p=3, epsilon=0.1, delta=0.05).value
    224
    >>> bound.ask(p=3, epsilon=0.1, delta=0.05, m=1000).value  # among how many features?
    17380385693528
    """

    name: str
    sentence: str
    source: str
    result: Quantity
    parameters: tuple[Quantity, ...]
    calculate: Callable[..., float] = field(repr=False)

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """Return all quantities, the result last."""
        return (*self.parameters, self.result)

    def ask(self, **given: object) -> Answer:
        """Calculate the one quantity that is not given."""
        known = self._read(given)
        asked = self._asked(known)
        value = self._calculated(known) if asked is self.result else self._solved(asked, known)
        values = {**known, asked.name: value}
        return Answer(self.name, asked.name, value, values, self._stated(values), self.source)

    def sweep(self, name: str, points: Sequence[float], **given: object) -> Iterator[Answer]:
        """Ask again for every value of one quantity; where the theorem does not hold, there is no answer."""
        n_answers = 0
        for point in points:
            try:
                yield self.ask(**{**given, name: point})
                n_answers += 1
            except ParameterError:
                if n_answers or point != points[-1]:
                    continue
                raise  # nowhere: with the reason

    def quantity(self, name: str) -> Quantity:
        """Return the quantity of a name."""
        for quantity in self.quantities:
            if quantity.name == name:
                return quantity
        raise ParameterError.from_choice(
            f"The quantity of {self.name}", name, [quantity.name for quantity in self.quantities]
        )

    def _read(self, given: Mapping[str, object]) -> dict[str, float]:
        known = {name: self.quantity(name).read(value) for name, value in given.items() if value is not None}
        return {quantity.name: known[quantity.name] for quantity in self.quantities if quantity.name in known}

    def _asked(self, known: Mapping[str, float]) -> Quantity:
        """Return the one quantity that is left out."""
        missing = [quantity for quantity in self.parameters if quantity.name not in known and not quantity.default]
        if self.result.name not in known:
            missing.append(self.result)
        if len(missing) == 1:
            return missing[0]
        if not missing:
            raise ParameterError(f"Nothing is left to calculate. Leave out {self.result.name}, or another quantity.")
        names = [f"{quantity.name} ({quantity.meaning})" for quantity in missing]
        raise ParameterError(
            f"{self.name} needs all quantities but the one to calculate; {len(missing)} are missing: "
            f"{', '.join(names)}. Give all but one of these."
        )

    def _value(self, known: Mapping[str, float]) -> float:
        return self.calculate(**{name: value for name, value in known.items() if name != self.result.name})

    def _calculated(self, known: Mapping[str, float]) -> float:
        """Return the result, or refuse quantities whose result no number could hold."""
        try:
            return self._value(known)
        except ArithmeticError:
            raise ParameterError(
                f"{self.result.name} is larger than any number that could be written down. Give smaller quantities."
            ) from None

    def _solved(self, asked: Quantity, known: Mapping[str, float]) -> float:
        """Return the extreme value at which the result does not exceed what was given for it."""
        if not asked.effect:
            raise ParameterError(
                f"{self.name} cannot be solved for {asked.name}, with which its result may grow or fall. Give it."
            )
        limit = known[self.result.name]

        def fits(value: float) -> bool | None:
            try:
                return self._value({**known, asked.name: value}) <= limit
            except ParameterError:
                return None  # outside of what the theorem is about
            except ArithmeticError:
                return False  # more than any number

        found = (_whole if asked.is_whole else _real)(asked, fits)
        if found is None:
            raise ParameterError(
                f"No {asked.name} ({asked.meaning}) makes {self.result.name} as small as {limit:g}. "
                f"Allow a larger {self.result.name}, or change another quantity."
            )
        return found

    def _stated(self, values: Mapping[str, float]) -> str:
        texts = {quantity.name: quantity.default for quantity in self.parameters if quantity.default}
        return self.sentence.format(**{**texts, **{name: shown(value) for name, value in values.items()}})


def require(holds: bool, fact: str, condition: str) -> None:
    """Refuse values for which a theorem promises nothing, naming the condition that they break."""
    if not holds:
        raise ParameterError(f"{fact}, but the theorem holds for {condition} only, so it gives no bound.")


def shown(value: float) -> str:
    """Write a number for people: whole numbers in full, very large ones and others with five digits.

    >>> shown(1234567), shown(0.1234567), shown(float("inf")), shown(3**1000)
    ('1,234,567', '0.12346', 'any number', '1.3221e+477')
    """
    if value == inf:
        return "any number"
    if isinstance(value, int):
        return f"{value:,}" if value.bit_length() <= MOST_DIGITS * log2(10) else f"{Decimal(value):.4e}"
    return f"{value:.5g}"


def _whole(asked: Quantity, fits: Callable[[float], bool | None]) -> float | None:
    """Return the smallest whole number that fits if the result falls with it, the largest if it grows."""
    most = int(min(asked.high, LARGEST))
    low = _first_inside(int(asked.low), most, fits)
    if low is None:
        return None
    wanted = asked.effect > 0  # numbers fit at first, then no longer; or the other way round
    if fits(low) != wanted:
        return None if wanted else low
    step = 1
    while low + step <= most and fits(low + step) == wanted:
        low, step = low + step, 2 * step
    high = min(low + step, most + 1)
    if high > most and wanted:
        return inf if asked.high == inf else most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) == wanted else (low, middle)
    found = low if wanted else high
    return found if fits(found) else None


def _first_inside(low: int, most: int, fits: Callable[[float], bool | None]) -> int | None:
    """Return the smallest whole number that the theorem is about."""
    if fits(low) is not None:
        return low
    step = 1
    while fits(low + step) is None:
        step *= 2
        if low + step > most:
            return None
    low, high = low + step // 2, low + step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) is None else (low, middle)
    return high


def _real(asked: Quantity, fits: Callable[[float], bool | None]) -> float | None:
    """Return the same among reals, by halving on a scale that is fine at the ends."""
    if asked.high < inf:
        span = asked.high - asked.low
        low, high = log(CLOSEST), -log(CLOSEST)

        def place(x: float) -> float:
            return asked.low + span / (1 + exp(-x))
    else:
        low, high = log(CLOSEST), log(LARGEST)

        def place(x: float) -> float:
            return asked.low + exp(x)

    wanted = asked.effect > 0
    if fits(place(low)) != wanted:
        return None if wanted else place(low)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if fits(place(middle)) == wanted else (low, middle)
    found = place(low if wanted else high)
    return found if fits(found) else None


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
