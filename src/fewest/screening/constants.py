"""Columns with one value, or none."""

from __future__ import annotations

from fewest.screening.finding import Finding, FindingKind
from fewest.screening.profile import Profile


def constant(profile: Profile) -> Finding | None:
    """Return what is to be said of a column that does not vary.

    A column with one value and gaps does vary: a box that is ticked or not. It is named, since little can be seen in
    it, and kept.
    """
    if not profile.n_distinct:
        return Finding(FindingKind.EMPTY, profile.name, "has no value in any row")
    if profile.n_distinct > 1:
        return None
    value = str(profile.column.value_at(int((profile.codes == 0).argmax())))
    if not profile.n_missing:
        return Finding(FindingKind.CONSTANT, profile.name, f"is {value} in every row")
    return Finding(
        FindingKind.ONE_VALUE, profile.name, f"is {value} or missing, so it only says in which rows it is filled"
    )
