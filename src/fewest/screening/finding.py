"""What screening finds in one column."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class FindingKind(StrEnum):
    """The kinds of findings, the most alarming first."""

    LEAK = "leak"
    STRONG = "strong predictor"
    ROW_NUMBER = "row number"
    KEY = "key"
    EMAIL = "e-mail address"
    FREE_TEXT = "free text"
    CONSTANT = "constant"
    EMPTY = "no value"
    COPY = "copy"
    RECODING = "recoding"
    NEAR_COPY = "near-copy"
    GROUP = "possible group"
    ONE_VALUE = "one value and gaps"
    NUMBERS_AS_TEXT = "numbers as text"
    DATES = "dates"
    MANY_CATEGORIES = "many categories"


IDENTIFIERS = frozenset({FindingKind.ROW_NUMBER, FindingKind.KEY, FindingKind.EMAIL, FindingKind.FREE_TEXT})
"""Columns that name the rows."""

LEFT_OUT = IDENTIFIERS | {FindingKind.CONSTANT, FindingKind.EMPTY, FindingKind.COPY, FindingKind.RECODING}
"""What a selection does without unless it is asked to keep it."""


@dataclass(frozen=True)
class Finding:
    """One column, what it seems to be, and why.

    Parameters
    ----------
    kind : FindingKind
    column : str
        The name of the column.
    fact : str
        What was seen, as the end of a sentence that begins with the column's name.
    of : str, optional
        The column that it copies.
    is_left_out : bool
        Whether a selection does without it.
    """

    kind: FindingKind
    column: str
    fact: str
    of: str | None = None
    is_left_out: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {**asdict(self), "kind": self.kind.value}
