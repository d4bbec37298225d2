"""Winnow beside the online learners that are used today, as irrelevant features grow."""

from __future__ import annotations

import warnings
from math import hypot, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.papers.claims import CLAIMS
from fewest.papers.experiment import Experiment, Measured, Row, Unit, only, where
from fewest.papers.plots import legend, line, new_figure
from fewest.papers.verdict import Check, Margin, clear, with_error

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FEATURES = {"small": (100, 2_000), "paper": (100, 1_000, 10_000), "full": (100, 1_000, 10_000, 100_000)}
SEEDS = {"small": 3, "paper": 5, "full": 20}
N_TRIALS, N_RELEVANT, DENSITY = 500, 5, 0.1
WINNOW = "Winnow2"


def learners() -> dict[str, Any]:
    """Return Winnow2 and scikit-learn's learners of one example at a time."""
    from sklearn.linear_model import Perceptron, SGDClassifier

    from fewest.mistakes.estimators.winnow import Winnow2

    return {
        WINNOW: Winnow2(),
        "perceptron": Perceptron(random_state=0),
        "SGD, logistic": SGDClassifier(loss="log_loss", random_state=0),
        "SGD, logistic, L1": SGDClassifier(loss="log_loss", penalty="l1", random_state=0),
        "SGD, hinge": SGDClassifier(random_state=0),
    }


def grid(scale: str) -> list[Unit]:
    """Return a unit a number of features and seed."""
    return [{"features": n, "seed": seed} for n in FEATURES[scale] for seed in range(SEEDS[scale])]


def measure(unit: Unit) -> Any:
    """Return the mistakes of each learner, who predicts every example before it learns it."""
    from sklearn import config_context

    rng = np.random.default_rng([unit["features"], unit["seed"]])
    X = (rng.random((N_TRIALS, unit["features"])) < DENSITY).astype(float)
    y: np.ndarray = X[:, :N_RELEVANT].max(axis=1) > 0
    found = {}
    # One row at a time, checking a row takes longer than learning it.
    with warnings.catch_warnings(), config_context(assume_finite=True, skip_parameter_validation=True):
        warnings.simplefilter("ignore")
        for name, learner in learners().items():
            learner.partial_fit(X[:1], y[:1], classes=[False, True])
            mistakes = 0
            for row in range(1, N_TRIALS):
                mistakes += bool(learner.predict(X[row : row + 1])[0] != y[row])
                learner.partial_fit(X[row : row + 1], y[row : row + 1])
            found[name] = mistakes
    return found


def summarise(measured: Measured) -> list[Row]:
    """Return mean mistakes with their standard errors."""
    rows = []
    for n in dict.fromkeys(unit["features"] for unit, _ in measured):
        runs = [found for unit, found in measured if unit["features"] == n]
        for name in runs[0]:
            made = np.array([run[name] for run in runs], dtype=float)
            error = float(made.std(ddof=1) / sqrt(len(made)))
            row = {"features": n, "learner": name, "mistakes": float(made.mean()), "error": error, "seeds": len(runs)}
            rows.append(row)
    return rows


def holds(rows: list[Row]) -> list[Check]:
    """Check who makes the fewest with the most features, and whose mistakes grow the least."""
    sizes = sorted({row["features"] for row in rows})
    others = [name for name in dict.fromkeys(row["learner"] for row in rows) if name != WINNOW]

    def made(name: str, n: int) -> Margin:
        row = only(rows, learner=name, features=n)
        return row["mistakes"], row["error"]

    def fewer(a: Margin, b: Margin) -> Margin:
        return b[0] - a[0], hypot(a[1], b[1])

    def growth(name: str) -> Margin:
        return fewer(made(name, sizes[0]), made(name, sizes[-1]))

    return [
        clear(
            f"With {sizes[-1]:,} features {WINNOW} makes fewer mistakes than each of the others.",
            [fewer(made(WINNOW, sizes[-1]), made(name, sizes[-1])) for name in others],
            ", ".join(f"{name} {with_error(*made(name, sizes[-1]))}" for name in (WINNOW, *others)),
        ),
        clear(
            f"From {sizes[0]:,} to {sizes[-1]:,} features its mistakes grow by fewer than those of each other.",
            [fewer(growth(WINNOW), growth(name)) for name in others],
            ", ".join(f"{name} {growth(name)[0]:+.0f}" for name in (WINNOW, *others)),
            "Who guesses the more frequent class from the start has no mistakes to add.",
        ),
    ]


def draw(rows: list[Row]) -> Figure:
    """Draw mistakes against features."""
    figure, (ax,) = new_figure()
    for k, name in enumerate(dict.fromkeys(row["learner"] for row in rows)):
        found = where(rows, learner=name)
        made = [row["mistakes"] for row in found]
        line(ax, k, [row["features"] for row in found], made, name, [row["error"] for row in found])
    ax.set_xscale("log")
    ax.set_xlabel("features, 5 of them relevant")
    ax.set_ylabel(f"mistakes in {N_TRIALS} trials")
    legend(figure)
    return figure


ONLINE = Experiment(
    claim=CLAIMS["beyond-online"],
    grid=grid,
    measure=measure,
    summarise=summarise,
    holds=holds,
    draw=draw,
    cost=lambda unit: 1_000.0 + unit["features"],
    assumptions=(
        f"A disjunction of {N_RELEVANT} features, each true in a tenth of the examples, and {N_TRIALS} trials. All "
        "learners have their default parameters, and learn from every example, Winnow from mistakes.",
    ),
)
