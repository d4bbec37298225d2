"""Figures 2 to 6: the error of STANDARD-WRAP and ORDERED-FS as features or examples grow, far beyond the document's."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.domains import linear_threshold
from fewest.papers.drawing import legend, line, new_figure
from fewest.papers.experiment import Check, Experiment, Measured, Row, Unit, where
from fewest.papers.wrapper import PAPER
from fewest.theory.linear_error import disagreement

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NOISE, BEAM = 0.3, 50
OFFSETS = {1: 0.2, 3: 0.0}  # of the two concepts
TRIALS = {"small": 20, "paper": 200, "full": 1_000}
BLOCK = 10  # trials in a unit
ALL = "all features"
STANDARD, STANDARD_5, STANDARD_7 = "standard-wrap 0.3", "standard-wrap 0.5", "standard-wrap 0.7"
ORDERED = "ordered-fs 0.3"
TITLES = {
    ALL: "no feature selection",
    STANDARD: "STANDARD-WRAP, hold-out 0.3",
    STANDARD_5: "STANDARD-WRAP, hold-out 0.5",
    STANDARD_7: "STANDARD-WRAP, hold-out 0.7",
    ORDERED: "ORDERED-FS, hold-out 0.3",
}


@dataclass(frozen=True)
class Sweep:
    """One figure: what is varied, over which values at which scale, and who takes part."""

    varied: str  # "features" or "examples"
    values: Mapping[str, Sequence[int]]
    fixed: Mapping[str, Sequence[int]]  # of the other one; the first is drawn
    relevant: int
    algorithms: tuple[str, ...]
    max_features: int | None = None
    trials: Mapping[str, int] = field(default_factory=lambda: TRIALS)


def grid(sweep: Sweep, scale: str) -> list[Unit]:
    """Return blocks of trials."""
    other = "examples" if sweep.varied == "features" else "features"
    return [
        {
            sweep.varied: value,
            other: fixed,
            "relevant": sweep.relevant,
            "algorithms": list(sweep.algorithms),
            "max_features": sweep.max_features,
            "first": first,
            "trials": min(BLOCK, sweep.trials[scale]),
        }
        for fixed in sweep.fixed[scale]
        for value in sweep.values[scale]
        for first in range(0, sweep.trials[scale], BLOCK)
    ]


def measure(unit: Unit) -> Any:
    """Return every algorithm's error on clean labels in every trial of a block."""
    found: dict[str, list[float]] = {}
    for trial in range(unit["first"], unit["first"] + unit["trials"]):
        X, y, relevant = linear_threshold(
            unit["examples"], unit["relevant"], unit["features"] - unit["relevant"], NOISE, random_state=trial
        )
        concept = np.zeros(unit["features"])
        concept[list(relevant)] = 1.0
        for name in unit["algorithms"]:
            weights, offset = hypothesis(name, X, y, unit["max_features"], trial)
            error = disagreement(weights, offset, concept, OFFSETS[unit["relevant"]])
            found.setdefault(name, []).append(error)
    return found


def hypothesis(
    name: str, X: np.ndarray, y: np.ndarray, max_features: int | None, seed: int
) -> tuple[np.ndarray, float]:
    """Return the weights and the offset that an algorithm ends with."""
    from sklearn.linear_model import LogisticRegression

    from fewest.selection.wrapper import OrderedFS, StandardWrap

    learner = LogisticRegression(C=np.inf, max_iter=200)
    weights = np.zeros(X.shape[1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # separable examples have no most likely weights, only a direction
        if name == ALL:
            learner.fit(X, y)
            return learner.coef_[0], float(learner.intercept_[0])
        algorithm, share = name.split()
        wrapper = (StandardWrap if algorithm == "standard-wrap" else OrderedFS)(
            learner,
            holdout=float(share),
            beam=BEAM,
            search="forward",
            max_features=max_features,
            refit="training",
            random_state=seed,
            n_jobs=1,
        ).fit(X, y)
    kept = wrapper.get_support(indices=True)
    if not len(kept):
        return weights, 1.0 if wrapper.predict(X[:1])[0] else -1.0
    weights[kept] = wrapper.estimator_.coef_[0]
    return weights, float(wrapper.estimator_.intercept_[0])


def cost(unit: Unit) -> float:
    """Guess the number of fits: a beam of subsets, each with every feature, at every size."""
    sizes = min(unit["features"], unit["max_features"] or unit["features"])
    return len(unit["algorithms"]) * sizes**2 * unit["features"] * unit["examples"] * unit["trials"]


def summarise(sweep: Sweep, measured: Measured) -> list[Row]:
    """Return means over the trials, with standard errors, and of the lead of ORDERED-FS in the same trials."""
    rows = []
    keys = dict.fromkeys((unit["features"], unit["examples"]) for unit, _ in measured)
    for features, examples in keys:
        blocks = [f for u, f in measured if (u["features"], u["examples"]) == (features, examples)]
        errors = {name: np.concatenate([block[name] for block in blocks]) for name in sweep.algorithms}
        for name, each in errors.items():
            ahead = each - errors[ORDERED] if ORDERED in errors else np.zeros(len(each))
            rows.append(
                {
                    "features": features,
                    "examples": examples,
                    "algorithm": name,
                    "error": float(each.mean()),
                    "standard_error": float(each.std(ddof=1) / sqrt(len(each))),
                    "ordered_ahead": float(ahead.mean()),
                    "ahead_standard_error": float(ahead.std(ddof=1) / sqrt(len(each))),
                    "trials": len(each),
                }
            )
    return rows


def draw(sweep: Sweep, rows: list[Row]) -> Figure:
    """Draw errors with a standard error up and down, as the document does."""
    other = "examples" if sweep.varied == "features" else "features"
    values = list(dict.fromkeys(row[other] for row in rows))
    figure, panels = new_figure(len(values), width=5.4)
    for ax, fixed in zip(panels, values, strict=True):
        for k, name in enumerate(sweep.algorithms):
            found = sorted(where(rows, algorithm=name, **{other: fixed}), key=lambda row: row[sweep.varied])
            line(
                ax,
                list(TITLES).index(name),
                [row[sweep.varied] for row in found],
                [row["error"] for row in found],
                TITLES[name],
                [row["standard_error"] for row in found],
                zorder=k,
            )
        ax.set_xlabel(f"{sweep.varied} in total" if sweep.varied == "features" else "training examples")
        ax.set_ylabel("error on clean labels")
        ax.set_title(f"{fixed} {'training examples' if other == 'examples' else 'features'}", fontsize=10)
        if max(row[sweep.varied] for row in rows) > 1000:
            ax.set_xscale("log")
        ax.set_ylim(bottom=0)
    legend(panels[0])
    return figure


# ------------------------------------------------------------------ what is claimed


def ordered_is_ahead(sweep: Sweep, rows: list[Row]) -> list[Check]:
    """Check that ORDERED-FS errs less than STANDARD-WRAP on average, and nowhere clearly more."""
    checks = []
    for name in sweep.algorithms:
        if name in (ORDERED, ALL):
            continue
        found = where(rows, algorithm=name)
        mean = float(np.mean([row["ordered_ahead"] for row in found]))
        error = sqrt(sum(row["ahead_standard_error"] ** 2 for row in found)) / len(found)
        checks += [
            Check(f"ORDERED-FS errs less than {TITLES[name]} on average: by {mean:.3f} ± {error:.3f}.", mean > 0),
            Check(
                f"Nowhere does it err more than {TITLES[name]}, up to three standard errors.",
                all(row["ordered_ahead"] > -3 * row["ahead_standard_error"] - 1e-12 for row in found),
            ),
        ]
    if ALL in sweep.algorithms:
        most = max(rows, key=lambda row: (row["features"], row["examples"]))
        here = {row["algorithm"]: row for row in where(rows, features=most["features"], examples=most["examples"])}
        checks.append(
            Check(
                "With the most features, learning from all of them without selection errs more than ORDERED-FS.",
                here[ALL]["ordered_ahead"] > 2 * here[ALL]["ahead_standard_error"],
            )
        )
    return checks


def more_holdout_helps(sweep: Sweep, rows: list[Row]) -> list[Check]:
    """Check Figure 3: with the most features a hold-out share of a half is better than 0.3; none reaches ORDERED-FS."""
    most = max(row["features"] for row in rows)
    many = where(rows, features=most)
    errors = {name: float(np.mean([row["error"] for row in where(many, algorithm=name)])) for name in sweep.algorithms}
    slack = 2 * max(row["standard_error"] for row in many)
    return [
        Check(
            f"With {most} features a hold-out share of 0.5 is not worse than 0.3, up to two standard errors.",
            errors[STANDARD_5] <= errors[STANDARD] + slack,
        ),
        Check(
            f"With {most} features ORDERED-FS errs less than STANDARD-WRAP of any share.",
            errors[ORDERED] < min(errors[n] for n in (STANDARD, STANDARD_5, STANDARD_7)),
        ),
    ]


def tolerates_many(_: Sweep, rows: list[Row]) -> list[Check]:
    """Check the prediction of theorem 5: ORDERED-FS's error grows slowly, with the logarithm of the features."""
    sizes = sorted({row["features"] for row in rows})
    found = {(row["algorithm"], row["features"]): row for row in rows}
    first, last = found[ORDERED, sizes[0]], found[ORDERED, sizes[-1]]
    decades = np.log10(sizes[-1] / sizes[0])
    slack = 2 * sqrt(first["standard_error"] ** 2 + last["standard_error"] ** 2)
    return [
        Check(
            f"From {sizes[0]:,} to {sizes[-1]:,} features ORDERED-FS's error grows by at most 0.05 a factor of ten.",
            last["error"] - first["error"] <= 0.05 * decades + slack,
        ),
        Check(
            f"With {sizes[-1]:,} features ORDERED-FS still errs less than STANDARD-WRAP.",
            found[STANDARD, sizes[-1]]["ordered_ahead"] > 0,
        ),
        Check(f"And far less than guessing: below a quarter, with {sizes[-1]:,} features.", last["error"] < 0.25),
    ]


def _experiment(
    name: str,
    claim: str,
    source: str,
    sweep: Sweep,
    holds: Callable[[Sweep, list[Row]], list[Check]],
    assumptions: tuple[str, ...],
) -> Experiment:
    return Experiment(
        name=name,
        claim=claim,
        source=f"{PAPER}, {source}",
        grid=partial(grid, sweep),
        measure=measure,
        summarise=partial(summarise, sweep),
        holds=partial(holds, sweep),
        draw=partial(draw, sweep),
        cost=cost,
        assumptions=(
            *assumptions,
            "Logistic regression is plain maximum likelihood. Without features it is the more frequent class.",
            "Ties of training and hold-out errors, which are counts, are broken at random.",
            "The error is that of the distribution itself, in closed form, not of a test set; labels there are clean.",
        ),
    )


SEVERAL_M = "The number of examples is not in the text: {}; scale full takes others, too."
MANY = {"small": (5, 20), "paper": range(5, 31, 5), "full": range(5, 61, 5)}
FOR_ONE = {"small": (200,), "paper": (200,), "full": (200, 100, 400)}
FOR_THREE = {"small": (400,), "paper": (400,), "full": (400, 200)}

FIGURE_2 = _experiment(
    "wrapper-figure-2",
    "With one relevant feature ORDERED-FS errs less than STANDARD-WRAP, and less than no selection, as features grow.",
    "section 4.2, Figure 2",
    Sweep("features", MANY, FOR_ONE, 1, (ALL, STANDARD, ORDERED)),
    ordered_is_ahead,
    (SEVERAL_M.format(200),),
)
FIGURE_3 = _experiment(
    "wrapper-figure-3",
    "Holding out more helps STANDARD-WRAP where features are many, but does not make it as good as ORDERED-FS.",
    "section 4.2, Figure 3",
    Sweep("features", MANY, FOR_ONE, 1, (STANDARD, STANDARD_5, STANDARD_7, ORDERED)),
    more_holdout_helps,
    (SEVERAL_M.format(200),),
)
FIGURE_4 = _experiment(
    "wrapper-figure-4",
    "With 20 features, one of them relevant, ORDERED-FS errs less than STANDARD-WRAP for all numbers of examples.",
    "section 4.2, Figure 4",
    Sweep(
        "examples",
        {"small": (100, 200), "paper": (50, 100, 150, 200, 300, 400), "full": range(50, 801, 50)},
        {"small": (20,), "paper": (20,), "full": (20,)},
        1,
        (STANDARD, STANDARD_5, ORDERED),
    ),
    ordered_is_ahead,
    ("The numbers of examples are not in the text.",),
)
FIGURE_5 = _experiment(
    "wrapper-figure-5",
    "With three relevant features ORDERED-FS errs less than STANDARD-WRAP as features grow.",
    "section 4.2, Figure 5",
    Sweep("features", MANY, FOR_THREE, 3, (STANDARD, STANDARD_5, ORDERED)),
    ordered_is_ahead,
    (SEVERAL_M.format(400),),
)
FIGURE_6 = _experiment(
    "wrapper-figure-6",
    "With three relevant features ORDERED-FS errs less than STANDARD-WRAP for all numbers of examples.",
    "section 4.2, Figure 6",
    Sweep(
        "examples",
        {"small": (200, 400), "paper": (100, 200, 300, 400, 600), "full": range(50, 801, 50)},
        {"small": (20,), "paper": (20,), "full": (20, 40)},
        3,
        (STANDARD, STANDARD_5, ORDERED),
    ),
    ordered_is_ahead,
    ("The numbers of examples and features are not in the text: 20 features, as in Figure 4; 40, too, at scale full.",),
)
MANY_FEATURES = _experiment(
    "wrapper-many-features",
    "ORDERED-FS tolerates irrelevant features by the thousand: its error grows with the logarithm of their number.",
    "theorem 5, which predicts what chapter 4 does not show",
    Sweep(
        "features",
        {"small": (10, 100), "paper": (10, 100, 1_000, 10_000), "full": (10, 100, 1_000, 3_000, 10_000, 30_000)},
        {"small": (400,), "paper": (400,), "full": (400, 200)},
        1,
        (STANDARD, ORDERED),
        max_features=3,
        trials={"small": 10, "paper": 40, "full": 200},
    ),
    tolerates_many,
    ("400 training examples, at scale full also 200. The search goes up to 3 features: all sizes are out of reach.",),
)
