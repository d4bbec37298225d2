"""Columns that name the rows: row numbers, keys, e-mail addresses, free text.

That all values are different is not enough: so they are in every measurement of many digits, and in a table of few
rows. Text is an identifier when most of its values are different. Whole numbers are one when they number the rows, or
when they do not repeat although chance would repeat them many times (a count or a year does repeat): of ``n`` values
among ``r`` possible ones, at least ``n (n - 1) / 2r`` pairs are to be expected to be equal, whatever the distribution,
since the uniform one has the fewest. Where the name says that it is an identifier, less evidence will do.
"""

from __future__ import annotations

import re

import numpy as np

from fewest.screening.finding import Finding, FindingKind
from fewest.screening.profile import Profile
from fewest.screening.values_as_text import dates_or_numbers
from fewest.table import Kind

# With fewer rows than this, different values are no sign of an identifier, unless its name is one.
FEWEST_ROWS = 20
FEWEST_ROWS_BY_NAME = 5
# The share of different values in text: of few rows nearly all, of many rows more than half.
FEW_ROWS, SHARE_OF_FEW, SHARE_OF_MANY = 50, 0.9, 0.5
# Equal pairs that chance would make, at least, where there are none or a tenth of them.
EXPECTED_PAIRS, SHARE_OF_PAIRS = 10, 0.1
# An identifier by its name that repeats: so many different values, and so few rows each.
FEWEST_REPEATING, MOST_ROWS_EACH = 20, 10
# The share of rows in which values must repeat to ask whether they are groups.
SHARE_IN_GROUPS = 0.1
# Whole numbers of one length and of so many digits are keys, unless they are seconds or milliseconds since 1970.
DIGITS_OF_A_KEY = 8
TIMES = ((1e9, 2.2e9), (1e12, 2.2e12))
YEARS = (1500, 2200)
# Text of so many letters and words is written for people.
LONG_TEXT, WORDS = 25, 4

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")
_ENDINGS = frozenset(
    ("id", "ids", "key", "keys", "uuid", "guid", "rowid", "rownum", "serial", "ssn", "iban", "isbn", "nr", "nummer")
)
_OWNERS = (
    "account|animal|case|client|customer|device|employee|household|member|molecule|order|patient|person|product|record|"
    "row|sample|session|student|subject|ticket|transaction|user|visit"
)
_TOGETHER = re.compile(rf"(?:{_OWNERS})(?:ids?|key|no|nr|num|number)", re.IGNORECASE)
_NUMBERED = frozenset({"no", "num", "number"})


def identifier(profile: Profile) -> Finding | None:
    """Return what is to be said of a column that names the rows, or groups of them."""
    if profile.column.kind is Kind.BOOLEAN or profile.n_present < FEWEST_ROWS_BY_NAME:
        return None
    is_named = says_identifier(profile.name)
    kind = _of_numbers(profile, is_named) if profile.is_numeric else _of_text(profile, is_named)
    return None if kind is None else Finding(kind, profile.name, _fact(kind, profile))


def group(profile: Profile, found: Finding | None) -> Finding | None:
    """Return the question whether rows with the same value belong together, if that looks likely."""
    is_kept, says_so = found is None, says_identifier if profile.is_numeric else says_owner
    if is_kept and not (says_so(profile.name) and FEWEST_REPEATING <= profile.n_distinct < profile.n_present):
        return None
    n_repeating = int(profile.counts[profile.counts > 1].sum())
    if n_repeating < max(2, SHARE_IN_GROUPS * profile.n_present) or profile.column.kind is Kind.BOOLEAN:
        return None
    fact = f"has {profile.n_distinct:,} values in {profile.n_present:,} rows"
    return Finding(FindingKind.GROUP, profile.name, fact)


def says_identifier(name: str) -> bool:
    """Return whether a column's name is that of an identifier.

    >>> [name for name in ("id", "customer_id", "PatientID", "humid", "paid") if says_identifier(name)]
    ['id', 'customer_id', 'PatientID']
    """
    words = [word.lower() for word in _WORDS.findall(name)]
    while len(words) > 1 and words[-1].isdigit():
        words.pop()
    if not words:
        return False
    if words[-1] in _ENDINGS or (len(words) > 1 and words[-1] in _NUMBERED):
        return True
    return _TOGETHER.fullmatch(words[-1]) is not None


def says_owner(name: str) -> bool:
    """Return whether a column's name is that of an identifier, or of what often has several rows.

    >>> [name for name in ("patient", "Molecule", "patient_id", "impatient", "patient_age") if says_owner(name)]
    ['patient', 'Molecule', 'patient_id']
    """
    words = _WORDS.findall(name)
    return says_identifier(name) or (len(words) > 0 and re.fullmatch(_OWNERS, words[-1].lower()) is not None)


def giveaway_group(profile: Profile) -> Finding | None:
    """Return the same question of a column of names whose rows are all of one class, whatever it is called."""
    n_repeating = int(profile.counts[profile.counts > 1].sum())
    if profile.is_numeric or profile.n_distinct < FEWEST_REPEATING or n_repeating < profile.n_present / 2:
        return None
    return Finding(FindingKind.GROUP, profile.name, f"has {profile.n_distinct:,} values in {profile.n_present:,} rows")


def _of_text(profile: Profile, is_named: bool) -> FindingKind | None:
    n, d = profile.n_present, profile.n_distinct
    if n < FEWEST_ROWS:
        is_identifier = is_named and d == n
    else:
        is_identifier = d >= SHARE_OF_FEW * n if n < FEW_ROWS else d > SHARE_OF_MANY * n
    is_repeating = is_named and d >= FEWEST_REPEATING and d * MOST_ROWS_EACH > n
    labels = profile.labels if is_identifier or is_repeating or d * MOST_ROWS_EACH > n else []
    if labels and n >= FEWEST_ROWS_BY_NAME and all(map(_EMAIL.fullmatch, labels)):
        return FindingKind.EMAIL
    if not (is_identifier or is_repeating) or dates_or_numbers(labels) is not None:
        return None
    lengths, words = [len(label) for label in labels], [len(label.split()) for label in labels]
    return FindingKind.FREE_TEXT if np.mean(lengths) >= LONG_TEXT and np.mean(words) >= WORDS else FindingKind.KEY


def _of_numbers(profile: Profile, is_named: bool) -> FindingKind | None:
    if not profile.is_integral:
        return None
    n, d = profile.n_present, profile.n_distinct
    if _counts_the_rows(profile, is_named):
        return FindingKind.ROW_NUMBER
    if is_named and (d == n or (d >= FEWEST_REPEATING and d * MOST_ROWS_EACH > n)):
        return FindingKind.KEY
    if n < FEWEST_ROWS or _are_years(profile):
        return None
    n_equal = int((profile.counts * (profile.counts - 1) // 2).sum())
    expected = _expected_pairs(profile)
    if expected >= EXPECTED_PAIRS and n_equal <= SHARE_OF_PAIRS * expected:
        return FindingKind.KEY
    return FindingKind.KEY if d > SHARE_OF_FEW * n and _have_the_length_of_keys(profile) else None


def _counts_the_rows(profile: Profile, is_named: bool) -> bool:
    """Return whether the values go up by one from row to row, in a table of enough rows."""
    if profile.n_missing or len(profile.codes) < (FEWEST_ROWS_BY_NAME if is_named else FEWEST_ROWS):
        return False
    return bool((np.diff(profile.column.values) == 1).all()) and not _are_years(profile)


def _are_years(profile: Profile) -> bool:
    return YEARS[0] <= profile.distinct[0] and profile.distinct[-1] <= YEARS[1]


def _expected_pairs(profile: Profile) -> float:
    """Return how many pairs of equal values chance would make at least among the values possible in this range."""
    steps = np.diff(profile.distinct)
    if not len(steps) or profile.distinct[-1] - profile.distinct[0] >= 2**53:
        return 0.0
    unit = int(np.gcd.reduce(steps.astype(np.int64)))
    n_possible = (profile.distinct[-1] - profile.distinct[0]) / unit + 1
    return profile.n_present * (profile.n_present - 1) / 2 / n_possible


def _have_the_length_of_keys(profile: Profile) -> bool:
    low, high = float(profile.distinct[0]), float(profile.distinct[-1])
    if low < 10 ** (DIGITS_OF_A_KEY - 1) or len(f"{low:.0f}") != len(f"{high:.0f}"):
        return False
    return not any(since <= low and high <= until for since, until in TIMES)


def _fact(kind: FindingKind, profile: Profile) -> str:
    if kind is FindingKind.ROW_NUMBER:
        return "counts the rows"
    n, d = profile.n_present, profile.n_distinct
    what = {FindingKind.EMAIL: "e-mail addresses", FindingKind.FREE_TEXT: "texts"}.get(kind, "values")
    if d == n:
        return f"has a different {what.removesuffix('es') if kind is FindingKind.EMAIL else what[:-1]} in every row"
    return f"has {d:,} different {what} in {n:,} rows"
