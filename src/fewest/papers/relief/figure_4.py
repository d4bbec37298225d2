"""Figure 4 of Kira and Rendell (1992): accuracy and time of ID3, FOCUS+ID3 and Relief+ID3."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from math import hypot, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.datasets import make_parity
from fewest.papers.claims import CLAIMS
from fewest.papers.experiment import Experiment, Measured, Row, Unit, only, where
from fewest.papers.plots import legend, line, new_figure
from fewest.papers.sequential import Plan
from fewest.papers.verdict import Check, clear, share_error, with_error, worded

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RELIEF_DRAWN, THRESHOLD = 40, 0.1
OTHER_THRESHOLDS = (0.0, 0.05, 0.15, 0.2, 0.3)
N_TEST = 1_000
LEARNERS = ("ID3", "FOCUS+ID3", "Relief+ID3")
IRRELEVANT: dict[str, Sequence[int]] = {"small": (2, 6, 10, 12), "paper": range(2, 13), "full": range(2, 13)}
NOISES = (0.0, 0.1)
RUNS = {"small": 8, "paper": 10, "full": 200}
# The size of all other training sets of the paper, and others.
MAIN_TRAIN = 200
TRAIN = {"small": (MAIN_TRAIN,), "paper": (MAIN_TRAIN, 100), "full": (MAIN_TRAIN, 50, 100, 400)}
# A share of accuracies of one is a share of runs that learned the concept itself.
PERFECT = 1.0
_REASON = (
    "With 40 sampled rows and a threshold of 0.1, as the paper has them, Relief misses a relevant feature in many "
    "noisy runs, with fewer instances in more of them; the paper does not give the size of its training sets."
)


def selected_by(name: str, X: np.ndarray, y: np.ndarray, seed: int) -> tuple[np.ndarray, int, np.ndarray]:
    """Return the features that a selector keeps, the sufficiency tests it made, and the relevances, if it has some."""
    from fewest.cover.estimators import Focus1
    from fewest.relief.estimators import Relief

    if name == "ID3":
        return np.arange(X.shape[1]), 0, np.empty(0)
    if name == "FOCUS+ID3":
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # noisy rows contradict each other, which is the point
            focus = Focus1().fit(X, y)
        return focus.get_support(indices=True), focus.n_sufficiency_tests_, np.empty(0)
    relief = Relief(
        max_samples=RELIEF_DRAWN, threshold=THRESHOLD, min_features_to_select=0, random_state=seed, n_jobs=1
    ).fit(X, y)
    return relief.get_support(indices=True), 0, relief.scores_


def learned(name: str, train: Any, tests: dict[str, Any], seed: int) -> dict[str, float]:
    """Return the accuracy of a learner on each test set, its time, what it kept, and what other thresholds would."""
    from fewest.trees.estimators import ID3Classifier

    X, y, relevant = train
    started = time.perf_counter()
    kept, n_tests, scores = selected_by(name, X, y, seed)
    tree = ID3Classifier().fit(X[:, kept], y) if len(kept) else None
    seconds = time.perf_counter() - started
    is_relevant = np.isin(kept, relevant)
    accuracies = {
        title: float(
            tree.score(test.X[:, kept], test.y)
            if tree is not None
            else (test.y == np.bincount(y).argmax()).mean()  # nothing is relevant: the more frequent class
        )
        for title, test in tests.items()
    }
    return {
        **accuracies,
        "seconds": seconds,
        "tests": n_tests,
        "irrelevant": int((~is_relevant).sum()),
        "missed": len(relevant) - int(is_relevant.sum()),
        **_margins(scores, list(relevant)),
    }


def _margins(scores: np.ndarray, relevant: list[int]) -> dict[str, float]:
    """Return the least relevance of what is relevant and the greatest of what is not, from which thresholds follow."""
    if not len(scores):
        return {}
    return {"least": float(scores[relevant].min()), "greatest": float(np.delete(scores, relevant).max())}


def grid(scale: str) -> list[Unit]:
    """Return a unit a run."""
    return [
        {"noise": noise, "irrelevant": a, "train": n_train, "run": run}
        for n_train in TRAIN[scale]
        for noise in NOISES
        for a in IRRELEVANT[scale]
        for run in range(RUNS[scale])
    ]


def decisive(start: int, stop: int) -> list[Unit]:
    """Return noisy runs with the training sets that the verdict is for."""
    return [
        {"noise": NOISES[1], "irrelevant": a, "train": MAIN_TRAIN, "run": run}
        for a in IRRELEVANT["paper"]
        for run in range(start, stop)
    ]


def measure(unit: Unit) -> Any:
    """Run the three learners on one data set."""
    seed = [unit["run"], unit["irrelevant"], int(100 * unit["noise"]), unit["train"]]
    streams = [int(np.random.SeedSequence([*seed, k]).generate_state(1)[0]) for k in range(3)]
    make = (2, unit["irrelevant"])
    train = make_parity(unit["train"], *make, unit["noise"], random_state=streams[0])
    tests = {
        "accuracy": make_parity(N_TEST, *make, 0.0, random_state=streams[1]),
        "noisy_accuracy": make_parity(N_TEST, *make, unit["noise"], random_state=streams[2]),
    }
    return {name: learned(name, train, tests, unit["run"]) for name in LEARNERS}


def summarise(measured: Measured) -> list[Row]:
    """Return means over the runs, with standard errors, for every number of features and (none) over all of them."""
    rows = []
    for n_train, noise in dict.fromkeys((u["train"], u["noise"]) for u, _ in measured):
        here = [(u["irrelevant"], f) for u, f in measured if (u["train"], u["noise"]) == (n_train, noise)]
        for a in [*dict.fromkeys(a for a, _ in here), None]:
            runs = [f for b, f in here if a is None or a == b]
            point = {"train": n_train, "noise": noise, "features": None if a is None else 2 + a, "runs": len(runs)}
            rows += [{**point, "learner": name, **_means(runs, name)} for name in LEARNERS]
        rows += _by_threshold({"train": n_train, "noise": noise}, [run["Relief+ID3"] for _, run in here])
    return rows


def _by_threshold(point: Row, runs: list[Any]) -> list[Row]:
    """Return how often Relief would keep just the relevant features, miss one, or keep another, by threshold."""
    if "least" not in runs[0]:
        return []
    least, greatest = (np.array([run[what] for run in runs]) for what in ("least", "greatest"))
    return [
        {
            **point,
            "features": None,
            "learner": None,
            "threshold": threshold,
            "misses": float((least < threshold).mean()),
            "keeps_others": float((greatest >= threshold).mean()),
            "right": float(((least >= threshold) & (greatest < threshold)).mean()),
            "runs": len(runs),
        }
        for threshold in sorted((THRESHOLD, *OTHER_THRESHOLDS))
    ]


def _means(runs: list[Any], name: str) -> Row:
    def of(what: str, who: str = name) -> np.ndarray:
        return np.array([run[who][what] for run in runs], dtype=float)

    row: Row = {"median": float(np.median(of("accuracy"))), "learned": float((of("accuracy") >= PERFECT).mean())}
    for what, values in (
        ("accuracy", of("accuracy")),
        ("over_id3", of("accuracy") - of("accuracy", "ID3")),  # in the same runs
        ("below_relief", of("accuracy", "Relief+ID3") - of("accuracy")),
        ("more_irrelevant", of("irrelevant") - of("irrelevant", "Relief+ID3")),
    ):
        row[what] = float(values.mean())
        row[f"{what}_se"] = float(values.std(ddof=1) / sqrt(len(runs)))
    row["misses"] = float((of("missed") > 0).mean())
    return {**row, **{what: float(of(what).mean()) for what in ("noisy_accuracy", "irrelevant", "tests", "seconds")}}


def holds(rows: list[Row]) -> list[Check]:
    """Check accuracies over all numbers of features, and growth by counting tests, not by a clock."""
    learned = [row for row in rows if row["learner"] is not None]
    several = dict.fromkeys(row["train"] for row in rows)
    checks = [check for n_train in several for check in _with_examples(learned, n_train)]
    return checks + [
        _best_threshold(where(rows, train=n_train, noise=noise, learner=None))
        for n_train in several
        for noise in NOISES
        if where(rows, train=n_train, noise=noise, learner=None)
    ]


def _with_examples(rows: list[Row], n_train: int) -> list[Check]:
    average = {(r["noise"], r["learner"]): r for r in where(rows, train=n_train, features=None)}
    checks = [
        clear(
            f"ID3 alone is less accurate than FOCUS+ID3 and Relief+ID3 ({noise:.0%} noise, {n_train} instances).",
            [(average[noise, k]["over_id3"], average[noise, k]["over_id3_se"]) for k in LEARNERS if k != "ID3"],
            ", ".join(_with_error(average[noise, k], "accuracy", k) for k in LEARNERS),
            _REASON if noise else "",
            counts=n_train == MAIN_TRAIN,
        )
        for noise in NOISES
        if (noise, "ID3") in average
    ]
    focus, relief = average[NOISES[1], "FOCUS+ID3"], average[NOISES[1], "Relief+ID3"]
    among, counts = f"({NOISES[1]:.0%} noise, {n_train} instances)", n_train == MAIN_TRAIN
    smallest, *_, largest = where(rows, train=n_train, noise=NOISES[1], learner="FOCUS+ID3")[:-1]
    return [
        *checks,
        clear(
            f"Relief+ID3 is more accurate than FOCUS+ID3 {among}.",
            [(focus["below_relief"], focus["below_relief_se"])],
            f"by {with_error(focus['below_relief'], focus['below_relief_se'])}; by features: "
            + ", ".join(
                f"{row['features']}: {row['below_relief']:+.2f}"
                for row in where(rows, train=n_train, noise=NOISES[1], learner="FOCUS+ID3")[:-1]
            ),
            _REASON,
            counts=counts,
        ),
        clear(
            f"FOCUS keeps more irrelevant features than Relief {among}.",
            [(focus["more_irrelevant"], focus["more_irrelevant_se"])],
            f"{focus['irrelevant']:.2f} and {relief['irrelevant']:.2f}",
            counts=counts,
        ),
        worded(
            f'Relief+ID3 "typically" learns the concept: in most runs, without a mistake on clean data {among}.',
            lambda share: [(relief["learned"] - share / 100, share_error(relief["learned"], relief["runs"]))],
            50,
            (60, 75, 90),
            "percent of the runs",
            f"in {relief['learned']:.0%} of {relief['runs']} runs; Relief misses a relevant feature in "
            f"{relief['misses']:.0%}",
            _REASON,
            counts=counts,
        ),
        worded(
            f'FOCUS\'s tests grow "exponentially": more than a hundredfold from {smallest["features"]} to '
            f"{largest['features']} features {among}.",
            lambda times: [(largest["tests"] - times * smallest["tests"], 0.0)],
            100,
            (10, 1000, 2 ** (largest["features"] - smallest["features"])),
            "times",
            f"{smallest['tests']:,.0f} and {largest['tests']:,.0f} tests",
            counts=counts,
        ),
    ]


def _best_threshold(rows: list[Row]) -> Check:
    """Check whether another threshold than the paper's selects better."""
    ours, best = only(rows, threshold=THRESHOLD), max(rows, key=lambda row: row["right"])
    errors = hypot(*(share_error(row["right"], row["runs"]) for row in (ours, best)))
    among = f"({ours['noise']:.0%} noise, {ours['train']} instances)"
    return clear(
        f"With its threshold of {THRESHOLD:g} Relief keeps just the relevant features in as many runs as with any "
        f"other, within a tenth of them {among}.",
        [(0.1 + ours["right"] - best["right"], errors if best is not ours else 0.0)],
        "just them, one missed, another kept, by threshold: "
        + "; ".join(
            f"{row['threshold']:g}: {row['right']:.0%}, {row['misses']:.0%}, {row['keeps_others']:.0%}" for row in rows
        ),
        _REASON,
        counts=False,
    )


def _with_error(row: Row, what: str, name: str) -> str:
    return f"{name} {with_error(row[what], row[f'{what}_se'])}"


def draw(rows: list[Row]) -> Figure:
    """Draw accuracy and time against the number of features, without noise and with."""
    figure, panels = new_figure(4, width=4.4)
    for k, (what, noise) in enumerate((w, n) for w in ("accuracy", "seconds") for n in (0.0, 0.1)):
        ax = panels[k]
        for i, name in enumerate(LEARNERS):
            found = where(rows, train=MAIN_TRAIN, noise=noise, learner=name)[:-1]
            if not found:
                continue
            scale = 100 if what == "accuracy" else 1
            errors = [scale * row["accuracy_se"] for row in found] if what == "accuracy" else None
            line(ax, i, [row["features"] for row in found], [scale * row[what] for row in found], name, errors)
        ax.set_xlabel("features")
        ax.set_ylabel("accuracy, %" if what == "accuracy" else "learning time, s")
        ax.set_title(f"Parity(2, a, {100 * noise:g})", fontsize=10)
        if what == "seconds":
            ax.set_yscale("log")
    legend(figure)
    return figure


FIGURE_4 = Experiment(
    claim=CLAIMS["relief-figure-4"],
    grid=grid,
    measure=measure,
    summarise=summarise,
    holds=holds,
    draw=draw,
    plan=Plan(decisive, 10, looks=5),
    is_timed=True,
    cost=lambda unit: 2.0 ** (unit["irrelevant"] / 3) * (3.0 if unit["noise"] else 1.0),
    assumptions=(
        f"The size of the training set is not given. The verdict is for {MAIN_TRAIN}, as everywhere else; larger "
        "scales take others, too, shown beside the claim.",
        "Accuracy is on 1,000 fresh instances without noise; on noisy ones it is in the column noisy_accuracy.",
        "Rows sampled and threshold are the paper's; what other thresholds would keep is shown beside the claim.",
        "If Relief keeps no feature, the more frequent class is predicted.",
        "FOCUS is FOCUS-1, the one that the paper cites. On contradictory instances it separates every pair of "
        "different class that can be separated.",
        "Accuracies are averaged over the numbers of features, 4 to 14.",
        "Time is judged by FOCUS's tests: seconds depend on the machine, and are in the table. Relief compares 40 rows "
        "with all others in every feature, by construction, so that its time is linear in them.",
    ),
)
