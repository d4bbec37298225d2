"""Theorem 5 of Güvenir and Şirin (1993): how long CFP trains and classifies."""

from __future__ import annotations

import time
from math import sqrt
from typing import TYPE_CHECKING, Any

from fewest.cfp import bounds as partitions
from fewest.papers.cfp.theorem_4 import learned, overlapping, striped
from fewest.papers.claims import CLAIMS
from fewest.papers.experiment import Experiment, Measured, Row, Unit, where
from fewest.papers.plots import dashed, legend, line, new_figure
from fewest.papers.verdict import Check, exact

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TIMED = {
    "small": (8_000, 128_000),
    "paper": (32_000, 128_000, 512_000),
    "full": (32_000, 128_000, 512_000, 2_048_000),
}
REPEATS = 3
KINDS = ("classes that do not interleave", "values that tell nothing about the classes")


def grid(scale: str) -> list[Unit]:
    """Return units in which one of examples, features and intervals is multiplied by four, or by sixteen."""
    units = []
    for kind in KINDS:
        base = {"data": kind, "examples": TIMED[scale][0], "features": 10, "epsilon": 0.05}
        units += [{**base, "examples": m} for m in TIMED[scale]]
        units += [{**base, "features": n} for n in ((160,) if scale == "small" else (40, 160))]
        units += [{**base, "epsilon": epsilon} for epsilon in (0.0125, 0.003125)]
    return units


def measure(unit: Unit) -> Any:
    """Return the least seconds of some runs, and the partitions."""
    make = (unit["examples"], unit["features"])
    columns, y = striped(*make, 0.0, seed=5) if unit["data"] == KINDS[0] else overlapping(*make, seed=5)
    some = [column[:64] for column in columns]  # load or compile before any clock runs
    learned(some, y[:64], unit["epsilon"]).votes(some, 64, compiled=True)
    training, classifying = [], []
    for _ in range(REPEATS):
        started = time.process_time()
        concept = learned(columns, y, unit["epsilon"])
        training.append(time.process_time() - started)
        started = time.process_time()
        concept.votes(columns, len(y), compiled=True)
        classifying.append(time.process_time() - started)
    return {
        "training": min(training),
        "classification": min(classifying),
        "partitions": concept.n_partitions,
        "training_steps": partitions.training_steps(unit["epsilon"], unit["features"], unit["examples"]),
    }


def summarise(measured: Measured) -> list[Row]:
    """Return a row a unit, with the time a step of theorem 5 takes, in nanoseconds."""
    return [
        {
            **unit,
            **found,
            "training_ns_a_step": 1e9 * found["training"] / found["training_steps"],
            "classification_ns_a_step": 1e9 * found["classification"] / found["training_steps"],
        }
        for unit, found in measured
    ]


def holds(rows: list[Row]) -> list[Check]:
    """Check how time grows with each of examples, features and intervals, on all data."""
    kinds = dict.fromkeys(row["data"] for row in rows)
    return [
        *(_grows(where(rows, data=kind), what) for kind in kinds for what in ("training", "classification")),
        exact(
            "A feature has at most 1 / epsilon partitions, so that halving finds one in log2(1 / epsilon) steps "
            "(classes that do not interleave).",
            all(row["partitions"] <= row["features"] / row["epsilon"] for row in where(rows, data=KINDS[0])),
            counts=False,
        ),
    ]


def _grows(rows: list[Row], what: str) -> Check:
    """Compare with the first: sixteen times anything must not cost four times what the order of growth allows."""
    first, *others = rows
    growths, is_so = [], True
    for row in others:
        varied, size = next(
            (name, row[name] / first[name] if name != "epsilon" else first[name] / row[name])
            for name in ("examples", "features", "epsilon")
            if row[name] != first[name]
        )
        beyond = row[f"{what}_ns_a_step"] / first[f"{what}_ns_a_step"]
        is_so &= beyond < sqrt(size)
        what_grew = "1 / epsilon" if varied == "epsilon" else f"the {varied}"
        growths.append(f"{size:.0f} times {what_grew}: {beyond:.1f}")
    return exact(
        f"The time of {what} does not outgrow m n log2(1 / epsilon): sixteen times the examples, the features or "
        f"1 / epsilon cost less than four times more than that ({first['data']}).",
        is_so,
        f"times the theorem's growth, {'; '.join(growths)}",
        "Where classes interleave there are more partitions than theorem 4 has, on whose number the proof rests, and "
        "each new one moves those behind it.",
    )


def draw(rows: list[Row]) -> Figure:
    """Draw measured time against the theorem's order, a panel a kind of data."""
    figure, panels = new_figure(len(KINDS), width=5.4)
    for ax, kind in zip(panels, KINDS, strict=True):
        found = sorted(where(rows, data=kind), key=lambda row: row["training_steps"])
        steps = [row["training_steps"] for row in found]
        for k, what in enumerate(("training", "classification")):
            line(ax, k, steps, [row[what] for row in found], f"{what} of all examples", linestyle="none")
        per_step = found[0]["training"] / found[0]["training_steps"]
        dashed(ax, steps, [per_step * s for s in steps], "proportional")
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.xaxis.set_minor_formatter("")  # less than a decade has labels between, which would overlap
        ax.set_xlabel("m n log2(1 / epsilon)")
        ax.set_ylabel("seconds")
        ax.set_title(kind, fontsize=10)
    legend(figure)
    return figure


THEOREM_5 = Experiment(
    claim=CLAIMS["cfp-theorem-5"],
    grid=grid,
    measure=measure,
    summarise=summarise,
    holds=holds,
    draw=draw,
    is_timed=True,
    cost=lambda unit: unit["examples"] * unit["features"],
    assumptions=(
        "The theorem speaks of any sample that is a net. Two kinds: ten stripes of alternating class on every feature, "
        "and values that tell nothing.",
        "Processor time, the best of three. An order says nothing about constants, so that growth is judged: less than "
        "four times beyond the theorem's, midway between the theorem and sixteen times more.",
    ),
)
