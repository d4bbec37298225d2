"""The options that several commands share, and the reading of the data that they describe."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    from fewest.blocks.scan import Scan
    from fewest.table import Column, Table

BUNDLED = "fewest:"

# The panels of ``--help``.
FINDING, LEARNING, DATA, SEARCHING, COMPARING, OUTPUT, RUNNING = (
    "What to find",
    "What to learn",
    "Data",
    "How to search",
    "How rows are compared",
    "Output",
    "Where it runs, and how long",
)


class Format(StrEnum):
    """How results are printed."""

    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"


class Missing(StrEnum):
    """How missing values are compared."""

    VALUE = "value"
    CAUTIOUS = "cautious"


Data = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="A CSV, TSV, Parquet or ARFF file (.gz too), a quoted glob of such files, - for standard input, "
        "or fewest:votes for the data that comes along.",
        show_default=False,
        rich_help_panel=DATA,
    ),
]
Target = Annotated[
    str,
    typer.Option(
        "--target", "-t", metavar="COL", help="The column with the classes.", show_default=False, rich_help_panel=DATA
    ),
]
Drop = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COL",
        help="Leave out this column, or all that match a glob such as 'id_*'; repeatable.",
        rich_help_panel=DATA,
    ),
]
Kinds = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        metavar="COL=KIND",
        help="Take a column as boolean, nominal or numeric, whatever it looks like.",
        rich_help_panel=DATA,
    ),
]
Nulls = Annotated[
    list[str] | None,
    typer.Option(
        "--null",
        metavar="TEXT",
        help="A spelling of a missing value, instead of the usual ones; repeatable.",
        rich_help_panel=DATA,
    ),
]
Delimiter = Annotated[
    str | None, typer.Option(metavar="CHAR", help="The field delimiter, if not the obvious one.", rich_help_panel=DATA)
]
NoHeader = Annotated[
    bool, typer.Option("--no-header", help="The first line is data; columns are column_1, ...", rich_help_panel=DATA)
]
Encoding = Annotated[str, typer.Option(metavar="NAME", help="The encoding of a text file.", rich_help_panel=DATA)]
DropUnlabelled = Annotated[
    bool, typer.Option("--drop-unlabelled", help="Leave out rows without a label.", rich_help_panel=DATA)
]
MissingRule = Annotated[
    Missing,
    typer.Option(
        "--missing",
        help="A missing value is a value of its own, or (cautious) separates nothing from anything.",
        rich_help_panel=COMPARING,
    ),
]
Margin = Annotated[
    list[str] | None,
    typer.Option(
        "--margin",
        metavar="[COL=]M",
        help="Numeric values separate two rows only if at least this far apart: 0.5, '0.5 sd' or 5% (of the range); "
        "for all numeric columns or, repeatedly, for one each.",
        rich_help_panel=COMPARING,
    ),
]
Bins = Annotated[
    bool,
    typer.Option(
        "--bins",
        help="Cut numeric columns into intervals, where that carries enough information about the class.",
        rich_help_panel=COMPARING,
    ),
]
Tolerance = Annotated[
    str,
    typer.Option(
        metavar="FRACTION",
        help="Pairs of rows of different class that may stay unseparated: 0.01, or cv to choose.",
        rich_help_panel=COMPARING,
    ),
]
Seed = Annotated[int, typer.Option(metavar="N", min=0, help="What random choices depend on.", rich_help_panel=RUNNING)]
TimeLimit = Annotated[
    str,
    typer.Option(
        metavar="TIME",
        help="Stop after 30, 90s or 5m with the best answer so far; none for no limit.",
        rich_help_panel=RUNNING,
    ),
]
OutputFormat = Annotated[
    Format, typer.Option("--format", "-f", help="How to print the result.", rich_help_panel=OUTPUT)
]


@dataclass(frozen=True)
class Reading:
    """How to read the data."""

    data: str
    target: str | None
    drop: Sequence[str] | None = None
    kinds: Sequence[str] | None = None
    nulls: Sequence[str] | None = None
    delimiter: str | None = None
    no_header: bool = False
    encoding: str = "utf-8"
    drop_unlabelled: bool = False

    def load(self, *, is_quantity: bool = False) -> tuple[Table, Column]:
        """Read the features and the target, which holds classes or, for regression, numeric values."""
        from fewest.table import split_regression_target, split_target

        if self.target is None:
            raise ParameterError("No column with classes was named. Name it with --target.")
        split = split_regression_target if is_quantity else split_target
        return split(self.table(), self.target, missing_target="drop" if self.drop_unlabelled else "raise")

    def table(self) -> Table:
        """Read all columns, the target among them if it is there."""
        from fewest.table import read_table

        return read_table(self.source, **self._options())

    def scan(self, client: Any = None) -> Scan:
        """Prepare to read in blocks, here or on a cluster."""
        from fewest.blocks.scan import scan

        missing_target = "drop" if self.drop_unlabelled else "raise"
        return scan(self.source, target=self.target, missing_target=missing_target, client=client, **self._options())

    def _options(self) -> dict[str, Any]:
        from fewest.table import NULL_SPELLINGS

        return {
            "kinds": _parse_kinds(self.kinds or ()),
            "drop": self.drop or (),
            "delimiter": self.delimiter,
            "header": not self.no_header,
            "encoding": self.encoding,
            "null_values": NULL_SPELLINGS if self.nulls is None else tuple(self.nulls),
        }

    @property
    def source(self) -> str:
        """Return the path, also of the data that comes along."""
        if self.data.startswith(BUNDLED):
            from fewest.datasets import data_path

            return str(data_path(self.data.removeprefix(BUNDLED)))
        return self.data


def _parse_kinds(assignments: Sequence[str]) -> dict[str, str]:
    kinds = {}
    for assignment in assignments:
        name, equals, kind = assignment.rpartition("=")
        if not equals:
            raise ParameterError(f"--kind {assignment} is no COL=KIND, such as zip=nominal.")
        kinds[name] = kind
    return kinds


def split_names(lists: Sequence[str]) -> list[str]:
    """Split comma-separated names; a name with a comma is put in double quotes."""
    try:
        fields = [name for listed in lists for name in next(csv.reader([listed], skipinitialspace=True), [])]
    except csv.Error:
        raise ParameterError(f"{', '.join(lists)!r} is no list of names separated by commas.") from None
    return [name.strip() for name in fields if name.strip()]


def parse_seconds(text: str) -> float | None:
    """Read ``90``, ``90s``, ``1.5m`` or ``2h`` as seconds, and ``none`` as no limit."""
    if text == "none":
        return None
    units = {"s": 1, "m": 60, "h": 3600}
    number, unit = (text[:-1], text[-1]) if text[-1:] in units else (text, "s")
    try:
        seconds = float(number) * units[unit] if "_" not in number else -1.0
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise ParameterError(f"--time-limit {text} is no time. Write 30, 90s, 5m, 2h or none.")
    return seconds
