"""Table 3 of Kira and Rendell (1992), the comparison in words, measured."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.datasets import make_parity
from fewest.papers.claims import CLAIMS
from fewest.papers.experiment import Experiment, Measured, Row, Unit, only
from fewest.papers.plots import new_figure
from fewest.papers.relief.figure_4 import N_TEST, learned
from fewest.papers.relief.table_2 import PUBLISHED_FOOLED
from fewest.papers.verdict import Check, Margin, clear, exact, likely_share, share_error, with_error, worded

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FACTS = ("interaction", "limit", "optimal", "noisy", "complex")
FACT_RUNS = {"small": 20, "paper": 20, "full": 200}


def grid(scale: str) -> list[Unit]:
    """Return a unit a fact and run."""
    return [{"fact": fact, "run": run} for fact in FACTS for run in range(FACT_RUNS[scale])]


def measure(unit: Unit) -> Any:
    """Measure what one line of Table 3 says."""
    from fewest.cover.estimators import Focus2, MutualInformationGreedy
    from fewest.relief.estimators import Relief
    from fewest.trees.estimators import ID3Classifier

    seed = 7 * unit["run"] + 3
    relief = Relief(max_samples=200, n_features_to_select=3, random_state=seed, n_jobs=1)

    def finds(order: Any, relevant: tuple[int, ...]) -> bool:
        return set(order[: len(relevant)].tolist()) == set(relevant)

    if unit["fact"] == "interaction":  # three features tell nothing but together
        X, y, relevant = make_parity(300, 3, 12, random_state=seed)
        test = make_parity(N_TEST, 3, 12, random_state=seed + 1)
        greedy = MutualInformationGreedy().fit(X, y)
        return {
            "id3": learned("ID3", (X, y, relevant), {"accuracy": test}, seed)["accuracy"],
            "forward": finds(greedy.selection_order_, relevant),
            "relief": finds(relief.fit(X, y).selection_order_, relevant),
        }
    if unit["fact"] == "limit":  # a forward search for two features, where four are relevant and tell something alone
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 2, (400, 15), dtype=np.int8)
        y = (X[:, :4].sum(axis=1) >= 2).astype(int)
        kept = MutualInformationGreedy().fit(X, y).selection_order_[:2]
        fresh = rng.integers(0, 2, (N_TEST, 15), dtype=np.int8)
        truth = (fresh[:, :4].sum(axis=1) >= 2).astype(int)
        scores = (ID3Classifier().fit(X[:, some], y).score(fresh[:, some], truth) for some in (kept, range(4)))
        return dict(zip(("id3_on_two", "id3_on_relevant"), map(float, scores), strict=True))
    if unit["fact"] == "optimal":
        X, y, relevant = make_parity(300, 3, 12, random_state=seed)
        return {"focus": tuple(Focus2().fit(X, y).get_support(indices=True)) == relevant}
    if unit["fact"] == "noisy":
        train = make_parity(300, 3, 12, 0.05, random_state=seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            focus = Focus2().fit(train.X, train.y).get_support(indices=True)
        found = relief.fit(train.X, train.y)
        return {"focus_irrelevant": int((focus >= 3).sum()), "relief": finds(found.selection_order_, (0, 1, 2))}
    tests = {}
    for n_relevant in (2, 4, 6):  # FOCUS is slower the more complex the concept
        rng = np.random.default_rng([seed, n_relevant])
        X = rng.integers(0, 2, (200, 16), dtype=np.int8)
        table = rng.integers(0, 2, 1 << n_relevant)
        y = table[X[:, :n_relevant] @ (1 << np.arange(n_relevant))]
        tests[str(n_relevant)] = int(Focus2().fit(X, y).n_sufficiency_tests_)
    return tests


def summarise(measured: Measured) -> list[Row]:
    """Return a row a fact and what was measured about it: the mean over the runs."""
    rows = []
    for fact in FACTS:
        runs = [found for unit, found in measured if unit["fact"] == fact]
        for what in runs[0]:
            values = np.array([run[what] for run in runs], dtype=float)
            error = float(values.std(ddof=1) / np.sqrt(len(runs)))
            row = {"fact": fact, "measured": what, "mean": float(values.mean()), "error": error, "runs": len(runs)}
            rows.append(row)
    return rows


def holds(rows: list[Row]) -> list[Check]:
    """Check every line of the table."""

    def value(fact: str, what: str) -> Margin:
        row = only(rows, fact=fact, measured=what)
        is_share = what in ("forward", "relief", "focus")
        return row["mean"], share_error(row["mean"], row["runs"]) if is_share else row["error"]

    def below(fact: str, what: str, limit: Margin) -> Margin:
        mean, error = value(fact, what)
        return limit[0] - mean, float(np.hypot(error, limit[1]))

    def above(fact: str, what: str, limit: float) -> Margin:
        mean, error = value(fact, what)
        return mean - limit, error

    rarely, seldom = (likely_share(fooled, 20)[1] for fooled in PUBLISHED_FOOLED.values())
    return [
        worded(
            'ID3 alone is "fooled" by interaction: it is wrong about a tenth of parity\'s instances or more.',
            lambda wrong: [below("interaction", "id3", (1 - wrong / 100, 0.0))],
            10,
            (5, 20, 30, 40),
            "percent",
            f"accuracy {with_error(*value('interaction', 'id3'))}",
        ),
        worded(
            'A forward search is "fooled" by interaction: in most runs.',
            lambda fooled: [below("interaction", "forward", (1 - fooled / 100, 0.0))],
            50,
            (75, 90, 99),
            "percent of the runs",
            f"right in {value('interaction', 'forward')[0]:.0%}",
        ),
        clear(
            "A forward search for two features is fooled where four are relevant: ID3 is less accurate on its choice.",
            [below("limit", "id3_on_two", value("limit", "id3_on_relevant"))],
            f"{value('limit', 'id3_on_two')[0]:.3f} and {value('limit', 'id3_on_relevant')[0]:.3f}",
        ),
        exact(
            "FOCUS selects the optimal set when there is no noise.",
            value("optimal", "focus")[0] == 1,
            f"in {value('optimal', 'focus')[0]:.0%}",
            "Few instances may by chance be separated by other features, too.",
        ),
        worded(
            'FOCUS selects "many" irrelevant features when there is noise: more than there are relevant ones, three.',
            lambda many: [above("noisy", "focus_irrelevant", many)],
            3,
            (1, 6, 9, 12),
            "of twelve",
            with_error(*value("noisy", "focus_irrelevant")),
        ),
        clear(
            "FOCUS makes more tests the more complex the concept.",
            [below("complex", "2", value("complex", "4")), below("complex", "4", value("complex", "6"))],
            ", ".join(f"{k} features: {with_error(*value('complex', k))}" for k in ("2", "4", "6")),
        ),
        clear(
            f"Relief is not fooled by interaction: in at most {rarely:.0%} of the runs, as 0 of 20 in Table 2 leave "
            "likely.",
            [above("interaction", "relief", 1 - rarely)],
            f"right in {value('interaction', 'relief')[0]:.0%} of {rows[0]['runs']} runs",
        ),
        clear(
            f"Relief tolerates noise: it is fooled in at most {seldom:.0%} of the runs, as 2 of 20 in Table 2 leave "
            "likely.",
            [above("noisy", "relief", 1 - seldom)],
            f"right in {value('noisy', 'relief')[0]:.0%} of {rows[0]['runs']} runs",
        ),
    ]


SHOWN = {
    ("interaction", "id3"): ("parity of 3, no noise", "accuracy of ID3"),
    ("interaction", "forward"): ("parity of 3, no noise", "runs in which forward search is right"),
    ("interaction", "relief"): ("parity of 3, no noise", "runs in which Relief is right"),
    ("limit", "id3_on_two"): ("4 relevant features", "accuracy of ID3 on 2 by forward search"),
    ("limit", "id3_on_relevant"): ("4 relevant features", "accuracy of ID3 on all 4"),
    ("optimal", "focus"): ("parity of 3, no noise", "runs in which FOCUS is right"),
    ("noisy", "focus_irrelevant"): ("parity of 3, 5% noise", "irrelevant features that FOCUS selects"),
    ("noisy", "relief"): ("parity of 3, 5% noise", "runs in which Relief is right"),
    **{("complex", k): (f"concepts of {k} features", "sufficiency tests of FOCUS") for k in ("2", "4", "6")},
}


def draw(rows: list[Row]) -> Figure:
    """Draw what was measured as a table: Table 3 is one."""
    figure, (ax,) = new_figure(width=7, height=0.4 + 0.3 * len(rows))
    ax.set_axis_off()
    cells = [[*SHOWN[row["fact"], row["measured"]], f"{row['mean']:.3g}"] for row in rows]
    ax.table(
        cells,
        colLabels=["data", "measured", "mean"],
        colWidths=[0.36, 0.52, 0.12],
        loc="center",
        cellLoc="left",
        edges="horizontal",
    )
    return figure


TABLE_3 = Experiment(
    claim=CLAIMS["relief-table-3"],
    grid=grid,
    measure=measure,
    summarise=summarise,
    holds=holds,
    draw=draw,
    assumptions=(
        "The table is in words. Each is measured on parity of 3 of 15 features (300 instances, 5% noise where there is "
        "some), on 2 of 4 relevant features, or on random concepts of 2, 4 and 6 features.",
        "Heuristic search is Mutual-Information-Greedy, a sequential forward search.",
        "Speed is counted in sufficiency tests.",
    ),
)
