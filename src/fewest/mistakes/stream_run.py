"""A run of Winnow over a stream of lines, and the checkpoints from which it resumes.

A line, NDJSON or CSV, is a label and the names of the features that are true.
"""

from __future__ import annotations

import csv
import json
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol

from fewest.exceptions import FewestError, ModelFileError, ParameterError, StreamError, UnreadableFileError, quoted
from fewest.mistakes.options import Rule
from fewest.mistakes.stream import GrowingFeatures, HashedFeatures, StreamLearner, check_counts
from fewest.models import files
from fewest.reading import parsed_json
from fewest.table.delimited import checked_delimiter, obvious_delimiter
from fewest.table.reader import Names

KIND = "stream checkpoint"
# Bytes before the place of a checkpoint by which the stream is recognised.
TAIL = 4096


class Lines(Protocol):
    """Where lines come from: a file, or one that a signal can end."""

    def next_line(self, source: IO[bytes]) -> bytes:
        """Return the next line; nothing at the end of the stream, or when the run is to stop."""
        ...


class Predictions(Protocol):
    """Where predictions go."""

    def write(self, line: int, predicted: str | None, label: str | None, learner: StreamLearner) -> None:
        """Write one prediction, and the learner's mistakes after it."""
        ...

    def settled(self) -> int:
        """Bring everything to the disk; return how many bytes have been written."""
        ...


class Place:
    """How far a stream has been read, and what its last bytes were."""

    def __init__(self) -> None:
        self.line = self.offset = 0
        self.tail = b""

    def pass_by(self, line: bytes) -> None:
        """Advance past a line."""
        self.line += 1
        self.offset += len(line)
        self.tail = (self.tail + line)[-TAIL:]

    def advance_to(self, record: dict[str, Any], source: IO[bytes]) -> None:
        """Go to where a checkpoint was saved; raise when the stream is another one."""
        if source.seekable():
            source.seek(max(0, record["offset"] - TAIL))
            self.tail = source.read(min(TAIL, record["offset"]))
            self.line, self.offset = record["line"], record["offset"]
        else:
            while self.line < record["line"] and (line := source.readline()):
                self.pass_by(line)
        if (self.offset, zlib.crc32(self.tail)) != (record["offset"], record["tail"]):
            raise StreamError(
                f"The stream does not begin as the one of the checkpoint did, up to line {record['line']:,}, so "
                "the run cannot go on. Give the same stream from its beginning, or remove the checkpoint to start over."
            )


class Run:
    """A learner on its way through a stream.

    Parameters
    ----------
    source : binary file
    options : dict
        ``target``, ``rule``, ``positive``, ``n_relevant`` and ``buckets``: what a resumed run must share.
    shape : {"csv", "ndjson"}, optional
        The format; by default the first line decides.
    delimiter : str, optional
    checkpoint : Path, optional
        A file to which the run is saved, and from which it resumes if it exists.
    """

    def __init__(
        self,
        source: IO[bytes],
        options: dict[str, Any],
        shape: str | None,
        delimiter: str | None,
        checkpoint: Path | None,
    ) -> None:
        self.source, self.options, self.shape, self.checkpoint = source, options, shape, checkpoint
        self.delimiter = None if delimiter is None else checked_delimiter(delimiter)
        self.place, self.written, self.waits = Place(), 0, False
        self.lines: CsvLines | JsonLines | None = None
        self.goes_on = checkpoint is not None and checkpoint.exists()
        if checkpoint is not None and self.goes_on:
            self._restore(checkpoint)
        else:
            features = GrowingFeatures() if options["buckets"] is None else HashedFeatures(options["buckets"])
            rule = Rule.from_record(options["rule"])
            self.learner = StreamLearner(rule, features, options["positive"], options["n_relevant"])

    def go(self, writer: Predictions, lines: Lines, every: int, on_skip: Callable[[str], object] | None = None) -> None:
        """Run until there is no further line, saving after each ``every`` lines.

        A malformed line is passed to ``on_skip`` with the reason; without one it ends the run. With a checkpoint, a
        last line without a line break is still being written: it waits for the next run, and `waits` is True.
        """
        since = 0
        while raw := lines.next_line(self.source):
            if self.checkpoint is not None and not raw.endswith(b"\n"):
                self.waits = True
                break
            try:
                self._line(raw, writer)
            except StreamError as error:
                message = f"line {self.place.line + 1}: {error}"
                if on_skip is None:
                    self._save(writer)
                    raise StreamError(
                        f"{message[0].upper()}{message[1:]}. Correct it, or pass --on-error skip."
                    ) from None
                on_skip(f"{message}; skipped.")
                self.learner.tally.n_skipped += 1
            self.place.pass_by(raw)
            since += 1
            if since == every:
                self._save(writer)
                since = 0
        self._save(writer)

    def _line(self, raw: bytes, writer: Predictions) -> None:
        number = self.place.line + 1
        try:
            text = raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise StreamError(f"this is not UTF-8 ({error.reason})") from None
        if not text.strip():
            return
        if self.lines is None:
            self.lines, is_header = self._reader(text)
            if is_header:
                return
        active, label = self.lines.parse(text)
        writer.write(number, self.learner.learn(active, label), label, self.learner)

    def _reader(self, first: str) -> tuple[CsvLines | JsonLines, bool]:
        """Return a parser of the format that the first line has, and whether that line is a header."""
        shape = self.shape or ("ndjson" if first.lstrip().startswith("{") else "csv")
        if shape == "ndjson":
            return JsonLines(self.options["target"]), False
        try:
            return CsvLines(self.options["target"], first, self.delimiter), True
        except StreamError as error:
            raise UnreadableFileError(str(error)) from None

    # ------------------------------------------------------------------ checkpoints

    def _save(self, writer: Predictions) -> None:
        if self.checkpoint is None:
            return
        written = writer.settled()
        learner, arrays = self.learner.state()
        saved = {
            "kind": KIND,
            "options": self.options,
            "learner": learner,
            "header": None if self.lines is None else self.lines.header,
            "is_json": self.lines is not None and self.lines.header is None,
            "line": self.place.line,
            "offset": self.place.offset,
            "tail": zlib.crc32(self.place.tail),
            "written": written,
        }
        files.save_file(self.checkpoint, saved, arrays)

    def _restore(self, path: Path) -> None:
        try:
            saved, arrays = files.load_file(path)
        except ModelFileError:
            raise _no_checkpoint(path, "or it is damaged") from None
        if saved.get("kind") != KIND:
            raise _no_checkpoint(path, "but a model")
        try:
            self._refuse_other_options(path, saved["options"])
            if type(saved["is_json"]) is not bool:
                raise TypeError("its format is none")
            if saved["is_json"]:
                self.lines = JsonLines(self.options["target"])
            elif saved["header"] is not None:
                self.lines = CsvLines(self.options["target"], saved["header"], self.delimiter)
            self.learner = StreamLearner.from_state(saved["learner"], arrays)
            check_counts(saved[name] for name in ("line", "offset", "tail", "written"))
            self.place.advance_to(saved, self.source)
            self.written = saved["written"]
        except FewestError:
            raise
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, OSError):
            raise _no_checkpoint(path, "or it is damaged") from None

    def _refuse_other_options(self, path: Path, saved: dict[str, Any]) -> None:
        other = [name for name, value in self.options.items() if saved[name] != value]
        if other:
            raise ParameterError(
                f"The checkpoint {str(path)!r} was made with other options ({', '.join(other)}), so the run cannot "
                "go on from it. Give the same options, or remove the checkpoint to start over."
            )


def _no_checkpoint(path: Path, fact: str) -> StreamError:
    return StreamError(
        f"{str(path)!r} is no checkpoint of a stream, {fact}, so the run cannot go on from it. Name another file, or "
        "remove this one to start over."
    )


MISSING = frozenset(("", "?", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL"))
TRUE, FALSE = frozenset(("1", "true", "True", "TRUE")), frozenset(("0", "false", "False", "FALSE"))


class Example(NamedTuple):
    """One line of a stream."""

    active: list[str]  # the features that are true
    label: str | None  # None where the line has none


class JsonLines:
    """One JSON object a line: ``true`` and 1 are features, and so is every text, as ``colour=red``."""

    header: str | None = None

    def __init__(self, target: str) -> None:
        self.target = target

    def parse(self, text: str) -> Example:
        """Read one line; raise `StreamError` if nothing can be learned from it."""
        try:
            record = parsed_json(text)
        except ValueError as error:
            raise StreamError(f"this is no JSON ({error})") from None
        if not isinstance(record, dict):
            raise StreamError("this is no JSON object")
        label = record.pop(self.target, None)
        active = [name for key, value in record.items() for name in _features(key, value)]
        return Example(active, _label(label))


def _features(key: str, value: Any) -> Iterable[str]:
    if value is True or value == 1:
        return (key,)
    if value is None or value is False or value == 0:
        return ()
    if isinstance(value, str):
        return (f"{key}={value}",)
    if isinstance(value, list):
        return [f"{key}={item}" for item in value if isinstance(item, str | int)]
    raise _not_boolean(key, value)


def _label(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value or None
    if isinstance(value, bool | int):
        return json.dumps(value)
    raise StreamError(f"the label {value!r} is no class")


class CsvLines:
    """One record a line under a header: 1 and true are features, and so is every nominal value, as ``colour=red``."""

    def __init__(self, target: str, header: str, delimiter: str | None = None) -> None:
        self.target, self.header = target, header
        self.delimiter = delimiter or obvious_delimiter(header)
        names = Names.from_written(self._fields(header))
        names.warn("The stream")
        self.names = names.unique
        if any(target == shared for shared, _ in names.ambiguous):
            raise StreamError(f"The header names the target {target!r} more than once. Rename the other columns.")
        if target not in self.names and self.names:
            raise StreamError(
                f"The stream has no column {target!r}: its header names {quoted(self.names, 12)}. Name the column with "
                "the classes with --target, or the delimiter with --delimiter."
            )

    def parse(self, text: str) -> Example:
        """Read one line; raise `StreamError` if nothing can be learned from it."""
        fields = self._fields(text)
        if len(fields) != len(self.names):
            raise StreamError(f"{len(fields)} fields where the header has {len(self.names)}")
        active, label = [], None
        for name, value in zip(self.names, fields, strict=True):
            if name == self.target:
                label = None if value in MISSING else value
            elif value in TRUE:
                active.append(name)
            elif value not in FALSE and value not in MISSING:
                active += _features_of_text(name, value)
        return Example(active, label)

    def _fields(self, text: str) -> list[str]:
        try:
            return next(csv.reader([text], delimiter=self.delimiter, strict=True), [])
        except csv.Error as error:
            raise StreamError(f"this is no CSV ({error})") from None


def _features_of_text(column: str, value: str) -> Iterable[str]:
    """Return the feature of a nominal value; the numbers 1 and 0 are Boolean, however they are written."""
    try:
        number = float(value)
    except ValueError:
        return (f"{column}={value}",)
    if number not in (0, 1):
        raise _not_boolean(column, value)
    return (column,) if number else ()


def _not_boolean(name: str, value: object) -> StreamError:
    return StreamError(
        f"{name!r} is {value!r}, which is neither Boolean nor nominal; cut numeric values into named intervals first"
    )
