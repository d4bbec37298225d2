"""Figure 5 and section 7.1 of Almuallim and Dietterich (1994): accuracy on average, for one concept."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.papers.claims import CLAIMS
from fewest.papers.experiment import Experiment, Measured, Row, Unit, only, where
from fewest.papers.focus import LEARNERS
from fewest.papers.focus.small_samples import Samples
from fewest.papers.plots import legend, line, new_figure
from fewest.papers.verdict import BEYOND_CHANCE, Check, Margin, clear, exact, worded

if TYPE_CHECKING:
    from matplotlib.figure import Figure

N_FEATURES = 16
N_RELEVANT = 5
# The terms of Figure 5's caption: the values of x1, x2, ... that each asks for, "-" for any.
TERMS = ("1110-", "11110", "11011", "101--", "1000-", "01111", "00111", "0010-", "0-011", "0-000")
SIZES = {"small": range(20, 121, 20), "paper": range(20, 121, 10), "full": range(20, 121, 5)}
CURVE_SAMPLES = {"small": 300, "paper": 1_000, "full": 20_000}
# What the paper says in words, as points: "quite close" is within two, "not nearly as well" further away;
# "very much alike" is within half a point.
CLOSE, ALIKE = 2, 0.5


def captioned() -> list[bool]:
    """Return the truth table of Figure 5's concept, x1 in the lowest bit.

    >>> sum(captioned())
    18
    """
    return [
        any(all(sign in ("-", "01"[cell >> b & 1]) for b, sign in enumerate(term)) for term in TERMS)
        for cell in range(1 << N_RELEVANT)
    ]


def accuracies(concept: list[bool], learner: str, n_examples: int, n_samples: int, seed: int) -> np.ndarray:
    """Return the share of all instances that a learner gets right, for every sample."""
    samples = Samples(concept, N_FEATURES, n_examples, seed)
    return 1 - samples.run(learner, n_samples).misclassified / 2**N_FEATURES


def curve_grid(scale: str) -> list[Unit]:
    """Return a unit a learner and size."""
    return [
        {"learner": learner, "examples": m, "n_samples": CURVE_SAMPLES[scale]}
        for learner in LEARNERS
        for m in SIZES[scale]
    ]


def measure_curve(unit: Unit) -> Any:
    """Return the mean accuracy and its standard error."""
    found = accuracies(captioned(), unit["learner"], unit["examples"], unit["n_samples"], seed=5)
    return {"accuracy": float(found.mean()), "error": float(found.std(ddof=1) / sqrt(len(found)))}


def curve_rows(measured: Measured) -> list[Row]:
    """Return a row a unit."""
    return [{**unit, **found} for unit, found in measured]


def curve_holds(rows: list[Row]) -> list[Check]:
    """Check the pattern that the paper calls typical."""
    sizes = sorted({row["examples"] for row in rows})
    behind: dict[str, Margin] = {}
    for learner in LEARNERS:
        pairs = [(only(rows, learner="focus", examples=m), only(rows, learner=learner, examples=m)) for m in sizes]
        # Samples of different sizes begin alike: their errors may go together.
        error = float(np.mean([hypot(a["error"], b["error"]) for a, b in pairs]))
        behind[learner] = float(np.mean([a["accuracy"] - b["accuracy"] for a, b in pairs])), error
    leads = [
        (focus["accuracy"] - row["accuracy"], hypot(focus["error"], row["error"]))
        for row in rows
        for focus in where(rows, learner="focus", examples=row["examples"])
    ]
    seen = "FOCUS is at no size clearly less accurate than any other."
    never = all(lead >= -BEYOND_CHANCE * error for lead, error in leads)
    return [*average_case(behind), exact(seen, never, counts=False)]


def average_case(behind: Mapping[str, Margin], among: str = "", *, counts: bool = True) -> list[Check]:
    """Check what section 7.1 says of accuracy, given how far each learner is behind FOCUS, and how surely."""

    def points(*learners: str) -> str:
        each = (f"{LEARNERS[k]} {100 * behind[k][0]:.2f} ± {100 * behind[k][1]:.2f}" for k in learners)
        return f"points behind FOCUS: {', '.join(each)}"

    def ahead(better: str, worse: str, least: float = 0.0) -> Margin:
        return behind[worse][0] - behind[better][0] - least, hypot(behind[better][1], behind[worse][1])

    apart, error = ahead("sg", "mig")
    heuristics = ("wg", "sg", "mig")
    lost = "The paper gives no number, and its figures are lost"
    return [
        clear(
            f"Each of the three heuristics is more accurate than ID3, averaged over the sizes{among}.",
            [ahead(learner, "id3") for learner in heuristics],
            points(*heuristics, "id3"),
            counts=counts,
        ),
        clear(
            f"Of the three, Weighted-Greedy is the most accurate{among}.",
            [ahead("wg", "sg"), ahead("wg", "mig")],
            points(*heuristics),
            counts=counts,
        ),
        clear(
            f"FRINGE is less accurate than each of the three{among}.",
            [ahead(learner, "fringe") for learner in heuristics],
            points(*heuristics, "fringe"),
            counts=counts,
        ),
        worded(
            f'It is "quite close" to FOCUS: within two points{among}.',
            lambda close: [(close / 100 - behind["wg"][0], behind["wg"][1])],
            CLOSE,
            (1, 3, 5, 6, 8),
            "points",
            points("wg"),
            f"{lost}: two points may be less than it meant by close.",
            counts=counts,
        ),
        worded(
            f'Mutual-Information-Greedy and Simple-Greedy are "very much alike": within half a point{among}.',
            lambda alike: [(alike / 100 - abs(apart), error)],
            ALIKE,
            (0.25, 1, 1.5, 2, 3),
            "points",
            points("sg", "mig"),
            f"{lost}.",
            counts=counts,
        ),
        worded(
            f'ID3 and FRINGE do "not perform nearly as well" as FOCUS: more than two points behind{among}.',
            lambda close: [(behind[learner][0] - close / 100, behind[learner][1]) for learner in ("id3", "fringe")],
            CLOSE,
            (1, 4, 8, 12, 16),
            "points",
            points("id3", "fringe"),
            counts=counts,
        ),
    ]


def draw_curve(rows: list[Row]) -> Figure:
    """Draw the learning curves."""
    figure, (ax,) = new_figure()
    for k, (learner, title) in enumerate(LEARNERS.items()):
        found = where(rows, learner=learner)
        line(
            ax,
            k,
            [r["examples"] for r in found],
            [100 * r["accuracy"] for r in found],
            title,
            [100 * r["error"] for r in found],
        )
    ax.set_xlabel("training examples")
    ax.set_ylabel("accuracy, %")
    legend(figure)
    return figure


FIGURE_5 = Experiment(
    claim=CLAIMS["focus-figure-5"],
    grid=curve_grid,
    measure=measure_curve,
    summarise=curve_rows,
    holds=curve_holds,
    draw=draw_curve,
    cost=lambda unit: unit["examples"] * (10.0 if unit["learner"] == "fringe" else 1.0),
    assumptions=(
        "Accuracy is averaged over the sizes, 20 to 120 examples.",
        "Accuracy is over all 2^16 instances.",
        "The relevant features are at random places, negated at random, in every sample.",
    ),
)
