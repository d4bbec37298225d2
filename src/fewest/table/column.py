"""A typed column: a feature or a target as every method sees it, whatever file or frame it came from."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

import numpy as np

MISSING = -1
"""The code of a missing value in a boolean or nominal column."""


class Kind(StrEnum):
    """What the values of a column are: two opposites, categories, or numbers."""

    BOOLEAN = "boolean"
    NOMINAL = "nominal"
    NUMERIC = "numeric"


@dataclass(frozen=True, eq=False)
class Column:
    """One column, encoded once.

    Parameters
    ----------
    name : str
        As in the header, made unique.
    kind : Kind
        Boolean, nominal or numeric.
    values : ndarray of shape (n_rows,)
        Boolean and nominal columns: codes into ``labels``, of the smallest
        signed integer type, with -1 for a missing value. Numeric columns:
        float64, with NaN for a missing value.
    labels : tuple
        What each code stands for, in the user's own spelling. Empty for numeric columns.

    See Also
    --------
    fewest.read_table : Returns columns, in a `Table`.

    Examples
    --------
    >>> column = Column("open", Kind.BOOLEAN, np.array([1, -1, 0], dtype=np.int8), ("no", "yes"))
    >>> column.to_list(), column.n_missing
    (['yes', None, 'no'], 1)
    """

    name: str
    kind: Kind
    values: np.ndarray
    labels: tuple = ()

    def __len__(self) -> int:
        return len(self.values)

    @property
    def is_missing(self) -> np.ndarray:
        """Return the Boolean mask of missing values."""
        if self.kind is Kind.NUMERIC:
            return np.isnan(self.values)
        return self.values == MISSING

    @property
    def n_missing(self) -> int:
        """Count the missing values."""
        return int(self.is_missing.sum())

    def value_at(self, row: int) -> object:
        """Return one value as the user wrote it; None when missing."""
        value = self.values[row]
        if self.kind is Kind.NUMERIC:
            return None if np.isnan(value) else (int(value) if value.is_integer() else float(value))
        return None if value == MISSING else self.labels[value]

    def to_list(self) -> list:
        """Return all values as the user wrote them; None where missing."""
        return [self.value_at(row) for row in range(len(self))]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """Return all values as NumPy has them: what scikit-learn takes as a target."""
        values = self.values if self.kind is Kind.NUMERIC else np.array([*self.labels, None], dtype=object)[self.values]
        if self.kind is not Kind.NUMERIC and not self.n_missing and len(self.labels):
            values = values.astype(np.array(self.labels).dtype)
        return np.array(values, dtype=dtype, copy=copy)

    def by_value(self) -> Column:
        """Return the column as a discrete one: numbers become categories, equal or not."""
        if self.kind is not Kind.NUMERIC:
            return self
        present = ~self.is_missing
        distinct, inverse = np.unique(self.values[present], return_inverse=True)
        codes = np.full(len(self), MISSING, dtype=smallest_code_type(len(distinct)))
        codes[present] = inverse
        numbers = tuple(int(number) if number.is_integer() else float(number) for number in distinct)
        return Column(self.name, Kind.NOMINAL, codes, numbers)


def floats_of_codes(codes: np.ndarray) -> np.ndarray:
    """Return zeros, ones and `MISSING` as floats, NaN where missing."""
    return np.where(codes == MISSING, np.nan, codes.astype(np.float64))


def with_one_zero(values: np.ndarray) -> np.ndarray:
    """Turn every minus zero into zero, in place, as rows in blocks have it: equal numbers are one value there."""
    values += 0.0
    return values


@cache
def smallest_code_type(n_labels: int) -> type[np.signedinteger]:
    """Return the smallest signed type that holds the codes of ``n_labels`` labels, missing and one spare included."""
    for code_type in (np.int8, np.int16, np.int32):
        if n_labels < np.iinfo(code_type).max:
            return code_type
    return np.int64


# Pairs of words by which a column of text is recognised as boolean; the first means no, and gets code 0.
OPPOSITES = (("false", "true"), ("f", "t"), ("no", "yes"), ("n", "y"), ("0", "1"))


def opposites(labels: Collection[str]) -> tuple[str, str] | None:
    """Return the labels as (no, yes) in the user's spelling, or None when they are no such pair.

    A column that holds one word of a pair gets the other in the same style,
    so that code 0 means no in every boolean column:

    >>> opposites({"Yes", "No"})
    ('No', 'Yes')
    >>> opposites({"TRUE"})
    ('FALSE', 'TRUE')
    >>> opposites({"yes", "Yes"}) is None
    True
    """
    spellings = {label.casefold(): label for label in labels}
    if not spellings or len(spellings) < len(labels):
        return None
    for no, yes in OPPOSITES:
        if spellings.keys() <= {no, yes}:
            return _spelled(no, spellings), _spelled(yes, spellings)
    return None


def _spelled(word: str, spellings: dict[str, str]) -> str:
    """Return the user's spelling of ``word``, or the word in the style of its opposite."""
    if word in spellings:
        return spellings[word]
    (other,) = spellings.values()
    if other.isupper():
        return word.upper()
    return word.capitalize() if other[:1].isupper() else word
