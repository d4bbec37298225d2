"""What screening finds in one column, and the sentences about it.

For people: leaks first, then what is left out, then what is worth knowing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from fewest.exceptions import MOST_LISTED, listed


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
"""Kinds of findings whose columns a selection leaves out unless it is asked to keep them."""


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


def leak_sentences(findings: Sequence[Finding], target: str) -> list[str]:
    """Return a sentence about the columns that may give the target away, with the option that leaves them out."""
    by_fact: dict[str, list[str]] = {}
    for finding in findings:
        if finding.kind is FindingKind.LEAK:
            by_fact.setdefault(finding.fact, []).append(finding.column)
    return [_leak_sentence(fact, columns, target) for fact, columns in by_fact.items()]


def _leak_sentence(fact: str, columns: Sequence[str], target: str) -> str:
    they, them = ("they are", "them") if len(columns) > 1 else ("it is", "it")
    options = " ".join(f"--drop {_argument(column)}" for column in columns[:MOST_LISTED])
    return (
        f"Possible leak: {_with_fact(columns, fact)}. If {they} not known before {target} is, whatever is found with "
        f"{them} is worthless: leave {them} out with {options}{' ...' * (len(columns) > MOST_LISTED)}."
    )


def left_out_sentence(findings: Sequence[Finding]) -> str | None:
    """Return the sentence that names what is left out, and the option that brings it back."""
    reasons: dict[str, list[str]] = {}
    for finding in findings:
        if finding.is_left_out:
            reasons.setdefault(_reason(finding), []).append(
                f"{finding.column} ({finding.fact})" if finding.of is not None else finding.column
            )
    if not reasons:
        return None
    named = "; ".join(f"{listed(names)} {reason}".rstrip() for reason, names in reasons.items())
    one = next(finding.column for finding in findings if finding.is_left_out)
    n_columns = sum(map(len, reasons.values()))
    bring_back = f"--keep {_argument(one)} brings it back."
    if n_columns > 1:
        bring_back = f"--keep {_argument(one)} brings that one back, --keep-all all of them."
    return f"Left out: {named}. {bring_back}"


KEEP_APART = "If so, --groups {one} keeps them on one side of every split."
"""What to do about groups where rows are split."""
ONE_OF_EACH = "If so, p-values are too small, since all rows count as independent here: rank one row of each."
"""What to do about them where rows are not."""


def further_sentences(findings: Sequence[Finding], target: str, of_groups: str = KEEP_APART) -> list[str]:
    """Return what else is worth knowing, one sentence a kind; ``of_groups`` is what to do about possible groups."""
    by_kind: dict[FindingKind, list[Finding]] = {}
    for finding in findings:
        if not finding.is_left_out:
            by_kind.setdefault(finding.kind, []).append(finding)
    endings = _ENDINGS | {FindingKind.GROUP: f"{_ENDINGS[FindingKind.GROUP]} {of_groups}"}
    sentences = [
        f"{_facts(by_kind[kind])}{ending.format(one=_argument(by_kind[kind][0].column), target=target)}"
        for kind, ending in endings.items()
        if kind in by_kind
    ]
    kept = [finding for kind, of_kind in by_kind.items() if kind in _KEPT for finding in of_kind]
    return [*sentences, f"Kept all the same: {_facts(kept)}."] if kept else sentences


_KEPT = IDENTIFIERS | {FindingKind.CONSTANT, FindingKind.EMPTY, FindingKind.COPY, FindingKind.RECODING}
_ENDINGS = {
    FindingKind.STRONG: ". That is fine if it is known before {target} is; if not, leave it out with --drop {one}.",
    FindingKind.GROUP: ": do rows with the same value belong together?",
    FindingKind.NEAR_COPY: ". They are kept; one of each two may do.",
    FindingKind.ONE_VALUE: ".",
    FindingKind.NUMBERS_AS_TEXT: ", and is compared as text. If these are numbers, --kind {one}=numeric reads them.",
    FindingKind.DATES: ".",
    FindingKind.MANY_CATEGORIES: ", too many to learn about each.",
}
_PLURALS = {
    "is": "are",
    "has": "each have",
    "holds": "hold",
    "alone predicts": "each alone predict",
    "counts": "count",
    "follows": "follow",
    "orders": "order",
    "says": "say",
    "repeats": "repeat",
}


def _reason(finding: Finding) -> str:
    if finding.kind is FindingKind.FREE_TEXT:
        return "(free text)"
    if finding.kind in IDENTIFIERS:
        return "(names the rows)" if finding.kind is not FindingKind.ROW_NUMBER else "(counts the rows)"
    if finding.kind is FindingKind.CONSTANT:
        return "(one value only)"
    return "(no value)" if finding.kind is FindingKind.EMPTY else ""


def _facts(findings: Sequence[Finding]) -> str:
    by_fact: dict[str, list[str]] = {}
    for finding in findings:
        by_fact.setdefault(finding.fact, []).append(finding.column)
    return listed([_with_fact(columns, fact) for fact, columns in by_fact.items()])


def _with_fact(columns: Sequence[str], fact: str) -> str:
    """Return a sentence that states one fact of one or several columns."""
    if len(columns) > 1:
        for one, several in _PLURALS.items():
            if fact.startswith(f"{one} "):
                fact = several + fact.removeprefix(one)
    return f"{listed(columns)} {fact}"


def _argument(name: str) -> str:
    """Return a name as it is typed on a command line."""
    import shlex

    return shlex.quote(name)
