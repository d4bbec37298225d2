"""Figure 7 and section 5.2 of Ng (1998): how many subsets of features are significantly different."""

from __future__ import annotations

from itertools import combinations
from math import log
from typing import TYPE_CHECKING, Any

from fewest.papers.claims import CLAIMS
from fewest.papers.experiment import Comparison, Experiment, Measured, Row, Unit, as_rows, where
from fewest.papers.plots import line, new_figure
from fewest.papers.verdict import Check, exact
from fewest.wrapper.different_subsets import (
    difference_multiplier,
    different_subsets,
    log_different_subsets,
    tight_up_to,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CODES = {"small": range(4, 11), "paper": range(4, 15), "full": range(4, 18)}


def grid(scale: str) -> list[Unit]:
    """Return the points of the curve, and small codes that can be built."""
    curve = [{"kind": "curve", "beta": k / 100} for k in range(1, 101)]
    codes = [{"kind": "code", "f": f, "d": d} for f in CODES[scale] for d in range(2, f // 2 + 1)]
    large = [{"kind": "large", "f": f, "beta": beta} for f in (100, 1000) for beta in (0.1, 0.2, 0.3)]
    return [*curve, *codes, *large, {"kind": "root"}]


def measure(unit: Unit) -> Any:
    """Compute a point; build a code greedily; compare the approximation with the count."""
    if unit["kind"] == "curve":
        return {"value": difference_multiplier(unit["beta"])}
    if unit["kind"] == "root":
        return {"value": tight_up_to()}
    if unit["kind"] == "large":
        exact = log(different_subsets(unit["f"], round(unit["beta"] * unit["f"])))
        return {"value": log_different_subsets(unit["f"], unit["beta"]), "built": exact}
    return {"value": different_subsets(unit["f"], unit["d"]), "built": greedy_code(unit["f"], unit["d"])}


def greedy_code(f: int, d: int) -> int:
    """Return how many subsets the simplest construction finds: a linear code, one generator after the other.

    Gilbert and Varshamov: while the words within d - 1 of the code do not fill the space, a further generator exists.
    """
    code = [0]
    far = [word for word in range(1 << f) if word.bit_count() >= d]
    while far:
        generator = far[0]
        code += [word ^ generator for word in code]
        far = [word for word in far if all((word ^ known).bit_count() >= d for known in code)]
    assert all((a ^ b).bit_count() >= d for a, b in combinations(code[:64], 2))
    return len(code)


def summarise(measured: Measured) -> list[Row]:
    """Return a row a unit, all of the same columns."""
    return [{"f": None, "d": None, "beta": None, "built": None, **row} for row in as_rows(measured)]


def holds(rows: list[Row]) -> list[Check]:
    """Check the sign of the multiplier, and the counts by building codes."""
    curve = where(rows, kind="curve")
    codes, large = where(rows, kind="code"), where(rows, kind="large")
    return [
        exact(
            "The multiplier is positive for all beta up to 0.32.",
            all(r["value"] > 0 for r in curve if r["beta"] <= 0.32),
        ),
        exact("It is negative from 0.33 on.", all(r["value"] < 0 for r in curve if r["beta"] >= 0.33)),
        exact("Codes as large as Gilbert and Varshamov's can be built.", all(r["built"] >= r["value"] for r in codes)),
        exact("The approximation (5.4) does not exceed the count.", all(r["value"] <= r["built"] for r in large)),
    ]


def compare(rows: list[Row]) -> list[Comparison]:
    """Put the zero of the curve beside the text's."""
    (root,) = where(rows, kind="root")
    return [
        Comparison("beta up to which the multiplier is positive", 0.32, root["value"], 0.005, 'The text says "about".')
    ]


def draw(rows: list[Row]) -> Figure:
    """Draw the curve of Figure 7."""
    figure, (ax,) = new_figure()
    curve = where(rows, kind="curve")
    line(ax, 0, [row["beta"] for row in curve], [row["value"] for row in curve], "", marker="")
    ax.axhline(0, color="0.5", linewidth=0.8)
    ax.set_xlabel("beta")
    ax.set_ylabel("ln 2 - beta (1 + ln(1 / beta))")
    return figure


FIGURE_7 = Experiment(
    claim=CLAIMS["wrapper-figure-7"],
    grid=grid,
    measure=measure,
    summarise=summarise,
    holds=holds,
    compare=compare,
    draw=draw,
    cost=lambda unit: 2.0 ** unit.get("f", 0) if unit["kind"] == "code" else 1.0,
)
