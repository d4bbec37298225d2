"""What a command writes: aligned and coloured text or JSON to standard output, and files, checked before any work.

Errors, notes and progress go to standard error, so that standard output carries data only.
"""

from __future__ import annotations

import glob
import json
import os
import re
import stat
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from decimal import Decimal
from itertools import combinations
from math import isfinite
from pathlib import Path
from typing import Any

import typer

from fewest.cli.options import Format
from fewest.cli.patience import impatiently
from fewest.exceptions import FewestWarning, ParameterError
from fewest.writing import JOINERS, refuse_read_only, without_controls

SCHEMA_VERSION = 1
# Whole numbers of more bits, about a thousand digits, are rounded: readers of JSON refuse them.
MOST_BITS = 3400
# What bars are drawn with on a terminal; pipes and files get the letters.
BLOCKS = str.maketrans({"#": "█", "=": "▓", "-": "░", "|": "│"})


# What our own styles are made of: bold, faint, cyan, and their end.
STYLES = re.compile(r"(\x1b\[(?:0|1|2|36|36;1|1;36)m)")


def say(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print a text, in which data can neither move the cursor nor change the terminal; everything is printed here."""
    if err:
        with impatiently():
            typer.echo(clean(text), err=True, nl=nl)
    else:
        echo(clean(text), nl=nl)


def echo(text: str, *, nl: bool = True) -> None:
    """Print a text as it is to standard output."""
    with impatiently():
        typer.echo(text, nl=nl, color=True)  # or what looks like a style would be taken out of data


def clean(text: str) -> str:
    """Return a text with a dot for every control, escape, format or unassigned character, but for our own styles."""
    if text.replace("\n", "").isprintable():
        return text
    parts = STYLES.split(text) if is_colourful() else [text]
    return "".join(part if k % 2 else without_controls(part) for k, part in enumerate(parts))


def cleaned_for_terminal(text: str) -> str:
    """Return data as it is for a file or a pipe, and cleaned for a terminal."""
    return clean(text) if sys.stdout.isatty() else text


def _json(record: Any, indent: int | None = None) -> str:
    """Return JSON in which what cannot be printed is escaped, which readers of JSON undo."""
    text = json.dumps(_strict(record), indent=indent, ensure_ascii=False)
    return "".join(c if c.isprintable() or c in "\n" + JOINERS else json.dumps(c)[1:-1] for c in text)


def print_json(record: dict[str, Any]) -> None:
    """Print one JSON object, with the version of its schema."""
    echo(_json({"schema_version": SCHEMA_VERSION, **record}, indent=2))


def print_jsonl(records: Iterable[dict[str, Any]]) -> None:
    """Print one record a line, each with the version of its schema."""
    for record in records:
        echo(_json({"schema_version": SCHEMA_VERSION, **record}))


def print_result(
    output_format: Format, result: dict[str, Any], lines: Iterable[dict[str, Any]], show: Callable[[], None]
) -> None:
    """Print a result as one JSON object, as JSON lines, or as text for people, which ``show`` prints."""
    if output_format is Format.JSON:
        print_json(result)
    elif output_format is Format.JSONL:
        print_jsonl(lines)
    else:
        show()


def _strict(value: Any) -> Any:
    """Spell numbers that JSON does not know, or that nobody could read, as text."""
    if isinstance(value, dict):
        return {key: _strict(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_strict(inner) for inner in value]
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return f"{Decimal(value):.4e}"
    return str(value) if isinstance(value, float) and not isfinite(value) else value


def aligned(rows: Sequence[Sequence[object]], indent: str = "  ") -> str:
    """Lay out rows of cells in columns; the first row is the heading."""
    cells = [[_one_line(cell) for cell in row] for row in rows]
    widths = [max(len(row[c]) for row in cells) for c in range(len(cells[0]))]
    return "\n".join(
        (indent + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))).rstrip()
        for row in cells
    )


def _one_line(cell: object) -> str:
    """Show a value of any length and content without breaking the table."""
    text = "(missing)" if cell is None else str(cell)
    text = without_controls(text).replace("\n", "·").replace("\t", "·")
    return text if len(text) <= 60 else text[:59] + "…"


def is_colourful() -> bool:
    """Return whether standard output is a terminal whose user wants colour.

    https://no-color.org is the convention: any NO_COLOR in the environment means none.
    """
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty()


def strong(text: str) -> str:
    """Return a text in bold."""
    return typer.style(text, bold=True) if is_colourful() and text else text


def chosen(text: str) -> str:
    """Return the text of something selected, highlighted."""
    return typer.style(text, fg=typer.colors.CYAN, bold=True) if is_colourful() else text


def faint(text: str) -> str:
    """Return a text dimmed, since it matters less."""
    return typer.style(text, dim=True) if is_colourful() else text


def blocks(bar: str) -> str:
    """Return a bar drawn in letters as one drawn in blocks, on a terminal."""
    return bar.translate(BLOCKS) if is_colourful() else bar


# ---------------------------------------------------------------------- files


def check_outputs(*outputs: Path | None, reads: Sequence[str | Path | None] = ()) -> None:
    """Raise, before any work, when a file could not be written, or writing it would destroy what is read.

    Files are compared by what they are, not by their names: a hard link is another name of the same file.
    """
    named = [path for path in outputs if path is not None]
    for path in named:
        if path.is_dir() or not path.absolute().parent.is_dir():
            raise ParameterError(f"Cannot write {str(path)!r}: it is a folder, or its folder does not exist.")
        refuse_read_only(path)
    files = [path for path in named if path.is_file() or not path.exists()]  # /dev/null takes everything
    for one, other in combinations(files, 2):
        if _identity(one) == _identity(other):
            raise ParameterError(f"Two results are to go into {str(one)!r}, and one would be lost. Name two files.")
    there = {_identity(path): str(path) for path in files if path.exists()}
    if (printed := _identity_of_stream(sys.stdout)) is not None:
        there[printed] = "The file that standard output goes to"
    read = {_identity(path) for source in reads for path in _files(source)} if there else set()
    if "-" in reads:
        read.add(_identity_of_stream(sys.stdin))
    for identity, name in there.items():
        if identity in read:
            shown = name if identity == printed else repr(name)
            raise ParameterError(f"{shown} is read, and would be overwritten by the result. Name another file.")


def _identity(path: Path) -> object:
    """Return what two names of one file have in common: device and number, or the path of one that is not there."""
    try:
        found = path.stat()
    except OSError:
        return path.resolve()
    return found.st_dev, found.st_ino


def _identity_of_stream(stream: Any) -> object:
    """Return the same of the file that a standard stream reads or writes; None if it is no file."""
    try:
        found = os.fstat(stream.fileno())
    except (AttributeError, OSError, ValueError):  # closed, or something else in a test
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def _files(source: str | Path | None) -> Iterator[Path]:
    """Yield the files that a path, a folder or a glob stands for."""
    if source is None:
        return
    path = Path(source)
    if path.is_dir():
        from fewest.table.formats import SUFFIXES

        yield from (file for file in path.iterdir() if file.name.lower().removesuffix(".gz").endswith(tuple(SUFFIXES)))
    elif path.exists():
        yield path
    else:
        yield from map(Path, glob.glob(str(source), recursive=True))


def check_report(path: Path | None) -> None:
    """Raise, before any work, when a report would not be an HTML page."""
    if path is not None and path.suffix.lower() not in (".html", ".htm"):
        raise ParameterError(f"A report is a page, and {str(path)!r} is none. Let its name end in .html.")


def check_drawing(path: Path | None) -> None:
    """Raise, before any work, when a drawing could not be made into that file."""
    if path is not None:
        from fewest.drawing import check_drawable

        check_drawable(path)


def complain(kind: str, message: str) -> None:
    """Print one paragraph to standard error; what cannot be said, since it is full, does not change how it ends."""
    with suppress(OSError):
        say(f"fewest: {kind}: {message}", err=True)


@contextmanager
def collected_notes() -> Iterator[list[str]]:
    """Print the library's warnings as notes, once each, and collect them."""
    notes: list[str] = []

    def show(message, category, filename, lineno, file=None, line=None):  # noqa: ARG001 (the signature is Python's)
        if issubclass(category, FewestWarning) and str(message) not in notes:
            notes.append(str(message))
            complain("note", str(message))

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = show
        yield notes


@contextmanager
def progress() -> Iterator[Callable[[str], None] | None]:
    """Show a line that is rewritten in place while somebody watches a terminal; nothing otherwise."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("") as status:
        yield status.update
