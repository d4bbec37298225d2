"""``fewest compare``: which method to trust on this data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fewest.cli import ExitCode
from fewest.cli import options as opt
from fewest.cli.apart import Apart
from fewest.cli.output import (
    aligned,
    check_outputs,
    check_report,
    chosen,
    collected_notes,
    faint,
    print_result,
    progress,
    say,
    strong,
)
from fewest.cli.screening import Keep, KeepAll, Look

if TYPE_CHECKING:
    from fewest.comparison.compare import Comparison
    from fewest.comparison.folds import Splitting
    from fewest.table import Column, Table

# Features that a line of the answer names.
MOST_NAMED = 30

Methods = Annotated[
    list[str] | None,
    typer.Option(
        "--methods",
        "-m",
        metavar="A,B",
        help="Which to compare: min-features, tolerant, wg, relieff, relief+cv, ordered-fs, univariate, information, "
        "mrmr, l1, forest (these if not given), min-description (on small tables, too), rfe, boruta, sg, mig, relief, "
        "relief+fewest, focus1, focus2. All features are always compared, too.",
        rich_help_panel=opt.FINDING,
    ),
]
Learners = Annotated[
    list[str] | None,
    typer.Option(
        "--learner",
        "-l",
        metavar="A,B",
        help="Who judges: tree, neighbors, logistic (ridge for numeric targets; these if not given), forest.",
        rich_help_panel=opt.FINDING,
    ),
]
Scoring = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="What decides, by scikit-learn's name; if not given, accuracy where classes are balanced, roc_auc or "
        " balanced_accuracy where one is rare, r2 for a numeric target.",
        rich_help_panel=opt.FINDING,
    ),
]
Folds = Annotated[
    int,
    typer.Option(
        metavar="N", min=2, help="Parts of the rows, of which each is left out in turn.", rich_help_panel=opt.FINDING
    ),
]
Repeats = Annotated[
    int,
    typer.Option(
        metavar="N",
        min=1,
        help="How often the folds are repeated, with the rows in another order.",
        rich_help_panel=opt.FINDING,
    ),
]


def compare(
    data: opt.Data,
    target: opt.Target,
    *,
    methods: Methods = None,
    learner: Learners = None,
    scoring: Scoring = None,
    folds: Folds = 5,
    repeats: Repeats = 2,
    time_limit: opt.TimeLimit = "2m",
    seed: opt.Seed = 0,
    task: opt.Task = None,
    apart: Apart,
    drop: opt.Drop = None,
    keep: Keep = None,
    keep_all: KeepAll = False,
    report: opt.Report = None,
    output_format: opt.OutputFormat = opt.Format.TABLE,
    parsing: opt.Parsing,
    drop_unlabelled: opt.DropUnlabelled = False,
) -> None:
    """Compare selectors on rows they have not seen; recommend one.

    Each method selects on the training part of every fold; learners are trained on the features it chose, and judged
    on the part left out. The score with its interval, the stability of the choice (1 the same every time, 0
    chance) and the time are shown. Exit code 1 when nothing predicts better than guessing.

    \b
    fewest compare fewest:votes --target party
    fewest compare genes.csv -t tumour --methods relieff,l1,boruta --time-limit 5m --report genes.html
    fewest compare visits.csv -t readmitted --groups patient --scoring average_precision
    """
    seconds = opt.parse_seconds(time_limit)
    check_report(report)
    check_outputs(report, reads=[data])
    reading = opt.Reading(data, target, drop, parsing, drop_unlabelled)
    validating = Validating(scoring, task, apart, folds, repeats)
    comparison = compared(reading, Look(keep, keep_all), methods, learner, validating, seconds, seed)
    result = comparison.result
    shown = {"command": "compare", **result}
    print_result(output_format, shown, result["methods"], lambda: say("\n\n".join(_paragraphs(result))))
    if report is not None:
        from fewest.report.render import command_line, write_page

        write_page(comparison.page(command_line()), report)
    if result["stopped_by"] is not None:
        raise typer.Exit(ExitCode.STOPPED_EARLY)
    if result["recommendation"]["method"] is None:
        raise typer.Exit(ExitCode.NEGATIVE_FINDING)


@dataclass(frozen=True)
class Validating:
    """How predictions are judged, and which rows are kept apart."""

    scoring: str | None = None
    task: str | None = None
    apart: Apart = field(default_factory=Apart)
    folds: int = 5
    repeats: int = 2

    def load(self, reading: opt.Reading) -> tuple[Table, Column, Splitting]:
        """Read the features, the target, and how the rows are divided."""
        return self.apart.divided(*reading.load_by_task(self.task), self.folds, self.repeats)


def compared(
    reading: opt.Reading,
    look: Look,
    methods: list[str] | None,
    learners: list[str] | None,
    validating: Validating,
    seconds: float | None,
    seed: int,
) -> Comparison:
    """Read the data and compare methods on it."""
    with collected_notes() as notes:
        features, target, splitting = validating.load(reading)
        from fewest.comparison.compare import compare_table

        features, screening = look.at(features, target, notes)
        named, judges = (opt.split_names(listed) if listed else None for listed in (methods, learners))
        with progress() as on_progress:
            comparison = compare_table(
                features,
                target,
                named,
                judges,
                splitting,
                scoring=validating.scoring,
                time_limit=seconds,
                seed=seed,
                on_progress=on_progress,
            )
    comparison.result.update(data=reading.data, notes=notes, screening=screening.to_dict())
    comparison.result["options"] = repeating_options(reading, look, validating, judges)
    return comparison


def repeating_options(
    reading: opt.Reading, look: Look, validating: Validating, judges: Sequence[str] | None = None
) -> dict[str, list[str]]:
    """Return the options with which another command sees the same data: for all verbs, and for ``compare`` alone."""
    parsing = reading.parsing
    same: list[tuple[str, Any]] = [
        *(("--drop", name) for name in reading.drop or ()),
        *(("--keep", name) for name in look.keep or ()),
        ("--keep-all", look.keep_all),
        *(("--kind", kind) for kind in parsing.kinds or ()),
        *(("--null", null) for null in parsing.nulls or ()),
        ("--delimiter", parsing.delimiter),
        ("--no-header", parsing.no_header),
        ("--encoding", None if parsing.encoding == "utf-8" else parsing.encoding),
        ("--decimal", parsing.decimal),
        ("--thousands", parsing.thousands),
        ("--drop-unlabelled", reading.drop_unlabelled),
    ]
    apart = validating.apart.given()
    usual = Validating()
    judging: list[tuple[str, Any]] = [
        *apart.items(),
        ("--task", validating.task),
        ("--scoring", validating.scoring),
        ("--folds", None if validating.folds == usual.folds else str(validating.folds)),
        ("--repeats", None if validating.repeats == usual.repeats else str(validating.repeats)),
        ("--learner", ",".join(judges) if judges else None),
    ]
    no_features = [("--drop", name) for name in apart.values()]
    return {"compare": _written([*same, *judging]), "others": _written([*same, *no_features])}


def _written(options: list[tuple[str, Any]]) -> list[str]:
    """Return options as words of a command line, without those that were not given."""
    given = [(name, value) for name, value in options if value is not None and value is not False]
    return [word for name, value in given for word in ((name,) if value is True else (name, value))]


def _paragraphs(result: dict[str, Any]) -> list[str]:
    from fewest.report.comparison_page import effort, how_to_select
    from fewest.report.sentences import score_value

    recommendation = result["recommendation"]
    how = how_to_select(result)
    metric, guess = result["metrics"][0], result["guess"]
    left_out = f"\nNot for a numeric target: {', '.join(result['not_run'])}" if result["not_run"] else ""
    return [
        "\n".join([strong(recommendation["sentence"]), *_features(recommendation), *recommendation["reasons"]]),
        _table(result),
        f"({effort(result)}; {guess['text']}: {metric['label']} {score_value(metric, guess['score'])})\n"
        f"{result['why_scoring']}{left_out}" + (f"\nTo run it alone: {how}" if how else ""),
    ]


def _features(recommendation: dict[str, Any]) -> list[str]:
    """Return a line that names what the recommended method chooses; all features need no names."""
    names = recommendation["features"]
    if recommendation["kind"] == "all" or not names:
        return []
    more = len(names) - MOST_NAMED
    rest = f" and {more:,} more (--format json names all)" if more > 0 else ""
    return [f"{'They are' if len(names) > 1 else 'It is'}: {', '.join(names[:MOST_NAMED])}{rest}."]


def _table(result: dict[str, Any]) -> str:
    from fewest.report.sentences import score_value

    first, *others = [metric for metric in result["metrics"] if _is_printed(metric, result)]
    labels = [metric["label"] for metric in others]
    rows: list[tuple[object, ...]] = [("  method", first["label"], "", *labels, "features", "stability", "time")]
    for method in result["methods"]:
        mark = "* " if method["method"] == result["recommendation"]["method"] else "  "
        stability = "-" if method["stability"] is None else f"{method['stability']:.2f}"
        ends = sorted((method["low"], method["high"]), key=lambda end: first["sign"] * end)
        rows.append(
            (
                mark + method["method"],
                score_value(first, method["score"]),
                f"({score_value(first, ends[0])} to {score_value(first, ends[1])})",
                *(score_value(metric, method["metrics"][metric["name"]]["mean"]) for metric in others),
                f"{method['n_features']:8.1f}",
                f"{stability:>9}",
                f"{method['seconds']:.1f} s",
            )
        )
    heading, *lines = aligned(rows, indent="").split("\n")
    return "\n".join([faint(heading), *(chosen(line) if line.startswith("*") else line for line in lines)])


def _is_printed(metric: dict[str, Any], result: dict[str, Any]) -> bool:
    """Return whether a metric has a column of its own: one is enough where classes are balanced."""
    return metric is result["metrics"][0] or result["scoring"] != "accuracy"
