"""What goes to standard output: aligned and coloured text for people, JSON for programs."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from decimal import Decimal
from math import isfinite
from typing import Any

import typer

SCHEMA_VERSION = 1
# Whole numbers of more bits, about a thousand digits, are rounded: readers of JSON refuse them.
MOST_BITS = 3400
# What bars are drawn with on a terminal; pipes and files get the letters.
BLOCKS = str.maketrans({"#": "█", "=": "▓", "-": "░", "|": "│"})


def print_json(record: dict[str, Any]) -> None:
    """Print one JSON object, with the version of its schema."""
    typer.echo(json.dumps(_strict({"schema_version": SCHEMA_VERSION, **record}), indent=2, ensure_ascii=False))


def print_jsonl(records: Iterable[dict[str, Any]]) -> None:
    """Print one record a line, each with the version of its schema."""
    for record in records:
        typer.echo(json.dumps(_strict({"schema_version": SCHEMA_VERSION, **record}), ensure_ascii=False))


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
    text = "".join(character if character.isprintable() else "·" for character in text)
    return text if len(text) <= 60 else text[:59] + "…"


def is_colourful() -> bool:
    """Return whether standard output is a terminal whose user wants colour.

    https://no-color.org is the convention: any NO_COLOR in the environment means none.
    """
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout is not None and sys.stdout.isatty()


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
