"""Numbers in text: which spellings are quantities, and which are names made of digits.

``1``, ``-0.5``, ``+2e3`` and ``inf`` are quantities. ``007`` is a name, since
its zeros would be lost, and so is an integer beyond 2**53, since a float
would make it equal to its neighbour.
"""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

LARGEST_EXACT_INTEGER = 2**53

_NUMBER = re.compile(r"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?)", re.IGNORECASE | re.ASCII)
_LEADING_ZERO = "^[+-]?0[0-9]"
_INTEGER = "^[+-]?[0-9]+$"


class NotNumbersError(Exception):
    """Internal signal: the values are not all quantities."""


def trimmed(texts: pa.Array, null_values: tuple[str, ...]) -> pa.Array:
    """Return the texts without surrounding white space, with nulls for the spellings of a missing value."""
    texts = pc.utf8_trim_whitespace(texts)
    missing = pc.is_in(texts, value_set=pa.array(null_values, texts.type), skip_nulls=True)
    return pc.if_else(missing, None, texts) if pc.any(missing).as_py() else texts


def parse_quantities(texts: pa.Array) -> np.ndarray:
    """Return the texts as floats, NaN for null; raise `NotNumbersError` unless each one is a quantity."""
    floats = parse_numbers(texts)
    if pc.any(pc.match_substring_regex(texts, _LEADING_ZERO)).as_py() or _has_inexact_integers(texts, floats):
        raise NotNumbersError
    return floats


def parse_numbers(texts: pa.Array) -> np.ndarray:
    """Return the texts as floats, NaN for null, taking ``007`` and long integers for the numbers they spell."""
    try:
        numbers = texts.cast(pa.float64())
    except pa.ArrowInvalid:
        raise NotNumbersError from None
    if pc.any(pc.is_nan(numbers)).as_py():  # a "nan" that was not declared to spell a missing value is a word
        raise NotNumbersError
    return numbers.to_numpy(zero_copy_only=False)


def is_number(text: str) -> bool:
    """Tell whether a text spells a decimal number, finite or infinite.

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


def _has_inexact_integers(texts: pa.Array, floats: np.ndarray) -> bool:
    large = np.abs(floats) >= LARGEST_EXACT_INTEGER  # 2**53 + 1 rounds to 2**53, so ask the text which it was
    if not large.any():
        return False
    suspects = pc.unique(texts.filter(pa.array(large)))
    integers = suspects.filter(pc.match_substring_regex(suspects, _INTEGER))
    return any(_exceeds(text) for text in integers.to_pylist())


def _exceeds(integer: str) -> bool:
    digits = integer.lstrip("+-")
    return len(digits) > 16 or int(digits) > LARGEST_EXACT_INTEGER  # no need to read a thousand digits
