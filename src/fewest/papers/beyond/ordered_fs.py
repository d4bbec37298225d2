"""ORDERED-FS with up to 100,000 features, and how near its error comes to theorem 17."""

from __future__ import annotations

from math import hypot, log10
from typing import TYPE_CHECKING

from fewest.papers.claims import CLAIMS
from fewest.papers.experiment import Experiment, Measured, Row, Unit
from fewest.papers.plots import dashed, legend, line, new_figure
from fewest.papers.verdict import Check, clear, exact, with_error
from fewest.papers.wrapper import errors
from fewest.papers.wrapper.errors import NOISE, ORDERED
from fewest.wrapper import bounds

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EXAMPLES, MOST = 400, 2
FEATURES = {"small": (100, 1_000), "paper": (100, 1_000, 10_000), "full": (100, 1_000, 10_000, 100_000)}
TRIALS = {"small": 10, "paper": 20, "full": 100}
BLOCK = 5  # trials in a unit: with 100,000 features one takes a minute


def grid(scale: str) -> list[Unit]:
    """Return blocks of trials."""
    point = {"examples": EXAMPLES, "relevant": 1, "algorithms": [ORDERED], "max_features": MOST}
    return [
        {**point, "features": f, "first": first, "trials": BLOCK}
        for f in FEATURES[scale]
        for first in range(0, TRIALS[scale], BLOCK)
    ]


def summarise(measured: Measured) -> list[Row]:
    """Return the mean and the largest error, and what theorem 17 promises, which holds in 95 of 100 samples."""
    rows = []
    for f in dict.fromkeys(unit["features"] for unit, _ in measured):
        each = [error for unit, found in measured if unit["features"] == f for error in found[ORDERED]]
        mean = sum(each) / len(each)
        spread = (sum((error - mean) ** 2 for error in each) / (len(each) - 1)) ** 0.5
        rows.append(
            {
                "features": f,
                "error": mean,
                "error_se": spread / len(each) ** 0.5,
                "largest": max(each),
                "bound": bounds.ordered_fs(EXAMPLES, f, 1, eta=NOISE).excess,
                "trials": len(each),
            }
        )
    return rows


def holds(rows: list[Row]) -> list[Check]:
    """Check that the error grows slowly, and keeps to the theorem."""
    first, last = rows[0], rows[-1]
    decades = log10(last["features"] / first["features"])
    grown = (last["error"] - first["error"]) / decades
    return [
        clear(
            f"From {first['features']:,} to {last['features']:,} features ORDERED-FS errs at most 0.03 more for every "
            "factor of ten.",
            [(0.03 - grown, hypot(last["error_se"], first["error_se"]) / decades)],
            f"{grown:+.3f} a factor of ten; "
            + ", ".join(f"{row['features']:,}: {with_error(row['error'], row['error_se'])}" for row in rows),
        ),
        exact(
            "It never errs more than theorem 17 says.",
            all(row["largest"] <= row["bound"] for row in rows),
            "; ".join(
                f"{row['features']:,} features: at most {row['largest']:.2f} of {row['bound']:.2f}" for row in rows
            ),
        ),
        exact(
            "With as many examples theorem 17 promises something: less than 1.",
            all(row["bound"] < 1 for row in rows),
            reason="Its constants are those of the worst distribution; it begins to promise something at "
            f"{_examples(first['features']):,} examples of {first['features']:,} features, and at "
            f"{_examples(last['features']):,} of {last['features']:,}.",
            counts=False,
        ),
    ]


def _examples(n_features: int) -> int:
    """Return the examples from which on the bound promises something."""
    low, high = 1, 1 << 30
    while high - low > 1:
        middle = (low + high) // 2
        is_enough = bounds.ordered_fs(middle, n_features, 1, eta=NOISE).excess < 1
        low, high = (low, middle) if is_enough else (middle, high)
    return high


def draw(rows: list[Row]) -> Figure:
    """Draw the error against the features, and the bound."""
    figure, (ax,) = new_figure()
    features = [row["features"] for row in rows]
    line(ax, 4, features, [row["error"] for row in rows], "ORDERED-FS", [row["error_se"] for row in rows])
    dashed(ax, features, [row["bound"] for row in rows], "theorem 17")
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlabel("features in total, one of them relevant")
    ax.set_ylabel("error on clean labels")
    legend(figure)
    return figure


ORDERED_FS = Experiment(
    claim=CLAIMS["beyond-ordered-fs"],
    grid=grid,
    measure=errors.measure,
    summarise=summarise,
    holds=holds,
    draw=draw,
    cost=errors.cost,
    assumptions=(
        f"{EXAMPLES} training examples, {NOISE:.0%} of the labels wrong, one relevant feature, as in Figure 2 of Ng "
        f"(1998); the search goes up to {MOST} features.",
        "The best hypothesis of one feature has no error on clean labels, so that all error is in excess of it.",
    ),
)
