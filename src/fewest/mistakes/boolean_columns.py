"""Columns that are true or false by themselves, however they are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fewest.models.encoder import UNSEEN, KnownColumn
from fewest.table import Column, Kind
from fewest.table.column import MISSING


@dataclass(frozen=True)
class TruthColumn(KnownColumn):
    """A column of which training only looked whether it is true.

    True and False, 1 and 0, yes and no are the same to it, as the learner was told no more of its data. Other numbers
    are values that training did not have, and names are refused.
    """

    kind: str = Kind.BOOLEAN.value
    labels: tuple[Any, ...] = ("False", "True")

    def accepts(self, column: Column) -> bool:
        """Return whether a column holds truths or numbers, or nothing."""
        return column.kind is not Kind.NOMINAL or column.n_missing == len(column)

    def codes(self, column: Column) -> np.ndarray:
        """Number false 0, true 1, and a missing value 2."""
        is_missing = column.is_missing if column.kind is Kind.NUMERIC else column.values == MISSING
        codes = np.full(len(column), UNSEEN, dtype=np.int8)
        for code in (0, 1):  # no is always the first of two opposites
            codes[column.values == code] = code
        codes[is_missing] = len(self.labels)
        return codes
