"""Relief's own domains with up to 10,000 irrelevant features: ReliefF, and iterated ReliefF."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.datasets import make_led, make_parity
from fewest.papers.claims import CLAIMS
from fewest.papers.experiment import Experiment, Measured, Row, Unit, only, where
from fewest.papers.plots import legend, line, new_figure
from fewest.papers.verdict import Check, clear, share_error

if TYPE_CHECKING:
    from matplotlib.figure import Figure

N_ROWS, STEP = 200, 0.2
MANY = (20, 100, 300, 1_000, 3_000, 10_000)
IRRELEVANT = {"small": (20, 300), "paper": MANY, "full": MANY}
RUNS = {"small": 6, "paper": 20, "full": 100}
DOMAINS = ("LED, digit 6", "parity of 2")
SINGLE, ITERATED = "ReliefF", "iterated ReliefF"


def grid(scale: str) -> list[Unit]:
    """Return a unit a run."""
    return [
        {"domain": domain, "irrelevant": n, "run": run}
        for domain in DOMAINS
        for n in IRRELEVANT[scale]
        for run in range(RUNS[scale])
    ]


def measure(unit: Unit) -> Any:
    """Return whether each has the fewest sufficient features on top."""
    seed = 10_000 * unit["run"] + unit["irrelevant"]
    X, y = draw_sample(unit["domain"], unit["irrelevant"], seed)
    best = {2, 4} if unit["domain"] == DOMAINS[0] else {0, 1}
    return {name: _on_top(selector, X, y, best) for name, selector in rankings(seed).items()}


def draw_sample(domain: str, n_irrelevant: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw examples of a domain, its relevant features first: seven of the LED display, two of parity."""
    if domain == DOMAINS[0]:
        X, y, _ = make_led(N_ROWS, 6, irrelevant=n_irrelevant, noise=0.0, random_state=seed)
    else:
        X, y, _ = make_parity(N_ROWS, 2, n_irrelevant, random_state=seed)
    return X, y


def rankings(seed: int) -> dict[str, Any]:
    """Return the two selectors that are compared by their ranking."""
    from fewest.relief.estimators import ReliefF

    return {
        SINGLE: ReliefF(n_features_to_select=2, random_state=seed, n_jobs=1),
        ITERATED: ReliefF(n_features_to_select=2, step=STEP, random_state=seed, n_jobs=1),
    }


def _on_top(selector: Any, X: np.ndarray, y: np.ndarray, best: set[int]) -> bool:
    return set(selector.fit(X, y).get_support(indices=True).tolist()) == best


def summarise(measured: Measured) -> list[Row]:
    """Return shares of runs."""
    rows = []
    for domain, n in dict.fromkeys((u["domain"], u["irrelevant"]) for u, _ in measured):
        runs = [f for u, f in measured if (u["domain"], u["irrelevant"]) == (domain, n)]
        rows.append(
            {
                "domain": domain,
                "irrelevant": n,
                **{name: float(np.mean([run[name] for run in runs])) for name in (SINGLE, ITERATED)},
                "runs": len(runs),
            }
        )
    return rows


def holds(rows: list[Row]) -> list[Check]:
    """Check where iteration helps, and that it never does harm."""
    most = max(row["irrelevant"] for row in rows)
    parity = only(rows, domain=DOMAINS[1], irrelevant=most)
    return [
        clear(
            f"With {most:,} irrelevant features iterated ReliefF finds the two of parity more often than ReliefF.",
            [_lead(parity)],
            _shares(where(rows, domain=DOMAINS[1])),
        ),
        clear(
            "On the digit 6 it has f3 and f5 on top no more than a fifth of the runs less often, at every number.",
            [(0.2 + _lead(row)[0], _lead(row)[1]) for row in where(rows, domain=DOMAINS[0])],
            _shares(where(rows, domain=DOMAINS[0])),
        ),
    ]


def _lead(row: Row) -> tuple[float, float]:
    errors = (share_error(row[name], row["runs"]) for name in (SINGLE, ITERATED))
    return row[ITERATED] - row[SINGLE], hypot(*errors)


def _shares(rows: list[Row]) -> str:
    each = (f"{row['irrelevant']:,}: {row[ITERATED]:.0%} and {row[SINGLE]:.0%}" for row in rows)
    return f"iterated and not, by irrelevant features: {', '.join(each)}"


def draw(rows: list[Row]) -> Figure:
    """Draw the share of runs with the best features on top, a panel a domain."""
    figure, panels = new_figure(len(DOMAINS), width=5)
    for ax, domain in zip(panels, DOMAINS, strict=True):
        found = where(rows, domain=domain)
        for k, name in enumerate((SINGLE, ITERATED)):
            errors = [100 * share_error(row[name], row["runs"]) for row in found]
            line(ax, k, [row["irrelevant"] for row in found], [100 * row[name] for row in found], name, errors)
        ax.set_xscale("log")
        ax.set_ylim(-5, 105)
        ax.set_title(domain, fontsize=10)
        ax.set_xlabel("irrelevant features")
        ax.set_ylabel("runs with the best on top, %")
    legend(figure)
    return figure


MANY_IRRELEVANT = Experiment(
    claim=CLAIMS["beyond-relief"],
    grid=grid,
    measure=measure,
    summarise=summarise,
    holds=holds,
    draw=draw,
    cost=lambda unit: 1_000.0 + unit["irrelevant"],
    assumptions=(
        f"{N_ROWS} rows without noise, as the paper has; the digit 6 of the LED display, and parity of two features.",
        f"Iterated: the least relevant {STEP:.0%} are dropped in every round.",
    ),
)
