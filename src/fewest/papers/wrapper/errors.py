"""The error of STANDARD-WRAP and ORDERED-FS as features or examples grow: what Figures 2 to 6 measure.

How often two linear thresholds disagree on normal inputs has a closed form, so no test set is needed.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtr, owens_t

from fewest.datasets import make_linear_threshold
from fewest.kernels.compile_or_not import Work
from fewest.papers.experiment import Measured, Row, Unit, where
from fewest.papers.plots import legend, line, new_figure
from fewest.wrapper.options import FORWARD, STANDARD_WRAP, OrderedFSOptions, StandardWrapOptions

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NOISE, BEAM = 0.3, 50
OFFSETS = {1: 0.2, 3: 0.0}  # of the two concepts
TRIALS = {"small": 20, "paper": 200, "full": 1_000}  # the thesis has 200
OTHER_TRIALS = {"small": 20, "paper": 50, "full": 200}
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
    fixed: int  # of the other one
    relevant: int
    algorithms: tuple[str, ...]
    others: Mapping[str, Sequence[int]] = field(default_factory=dict)  # that the other one takes, too
    max_features: int | None = None
    trials: Mapping[str, int] = field(default_factory=lambda: TRIALS)
    other_trials: Mapping[str, int] = field(default_factory=lambda: OTHER_TRIALS)

    @property
    def constant(self) -> str:
        """Return which of the two is not varied."""
        return "examples" if self.varied == "features" else "features"


def grid(sweep: Sweep, scale: str) -> list[Unit]:
    """Return blocks of trials; for what the paper leaves open, other values in fewer trials."""
    trials = {sweep.fixed: sweep.trials[scale]}
    trials |= dict.fromkeys(sweep.others.get(scale, ()), sweep.other_trials[scale])
    return [
        {
            sweep.varied: value,
            sweep.constant: fixed,
            "relevant": sweep.relevant,
            "algorithms": list(sweep.algorithms),
            "max_features": sweep.max_features,
            "first": first,
            "trials": min(BLOCK, n_trials),
        }
        for fixed, n_trials in trials.items()
        for value in sweep.values[scale]
        for first in range(0, n_trials, BLOCK)
    ]


def blocks(point: Unit, start: int, stop: int) -> list[Unit]:
    """Return the blocks of trials of one point, from the trial of one number up to that of another."""
    return [{**point, "first": first, "trials": BLOCK} for first in range(start, stop, BLOCK)]


def measure(unit: Unit) -> Any:
    """Return every algorithm's error on clean labels in every trial of a block."""
    from fewest.wrapper.evaluators.batched import NANOSECONDS

    found: dict[str, list[float]] = {}
    work = Work("fewest.wrapper.kernels.logistic")  # the trials of a block decide together whether to compile
    work.compiles(BEAM * cost(unit), NANOSECONDS)
    for trial in range(unit["first"], unit["first"] + unit["trials"]):
        X, y, relevant = make_linear_threshold(
            unit["examples"], unit["relevant"], unit["features"] - unit["relevant"], NOISE, random_state=trial
        )
        concept = np.zeros(unit["features"])
        concept[list(relevant)] = 1.0
        for name in unit["algorithms"]:
            weights, offset = hypothesis(name, X, y, unit["max_features"], trial, work)
            error = disagreement(weights, offset, concept, OFFSETS[unit["relevant"]])
            found.setdefault(name, []).append(error)
    return found


def hypothesis(
    name: str, X: np.ndarray, y: np.ndarray, max_features: int | None, seed: int, work: Work
) -> tuple[np.ndarray, float]:
    """Return the weights and the offset that an algorithm ends with."""
    from sklearn.linear_model import LogisticRegression

    from fewest.wrapper.evaluators.generic import Learner
    from fewest.wrapper.examples import Examples
    from fewest.wrapper.wrap import wrap

    learner = LogisticRegression(C=np.inf, max_iter=200)
    weights = np.zeros(X.shape[1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # separable examples have no most likely weights, only a direction
        if name == ALL:
            learner.fit(X, y)
            return learner.coef_[0], float(learner.intercept_[0])
        algorithm, share = name.split()
        options = (StandardWrapOptions if algorithm == STANDARD_WRAP else OrderedFSOptions)(
            validation_fraction=float(share),
            beam_width=BEAM,
            search=FORWARD,
            max_features=max_features,
            min_features_to_select=0,
            random_state=seed,
            n_jobs=1,
        )
        wrapped, examples = Learner.of(learner), Examples(X, y)
        result = wrap(wrapped, examples, options, work=work)
        fitted = wrapped.fitted(examples.rows(result.folds[0].training), result.features)
    if not result.features:
        return weights, 1.0 if fitted.predict(X[:1])[0] else -1.0
    weights[list(result.features)] = fitted.coef_[0]
    return weights, float(fitted.intercept_[0])


def cost(unit: Unit) -> float:
    """Guess the number of fits: a beam of subsets, each with every feature, at every size."""
    sizes = min(unit["features"], unit["max_features"] or unit["features"])
    return len(unit["algorithms"]) * sizes**2 * unit["features"] * unit["examples"] * unit["trials"]


def summarise(sweep: Sweep, measured: Measured) -> list[Row]:
    """Return means over the trials with standard errors, for every point and, with nothing varied, over all of them.

    Beside each error stands by how much it exceeds that of ORDERED-FS, and that of STANDARD-WRAP, in the same trials.
    Trials of one number share their random numbers, so that only they, not the points, are independent.
    """
    points: dict[tuple[int, int], dict[str, np.ndarray]] = {}
    for features, examples in dict.fromkeys((unit["features"], unit["examples"]) for unit, _ in measured):
        blocks = [f for u, f in measured if (u["features"], u["examples"]) == (features, examples)]
        points[features, examples] = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
    rows = [row for (f, m), errors in points.items() for row in _rows({"features": f, "examples": m}, errors)]
    place = ("features", "examples").index(sweep.constant)
    for fixed in dict.fromkeys(key[place] for key in points):
        each = [errors for key, errors in points.items() if key[place] == fixed]
        shared = [name for name in sweep.algorithms if all(name in errors for errors in each)]
        n_trials = min(len(values) for errors in each for values in errors.values())  # decisions add to one point only
        averaged = {name: np.mean([errors[name][:n_trials] for errors in each], axis=0) for name in shared}
        rows += _rows({"features": None, "examples": None, sweep.constant: fixed}, averaged)
    return rows


def _rows(point: dict[str, Any], errors: Mapping[str, np.ndarray]) -> list[Row]:
    rows = []
    for name, each in errors.items():
        row = {**point, "algorithm": name, "trials": len(each)}
        for what, values in (
            ("error", each),
            ("more_than_ordered", each - errors.get(ORDERED, each)),
            ("more_than_standard", each - errors.get(STANDARD, each)),
        ):
            row[what] = float(values.mean())
            row[f"{what}_se"] = float(values.std(ddof=1) / sqrt(len(values)))
        rows.append(row)
    return rows


def draw(sweep: Sweep, rows: list[Row]) -> Figure:
    """Draw errors with a standard error up and down, as the paper does."""
    other = sweep.constant
    rows = [row for row in rows if row[sweep.varied] is not None]
    values = list(dict.fromkeys(row[other] for row in rows))
    figure, panels = new_figure(len(values), width=5.4)
    for ax, fixed in zip(panels, values, strict=True):
        for k, name in enumerate(sweep.algorithms):
            found = sorted(where(rows, algorithm=name, **{other: fixed}), key=lambda row: row[sweep.varied])
            if not found:
                continue
            line(
                ax,
                list(TITLES).index(name),
                [row[sweep.varied] for row in found],
                [row["error"] for row in found],
                TITLES[name],
                [row["error_se"] for row in found],
                zorder=k,
            )
        ax.set_xlabel("features in total" if sweep.varied == "features" else "training examples")
        ax.set_ylabel("error on clean labels")
        ax.set_title(f"{fixed} {'training examples' if other == 'examples' else 'features'}", fontsize=10)
        if max(row[sweep.varied] for row in rows) > 1000:
            ax.set_xscale("log")
        ax.set_ylim(bottom=0)
    legend(figure)
    return figure


def disagreement(weights: np.ndarray, offset: float, other_weights: np.ndarray, other_offset: float) -> float:
    """Return the probability that w x + a > 0 and v x + b > 0 differ, for x of independent standard normal features.

    w x + a and v x + b are a pair of correlated normals; that both are positive
    has the probability that Owen's T function gives (Owen, 1956). A threshold
    without weights is constant, by the sign of its offset.

    >>> disagreement([1, 0], 0.0, [0, 1], 0.0)
    0.5
    >>> round(disagreement([1], 0.2, [1], 0.0), 4)  # 0 < x + 0.2 <= 0.2
    0.0793
    """
    w, v = np.asarray(weights, dtype=np.float64), np.asarray(other_weights, dtype=np.float64)
    lengths = float(np.linalg.norm(w)), float(np.linalg.norm(v))
    if 0.0 in lengths:
        return _against_constant((offset, lengths[0]), (other_offset, lengths[1]))
    h, k = offset / lengths[0], other_offset / lengths[1]
    correlation = float(np.clip(w @ v / (lengths[0] * lengths[1]), -1.0, 1.0))
    both = _both_positive(h, k, correlation)
    return float(np.clip(ndtr(h) + ndtr(k) - 2 * both, 0.0, 1.0))


def _against_constant(*thresholds: tuple[float, float]) -> float:
    """Return the same where at least one threshold, as (offset, length of its weights), is constant."""
    positive = [float(offset > 0) if length == 0 else float(ndtr(offset / length)) for offset, length in thresholds]
    return positive[0] + positive[1] - 2 * positive[0] * positive[1]


def _both_positive(h: float, k: float, correlation: float) -> float:
    """Return P(X > -h and Y > -k), that is P(X < h and Y < k), for standard normals of this correlation."""
    if correlation >= 1:
        return float(ndtr(min(h, k)))
    if correlation <= -1:
        return max(0.0, float(ndtr(h) + ndtr(k) - 1))
    root = np.sqrt(1 - correlation**2)
    with np.errstate(divide="ignore", invalid="ignore"):
        slopes = [np.divide(b - correlation * a, a * root) for a, b in ((h, k), (k, h))]
    if h == 0 and k == 0:
        return float(0.25 + np.arcsin(correlation) / (2 * np.pi))
    opposite = 0.5 if h * k < 0 or (h * k == 0 and h + k < 0) else 0.0
    return float(0.5 * (ndtr(h) + ndtr(k)) - owens_t(h, slopes[0]) - owens_t(k, slopes[1]) - opposite)
