"""Theorem 4 of Güvenir and Şirin (1993): how many partitions CFP makes.

Theorem 5 shares its data (classes that keep to their intervals, and classes that do not) and CFP as both ask for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.cfp import bounds as partitions
from fewest.cfp.concept import Concept
from fewest.cfp.options import Settings
from fewest.papers.claims import CLAIMS
from fewest.papers.experiment import Experiment, Row, Unit, as_rows, where
from fewest.papers.plots import dashed, legend, line, new_figure
from fewest.papers.verdict import Check, exact

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EPSILONS = (0.05, 0.02, 0.01, 0.005)
ROWS = {"small": (500, 2000, 8000), "paper": (500, 2000, 8000, 32000), "full": (500, 2000, 8000, 32000, 128000, 512000)}
KINDS = {"separate": 0.0, "1% of the labels wrong": 0.01, "overlapping": None}
TITLES = {
    "separate": "classes that do not interleave",
    "1% of the labels wrong": "the same with 1% of the labels wrong",
    "overlapping": "values that tell nothing about the classes",
}
N_FEATURES = 10
UNSPOKEN = (
    "The proof gives every interval of length epsilon one partition, which is so only if it holds values of one class; "
    "the theorem does not ask for that. Where two classes meet, every foreign example splits a partition, and their "
    "number grows with the examples."
)


def grid(scale: str) -> list[Unit]:
    """Return a unit a kind of data, a size and an epsilon."""
    return [
        {"data": kind, "examples": m, "epsilon": epsilon} for kind in KINDS for m in ROWS[scale] for epsilon in EPSILONS
    ]


def measure(unit: Unit) -> Any:
    """Count the partitions."""
    noise = KINDS[unit["data"]]
    make = (unit["examples"], N_FEATURES)
    columns, y = overlapping(*make, seed=4) if noise is None else striped(*make, noise, seed=4)
    concept = learned(columns, y, unit["epsilon"])
    return {"partitions": concept.n_partitions, "bound": partitions.most_partitions(unit["epsilon"], N_FEATURES)}


def holds(rows: list[Row]) -> list[Check]:
    """Check the bound on all data: the theorem asks nothing of the classes."""
    checks = []
    for kind in KINDS:
        found = where(rows, data=kind)
        worst = max(found, key=lambda row: row["partitions"] / row["bound"])
        checks.append(
            exact(
                f"There are at most n / epsilon partitions ({TITLES[kind]}).",
                all(row["partitions"] <= row["bound"] for row in found),
                f"at most {worst['partitions']:,} of {worst['bound']:,}, with {worst['examples']:,} examples and "
                f"epsilon = {worst['epsilon']:g}",
                UNSPOKEN,
            )
        )
    return checks


def draw(rows: list[Row]) -> Figure:
    """Draw partitions against examples, a panel a kind of data."""
    figure, panels = new_figure(len(KINDS), width=4.4, height=3.8)
    for ax, kind in zip(panels, KINDS, strict=True):
        for k, epsilon in enumerate(EPSILONS):
            found = where(rows, data=kind, epsilon=epsilon)
            sizes = [row["examples"] for row in found]
            line(ax, k, sizes, [row["partitions"] for row in found], f"epsilon = {epsilon:g}")
            dashed(ax, sizes, [row["bound"] for row in found], "theorem 4" if not k else "")
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_xlabel("examples")
        ax.set_ylabel("partitions of 10 features")
        ax.set_title(kind, fontsize=10)
    legend(figure)
    return figure


THEOREM_4 = Experiment(
    claim=CLAIMS["cfp-theorem-4"],
    grid=grid,
    measure=measure,
    summarise=as_rows,
    holds=holds,
    draw=draw,
    cost=lambda unit: unit["examples"],
    assumptions=(
        "The theorem speaks of any sample that is a net. Three kinds: ten stripes of alternating class on every "
        "feature, with gaps of 0.01 between them; the same with 1% of the labels wrong; and values that tell nothing.",
        "Limits are 2 epsilon, and a distance equal to the limit is near enough, as the proof of theorem 3 has it.",
    ),
)


N_STRIPES = 10


def striped(n_rows: int, n_features: int, noise: float, seed: int) -> tuple[list[np.ndarray], np.ndarray]:
    """Return columns of values in [0, 1] with ten stripes of alternating class, a gap between stripes, and classes."""
    rng = np.random.default_rng([seed, n_rows, n_features])
    y = rng.integers(0, 2, n_rows)
    stripe = 2 * rng.integers(0, N_STRIPES // 2, (n_features, n_rows)) + y
    columns = (stripe + 0.9 * rng.random((n_features, n_rows))) / N_STRIPES
    return [*columns], np.where(rng.random(n_rows) < noise, 1 - y, y)


def overlapping(n_rows: int, n_features: int, seed: int) -> tuple[list[np.ndarray], np.ndarray]:
    """Return columns of values in [0, 1] that tell nothing about the classes."""
    rng = np.random.default_rng([seed, n_rows, n_features])
    return [*rng.random((n_features, n_rows))], rng.integers(0, 2, n_rows)


def learned(columns: list[np.ndarray], y: np.ndarray, epsilon: float, *, compiled: bool = True) -> Concept:
    """Train CFP as theorems 3 to 5 ask: equal weights, and limits of 2 epsilon, reached or not."""
    limits = np.full(len(columns), partitions.smallest_limit(epsilon))
    return Concept.empty(limits, 2, Settings(delta=0.0, inclusive=True)).learned(columns, y, compiled=compiled)
