"""``fewest explain``: why is this row of its class?"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fewest.cli import ExitCode
from fewest.cli import options as opt
from fewest.cli.feature_options import Costs, ExcludedFeatures, IncludedFeatures, min_features_options
from fewest.cli.intervals import ExactValues
from fewest.cli.output import aligned, collected_notes, complain, print_result, progress, say
from fewest.cli.screening import Keep, KeepAll, Look
from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    from fewest.cover.explain import RowExplanation
    from fewest.table import Column, Table

# As many rows as an error names of those that match.
NAMED_ROWS = 10


def explain(
    data: opt.Data,
    target: opt.Target,
    *,
    row: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            help="The row to explain, counted from 0, the header not counted; with --new, a row of that file.",
            show_default=False,
            rich_help_panel=opt.FINDING,
        ),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COL=VALUE",
            help="The row to explain, as the only one with this value; repeatable.",
            rich_help_panel=opt.FINDING,
        ),
    ] = None,
    new: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Explain a row of this file, which need not have a class.", rich_help_panel=opt.FINDING
        ),
    ] = None,
    label: Annotated[
        str | None,
        typer.Option(
            metavar="CLASS",
            help="Explain why the row could be of this class; by default its own or, of a new row, the nearest's.",
            rich_help_panel=opt.FINDING,
        ),
    ] = None,
    most: Annotated[
        int,
        typer.Option("--all", metavar="N", min=1, help="List up to N explanations.", rich_help_panel=opt.FINDING),
    ] = 10,
    nearest: Annotated[
        int,
        typer.Option(metavar="N", min=0, help="Show the N nearest rows of other classes.", rich_help_panel=opt.FINDING),
    ] = 1,
    include: IncludedFeatures = None,
    exclude: ExcludedFeatures = None,
    costs: Costs = None,
    exact_values: ExactValues = False,
    missing: opt.MissingRule = opt.Missing.VALUE,
    output_format: opt.OutputFormat = opt.Format.TABLE,
    time_limit: opt.TimeLimit = "30s",
    drop: opt.Drop = None,
    keep: Keep = None,
    keep_all: KeepAll = False,
    parsing: opt.Parsing,
    drop_unlabelled: opt.DropUnlabelled = False,
) -> None:
    """Explain why a row is of its class.

    The answer is the fewest of its values that no row of another class shares; beside them all other such explanations,
    and the nearest row of another class with what one would have to change to make the two alike. No model is involved:
    what is explained is the data. Identifiers, constants and copies are left out, and numeric columns of many values
    are compared by interval, as `fewest select` does.

    Exit code 1 when a row of another class is alike in everything, so that nothing explains the difference.

    \b
    fewest explain fewest:votes --target party --row 3
    fewest explain churn.csv -t churned --where customer_id=C00042
    fewest explain churn.csv -t churned --new customer.csv --label yes
    """
    _check_which(row, where, new)
    reading = opt.Reading(data, target, drop, parsing, drop_unlabelled)
    seconds = opt.parse_seconds(time_limit)
    with collected_notes() as notes:
        everything, classes = reading.load()
        asked: Any = _place(everything, classes, row, where)
        look = Look(keep, keep_all, opt.split_names(include or ()), opt.split_names(exclude or ()), of_groups="")
        features, screening = look.at(everything, classes, notes)
        features = look.without_many_categories(features, screening.many_categories)
        own = min_features_options(features, include, exclude, costs, screening.left_out)
        if new is not None:
            asked, label = _new_row(new, reading, row or 0, label)
        from fewest.cover.explain import explain_row

        found = explain_row(
            features,
            classes,
            asked,
            label=label,
            missing=missing,
            exact_values=exact_values,
            max_alternatives=most,
            n_nearest=nearest,
            time_limit=seconds,
            progress=progress(),
            **own,
        )
    result = {"command": "explain", "data": data, "target": target, **_described(found, features)}
    result["notes"] = notes
    print_result(output_format, result, [result], lambda: _print_table(result))
    if not found.is_optimal:
        raise typer.Exit(ExitCode.STOPPED_EARLY)
    if found.twins:
        raise typer.Exit(ExitCode.NEGATIVE_FINDING)


def _check_which(row: int | None, where: list[str] | None, new: Path | None) -> None:
    """Raise unless the options say which row is meant, in one way."""
    if row is None and not where and new is None:
        raise ParameterError("No row was named. Name it with --row N, --where COL=VALUE or --new FILE.")
    if where and (row is not None or new is not None):
        raise ParameterError("--where names the row already. Give it without --row and --new.")


def _place(table: Table, classes: Column, row: int | None, where: list[str] | None) -> int | None:
    """Return the position of the row that the options name."""
    if not where:
        if row is None or table.row_numbers is None:
            return row
        places = [place for place, number in enumerate(table.row_numbers.tolist()) if number == row]
        if not places:
            raise ParameterError(f"Row {row} has no label, or does not exist. Choose another.")
        return places[0]
    places = list(range(table.n_rows))
    for condition in where:
        name, equals, value = condition.partition("=")
        if not equals:
            raise ParameterError(f"--where {condition} is no COL=VALUE, such as customer=42.")
        column = classes if name == classes.name else table[name]
        places = [place for place in places if str(column.value_at(place)) == value]
    if len(places) == 1:
        return places[0]
    if not places:
        raise ParameterError(f"No row has {' and '.join(where)}. Values are compared as they are written.")
    numbers = ", ".join(str(table.row_number(place)) for place in places[:NAMED_ROWS])
    more = ", ..." if len(places) > NAMED_ROWS else ""
    raise ParameterError(
        f"{len(places):,} rows have {' and '.join(where)}: {numbers}{more}. Choose one with --row, or add a condition."
    )


def _new_row(path: Path, reading: opt.Reading, row: int, label: str | None) -> tuple[Table, str | None]:
    """Return one row of another file, and its class if it has one and no other is asked for."""
    from dataclasses import replace

    table = replace(reading, data=str(path), drop=None).table()
    if row >= table.n_rows:
        raise ParameterError(f"{str(path)!r} has {table.n_rows} rows, counted from 0, so that there is no row {row}.")
    if reading.target in table.names and label is None:
        value = table[reading.target].value_at(row)
        label = None if value is None else str(value)
    return table.take([row]), label


def _described(found: RowExplanation, features: Table) -> dict[str, Any]:
    """Turn an explanation into plain data, with rows numbered as in the file."""
    described = asdict(found)
    described["row"] = None if found.row is None else features.row_number(found.row)
    described["twins"] = [features.row_number(row) for row in found.twins]
    for near in described["nearest"]:
        near["row"] = features.row_number(near["row"])
    return described


def _print_table(result: dict[str, Any]) -> None:
    target, label = result["target"], result["label"]
    who = "The new row" if result["row"] is None else f"Row {result['row']}"
    if result["unseen"]:
        complain("note", f"No row has the new row's value of {', '.join(result['unseen'])}: it tells nothing.")
    if not result["is_label_given"]:
        complain("note", f"The new row has no {target}; the nearest rows have {label}. --label CLASS asks for another.")
    if result["twins"]:
        twins = result["twins"]
        rows = ", ".join(map(str, twins[:NAMED_ROWS])) + (", ..." if len(twins) > NAMED_ROWS else "")
        alike = f"row {rows} is" if len(twins) == 1 else f"rows {rows} are"
        say(f"{who} has {target} {label}, and {alike} alike in every feature but has another {target}.")
    if not result["features"]:
        if not result["twins"]:
            say(f"{who} has {target} {label}, as all rows have: there is nothing to tell it from.")
        return
    others = "no other row of another" if result["twins"] else "no row of another"
    say(f"{who} has {target} {label}, and {others} {target} shares these values:\n")
    say(aligned([(name, value) for name, value in result["values"].items()]))
    say(f"\n{_standing(result)}")
    alternatives = zip(result["alternatives"][1:], result["n_sharing_alternatives"][1:], strict=True)
    if result["is_optimal"] and len(result["alternatives"]) > 1:
        more = "" if result["is_complete"] else ", and more"
        say(f"As few would do, too{more}:\n")
        say(aligned([("features", "rows that share them"), *((", ".join(names), n) for names, n in alternatives)]))
    here = "new row" if result["row"] is None else f"row {result['row']}"
    for near in result["nearest"]:
        there, n_changes = f"row {near['row']}", len(near["changes"])
        what = "1 feature" if n_changes == 1 else f"{n_changes} features"
        say(f"\nNearest of another {target}: {there} ({near['label']}), which differs in {what}:\n")
        changes = [(name, *map(_shown, pair)) for name, pair in near["changes"].items()]
        say(aligned([("", here, there), *changes]))


def _shown(value: object) -> object:
    return "(missing)" if value is None else value


def _standing(result: dict[str, Any]) -> str:
    """Return how much speaks for the explanation."""
    n, of = result["n_sharing"], f"of {result['target']} {result['label']}"
    share = "No other row shares them." if n == 0 else f"{n:,} other rows {of} share them."
    if n == 1:
        share = f"1 other row {of} shares them."
    if not result["is_optimal"]:
        return f"{share} The time limit came before it was proven that no fewer would do."
    return f"{share} No fewer features would do."
