"""Text that means numbers or dates: which spelling a column has, and the numbers that it stands for.

``1.234,56``, ``1,234.56``, ``$7,265.28``, ``7 %`` and ``(1,234.50)`` are numbers, and ``2024-01-31``, ``31.01.2024``
and ``01/31/2024`` are dates, which become days since 1970-01-01. All values of a column decide together: what one of
them leaves open, such as the order of day and month, another may settle. What cannot be settled is decided by
convention, and the record that goes with the column says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from itertools import islice
from typing import Protocol

import numpy as np
import pyarrow as pa

from fewest.exceptions import ParameterError
from fewest.table.arrow_arrays import as_numpy
from fewest.table.builder import NotNumbersError
from fewest.table.column import MISSING, Column, Kind
from fewest.table.text_columns import survives

DATE = "date"
"""What ``kinds`` calls a column of dates, which is numeric once it is read."""

# A column is looked at more closely if one of its first labels means something, and a column of which this share fits
# a spelling says which value does not.
_FIRST_LABELS = 20
_NEARLY_ALL = 0.8

_CURRENCY = "[$€£¥₹]|USD|EUR|GBP|CHF|JPY"
_AFFIXES = re.compile(
    rf"(?P<open>\()?\s*(?P<sign>[+\-−])?\s*(?P<before>{_CURRENCY})?\s*(?P<inner>[+\-−])?"
    rf"(?P<digits>[\d.,'’   ]*\d[.,]?(?:e[+-]?\d+)?)"
    rf"\s*(?P<after>{_CURRENCY})?\s*(?P<percent>%)?\s*(?P<close>\))?",
    re.IGNORECASE,
)
_SPACES = "   "
_APOSTROPHES = "'’"
_PLAIN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?", re.IGNORECASE | re.ASCII)
_DATE = re.compile(
    r"(?P<a>\d{1,4})(?P<sep>[-./])(?P<b>\d{1,2})(?P=sep)(?P<c>\d{1,4})"
    r"(?:[T ](?P<h>\d{1,2}):(?P<m>\d{2})(?::(?P<s>\d{2})(?P<f>\.\d+)?)?\s?(?P<zone>Z|[+-]\d{2}:?\d{2})?)?",
    re.ASCII,
)
_PLACES = {"year": ("a", "b", "c"), "day": ("c", "b", "a"), "month": ("c", "a", "b")}
_EPOCH = datetime(1970, 1, 1)
_SECONDS_A_DAY = 86_400


class Spelling(Protocol):
    """A way in which text means numbers."""

    def value(self, text: str) -> float | None:
        """Return the number that a text means; None if it means none in this spelling."""

    def __str__(self) -> str:
        """Return what the texts are, in words."""


@dataclass(frozen=True)
class Numbers:
    """Numbers with a decimal sign, a sign between thousands, and what stands before or after them.

    Parameters
    ----------
    decimal : str
        ``"."`` or ``","``.
    thousands : str
        One of ``",. '"``, where a space stands for any and an apostrophe for either, or nothing for no such sign.
    currency : str
        What stands before or after every number; nothing for no currency.
    percent : bool
        Whether a percent sign follows every number.
    has_signs : bool
        Whether some number has a point or a comma, so that it matters what they mean.
    """

    decimal: str = "."
    thousands: str = ","
    currency: str = ""
    percent: bool = False
    has_signs: bool = True

    def value(self, text: str) -> float | None:
        """Return the number that a text means; None if it means none in this spelling."""
        parts = _AFFIXES.fullmatch(text)
        if parts is None or (parts["open"] is None) != (parts["close"] is None):
            return None
        currencies = [sign.upper() for sign in (parts["before"], parts["after"]) if sign]
        if currencies != ([self.currency] if self.currency else []) or (parts["percent"] is not None) != self.percent:
            return None
        digits = parts["digits"].strip()
        if not self._shape.fullmatch(digits):
            return None
        signs = [sign for sign in (parts["sign"], parts["inner"]) if sign]
        if len(signs) + (parts["open"] is not None) > 1:
            return None
        plain = (re.sub(self._separator, "", digits) if self.thousands else digits).replace(self.decimal, ".")
        if not survives(plain):
            return None  # an identifier, which a float would confuse with its neighbors
        number = float(plain)
        return -number if parts["open"] or signs in (["-"], ["−"]) else number

    @cached_property
    def _separator(self) -> str:
        signs = {" ": _SPACES, "'": _APOSTROPHES}.get(self.thousands, self.thousands)
        return f"[{re.escape(signs)}]"

    @cached_property
    def _shape(self) -> re.Pattern[str]:
        """Return the pattern of the digits. A zero before the first separator, or before digits, is no number's."""
        fraction = rf"(?:{re.escape(self.decimal)}\d*)?"
        grouped = rf"[1-9]\d{{0,2}}(?:{self._separator}\d{{3}})+{fraction}|" if self.thousands else ""
        whole = rf"(?:0|[1-9]\d*){fraction}|{re.escape(self.decimal)}\d+"
        return re.compile(rf"{grouped}(?:{whole})(?:e[+-]?\d+)?", re.IGNORECASE | re.ASCII)

    def __str__(self) -> str:
        what = "percentages" if self.percent else f"amounts in {self.currency}" if self.currency else "numbers"
        return f"{what} with {self.decimal!r} before the decimals" if self.has_signs else what


@dataclass(frozen=True)
class Dates:
    """Dates, with or without a time of day, as days since 1970-01-01.

    Parameters
    ----------
    order : {"year", "day", "month"}
        What comes first: ``2024-01-31``, ``31.01.2024`` or ``01/31/2024``.
    """

    order: str = "year"

    def value(self, text: str) -> float | None:
        """Return the days since 1970-01-01, and the part of the day, in UTC where a zone is given."""
        found = _DATE.fullmatch(text)
        if found is None:
            return None
        year, month, day = _PLACES[self.order]
        if len(found[year]) != 4:
            return None
        try:
            moment = datetime(int(found[year]), int(found[month]), int(found[day]))
            if found["h"] is None:
                return float((moment - _EPOCH).days)
            moment = moment.replace(hour=int(found["h"]), minute=int(found["m"]), second=int(found["s"] or 0))
            if found["zone"]:
                zone = "+0000" if found["zone"] == "Z" else found["zone"].replace(":", "")
                moment = datetime.strptime(f"{moment:%Y-%m-%dT%H:%M:%S}{zone}", "%Y-%m-%dT%H:%M:%S%z")
                moment = moment.astimezone(UTC).replace(tzinfo=None)
        except (ValueError, OverflowError):
            return None
        return ((moment - _EPOCH).total_seconds() + float(found["f"] or 0)) / _SECONDS_A_DAY

    def __str__(self) -> str:
        order = {"year": "year, month, day", "day": "day, month, year", "month": "month, day, year"}[self.order]
        return f"dates ({order}), as days since 1970-01-01"


@dataclass(frozen=True)
class Understood:
    """What was understood of a column of text.

    Parameters
    ----------
    column : str
        Its name.
    what : str
        What it was read as, in words.
    example : str
        One of its values, as written; of a column that stayed text, the value that did not fit.
    value : float or None
        What the example was read as; None if it stayed text.
    row : int or None
        The row of the value that did not fit, counted from 0; None where all do.
    is_ambiguous : bool
        Whether all values could be read otherwise, too, and convention decided.
    """

    column: str
    what: str
    example: str
    value: float | None = None
    row: int | None = None
    is_ambiguous: bool = False

    @property
    def is_read(self) -> bool:
        """Return whether the column became numeric."""
        return self.value is not None

    def __str__(self) -> str:
        if self.value is None:
            where = "" if self.row is None else f" in row {self.row}"
            return (
                f"Column {self.column!r} looks like {self.what}, but {self.example!r}{where} does not, so it stays "
                "text. "
                "Correct the value, or name it as a spelling of a missing one (--null, null_values=...)."
            )
        doubt = ""
        if self.is_ambiguous:
            remedy = (
                "Write dates as year-month-day"
                if "date" in self.what
                else "Say which is which (--decimal, decimal=...)"
            )
            doubt = f" The values could be read otherwise, too. {remedy} if that is meant."
        return f"Column {self.column!r} was read as {self.what}: {self.example!r} is {self.value:.10g}.{doubt}"


@dataclass(frozen=True)
class Hints:
    """What the user says of all numbers: the decimal sign and that between thousands; None leaves it to the values."""

    decimal: str | None = None
    thousands: str | None = None

    @classmethod
    def from_request(cls, decimal: str | None, thousands: str | None) -> Hints:
        """Check what the user says."""
        if decimal not in (None, ".", ","):
            raise ParameterError.from_choice("decimal", decimal, (".", ","))
        if thousands not in (None, "", ".", ",", " ", "'"):
            raise ParameterError.from_choice("thousands", thousands, (".", ",", " ", "'", "''"))
        if decimal is not None and decimal == thousands:
            raise ParameterError(f"decimal={decimal!r} cannot stand between thousands, too. Name two different signs.")
        return cls(decimal, thousands)

    def formats(self) -> list[tuple[str, str]]:
        """Return the pairs of signs to try, the most common first."""
        pairs = [(".", ","), (",", "."), (".", " "), (",", " "), (".", "'"), (",", "'")]
        if self.thousands is not None:
            decimals = [self.decimal] if self.decimal else [sign for sign in ".," if sign != self.thousands]
            return [(decimal, self.thousands) for decimal in decimals]
        return [pair for pair in pairs if self.decimal in (None, pair[0])]


def are_plain(texts: Iterable[object]) -> bool:
    """Return whether all texts are numbers as programs write them, such as ``-1.5e3``."""
    return all(_PLAIN.fullmatch(str(text)) for text in texts)


def spellings_of(texts: Sequence[str], hints: Hints, *, dates_only: bool = False) -> list[Spelling]:
    """Return the spellings in which all texts mean something, the most likely first."""
    fitting = _candidates(texts, hints, dates_only)
    for text in texts:
        fitting = [spelling for spelling in fitting if spelling.value(text) is not None]
        if not fitting:
            break
    return fitting


def _candidates(texts: Sequence[str], hints: Hints, dates_only: bool) -> list[Spelling]:
    """Return the spellings that the first texts allow; none for ordinary text, which most columns are."""
    found: dict[Spelling, None] = {}
    for text in islice(texts, _FIRST_LABELS):
        if _DATE.fullmatch(text):
            slashes = "/" in text
            for order in ("year", "month", "day") if slashes else ("year", "day", "month"):
                found[Dates(order)] = None
        elif not dates_only and (parts := _AFFIXES.fullmatch(text)) is not None:
            currency = (parts["before"] or parts["after"] or "").upper()
            for decimal, thousands in hints.formats():
                found[Numbers(decimal, thousands, currency, parts["percent"] is not None)] = None
    return list(found)


def understand(column: Column, hints: Hints, *, as_dates: bool = False) -> tuple[Spelling | None, Understood | None]:
    """Return the spelling of a nominal column of text, and the record of it; None where it is ordinary text.

    Parameters
    ----------
    column : Column
        Nominal, by the labels of its text.
    hints : Hints
    as_dates : bool
        Whether the user has declared it to hold dates.
    """
    labels = [str(label) for label in column.labels]
    is_on_purpose = hints.decimal != "," and not as_dates and are_plain(labels)  # as text that a program has made is
    if not labels or is_on_purpose:
        return None, None
    fitting = spellings_of(labels, hints, dates_only=as_dates)
    if not fitting:
        return None, _misfit(column, labels, hints, as_dates)
    spelling = fitting[0]
    if isinstance(spelling, Numbers):
        if spelling.thousands == " " and len(set(map(len, labels))) == 1 < len(labels):
            return None, None  # groups of digits, all of one length, are a code such as a telephone number
        spelling = replace(spelling, has_signs=shows_signs(labels))
    values = {tuple(other.value(label) for label in labels) for other in fitting[:6]}
    example = max(labels, key=len)
    return spelling, Understood(column.name, str(spelling), example, spelling.value(example), None, len(values) > 1)


def _misfit(column: Column, labels: list[str], hints: Hints, as_dates: bool) -> Understood | None:
    """Return the record of a column nearly all of whose values mean something, with the first that does not."""
    for spelling in _candidates(labels, hints, as_dates):
        others = [code for code, label in enumerate(labels) if spelling.value(label) is None]
        if 0 < len(others) <= (1 - _NEARLY_ALL) * len(labels):
            rows = np.flatnonzero(np.isin(column.values, others))
            first = int(rows[0]) if len(rows) else None
            example = labels[others[0] if first is None else int(column.values[first])]
            return Understood(column.name, str(spelling).split(",")[0].split(" (")[0], example, None, first)
    return None


def spelled(column: Column, spelling: Spelling) -> Column:
    """Return a nominal column of text as the numeric one that it means."""
    numbers = [spelling.value(str(label)) for label in column.labels]
    floats = np.array([*(np.nan if number is None else number for number in numbers), np.nan])
    return Column(column.name, Kind.NUMERIC, floats[np.where(column.values == MISSING, len(numbers), column.values)])


@dataclass(frozen=True)
class SpelledParser:
    """Parses the texts of a column in its spelling; raises `NotNumbersError` where one is none."""

    spelling: Spelling
    null_values: frozenset[str]

    def __call__(self, values: pa.Array) -> np.ndarray:
        """Return values as floats, NaN for missing ones."""
        if pa.types.is_dictionary(values.type):
            values = values.dictionary_decode()
        encoded = values.cast(pa.string()).dictionary_encode()
        numbers = [self._value(text.strip()) for text in encoded.dictionary.to_pylist()]
        indices = as_numpy(encoded.indices.cast(pa.int64()), null=len(numbers))
        return np.array([*numbers, np.nan])[indices]

    def _value(self, text: str) -> float:
        if text in self.null_values:
            return np.nan
        number = self.spelling.value(text)
        if number is None:
            raise NotNumbersError
        return number


def shows_signs(labels: Iterable[object]) -> bool:
    """Return whether some of the labels have a point or a comma."""
    return any("." in str(label) or "," in str(label) for label in labels)


def common_decimal(spellings: Iterable[Spelling]) -> str | None:
    """Return the decimal sign of the numbers among some spellings if they agree on one."""
    decimals = {spelling.decimal for spelling in spellings if isinstance(spelling, Numbers)}
    return decimals.pop() if len(decimals) == 1 else None
