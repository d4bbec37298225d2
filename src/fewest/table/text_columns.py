"""Columns that come as text: numeric or nominal, by the spelling of their values.

Here the way for each column is chosen; `builder.InferringBuilder` decides as values come, by the spellings that
`number_text` knows, and `schema.agree` for all pieces of a source.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fewest.table.builder import ColumnBuilder, InferringBuilder, NominalBuilder, NumericBuilder, Parse
from fewest.table.column import Kind
from fewest.table.number_text import (
    NotNumbersError,
    first_non_number,
    is_number,
    parse_exact_numbers,
    parse_numbers,
    trimmed,
)

_SAMPLE_ROWS = 1024
_MOST_REMEMBERED = 10_000


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
        sample = values.slice(0, _SAMPLE_ROWS)
        if len(pc.unique(sample)) > len(sample) / 8:
            return self._parse_each(values)
        encoded = pc.dictionary_encode(values)
        distinct = self._look_up(encoded.dictionary.to_pylist())
        indices = encoded.indices.fill_null(-1) if encoded.null_count else encoded.indices
        return np.array([*distinct, np.nan])[indices.to_numpy()]  # the last one is what -1, for null, finds

    def _parse_each(self, values: pa.Array) -> np.ndarray:
        """Parse without trimming, which would take longer than parsing, unless there is something to trim."""
        if not self._is_null_a_number:
            with contextlib.suppress(NotNumbersError):
                return self._parse(values)
        return self._parse(trimmed(values, self._null_values))

    def _look_up(self, texts: list[str]) -> list[float]:
        new = [text for text in texts if text not in self._known]
        if new:
            floats = self._parse(trimmed(pa.array(new, pa.string()), self._null_values))
            self._known.update(zip(new, floats.tolist(), strict=True))
        found = [self._known[text] for text in texts]
        if len(self._known) > _MOST_REMEMBERED:
            self._known.clear()
        return found


def _first_fault(values: pa.Array, null_values: tuple[str, ...]) -> int:
    return first_non_number(trimmed(values, null_values))
