"""Columns that come as text: numeric or nominal, by the spelling of their values.

``1``, ``-0.5``, ``+2e3`` and ``inf`` are numeric values. ``007`` is a label, since its zeros would be lost, and so is
a number of more digits than a float can keep, since it would become equal to its neighbor.

A float has 15 digits for sure. A longer number is safe if its float, written with as many digits, is the number again:
then no other number of this length has the same float. So ``0.1000000000000000055511151231257827``, which is how some
programs write the float 0.1, is safe, and ``12345678901234567891`` is not.

Amounts, percentages and dates as people write them (``1.234,56``, ``$7,265.28``, ``7 %``) are read in `spellings`.
Here the way for each column is chosen; `builder.InferringBuilder` decides as values come, and `blocks.schema.agree` for
all pieces of a source.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Sequence
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fewest.table.arrow_arrays import as_numpy, from_numpy, from_texts
from fewest.table.builder import ColumnBuilder, InferringBuilder, NominalBuilder, NotNumbersError, NumericBuilder, Parse
from fewest.table.column import Kind

LARGEST_EXACT_INTEGER = 2**53

_SAMPLE_ROWS = 1024
_FEW_ROWS = 32
_MOST_REMEMBERED = 10_000
_SAFE_LENGTH = 15
_SMALLEST_NORMAL = np.finfo(np.float64).tiny
_NUMBER = re.compile(r"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?)", re.IGNORECASE | re.ASCII)
_LOOKS_LIKE_A_NUMBER = r"^[+-]?(?:[0-9]|\.[0-9]|[iI][nN][fF])"
_LEADING_ZERO = "^[+-]?0[0-9]"


class TextColumns:
    """Creates the builders for the columns of a file that come as text.

    The columns share what they parse with: a thousand columns of zeros and
    ones then parse two texts.

    Parameters
    ----------
    null_values : tuple of str
        The spellings of a missing value, compared after trimming.
    """

    def __init__(self, null_values: tuple[str, ...]):
        self._null_values = null_values
        self._exact_numbers = _Parser(parse_exact_numbers, null_values)
        self._numbers = _Parser(parse_numbers, null_values)
        self._spell = partial(_labels, null_values=frozenset(null_values))

    def builder(self, name: str, declared: Kind | None = None) -> ColumnBuilder:
        """Return the builder for a column, whose values decide what it is unless the user has declared it."""
        if declared is Kind.NUMERIC:
            find_fault = partial(_first_fault, null_values=self._null_values)
            return NumericBuilder(name, self._numbers, by_value=False, find_fault=find_fault)
        if declared is not None:
            return NominalBuilder(name, self._spell, declared)
        numbers = NumericBuilder(name, self._exact_numbers, by_value=True)
        return InferringBuilder(numbers, partial(NominalBuilder, name, self._spell))


def _labels(values: pa.Array, null_values: frozenset[str]) -> Sequence[str | None]:
    texts = (text.strip() for text in values.to_pylist())
    return [None if text in null_values else text for text in texts]


class _Parser:
    """Parses each distinct text once where texts repeat a lot, as zeros and ones do, and every row's text elsewhere."""

    def __init__(self, parse: Parse, null_values: tuple[str, ...]):
        self._parse, self._null_values = parse, null_values
        self._is_null_a_number = any(is_number(text) for text in null_values)
        self._known: dict[str, float] = {}

    def __call__(self, values: pa.Array) -> np.ndarray:
        if len(values) <= _FEW_ROWS:
            return self._look_up_each(values.to_pylist())
        sample = values.slice(0, _SAMPLE_ROWS)
        if len(pc.unique(sample)) > len(sample) / 8:
            return self._parse_each(values)
        encoded = pc.dictionary_encode(values)
        distinct = self._look_up(encoded.dictionary.to_pylist())
        indices = as_numpy(encoded.indices, null=-1)
        return np.array([*distinct, np.nan])[indices]  # the last one is what -1, for null, finds

    def recognise(self, values: pa.Array) -> np.ndarray:
        """Return which texts are spelled like numbers, or missing; the others are none."""
        looks = pc.match_substring_regex(trimmed(values, self._null_values), _LOOKS_LIKE_A_NUMBER)
        return as_numpy(looks, null=True)

    def _parse_each(self, values: pa.Array) -> np.ndarray:
        """Parse without trimming, which would take longer than parsing, unless there is something to trim."""
        if not self._is_null_a_number:
            with contextlib.suppress(NotNumbersError):
                return self._parse(values)
        return self._parse(trimmed(values, self._null_values))

    def _look_up_each(self, texts: list[str | None]) -> np.ndarray:
        """Parse few rows by what other columns have shown: in a wide file, calls of Arrow would take longest."""
        present = [text for text in texts if text is not None]
        floats = dict(zip(present, self._look_up(present), strict=True))
        return np.array([np.nan if text is None else floats[text] for text in texts], dtype=np.float64)

    def _look_up(self, texts: list[str]) -> list[float]:
        new = [text for text in texts if text not in self._known]
        if new:
            floats = self._parse(trimmed(from_texts(new), self._null_values))
            self._known.update(zip(new, floats.tolist(), strict=True))
        found = [self._known[text] for text in texts]
        if len(self._known) > _MOST_REMEMBERED:
            self._known.clear()
        return found


def _first_fault(values: pa.Array, null_values: tuple[str, ...]) -> int:
    return first_non_number(trimmed(values, null_values))


# ---------------------------------------------------------------------- numbers


def trimmed(texts: pa.Array, null_values: tuple[str, ...]) -> pa.Array:
    """Return the texts without surrounding white space, with nulls for the spellings of a missing value."""
    texts = pc.utf8_trim_whitespace(texts)
    missing = pc.is_in(texts, value_set=from_texts(null_values).cast(texts.type), skip_nulls=True)
    return pc.if_else(missing, pa.nulls(1, texts.type)[0], texts) if missing.true_count else texts


def parse_exact_numbers(texts: pa.Array) -> np.ndarray:
    """Return the texts as floats, NaN for null; raise `NotNumbersError` unless each one is kept exactly."""
    floats = parse_numbers(texts)
    if pc.match_substring_regex(texts, _LEADING_ZERO).true_count or not all_survive(texts, floats):
        raise NotNumbersError
    return floats


def parse_numbers(texts: pa.Array) -> np.ndarray:
    """Return the texts as floats, NaN for null, taking ``007`` and long numbers for what they spell, rounded."""
    try:
        numbers = texts.cast(pa.float64())
    except pa.ArrowInvalid:
        raise NotNumbersError from None
    floats = as_numpy(numbers)
    if np.isnan(floats).sum() > numbers.null_count:  # a "nan" that was not declared to spell a missing value is a word
        raise NotNumbersError
    return floats


def is_number(text: str) -> bool:
    """Return whether a text spells a decimal number, finite or infinite.

    >>> [is_number(text) for text in ("-1.5e3", "inf", "0x10", "1_000", "nan")]
    [True, True, False, False, False]
    """
    return _NUMBER.fullmatch(text) is not None


def first_non_number(texts: pa.Array) -> int:
    """Return the position of the first text that is no number."""
    for i, text in enumerate(texts.to_pylist()):
        if text is not None and not is_number(text):
            return i
    return 0


def survives(text: str) -> bool:
    """Return whether a number in text has a float that no other number of its length has.

    An integer beyond 2**53 is refused even if a float can hold it: it is an
    identifier, and so are its neighbors.

    >>> [survives(text) for text in ("0.1", "9007199254740993", "1e20", "1e400", "inf")]
    [True, False, True, False, True]
    """
    number, digits = float(text), _digits(text)
    if not digits.isdecimal():
        return True  # zero or infinity
    is_integer = text.lstrip("+-").isdecimal()
    if math.isinf(number) or (is_integer and abs(number) > LARGEST_EXACT_INTEGER):
        return False
    # The shortest text of a float, where it lies between two, need not be the one that formatting rounds to.
    return digits == _digits(f"{number:.{len(digits) - 1}e}") or digits == _digits(repr(number))


def _digits(number: str) -> str:
    """Return the digits between the first and the last that is not zero."""
    mantissa = number.lower().partition("e")[0]
    return mantissa.replace(".", "").lstrip("+-").strip("0")


def all_survive(texts: pa.Array, floats: np.ndarray) -> bool:
    """Return whether each number in text survives being read as its float; NaN stands for null."""
    sizes = np.abs(floats)
    lengths = as_numpy(pc.binary_length(texts))
    suspect = (lengths > _SAFE_LENGTH) | np.isinf(floats) | (sizes < _SMALLEST_NORMAL)
    if not suspect.any():
        return True
    texts, floats = texts.filter(from_numpy(suspect)), floats[suspect]
    # Most long numbers are the shortest that give their float, as Arrow writes it: no need to look at each one.
    is_shortest = as_numpy(pc.equal(from_numpy(floats).cast(pa.string()), texts))
    rest = texts.filter(from_numpy(~is_shortest | (sizes[suspect] > LARGEST_EXACT_INTEGER)))
    return all(map(survives, set(rest.to_pylist())))
