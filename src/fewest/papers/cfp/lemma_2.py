"""Lemma 2 of Güvenir and Şirin (1993): how many examples a net takes, by the lemma and in truth."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.cfp import bounds as partitions
from fewest.papers.claims import CLAIMS
from fewest.papers.experiment import Experiment, Row, Unit, as_rows, where
from fewest.papers.plots import dashed, legend, line, new_figure
from fewest.papers.verdict import BEYOND_CHANCE, Check, clear, exact, share_error

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NETS = ((0.1, 0.1), (0.05, 0.1), (0.1, 0.02))  # epsilon, gamma
DELTA = 0.1
SAMPLES = {"small": 200, "paper": 2_000, "full": 20_000}
NET_FEATURES = (1, 10, 100)
DISTRIBUTIONS = ("uniform", "triangular", "worst")


def grid(scale: str) -> list[Unit]:
    """Return a unit a net, a number of features and a distribution."""
    return [
        {"epsilon": epsilon, "gamma": gamma, "n": n, "distribution": name, "samples": SAMPLES[scale]}
        for epsilon, gamma in NETS
        for n in NET_FEATURES
        for name in DISTRIBUTIONS
    ]


def probabilities(name: str, k: int, gamma: float) -> np.ndarray:
    """Return the probabilities of the k intervals of a feature."""
    if name == "uniform":
        return np.full(k, 1 / k)
    if name == "triangular":
        rising = np.arange(1, k + 1)
        return rising / rising.sum()
    few = np.full(k, gamma / k)  # as rare as an interval that must not be missed can be, but for one
    few[0] = 1 - few[1:].sum()
    return few


def measure(unit: Unit) -> Any:
    """Find how many examples are needed in truth, beside lemma 2's number and the union bound's.

    A sample fails if, in some feature, an interval of probability gamma / k or more holds none of its examples. What is
    needed in truth is the number of examples after which, in 90% of the samples, none is missing.
    """
    k = partitions.intervals(unit["epsilon"])
    chances = probabilities(unit["distribution"], k, unit["gamma"])
    chances = chances[chances >= unit["gamma"] / k - 1e-15]  # the others may be missed
    rng = np.random.default_rng([unit["n"], k, round(1000 * unit["gamma"]), DISTRIBUTIONS.index(unit["distribution"])])
    needed = np.array([_time_of_last(chances, unit["n"], rng) for _ in range(unit["samples"])])
    ours = int(np.quantile(needed, 1 - DELTA, method="higher"))
    density = (needed <= ours + max(1, ours // 20)).mean() - (needed <= ours - max(1, ours // 20)).mean()
    slope = max(density / (2 * max(1, ours // 20)), 1e-9)
    lemma = partitions.net_sample_size(unit["epsilon"], DELTA, unit["gamma"], unit["n"])
    return {
        "needed": ours,
        "error": sqrt(DELTA * (1 - DELTA) / unit["samples"]) / slope,
        "lemma": lemma,
        "union": partitions.net_sample_size_by_union(unit["epsilon"], DELTA, unit["gamma"], unit["n"]),
        "failures": float((needed > lemma).mean()),
    }


def _time_of_last(chances: np.ndarray, n_features: int, rng: np.random.Generator) -> int:
    """Return the number of examples after which every interval of every feature holds one.

    Let the examples of one feature come at rate one in continuous time: its intervals are then hit at independent
    exponential times. When the last one is hit, each has been hit once, and those hit before some more times since, a
    Poisson number.
    """
    first = rng.exponential(size=(n_features, len(chances))) / chances
    last = first.max(axis=1)
    repeated = ((last[:, None] - first) * chances).sum(axis=1) + last * max(0.0, 1 - chances.sum())
    return int((len(chances) + rng.poisson(repeated)).max())


def holds(rows: list[Row]) -> list[Check]:
    """Check that the lemma's number is enough; beside it, that far fewer are."""
    failures = max(rows, key=lambda row: row["failures"])
    ratios = [row["lemma"] / row["needed"] for row in rows]
    return [
        clear(
            f"Samples as large as lemma 2 says fail to form a net with probability less than delta = {DELTA:g}.",
            [(DELTA - row["failures"], share_error(row["failures"], row["samples"])) for row in rows],
            f"at most {failures['failures']:.2%} of {failures['samples']:,} samples do",
        ),
        exact(
            "So are the fewer examples of the union bound, which needs no 2^n, enough.",
            all(row["needed"] <= row["union"] + BEYOND_CHANCE * row["error"] for row in rows),
            counts=False,
        ),
        exact(
            "The lemma asks for more than is needed in truth.",
            min(ratios) > 1,
            f"for {min(ratios):.1f} to {max(ratios):.1f} times as many",
            counts=False,
        ),
    ]


def draw(rows: list[Row]) -> Figure:
    """Draw what the lemma asks for and what is needed, a panel a net."""
    figure, panels = new_figure(len(NETS), width=4.4, height=3.8)
    for ax, (epsilon, gamma) in zip(panels, NETS, strict=True):
        found = where(rows, epsilon=epsilon, gamma=gamma)
        for k, name in enumerate(DISTRIBUTIONS):
            some = where(found, distribution=name)
            line(
                ax,
                k,
                [r["n"] for r in some],
                [r["needed"] for r in some],
                f"needed, {name}",
                [r["error"] for r in some],
            )
        some = where(found, distribution="uniform")
        dashed(ax, [r["n"] for r in some], [r["lemma"] for r in some], "lemma 2")
        ax.plot([r["n"] for r in some], [r["union"] for r in some], color="0.6", linewidth=1, label="union bound")
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_xlabel("features")
        ax.set_ylabel("examples")
        ax.set_title(f"epsilon = {epsilon:g}, gamma = {gamma:g},\ndelta = {DELTA:g}", fontsize=10)
    legend(figure)
    return figure


LEMMA_2 = Experiment(
    claim=CLAIMS["cfp-lemma-2"],
    grid=grid,
    measure=measure,
    summarise=as_rows,
    holds=holds,
    draw=draw,
    cost=lambda unit: unit["n"],
    assumptions=(
        "The net is meant feature by feature, with probability 1 - gamma: definition 1 prints gamma.",
        "All features are asked for, d = n, which asks for the most. Features are independent; values are uniform, "
        "triangular, or as rare in all intervals but one as still counts (worst).",
    ),
)
