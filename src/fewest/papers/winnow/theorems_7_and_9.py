"""Theorems 7 and 9 of Littlestone (1988): how the mistakes of Winnow grow with the features."""

from __future__ import annotations

from collections.abc import Iterator
from math import log, log2
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.mistakes import bounds as mistakes
from fewest.mistakes.options import Rule
from fewest.mistakes.separation import Separation
from fewest.mistakes.winnow import Winnow
from fewest.papers.claims import CLAIMS
from fewest.papers.experiment import Experiment, Row, Unit, as_rows, only, where
from fewest.papers.plots import dashed, legend, line, new_figure
from fewest.papers.verdict import Check, exact
from fewest.papers.winnow.worst_case import against_winnow1, against_winnow2, most_mistakes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ALPHA = 2.0
FEATURES = {
    "small": (64, 256, 1024),
    "paper": (64, 256, 1024, 4096, 16384),
    "full": (64, 256, 1024, 4096, 16384, 65536, 262144),
}
LITERALS = (1, 2, 4, 8)
SEEDS = {"small": 1, "paper": 5, "full": 20}
TRIALS = {"small": 1_000, "paper": 5_000, "full": 10_000}
# A learner that makes so many times the mistakes it may make is broken; nobody need wait for it.
HOPELESS = 10

# ------------------------------------------------------------------ theorem 7


def disjunction_grid(scale: str) -> list[Unit]:
    """Return a unit a size, for random examples and for the adversary."""
    random = [
        {"n": n, "k": k, "examples": "random", "trials": TRIALS[scale], "seed": seed}
        for n in FEATURES[scale]
        for k in LITERALS
        for seed in range(SEEDS[scale])
    ]
    adverse = [
        {"n": n, "k": k, "examples": "adversary", "trials": 0, "seed": 0} for n in FEATURES[scale] for k in LITERALS
    ]
    return random + adverse


def measure_disjunction(unit: Unit) -> Any:
    """Count the mistakes of Winnow1 with threshold n / 2 on a disjunction of the first k features."""
    n, k = unit["n"], unit["k"]
    machine = Winnow(Rule("winnow1", ALPHA, n / 2), n)
    bound = mistakes.winnow1(n, k, ALPHA, n / 2)
    trials = against_winnow1(machine, k) if unit["examples"] == "adversary" else random_disjunction(unit)
    made = 0
    for active, truth in trials:
        made += machine.learn_one(active, truth) != truth
        if made > HOPELESS * bound:
            break
    return {"mistakes": int(made), "bound": bound}


def random_disjunction(unit: Unit) -> Iterator[tuple[np.ndarray, bool]]:
    """Yield examples of which half are positive; irrelevant features are true half the time."""
    rng = np.random.default_rng([unit["seed"], unit["n"], unit["k"]])
    often = 1 - 0.5 ** (1 / unit["k"])
    for _ in range(unit["trials"]):
        instance = np.less(rng.random(unit["n"]), 0.5)
        instance[: unit["k"]] = rng.random(unit["k"]) < often
        yield np.flatnonzero(instance), bool(instance[: unit["k"]].any())


def disjunctions_hold(rows: list[Row]) -> list[Check]:
    """Check the bound for every sequence, and that the adversary gets what theorem 8 says can be got of anybody."""
    adverse = where(rows, examples="adversary")
    nearest = max(rows, key=lambda row: row["mistakes"] / row["bound"])
    forced = [(row, mistakes.disjunctions_at_least(row["n"], row["k"], exactly=True)) for row in adverse]
    sizes = sorted({row["n"] for row in adverse})
    grown = max(
        (only(adverse, n=sizes[-1], k=k)["mistakes"] - only(adverse, n=sizes[0], k=k)["mistakes"])
        / (k * log2(sizes[-1] / sizes[0]))
        for k in LITERALS
    )
    return [
        exact(
            "Winnow1 never makes more mistakes than theorem 7 allows.",
            all(row["mistakes"] <= row["bound"] for row in rows),
            f"at most {nearest['mistakes']} of {nearest['bound']:.1f}, with {nearest['n']:,} features and "
            f"{nearest['k']} relevant",
        ),
        exact(
            "The adversary causes as many as theorem 8 says that some examples cause any learner to make, or more.",
            all(row["mistakes"] >= least for row, least in forced),
            "; ".join(f"{row['mistakes']} of {least:.0f} (n = {row['n']:,})" for row, least in forced if row["k"] == 8),
        ),
        exact(
            "Against the adversary a doubling of the features costs no more than 2 k mistakes: so the bound grows.",
            grown <= 2,
            f"up to {grown:.2f} k",
            "The theorem bounds mistakes, not their growth: with more features the adversary comes nearer to it.",
            counts=False,
        ),
    ]


def draw_disjunctions(rows: list[Row]) -> Figure:
    """Draw mistakes and bounds against the number of features, a panel a number of literals."""
    figure, panels = new_figure(len(LITERALS), width=3.6, height=3.6)
    for ax, k in zip(panels, LITERALS, strict=True):
        _draw_growth(ax, where(rows, k=k), ("adversary", "random"), "theorem 7")
        ax.set_title(f"k = {k}", fontsize=10)
    legend(figure)
    return figure


def _draw_growth(ax: Any, rows: list[Row], kinds: tuple[str, ...], bound: str) -> None:
    sizes = sorted({row["n"] for row in rows})
    for i, kind in enumerate(kinds):
        made = [[row["mistakes"] for row in where(rows, examples=kind, n=n)] for n in sizes]
        line(ax, i, sizes, [max(some) for some in made], f"{kind}, the most")
    dashed(ax, sizes, [where(rows, n=n)[0]["bound"] for n in sizes], bound)
    ax.set_xscale("log", base=2)
    ax.set_ylim(bottom=0)
    ax.set_xlabel("features")
    ax.set_ylabel("mistakes")


THEOREM_7 = Experiment(
    claim=CLAIMS["winnow-theorem-7"],
    grid=disjunction_grid,
    measure=measure_disjunction,
    summarise=as_rows,
    holds=disjunctions_hold,
    draw=draw_disjunctions,
    cost=lambda unit: unit["n"] * max(unit["trials"], 200.0),
    assumptions=(
        "The factor is 2 and the threshold n / 2, with which the bound reads 2 k log2 n + 2.",
        "The notes give no experiment. Examples are random, half of them positive, or come from an adversary that "
        "knows the weights.",
    ),
)

# ------------------------------------------------------------------ theorem 9

THRESHOLDS = ((1, 5), (2, 5), (3, 7))
# Of so many features, r and k, all sequences can be tried.
FEW = {"small": ((4, 1, 2), (5, 1, 2), (5, 2, 3)), "paper": ((4, 1, 2), (5, 1, 2), (6, 1, 2), (5, 2, 3), (6, 2, 3))}
ALL, ADVERSARY = "all sequences", "adversary"


def threshold_grid(scale: str) -> list[Unit]:
    """Return a unit a size, function and kind of examples."""
    random = [
        {"n": n, "r": r, "k": k, "examples": kind, "trials": TRIALS[scale], "seed": seed}
        for n in FEATURES[scale][: 3 if scale == "small" else 6]
        for r, k in THRESHOLDS
        for kind in ("dense", "sparse")
        for seed in range(SEEDS[scale])
    ]
    few = FEW.get(scale, FEW["paper"])
    sizes = [(n, r, k) for n in FEATURES[scale][: 3 if scale == "small" else 6] for r, k in THRESHOLDS]
    point = {"trials": 0, "seed": 0}
    adverse = [{"n": n, "r": r, "k": k, "examples": ADVERSARY, **point} for n, r, k in (*few, *sizes)]
    return random + adverse + [{"n": n, "r": r, "k": k, "examples": ALL, **point} for n, r, k in few]


def measure_threshold(unit: Unit) -> Any:
    """Count the mistakes of Winnow2 on "at least r of the first k features"."""
    n, r, k = unit["n"], unit["r"], unit["k"]
    separation = Separation.r_of_k(r, k)
    machine = Winnow(Rule("winnow2", 1 + separation.delta / 2, float(n)), n)
    found = {"bound": mistakes.winnow2(n, separation), "lemmas": by_the_lemmas(n, separation)}
    if unit["examples"] == ALL:
        return {"mistakes": most_mistakes(machine, k, r), **found}
    made = 0
    for active, truth in against_winnow2(machine, k, r) if unit["examples"] == ADVERSARY else random_threshold(unit):
        made += machine.learn_one(active, truth) != truth
        if made > HOPELESS * found["bound"]:
            break
    return {"mistakes": int(made), **found}


def by_the_lemmas(n: int, separation: Separation) -> float:
    """Return what lemmas 7 to 9 give with theta = n, before theorem 9 rounds it up to fewer terms."""
    delta = separation.delta
    a_weight = 1 + log(n) / log(1 + delta / 2)
    return (8 - 2 * delta**2) / (delta**2 * (1 + delta)) + (4 + delta) / (delta * (1 + delta)) * a_weight * (
        separation.total
    )


def random_threshold(unit: Unit) -> Iterator[tuple[np.ndarray, bool]]:
    """Yield examples at the edge, the hard ones: r relevant features are true, or one less."""
    n, r, k = unit["n"], unit["r"], unit["k"]
    rng = np.random.default_rng([unit["seed"], n, r, k])
    share = 0.5 if unit["examples"] == "dense" else min(0.5, 20 / n)
    for _ in range(unit["trials"]):
        truth = bool(rng.random() < 0.5)
        relevant = rng.permutation(k)[: r if truth else r - 1]
        yield np.concatenate([relevant, k + np.flatnonzero(rng.random(n - k) < share)]), truth


def thresholds_hold(rows: list[Row]) -> list[Check]:
    """Check the bound for every sequence, and show how near the worst ones come to it and to its lemmas."""
    nearest = max(rows, key=lambda row: row["mistakes"] / row["bound"])
    worst = max(rows, key=lambda row: row["mistakes"] / row["lemmas"])
    many = [row for row in rows if (row["r"], row["k"]) in THRESHOLDS]
    sizes = sorted({row["n"] for row in many})
    most = {(r, n): max(row["mistakes"] for row in where(many, r=r, n=n)) for r, _ in THRESHOLDS for n in sizes}
    bound = {(r, n): where(many, r=r, n=n)[0]["bound"] for r, _ in THRESHOLDS for n in sizes}
    grown, allowed = (
        {f"{r} of {k}": of[r, sizes[-1]] / of[r, sizes[0]] for r, k in THRESHOLDS} for of in (most, bound)
    )
    return [
        exact(
            "Winnow2 never makes more mistakes than theorem 9 allows.",
            all(row["mistakes"] <= row["bound"] for row in rows),
            f"at most {nearest['mistakes']:,} of {nearest['bound']:,.0f}, with {nearest['n']:,} features",
        ),
        exact(
            "Nor more than lemmas 7 to 9 give before the theorem rounds them up.",
            all(row["mistakes"] <= row["lemmas"] for row in rows),
            f"at most {worst['mistakes']:,} of {worst['lemmas']:,.0f}, with {worst['n']:,} features, where the theorem "
            f"has {worst['bound']:,.0f}",
            counts=False,
        ),
        _as_bad_as_can_be(rows),
        exact(
            f"{sizes[-1] / sizes[0]:,.0f} times the features cost no more times the mistakes than the bound allows.",
            all(grown[name] <= allowed[name] for name in grown),
            ", ".join(f"{name}: {grown[name]:.1f}, the bound {allowed[name]:.1f} times" for name in grown),
            "The theorem bounds mistakes, not their growth, and these are far below the bound.",
            counts=False,
        ),
    ]


def _as_bad_as_can_be(rows: list[Row]) -> Check:
    """Compare the adversary with the worst of all sequences, where all can be tried."""
    pairs = [
        (row, only(rows, n=row["n"], r=row["r"], k=row["k"], examples=ADVERSARY)) for row in where(rows, examples=ALL)
    ]
    return exact(
        "Of few features, where all sequences can be tried, the adversary causes most of the mistakes of the worst.",
        all(other["mistakes"] > row["mistakes"] / 2 for row, other in pairs),
        ", ".join(
            f"{row['r']} of {row['k']} with {row['n']} features: {other['mistakes']} of {row['mistakes']}"
            for row, other in pairs
        ),
        counts=False,
    )


def draw_thresholds(rows: list[Row]) -> Figure:
    """Draw mistakes and bounds, a panel a function."""
    figure, panels = new_figure(len(THRESHOLDS), width=4.2, height=3.6)
    for ax, (r, k) in zip(panels, THRESHOLDS, strict=True):
        found = where(rows, r=r, k=k)
        _draw_growth(ax, found, (ADVERSARY, "dense", "sparse"), "theorem 9")
        sizes = sorted({row["n"] for row in found})
        ax.plot(sizes, [where(found, n=n)[0]["lemmas"] for n in sizes], ":", color="black", label="its lemmas")
        ax.set_title(f"at least {r} of {k}", fontsize=10)
    legend(figure)
    return figure


THEOREM_9 = Experiment(
    claim=CLAIMS["winnow-theorem-9"],
    grid=threshold_grid,
    measure=measure_threshold,
    summarise=as_rows,
    holds=thresholds_hold,
    draw=draw_thresholds,
    cost=lambda unit: unit["n"] * unit["trials"],
    assumptions=(
        "The first term of the bound is 8 n / (delta^2 theta), as the lemmas give it; the notes print delta for 8.",
        "The threshold is n. Examples have r relevant features that are true, or r - 1, equally often; of the others "
        "half are true (dense), or twenty (sparse). Or they come from an adversary that knows the weights; with up to "
        "six features all sequences are tried.",
    ),
)
