"""Figure 1 of Güvenir and Şirin (1993): the concept description of a domain with two features."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.papers.claims import CLAIMS
from fewest.papers.experiment import Experiment, Measured, Row, Unit
from fewest.papers.plots import new_figure
from fewest.papers.verdict import Check, exact

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# x11 < x12 < x13 < x14 on f1 and x21 < x22 < x23 < x24 on f2, with numbers for the letters.
F1 = {"x11": 1.0, "x12": 2.0, "x13": 3.0, "x14": 4.0}
F2 = {"x21": 5.0, "x22": 6.0, "x23": 7.0, "x24": 8.0}
LIMIT = 1.5
PRINTED = {
    ("x11 ≤ f1", "f1 ≤ x12", "f2 < x21"),
    ("x11 ≤ f1", "f1 ≤ x12", "f2 > x22"),
    ("x23 ≤ f2", "f2 ≤ x24", "f1 < x13"),
    ("x23 ≤ f2", "f2 ≤ x24", "f1 > x14"),
}


def examples() -> tuple[np.ndarray, np.ndarray]:
    """Return positive and negative examples whose values fill their intervals, in turns."""
    shares = np.linspace(0, 1, 5)
    positive = np.column_stack([1 + shares, 7 + shares[::-1]])
    negative = np.column_stack([3 + shares, 5 + shares])
    X = np.concatenate([positive, negative])[np.arange(10).reshape(2, 5).T.ravel()]
    return X, np.array(["+", "-"] * 5)


def fitted() -> Any:
    """Train CFP on them."""
    from fewest.cfp.estimators import CFPClassifier

    X, y = examples()
    return CFPClassifier(limit=LIMIT).fit(X, y)


def measure(unit: Unit) -> Any:  # noqa: ARG001
    """Return the rules and the partitions."""
    learner = fitted()
    return {"rules": learner.export_rules(), "partitions": learner.export_text()}


def summarise(measured: Measured) -> list[Row]:
    """Return a row a disjunct, in the paper's letters."""
    ((_, found),) = measured
    rows = []
    for rule in found["rules"].split("class ")[1:]:
        label, _, formula = " ".join(rule.split()).partition(": ")
        for part in formula.strip().split(") or ("):
            conditions = [_lettered(condition) for condition in part.strip("() ").split(" & ")]
            rows.append({"class": label, "conditions": " & ".join(conditions), "partitions": found["partitions"]})
    return rows


def _lettered(condition: str) -> str:
    """Write letters for numbers, and f1 and f2 for the features."""
    letters = {f"{value:g}": letter for letter, value in {**F1, **F2}.items()}
    names = {"x0": "f1", "x1": "f2"}
    return " ".join(names.get(word, letters.get(word, word)) for word in condition.split())


def holds(rows: list[Row]) -> list[Check]:
    """Compare with the printed description."""
    described = {tuple(sorted(row["conditions"].split(" & "))) for row in rows if row["class"] == "+"}
    return [
        exact(
            "The description of class + has the four printed parts, and no other.",
            described == {tuple(sorted(p)) for p in PRINTED},
        ),
        exact("Each feature has one partition for each class.", rows[0]["partitions"].count("[") == 4),
    ]


def draw(rows: list[Row]) -> Figure:  # noqa: ARG001
    """Draw the partitions of both features."""
    from fewest.cfp.plots import plot_partitions

    figure, (ax,) = new_figure(width=7, height=2.6)
    plot_partitions(fitted(), ax=ax)
    return figure


FIGURE_1 = Experiment(
    claim=CLAIMS["cfp-figure-1"],
    grid=lambda scale: [{}],  # noqa: ARG005 (one unit at every scale)
    measure=measure,
    summarise=summarise,
    holds=holds,
    draw=draw,
    assumptions=(
        "Numbers stand for the letters: x11 to x14 are 1 to 4, x21 to x24 are 5 to 8; the generalisation limit is 1.5, "
        "less than a gap between classes would need to be crossed.",
    ),
)
