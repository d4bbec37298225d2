"""``fewest compare``: which method to trust on this data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from fewest.cli import ExitCode
from fewest.cli import options as opt
from fewest.cli.messages import collected_notes, progress
from fewest.cli.output import aligned, check_outputs, check_report, chosen, faint, print_json, print_jsonl, strong

if TYPE_CHECKING:
    from fewest.comparison.compare import Comparison

Methods = Annotated[
    list[str] | None,
    typer.Option(
        "--methods",
        "-m",
        metavar="A,B",
        help="Which to compare, of min-features, tolerant, wg, sg, mig, relieff, relief, relief+cv, relief+fewest, "
        "ordered-fs, focus1, focus2; all but the last two if not given. All features are always compared, too.",
        rich_help_panel=opt.FINDING,
    ),
]
Learners = Annotated[
    list[str] | None,
    typer.Option(
        "--learner",
        "-l",
        metavar="A,B",
        help="Who judges: tree, neighbours, logistic (these if not given), forest.",
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
    methods: Methods = None,
    learner: Learners = None,
    folds: Folds = 5,
    repeats: Repeats = 2,
    time_limit: opt.TimeLimit = "2m",
    seed: opt.Seed = 0,
    drop: opt.Drop = None,
    report: opt.Report = None,
    output_format: opt.OutputFormat = opt.Format.TABLE,
    kind: opt.Kinds = None,
    null: opt.Nulls = None,
    delimiter: opt.Delimiter = None,
    no_header: opt.NoHeader = False,
    encoding: opt.Encoding = "utf-8",
    drop_unlabelled: opt.DropUnlabelled = False,
) -> None:
    """Run selectors side by side, judge them on rows that they have not seen, and recommend one.

    Each method selects on the training part of every fold; learners are trained on the features it chose, and judged
    on the part left out. The interval of the accuracy, the stability of the choice (1 the same every time, 0
    chance) and the time are shown. Exit code 1 when nothing predicts better than the most frequent class.

    \b
    fewest compare fewest:votes --target party
    fewest compare genes.csv -t tumour --methods relieff,tolerant --time-limit 5m --report genes.html
    """
    seconds = opt.parse_seconds(time_limit)
    check_report(report)
    check_outputs(report, reads=[data])
    reading = opt.Reading(data, target, drop, kind, null, delimiter, no_header, encoding, drop_unlabelled)
    comparison = compared(reading, methods, learner, (folds, repeats), seconds, seed)
    result = comparison.result
    if output_format is opt.Format.JSON:
        print_json({"command": "compare", **result})
    elif output_format is opt.Format.JSONL:
        print_jsonl(result["methods"])
    else:
        typer.echo("\n\n".join(_paragraphs(result)))
    if report is not None:
        from fewest.report.origin import command_line
        from fewest.report.render import write_page

        write_page(comparison.page(command_line()), report)
    if result["stopped_by"] is not None:
        raise typer.Exit(ExitCode.STOPPED_EARLY)
    if result["recommendation"]["method"] is None:
        raise typer.Exit(ExitCode.NEGATIVE_FINDING)


def compared(
    reading: opt.Reading,
    methods: list[str] | None,
    learners: list[str] | None,
    splits: tuple[int, int],
    seconds: float | None,
    seed: int,
) -> Comparison:
    """Read the data and compare methods on it."""
    with collected_notes() as notes:
        features, classes = reading.load()
        from fewest.comparison.compare import compare_table
        from fewest.screening.distinct_values import warn_of_distinct_values
        from fewest.table import Kind

        names = [column.name for column in features if column.kind is Kind.NUMERIC]
        warn_of_distinct_values(features.drop(names) if names else features)  # numeric columns are discretized
        named, judges = (opt.split_names(listed) if listed else None for listed in (methods, learners))
        with progress() as on_progress:
            comparison = compare_table(features, classes, named, judges, splits, seconds, seed, on_progress)
    comparison.result.update(data=reading.data, notes=notes)
    return comparison


def _paragraphs(result: dict[str, Any]) -> list[str]:
    from fewest.report.comparison_page import effort, how_to_select

    recommendation = result["recommendation"]
    how = how_to_select(result)
    return [
        f"{strong(recommendation['sentence'])}\n" + "\n".join(recommendation["reasons"]),
        _table(result),
        f"({effort(result)}; always answering {result['guess']['label']}: {result['guess']['accuracy']:.1%})"
        + (f"\nTo run it alone: {how}" if how else ""),
    ]


def _table(result: dict[str, Any]) -> str:
    rows: list[tuple[object, ...]] = [("method", "accuracy", "", "features", "stability", "time")]
    for method in result["methods"]:
        mark = "* " if method["method"] == result["recommendation"]["method"] else "  "
        stability = "-" if method["stability"] is None else f"{method['stability']:.2f}"
        rows.append(
            (
                mark + method["method"],
                f"{method['accuracy']:6.1%}",
                f"({method['low']:.1%} to {method['high']:.1%})",
                f"{method['n_features']:8.1f}",
                f"{stability:>9}",
                f"{method['seconds']:.1f} s",
            )
        )
    rows[0] = ("  method", *rows[0][1:])
    heading, *lines = aligned(rows, indent="").split("\n")
    return "\n".join([faint(heading), *(chosen(line) if line.startswith("*") else line for line in lines)])
