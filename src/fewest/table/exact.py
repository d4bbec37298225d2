"""Numbers that a float would confuse: which spellings come back from their float, and which are rounded away.

A float has 15 digits for sure. A longer number is safe if its float, written
with as many digits, is the number again: then no other number of this length
has the same float. So ``0.1000000000000000055511151231257827``, which is how
some programs write the float 0.1, is safe, and ``12345678901234567891`` is not.
"""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

LARGEST_EXACT_INTEGER = 2**53

_SAFE_LENGTH = 15
_SMALLEST_NORMAL = np.finfo(np.float64).tiny


def survives(text: str) -> bool:
    """Tell whether a number in text has a float that no other number of its length has.

    An integer beyond 2**53 is refused even if a float can hold it: it is an
    identifier, and so are its neighbours.

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
    """Tell whether each number in text survives being read as its float; NaN stands for null."""
    sizes = np.abs(floats)
    lengths = pc.binary_length(texts).to_numpy(zero_copy_only=False)
    suspect = (lengths > _SAFE_LENGTH) | np.isinf(floats) | (sizes < _SMALLEST_NORMAL)
    if not suspect.any():
        return True
    texts, floats = texts.filter(pa.array(suspect)), floats[suspect]
    # Most long numbers are the shortest that give their float, as Arrow writes it: no need to look at each one.
    is_shortest = pc.equal(pa.array(floats).cast(pa.string()), texts).to_numpy(zero_copy_only=False)
    rest = texts.filter(pa.array(~is_shortest | (sizes[suspect] > LARGEST_EXACT_INTEGER)))
    return all(map(survives, set(rest.to_pylist())))
