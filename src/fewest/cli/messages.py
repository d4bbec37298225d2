"""What goes to standard error: errors, notes and progress, so that standard output carries data only."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer

from fewest.exceptions import FewestWarning


def complain(kind: str, message: str) -> None:
    """Print one paragraph to standard error."""
    typer.echo(f"fewest: {kind}: {message}", err=True)


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
