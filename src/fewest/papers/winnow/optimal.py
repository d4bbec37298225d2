"""Theorems 1 to 4 and 8 of Littlestone (1988), and the query bound, on classes small enough to try everything."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.mistakes import bounds as mistakes
from fewest.mistakes.concepts import ConceptClass, vc_dimension
from fewest.mistakes.mistake_trees import opt
from fewest.mistakes.options import Rule
from fewest.mistakes.queries import ExhaustiveOracle, as_query_learner, ask
from fewest.mistakes.version_space import HalvingSpace, OptimalSpace
from fewest.mistakes.winnow import Winnow
from fewest.papers.claims import CLAIMS
from fewest.papers.experiment import Experiment, Row, Unit, as_rows
from fewest.papers.plots import bars, legend, new_figure
from fewest.papers.verdict import Check, exact

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Name, how it is made, and for disjunctions n and k, on which Winnow runs and theorem 8 speaks.
CLASSES: dict[str, tuple[str, tuple[int, ...]]] = {
    "disjunctions of 3": ("disjunctions", (3, 3)),
    "disjunctions of 4": ("disjunctions", (4, 4)),
    "at most 1 of 6": ("disjunctions", (6, 1)),
    "at most 2 of 5": ("disjunctions", (5, 2)),
    "exactly 2 of 4": ("exactly", (4, 2)),
    "conjunctions of 2 literals": ("conjunctions", (2,)),
    "intervals of 6 points": ("intervals", (6,)),
    "2-term monotone 2-DNF of 4": ("dnf", (4, 2, 2)),
    "all functions of 2": ("functions", (2,)),
}
LARGER: dict[str, tuple[str, tuple[int, ...]]] = {
    "disjunctions of 5": ("disjunctions", (5, 5)),
    "at most 2 of 6": ("disjunctions", (6, 2)),
    "exactly 1 of 8": ("exactly", (8, 1)),
    "conjunctions of 3 literals": ("conjunctions", (3,)),
    "intervals of 9 points": ("intervals", (9,)),
}
LEARNERS = {"halving": HalvingSpace, "standard optimal": OptimalSpace}


def made(name: str) -> ConceptClass:
    """Make a class by its name."""
    kind, numbers = {**CLASSES, **LARGER}[name]
    if kind == "disjunctions":
        return ConceptClass.monotone_disjunctions(*numbers)
    if kind == "exactly":
        return ConceptClass.monotone_disjunctions(*numbers, exactly=True)
    if kind == "conjunctions":
        return ConceptClass.conjunctions(*numbers)
    if kind == "intervals":
        return ConceptClass.intervals(*numbers)
    return ConceptClass.monotone_dnf(*numbers) if kind == "dnf" else ConceptClass.all_functions(*numbers)


def grid(scale: str) -> list[Unit]:
    """Return a unit a class."""
    return [{"class": name} for name in (CLASSES if scale == "small" else {**CLASSES, **LARGER})]


def most_mistakes(learner: HalvingSpace) -> int:
    """Return M_A(C): the most mistakes over all sequences of instances and all concepts of the class."""
    known: dict[int, int] = {}

    def worst(consistent: int) -> int:
        if consistent not in known:
            known[consistent] = 0  # nothing more can be learned, unless some instance splits what is left
            learner.consistent = consistent
            trials = [(ones, learner.predict_one(place)) for place, ones in enumerate(learner.concepts.ones)]
            for ones, predicted in trials:
                sides = {True: consistent & ones, False: consistent & ~ones}
                if sides[True] and sides[False]:
                    found = max(worst(sides[predicted]), 1 + worst(sides[not predicted]))
                    known[consistent] = max(known[consistent], found)
        return known[consistent]

    return worst(learner.concepts.everything)


def most_mistakes_of_winnow(n: int, k: int, exactly: bool) -> tuple[int, float]:
    """Return the same for Winnow1 with threshold n / 2 on disjunctions of at most k of n features, and theorem 7."""
    rule = Rule("winnow1", 2.0, n / 2)
    machine = Winnow(rule, n)
    instances = [np.flatnonzero(bits) for bits in product((0, 1), repeat=n)]
    start = tuple(machine.exponents.tolist())
    bound = mistakes.winnow1(n, k, 2.0, n / 2)

    def worst_for(n_literals: int) -> int:
        known: dict[tuple[int, ...], int] = {}

        def worst(state: tuple[int, ...], depth: int) -> int:
            # Features are alike but for being relevant or not.
            inner = state[:-1]
            key = (*sorted(inner[:n_literals]), *sorted(inner[n_literals:]))
            if key in known or depth > 2 * bound:  # beyond its bound a learner is broken
                return known.get(key, 0)
            most = 0
            for active in instances:
                truth = bool((active < n_literals).any())
                machine.restore(np.array(state))
                if machine.learn_one(active, truth) != truth:
                    most = max(most, 1 + worst(tuple(machine.exponents.tolist()), depth + 1))
            known[key] = most
            return most

        return worst(start, 0)

    return max(worst_for(size) for size in range(k if exactly else 1, k + 1)), bound


def measure(unit: Unit) -> Any:
    """Compute everything about a class."""
    concepts = made(unit["class"])
    kind, numbers = {**CLASSES, **LARGER}[unit["class"]]
    found: dict[str, Any] = {
        "concepts": len(concepts),
        "vc": vc_dimension(concepts),
        "opt": opt(concepts),
        "log2": mistakes.halving(len(concepts)),
        "halving": most_mistakes(HalvingSpace(concepts)),
        "standard_optimal": most_mistakes(OptimalSpace(concepts)),
        "winnow1": None,
        "winnow1_bound": None,
        "at_least": None,
    }
    if kind in ("disjunctions", "exactly"):
        found["at_least"] = mistakes.disjunctions_at_least(*numbers, exactly=kind == "exactly")
        found["winnow1"], found["winnow1_bound"] = most_mistakes_of_winnow(numbers[0], numbers[1], kind == "exactly")
    if kind == "dnf":
        found["at_least"] = mistakes.monotone_dnf_vc_at_least(numbers[0], term_size=numbers[2], n_terms=numbers[1])
    return found


def holds(rows: list[Row]) -> list[Check]:
    """Check the theorems one by one."""
    with_winnow = [row for row in rows if row["winnow1"] is not None]
    return [
        exact(
            "The halving algorithm makes at most log2 |C| mistakes (theorem 1).",
            all(r["halving"] <= r["log2"] for r in rows),
        ),
        exact("opt(C) is at most log2 |C| (theorem 2).", all(r["opt"] <= r["log2"] for r in rows)),
        exact(
            "The standard optimal algorithm makes opt(C) = K(C) mistakes, no more (theorem 3).",
            all(r["standard_optimal"] == r["opt"] for r in rows),
        ),
        exact("The VC dimension is at most opt(C) (theorem 4).", all(r["vc"] <= r["opt"] for r in rows)),
        exact(
            "No learner does better in the worst case than opt(C).",
            all(r["opt"] <= min(r["halving"], r["winnow1"] or r["halving"]) for r in rows),
        ),
        exact(
            "Winnow1 keeps to theorem 7 in the worst case.",
            all(r["winnow1"] <= r["winnow1_bound"] for r in with_winnow),
        ),
        exact(
            "opt(C) is at least what theorem 8 and the bound of k-DNF say.",
            all(r["opt"] >= r["at_least"] for r in rows if r["at_least"] is not None),
        ),
    ]


def draw(rows: list[Row]) -> Figure:
    """Draw a group of bars a class."""
    figure, (ax,) = new_figure(width=9, height=4.2)
    names = [row["class"].replace(" of ", "\nof ", 1) for row in rows]
    series = {
        "VC dimension": [row["vc"] for row in rows],
        "opt(C)": [row["opt"] for row in rows],
        "standard optimal": [row["standard_optimal"] for row in rows],
        "halving": [row["halving"] for row in rows],
        "log2 |C|": [row["log2"] for row in rows],
        "Winnow1": [row["winnow1"] or 0 for row in rows],
        "theorem 7": [row["winnow1_bound"] or 0 for row in rows],
    }
    bars(ax, names, series)
    ax.tick_params(axis="x", labelsize=7, rotation=40)
    ax.set_ylabel("mistakes in the worst case")
    legend(figure)
    return figure


OPTIMAL = Experiment(
    claim=CLAIMS["winnow-optimal"],
    grid=grid,
    measure=measure,
    summarise=as_rows,
    holds=holds,
    draw=draw,
    cost=lambda unit: 20.0 if unit["class"] in LARGER else 1.0,
    assumptions=("Worst cases are exact: all sequences of instances and all concepts of a class are tried.",),
)

# ------------------------------------------------------------------ queries

ORDERS = {"small": 3, "paper": 20, "full": 200}


def query_grid(scale: str) -> list[Unit]:
    """Return a unit a class and order in which the oracle looks for counterexamples."""
    return [{"class": name, "order": order} for name in CLASSES for order in range(ORDERS[scale])]


def measure_queries(unit: Unit) -> Any:
    """Return the most queries over all concepts of a class, for every learner."""
    concepts = made(unit["class"])
    kind, numbers = CLASSES[unit["class"]]
    order = np.random.default_rng(unit["order"]).permutation(concepts.n_instances).tolist()
    found: dict[str, Any] = {}
    for name, learner in LEARNERS.items():
        bound = mistakes.optimal(opt(concepts)) if name != "halving" else mistakes.halving(len(concepts))
        asked = [
            ask(as_query_learner(learner(concepts)), ExhaustiveOracle(row.__getitem__, order)).n_queries
            for row in concepts.values.tolist()
        ]
        found[name] = {"queries": max(asked), "bound": mistakes.queries(bound)}
    if kind in ("disjunctions", "exactly"):
        n, k = numbers
        instances = [np.flatnonzero(concepts.instances[place]).tolist() for place in order]  # type: ignore[index]
        asked = [
            ask(
                as_query_learner(Winnow(Rule("winnow1", 2.0, n / 2), n)),
                ExhaustiveOracle(partial(_is_any_true, frozenset(some)), instances),
            ).n_queries
            for some in (np.flatnonzero(row).tolist() for row in _literals(concepts, n))
            if some
        ]
        found["Winnow1"] = {"queries": max(asked), "bound": mistakes.queries(mistakes.winnow1(n, k, 2.0, n / 2))}
    return found


def _is_any_true(literals: frozenset[int], active: list[int]) -> bool:
    return any(feature in literals for feature in active)


def _literals(concepts: ConceptClass, n: int) -> np.ndarray:
    """Return which features each disjunction has: those whose unit vectors are positive."""
    places = [concepts.place_of(np.eye(n, dtype=bool)[i]) for i in range(n)]
    return concepts.values[:, places]


def query_rows(measured: Any) -> list[Row]:
    """Return a row a class and learner: the most over the orders."""
    rows = []
    for name in dict.fromkeys(unit["class"] for unit, _ in measured):
        found = [f for unit, f in measured if unit["class"] == name]
        rows += [
            {
                "class": name,
                "learner": learner,
                "queries": max(f[learner]["queries"] for f in found),
                "bound": found[0][learner]["bound"],
            }
            for learner in found[0]
        ]
    return rows


def draw_queries(rows: list[Row]) -> Figure:
    """Draw queries and bounds."""
    figure, (ax,) = new_figure(width=8, height=0.8 + 0.22 * len(rows))
    places = range(len(rows))
    ax.barh(places, [row["queries"] for row in rows], color="#0072b2", height=0.6, label="queries, the most")
    ax.scatter(
        [row["bound"] for row in rows], places, marker="|", s=80, color="black", label="mistake bound + 1", zorder=3
    )
    ax.set_yticks(places, [f"{row['class']}: {row['learner']}" for row in rows], fontsize=7)
    ax.invert_yaxis()
    ax.set_xlabel("equivalence queries")
    legend(figure)
    return figure


QUERIES = Experiment(
    claim=CLAIMS["winnow-queries"],
    grid=query_grid,
    measure=measure_queries,
    summarise=query_rows,
    holds=lambda rows: [
        exact(
            "No learner asks more than its mistake bound and one.", all(row["queries"] <= row["bound"] for row in rows)
        )
    ],
    draw=draw_queries,
    assumptions=(
        "Counterexamples are the first in an order drawn at random; the query that is answered with yes counts.",
    ),
)
