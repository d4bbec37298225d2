"""The ``fewest`` command: its verbs, and what becomes of mistakes."""

from __future__ import annotations

import signal
import sys

import typer

from fewest import __version__
from fewest.cli.bound import FREE, bound
from fewest.cli.compare import compare
from fewest.cli.generate import generate
from fewest.cli.info import info
from fewest.cli.predict import predict
from fewest.cli.report import report
from fewest.cli.reproduce import reproduce
from fewest.cli.select import select
from fewest.cli.stream import stream
from fewest.cli.sufficient import sufficient
from fewest.cli.talk import complain
from fewest.cli.train import train
from fewest.cli.verify import verify
from fewest.exceptions import FewestError

BAD_INPUT = 2

app = typer.Typer(
    name="fewest",
    help="Learning when most features are irrelevant: the fewest features, the fewest examples, the fewest mistakes.",
    epilog="Exit codes: 0 done; 1 a negative finding; 2 bad usage or input; 3 stopped early, with an answer; "
    "130 interrupted without one.",
    rich_markup_mode=None,  # plain help starts three times as fast
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(select)
app.command()(compare)
app.command()(report)
app.command()(sufficient)
app.command()(verify)
app.command()(train)
app.command()(predict)
app.command()(generate)
app.command()(stream)
app.command(context_settings=FREE)(bound)
app.command()(reproduce)
app.command()(info)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"fewest {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(False, "--version", callback=_print_version, is_eager=True, help="Print the version."),
) -> None:
    pass


def run() -> None:
    """Run a command; a user's mistake ends it with a sentence, not with a stack trace."""
    if hasattr(signal, "SIGPIPE"):
        # When the reader of our output leaves, as `head` does, go quietly as other programs do.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        app(prog_name="fewest")
    except FewestError as mistake:
        _end(str(mistake))
    except OSError as error:
        _end(f"{error.strerror or error}: {error.filename}" if error.filename else str(error))
    except MemoryError:
        _end("There is not enough memory for this. Use fewer rows or columns (--drop).")


def _end(message: str) -> None:
    complain("error", message)
    sys.exit(BAD_INPUT)
