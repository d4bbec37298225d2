"""Judge demands by what was measured: they hold, do not hold, or are not decided.

Two kinds of demands: the numbers and orderings that a paper states, and its words ("quite close", "many times
faster"), which are numbers only by a threshold. That is ours, and each such check shows what others would give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import sqrt
from statistics import NormalDist

# So many standard errors are beyond chance; with several margins, as many as make a false alarm just as rare.
BEYOND_CHANCE = 2.0
# The normal quantile of a confidence of 95%.
CONFIDENT = 1.96
# And the one-sided one: as many standard errors further out is a margin that is seen to be beyond chance in 95%.
POWERFUL = 1.645

UNSURE = "What was measured is too uncertain to tell; a larger scale measures more."

Margin = tuple[float, float]


class Verdict(StrEnum):
    """What measurements decide about a demand, or about a claim."""

    HOLDS = "holds"
    FAILS = "does not hold"
    UNDECIDED = "not decided"


@dataclass(frozen=True)
class Reading:
    """What a word of the paper was taken to mean.

    Parameters
    ----------
    threshold : float
        Ours.
    unit : str
        What the threshold is a number of: "times", "points".
    margins : tuple of (float, tuple of Margin)
        By how much each part of the demand would be met with this threshold, and with others.
    """

    threshold: float
    unit: str
    margins: tuple[tuple[float, tuple[Margin, ...]], ...]

    def verdicts(self, beyond: float = BEYOND_CHANCE) -> list[tuple[float, Verdict]]:
        """Return the verdict with every threshold, from the lowest."""
        return [(threshold, decided(parts, beyond)) for threshold, parts in self.margins]


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
    margins : tuple of Margin
        By how much each part is met, with its standard error; none where nothing is uncertain.
    reading : Reading, optional
        Where the demand is a word: the threshold that we gave it.
    """

    statement: str
    verdict: Verdict
    measured: str = ""
    reason: str = ""
    counts: bool = True
    margins: tuple[Margin, ...] = ()
    reading: Reading | None = None

    def at(self, beyond: float) -> Check:
        """Return the check as it is judged when so many standard errors are asked for."""
        if not self.margins:
            return self
        verdict = decided(self.margins, beyond)
        known = "" if self.reason == UNSURE else self.reason
        return replace(self, verdict=verdict, reason=UNSURE if verdict is Verdict.UNDECIDED else known)

    def times_the_runs(self, beyond: float = BEYOND_CHANCE) -> float:
        """Return how many times the runs would decide it in 95 of 100 repetitions, were the margins as measured.

        >>> round(clear("x", [(1.0, 1.0)]).times_the_runs(), 1)  # (2 + 1.645) ** 2
        13.3
        """
        missed = [part for part in self.margins if part[0] < 0]
        alarm = _alarm(beyond, len(self.margins))
        if missed:
            return min(_times(margin, error, alarm) for margin, error in missed)
        return max((_times(margin, error, beyond) for margin, error in self.margins), default=0.0)


def _times(margin: float, error: float, beyond: float) -> float:
    if not error:
        return 0.0
    return ((beyond + POWERFUL) * error / abs(margin)) ** 2 if margin else float("inf")


def _alarm(beyond: float, n_parts: int) -> float:
    """Return how many standard errors one of so many parts must be missed by, for a false alarm to stay as rare."""
    return NormalDist().inv_cdf(1 - (1 - NormalDist().cdf(beyond)) / n_parts) if n_parts else beyond


def decided(margins: Sequence[Margin], beyond: float = BEYOND_CHANCE) -> Verdict:
    """Judge by how much each part of a demand is met.

    It holds if every part is met by two standard errors (or as many as are asked for), and does not if one is missed
    by as many; more, where there are several parts, one of which may be missed by chance. Between the two it is not
    decided.
    """
    alarm = _alarm(beyond, len(margins))
    if all(margin > beyond * error for margin, error in margins):
        return Verdict.HOLDS
    if any(margin < -alarm * error or (error == 0 and margin <= 0) for margin, error in margins):
        return Verdict.FAILS
    return Verdict.UNDECIDED


def exact(statement: str, is_so: bool, measured: str = "", reason: str = "", *, counts: bool = True) -> Check:
    """Check what has no uncertainty."""
    return Check(statement, Verdict.HOLDS if is_so else Verdict.FAILS, measured, reason, counts)


def clear(
    statement: str, margins: Iterable[Margin], measured: str = "", reason: str = "", *, counts: bool = True
) -> Check:
    """Check what has some: by how much each part of a demand is met, with the standard error of that.

    Where it is not decided, the reason is the uncertainty itself.

    >>> [clear("x", [margin]).verdict.value for margin in ((3.0, 1.0), (1.0, 1.0), (-3.0, 1.0))]
    ['holds', 'not decided', 'does not hold']
    """
    parts = tuple(margins)
    verdict = decided(parts)
    shown = UNSURE if verdict is Verdict.UNDECIDED else reason
    return Check(statement, verdict, measured, shown, counts, parts)


def worded(
    statement: str,
    margins: Callable[[float], Iterable[Margin]],
    threshold: float,
    others: Sequence[float],
    unit: str,
    measured: str = "",
    reason: str = "",
    *,
    counts: bool = True,
) -> Check:
    """Check a word of the paper by a threshold of ours, and keep what other thresholds would give.

    >>> close = worded("It is close.", lambda t: [(t - 1.3, 0.01)], 1.25, (1.1, 1.35), "times")
    >>> [(t, verdict.value) for t, verdict in close.reading.verdicts()]
    [(1.1, 'does not hold'), (1.25, 'does not hold'), (1.35, 'holds')]
    """
    check = clear(statement, margins(threshold), measured, reason, counts=counts)
    several = sorted({threshold, *others})
    return replace(check, reading=Reading(threshold, unit, tuple((t, tuple(margins(t))) for t in several)))


def overall(checks: Iterable[Check]) -> Verdict:
    """Return the verdict on a claim: it fails with any of its demands, and holds with all of them.

    Words are left out, which are a matter of thresholds: `of_words` judges them.
    """
    return _together(check for check in checks if check.reading is None) or Verdict.HOLDS


def of_words(checks: Iterable[Check]) -> Verdict | None:
    """Return the verdict on the words of a claim, by our thresholds; None where it has none."""
    return _together(check for check in checks if check.reading is not None)


def _together(checks: Iterable[Check]) -> Verdict | None:
    verdicts = {check.verdict for check in checks if check.counts}
    for verdict in (Verdict.FAILS, Verdict.UNDECIDED):
        if verdict in verdicts:
            return verdict
    return Verdict.HOLDS if verdicts else None


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
