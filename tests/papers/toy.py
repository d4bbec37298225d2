"""A small experiment for the tests of the runner: squares, measured slowly if so asked."""

import time

import numpy as np

from fewest.papers.claims import Claim
from fewest.papers.experiment import Comparison, Experiment, as_rows
from fewest.papers.plots import line, new_figure
from fewest.papers.sequential import Plan
from fewest.papers.verdict import clear, exact, worded

POWER = 2
ERROR = 0.1
SECONDS = {"small": 0.0, "paper": 0.0, "full": 0.0, "slow": 0.05}


def measure(unit):
    time.sleep(unit["seconds"])
    return {"square": unit["number"] ** POWER, "third": unit["number"] / 3}


def draw(rows):
    figure, (ax,) = new_figure()
    line(ax, 0, [row["number"] for row in rows], [row["square"] for row in rows], "squares")
    return figure


CLAIM = Claim("toy-squares", "Squares are < 500.", "Nobody (1900)", "papers.toy:SQUARES")

SQUARES = Experiment(
    claim=CLAIM,
    grid=lambda scale: [{"number": k, "seconds": SECONDS[scale]} for k in range(30 if scale == "full" else 20)],
    measure=measure,
    summarise=as_rows,
    holds=lambda rows: [
        exact("All squares are below 500.", all(row["square"] < 500 for row in rows), "", "There are many numbers."),
        clear("Thirds are positive.", [(rows[-1]["third"], ERROR)], f"{rows[-1]['third']:.1f}", "Few are measured."),
        exact(
            "All squares are even.", all(row["square"] % 2 == 0 for row in rows), "", "Odd ones are not.", counts=False
        ),
    ],
    compare=lambda rows: [
        Comparison("the last square", 361, rows[-1]["square"], 0.0),
        Comparison("a third of it", 6, rows[-1]["third"], 0.1, "Thirds are hard."),
    ],
    draw=draw,
    assumptions=("Numbers are <whole>.",),
)


def coin(unit):
    """Return a number that is positive on average."""
    return float(np.random.default_rng(unit["run"]).normal(LEAD, 1.0))


def flips(start, stop):
    return [{"run": run} for run in range(start, stop)]


def positive(rows):
    values = np.array([row["value"] for row in rows])
    lead, error = float(values.mean()), float(values.std(ddof=1) / len(values) ** 0.5)
    return [
        clear("It is positive.", [(lead, error)], f"{lead:.2f}"),
        worded('It is "small".', lambda most: [(most - lead, error)], 2.0, (0.01, 5.0), "units"),
    ]


LEAD = 0.3
COINS = Experiment(
    claim=Claim("toy-coins", "Coins are positive, and small.", "Nobody (1900)", "papers.toy:COINS"),
    grid=lambda scale: flips(0, 10),
    measure=coin,
    summarise=lambda measured: [{**unit, "value": found} for unit, found in measured],
    holds=positive,
    draw=lambda rows: new_figure()[0],
    plan=Plan(flips, first=20, looks=5),
)
