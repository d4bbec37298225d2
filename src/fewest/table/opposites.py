"""Pairs of words that mean no and yes: how a column of text is known to be boolean."""

from __future__ import annotations

from collections.abc import Collection

# The first word of each pair means no, and gets code 0.
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
