"""A stream on its way through a learner, and the checkpoints from which it goes on."""

from __future__ import annotations

import zlib
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from fewest.cli.predictions import Writer
from fewest.cli.stopping import Stopping
from fewest.cli.talk import complain
from fewest.exceptions import FewestError, ModelFileError, ParameterError, StreamError, UnreadableFileError

if TYPE_CHECKING:
    from fewest.mistakes.stream_lines import CsvLines, JsonLines

KIND = "stream checkpoint"
# Bytes before the place of a checkpoint by which the stream is recognised.
TAIL = 4096


class Shape(StrEnum):
    """The formats of streams."""

    CSV = "csv"
    NDJSON = "ndjson"


class OnError(StrEnum):
    """What becomes of a malformed line."""

    STOP = "stop"
    SKIP = "skip"


class Place:
    """How far a stream has been read, and what its last bytes were."""

    def __init__(self) -> None:
        self.line = self.offset = 0
        self.tail = b""

    def pass_by(self, line: bytes) -> None:
        """Leave a line behind."""
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
                "the run cannot go on. Give the same stream from its beginning, or remove the checkpoint to begin anew."
            )


class Run:
    """A stream, a learner, and what a checkpoint needs to know of both."""

    def __init__(
        self,
        source: IO[bytes],
        options: dict[str, Any],
        shape: Shape | None,
        delimiter: str | None,
        checkpoint: Path | None,
    ) -> None:
        from fewest.mistakes.stream import GrowingFeatures, HashedFeatures, StreamLearner
        from fewest.mistakes.winnow import rule_from
        from fewest.table.header import checked_delimiter

        self.source, self.options, self.shape, self.checkpoint = source, options, shape, checkpoint
        self.delimiter = None if delimiter is None else checked_delimiter(delimiter)
        self.place, self.written = Place(), 0
        self.lines: CsvLines | JsonLines | None = None
        self.goes_on = checkpoint is not None and checkpoint.exists()
        if checkpoint is not None and self.goes_on:
            self._restore(checkpoint)
        else:
            features = GrowingFeatures() if options["buckets"] is None else HashedFeatures(options["buckets"])
            rule = rule_from(options["rule"])
            self.learner = StreamLearner(rule, features, options["positive"], options["n_relevant"])

    def go(self, writer: Writer, stopping: Stopping, every: int, on_error: OnError) -> bool:
        """Run to the end of the stream or to a signal; return whether it was a signal."""
        since = 0
        while raw := stopping.next_line(self.source):
            try:
                self._line(raw, writer)
            except StreamError as error:
                message = f"line {self.place.line + 1}: {error}"
                if on_error is OnError.STOP:
                    self._save(writer)
                    raise StreamError(
                        f"{message[0].upper()}{message[1:]}. Correct it, or pass --on-error skip."
                    ) from None
                complain("note", f"{message}; skipped.")
                self.learner.tally.n_skipped += 1
            self.place.pass_by(raw)
            since += 1
            if since == every:
                self._save(writer)
                since = 0
        self._save(writer)
        return stopping.wanted

    def _line(self, raw: bytes, writer: Writer) -> None:
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
        """Tell the format by the first line; return what reads the others, and whether the first is a header."""
        from fewest.mistakes.stream_lines import CsvLines, JsonLines

        shape = self.shape or (Shape.NDJSON if first.lstrip().startswith("{") else Shape.CSV)
        if shape is Shape.NDJSON:
            return JsonLines(self.options["target"]), False
        try:
            return CsvLines(self.options["target"], first, self.delimiter), True
        except StreamError as error:
            raise UnreadableFileError(str(error)) from None

    # ------------------------------------------------------------------ checkpoints

    def _save(self, writer: Writer) -> None:
        if self.checkpoint is None:
            return
        from fewest.models.files import save_file

        written = writer.settled()
        learner, arrays = self.learner.state()
        document = {
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
        save_file(self.checkpoint, document, arrays)

    def _restore(self, path: Path) -> None:
        from fewest.mistakes.stream import StreamLearner
        from fewest.mistakes.stream_lines import CsvLines, JsonLines
        from fewest.models.files import load_file

        try:
            document, arrays = load_file(path)
        except ModelFileError:
            raise _no_checkpoint(path, "or it is damaged") from None
        if document.get("kind") != KIND:
            raise _no_checkpoint(path, "but a model")
        try:
            self._refuse_other_options(path, document["options"])
            if document["is_json"]:
                self.lines = JsonLines(self.options["target"])
            elif document["header"] is not None:
                self.lines = CsvLines(self.options["target"], document["header"], self.delimiter)
            self.learner = StreamLearner.from_state(document["learner"], arrays)
            self.place.advance_to(document, self.source)
            self.written = document["written"]
        except FewestError:
            raise
        except (ValueError, KeyError, TypeError):
            raise _no_checkpoint(path, "or it is damaged") from None

    def _refuse_other_options(self, path: Path, saved: dict[str, Any]) -> None:
        other = [name for name, value in self.options.items() if saved[name] != value]
        if other:
            raise ParameterError(
                f"The checkpoint {str(path)!r} was made with other options ({', '.join(other)}), so the run cannot "
                "go on from it. Give the same options, or remove the checkpoint to begin anew."
            )


def _no_checkpoint(path: Path, fact: str) -> StreamError:
    return StreamError(
        f"{str(path)!r} is no checkpoint of a stream, {fact}, so the run cannot go on from it. Name another file, or "
        "remove this one to begin anew."
    )
