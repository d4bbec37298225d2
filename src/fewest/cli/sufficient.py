"""``fewest sufficient``: do these features tell the classes apart?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fewest.cli import ExitCode, engines
from fewest.cli import options as opt
from fewest.cli.output import aligned, collected_notes, complain, print_result, say
from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    from fewest.blocks.scan import Scan
    from fewest.cover.sufficient import Sufficiency
    from fewest.table import Column, Table


def sufficient(
    data: opt.Data,
    target: opt.Target,
    *,
    features: Annotated[
        list[str],
        typer.Option(
            metavar="A,B,C",
            help="The features to test: names or globs, separated by commas.",
            show_default=False,
            rich_help_panel=opt.FINDING,
        ),
    ],
    output_format: opt.OutputFormat = opt.Format.TABLE,
    margin: opt.Margin = None,
    missing: opt.MissingRule = opt.Missing.VALUE,
    where: engines.Where,
    drop: opt.Drop = None,
    parsing: opt.Parsing,
    drop_unlabelled: opt.DropUnlabelled = False,
) -> None:
    """Test whether some features tell the classes apart.

    If they do not, two rows prove it. Exit code 0 for yes, 1 for no. Rows are counted from 0, the header not counted.

    \b
    fewest sufficient fewest:votes --target party --features physician-fee-freeze,immigration
    fewest sufficient 'parts/*.parquet' -t label --features a,b --engine stream
    """
    reading = opt.Reading(data, target, drop, parsing, drop_unlabelled)
    names = opt.split_names(features)
    if not names:
        raise ParameterError("--features is empty. Give at least one name.")
    compared = opt.parse_margin(margin)
    obstacle = "--margin or --missing cautious" if compared is not None or missing is not opt.Missing.VALUE else None
    with collected_notes(), where.scanned(reading, obstacle) as scanned:
        from fewest.cover.sufficient import sufficiency

        table, classes = reading.load() if scanned is None else _shown(scanned)
        chosen = sorted({j for name in names for j in table.matches(name)})
        if scanned is None:
            _mention(replace(table, columns=tuple(table.columns[j] for j in chosen)), classes)
            verdict = sufficiency(table, classes, chosen, missing=missing, margin=compared)
        else:
            verdict = sufficiency(scanned, None, chosen)
        result = {"command": "sufficient", "data": data, "target": target}
        result |= _described(verdict, table, classes, chosen)
    print_result(output_format, result, [result], lambda: _print_table(result))
    if not verdict.is_sufficient:
        raise typer.Exit(ExitCode.NEGATIVE_FINDING)


def _mention(tested: Table, classes: Column) -> None:
    """Print what would make the verdict worthless: features that name rows, or give the classes away."""
    from fewest.screening import screen
    from fewest.screening.finding import IDENTIFIERS

    screening = screen(tested, classes, keep_all=True)
    for alarm in screening.alarms:
        complain("warning", alarm)
    for finding in screening.findings:
        if finding.kind in IDENTIFIERS:
            complain("note", f"{finding.column} {finding.fact}: that it tells rows apart means nothing.")


def _shown(scanned: Scan) -> tuple[Table, Column]:
    from fewest.blocks.lazy_table import lazy_table

    return lazy_table(scanned)


def _described(verdict: Sufficiency, table: Table, classes: Column, chosen: list[int]) -> dict[str, Any]:
    """Turn a verdict into plain data."""
    witness = None
    if verdict.witness is not None:
        witness = {
            "rows": [table.row_number(row) for row in verdict.witness],
            "classes": [classes.value_at(row) for row in verdict.witness],
            "values": {table.names[j]: [table.columns[j].value_at(row) for row in verdict.witness] for j in chosen},
        }
    return {
        "features": [table.names[j] for j in chosen],
        "is_sufficient": verdict.is_sufficient,
        "n_uncovered": verdict.n_uncovered,
        "n_contradictions": verdict.n_contradictions,
        "witness": witness,
    }


def _print_table(result: dict) -> None:
    names = ", ".join(result["features"])
    if result["is_sufficient"]:
        say(f"Yes: no two rows of different {result['target']} agree on {names}.")
        return
    witness, target = result["witness"], result["target"]
    (i, j), n = witness["rows"], result["n_uncovered"]
    pairs = "1 pair of rows agrees" if n == 1 else f"{n:,} pairs of rows agree"
    hopeless = result["n_contradictions"]
    aside = f" {hopeless:,} of them no feature separates." if hopeless else ""
    say(f"No: {pairs} on {names} but not on {target}.{aside} For example:\n")
    heading = ("", f"row {i}", f"row {j}")
    say(aligned([heading, (target, *witness["classes"]), *((k, *v) for k, v in witness["values"].items())]))
