"""Table I of Almuallim and Dietterich (1994): tests and time of FOCUS-1, FOCUS-2 and Weighted-Greedy."""

from __future__ import annotations

import time
from math import comb, hypot, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.cover.focus1 import focus1
from fewest.cover.focus2 import focus2
from fewest.cover.sample import Sample
from fewest.cover.weighted_greedy import weighted_greedy
from fewest.papers.claims import CLAIMS
from fewest.papers.experiment import Comparison, Experiment, Measured, Row, Unit, only, where
from fewest.papers.plots import legend, line, new_figure
from fewest.papers.sequential import Plan
from fewest.papers.verdict import Check, Margin, Reading, Verdict, clear, exact, with_error, worded

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZES = (100, 200, 300, 400, 500)
SEARCHES = {"FOCUS-1": focus1, "FOCUS-2": focus2, "WG": weighted_greedy}
PUBLISHED_TESTS = {
    "FOCUS-1": (442189.4, 1329330.5, 2908068.9, 2665664.0, 2695393.0),
    "FOCUS-2": (10593.1, 9785.3, 11339.5, 8768.9, 5582.3),
    "WG": (8.5, 10.1, 10.7, 10.5, 11.0),
}
PUBLISHED_SECONDS = {
    "FOCUS-1": (9.74, 55.1, 211.1, 191.7, 186.1),
    "FOCUS-2": (2.0, 7.1, 20.5, 31.9, 32.5),
    "WG": (0.16, 0.86, 2.31, 4.3, 7.0),
}
# How probable a positive cell of the concept's truth table is made beside the claim, and in how many runs.
RARER, OTHER_RUNS = (0.05, 0.1, 0.15, 0.2, 0.3), 10
SHAPES = {"small": (16, 5, 4), "paper": (25, 9, 10), "full": (25, 9, 50)}  # features, relevant ones, runs
NOT_GIVEN = "The paper does not give its concept, nor where its features stand; counts depend on both."
SMALL = "The paper speaks of problems that are reasonably large; at this scale they are not."


def grid(scale: str) -> list[Unit]:
    """Return a unit a size and run."""
    n_features, n_relevant, n_runs = SHAPES[scale]
    sizes = SIZES if scale != "small" else (40, 60, 80, 100)
    return [
        {"features": n_features, "relevant": n_relevant, "examples": m, "run": run}
        for m in sizes
        for run in range(n_runs)
    ]


def decisive(start: int, stop: int) -> list[Unit]:
    """Return samples of the sizes from which on FOCUS-1's tests should be steady, counted and not timed."""
    n_features, n_relevant, _ = SHAPES["paper"]
    return [
        {"features": n_features, "relevant": n_relevant, "examples": m, "run": run, "positive": 0.5}
        for m in SIZES[2:]
        for run in range(start, stop)
    ]


def other_concepts() -> list[Unit]:
    """Return samples of all sizes, of concepts that are rarer than a random truth table makes them."""
    n_features, n_relevant, _ = SHAPES["paper"]
    return [
        {"features": n_features, "relevant": n_relevant, "examples": m, "run": run, "positive": share}
        for share in RARER
        for m in SIZES
        for run in range(OTHER_RUNS)
    ]


def draw_sample(unit: Unit) -> tuple[np.ndarray, np.ndarray]:
    """Draw examples uniformly, and a random concept of some features, each of which matters."""
    rng = np.random.default_rng([1, unit["run"], unit["examples"]])
    X = rng.integers(0, 2, (unit["examples"], unit["features"]), dtype=np.int8)
    relevant = np.sort(rng.permutation(unit["features"])[: unit["relevant"]])
    cells = (2,) * unit["relevant"]
    while True:
        table = rng.integers(0, 2, cells) if "positive" not in unit else rng.random(cells) < unit["positive"]
        if all((table.take(0, axis) != table.take(1, axis)).any() for axis in range(unit["relevant"])):
            return np.asfortranarray(X), table[tuple(X[:, relevant].T)]


def measure(unit: Unit) -> Any:
    """Run the three searches on one sample."""
    X, y = draw_sample(unit)
    found: dict[str, dict[str, float]] = {}
    if "positive" in unit:  # no clock runs, so that FOCUS-1's tests are counted without making them
        size, tests = tests_of_focus1(X, y)
        return {"FOCUS-1": {"size": size, "tests": tests}}
    for name, search in SEARCHES.items():
        sample = Sample(X, y)
        started = time.process_time()
        answer = search(sample)
        seconds = time.process_time() - started
        found[name] = {"size": len(answer.subset), "tests": answer.n_sufficiency_tests, "seconds": seconds}
    return found


def tests_of_focus1(X: np.ndarray, y: np.ndarray) -> tuple[int, int]:
    """Return the size of the subset that FOCUS-1 finds, and the tests it makes, without making them.

    It tests all smaller subsets, and those of that size up to the lexicographically first sufficient one, which an
    exact search finds feature by feature: the lowest that some smallest subset has beside those found.
    """
    n = X.shape[1]
    size = _smallest(X, y, [], [])
    first: list[int] = []
    left_out: list[int] = []
    for feature in range(n):
        if len(first) == size:
            break
        is_in = _smallest(X, y, [*first, feature], left_out) == size
        (first if is_in else left_out).append(feature)
    before = sum(comb(n - skipped - 1, size - sum(f < skipped for f in first) - 1) for skipped in left_out)
    return size, sum(comb(n, k) for k in range(size)) + before + 1


def _smallest(X: np.ndarray, y: np.ndarray, include: list[int], exclude: list[int]) -> int:
    """Return the size of the smallest sufficient subset with some features and without others; too many if none is."""
    from fewest.cover.estimators import MinFeatures

    if len(include) + len(exclude) == X.shape[1]:  # nothing is left to choose: some smallest subset is this one
        return len(include)
    try:
        return int(MinFeatures(include=include, exclude=exclude).fit(X, y).support_.sum())
    except ValueError:  # without the excluded ones nothing is sufficient
        return X.shape[1] + 1


def summarise(measured: Measured) -> list[Row]:
    """Return means over the runs, with the standard deviation of the tests."""
    rows = []
    for positive, m in dict.fromkeys((unit.get("positive"), unit["examples"]) for unit, _ in measured):
        runs = [(u, found) for u, found in measured if (u.get("positive"), u["examples"]) == (positive, m)]
        for name in runs[0][1]:
            tests = np.array([found[name]["tests"] for _, found in runs], dtype=float)
            rows.append(
                {
                    "features": runs[0][0]["features"],
                    "relevant": runs[0][0]["relevant"],
                    "positive": 0.5 if positive is None else positive,
                    "examples": m,
                    "algorithm": name,
                    "size": float(np.mean([found[name]["size"] for _, found in runs])),
                    "tests": float(tests.mean()),
                    "deviation": float(tests.std(ddof=1)),
                    "runs": len(runs),
                    "seconds": None if positive else float(np.mean([found[name]["seconds"] for _, found in runs])),
                    **(_agreement([found for _, found in runs]) if positive is None else {}),
                }
            )
    return rows


def _agreement(runs: list[Any]) -> dict[str, bool]:
    return {
        "exact_sizes_agree": all(f["FOCUS-1"]["size"] == f["FOCUS-2"]["size"] <= f["WG"]["size"] for f in runs),
        "never_more_tests": all(f["FOCUS-2"]["tests"] <= f["FOCUS-1"]["tests"] for f in runs),
    }


def holds(rows: list[Row]) -> list[Check]:
    """Check what sections 5.3 and 7.2 say of tests and times."""
    main = where(rows, positive=0.5)
    sizes = sorted({row["examples"] for row in main})
    found = {(row["algorithm"], row["examples"]): row for row in main}

    def tests(name: str, m: int) -> Margin:
        row = found[name, m]
        return row["tests"], row["deviation"] / sqrt(row["runs"])

    def fewer(name: str, than: Margin, factor: float = 1.0, m: int = sizes[-1]) -> Margin:
        mean, error = tests(name, m)
        return factor * than[0] - mean, hypot(factor * than[1], error)

    # The table itself is steady only from 300 examples on: until then FOCUS-1's subsets grow.
    steady = [m for m in sizes if m >= SIZES[2]] or sizes[-2:]
    is_steady = worded(
        f'FOCUS-1\'s tests "remain steady" from {steady[0]} examples on: within a quarter.',
        lambda factor: [fewer("FOCUS-1", tests("FOCUS-1", n), factor, m) for m in steady for n in steady if m != n],
        1.25,
        (1.05, 1.1, 1.5, 2),
        "times",
        ", ".join(f"{m}: {with_error(*tests('FOCUS-1', m))}" for m in sizes),
        NOT_GIVEN,
    )
    if ("FOCUS-2", sizes[0]) not in found:
        return [is_steady, *(_as_published(where(rows, positive=share)) for share in _shares_of(rows))]
    return [
        exact(
            "FOCUS-1 and FOCUS-2 find subsets of the same size, Weighted-Greedy none smaller.",
            all(r["exact_sizes_agree"] for r in rows),
        ),
        exact("FOCUS-2 never makes more tests than FOCUS-1.", all(r["never_more_tests"] for r in rows)),
        worded(
            'FOCUS-2 makes "much less" tests than FOCUS-1 (section 5.3): less than a tenth.',
            lambda times: [fewer("FOCUS-2", tests("FOCUS-1", m), 1 / times, m) for m in sizes],
            10,
            (2, 5, 20, 50, 100),
            "times fewer",
            _shares(found, sizes, "FOCUS-2", "FOCUS-1"),
            SMALL,
        ),
        *(_faster(rows, *pair) for pair in (("FOCUS-1", "FOCUS-2", "several"), ("FOCUS-2", "WG", "many"))),
        is_steady,
        clear(
            f"FOCUS-2's tests become fewer from {sizes[0]} to {sizes[-1]} examples.",
            [fewer("FOCUS-2", tests("FOCUS-2", sizes[0]))],
            ", ".join(f"{m}: {with_error(*tests('FOCUS-2', m))}" for m in sizes),
            NOT_GIVEN,
        ),
    ]


def _shares_of(rows: list[Row]) -> list[float]:
    return [share for share in dict.fromkeys(row["positive"] for row in rows) if share != 0.5]


def _as_published(rows: list[Row]) -> Check:
    """Compare FOCUS-1's tests with the published ones, for concepts with another share of positive cells."""
    compared = [_compared(row, PUBLISHED_TESTS["FOCUS-1"][SIZES.index(row["examples"])]) for row in rows]
    sizes = ", ".join(f"{row['size']:.1f}" for row in rows)
    return exact(
        f"FOCUS-1's tests are the published ones, within two standard errors, if a cell of the truth table is positive "
        f"with probability {rows[0]['positive']:g}.",
        all(one.agrees for one in compared),
        "; ".join(
            f"{row['examples']}: {row['tests']:,.0f} against {one.published:,.0f}, {one.deviations:+.1f}"
            for row, one in zip(rows, compared, strict=True)
        )
        + f" standard errors; subsets of {sizes} features",
        counts=False,
    )


def _compared(row: Row, published: float) -> Comparison:
    """Put a published average of 10 runs beside ours; their spread is taken to be that of ours."""
    error = row["deviation"] * sqrt(1 / row["runs"] + 1 / 10)
    name = f"tests of {row['algorithm']}, {row['examples']} examples"
    return Comparison(name, published, row["tests"], error, NOT_GIVEN)


def _shares(found: dict[tuple[str, int], Row], sizes: list[int], few: str, many: str) -> str:
    each = (f"{m}: {found[few, m]['tests'] / found[many, m]['tests']:.2%}" for m in sizes)
    return f"of its tests {', '.join(each)}"


def _faster(rows: list[Row], slow: str, fast: str, word: str) -> Check:
    """Compare times over all sizes; the least ratio of the table's columns is 4.6."""
    seconds = {name: sum(row["seconds"] for row in where(rows, algorithm=name)) for name in (slow, fast)}
    ratio = seconds[slow] / seconds[fast]
    statement = f'Overall {fast} is "{word} times faster" than {slow}: four times or more, as in every column.'
    check = worded(
        statement,
        lambda times: [(ratio - times + 1e-9, 0.0)],  # exactly so many times are enough
        4,
        (2, 8, 16),
        "times",
        f"{ratio:.1f} times",
        "Ours are compiled, each in another way than theirs.",
    )
    if rows[0]["features"] != SHAPES["paper"][0]:  # times of so small a problem are those of calling functions
        return Check(statement, Verdict.UNDECIDED, reason=SMALL, reading=Reading(4, "times", ()))
    return check


def compare(rows: list[Row]) -> list[Comparison]:
    """Put the published averages beside ours."""
    if rows[0]["features"] != 25 or not where(rows, algorithm="WG"):
        return []
    compared = []
    for name, published in PUBLISHED_TESTS.items():
        for m, number in zip(SIZES, published, strict=True):
            compared.append(_compared(only(rows, algorithm=name, examples=m), number))
    for slow, fast in (("FOCUS-1", "FOCUS-2"), ("FOCUS-2", "WG")):
        for k, m in enumerate(SIZES):
            published_ratio = PUBLISHED_SECONDS[slow][k] / PUBLISHED_SECONDS[fast][k]
            ours = only(rows, algorithm=slow, examples=m)["seconds"] / only(rows, algorithm=fast, examples=m)["seconds"]
            compared.append(
                Comparison(f"time of {slow} / time of {fast}, {m} examples", published_ratio, ours, float("nan"))
            )
    return compared


def draw(rows: list[Row]) -> Figure:
    """Draw tests and seconds, ours and published."""
    figure, panels = new_figure(2)
    is_paper = rows[0]["features"] == 25
    for ax, what, published in zip(panels, ("tests", "seconds"), (PUBLISHED_TESTS, PUBLISHED_SECONDS), strict=True):
        for k, name in enumerate(SEARCHES):
            found = [row for row in where(rows, algorithm=name, positive=0.5) if row[what] is not None]
            errors = [row["deviation"] / sqrt(row["runs"]) for row in found] if what == "tests" else None
            line(ax, k, [row["examples"] for row in found], [row[what] for row in found], name, errors)
            if is_paper:
                line(ax, k, SIZES, published[name], f"{name}, published", alpha=0.35)
        ax.set_yscale("log")
        ax.set_xlabel("training examples")
        ax.set_ylabel("sufficiency tests" if what == "tests" else "seconds (then and now)")
    legend(figure)
    return figure


TABLE_1 = Experiment(
    claim=CLAIMS["focus-table-1"],
    grid=grid,
    measure=measure,
    summarise=summarise,
    holds=holds,
    compare=compare,
    draw=draw,
    plan=Plan(decisive, 10, looks=4, beside=other_concepts),
    is_timed=True,
    assumptions=(
        "The concept is not given. Every run draws one: a random truth table of the relevant features, each of which "
        "matters, at random places among all.",
        "FOCUS-1 tries the subsets of one size in lexicographic order.",
        "Greedy tests: one for every feature added, and one for the empty set.",
        "Times are compared as ratios, over all sizes, and only with as many features as the paper has.",
    ),
)
