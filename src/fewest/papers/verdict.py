"""Judge demands by what was measured: they hold, do not hold, or are not decided."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt
from statistics import NormalDist

# So many standard errors are beyond chance; with several margins, as many as make a false alarm just as rare.
BEYOND_CHANCE = 2.0
# The normal quantile of a confidence of 95%.
CONFIDENT = 1.96

UNSURE = "What was measured is too uncertain to tell; a larger scale measures more."

Margin = tuple[float, float]


class Verdict(StrEnum):
    """What measurements decide about a demand, or about a claim."""

    HOLDS = "holds"
    FAILS = "does not hold"
    UNDECIDED = "not decided"


@dataclass(frozen=True)
class Check:
    """One thing that a claim demands, and whether it is so.

    Parameters
    ----------
    statement : str
        What must be so.
    verdict : Verdict
    measured : str
        The numbers that show it, with their uncertainty.
    reason : str
        The likeliest reason, should it not be so.
    counts : bool
        Whether the claim demands it. What does not count is shown beside the claim: other values of a parameter that
        the paper does not give, or what else was seen.
    """

    statement: str
    verdict: Verdict
    measured: str = ""
    reason: str = ""
    counts: bool = True


def exact(statement: str, is_so: bool, measured: str = "", reason: str = "", *, counts: bool = True) -> Check:
    """Check what has no uncertainty."""
    return Check(statement, Verdict.HOLDS if is_so else Verdict.FAILS, measured, reason, counts)


def clear(
    statement: str, margins: Iterable[Margin], measured: str = "", reason: str = "", *, counts: bool = True
) -> Check:
    """Check what has some: by how much each part of a demand is met, with the standard error of that.

    It holds if every part is met by two standard errors, and does not if one is missed by as many (more, where there
    are several parts, one of which may be missed by chance). Between the two it is not decided, for which the reason is
    the uncertainty itself.

    >>> [clear("x", [margin]).verdict.value for margin in ((3.0, 1.0), (1.0, 1.0), (-3.0, 1.0))]
    ['holds', 'not decided', 'does not hold']
    """
    parts = list(margins)
    beyond_chance = NormalDist().inv_cdf(1 - (1 - NormalDist().cdf(BEYOND_CHANCE)) / len(parts))
    if all(margin > BEYOND_CHANCE * error for margin, error in parts):
        verdict = Verdict.HOLDS
    elif any(margin < -beyond_chance * error or (error == 0 and margin <= 0) for margin, error in parts):
        verdict = Verdict.FAILS
    else:
        verdict, reason = Verdict.UNDECIDED, UNSURE
    return Check(statement, verdict, measured, reason, counts)


def overall(checks: Iterable[Check]) -> Verdict:
    """Return the verdict on a claim: it fails with any of its demands, and holds with all of them."""
    verdicts = {check.verdict for check in checks if check.counts}
    for verdict in (Verdict.FAILS, Verdict.UNDECIDED):
        if verdict in verdicts:
            return verdict
    return Verdict.HOLDS


def likely_share(count: int, of: int) -> tuple[float, float]:
    """Return the 95% confidence interval of the share behind a published count (Wilson's interval).

    >>> [round(share, 3) for share in likely_share(45, 50)]
    [0.786, 0.957]
    """
    share, square = count / of, CONFIDENT**2
    centre = (share + square / (2 * of)) / (1 + square / of)
    half = CONFIDENT / (1 + square / of) * sqrt(share * (1 - share) / of + square / (4 * of * of))
    return max(0.0, centre - half), min(1.0, centre + half)


def share_error(share: float, of: int) -> float:
    """Return the standard error of a measured share, not zero even where it is all or none of them."""
    smoothed = (share * of + 1) / (of + 2)
    return sqrt(smoothed * (1 - smoothed) / of)


def with_error(value: float, error: float, unit: str = "") -> str:
    """Write a number with its standard error.

    >>> with_error(0.01234, 0.002)
    '0.0123 ± 0.0020'
    """
    digits = 0
    while digits < 8 and error and error < 10 ** (1 - digits):
        digits += 1
    return f"{value:,.{digits}f} ± {error:,.{digits}f}{unit}" if error else f"{value:,.4g}{unit}"
