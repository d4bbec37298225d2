"""An experiment: a claim, a grid of measurements, and what the claim demands of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Any

from fewest.papers.sequential import Look, Plan
from fewest.papers.verdict import Check, Verdict, of_words, overall

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fewest.papers.claims import Claim

# All of these are made of what JSON knows, so that what is measured can be kept and read again.
Unit = dict[str, Any]
Row = dict[str, Any]
Measured = list[tuple[Unit, Any]]

SCALES = ("small", "paper", "full")
# As many runs as decide the claim: of experiments that have a plan only what is hard to decide, of others "paper".
DECIDE = "decide"


@dataclass(frozen=True)
class Comparison:
    """A published number beside ours.

    Parameters
    ----------
    quantity : str
    published : float
    ours : float
    error : float
        The standard error of the difference, as far as it is known: of ours, and of theirs where it can be estimated.
    note : str
        The likeliest reason, where they differ.
    """

    quantity: str
    published: float
    ours: float
    error: float
    note: str = ""

    @property
    def deviations(self) -> float:
        """Return how many standard errors ours is above the published number."""
        difference = self.ours - self.published
        if not difference:
            return 0.0
        return difference / self.error if self.error > 0 else float("inf") * (1 if difference > 0 else -1)

    @property
    def agrees(self) -> bool:
        """Return whether the difference is within two standard errors."""
        return abs(self.deviations) <= 2

    def sentence(self) -> str:
        """State by how much they differ."""
        if not isfinite(self.error):
            return "not comparable"
        if self.agrees:
            return "agrees" if self.ours == self.published else f"agrees ({self.deviations:+.1f} standard errors)"
        relative = f"{(self.ours - self.published) / abs(self.published):+.0%}" if self.published else "not 0"
        apart = f", {self.deviations:+.1f} standard errors" if isfinite(self.deviations) else ""
        return f"differs ({relative}{apart})"


@dataclass(frozen=True)
class Experiment:
    """A claim of a paper that is measured again, and can fail.

    Parameters
    ----------
    claim : Claim
        What the paper states, and where.
    grid : callable
        From a scale, "small", "paper" or "full", to the units of work. A unit has all that its measurement depends on.
    measure : callable
        From a unit to what was measured, a function that other processes can import.
    summarise : callable
        From all units with their measurements, in the order of the grid, to the rows of a table.
    holds : callable
        From these rows to the checks: what the claim demands, by the paper alone, and what was seen beside it.
    draw : callable
        From the rows to a figure.
    compare : callable, optional
        From the rows to published numbers beside ours.
    assumptions : tuple of str
        What the paper does not say, and what was taken.
    cost : callable, optional
        How long a unit takes beside others, so that the time left can be estimated.
    plan : Plan, optional
        How to go on, at scale "decide", until the claim is decided.
    is_timed : bool
        Whether it measures seconds, which loading machine code in between would disturb.
    """

    claim: Claim
    grid: Callable[[str], list[Unit]]
    measure: Callable[[Unit], Any]
    summarise: Callable[[Measured], list[Row]]
    holds: Callable[[list[Row]], list[Check]]
    draw: Callable[[list[Row]], Figure]
    compare: Callable[[list[Row]], list[Comparison]] | None = None
    assumptions: tuple[str, ...] = ()
    cost: Callable[[Unit], float] = field(default=lambda unit: 1.0)  # noqa: ARG005 (units cost alike)
    plan: Plan | None = None
    is_timed: bool = False

    def units(self, scale: str) -> list[Unit]:
        """Return the units of a scale; of "decide" those of the first look."""
        if scale != DECIDE:
            return self.grid(scale)
        if self.plan is None:
            return self.grid("paper")
        return self.plan.between(0, self.plan.first) + self.plan.beside()

    @property
    def name(self) -> str:
        """Return the name that the command knows."""
        return self.claim.name


@dataclass(frozen=True)
class Outcome:
    """The result of an experiment at a scale."""

    experiment: Experiment
    scale: str
    rows: list[Row]
    checks: list[Check]
    comparisons: list[Comparison]
    looks: tuple[Look, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """Return whether the numbers and orderings of the claim hold."""
        return overall(self.checks)

    @property
    def words(self) -> Verdict | None:
        """Return whether its words hold, by our thresholds; None where there are none."""
        return of_words(self.checks)


def judged(experiment: Experiment, scale: str, measured: Measured, looks: tuple[Look, ...] = ()) -> Outcome:
    """Summarise measurements and judge them; if they may be looked at again, by more standard errors."""
    rows = experiment.summarise(measured)
    comparisons = experiment.compare(rows) if experiment.compare else []
    checks = experiment.holds(rows)
    if experiment.plan is not None and looks:
        checks = [check.at(experiment.plan.beyond) for check in checks]
    return Outcome(experiment, scale, rows, checks, comparisons, looks)


def as_rows(measured: Measured) -> list[Row]:
    """Return a row a unit: what it was, and what was measured. The summary of experiments that need none."""
    return [{**unit, **found} for unit, found in measured]


def where(rows: Sequence[Row], **values: object) -> list[Row]:
    """Return the rows that have these values."""
    return [row for row in rows if all(row[name] == value for name, value in values.items())]


def only(rows: Sequence[Row], **values: object) -> Row:
    """Return the one row that has these values."""
    (row,) = where(rows, **values)
    return row
