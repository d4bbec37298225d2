"""Lemma 2 and theorems 4 and 5: examples needed, partitions made, time taken."""

from __future__ import annotations

import time
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.papers.cfp import PAPER
from fewest.papers.drawing import dashed, legend, line, new_figure
from fewest.papers.experiment import Check, Experiment, Measured, Row, Unit, as_rows, where
from fewest.partitions.concept import Concept
from fewest.partitions.settings import Settings
from fewest.theory import partitions

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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


def learned(columns: list[np.ndarray], y: np.ndarray, epsilon: float) -> Concept:
    """Train CFP as theorems 3 to 5 ask: equal weights, and limits of 2 epsilon, reached or not."""
    limits = np.full(len(columns), partitions.smallest_limit(epsilon))
    return Concept.empty(limits, 2, Settings(delta=0.0, inclusive=True)).learned(columns, y)


# ------------------------------------------------------------------ theorem 4

EPSILONS = (0.05, 0.02, 0.01, 0.005)
ROWS = {"small": (500, 2000, 8000), "paper": (500, 2000, 8000, 32000), "full": (500, 2000, 8000, 32000, 128000, 512000)}
KINDS = {"separate": 0.0, "1% of the labels wrong": 0.01, "overlapping": None}
N_FEATURES = 10


def partition_grid(scale: str) -> list[Unit]:
    """Return a unit a kind of data, a size and an epsilon."""
    return [
        {"data": kind, "examples": m, "epsilon": epsilon} for kind in KINDS for m in ROWS[scale] for epsilon in EPSILONS
    ]


def measure_partitions(unit: Unit) -> Any:
    """Count the partitions."""
    noise = KINDS[unit["data"]]
    make = (unit["examples"], N_FEATURES)
    columns, y = overlapping(*make, seed=4) if noise is None else striped(*make, noise, seed=4)
    concept = learned(columns, y, unit["epsilon"])
    return {"partitions": concept.n_partitions, "bound": partitions.most_partitions(unit["epsilon"], N_FEATURES)}


def partitions_hold(rows: list[Row]) -> list[Check]:
    """Check the bound where its condition holds, and that it fails where it does not."""
    most = max(row["examples"] for row in rows)
    return [
        Check(
            "Where the classes do not interleave within an interval, there are at most n / epsilon partitions.",
            all(row["partitions"] <= row["bound"] for row in where(rows, data="separate")),
        ),
        Check(
            "Where they overlap, partitions exceed the bound: the theorem's unspoken condition is needed.",
            all(r["partitions"] > r["bound"] for r in where(rows, data="overlapping", examples=most, epsilon=0.05)),
        ),
        Check(
            "With wrong labels partitions grow with the examples.",
            all(
                where(rows, data="1% of the labels wrong", examples=most, epsilon=e)[0]["partitions"]
                > 2 * where(rows, data="1% of the labels wrong", examples=ROWS["small"][0], epsilon=e)[0]["partitions"]
                for e in EPSILONS
            ),
        ),
    ]


def draw_partitions(rows: list[Row]) -> Figure:
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
    legend(panels[0])
    return figure


THEOREM_4 = Experiment(
    name="cfp-theorem-4",
    claim="CFP makes at most n / epsilon partitions, however many examples there are - as long as no interval of "
    "length epsilon holds values of two classes.",
    source=f"{PAPER}, theorem 4",
    grid=partition_grid,
    measure=measure_partitions,
    summarise=as_rows,
    holds=partitions_hold,
    draw=draw_partitions,
    cost=lambda unit: unit["examples"],
    assumptions=(
        "The theorem does not ask that classes do not interleave within an interval, but its proof does. Data for "
        "which they do not: ten stripes of alternating class on every feature, gaps of 0.01 between them. Data for "
        "which they do: 1% of the labels wrong, or values that tell nothing.",
        "Limits are 2 epsilon, and a distance equal to the limit is near enough, as the proof of theorem 3 has it.",
    ),
)

# ------------------------------------------------------------------ theorem 5

TIMED = {"small": (2_000, 8_000), "paper": (4_000, 16_000, 64_000), "full": (4_000, 16_000, 64_000, 256_000)}
REPEATS = 3


def time_grid(scale: str) -> list[Unit]:
    """Return units in which one of examples, features and intervals is multiplied by four."""
    base = {"examples": TIMED[scale][0], "features": 10, "epsilon": 0.05}
    units = [{**base, "examples": m} for m in TIMED[scale]]
    units += [{**base, "features": n} for n in (40, 160)[: len(TIMED[scale]) - 1]]
    units += [{**base, "epsilon": epsilon} for epsilon in (0.0125, 0.003125)]
    return units


def measure_time(unit: Unit) -> Any:
    """Return the least seconds of some runs, and the partitions."""
    columns, y = striped(unit["examples"], unit["features"], 0.0, seed=5)
    learned([column[:64] for column in columns], y[:64], unit["epsilon"])  # load or compile before any clock runs
    training, classifying = [], []
    for _ in range(REPEATS):
        started = time.process_time()
        concept = learned(columns, y, unit["epsilon"])
        training.append(time.process_time() - started)
        started = time.process_time()
        concept.votes(columns, len(y))
        classifying.append(time.process_time() - started)
    return {
        "training": min(training),
        "classification": min(classifying),
        "partitions": concept.n_partitions,
        "training_steps": partitions.training_steps(unit["epsilon"], unit["features"], unit["examples"]),
    }


def time_rows(measured: Measured) -> list[Row]:
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


def times_hold(rows: list[Row]) -> list[Check]:
    """Check the steps of the searches, and that time does not outgrow the theorem's order by far."""
    checks = [
        Check(
            "A feature has at most 1 / epsilon partitions, so that halving finds one in log2(1 / epsilon) steps.",
            all(row["partitions"] <= row["features"] / row["epsilon"] for row in rows),
        )
    ]
    for what in ("training", "classification"):
        first = max(rows[0][f"{what}_ns_a_step"], 0.1)
        worst = max(row[f"{what}_ns_a_step"] for row in rows)
        checks.append(
            Check(f"The time of {what}, divided by m n log2(1 / epsilon), grows less than tenfold.", worst < 10 * first)
        )
    return checks


def draw_times(rows: list[Row]) -> Figure:
    """Draw measured time against the theorem's order."""
    figure, (ax,) = new_figure()
    rows = sorted(rows, key=lambda row: row["training_steps"])
    steps = [row["training_steps"] for row in rows]
    for k, what in enumerate(("training", "classification")):
        line(ax, k, steps, [row[what] for row in rows], f"{what} of all examples", linestyle="none")
    per_step = rows[0]["training"] / rows[0]["training_steps"]
    dashed(ax, steps, [per_step * s for s in steps], "proportional")
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlabel("m n log2(1 / epsilon)")
    ax.set_ylabel("seconds")
    legend(ax)
    return figure


THEOREM_5 = Experiment(
    name="cfp-theorem-5",
    claim="Training takes time of the order of m n log(1 / epsilon), and classification n log(1 / epsilon) for each "
    "example.",
    source=f"{PAPER}, theorem 5",
    grid=time_grid,
    measure=measure_time,
    summarise=time_rows,
    holds=times_hold,
    draw=draw_times,
    cost=lambda unit: unit["examples"] * unit["features"],
    assumptions=(
        "The data satisfies theorem 4's condition: ten stripes of alternating class on every feature.",
        "Processor time, the best of three; an order says nothing about constants, so that tenfold is let pass.",
    ),
)

# ------------------------------------------------------------------ lemma 2

NETS = ((0.1, 0.1), (0.05, 0.1), (0.1, 0.02))  # epsilon, gamma
DELTA = 0.1
SAMPLES = {"small": 200, "paper": 2_000, "full": 20_000}
NET_FEATURES = (1, 10, 100)
DISTRIBUTIONS = ("uniform", "triangular", "worst")


def net_grid(scale: str) -> list[Unit]:
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


def measure_net(unit: Unit) -> Any:
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


def nets_hold(rows: list[Row]) -> list[Check]:
    """Check that the lemma's number is enough, and the smaller one too."""
    return [
        Check(
            "Lemma 2's examples are always enough.",
            all(r["failures"] <= DELTA and r["needed"] <= r["lemma"] for r in rows),
        ),
        Check("So are the fewer of the union bound.", all(r["needed"] <= r["union"] + 3 * r["error"] for r in rows)),
        Check(
            "With 100 features the lemma asks for more than three times what is needed in truth.",
            all(row["lemma"] > 3 * row["needed"] for row in where(rows, n=100)),
        ),
    ]


def draw_nets(rows: list[Row]) -> Figure:
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
        ax.set_title(f"epsilon = {epsilon:g}, gamma = {gamma:g}, delta = {DELTA:g}", fontsize=10)
    legend(panels[0])
    return figure


LEMMA_2 = Experiment(
    name="cfp-lemma-2",
    claim="As many examples as lemma 2 says form an <epsilon, gamma, d>-net with probability 1 - delta; far fewer are "
    "needed.",
    source=f"{PAPER}, lemma 2",
    grid=net_grid,
    measure=measure_net,
    summarise=as_rows,
    holds=nets_hold,
    draw=draw_nets,
    cost=lambda unit: unit["n"],
    assumptions=(
        "The net is meant feature by feature, with probability 1 - gamma: definition 1 prints gamma.",
        "All features are asked for, d = n, which asks for the most. Features are independent; values are uniform, "
        "triangular, or as rare in all intervals but one as still counts (worst).",
    ),
)
