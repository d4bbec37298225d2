"""Figures 5 and 6: accuracy on average, for one concept and over a hundred."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.papers.drawing import legend, line, new_figure
from fewest.papers.experiment import Check, Experiment, Measured, Row, Unit, only, where
from fewest.papers.focus import LEARNERS, PAPER
from fewest.search.boolean_batch import Samples

if TYPE_CHECKING:
    from matplotlib.figure import Figure

N_FEATURES = 16
N_RELEVANT = 5
# The terms of Figure 5's caption: the values of x1, x2, ... that each asks for, "-" for any.
TERMS = ("1110-", "11110", "11011", "101--", "1000-", "01111", "00111", "0010-", "0-011", "0-000")
SIZES = {"small": range(20, 121, 20), "paper": range(20, 121, 10), "full": range(20, 121, 5)}
CURVE_SAMPLES = {"small": 300, "paper": 1_000, "full": 20_000}
CONCEPTS = {"small": 20, "paper": 100, "full": 400}
SAMPLES_A_CONCEPT = {"small": 50, "paper": 100, "full": 500}
UNIFORM, STRATIFIED = "random truth table of five features", "one to five relevant features, equally often"


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


# ------------------------------------------------------------------ Figure 5


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
    """Check the pattern that the document calls typical."""
    sizes = sorted({row["examples"] for row in rows})

    def mean(learner: str) -> float:
        return sum(only(rows, learner=learner, examples=m)["accuracy"] for m in sizes) / len(sizes)

    def never_below(better: str, worse: str) -> bool:
        pairs = [(only(rows, learner=better, examples=m), only(rows, learner=worse, examples=m)) for m in sizes]
        return all(b["accuracy"] >= w["accuracy"] - 3 * (b["error"] + w["error"]) for b, w in pairs)

    means = {learner: mean(learner) for learner in LEARNERS}
    return [
        Check("FOCUS is nowhere less accurate than any other.", all(never_below("focus", k) for k in LEARNERS)),
        Check(
            "Each of the three heuristics is nowhere less accurate than ID3.",
            all(never_below(learner, "id3") for learner in ("wg", "sg", "mig")),
        ),
        Check(
            "On average over the sizes Weighted-Greedy is the closest to FOCUS, losing less than half as much as ID3.",
            means["wg"] == max(means[k] for k in LEARNERS if k != "focus")
            and means["focus"] - means["wg"] < (means["focus"] - means["id3"]) / 2,
        ),
        Check(
            "FRINGE is, on average, less accurate than each of the three.",
            means["fringe"] < min(means[k] for k in ("wg", "sg", "mig")),
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
    legend(ax)
    return figure


FIGURE_5 = Experiment(
    name="focus-figure-5",
    claim="On the caption's concept of 5 of 16 features FOCUS is the most accurate at every size, Weighted-Greedy "
    "closest to it, and the three heuristics better than ID3 and FRINGE.",
    source=f"{PAPER}, section 7.1, experiment 2, Figure 5",
    grid=curve_grid,
    measure=measure_curve,
    summarise=curve_rows,
    holds=curve_holds,
    draw=draw_curve,
    cost=lambda unit: unit["examples"] * (10.0 if unit["learner"] == "fringe" else 1.0),
    assumptions=(
        "Accuracy is over all 2^16 instances.",
        "The relevant features are at random places, negated at random, in every sample.",
    ),
)

# ------------------------------------------------------------------ Figure 6


def average_grid(scale: str) -> list[Unit]:
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


def measure_average(unit: Unit) -> Any:
    """Return every learner's mean accuracy on a concept, for every size, on the same samples."""
    concept = random_concept(unit["choice"], unit["concept"])
    return {
        learner: [
            float(accuracies(concept, learner, m, unit["n_samples"], seed=600 + unit["concept"]).mean())
            for m in unit["sizes"]
        ]
        for learner in LEARNERS
    }


def average_rows(measured: Measured) -> list[Row]:
    """Return FOCUS's lead over every other learner, averaged over the concepts, with its standard error."""
    rows = []
    for choice in dict.fromkeys(unit["choice"] for unit, _ in measured):
        found = [found for unit, found in measured if unit["choice"] == choice]
        sizes = next(unit["sizes"] for unit, _ in measured)
        for learner in LEARNERS:
            if learner == "focus":
                continue
            leads = np.array([np.subtract(one["focus"], one[learner]) for one in found])
            for k, m in enumerate(sizes):
                rows.append(
                    {
                        "choice": choice,
                        "learner": learner,
                        "examples": m,
                        "lead": float(leads[:, k].mean()),
                        "error": float(leads[:, k].std(ddof=1) / sqrt(len(leads))),
                    }
                )
    return rows


def average_holds(rows: list[Row]) -> list[Check]:
    """Check that the learners keep their order on average, however concepts are chosen."""
    checks = []
    for choice in dict.fromkeys(row["choice"] for row in rows):
        found = where(rows, choice=choice)
        lead = {k: float(np.mean([row["lead"] for row in where(found, learner=k)])) for k in LEARNERS if k != "focus"}
        checks += [
            Check(
                f"FOCUS is nowhere less accurate on average ({choice}).",
                all(row["lead"] > -3 * row["error"] - 1e-3 for row in found),
            ),
            Check(f"Weighted-Greedy is the closest to it ({choice}).", lead["wg"] == min(lead.values())),
            Check(
                f"The three heuristics are closer to it than ID3 and FRINGE ({choice}).",
                max(lead["wg"], lead["sg"], lead["mig"]) < min(lead["id3"], lead["fringe"]),
            ),
            Check(
                f"Mutual-Information-Greedy and Simple-Greedy are alike, within half a percent ({choice}).",
                abs(lead["mig"] - lead["sg"]) < 0.005,
            ),
        ]
    return checks


def draw_average(rows: list[Row]) -> Figure:
    """Draw FOCUS's lead over each of the others."""
    choices = list(dict.fromkeys(row["choice"] for row in rows))
    figure, panels = new_figure(len(choices))
    for ax, choice in zip(panels, choices, strict=True):
        for k, (learner, title) in enumerate(LEARNERS.items()):
            found = where(rows, choice=choice, learner=learner)
            if found:
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
        legend(ax)
    return figure


FIGURE_6 = Experiment(
    name="focus-figure-6",
    claim="Averaged over random concepts of at most 5 of 16 features FOCUS is the most accurate, Weighted-Greedy "
    "nearly as good, Simple-Greedy and Mutual-Information-Greedy alike and next, ID3 and FRINGE last.",
    source=f"{PAPER}, section 7.1, experiment 2, Figure 6",
    grid=average_grid,
    measure=measure_average,
    summarise=average_rows,
    holds=average_holds,
    draw=draw_average,
    assumptions=(
        "How concepts were chosen at random is not said. Two ways: any truth table of five features, constants left "
        "out; or one to five relevant features, equally often.",
        "Accuracy is over all 2^16 instances.",
    ),
)
