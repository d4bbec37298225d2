"""Predictions on their way out, a line each, and where they go."""

from __future__ import annotations

import csv
import io
import json
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING

from fewest.cli.output import SCHEMA_VERSION
from fewest.exceptions import StreamError

if TYPE_CHECKING:
    from fewest.mistakes.stream import StreamLearner

FIELDS = ("line", "predicted", "label", "mistakes", "bound")


class OutputShape(StrEnum):
    """How predictions are written."""

    CSV = "csv"
    JSONL = "jsonl"


@contextmanager
def written_from(output: Path | None, written: int) -> Iterator[IO[bytes]]:
    """Open the output where a checkpoint left it: what was written after that is written again."""
    if output is None:
        yield sys.stdout.buffer
        return
    if written > (output.stat().st_size if output.exists() else 0):
        raise StreamError(
            f"{str(output)!r} is shorter than when the checkpoint was saved, so the run cannot go on writing it. Put "
            "the file back, or remove the checkpoint to begin anew."
        )
    if output.exists() and not output.is_file():  # a pipe, or /dev/null
        with output.open("wb") as stream:
            yield stream
        return
    with output.open("r+b" if output.exists() else "w+b") as file:
        file.truncate(written)
        file.seek(written)
        yield file


class Writer:
    """Writes predictions as they are made."""

    def __init__(self, out: IO[bytes], shape: OutputShape, is_new: bool, *, flush: bool) -> None:
        self.out, self.shape, self.flush = out, shape, flush
        if is_new and shape is OutputShape.CSV:
            self._write(FIELDS)

    def write(self, line: int, predicted: str | None, label: str | None, learner: StreamLearner) -> None:
        """Write one prediction, and how the learner stands after it."""
        bound = learner.bound
        values = (line, predicted, label, learner.tally.n_mistakes, None if bound is None else round(bound, 1))
        if self.shape is OutputShape.CSV:
            self._write(values)
        else:
            record = {"schema_version": SCHEMA_VERSION, **dict(zip(FIELDS, values, strict=True))}
            self._put(json.dumps(record, ensure_ascii=False) + "\n")

    def _write(self, values: tuple[object, ...]) -> None:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(["" if value is None else value for value in values])
        self._put(text.getvalue())

    def _put(self, text: str) -> None:
        self.out.write(text.encode())
        if self.flush:
            self.out.flush()

    def settled(self) -> int:
        """Bring everything to the disk; return how much has been written, for files that can be shortened."""
        self.out.flush()
        if self.out is sys.stdout.buffer or not stat.S_ISREG(os.fstat(self.out.fileno()).st_mode):
            return 0
        os.fsync(self.out.fileno())
        return self.out.tell()
