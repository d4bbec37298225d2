"""Figure 6 of Almuallim and Dietterich (1994): accuracy on average over a hundred concepts."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.papers.claims import CLAIMS
from fewest.papers.experiment import Experiment, Measured, Row, Unit, where
from fewest.papers.focus import LEARNERS
from fewest.papers.focus.figure_5 import N_RELEVANT, SIZES, accuracies, average_case
from fewest.papers.plots import legend, line, new_figure
from fewest.papers.verdict import BEYOND_CHANCE, Check, exact

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CONCEPTS = {"small": 20, "paper": 100, "full": 400}
SAMPLES_A_CONCEPT = {"small": 50, "paper": 100, "full": 500}
UNIFORM, STRATIFIED = "random truth table of five features", "one to five relevant features, equally often"


def grid(scale: str) -> list[Unit]:
    """Return a unit a concept, for two ways to choose concepts at random."""
    return [
        {"choice": choice, "concept": k, "sizes": list(SIZES[scale]), "n_samples": SAMPLES_A_CONCEPT[scale]}
        for choice in (UNIFORM, STRATIFIED)
        for k in range(CONCEPTS[scale])
    ]


def random_concept(choice: str, number: int) -> list[bool]:
    """Return the truth table of a concept of at most five features."""
    rng = np.random.default_rng([6, number])
    n_relevant = N_RELEVANT if choice == UNIFORM else 1 + number % N_RELEVANT
    while True:
        table = rng.integers(0, 2, 1 << n_relevant).astype(bool)
        if 0 < table.sum() < len(table):
            return table.tolist()


def measure(unit: Unit) -> Any:
    """Return every learner's mean accuracy on a concept, for every size, on the same samples."""
    concept = random_concept(unit["choice"], unit["concept"])
    return {
        learner: [
            float(accuracies(concept, learner, m, unit["n_samples"], seed=600 + unit["concept"]).mean())
            for m in unit["sizes"]
        ]
        for learner in LEARNERS
    }


def summarise(measured: Measured) -> list[Row]:
    """Return FOCUS's lead over every other learner, averaged over the concepts, at every size and (none) over all."""
    rows = []
    for choice in dict.fromkeys(unit["choice"] for unit, _ in measured):
        found = [found for unit, found in measured if unit["choice"] == choice]
        sizes = next(unit["sizes"] for unit, _ in measured)
        for learner in LEARNERS:
            leads = np.array([np.subtract(one["focus"], one[learner]) for one in found])
            for m, each in [*zip(sizes, leads.T, strict=True), (None, leads.mean(axis=1))]:
                row = {"choice": choice, "learner": learner, "examples": m, "lead": float(each.mean())}
                rows.append({**row, "error": float(each.std(ddof=1) / sqrt(len(each)))})
    return rows


def holds(rows: list[Row]) -> list[Check]:
    """Check that the learners keep their order on average, however concepts are chosen."""
    checks = []
    for choice in dict.fromkeys(row["choice"] for row in rows):
        behind = {row["learner"]: (row["lead"], row["error"]) for row in where(rows, choice=choice, examples=None)}
        found = [row for row in where(rows, choice=choice) if row["examples"] is not None]
        checks += [
            *average_case(behind, f" ({choice})", counts=choice == UNIFORM),
            exact(
                f"FOCUS is at no size clearly less accurate than any other ({choice}).",
                all(row["lead"] >= -BEYOND_CHANCE * row["error"] for row in found),
                counts=False,
            ),
        ]
    return checks


def draw(rows: list[Row]) -> Figure:
    """Draw FOCUS's lead over each of the others."""
    choices = list(dict.fromkeys(row["choice"] for row in rows))
    figure, panels = new_figure(len(choices))
    for ax, choice in zip(panels, choices, strict=True):
        for k, (learner, title) in enumerate(LEARNERS.items()):
            found = [row for row in where(rows, choice=choice, learner=learner) if row["examples"] is not None]
            if learner != "focus":
                line(
                    ax,
                    k,
                    [r["examples"] for r in found],
                    [100 * r["lead"] for r in found],
                    title,
                    [100 * r["error"] for r in found],
                )
        ax.axhline(0, color="0.5", linewidth=0.8)
        ax.set_xlabel("training examples")
        ax.set_ylabel("accuracy of FOCUS+ID3 less that of ..., %")
        ax.set_title(choice, fontsize=10)
    legend(figure)
    return figure


FIGURE_6 = Experiment(
    claim=CLAIMS["focus-figure-6"],
    grid=grid,
    measure=measure,
    summarise=summarise,
    holds=holds,
    draw=draw,
    assumptions=(
        "How concepts were chosen at random is not said. Two ways: any truth table of five features, constants left "
        "out, for which the verdict is; or one to five relevant features, equally often, shown beside the claim.",
        "Accuracy is over all 2^16 instances.",
    ),
)
