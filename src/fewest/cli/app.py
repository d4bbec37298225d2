"""The ``fewest`` command: its verbs, their help, and how errors end it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from typing import Any

import typer
from typer.core import TyperCommand

from fewest import __version__
from fewest.cli import ExitCode, exit_code_table
from fewest.cli.bound import FREE, bound
from fewest.cli.compare import compare
from fewest.cli.generate import generate
from fewest.cli.info import info
from fewest.cli.messages import complain
from fewest.cli.predict import predict
from fewest.cli.rank import Method as RankMethod
from fewest.cli.rank import rank
from fewest.cli.report import report
from fewest.cli.reproduce import reproduce
from fewest.cli.select import select
from fewest.cli.stream import stream
from fewest.cli.sufficient import sufficient
from fewest.cli.train import train
from fewest.cli.verify import verify
from fewest.cli.wrap import Method as WrapMethod
from fewest.cli.wrap import wrap
from fewest.cover.options import Method
from fewest.exceptions import FewestError, ParameterError

# Which verb runs which methods.
METHODS = {"select": tuple(Method), "rank": tuple(RankMethod), "wrap": tuple(WrapMethod)}


class Verb(TyperCommand):
    """A command whose plain help groups the options as ``rich_help_panel`` says.

    Typer shows panels only when rich renders the help, and importing rich
    would take longer than everything else that ``--help`` does.
    """

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write a section for every panel, in the order in which the parameters were declared."""
        panels: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                panel = getattr(parameter, "rich_help_panel", None) or "Options"
                panels.setdefault(panel, []).append(record)
        for panel, records in panels.items():
            with formatter.section(panel):
                formatter.write_dl(records)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse; raise a `ParameterError` that names the right verb when the method belongs to another one."""
        if self.name in METHODS:
            for method in _methods_asked_for(args):
                for name, methods in METHODS.items():
                    if name != self.name and method in methods:
                        raise ParameterError(
                            f"{method} is a method of `fewest {name}`, not of `fewest {self.name}`. Run "
                            f"`fewest {name} DATA --target COL --method {method}`; `fewest {name} --help` shows its "
                            "options."
                        )
        return super().parse_args(ctx, args)


def _methods_asked_for(args: list[str]) -> Iterator[str]:
    """Yield what follows ``--method`` or ``-m``."""
    for k, argument in enumerate(args):
        if argument in ("--method", "-m"):
            yield from args[k + 1 : k + 2]
        elif argument.startswith("--method="):
            yield argument.removeprefix("--method=")
        elif argument.startswith("-m"):
            yield argument.removeprefix("-m")


app = typer.Typer(
    name="fewest",
    help="Learning when most features are irrelevant: the fewest features, the fewest examples, the fewest mistakes.",
    epilog=exit_code_table(),
    rich_markup_mode=None,  # plain help starts three times as fast
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
VERBS = (
    *(select, rank, wrap, compare, report, sufficient, verify),
    *(train, predict, generate, stream, bound, reproduce, info),
)
for verb in VERBS:
    app.command(cls=Verb, context_settings=FREE if verb is bound else None)(verb)


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
        _end(_by_option(str(mistake)))
    except OSError as error:
        _end(f"{error.strerror or error}: {error.filename}" if error.filename else str(error))
    except MemoryError:
        _end("There is not enough memory for this. Use fewer rows or columns (--drop).")


def _by_option(message: str) -> str:
    """Begin a message about a parameter by the option that was typed: ``alpha=2 is ...`` by ``--alpha=2 is ...``."""
    name, equals, rest = message.partition("=")
    typed = {argument.partition("=")[0] for argument in sys.argv[1:]}
    for option in (f"--{name.replace('_', '-')}", f"--{name.removeprefix('n_').replace('_', '-')}"):
        if equals and name.isidentifier() and option in typed:
            return f"{option}={rest}"
    return message


def _end(message: str) -> None:
    complain("error", message)
    sys.exit(ExitCode.BAD_INPUT)
