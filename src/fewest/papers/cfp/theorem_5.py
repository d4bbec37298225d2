"""Theorem 5 of Güvenir and Şirin (1993): how long CFP trains and classifies, by the steps that it takes.

Time depends on the machine and on what else it does; so values count what is done with them.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.cfp import bounds as partitions
from fewest.cfp.kernels.locate import locate, padded
from fewest.papers.cfp.theorem_4 import learned, overlapping, striped
from fewest.papers.claims import CLAIMS
from fewest.papers.experiment import Experiment, Measured, Row, Unit, where
from fewest.papers.plots import dashed, legend, line, new_figure
from fewest.papers.verdict import Check, exact

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EXAMPLES = {
    "small": (200, 3_200),
    "paper": (8_000, 32_000, 128_000),
    "full": (8_000, 32_000, 128_000, 512_000),
}
KINDS = ("classes that do not interleave", "values that tell nothing about the classes")


def grid(scale: str) -> list[Unit]:
    """Return units in which one of examples, features and intervals is multiplied by four, or by sixteen."""
    units = []
    for kind in KINDS:
        base = {"data": kind, "examples": EXAMPLES[scale][0], "features": 10, "epsilon": 0.05}
        units += [{**base, "examples": m} for m in EXAMPLES[scale]]
        units += [{**base, "features": n} for n in ((160,) if scale == "small" else (40, 160))]
        units += [{**base, "epsilon": epsilon} for epsilon in (0.0125, 0.003125)]
    return units


def _counting(name: str) -> Any:
    """Return a method of floats that counts how often it is called."""
    operation = getattr(float, name)

    def counted(self: Counted, other: Any) -> Any:
        Counted.n_steps += 1
        return operation(self, other)

    return counted


class Counted(float):
    """A value that counts the comparisons with it and the differences from it, of all values together."""

    n_steps = 0
    __lt__, __le__, __gt__, __ge__ = map(_counting, ("__lt__", "__le__", "__gt__", "__ge__"))
    __eq__, __ne__, __sub__, __rsub__ = map(_counting, ("__eq__", "__ne__", "__sub__", "__rsub__"))
    __hash__ = float.__hash__


def measure(unit: Unit) -> Any:
    """Return the steps of training and of classifying all examples, and the partitions."""
    make = (unit["examples"], unit["features"])
    columns, y = striped(*make, 0.0, seed=5) if unit["data"] == KINDS[0] else overlapping(*make, seed=5)
    columns = [np.array([Counted(value) for value in column.tolist()], dtype=object) for column in columns]
    Counted.n_steps = 0
    concept = learned(columns, y, unit["epsilon"], compiled=False)
    training, Counted.n_steps = Counted.n_steps, 0
    where_each = np.empty(len(y), dtype=np.uint32)
    for feature, values in zip(concept.features, columns, strict=True):
        boundaries = padded(feature.boundary)
        locate(boundaries, len(feature.boundary) + 1, values, where_each, None)
    return {
        "training": training,
        "classification": Counted.n_steps,
        "partitions": concept.n_partitions,
        "training_steps": partitions.training_steps(unit["epsilon"], unit["features"], unit["examples"]),
    }


def summarise(measured: Measured) -> list[Row]:
    """Return a row a unit, with the steps taken for every step of theorem 5."""
    return [
        {
            **unit,
            **found,
            "training_a_step": found["training"] / found["training_steps"],
            "classification_a_step": found["classification"] / found["training_steps"],
        }
        for unit, found in measured
    ]


def holds(rows: list[Row]) -> list[Check]:
    """Check how the steps grow with each of examples, features and intervals, on all data."""
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
        beyond = row[f"{what}_a_step"] / first[f"{what}_a_step"]
        is_so &= beyond < sqrt(size)
        what_grew = "1 / epsilon" if varied == "epsilon" else f"the {varied}"
        growths.append(f"{size:.0f} times {what_grew}: {beyond:.1f}")
    return exact(
        f"The time of {what} does not outgrow m n log2(1 / epsilon): sixteen times the examples, the features or "
        f"1 / epsilon cost less than four times more than that ({first['data']}).",
        is_so,
        f"times the theorem's growth, {'; '.join(growths)}",
        "Where classes interleave there are more partitions than theorem 4 has, on whose number the proof rests.",
    )


def draw(rows: list[Row]) -> Figure:
    """Draw the steps against the theorem's order, a panel a kind of data."""
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
        ax.set_ylabel("steps")
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
    cost=lambda unit: unit["examples"] * unit["features"],
    assumptions=(
        "The theorem speaks of any sample that is a net. Two kinds: ten stripes of alternating class on every feature, "
        "and values that tell nothing.",
        "Time is counted, not taken: a step is a comparison of a value with a boundary, or a difference of the two. To "
        "insert a boundary is one, as in a linked list.",
        "An order says nothing about constants, so that growth is judged: less than four times beyond the theorem's, "
        "midway between the theorem and sixteen times more.",
    ),
)
