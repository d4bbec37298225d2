"""The options that several commands share, and the reading of the data that they describe."""

from __future__ import annotations

import csv
import time
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fewest.exceptions import ParameterError, UnderstoodWarning, quoted

if TYPE_CHECKING:
    from fewest.blocks.scan import Scan
    from fewest.cover.options import Margin as MarginOption
    from fewest.table import Column, Table
    from fewest.table.spellings import Understood

BUNDLED = "fewest:"
# The program uses every core, where an estimator leaves the choice to its user.
ALL_CORES = -1

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
        help="Take a column as boolean, nominal, numeric or date, whatever it looks like.",
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
Decimal = Annotated[
    str | None,
    typer.Option(
        "--decimal",
        metavar="SIGN",
        help="The decimal sign of numbers in text, . or , instead of what the values show.",
        rich_help_panel=DATA,
    ),
]
Thousands = Annotated[
    str | None,
    typer.Option(
        "--thousands",
        metavar="SIGN",
        help="What stands between thousands of numbers in text: , . ' or a space.",
        rich_help_panel=DATA,
    ),
]
Task = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="classification or regression, if the target does not show which.",
        rich_help_panel=DATA,
    ),
]
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
Tolerance = Annotated[
    str,
    typer.Option(
        metavar="FRACTION",
        help="Pairs of rows of different class that may stay unseparated: 0.01, or cv to choose.",
        rich_help_panel=COMPARING,
    ),
]
LARGEST_SEED = (1 << 32) - 1  # that of NumPy's RandomState, which scikit-learn's estimators use
Seed = Annotated[
    int,
    typer.Option(metavar="N", min=0, max=LARGEST_SEED, help="What random choices depend on.", rich_help_panel=RUNNING),
]
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


Report = Annotated[
    Path | None,
    typer.Option(
        "--report",
        metavar="FILE.html",
        help="Write a page to look at and to pass on: one file, offline.",
        rich_help_panel=OUTPUT,
    ),
]


@dataclass(frozen=True)
class Parsing:
    """How the values of a file are read: a group of options, which `app.spread` gives to the verbs that ask for it."""

    kinds: Kinds = None
    nulls: Nulls = None
    delimiter: Delimiter = None
    no_header: NoHeader = False
    encoding: Encoding = "utf-8"
    decimal: Decimal = None
    thousands: Thousands = None

    def named(self) -> dict[str, Any]:
        """Return this as `read_table` and `scan` name it."""
        from fewest.table.formats import NULL_SPELLINGS

        return {
            "kinds": _parse_kinds(self.kinds or ()),
            "null_values": NULL_SPELLINGS if self.nulls is None else tuple(self.nulls),
            "delimiter": self.delimiter,
            "header": not self.no_header,
            "encoding": self.encoding,
            "decimal": self.decimal,
            "thousands": self.thousands,
        }


@dataclass(frozen=True)
class Reading:
    """The data to read: the file, the target, and how its values are read."""

    data: str
    target: str | None
    drop: Sequence[str] | None = None
    parsing: Parsing = Parsing()
    drop_unlabelled: bool = False

    def load(self, *, is_regression: bool = False) -> tuple[Table, Column]:
        """Read the features and the target, which holds classes or, for regression, numeric values."""
        from fewest.table import split_regression_target, split_target

        if self.target is None:
            raise ParameterError("No column with classes was named. Name it with --target.")
        split = split_regression_target if is_regression else split_target
        return split(self.table(), self.target, missing_target=self.missing_target)

    def load_by_task(self, task: str | None) -> tuple[Table, Column]:
        """Read the features and the target, which holds classes or numeric values, as it looks or as ``task`` says."""
        from fewest.table import split_by_task

        if self.target is None:
            raise ParameterError("No target was named. Name its column with --target.")
        return split_by_task(self.table(), self.target, task, missing_target=self.missing_target)

    @property
    def missing_target(self) -> str:
        """Return what to do with rows that have no label."""
        return "drop" if self.drop_unlabelled else "raise"

    def table(self) -> Table:
        """Read all columns, the target among them if it is there."""
        from fewest.table.files import read_table

        table = read_table(self.source, **self._options())
        _tell_what_was_understood(table.understood)
        return table

    def scan(self, client: Any = None) -> Scan:
        """Prepare to read in blocks, here or on a cluster."""
        from fewest.blocks.scan import scan

        options = {"n_jobs": ALL_CORES, "client": client, **self._options()}
        scanned = scan(self.source, target=self.target, missing_target=self.missing_target, **options)
        scanned.on_understood = _tell_what_was_understood
        return scanned

    def _options(self) -> dict[str, Any]:
        return {"drop": self.drop or (), **self.parsing.named()}

    @property
    def source(self) -> str:
        """Return the path, also of the data that comes along."""
        if self.data.startswith(BUNDLED):
            from fewest.datasets.bundled import data_path

            return str(data_path(self.data.removeprefix(BUNDLED)))
        return self.data


def _tell_what_was_understood(records: Sequence[Understood]) -> None:
    """Warn once of all columns of text that were read as numbers or dates, and of each that stayed text."""
    read = [f"{quoted([record.column])} ({record.what})" for record in records if record.is_read]
    if read:
        doubtful = [record.column for record in records if record.is_ambiguous]
        doubt = f" {quoted(doubtful)} could be read otherwise, too: --decimal or --kind says how." if doubtful else ""
        warnings.warn(
            f"Columns of text were read as what they mean: {', '.join(read)}. --kind COL=nominal keeps one as text."
            f"{doubt}",
            UnderstoodWarning,
            stacklevel=3,
        )
    for record in records:
        if not record.is_read:
            warnings.warn(str(record), UnderstoodWarning, stacklevel=3)


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


def matching(features: Table, patterns: Sequence[str] | None) -> list[int]:
    """Return the positions of the features that comma-separated names and globs stand for."""
    return sorted({j for name in split_names(patterns or ()) for j in features.matches(name)})


def start_clock(*modules: str) -> float:
    """Return the time, once a command has imported what it needs: the seconds of an answer are those of the work."""
    for module in ("fewest.table.files", *modules):
        import_module(module)
    return time.monotonic()


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


@dataclass(frozen=True)
class Comparing:
    """How rows are compared: when two count as separated, and how many pairs need not be."""

    missing: str = "value"
    margin: MarginOption | None = None
    tolerance: float | str = 0.0

    @classmethod
    def parse(cls, missing: str, margins: Sequence[str] | None, tolerance: str) -> Comparing:
        """Parse the options, or raise."""
        return cls(missing, parse_margin(margins), parse_tolerance(tolerance))

    def options(self) -> dict[str, Any]:
        """Return them by the names that the options of every cover method have."""
        return asdict(self)


def parse_margin(margins: Sequence[str] | None) -> MarginOption | None:
    """Return one margin for all numeric columns, or one each by name."""
    if not margins:
        return None
    if len(margins) == 1 and "=" not in margins[0]:
        return margins[0]
    named: dict[str | int, float | str] = {}
    for assignment in margins:
        name, equals, margin = assignment.rpartition("=")
        if not equals:
            raise ParameterError(f"--margin {assignment} names no column, such as age={assignment}, but others do.")
        named[name] = margin
    return named


def parse_tolerance(text: str) -> float | str:
    """Return the tolerance as a number, or ``cv``."""
    from fewest.cover.options import check_tolerance

    try:
        tolerance: float | str = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        tolerance = text
    check_tolerance(tolerance)
    return tolerance
