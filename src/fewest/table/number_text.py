"""Numbers in text: which spellings are quantities, and which are names made of digits.

``1``, ``-0.5``, ``+2e3`` and ``inf`` are quantities. ``007`` is a name, since
its zeros would be lost, and so is a number of more digits than a float can
keep (`fewest.table.exact`), since it would become equal to its neighbour.
"""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fewest.table.exact import all_survive

_NUMBER = re.compile(r"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?)", re.IGNORECASE | re.ASCII)
_LEADING_ZERO = "^[+-]?0[0-9]"


class NotNumbersError(Exception):
    """Internal signal: the values are not all quantities."""


def trimmed(texts: pa.Array, null_values: tuple[str, ...]) -> pa.Array:
    """Return the texts without surrounding white space, with nulls for the spellings of a missing value."""
    texts = pc.utf8_trim_whitespace(texts)
    missing = pc.is_in(texts, value_set=pa.array(null_values, texts.type), skip_nulls=True)
    return pc.if_else(missing, None, texts) if missing.true_count else texts


def parse_quantities(texts: pa.Array) -> np.ndarray:
    """Return the texts as floats, NaN for null; raise `NotNumbersError` unless each one is a quantity."""
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
    floats = numbers.to_numpy(zero_copy_only=False)
    if np.isnan(floats).sum() > numbers.null_count:  # a "nan" that was not declared to spell a missing value is a word
        raise NotNumbersError
    return floats


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
