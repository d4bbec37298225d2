"""Options that name features: which must be selected, which must not be, and what each costs."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fewest.cli import options as opt
from fewest.exceptions import ParameterError
from fewest.reading import parsed_json, read_whole

if TYPE_CHECKING:
    from fewest.table import Table

IncludedFeatures = Annotated[
    list[str] | None,
    typer.Option(
        "--include", metavar="A,B", help="Features that must be selected: names or globs.", rich_help_panel=opt.FINDING
    ),
]
ExcludedFeatures = Annotated[
    list[str] | None,
    typer.Option("--exclude", metavar="A,B", help="Features that must not be.", rich_help_panel=opt.FINDING),
]
Costs = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="What features cost: a CSV of feature,cost or a JSON object. Others cost 1.",
        rich_help_panel=opt.FINDING,
    ),
]


def min_features_options(
    features: Table,
    include: Sequence[str] | None,
    exclude: Sequence[str] | None,
    costs: Path | None,
    left_out: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the options of min-features alone; names and globs stand for positions, those left out for none."""
    included, excluded = opt.matching(features, include), opt.matching(features, exclude)
    if set(included) & set(excluded):
        raise ParameterError("Some features match both --include and --exclude. Choose one.")
    priced = None if costs is None else read_costs(costs)
    if priced is not None:
        priced = {name: cost for name, cost in priced.items() if name not in left_out}
    return {"include": included, "exclude": excluded, "costs": priced}


def read_costs(path: Path) -> dict[str, float]:
    """Read what features cost from a JSON object or from a CSV of two columns, feature and cost."""
    try:
        text = read_whole(path).decode("utf-8-sig")
    except FileNotFoundError:
        raise ParameterError(f"There is no file of costs {str(path)!r}.") from None
    except UnicodeDecodeError as error:
        raise ParameterError(f"The costs in {str(path)!r} are not UTF-8 ({error.reason}). Save them as such.") from None
    if path.suffix == ".json":
        try:
            costs = parsed_json(text)
        except ValueError as error:
            raise ParameterError(f"{str(path)!r} is no JSON: {error}.") from None
        if not isinstance(costs, dict):
            raise ParameterError(f'{str(path)!r} must hold an object such as {{"age": 1, "scan": 250}}.')
        return costs
    try:
        rows = [row for row in csv.reader(text.splitlines()) if row]
    except csv.Error as error:
        raise ParameterError(f"{str(path)!r} is no CSV: {error}.") from None
    if rows and len(rows[0]) == 2 and not _is_number(rows[0][1]):
        rows = rows[1:]  # a header
    for number, row in enumerate(rows, start=1):
        if len(row) != 2 or not _is_number(row[1]):
            raise ParameterError(f"{str(path)!r}, entry {number}: {','.join(row)!r} is no feature,cost.")
    return {name.strip(): float(cost) for name, cost in rows}


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
