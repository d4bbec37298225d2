"""The first record of a delimited file: its names, its delimiter and where it ends."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from typing import TextIO

from fewest.exceptions import ParameterError, UnreadableFileError
from fewest.table.formats import Source

_DELIMITERS = ",;\t|"
_MOST_CHARACTERS = 16 << 20
_SPOKEN = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "space": " "}


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
    record = text.readline()
    while record and not record.strip("\r\n"):
        record = text.readline()
    if not record:
        raise UnreadableFileError.from_empty(source)
    lines, n_more = [record], 0
    is_open = _has_open_quote(record, delimiters)
    while is_open:
        line = text.readline(_MOST_CHARACTERS)
        n_more += len(line)
        if not line or n_more > _MOST_CHARACTERS:
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
