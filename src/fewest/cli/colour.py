"""Colour and weight for people at a terminal; plain text for pipes, files and those who ask for none.

https://no-color.org is the convention: any NO_COLOR in the environment means none.
"""

from __future__ import annotations

import os
import sys

import typer

# What bars are drawn with on a terminal; a pipe gets the letters.
BLOCKS = str.maketrans({"#": "█", "=": "▓", "-": "░", "|": "│"})


def is_colourful() -> bool:
    """Tell whether standard output is a terminal that shows colour to somebody who wants it."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout is not None and sys.stdout.isatty()


def strong(text: str) -> str:
    """Return a text in bold."""
    return typer.style(text, bold=True) if is_colourful() and text else text


def chosen(text: str) -> str:
    """Return what was chosen in the colour of that."""
    return typer.style(text, fg=typer.colors.CYAN, bold=True) if is_colourful() else text


def faint(text: str) -> str:
    """Return what matters less."""
    return typer.style(text, dim=True) if is_colourful() else text


def blocks(bar: str) -> str:
    """Return a bar of letters as one of blocks."""
    return bar.translate(BLOCKS) if is_colourful() else bar
