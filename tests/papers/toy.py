"""A small experiment for the tests of the runner: squares, measured slowly if so asked."""

import time

from fewest.papers.claims import Claim
from fewest.papers.experiment import Comparison, Experiment, as_rows
from fewest.papers.plots import line, new_figure
from fewest.papers.verdict import clear, exact

POWER = 2
ERROR = 0.1
SECONDS = {"small": 0.0, "paper": 0.05, "full": 0.0}


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
