"""Delimited text (CSV, TSV and the like), streamed by pyarrow as text and typed by our own builders.

The header is read here, not by pyarrow: names may be quoted, empty, repeated
or preceded by a byte order mark. The rows go through pyarrow's streaming
reader, one block at a time.
"""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TextIO

import numpy as np
import pyarrow as pa
import pyarrow.csv

from fewest.exceptions import FewestError, ParameterError, RaggedRowError, UnreadableFileError
from fewest.table.builder import ColumnBuilder
from fewest.table.column import Kind
from fewest.table.formats import BoundedLines, Source, TextOptions, explained, open_text
from fewest.table.reader import Batch, Names
from fewest.table.text_columns import TextColumns
from fewest.table.wide import BATCHES, WIDE, RaggedBlockError, WideColumns, blocks_of_lines, cut

_DELIMITERS = ",;\t|"
_MOST_HEADER_CHARACTERS = 16 << 20
_SPOKEN = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "space": " "}
_MOST_BLOCK_BYTES = 256 << 20
_CHARACTERS = 1 << 20
_ENOUGH_ROWS = 4096
_MOST_BLOCKS = 32  # as many as pyarrow reads ahead

# pyarrow takes a quote that is never closed for a long last field. A last row of our own shows the difference:
# it comes out as it went in, or it has been swallowed.
_END = "\x03\x03\x03"  # no delimiter is a control character, except the tab


Span = tuple[int, int]
"""A part of a file: its first byte, and the one after the last."""


class DelimitedReader:
    """A delimited text file.

    Parameters
    ----------
    source : Source
    options : TextOptions
        Without a delimiter the header decides: the most frequent of comma,
        semicolon, tab and bar outside quotes; a tab for ``.tsv``. With
        ``header=False`` the first record is data and the columns are called
        ``column_1``, ``column_2`` and so on.
    """

    def __init__(self, source: Source, options: TextOptions):
        self.source, self.options = source, options
        self._columns = TextColumns(options.null_values)
        delimiter = "tab" if options.delimiter is None and source.suffix == ".tsv" else options.delimiter
        with explained(source, options.encoding), open_text(source, options.encoding) as text:
            self._header = read_header(source, text, delimiter)
        fields = self._header.fields
        self.names = Names.from_written(fields if options.header else [f"column_{i + 1}" for i in range(len(fields))])
        self.types: Sequence[object] = ["text"] * len(fields)
        self.null_values = options.null_values
        self._is_whole = False  # whether the last look at a wide file came to its end

    def is_text(self, position: int) -> bool:  # noqa: ARG002 (what every reader is asked)
        """Return True: all is text in a text file."""
        return True

    def builder(self, position: int, declared: Kind | None) -> ColumnBuilder:
        """Return a builder that infers by their spelling whether the values are numbers."""
        return self._columns.builder(self.names.unique[position], declared)

    def batches(self, positions: Sequence[int], span: Span | None = None) -> Iterator[Batch]:
        """Read the columns at the given positions, from the first row on, or of a part of the file only."""
        n_done = 0
        if len(self.types) >= WIDE:
            for batch in self._wide_batches(positions, span):
                n_done += batch[0]
                yield batch
            if self._is_whole:
                return
        yield from self._narrow_batches(positions, span, n_done)

    def _narrow_batches(self, positions: Sequence[int], span: Span | None, n_done: int) -> Iterator[Batch]:
        """Read the columns at the given positions by pyarrow, without the rows that were read already."""
        wanted = [str(i) for i in positions]
        with explained(self.source, self.options.encoding):
            for batch in _gathered(self._rows_of_any_length(wanted or ["0"], span, n_done)):
                yield batch.num_rows, [batch.column(name) for name in wanted]

    def _wide_batches(self, positions: Sequence[int], span: Span | None) -> Iterator[Batch]:
        """Read blocks of very many columns, until one has a quote."""
        places = np.asarray(positions, dtype=np.int64)
        part = None if span is None else io.BufferedReader(BoundedLines(self.source, SpanReader(self.source, span)))
        self._is_whole = False
        with explained(self.source, self.options.encoding), open_text(self.source, self.options.encoding, part) as text:
            stream = self._stream(text, is_first=span is None or span[0] == 0, end="")
            for lines in blocks_of_lines(stream, BATCHES * self.options.batch_bytes):
                if b'"' in lines:
                    return
                try:
                    cells = cut(lines, self._header.delimiter, len(self.types))
                except RaggedBlockError:
                    raise self._fault("a row has more or fewer fields than the header") from None
                if len(cells):
                    columns = WideColumns(cells, len(self.types), places)
                    yield columns.n_rows, columns
        self._is_whole = True

    def _rows_of_any_length(self, wanted: list[str], span: Span | None, n_done: int = 0) -> Iterator[pa.RecordBatch]:
        """Yield the rows in batches; where a row exceeds a block, go on from there with longer blocks."""
        block_bytes = self.options.batch_bytes
        while True:
            n_seen = 0
            try:
                for batch in self._blocks(wanted, block_bytes, span):
                    yield batch.slice(max(0, n_done - n_seen))
                    n_seen += batch.num_rows
                    n_done = max(n_done, n_seen)
            except pa.ArrowInvalid as error:
                if "straddl" not in str(error) or block_bytes >= _MOST_BLOCK_BYTES:
                    raise self._fault(str(error)) from None
                block_bytes = min(4 * block_bytes, _MOST_BLOCK_BYTES)
            else:
                return

    def _blocks(self, wanted: list[str], block_bytes: int, span: Span | None) -> Iterator[pa.RecordBatch]:
        """Yield the rows block by block, as text, without the row that marks the end."""
        names = [str(i) for i in range(len(self.types))]
        part = None if span is None else io.BufferedReader(SpanReader(self.source, span))
        with open_text(self.source, self.options.encoding, part) as text:
            batches = pa.csv.open_csv(
                self._stream(text, is_first=span is None or span[0] == 0),
                pa.csv.ReadOptions(use_threads=False, block_size=block_bytes, column_names=names),
                pa.csv.ParseOptions(delimiter=self._header.delimiter, newlines_in_values=True),
                pa.csv.ConvertOptions(
                    check_utf8=False,  # decoding has checked it
                    column_types=dict.fromkeys(names, pa.string()),
                    include_columns=wanted,
                ),
            )
            held = None
            for batch in batches:
                if batch.num_rows == 0:
                    continue
                if held is not None:
                    yield held
                held = batch
            yield self._without_end(held)

    def _stream(self, text: TextIO, *, is_first: bool, end: str | None = None) -> _Utf8Stream:
        """Return the file as pyarrow should see it: its records, then the end mark."""
        if self.options.header and is_first:
            read_header(self.source, text, self._header.delimiter)  # the rows begin where it ends
        if end is None:
            end = "\n" + self._header.delimiter.join([_END] * len(self.types))
        return _Utf8Stream(text, end)

    def _without_end(self, batch: pa.RecordBatch | None) -> pa.RecordBatch:
        last = [] if batch is None else batch.slice(batch.num_rows - 1).to_pylist()
        if batch is None or any(value != _END for value in last[0].values()):
            raise self._fault("a quote is never closed")
        return batch.slice(0, batch.num_rows - 1)

    def _fault(self, reason: str) -> FewestError:
        if "straddl" in reason:
            reason = f"a row is longer than {_MOST_BLOCK_BYTES >> 20} MiB"
        with open_text(self.source, self.options.encoding) as lines:
            return find_fault(self.source, lines, self._header.delimiter, len(self.types), reason)


def _gathered(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Put small batches together: a block of a very wide file is a few rows, and each batch costs a call a column."""
    while held := list(islice(batches, 1)):
        while sum(batch.num_rows for batch in held) < _ENOUGH_ROWS and len(held) < _MOST_BLOCKS:
            following = next(batches, None)
            if following is None:
                break
            held.append(following)
        yield from pa.Table.from_batches(held).combine_chunks().to_batches()


class _Utf8Stream(io.RawIOBase):
    """Text as the UTF-8 bytes that pyarrow reads, with an end of our own."""

    def __init__(self, text: TextIO, end: str):
        self._pieces = self._read_pieces(text, end)
        self._rest = b""

    @staticmethod
    def _read_pieces(text: TextIO, end: str) -> Iterator[str]:
        while piece := text.read(_CHARACTERS):
            yield piece
        yield end

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """Return at most ``size`` bytes, and fewer only at the end."""
        parts, n_bytes = [self._rest], len(self._rest)
        while n_bytes < size and (piece := next(self._pieces, None)) is not None:
            parts.append(piece.encode())
            n_bytes += len(parts[-1])
        whole = b"".join(parts)
        self._rest = whole[size:]
        return whole[:size]


class SpanReader(io.RawIOBase):
    """A part of a file, as if it were all there is."""

    def __init__(self, source: Source, span: Span):
        self._file = source.path.open("rb")
        self._start, self._stop = span
        self._file.seek(self._start)

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a position within the part."""
        base = {io.SEEK_SET: self._start, io.SEEK_CUR: self._file.tell(), io.SEEK_END: self._stop}[whence]
        return self._file.seek(base + offset) - self._start

    def readinto(self, buffer) -> int:
        """Read what fits, but nothing beyond the part."""
        left = max(0, self._stop - self._file.tell())
        return self._file.readinto(memoryview(buffer)[:left]) or 0

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()


# ---------------------------------------------------------------------- the header


@dataclass(frozen=True)
class Header:
    """The first record, as text and as fields, and the delimiter between them."""

    text: str
    fields: list[str]
    delimiter: str


def read_header(source: Source, text: TextIO, delimiter: str | None) -> Header:
    """Read the first record that is not blank, and leave the stream right after it.

    Without a delimiter, the most frequent of comma, semicolon, tab and bar
    outside quotes is it; comma, when there is none.
    """
    delimiter = None if delimiter is None else checked_delimiter(delimiter)
    record = _read_record(source, text, delimiter or _DELIMITERS)
    if delimiter is None:
        delimiter = obvious_delimiter(record)
    try:
        fields = next(csv.reader(io.StringIO(record, newline=""), delimiter=delimiter))
    except csv.Error as error:
        raise UnreadableFileError.from_reason(source, f"its first line is no header ({error})") from None
    if any("\0" in field for field in fields):
        raise UnreadableFileError.from_reason(
            source, "its first line is not text", "Name its encoding, such as utf-16-le, or export it as CSV."
        )
    return Header(record, fields, delimiter)


def checked_delimiter(delimiter: str) -> str:
    """Return the one character that a delimiter is, whether given or named."""
    delimiter = _SPOKEN.get(delimiter, delimiter)
    is_sign = len(delimiter) == 1 and delimiter.isascii() and (delimiter.isprintable() or delimiter == "\t")
    if not is_sign or delimiter == '"':
        choices = (",", ";", "tab", "|", "any other printable ASCII character")
        raise ParameterError.from_choice("delimiter", delimiter, choices)
    return delimiter


def _read_record(source: Source, text: TextIO, delimiters: str) -> str:
    """Read lines until no quoted field is left open."""
    record = text.readline(_MOST_BLOCK_BYTES)
    while record and not record.strip("\r\n"):
        record = text.readline(_MOST_BLOCK_BYTES)
    if not record:
        raise UnreadableFileError.from_empty(source)
    if len(record) == _MOST_BLOCK_BYTES:
        raise UnreadableFileError.from_reason(source, f"its first line is longer than {_MOST_BLOCK_BYTES >> 20} MiB")
    lines, n_more = [record], 0
    is_open = _has_open_quote(record, delimiters)
    while is_open:
        line = text.readline(_MOST_HEADER_CHARACTERS)
        n_more += len(line)
        if not line or n_more > _MOST_HEADER_CHARACTERS:
            raise _open_quote(source, "is never closed" if not line else f"stays open for {n_more:,} characters")
        lines.append(line)
        # What is open stays open in the next line, as if it began there: no need to look at the whole record again.
        is_open = '"' not in line or _has_open_quote(f'"{line}', delimiters)
    return "".join(lines)


def _open_quote(source: Source, what: str) -> UnreadableFileError:
    return UnreadableFileError.from_reason(
        source, f"a quote in its first line {what}", 'Close it, or double it ("") to mean the sign itself.'
    )


def _has_open_quote(record: str, delimiters: str) -> bool:
    return re.search(_quote_at_start(delimiters), _without_quoted(record, delimiters)) is not None


def obvious_delimiter(record: str) -> str:
    """Return what separates the names of a header, by the signs outside of quotes."""
    bare = _without_quoted(record, _DELIMITERS)
    return max(_DELIMITERS, key=bare.count)  # the first of equals: the comma


def _without_quoted(record: str, delimiters: str) -> str:
    return re.sub(_quote_at_start(delimiters) + r'(?:[^"]|"")*+"', "", record)


def _quote_at_start(delimiters: str) -> str:
    """Return the pattern of a quote that opens a field: elsewhere in a field it is a sign like any other."""
    return rf'(?<![^{re.escape(delimiters)}\r\n])"'


# ---------------------------------------------------------------------- what is wrong with a file
#
# A second look, by Python's own reader, that knows the line. Nothing here runs unless reading has failed.


def find_fault(source: Source, lines: Iterable[str], delimiter: str, n_fields: int, reason: str) -> FewestError:
    """Return the error about the first record that does not fit.

    Parameters
    ----------
    source : Source
    lines : iterable of str
        The file from its beginning, line ends included.
    delimiter : str
    n_fields : int
        What each record should have.
    reason : str
        The message when no record is at fault.
    """
    for start, fields, record in _records(lines, delimiter):
        if _is_open(record, delimiter):
            return UnreadableFileError.from_reason(
                source,
                f"a quote is opened in the row that starts on line {start} and never closed",
                'Close it, or double it ("") inside a quoted field to mean the sign itself.',
            )
        if len(fields) != n_fields:
            return RaggedRowError.from_line(source, start, n_fields, len(fields))
    return UnreadableFileError.from_reason(source, reason)


def _records(lines: Iterable[str], delimiter: str) -> Iterator[tuple[int, list[str], list[str]]]:
    """Yield the physical line each record starts on, its fields and its lines; skip blank lines.

    A record that is longer than any block, since a quote in it is not closed, is the last one.
    """
    taken: list[str] = []
    n_taken = 0

    def taking() -> Iterator[str]:
        nonlocal n_taken
        for line in lines:
            taken.append(line)
            n_taken += len(line)
            yield line
            if n_taken > _MOST_BLOCK_BYTES:
                return

    with _fields_of_any_length():
        reader = csv.reader(taking(), delimiter=delimiter)
        for fields in reader:
            if fields:
                yield reader.line_num - len(taken) + 1, fields, taken
            taken.clear()
            n_taken = 0


def _is_open(record: list[str], delimiter: str) -> bool:
    """Return whether a record ends inside quotes, which only a strict reader refuses."""
    try:
        list(csv.reader(record, delimiter=delimiter, strict=True))
    except csv.Error as error:
        return "end of data" in str(error)
    return False


@contextmanager
def _fields_of_any_length() -> Iterator[None]:
    """Lift the limit of Python's reader, which is global, for as long as the look takes."""
    limit = csv.field_size_limit(sys.maxsize)
    try:
        yield
    finally:
        csv.field_size_limit(limit)
