"""What theorem 5 predicts and chapter 4 could not show: error against features by the thousand."""

from __future__ import annotations

from math import hypot, log10
from typing import TYPE_CHECKING

from fewest.papers.claims import CLAIMS
from fewest.papers.experiment import Experiment, Measured, Row, Unit, only, where
from fewest.papers.sequential import Plan
from fewest.papers.verdict import Check, clear, exact, with_error
from fewest.papers.wrapper import errors
from fewest.papers.wrapper.errors import ORDERED, STANDARD, Sweep
from fewest.papers.wrapper.figures_2_to_6 import OPEN

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EXAMPLES = 400
SWEEP = Sweep(
    "features",
    {"small": (10, 100), "paper": (10, 100, 1_000, 10_000), "full": (10, 100, 1_000, 3_000, 10_000, 30_000)},
    EXAMPLES,
    1,
    (STANDARD, ORDERED),
    max_features=3,
    trials={"small": 10, "paper": 40, "full": 200},
)
# Features and examples, and the square of the features with twice the examples.
SQUARES = {
    "small": (((10, 200), (100, 400)),),
    "paper": (((10, 200), (100, 400)), ((100, 400), (10_000, 800))),
    "full": (((10, 200), (100, 400)), ((100, 400), (10_000, 800))),
}
MORE = 16
SQUARE_TRIALS = {"small": 10, "paper": 20, "full": 100}


def grid(scale: str) -> list[Unit]:
    """Return the sweep, and what the squares need beyond it."""
    units = errors.grid(SWEEP, scale)
    wanted = {point for pair in SQUARES[scale] for point in pair} - {(u["features"], u["examples"]) for u in units}
    return units + [
        {**units[0], "features": f, "examples": m, "algorithms": [ORDERED], "first": first}
        for f, m in sorted(wanted)
        for first in range(0, SQUARE_TRIALS[scale], errors.BLOCK)
    ]


def decisive(start: int, stop: int) -> list[Unit]:
    """Return trials of the larger square; of its few features many more, each a hundredth of the work."""
    point = {"relevant": SWEEP.relevant, "algorithms": [ORDERED], "max_features": SWEEP.max_features}
    (few, few_examples), (many, many_examples) = SQUARES["paper"][1]
    return [
        *errors.blocks({**point, "features": few, "examples": few_examples}, MORE * start, MORE * stop),
        *errors.blocks({**point, "features": many, "examples": many_examples}, start, stop),
    ]


def summarise(measured: Measured) -> list[Row]:
    """Return a row a point and algorithm."""
    return [row for row in errors.summarise(SWEEP, measured) if row["features"] is not None]


def holds(rows: list[Row]) -> list[Check]:
    """Check that it tolerates more than STANDARD-WRAP, and that the square of the features takes twice the examples."""
    squares = sorted({(row["features"], row["examples"]) for row in rows})
    squared = [_square(rows, f, m) for f, m in squares if (f * f, 2 * m) in squares]
    if not where(rows, algorithm=STANDARD):
        return squared
    swept = sorted({row["features"] for row in rows if row["examples"] == EXAMPLES})
    first, last = (only(rows, features=f, examples=EXAMPLES, algorithm=ORDERED) for f in (swept[0], swept[-1]))
    behind = only(rows, features=swept[-1], examples=EXAMPLES, algorithm=STANDARD)
    lead = behind["more_than_ordered"], behind["more_than_ordered_se"]
    a_decade = (last["error"] - first["error"]) / log10(swept[-1] / swept[0])
    return [
        clear(
            f"With {swept[-1]:,} features STANDARD-WRAP errs more than ORDERED-FS.",
            [lead],
            f"by {with_error(*lead)}, of {behind['error']:.3f}",
            "A search of at most 3 features gives STANDARD-WRAP less to overfit with than the thesis has in mind.",
        ),
        *squared,
        exact(
            f"From {swept[0]:,} to {swept[-1]:,} features ORDERED-FS's error grows, with the same examples.",
            a_decade > 0,
            f"by {a_decade:.3f} a factor of ten",
            counts=False,
        ),
    ]


def _square(rows: list[Row], f: int, m: int) -> Check:
    few = only(rows, features=f, examples=m, algorithm=ORDERED)
    many = only(rows, features=f * f, examples=2 * m, algorithm=ORDERED)
    margin = few["error"] - many["error"], hypot(few["error_se"], many["error_se"])
    return clear(
        f"With {f * f:,} features and {2 * m} examples it errs no more than with {f:,} and {m}.",
        [margin],
        f"{with_error(many['error'], many['error_se'])} against {with_error(few['error'], few['error_se'])}",
        "The theorem bounds the worst case; in this one the error may shrink more slowly with the examples.",
    )


def draw(rows: list[Row]) -> Figure:
    """Draw the sweep; the squares are in the checks."""
    return errors.draw(SWEEP, [row for row in rows if row["examples"] == EXAMPLES])


MANY_FEATURES = Experiment(
    claim=CLAIMS["wrapper-many-features"],
    grid=grid,
    measure=errors.measure,
    summarise=summarise,
    holds=holds,
    draw=draw,
    plan=Plan(decisive, 20, looks=4),
    cost=errors.cost,
    assumptions=(
        f"{EXAMPLES} training examples. The search goes up to 3 features: all sizes are out of reach.",
        "One relevant feature, and noise of 0.3, as in Figure 2.",
        *OPEN,
    ),
)
