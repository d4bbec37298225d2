"""The ``fewest`` command: its verbs, their help, and how errors end it."""

from __future__ import annotations

import inspect
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import wraps
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from fewest import __version__
from fewest.budget import work_clock
from fewest.cli import ExitCode, exit_code_table
from fewest.cli.memory_limit import NO_MEMORY, is_of_memory
from fewest.cli.output import complain
from fewest.exceptions import FewestError, ParameterError
from fewest.kernels.compile_or_not import answered_once

# What `fewest --help` shows of every verb: the first line of its docstring.
VERBS = {
    "select": "Find the fewest features that tell the classes apart.",
    "rank": "Measure how relevant every feature is to the target.",
    "wrap": "Find the features with which a learner errs least.",
    "compare": "Compare selectors on rows they have not seen; recommend one.",
    "report": "Write one page about a table: the features, and how sure.",
    "sufficient": "Test whether some features tell the classes apart.",
    "explain": "Explain why a row is of its class.",
    "verify": "Check the certificate of an answer against the data.",
    "train": "Learn to predict the class or a number, and keep the model.",
    "predict": "Predict the class or value of every row, as CSV.",
    "generate": "Generate data whose relevant features are known.",
    "stream": "Predict line by line, learn each label, count mistakes.",
    "bound": "Calculate what a theorem of the papers promises.",
    "reproduce": "Run the papers' experiments again: do their claims hold?",
    "info": "Show what is installed, and what could be added.",
}
# The verbs that run one of several methods, which the enumeration `Method` of their module lists.
WITH_METHODS = ("select", "rank", "wrap")


# What counts and seeds are below.
MOST_OF_ANYTHING = 2**63 - 1


class Renamed(NamedTuple):
    """What an option of the past is called now."""

    name: str
    verbs: tuple[str, ...]  # those that have it
    formerly_of: tuple[str, ...] | None = None  # the verbs at which to explain it; None for all


# An option here is explained to whoever types it at a verb that does not have it.
RENAMED = {
    "--alpha": Renamed("--update-factor", ("stream",), formerly_of=("stream", "train")),
    "--beam": Renamed("--beam-width", ("wrap",)),
    "--forbid": Renamed("--exclude", ("select", "wrap")),
    "--fractions": Renamed("--split-fractions", ("wrap",)),
    "--holdout": Renamed("--validation-fraction", ("wrap",)),
    "--n-features": Renamed("--n-features-to-select", ("rank",)),
    "--neighbours": Renamed("--neighbors", ("rank",)),
    "--samples": Renamed("--max-samples", ("rank",)),
}


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
        """Parse; raise a `ParameterError` that names the right verb or option when another one has it."""
        if self.name in WITH_METHODS:
            for method in _methods_asked_for(args):
                verb = self.name if method in methods(self.name) else _verb_of(method)
                if verb not in (self.name, None):
                    raise ParameterError(
                        f"{method} is a method of `fewest {verb}`, not of `fewest {self.name}`. Run "
                        f"`fewest {verb} DATA --target COL --method {method}`; `fewest {verb} --help` shows its "
                        "options."
                    )
        if not ctx.ignore_unknown_options:  # those of `bound` are whatever a theorem calls them
            self._explain_renamed(args)
        rest = super().parse_args(ctx, args)
        self._refuse_huge_numbers(ctx.params)
        return rest

    def _refuse_huge_numbers(self, given: dict[str, Any]) -> None:
        """Raise for a whole number that no array could have as its size, and no float as its value."""
        for parameter in self.params:
            value = given.get(parameter.name or "")
            if isinstance(value, int) and abs(value) > MOST_OF_ANYTHING:
                raise ParameterError(
                    f"{parameter.opts[-1]} is a number of {len(str(value))} digits, and there are not so many of "
                    "anything. Give a smaller one."
                )

    def _explain_renamed(self, args: list[str]) -> None:
        """Raise a `ParameterError` when an argument is the former name of an option."""
        own = {option for parameter in self.params for option in parameter.opts}
        for argument in args:
            former = argument.partition("=")[0]
            now = RENAMED.get(former)
            if now is None or former in own or self.name not in (now.formerly_of or (self.name,)):
                continue
            if self.name in now.verbs:
                raise ParameterError(f"{former} is now {now.name}. Run `fewest {self.name}` with {now.name} instead.")
            homes = " and ".join(f"`fewest {verb}`" for verb in now.verbs)
            raise ParameterError(f"{former} is now {now.name} of {homes}, and `fewest {self.name}` has neither.")


def _methods_asked_for(args: list[str]) -> Iterator[str]:
    """Yield what follows ``--method`` or ``-m``."""
    for k, argument in enumerate(args):
        if argument in ("--method", "-m"):
            yield from args[k + 1 : k + 2]
        elif argument.startswith("--method="):
            yield argument.removeprefix("--method=")
        elif argument.startswith("-m"):
            yield argument.removeprefix("-m")


def methods(verb: str) -> tuple[str, ...]:
    """Return the methods that a verb runs."""
    return tuple(import_module(f"fewest.cli.{verb}").Method)


def _verb_of(method: str) -> str | None:
    return next((verb for verb in WITH_METHODS if method in methods(verb)), None)


def function(verb: str) -> Callable[..., None]:
    """Return the function that runs a verb."""
    found: Callable[..., None] = getattr(import_module(f"fewest.cli.{verb}"), verb)
    return found


class Verbs(TyperGroup):
    """All verbs by name and first line; a verb's module is imported when the verb is run or its help asked for.

    The options of all verbs together would take as long to declare as typer takes to import.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, line in VERBS.items():
            self.add_command(TyperCommand(name, help=line))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the name of a verb, its command with all options, and the rest of the arguments."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command and _command(str(name)), rest


def _command(verb: str) -> Any:
    """Import a verb and return its command."""
    alone = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    # Every theorem names its own quantities, so the options of `bound` cannot be declared.
    free = {"allow_extra_args": True, "ignore_unknown_options": True} if verb == "bound" else None
    alone.command(cls=Verb, context_settings=free)(spread(function(verb)))
    return typer.main.get_command(alone)


def spread(verb: Callable[..., None]) -> Callable[..., None]:
    """Return a verb with every option of its groups as a parameter of its own, which is how typer reads them.

    A group is a parameter whose type is a dataclass: its fields are options that several verbs have.
    """
    signature = inspect.signature(verb, eval_str=True)
    types = {name: each.annotation for name, each in signature.parameters.items()}
    groups: dict[str, Any] = {name: group for name, group in types.items() if is_dataclass(group)}
    parameters: list[inspect.Parameter] = []
    for name, parameter in signature.parameters.items():
        own = inspect.signature(groups[name], eval_str=True).parameters.values() if name in groups else [parameter]
        parameters += [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in own]

    @wraps(verb)
    def run_verb(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        verb(**given)

    run_verb.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run_verb.__annotations__ = {each.name: each.annotation for each in parameters}
    return run_verb


app = typer.Typer(
    name="fewest",
    cls=Verbs,
    help="Learning when most features are irrelevant: the fewest features, the fewest examples, the fewest mistakes.",
    epilog=exit_code_table(),
    rich_markup_mode=None,  # plain help starts three times as fast
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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
    work_clock.on_compiling = _announce_compiling
    with explained(), answered_once():
        app(prog_name="fewest")


@contextmanager
def explained() -> Iterator[None]:
    """End the program with one sentence about what is the user's to mend: input, files, memory."""
    try:
        yield
    except FewestError as mistake:
        _end(_by_option(str(mistake)))
    except OSError as error:
        what = error.strerror or str(error) or type(error).__name__
        sentence = f"{what}: {error.filename}" if error.filename else what
        _end(f"{NO_MEMORY if is_of_memory(error) else sentence}.")
    except MemoryError:
        _end(f"{NO_MEMORY}.")


def _announce_compiling() -> None:
    work_clock.on_compiling = None  # once
    complain(
        "note", "compiling once for this machine, which no time limit counts (`fewest info --compile` does all of it)."
    )


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
