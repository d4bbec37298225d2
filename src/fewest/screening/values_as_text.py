"""Text that means something else: dates, numbers, or names of which there are too many."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fewest.screening.finding import Finding, FindingKind
from fewest.screening.profile import Profile
from fewest.table import Kind

# How many labels are looked at, and how many of them must be alike.
MOST_LABELS, SHARE = 200, 0.9
# Categories are too many from this number on, if fewer rows than this have each.
MANY, FEW_ROWS_EACH = 50, 20

_DATE = re.compile(
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2}))(?:[T ]\d{1,2}:\d{2}.*)?"
    r"|\d{1,2}:\d{2}(?::\d{2})?"
)
_GROUPED = r"\d{1,3}(?:[.,' \u00a0]\d{3})+"
_NUMBER = re.compile(
    rf"[(+-]?\s*[$€£¥]?\s*[+-]?(?:{_GROUPED}|\d+)(?:[.,]\d+)?(?:e[+-]?\d+)?\s*(?:%|[$€£¥]|EUR|USD)?\)?", re.I
)


def dates_or_numbers(labels: Sequence[str]) -> FindingKind | None:
    """Return what the labels of a column mean, if not what they spell.

    Digits alone are no number here: what is read as text though it has digits alone, such as ``007``, is a label.

    >>> dates_or_numbers(["2024-03-01", "2023-12-24"]).value
    'dates'
    >>> dates_or_numbers(["7%", "12 %"]).value
    'numbers as text'
    >>> dates_or_numbers(["007", "008"]) is None
    True
    """
    shown = [label.strip() for label in labels[:: max(1, len(labels) // MOST_LABELS)]]
    if _share(_DATE, shown) >= SHARE:
        return FindingKind.DATES
    written = [label for label in shown if not label.isdecimal()]
    if len(written) >= len(shown) / 2 and _share(_NUMBER, shown) >= SHARE:
        return FindingKind.NUMBERS_AS_TEXT
    return None


def value_as_text(profile: Profile) -> Finding | None:
    """Return what is to be said of a nominal column whose categories are dates, numbers, or very many."""
    if profile.column.kind is not Kind.NOMINAL or profile.n_distinct < 2:
        return None
    labels = profile.labels
    found = dates_or_numbers(labels)
    if found is FindingKind.DATES:
        return Finding(found, profile.name, f"holds dates or times, such as {labels[0]}")
    if found is FindingKind.NUMBERS_AS_TEXT:
        return Finding(found, profile.name, f"holds text that looks like numbers, such as {labels[0]}")
    if are_too_many(profile.n_distinct, profile.n_present):
        fact = f"has {profile.n_distinct:,} categories in {profile.n_present:,} rows"
        return Finding(FindingKind.MANY_CATEGORIES, profile.name, fact)
    return None


def are_too_many(n_categories: int, n_rows: int) -> bool:
    """Return whether categories are too many to learn about each."""
    return n_categories >= MANY and n_categories * FEW_ROWS_EACH > n_rows


def _share(pattern: re.Pattern[str], labels: Sequence[str]) -> float:
    return sum(pattern.fullmatch(label) is not None for label in labels) / len(labels) if labels else 0.0
