"""``fewest generate``: artificial data whose relevant features are known."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fewest.cli.output import complain
from fewest.exceptions import ParameterError
from fewest.writing import written_beside

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow

    from fewest.datasets import Domain

TARGET = "class"

_WHY = {
    "relevant": "A display has seven segments.",
    "digit": "Only led has digits.",
    "offset": "Only linear-threshold has a threshold.",
}


class Name(StrEnum):
    """The domains."""

    LED = "led"
    LINEAR_THRESHOLD = "linear-threshold"
    PARITY = "parity"


def generate(
    domain: Annotated[
        Name, typer.Argument(metavar="DOMAIN", help="led, linear-threshold or parity.", show_default=False)
    ],
    rows: Annotated[int, typer.Option("--rows", "-n", metavar="N", min=1, help="How many examples.")] = 200,
    relevant: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Relevant features, which come first (parity 3, linear-threshold 1)."),
    ] = None,
    irrelevant: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="Irrelevant features (led 17, linear-threshold 19, parity 7)."),
    ] = None,
    noise: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="Negated values of relevant features (led 0.1, parity 0), or wrong labels (linear-threshold 0.3).",
        ),
    ] = None,
    offset: Annotated[
        float | None,
        typer.Option(
            metavar="X", help="linear-threshold: added to the sum of the relevant features (0.2 for one, else 0)."
        ),
    ] = None,
    digit: Annotated[
        int | None, typer.Option(metavar="D", min=0, max=9, help="led: the class is whether the digit is D.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="What random choices depend on.")] = 0,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="A .csv or .parquet file, instead of standard output."),
    ] = None,
) -> None:
    """Generate data whose relevant features are known.

    An LED display's digits, linear thresholds, or parity. The columns are f1, f2, ... and class; the relevant ones come
    first.

    \b
    fewest generate led --digit 6 --noise 0 -o six.csv
    fewest generate linear-threshold --relevant 3 --irrelevant 97 --noise 0.3 -o halves.csv
    fewest generate parity --rows 1000 --relevant 3 --irrelevant 97 -o parity.parquet
    """
    from fewest import datasets

    own: dict[Name, tuple[Callable[..., Domain], dict[str, Any]]] = {
        Name.LED: (datasets.make_led, {"digit": digit}),
        Name.LINEAR_THRESHOLD: (datasets.make_linear_threshold, {"relevant": relevant, "offset": offset}),
        Name.PARITY: (datasets.make_parity, {"relevant": relevant}),
    }
    make, options = own[domain]
    for option, value in {"relevant": relevant, "digit": digit, "offset": offset}.items():
        if value is not None and option not in options:
            raise ParameterError(f"--{option} is not for {domain.value}. Leave it out. {_WHY[option]}")
    options |= {"irrelevant": irrelevant, "noise": noise}
    made = make(rows, **{name: value for name, value in options.items() if value is not None}, random_state=seed)
    _write(_table(made), output)
    complain("note", f"the relevant features are {', '.join(f'f{j + 1}' for j in made.relevant)}.")


def _table(made: Domain) -> pyarrow.Table:
    import pyarrow as pa

    columns = {f"f{j + 1}": made.X[:, j] for j in range(made.X.shape[1])}
    return pa.table({**columns, TARGET: made.y})


def _write(table: pyarrow.Table, path: Path | None) -> None:
    """Write beside the file and rename, so that an interrupted write leaves what was there before."""
    from pyarrow import csv, parquet

    if path is None:
        csv.write_csv(table, sys.stdout.buffer)
        return
    if path.suffix not in (".csv", ".parquet"):
        raise ParameterError(f"Cannot write {str(path)!r}: let its name end in .csv or .parquet.")
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise ParameterError(f"Cannot write {str(path)!r}: it is a folder, or its folder does not exist.")
    with written_beside(path) as file:
        (csv.write_csv if path.suffix == ".csv" else parquet.write_table)(table, file)
