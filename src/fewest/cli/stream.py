"""``fewest stream``: predict each example before its label is seen, then learn it; stop and go on at any time."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import signal
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, cast

import typer

from fewest.cli import ExitCode, patience
from fewest.cli import options as opt
from fewest.cli.output import (
    SCHEMA_VERSION,
    check_outputs,
    cleaned_for_terminal,
    collected_notes,
    complain,
)
from fewest.exceptions import ParameterError, StreamError, UnreadableFileError
from fewest.writing import held_beside

if TYPE_CHECKING:
    from fewest.mistakes.stream import StreamLearner


# A line that is longer is none that anybody wrote; in a compressed file it would fill the memory.
LONGEST_LINE = 1 << 26
FIELDS = ("line", "predicted", "label", "mistakes", "bound")


class InputFormat(StrEnum):
    """The formats of streams."""

    CSV = "csv"
    NDJSON = "ndjson"


class OutputFormat(StrEnum):
    """Formats in which predictions are written."""

    CSV = "csv"
    JSONL = "jsonl"


class OnError(StrEnum):
    """Whether a malformed line ends the run."""

    STOP = "stop"
    SKIP = "skip"


class OnlineLearner(StrEnum):
    """The learners that ``--learner`` names."""

    WINNOW1 = "winnow1"
    WINNOW2 = "winnow2"
    BALANCED = "balanced"


def stream(
    data: Annotated[
        str,
        typer.Argument(metavar="DATA", help="A CSV or NDJSON file, or - for standard input.", rich_help_panel=opt.DATA),
    ],
    target: opt.Target,
    learner: Annotated[
        OnlineLearner, typer.Option("--learner", "-l", help="The learner.", rich_help_panel=opt.LEARNING)
    ] = OnlineLearner.WINNOW2,
    update_factor: Annotated[
        float | None, typer.Option(help="The update factor, above 1.", rich_help_panel=opt.LEARNING)
    ] = None,
    theta: Annotated[
        float | None, typer.Option(help="The threshold; 1000 by default, 0 for balanced.", rich_help_panel=opt.LEARNING)
    ] = None,
    relevant: Annotated[
        int | None,
        typer.Option(metavar="K", min=1, help="Features that matter, for the bound.", rich_help_panel=opt.LEARNING),
    ] = None,
    positive: Annotated[
        str | None, typer.Option(metavar="LABEL", help="Tell this class from all others.", rich_help_panel=opt.LEARNING)
    ] = None,
    buckets: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Hash feature names into N buckets, instead of a growing list.",
            rich_help_panel=opt.LEARNING,
        ),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Save all that was learned there, and go on from there.", rich_help_panel=opt.RUNNING
        ),
    ] = None,
    every: Annotated[
        int, typer.Option(metavar="N", min=1, help="Save after every N lines.", rich_help_panel=opt.RUNNING)
    ] = 1000,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write there, not to standard output.", rich_help_panel=opt.OUTPUT
        ),
    ] = None,
    on_error: Annotated[
        OnError, typer.Option(help="Whether a malformed line ends the run or is skipped.", rich_help_panel=opt.DATA)
    ] = OnError.STOP,
    input_format: Annotated[
        InputFormat | None,
        typer.Option("--input", help="The format, if not the obvious one.", rich_help_panel=opt.DATA),
    ] = None,
    output_format: Annotated[
        OutputFormat, typer.Option("--format", "-f", help="How to print.", rich_help_panel=opt.OUTPUT)
    ] = OutputFormat.CSV,
    delimiter: opt.Delimiter = None,
) -> None:
    """Predict line by line, learn each label, count mistakes.

    1 and true are features that hold, 0, false and missing values are nothing, and a name makes a feature of its own:
    colour=red. Features and classes may appear at any time. A line without a label is predicted only. With
    --checkpoint, a run that was stopped, even by kill -9, goes on where it was saved: a file continues there, and
    standard input is expected to begin at the beginning again. A last line without a line break then waits for the next
    run, and a second run is refused while one is at work.

    \b
    fewest stream votes.csv --target party --positive republican -l balanced > predictions.csv
    fewest stream events.ndjson -t clicked --relevant 5 --checkpoint clicks.ckpt -o predictions.csv
    tail -f log.ndjson | fewest stream - -t spam --buckets 1000000 --on-error skip
    """
    check_outputs(output, checkpoint, reads=[data])
    rule = _rule(learner, update_factor, theta, relevant)
    options = {
        "target": target,
        "rule": rule.to_record(),
        "positive": positive,
        "n_relevant": relevant,
        "buckets": buckets,
    }
    if checkpoint is not None and checkpoint.exists() and not checkpoint.is_file():
        raise ParameterError(
            f"The checkpoint {str(checkpoint)!r} is a pipe or a device, and a run cannot go on from it."
        )
    alone, run = nullcontext() if checkpoint is None else held_beside(checkpoint), None
    with collected_notes(), _opened(data) as source, alone, ExitStack() as opened, stopping_on_signals() as stopping:
        from fewest.mistakes.stream_run import Run

        with stopping.at_once():  # a pipe may be opened or read, and the other side not be there
            run = Run(source, options, input_format, delimiter, checkpoint)
            out = opened.enter_context(written_from(output, run.written))
            writer = Writer(out, output_format, not run.goes_on, flush=data == "-" or output is None)
        run.go(writer, stopping, every, _note if on_error is OnError.SKIP else None)
    if run is None or stopping.was_forced:
        _note(_forced_message(checkpoint))
        raise typer.Exit(ExitCode.STOPPED_EARLY)
    _print_mistakes(run.learner)
    if run.waits:
        _note("The last line does not end in a line break, so it may still be written; it waits for the next run.")
    if stopping.wanted:
        _note(_stopped_message(checkpoint))
        raise typer.Exit(ExitCode.STOPPED_EARLY)


def _rule(learner: OnlineLearner, update_factor: float | None, theta: float | None, relevant: int | None) -> Any:
    from fewest.mistakes.options import StreamOptions

    return StreamOptions(learner.value, update_factor, theta, relevant).rule


def _note(message: str) -> None:
    complain("note", message)


def _print_mistakes(learner: StreamLearner) -> None:
    tally, bound = learner.tally, learner.bound
    known = "" if bound is None else f" (at most {bound:.1f} if {learner.n_relevant} features matter)"
    more = f", {tally.n_unlabelled:,} without a label" if tally.n_unlabelled else ""
    more += f", {tally.n_skipped:,} lines skipped" if tally.n_skipped else ""
    _note(f"{tally.n_mistakes:,} mistakes{known} in {tally.n_trials:,} trials{more}.")


def _stopped_message(checkpoint: Path | None) -> str:
    if checkpoint is None:
        return "Stopped before the end, and nothing is kept. Name a --checkpoint to be able to go on."
    return f"Stopped before the end; the same command goes on from {str(checkpoint)!r}."


def _forced_message(checkpoint: Path | None) -> str:
    kept = "nothing is kept" if checkpoint is None else f"{str(checkpoint)!r} is as it was last saved"
    return f"Stopped while the output, or a pipe, was waited for; {kept}."


@contextmanager
def _opened(data: str) -> Iterator[IO[bytes]]:
    if data == "-":
        if sys.stdin is None or sys.stdin.buffer.closed:  # as in a service, or after <&-
            reason = "the standard input is closed"
            raise UnreadableFileError.from_reason("-", reason, "Name a file, or pipe the data in.")
        yield sys.stdin.buffer
        return
    if data.startswith(opt.BUNDLED):
        from fewest.datasets.bundled import data_path

        data = str(data_path(data.removeprefix(opt.BUNDLED)))
    try:
        with gzip.open(data) if data.endswith(".gz") else Path(data).open("rb") as file:
            yield cast(IO[bytes], file)
    except FileNotFoundError:
        raise UnreadableFileError.from_missing(data) from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        reason, remedy = f"its compression is damaged ({error})", "Make or download it again."
        raise UnreadableFileError.from_reason(data, reason, remedy) from None


@contextmanager
def written_from(output: Path | None, written: int) -> Iterator[IO[bytes]]:
    """Open the output where a checkpoint left it: what was written after that is written again."""
    if output is None:
        yield sys.stdout.buffer
        return
    if written > (output.stat().st_size if output.exists() else 0):
        raise StreamError(
            f"{str(output)!r} is shorter than when the checkpoint was saved, so the run cannot go on writing it. Put "
            "the file back, or remove the checkpoint to start over."
        )
    if output.exists() and not output.is_file():  # a pipe, or /dev/null
        with output.open("wb", buffering=0) as stream:  # what its reader never takes must not be kept for the end
            yield cast(IO[bytes], stream)
        return
    with output.open("r+b" if output.exists() else "w+b") as file:
        file.truncate(written)
        file.seek(written)
        yield file


class Writer:
    """Write predictions as they are made, a line each."""

    def __init__(self, out: IO[bytes], shape: OutputFormat, is_new: bool, *, flush: bool) -> None:
        self.out, self.shape, self.flush = out, shape, flush
        self.printed = sys.stdout.buffer
        if is_new and shape is OutputFormat.CSV:
            self._write(FIELDS)

    def write(self, line: int, predicted: str | None, label: str | None, learner: StreamLearner) -> None:
        """Write one prediction, and the learner's mistakes after it."""
        bound = learner.bound
        values = (line, predicted, label, learner.tally.n_mistakes, None if bound is None else round(bound, 1))
        if self.shape is OutputFormat.CSV:
            self._write(values)
        else:
            record = {"schema_version": SCHEMA_VERSION, **dict(zip(FIELDS, values, strict=True))}
            self._put(json.dumps(record, ensure_ascii=False) + "\n")

    def _write(self, values: tuple[object, ...]) -> None:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(["" if value is None else value for value in values])
        self._put(text.getvalue())

    def _put(self, text: str) -> None:
        content = (text if self.out is not self.printed else cleaned_for_terminal(text)).encode()
        while content:  # a pipe may take a part
            content = content[self.out.write(content) or 0 :]
        if self.flush:
            self.out.flush()

    def settled(self) -> int:
        """Bring everything to the disk; return how much has been written, for files that can be shortened."""
        self.out.flush()
        if self.out is self.printed or not stat.S_ISREG(os.fstat(self.out.fileno()).st_mode):
            return 0
        os.fsync(self.out.fileno())
        return self.out.tell()


# ------------------------------------------------------------------ stopping between two lines


class _Stop(BaseException):
    """A signal came while the program was waiting."""


class StopSignal:
    """Whether to stop: immediately while waiting for input or a pipe, otherwise after the current line.

    If the current line does not end, since nobody reads the output, it is given up after a moment: `was_forced` is
    then True, and what was saved last is what counts.
    """

    def __init__(self) -> None:
        self.wanted = self.waiting = self.was_forced = False

    def signalled(self, *_: object) -> None:
        """Handle a signal."""
        self.wanted = True
        if self.waiting:
            self.waiting = False
            raise _Stop
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, patience.SECONDS)

    def give_up(self, *_: object) -> None:
        """Handle the end of our patience."""
        self.was_forced = True
        raise _Stop

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Within it, a signal ends the run where it stands."""
        self.waiting = True
        try:
            yield
        finally:
            self.waiting = False

    def next_line(self, source: IO[bytes]) -> bytes:
        """Read a line; nothing at the end of the stream, or when the program is to stop."""
        if self.wanted:
            if hasattr(signal, "setitimer"):
                signal.setitimer(signal.ITIMER_REAL, 0)  # what is left is to save, and waits for nobody
            return b""
        try:
            self.waiting = True
            line = source.readline(LONGEST_LINE)
            self.waiting = False
        except _Stop:
            line = b""
        if len(line) == LONGEST_LINE:
            raise UnreadableFileError(
                f"A line is longer than {LONGEST_LINE:,} bytes, so this is no stream of examples. Name another file, "
                "or the one that holds a line an example."
            )
        return line


@contextmanager
def stopping_on_signals() -> Iterator[StopSignal]:
    """Let SIGINT and SIGTERM stop the work in order, instead of ending the program where it stands."""
    stopping = StopSignal()
    handlers = {signal.SIGINT: stopping.signalled, signal.SIGTERM: stopping.signalled}
    if hasattr(signal, "setitimer"):
        handlers[signal.SIGALRM] = stopping.give_up
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield stopping
    except _Stop:
        stopping.was_forced = True
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
        if stopping.wanted:  # nobody may read what is said about it, either
            patience.ask_to_end(ExitCode.STOPPED_EARLY)
