"""Look at all columns of a table, and say which to leave out.

Of data in blocks the first rows are looked at, which cost little to read.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from fewest.exceptions import MOST_LISTED, ParameterError
from fewest.screening.copies import find_copies, find_near_copies
from fewest.screening.finding import (
    IDENTIFIERS,
    KEEP_APART,
    LEFT_OUT,
    Finding,
    FindingKind,
    further_sentences,
    leak_sentences,
    left_out_sentence,
)
from fewest.screening.identifiers import giveaway_group, group, identifier
from fewest.screening.leaks import find_leaks
from fewest.screening.profile import Profile
from fewest.screening.values_as_text import value_as_text
from fewest.table import Column, Table, split_regression_target, split_target

if TYPE_CHECKING:
    from fewest.blocks.scan import Scan

READ = (FindingKind.DATES, FindingKind.NUMBERS_AS_TEXT)
"""Findings that are not reported of columns about which the reader of the table has reported more."""


@dataclass(frozen=True)
class Screening:
    """What was found in a table before any method ran.

    Attributes
    ----------
    findings : tuple of Finding
        The most alarming first. A column may have several.
    target : str
        The name of the target.
    remark : str or None
        What was not looked at, and why.
    understood : tuple of str
        What text was read as numbers or dates, and what looks so but stayed text.
    of_groups : str
        What to do about columns whose equal values may be one person's or customer's.
    """

    findings: tuple[Finding, ...]
    target: str
    remark: str | None = None
    understood: tuple[str, ...] = ()
    of_groups: str = KEEP_APART

    @property
    def left_out(self) -> list[str]:
        """Return the names of the columns that a selection does without."""
        return [finding.column for finding in self.findings if finding.is_left_out]

    @property
    def leaks(self) -> list[str]:
        """Return the names of the columns that may give the target away."""
        return [finding.column for finding in self.findings if finding.kind is FindingKind.LEAK]

    @property
    def many_categories(self) -> list[str]:
        """Return the names of the nominal columns of so many categories that equality says hardly anything."""
        return [finding.column for finding in self.findings if finding.kind is FindingKind.MANY_CATEGORIES]

    @property
    def alarms(self) -> list[str]:
        """Return a sentence about every possible leak."""
        return leak_sentences(self.findings, self.target)

    @property
    def notes(self) -> list[str]:
        """Return the sentences about everything else."""
        left_out = left_out_sentence(self.findings)
        others = further_sentences(self.findings, self.target, self.of_groups)
        hidden = len(self.understood) - MOST_LISTED
        read = [*self.understood[:MOST_LISTED], *([f"{hidden:,} more columns of text were read so."] * (hidden > 0))]
        return [*([left_out] if left_out else []), *others, *read, *([self.remark] if self.remark else [])]

    @property
    def sentences(self) -> list[str]:
        """Return all sentences, leaks first."""
        return [*self.alarms, *self.notes]

    def applied_to(self, table: Table) -> Table:
        """Return the table without the columns that are left out; raise when nothing would be left."""
        names = set(self.left_out)
        if not names:
            return table
        kept = tuple(column for column in table if column.name not in names)
        if not kept:
            raise ParameterError(f"No column is left to predict {self.target} with. {left_out_sentence(self.findings)}")
        return replace(table, columns=kept)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, sentences included."""
        return {
            "leaks": self.leaks,
            "alarms": self.alarms,
            "left_out": self.left_out,
            "findings": [finding.to_dict() for finding in self.findings],
            "sentences": self.sentences,
        }


def screen(features: Table, target: Column, keep: Collection[str] = (), *, keep_all: bool = False) -> Screening:
    """Find the columns that name rows, do not vary, repeat others, or give the target away.

    Parameters
    ----------
    features : Table
    target : Column
        The classes, or the numbers of a regression target.
    keep : collection of str
        The names of columns that are not to be left out, whatever they look like.
    keep_all : bool, default=False
        Leave nothing out.

    Returns
    -------
    Screening

    Examples
    --------
    >>> from fewest.table import from_array, split_target
    >>> table = from_array([[f"K{i:03}", "AT", i % 3, i % 2] for i in range(40)], ["key", "land", "a", "class"])
    >>> found = screen(*split_target(table, "class"))
    >>> found.left_out
    ['key', 'land']
    >>> found.notes
    ['Left out: key (names the rows); land (one value only). --keep key brings that one back, --keep-all all of them.']
    """
    if features.n_rows < 2:
        return Screening((), target.name)
    kept = frozenset(features.names if keep_all else keep)
    profiles = Profile.of_all(features.columns)
    found = [finding for profile in profiles for finding in _alone(profile)]
    out = {finding.column for finding in found if finding.kind in LEFT_OUT and finding.column not in kept}
    profiles = [profile for profile in profiles if profile.name not in out]
    found += find_copies(profiles, kept)
    out |= {finding.column for finding in found if finding.kind in LEFT_OUT and finding.column not in kept}
    profiles = [profile for profile in profiles if profile.name not in out]
    ordered = {finding.column for finding in found if finding.kind is FindingKind.NEAR_COPY}
    found += [finding for finding in find_near_copies(profiles) if finding.column not in ordered]
    leaks = find_leaks(profiles, target)
    asked = {finding.column for finding in found if finding.kind is FindingKind.GROUP}
    suspects = {finding.column for finding in leaks} - asked
    found += leaks
    found += filter(None, (giveaway_group(profile) for profile in profiles if profile.name in suspects))
    records = [record for record in features.understood if record.column in set(features.names) - out]
    is_said = {record.column for record in records}
    found = [finding for finding in found if finding.kind not in READ or finding.column not in is_said]
    return Screening(_sorted(found, features, out), target.name, understood=tuple(map(str, records)))


def _alone(profile: Profile) -> list[Finding]:
    """Return what is to be said of one column by itself."""
    found = constant(profile)
    if found is not None:
        return [found]
    found = identifier(profile)
    asked = group(profile, found)
    further = value_as_text(profile) if found is None else None
    return [finding for finding in (found, asked, further) if finding is not None]


def _sorted(found: list[Finding], features: Table, out: Collection[str]) -> tuple[Finding, ...]:
    """Return the findings by kind, then by place; a leak needs no other remark."""
    place = {name: j for j, name in enumerate(features.names)}
    kinds = {kind: k for k, kind in enumerate(FindingKind)}
    leaks = {finding.column for finding in found if finding.kind is FindingKind.LEAK}
    minor = (FindingKind.ONE_VALUE, FindingKind.DATES, FindingKind.MANY_CATEGORIES)
    marked = [
        replace(finding, is_left_out=finding.kind in LEFT_OUT and finding.column in out)
        for finding in found
        if not (finding.column in leaks and finding.kind in minor)
    ]
    return tuple(sorted(marked, key=lambda finding: (kinds[finding.kind], place[finding.column])))


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


def screen_first_rows(
    scanned: Scan, keep: Sequence[str] = (), *, keep_all: bool = False, is_regression: bool = False
) -> Screening:
    """Screen the first batch of rows of a scan.

    Of data that has more rows only identifiers are left out: a column that does not vary, or repeats another, in the
    first rows may do otherwise in later ones.
    """
    batches = list(islice(scanned.batches([*scanned.feature_names, scanned.target_name], lambda *_: False), 2))
    split = split_regression_target if is_regression else split_target
    first = batches[0]
    if first[scanned.target_name].n_missing == first.n_rows:
        return Screening((), scanned.target_name)
    screening = screen(*split(first, scanned.target_name, missing_target="drop"), keep, keep_all=keep_all)
    if len(batches) == 1:
        return screening
    findings = tuple(
        replace(finding, is_left_out=finding.is_left_out and finding.kind in IDENTIFIERS)
        for finding in screening.findings
    )
    remark = (
        f"The rows are read in blocks, and only the first {first.n_rows:,} were looked at for identifiers, copies and "
        "leaks; identifiers alone are left out."
    )
    return replace(screening, findings=findings, remark=remark)
